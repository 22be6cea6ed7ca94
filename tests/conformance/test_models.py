"""Every language model that ships keeps the promises of the port."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from medweave.model.language_model import LanguageModelName
from medweave.model.prompt import Prompt
from medweave.ports import LanguageModel
from medweave.prompting.chat_model import ChatModel
from medweave.prompting.cost import Allowance
from medweave.prompting.reply_cache import RememberingModel
from medweave.testing.chat_server import serving
from medweave.testing.model_conformance import ModelConformance, Script
from medweave.testing.scripted_model import ScriptedModel


def scripted(script: Script) -> ScriptedModel:
    def reply(prompt: Prompt) -> Mapping[str, Any] | str:
        before = ((said.role, said.text) for said in prompt.history)
        said = script((("system", prompt.instructions), *before, ("user", prompt.material)))
        if not prompt.schema:
            return said
        try:
            content = json.loads(said)
        except ValueError:
            return said
        return content if isinstance(content, dict) else said

    return ScriptedModel(reply)


class TestScriptedModel(ModelConformance):
    @contextmanager
    def open_model(self, script: Script) -> Iterator[LanguageModel]:
        yield scripted(script)


class TestRememberingModel(ModelConformance):
    @contextmanager
    def open_model(self, script: Script) -> Iterator[LanguageModel]:
        with TemporaryDirectory() as folder:
            yield RememberingModel(scripted(script), Path(folder))


class TestChatModel(ModelConformance):
    streams = True

    @contextmanager
    def open_model(self, script: Script) -> Iterator[LanguageModel]:
        pytest.importorskip("pydantic_ai")
        with serving(
            lambda body: (200, script(tuple((m["role"], m["content"]) for m in body["messages"])))
        ) as server:
            server.streams = self.streams
            named = LanguageModelName.of(server.name)
            yield ChatModel(named, environment={}, allowance=Allowance(seconds=5, tries=1))


class TestChatModelWithoutStreams(TestChatModel):
    streams = False
