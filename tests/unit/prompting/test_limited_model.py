"""Of a model no more is asked than may be spent, whatever fails and is tried again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from medweave.errors import LanguageModelError, LanguageModelLimitError
from medweave.model.json_schema import TEXT, object_schema
from medweave.model.language_model import LanguageModelName
from medweave.model.prompt import Limits, Prompt, Usage
from medweave.prompting.chat_model import ChatModel
from medweave.prompting.cost import Allowance
from medweave.prompting.limited_model import LimitedModel
from medweave.prompting.reply_cache import RememberingModel
from medweave.testing.chat_server import ChatServer, serving
from medweave.testing.model_conformance import all_of
from medweave.testing.scripted_model import ScriptedModel

pytest.importorskip("pydantic_ai")
SCHEMA = object_schema({"text": TEXT}, "extract")
RIGHT = json.dumps({"text": "x"})


def prompt(material: str = "I cough.", letters: int = 0) -> Prompt:
    return Prompt("Repeat." + "x" * letters, material, SCHEMA)


def scripted(limits: Limits) -> tuple[LimitedModel, ScriptedModel]:
    inner = ScriptedModel(lambda _: RIGHT)
    return LimitedModel(inner, limits), inner


def test_so_many_requests_and_no_more() -> None:
    model, inner = scripted(Limits(requests=2))
    model.write(prompt("a"))
    model.write(prompt("b"))
    with pytest.raises(LanguageModelLimitError, match="2 requests"):
        model.write(prompt("c"))
    assert len(inner.seen) == 2


@pytest.mark.parametrize("limits", [Limits(requests=0), Limits(tokens=0)])
def test_nothing_is_nothing(limits: Limits) -> None:
    model, inner = scripted(limits)
    for ask in (model.write, model.fill):
        with pytest.raises(LanguageModelLimitError):
            ask(prompt())
    with pytest.raises(LanguageModelLimitError):
        all_of(model.say(prompt()))
    assert inner.seen == []


def test_a_request_that_would_take_too_many_tokens_does_not_leave() -> None:
    model, inner = scripted(Limits(tokens=1_000))
    with pytest.raises(LanguageModelLimitError, match="takes about"):
        model.write(prompt(letters=8_000))
    assert inner.seen == []


def test_tokens_are_as_the_endpoint_counts_them() -> None:
    model, inner = scripted(Limits(tokens=1_012))  # each takes 10, by its own count
    model.write(prompt(letters=3_900))
    for _ in range(9):
        model.write(prompt(letters=3_900))
    assert len(inner.seen) == 10


class TestOfAnEndpoint:
    def model(self, server: ChatServer, limits: Limits, folder: Path) -> RememberingModel:
        named = LanguageModelName.of(server.name)
        inner = ChatModel(named, environment={}, allowance=Allowance(seconds=5, tries=3))
        return RememberingModel(LimitedModel(inner, limits), folder)

    def test_requests_that_fail_count(self, tmp_path: Path) -> None:
        with serving(lambda _: (503, b"later")) as server:
            model = self.model(server, Limits(requests=2), tmp_path)
            with pytest.raises(LanguageModelError) as raised:
                model.write(prompt())
            assert raised.value.spent == (2, 0, 0)
            with pytest.raises(LanguageModelLimitError):
                model.write(prompt())
            assert len(server.asked) == 2

    def test_a_form_that_is_refused_counts(self, tmp_path: Path) -> None:
        refusal = (400, b'{"error": {"message": "no forms"}}')
        with serving(lambda _: (200, RIGHT)) as server:
            server.before = [refusal]
            with pytest.raises(LanguageModelLimitError):
                self.model(server, Limits(requests=1), tmp_path).write(prompt())
            assert len(server.asked) == 1
            server.before = [refusal]
            reply = self.model(server, Limits(requests=2), tmp_path).write(prompt())
            assert (reply.text, reply.usage.requests) == (RIGHT, 2)
        assert server.asked[-1]["tools"][0]["function"]["name"] == "extract"

    @pytest.mark.parametrize("ask", ["fill", "write"])
    def test_a_second_request_of_one_question_counts(self, tmp_path: Path, ask: str) -> None:
        with serving(lambda _: (200, "nonsense")) as server:
            model = self.model(server, Limits(requests=1), tmp_path)
            try:
                getattr(model, ask)(prompt())
            except LanguageModelError as error:
                assert error.spent[0] == 1
            assert len(server.asked) == 1

    def test_what_is_kept_counts_for_nothing(self, tmp_path: Path) -> None:
        with serving(lambda _: (200, RIGHT)) as server:
            self.model(server, Limits(), tmp_path).write(prompt())
            kept = self.model(server, Limits(requests=0, tokens=0), tmp_path).write(prompt())
            assert (kept.text, kept.usage) == (RIGHT, Usage(cached=1))
            assert len(server.asked) == 1

    def test_a_reply_that_the_limit_cuts_off_is_none_and_not_kept(self, tmp_path: Path) -> None:
        cut = json.dumps(
            {"id": "1", "object": "chat.completion", "created": 1, "model": "toy",
             "choices": [{"index": 0, "finish_reason": "length",
                          "message": {"role": "assistant", "content": '{"te'}}],
             "usage": {"prompt_tokens": 10, "completion_tokens": 90, "total_tokens": 100}}
        ).encode()  # fmt: skip
        with serving(lambda _: (200, cut)) as server:
            with pytest.raises(LanguageModelLimitError) as raised:
                self.model(server, Limits(tokens=100), tmp_path).write(prompt())
            assert raised.value.spent == (1, 10, 90)
            assert server.asked[0]["max_tokens"] < 100
            assert self.model(server, Limits(), tmp_path).write(prompt()).text == '{"te'


class TestAsItComes:
    @pytest.mark.parametrize(
        "reply", ["", "no", '{"text": "<think>x</think> y"}', "<think>a</think>[]", "[1,"]
    )
    def test_a_reply_is_given_unchecked(self, reply: str) -> None:
        with serving(lambda _: (200, reply)) as server:
            model = ChatModel(LanguageModelName.of(server.name), environment={})
            assert model.write(prompt()).text == reply
        form = server.asked[0]["response_format"]["json_schema"]
        assert form["schema"]["title"] == "extract"

    def test_who_does_not_answer_in_time_is_an_error(self) -> None:
        import time

        def slowly(_: object) -> tuple[int, str]:
            time.sleep(1)
            return 200, RIGHT

        with serving(slowly) as server:
            allowed = Allowance(seconds=0.2, tries=3)
            model = ChatModel(LanguageModelName.of(server.name), environment={}, allowance=allowed)
            with pytest.raises(LanguageModelError, match=r"within 0\.2 s"):
                model.write(prompt())

    @pytest.mark.parametrize(
        ("status", "body"),
        [(200, b"<html>"), (200, b"[]"), (200, b'{"choices": []}'), (404, b"no"), (429, b"slow"),
         (401, b"key"), (500, b"\xff\xfe"), (301, b"")],
    )  # fmt: skip
    def test_what_is_no_answer_is_an_error_of_ours(self, status: int, body: bytes) -> None:
        with serving(lambda _: (status, body)) as server:
            allowed = Allowance(seconds=5, tries=1)
            model = ChatModel(LanguageModelName.of(server.name), environment={}, allowance=allowed)
            with pytest.raises(LanguageModelError) as raised:
                model.write(prompt())
            assert raised.value.spent[0] == len(server.asked)
