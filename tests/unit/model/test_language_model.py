"""How a language model is named."""

from __future__ import annotations

import pytest

from medweave.errors import ConfigurationError
from medweave.model.json_schema import TEXT, choice_schema, list_schema, object_schema, violation
from medweave.model.language_model import LanguageModelName


@pytest.mark.parametrize(
    ("text", "provider", "name", "url"),
    [
        ("openai:gpt-4o", "openai", "gpt-4o", "https://api.openai.com/v1"),
        ("ollama:deepseek-r1:7b", "ollama", "deepseek-r1:7b", "http://localhost:11434/v1"),
        ("ollama:a:7b@http://gpu:11434/v1", "ollama", "a:7b", "http://gpu:11434/v1"),
        ("openai-compatible:q/w@https://h/v1/", "openai-compatible", "q/w", "https://h/v1"),
        ("none", "", "", ""),
        ("", "", "", ""),
    ],
)
def test_a_name_says_provider_model_and_address(
    text: str, provider: str, name: str, url: str
) -> None:
    assert LanguageModelName.of(text) == LanguageModelName(provider, name, url)


@pytest.mark.parametrize(
    "text",
    ["gpt-4o", "else:gpt", "openai-compatible:q", "openai:", "openai:a b", "ollama:a@ftp://h/v1"],
)
def test_what_is_no_name_is_refused_with_a_remedy(text: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        LanguageModelName.of(text)
    assert raised.value.where == "model"
    assert raised.value.remedy


def test_a_key_in_an_address_is_refused_and_not_told() -> None:
    with pytest.raises(ConfigurationError) as raised:
        LanguageModelName.of("openai-compatible:q@http://me:s3cret@h/v1")
    assert "s3cret" not in str(raised.value)
    assert "MEDWEAVE_MODEL_KEY" in raised.value.remedy


@pytest.mark.parametrize(
    ("value", "wrong"),
    [
        ({"kind": "a", "said": ["x"]}, ""),
        ({"kind": "c", "said": []}, "kind is none of the choices"),
        ({"kind": "a", "said": [1]}, "an entry of said is no text"),
        ({"kind": "a", "said": "x"}, "said is no list"),
        ({"kind": "a"}, "the reply lacks 'said'"),
        ({"kind": "a", "said": [], "more": 1}, "the reply has 'more', which nobody asked for"),
        ([], "the reply is no object"),
    ],
)
def test_a_value_keeps_to_a_schema_or_not(value: object, wrong: str) -> None:
    schema = object_schema({"kind": choice_schema(["a", "b"]), "said": list_schema(TEXT)})
    assert violation(value, schema) == wrong
