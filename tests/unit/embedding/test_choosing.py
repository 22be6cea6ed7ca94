"""Which embedder is used: one that is named is there or an error, and none has a reason."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from medweave.embedding.choosing import choose
from medweave.embedding.endpoint import Endpoint
from medweave.errors import ConfigurationError, EmbeddingError
from medweave.model.embedder import AUTOMATIC, EmbedderName


def test_none_is_a_choice() -> None:
    chosen = choose(EmbedderName.of("none"))
    assert (chosen.embedder, chosen.reason) == (None, "the embedder is set to none")


def test_without_weights_there_is_none_and_a_reason(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    nowhere = {"MEDWEAVE_WEIGHTS": str(tmp_path)}
    chosen = choose(AUTOMATIC, nowhere)
    assert chosen.embedder is None
    assert "medweave weights install" in chosen.reason
    with pytest.raises(EmbeddingError, match="not installed"):
        choose(EmbedderName.of("minilm"), nowhere)


def test_without_the_extra_there_is_none_and_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    assert "medweave[dense]" in choose(AUTOMATIC).reason
    with pytest.raises(ConfigurationError, match="needs onnxruntime"):
        choose(EmbedderName.of("minilm"))


def test_an_endpoint_is_made_without_asking_it() -> None:
    named = EmbedderName.of("openai-compatible:bge-m3:567m@http://127.0.0.1:9/v1/")
    assert (named.name, named.url) == ("bge-m3:567m", "http://127.0.0.1:9/v1")
    assert isinstance(choose(named).embedder, Endpoint)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("minilm2", "no embedder 'minilm2'"),
        ("ollama:bge-m3", "no embedder 'ollama'"),
        ("openai-compatible:bge-m3", "no name or no address"),
        ("openai-compatible:@http://localhost/v1", "no name or no address"),
        ("openai-compatible:m@localhost:11434", "cannot be used"),
        ("openai-compatible:m@ftp://localhost/v1", "cannot be used"),
        ("openai-compatible:m@file:///etc/passwd", "cannot be used"),
        ("openai-compatible:m@http://", "cannot be used"),
        ("openai-compatible:m@http://[::1/v1", "cannot be used"),
        ("openai-compatible:m@http://localhost:x/v1", "cannot be used"),
        ("openai-compatible:m@http://sk-1:x@localhost/v1", "has a key in it"),
        ("openai-compatible:m@http://localhost/v1?key=sk-1", "has a key in it"),
    ],
)
def test_a_name_that_means_nothing_is_refused_and_no_key_is_shown(text: str, what: str) -> None:
    with pytest.raises(ConfigurationError, match=what) as raised:
        EmbedderName.of(text)
    assert raised.value.where == "embedder"
    assert "sk-1" not in str(raised.value)
