"""Whatever an endpoint does, asking it ends in time, in a reply or an error of ours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from medweave.errors import LanguageModelAwayError, LanguageModelError
from medweave.model.json_schema import TEXT, object_schema
from medweave.model.language_model import LanguageModelName
from medweave.model.prompt import Limits, Prompt
from medweave.prompting.chat_model import ChatModel
from medweave.prompting.cost import Allowance
from medweave.prompting.endpoint_memory import EndpointMemory
from medweave.prompting.probe import probed
from medweave.prompting.reply_cache import RememberingModel
from medweave.testing import endpoint_faults as faults
from medweave.testing.chat_server import ChatServer, serving

pytestmark = pytest.mark.thorough

pytest.importorskip("pydantic_ai")
QUICK = Allowance(seconds=10, tries=3, pause=0.01, reply_bytes=1_000_000)
ENDLESS = ("stalls", "stalls after some words", "drips", "pings")
"""What only the clock ends."""
PROMPT = Prompt("Repeat.", "x", object_schema({"answer": TEXT}, "decompose"))
WORDS = Prompt("Say it.", "x")
RIGHT = '{"answer": "x"}'
REFUSED = (400, b'{"error": {"message": "not known here"}}')

FAULTS: dict[str, tuple[int, Any]] = {
    "drops": faults.drops(RIGHT),
    "half json": faults.half_json(RIGHT),
    "too many": faults.too_many(0.01),
    "too many for an hour": faults.too_many(3600),
    "no number to wait": faults.too_many("nan"),
    "stalls": faults.stalls(),
    "stalls after some words": faults.stalls("Gout hurts. It"),
    "floods": faults.floods(),
    "floods packed": faults.floods_packed(20),
    "drips": faults.drips(RIGHT * 20),
    "pings": faults.pings(),
    "fails within": faults.fails_within("a b c d"),
    "an error of the server": (500, b"oh"),
    "a page": (200, b"<html>"),
    "nothing": (200, b""),
}


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    """What is loaded with the first request is no part of how long any takes."""
    with serving(lambda _: (200, RIGHT)) as server:
        model(server).fill(PROMPT)


def model(
    server: ChatServer, memory: EndpointMemory | None = None, seconds: float = 10
) -> ChatModel:
    named = LanguageModelName.of(server.name)
    allowed = replace(QUICK, seconds=seconds)
    return ChatModel(named, environment={}, allowance=allowed, memory=memory)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("how", ["fill", "say"])
def test_it_ends_in_time_and_counts_what_the_server_counts(fault: str, how: str) -> None:
    with serving(lambda _: FAULTS[fault]) as server:
        asked = model(server, seconds=0.4 if fault in ENDLESS else 10)
        begun = perf_counter()
        with pytest.raises(LanguageModelError) as raised:
            asked.fill(PROMPT) if how == "fill" else list(asked.say(WORDS))
        assert perf_counter() - begun < 9
        assert raised.value.spent[0] == len(server.asked) > 0
        assert server.sent < 40_000_000
        assert not isinstance(raised.value, LanguageModelAwayError)


def test_a_stream_that_ends_early_is_no_whole_answer() -> None:
    with serving(lambda _: faults.breaks_off("Gout hurts. It comes back. Rest.")) as server:
        heard: list[str] = []
        with pytest.raises(LanguageModelError, match="broke off"):
            for piece in model(server).say(WORDS):
                heard.append(piece)
        assert "".join(heard).startswith("Gout hurts.")


def test_a_short_wait_is_waited_and_a_long_one_is_not() -> None:
    with serving(lambda _: (200, RIGHT)) as server:
        server.before = [faults.too_many(0.05)]
        assert model(server).fill(PROMPT).usage.requests == 2
        server.before = [faults.too_many(30)]
        with pytest.raises(LanguageModelError, match="429"):
            model(server).fill(PROMPT)
        assert len(server.asked) == 3


def test_less_time_and_fewer_requests_may_be_left() -> None:
    with serving(lambda _: faults.stalls()) as server:
        with pytest.raises(LanguageModelError, match=r"0\.2 s"):
            model(server).fill(replace(PROMPT, most=Limits(seconds=0.2)))
        with pytest.raises(LanguageModelAwayError, match="no request is left"):
            model(server).fill(replace(PROMPT, most=Limits(requests=0)))
        assert len(server.asked) == 1


def asked_for(body: dict[str, Any]) -> str:
    """The form in which an object was asked for."""
    forms = {"json_schema": "native", "json_object": "json"}
    form = body.get("response_format", {}).get("type", "")
    return "tool" if "tools" in body else forms.get(form, "prompted")


KNOWS: dict[str, Callable[[str], tuple[int, Any]]] = {
    "native": lambda reply: (200, reply),
    "tool": faults.calls_a_tool,
    "json": lambda reply: (200, f"```json\n{reply}\n```"),
    "prompted": lambda reply: (200, f"Here it is: {reply.replace(chr(34), chr(39))} Right?"),
}


@pytest.mark.parametrize("form", KNOWS)
def test_an_object_comes_back_in_the_form_that_is_known_there(form: str, tmp_path: Path) -> None:
    def answer(body: dict[str, Any]) -> tuple[int, Any]:
        return KNOWS[form](RIGHT) if asked_for(body) == form else REFUSED

    with serving(answer) as server:
        first = model(server, EndpointMemory(tmp_path)).fill(PROMPT)
        assert first.content == {"answer": "x"}
        assert first.usage.requests == len(server.asked)
        again = model(server, EndpointMemory(tmp_path)).fill(PROMPT)
        assert (again.content, again.usage.requests) == ({"answer": "x"}, 1)


@pytest.mark.parametrize("form", KNOWS)
def test_the_probe_finds_what_an_endpoint_can_do(form: str) -> None:
    def answer(body: dict[str, Any]) -> tuple[int, Any]:
        if "ready" in body["messages"][-1]["content"]:
            return 200, "<think>They want a word.</think>Ready."
        return KNOWS[form]('{"answer": 8}') if asked_for(body) == form else (200, "I do not know.")

    with serving(answer) as server:
        found = probed(LanguageModelName.of(server.name), EndpointMemory(), 5, {})
        assert (found.structured, found.streaming, found.reasoning) == (form, True, True)
        assert found.calls == len(server.asked)
        assert found.can_be_used


@pytest.mark.parametrize("fault", ["stalls", "a page", "an error of the server", "drops"])
def test_the_probe_of_what_cannot_be_used_says_so(fault: str) -> None:
    seconds = 0.5 if fault == "stalls" else 10
    with serving(lambda _: FAULTS[fault]) as server:
        found = probed(LanguageModelName.of(server.name), EndpointMemory(), seconds, {})
    assert (found.structured, found.can_be_used) == ("none", False)
    assert found.problems
    assert found.reachable == (fault not in ("stalls", "drops"))


@pytest.mark.parametrize(
    "reply",
    [
        (200, "<think>Gout? </think>Rest."),
        (200, "Gout? </think>Rest."),
        faults.thinks_apart("Gout?", "Rest."),
    ],
)
def test_thoughts_stand_apart_however_they_are_sent(reply: tuple[int, Any]) -> None:
    memory = EndpointMemory()
    with serving(lambda _: reply) as server:
        for time in range(2):
            stream, pieces = model(server, memory).say(WORDS), []
            try:
                while True:
                    pieces.append(next(stream))
            except StopIteration as end:
                assert (end.value.text, end.value.reasoning) == ("Rest.", "Gout?")
            if time:  # from the second on, also while it speaks
                assert "".join(pieces).strip() == "Rest."


def test_what_bears_the_same_name_elsewhere_has_replies_of_its_own(tmp_path: Path) -> None:
    with serving(lambda _: (200, RIGHT)) as one, serving(lambda _: (200, '{"answer": "y"}')) as two:
        said = [
            RememberingModel(model(each), tmp_path, each.url).fill(PROMPT).content["answer"]
            for each in (one, two, one)
        ]
        assert said == ["x", "y", "x"]
        assert (len(one.asked), len(two.asked)) == (1, 1)
