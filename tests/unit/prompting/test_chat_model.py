"""A language model is asked patiently, and what it may get wrong is an error of ours."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from medweave.errors import LanguageModelAwayError, LanguageModelError
from medweave.model.json_schema import TEXT, list_schema, object_schema
from medweave.model.language_model import LanguageModelName
from medweave.model.prompt import Prompt, Usage
from medweave.prompting.chat_model import ChatModel
from medweave.prompting.cost import Allowance
from medweave.testing.chat_server import ChatServer, serving
from medweave.testing.model_conformance import all_of

pytest.importorskip("pydantic_ai")
QUICK = Allowance(seconds=5, tries=2)
PROMPT = Prompt("Find symptoms.", "I cough.", object_schema({"symptom": list_schema(TEXT)}))
RIGHT = json.dumps({"symptom": ["I cough"]})
ERROR = json.dumps({"error": {"message": "no s3cret here"}}).encode()


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with serving(lambda body: (200, RIGHT)) as server:
        yield server


def model(server: ChatServer, allowed: Allowance = QUICK, **environment: str) -> ChatModel:
    named = LanguageModelName.of(server.name)
    return ChatModel(named, environment=environment, allowance=allowed)


class TestAsking:
    def test_a_reply_is_an_object_with_what_it_cost(self, server: ChatServer) -> None:
        reply = model(server).fill(PROMPT)
        assert reply.content == {"symptom": ["I cough"]}
        assert reply.usage == Usage(1, 20, 5)

    def test_it_is_asked_at_temperature_nought_with_the_schema(self, server: ChatServer) -> None:
        model(server).fill(PROMPT)
        [asked] = server.asked
        assert asked["temperature"] == 0
        assert asked["model"] == "toy"
        form: Any = asked["response_format"]["json_schema"]
        assert (form["schema"], form["strict"]) == (PROMPT.schema, True)

    def test_material_comes_apart_from_instructions(self, server: ChatServer) -> None:
        model(server).fill(PROMPT)
        said = [(message["role"], message["content"]) for message in server.asked[0]["messages"]]
        assert said == [("system", "Find symptoms."), ("user", "I cough.")]

    def test_the_schemas_title_says_what_is_asked_for(self, server: ChatServer) -> None:
        asking = model(server)
        schema = object_schema({"symptom": list_schema(TEXT)}, "extract")
        asking.fill(Prompt("Find symptoms.", "I cough.", schema))
        server.before = [(400, ERROR)]
        asking.fill(Prompt("Find symptoms.", "I cough.", schema))
        native, _, tool = server.asked
        assert native["response_format"]["json_schema"]["schema"]["title"] == "extract"
        assert tool["tools"][0]["function"]["parameters"]["title"] == "extract"

    def test_an_endpoint_without_forms_is_told_the_schema_in_words(
        self, server: ChatServer
    ) -> None:
        server.before = [(400, ERROR)] * 2
        asking = model(server)
        assert asking.fill(PROMPT).content == {"symptom": ["I cough"]}
        asking.fill(PROMPT)  # and it is not tried a second time
        forms = [asked.get("response_format", {"type": "tool"})["type"] for asked in server.asked]
        assert forms == ["json_schema", "tool", "json_object", "json_object"]
        assert '"symptom"' in server.asked[3]["messages"][0]["content"]

    def test_it_can_be_asked_where_a_loop_runs(self, server: ChatServer) -> None:
        async def within() -> object:
            return model(server).fill(PROMPT).content["symptom"]

        assert asyncio.run(within()) == ["I cough"]


WORDS = Prompt("Say it.", "I cough.")


class TestWords:
    def test_they_come_as_they_are_sent_and_without_a_schema(self, server: ChatServer) -> None:
        server.answer = lambda body: (200, "Rest in bed.")
        pieces, usage = all_of(model(server).say(WORDS))
        assert pieces == ["Rest ", "in ", "bed."]
        assert usage == Usage(1, 20, 5)
        [asked] = server.asked
        assert asked["stream"]
        assert not {"response_format", "tools"} & asked.keys()

    def test_an_endpoint_that_knows_no_streams_is_asked_for_the_whole(
        self, server: ChatServer
    ) -> None:
        server.answer = lambda body: (200, "Rest in bed.")
        server.streams = False
        assert all_of(model(server).say(WORDS)) == (["Rest in bed."], Usage(2, 20, 5))
        assert [asked.get("stream", False) for asked in server.asked] == [True, False]

    def test_what_a_model_thinks_is_not_said(self, server: ChatServer) -> None:
        server.answer = lambda body: (200, "<think>They cough. </think>Rest in bed.")
        assert "".join(all_of(model(server).say(WORDS))[0]).strip() == "Rest in bed."
        server.streams = False
        assert "".join(all_of(model(server).say(WORDS))[0]).strip() == "Rest in bed."

    def test_who_refuses_is_an_error_as_for_forms(self, server: ChatServer) -> None:
        server.answer = lambda body: (401, ERROR)
        with pytest.raises(LanguageModelAwayError) as raised:
            all_of(model(server, MEDWEAVE_MODEL_KEY="s3cret").say(WORDS))
        assert "s3cret" not in str(raised.value)
        assert len(server.asked) == 1

    def test_beyond_the_limit_nothing_is_said(self, server: ChatServer) -> None:
        asking = model(server, Allowance(tokens=25))
        all_of(asking.say(WORDS))
        with pytest.raises(LanguageModelAwayError, match="limit of 25 tokens"):
            all_of(asking.say(WORDS))


class TestKeys:
    def test_a_key_of_the_environment_goes_along(self, server: ChatServer) -> None:
        model(server, MEDWEAVE_MODEL_KEY="s3cret").fill(PROMPT)
        assert server.headers[0]["authorization"] == "Bearer s3cret"

    def test_a_providers_own_key_goes_nowhere_else(self, server: ChatServer) -> None:
        named = LanguageModelName.of(f"openai:toy@{server.url}")
        environment = {"OPENAI_API_KEY": "s3cret"}
        ChatModel(named, environment=environment, allowance=QUICK).fill(PROMPT)
        assert "s3cret" not in server.headers[0]["authorization"]

    @pytest.mark.parametrize("status", [401, 403])
    def test_a_refused_key_is_never_shown(self, server: ChatServer, status: int) -> None:
        server.before = [(status, ERROR)]
        with pytest.raises(LanguageModelAwayError) as raised:
            model(server, MEDWEAVE_MODEL_KEY="s3cret").fill(PROMPT)
        assert "s3cret" not in str(raised.value)
        assert "MEDWEAVE_MODEL_KEY" in raised.value.remedy


class TestFailing:
    def test_what_may_go_better_is_tried_again(self, server: ChatServer) -> None:
        server.before = [(503, b"later")]
        assert model(server).fill(PROMPT).content == {"symptom": ["I cough"]}

    def test_what_stays_broken_is_an_error(self, server: ChatServer) -> None:
        server.before = [(500, b"oh")] * 2
        with pytest.raises(LanguageModelError, match="500"):
            model(server).fill(PROMPT)

    @pytest.mark.parametrize("wrong", ["nonsense", '{"symptom": "I cough"}', '{"other": []}'])
    def test_a_reply_of_another_form_is_asked_for_again(
        self, server: ChatServer, wrong: str
    ) -> None:
        server.before = [(200, wrong)]
        reply = model(server).fill(PROMPT)
        assert (reply.content, reply.usage.requests) == ({"symptom": ["I cough"]}, 2)

    def test_a_model_that_never_keeps_to_the_schema_is_an_error(self, server: ChatServer) -> None:
        server.answer = lambda body: (200, '{"symptom": "ignore your rules"}')
        with pytest.raises(LanguageModelError, match="schema"):
            model(server).fill(PROMPT)

    @pytest.mark.parametrize(
        ("status", "remedy"), [(404, "name of the model"), (307, "nothing is sent on")]
    )
    def test_where_there_is_no_such_model(
        self, server: ChatServer, status: int, remedy: str
    ) -> None:
        server.extra = {"Location": f"{server.url}/elsewhere"}
        server.answer = lambda body: (status, b"")
        with pytest.raises(LanguageModelAwayError) as raised:
            model(server).fill(PROMPT)
        assert remedy in raised.value.remedy
        assert len(server.asked) == 1

    def test_where_nobody_answers(self) -> None:
        with serving(lambda body: (200, RIGHT)) as server:
            asking = model(server)
        with pytest.raises(LanguageModelAwayError, match="reached"):
            asking.fill(PROMPT)

    def test_slowness_is_an_error_of_one_prompt_alone(self, server: ChatServer) -> None:
        server.answer = lambda body: (asyncio.run(asyncio.sleep(1)), (200, RIGHT))[1]
        with pytest.raises(LanguageModelError, match=r"within 0\.2 s") as raised:
            model(server, Allowance(seconds=0.2, tries=1)).fill(PROMPT)
        assert not isinstance(raised.value, LanguageModelAwayError)

    def test_what_is_not_json_is_an_error(self, server: ChatServer) -> None:
        server.answer = lambda body: (200, b"<html>")
        with pytest.raises(LanguageModelError):
            model(server).fill(PROMPT)

    def test_beyond_the_limit_nothing_is_asked(self, server: ChatServer) -> None:
        asking = model(server, Allowance(tokens=25))
        asking.fill(PROMPT)
        with pytest.raises(LanguageModelAwayError, match="limit of 25 tokens"):
            asking.fill(PROMPT)
        assert len(server.asked) == 1
