"""An endpoint of a language model as a whole answer meets it: ours, and a real one where the
variable MEDWEAVE_TEST_LLM names it (`provider:model`, or `openai-compatible:NAME@URL`)."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from medweave.errors import LanguageModelError
from medweave.knowledge_base import KnowledgeBase
from medweave.model.configuration import CONFIGURATION
from medweave.model.generated import ModelUse
from medweave.model.json_schema import TEXT, list_schema, object_schema
from medweave.model.language_model import LanguageModelName
from medweave.model.prompt import Limits, Prompt
from medweave.prompting.chat_model import ChatModel
from medweave.prompting.endpoint_memory import EndpointMemory
from medweave.prompting.probe import probed
from medweave.testing.chat_server import serving

pytest.importorskip("pydantic_ai")
REAL = os.environ.get("MEDWEAVE_TEST_LLM", "")
LIST = object_schema({"answer": list_schema(TEXT)}, "decompose")
ASKED = "What are the symptoms of gout, and what causes it?"


def answer(body: dict[str, Any]) -> tuple[int, str]:
    """What a small and willing model would say."""
    asked = body["messages"][-1]["content"]
    if "eight days" in asked:
        return 200, '{"answer": 8}'
    if "response_format" in body:
        return 200, json.dumps({"answer": ["What are the symptoms of gout?", "What causes gout?"]})
    return 200, "<think>Hm.</think>Joint pain is a symptom of gout [s1]. It is rare in cats."


@pytest.fixture(scope="module", params=["ours", pytest.param("real", marks=pytest.mark.skipif(
    not REAL, reason="MEDWEAVE_TEST_LLM names no endpoint"))])  # fmt: skip
def named(request: pytest.FixtureRequest) -> Iterator[LanguageModelName]:
    if request.param == "real":
        yield LanguageModelName.of(REAL)
        return
    with serving(answer) as server:
        yield LanguageModelName.of(server.name)


@pytest.fixture(scope="module")
def base(named: LanguageModelName) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.sample(configuration=replace(CONFIGURATION, model=named)) as opened:
        yield opened


@pytest.fixture(scope="module")
def memory(named: LanguageModelName) -> EndpointMemory:
    """What the probe finds: an endpoint that can be used."""
    memory = EndpointMemory()
    found = probed(named, memory, 120, os.environ)
    assert found.can_be_used, found.problems
    assert found.structured != "none", found.problems
    return memory


def test_objects_and_words_come_back(named: LanguageModelName, memory: EndpointMemory) -> None:
    model = ChatModel(named, memory=memory)
    prompt = Prompt("Take this apart into two questions.", ASKED, LIST)
    reply = model.fill(prompt)
    assert all(isinstance(each, str) for each in reply.content["answer"])
    assert reply.usage.requests >= 1
    assert "".join(model.say(Prompt("Say one short sentence.", "Gout hurts.")))


def test_limits_are_kept(named: LanguageModelName, memory: EndpointMemory) -> None:
    model = ChatModel(named, memory=memory)
    begun = perf_counter()
    for limits in (Limits(requests=0), Limits(seconds=0.001)):
        with pytest.raises(LanguageModelError):
            model.fill(Prompt("Repeat.", "x", LIST, most=limits))
    assert perf_counter() - begun < 5


def test_an_answer_holds_what_rules_say_and_only_what_is_supported(
    base: KnowledgeBase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    use = ModelUse(seconds=120)
    *told, last = base.ask_in_pieces(ASKED, use=use)
    found = last["answer"]
    with KnowledgeBase.open("memory:") as empty:
        assert empty.ask(ASKED).to_json().keys() == found.keys()
    by_rules = base.ask(ASKED, use=replace(use, calls=0)).to_json()
    assert {s["id"] for s in by_rules["statements"].values()} <= {
        s["id"] for s in found["statements"].values()
    }
    assert [event["sentence"] for event in told if event["event"] == "sentence"] == found[
        "sentences"
    ]
    assert all(each["statements"] and each["evidence"] for each in found["sentences"])
    assert 1 <= found["usage"]["calls"] <= use.calls
    assert not any("http" in each["text"] for each in found["sentences"])
