"""What every language model promises, as tests. An adapter is tested by a class of a few lines:

class TestMyModel(ModelConformance):
    @contextmanager
    def open_model(self, script):
        yield MyModel(…)  # which gives, for what it is asked, the text that `script` gives
"""

# ruff: noqa: D102 - the names of the tests are sentences
from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing

import pytest

from medweave.errors import LanguageModelError
from medweave.model.json_schema import TEXT, object_schema
from medweave.model.prompt import ChatMessage, Prompt, Usage, Written
from medweave.ports import LanguageModel

Turns = tuple[tuple[str, str], ...]
"""Roles and texts, in the order in which a model hears them."""
Script = Callable[[Turns], str]
SCHEMA = object_schema({"answer": TEXT}, "decompose")
WORDS = "Fever and  cough,\n发热 are recorded."


def repeating(turns: Turns) -> str:
    """The last text as an object."""
    return json.dumps({"answer": turns[-1][1]})


def all_of(stream: Generator[str, None, Written]) -> tuple[list[str], Usage]:
    """All pieces, and what they cost."""
    pieces: list[str] = []
    while True:
        try:
            pieces.append(next(stream))
        except StopIteration as end:
            return pieces, end.value.usage


class ModelConformance:
    """The promises of `LanguageModel`. Override `open_model`."""

    def open_model(self, script: Script) -> AbstractContextManager[LanguageModel]:
        """A model that replies what a script says."""
        raise NotImplementedError

    @pytest.fixture
    def model(self) -> Iterator[LanguageModel]:
        """A model that repeats what it is told."""
        with self.open_model(repeating) as model:
            yield model

    def test_its_id_names_provider_and_model(self, model: LanguageModel) -> None:
        assert all(model.id.partition(":"))

    def test_a_form_is_filled(self, model: LanguageModel) -> None:
        reply = model.fill(Prompt("Repeat.", '咳嗽 "x"', SCHEMA))
        assert reply.content == {"answer": '咳嗽 "x"'}
        assert reply.usage.requests >= 1

    @pytest.mark.parametrize("wrong", ["nonsense", "[]", '{"answer": 1}', '{"other": "x"}'])
    def test_what_does_not_keep_to_the_form_is_an_error(self, wrong: str) -> None:
        with self.open_model(lambda _: wrong) as model, pytest.raises(LanguageModelError):
            model.fill(Prompt("Repeat.", "cough", SCHEMA))

    @pytest.mark.parametrize("reply", ["nonsense", "[]", '{"answer": 1}', '{"answer": "x"'])
    def test_a_reply_can_be_had_as_it_comes(self, reply: str) -> None:
        with self.open_model(lambda _: reply) as model:
            written = model.write(Prompt("Repeat.", "cough", SCHEMA))
        assert written.text == reply
        assert written.usage.requests >= 1

    def test_words_come_in_pieces(self) -> None:
        with self.open_model(lambda _: WORDS) as model:
            pieces, usage = all_of(model.say(Prompt("Say.", "cough")))
        assert "".join(pieces) == WORDS
        assert all(pieces)
        assert usage.requests >= 1

    def test_roles_are_kept_apart_and_in_order(self) -> None:
        received: list[Turns] = []

        def script(turns: Turns) -> str:
            received.append(turns)
            return repeating(turns)

        before = (ChatMessage("user", "I cough."), ChatMessage("assistant", "Since when?"))
        with self.open_model(script) as model:
            model.fill(Prompt("Be brief.", "Two days.", SCHEMA, before))
            all_of(model.say(Prompt("Be brief.", "Two days.", history=before)))
        history = (("user", "I cough."), ("assistant", "Since when?"), ("user", "Two days."))
        assert received == [(("system", "Be brief."), *history)] * 2

    def test_who_stops_listening_is_not_waited_for(self) -> None:
        with (
            self.open_model(lambda _: WORDS) as model,
            closing(model.say(Prompt("Say.", "cough"))) as stream,
        ):
            assert WORDS.startswith(next(stream))

    def test_several_threads_ask_at_once(self, model: LanguageModel) -> None:
        prompts = [Prompt("Repeat.", f"{n}", SCHEMA) for n in range(8)]
        with ThreadPoolExecutor(4) as pool:
            replies = list(pool.map(model.fill, prompts))
        assert [reply.content["answer"] for reply in replies] == [p.material for p in prompts]

    def test_it_is_asked_where_a_loop_runs(self, model: LanguageModel) -> None:
        async def within() -> object:
            words = all_of(model.say(Prompt("Repeat.", "cough")))[0]
            return model.fill(Prompt("Repeat.", "cough", SCHEMA)).content, "".join(words)

        assert asyncio.run(within()) == ({"answer": "cough"}, '{"answer": "cough"}')
