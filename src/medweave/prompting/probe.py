"""An endpoint is asked in every form, to see which of them come back right."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from time import monotonic, perf_counter

from medweave.errors import LanguageModelAwayError, LanguageModelError
from medweave.model.json_schema import object_schema
from medweave.model.language_model import LanguageModelName
from medweave.model.model_checked import ModelChecked, Structured
from medweave.model.prompt import Limits, Prompt, Usage
from medweave.prompting.chat_model import ChatModel, check_installed
from medweave.prompting.cost import ALLOWANCE, Allowance
from medweave.prompting.endpoint_memory import FORMS, EndpointMemory

_NUMBER = 8
_OBJECT = Prompt(
    "You read one sentence, and give the number that it says.",
    "Wait for eight days.",
    object_schema({"answer": {"type": "integer"}}, "check"),
)
_WORDS = Prompt("You reply with one word.", "Say ready.")


class _Probe:
    def __init__(
        self,
        name: LanguageModelName,
        memory: EndpointMemory,
        allowance: Allowance,
        environment: Mapping[str, str],
    ) -> None:
        self.name = name
        self.memory = memory
        self.usage = Usage()
        self.reasoning = False
        self.problems: list[str] = []
        self.away = False
        """Whether nothing more is to be had of it."""
        self.answers = False
        """Whether anything came back, be it a refusal."""
        self._allowance = replace(allowance, repairs=0, tries=1)
        self._environment = environment
        self._until = monotonic() + allowance.seconds

    def form(self) -> Structured:
        """The first form in which the right object comes back."""
        for form in FORMS:
            trial = EndpointMemory()
            trial.note(self.name.url, self.name.name, form=form)
            model = self._model(trial)
            try:
                reply = model.fill(self._in_time(_OBJECT))
            except LanguageModelError as error:
                self._failed(error, form)
                if self.away:
                    return "none"
                continue
            self._took(reply.usage, reply.reasoning)
            if reply.content["answer"] != _NUMBER:
                self.problems.append(f"{form}: it reads {reply.content['answer']} for {_NUMBER}")
                continue
            found = trial.known(self.name.url, self.name.name).form
            refused = FORMS[FORMS.index(form) : FORMS.index(found)]
            self.problems += [f"{each}: it is refused" for each in refused]
            self.memory.note(self.name.url, self.name.name, form=found)
            return found
        return "none"

    def streams(self) -> bool:
        """Whether words come in pieces."""
        self.memory.note(self.name.url, self.name.name, streams=True, begins_thinking=False)
        stream = self._model(self.memory).say(self._in_time(_WORDS))
        try:
            while True:
                next(stream)
        except StopIteration as end:
            self._took(end.value.usage, end.value.reasoning)
        except LanguageModelError as error:
            self._failed(error, "words")
            return False
        known = self.memory.known(self.name.url, self.name.name)
        if not known.streams:
            self.problems.append("words: it has no streams; the whole is asked for at once")
        return known.streams

    def _model(self, memory: EndpointMemory) -> ChatModel:
        return ChatModel(
            self.name, environment=self._environment, allowance=self._allowance, memory=memory
        )

    def _in_time(self, prompt: Prompt) -> Prompt:
        return replace(prompt, most=Limits(None, None, max(0.0, self._until - monotonic())))

    def _took(self, usage: Usage, reasoning: str) -> None:
        self.answers = True
        self.usage += usage
        self.reasoning |= bool(reasoning)

    def _failed(self, error: LanguageModelError, what: str) -> None:
        from pydantic_ai.exceptions import ModelConnectionError

        self.usage += Usage(*error.spent)
        self.away |= isinstance(error, LanguageModelAwayError)
        self.answers |= not isinstance(error.__cause__, ModelConnectionError | TimeoutError)
        self.problems.append(f"{what}: {error.what}")


def probed(
    name: LanguageModelName,
    memory: EndpointMemory,
    seconds: float,
    environment: Mapping[str, str] = os.environ,
) -> ModelChecked:
    """What an endpoint can do, of which the best is remembered. It is asked some small requests."""
    begun = perf_counter()
    check_installed()
    probe = _Probe(name, memory, replace(ALLOWANCE, seconds=seconds), environment)
    structured = probe.form()
    streaming = not probe.away and probe.streams()
    return ModelChecked(
        name.id,
        name.url,
        probe.answers,
        streaming,
        structured,
        probe.reasoning,
        probe.usage.tokens > 0,
        probe.usage.requests,
        round(perf_counter() - begun, 3),
        tuple(probe.problems),
    )
