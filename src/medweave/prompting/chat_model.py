"""Language models behind chat completions (OpenAI, Ollama, vLLM, DeepSeek, ERNIE, and others).

By pydantic-ai, which is loaded when a model is named. Prompts leave this machine for wherever the
address leads. A key is taken from the environment alone, goes to that address alone, and is never
shown.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Generator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from medweave.errors import ConfigurationError, LanguageModelLimitError
from medweave.model.language_model import LanguageModelName
from medweave.model.prompt import Prompt, Reply, Written
from medweave.prompting.cost import ALLOWANCE, Allowance, Cost
from medweave.prompting.endpoint_memory import FORMS, Endpoint, EndpointMemory
from medweave.prompting.event_loop import pieces_of, result_of
from medweave.prompting.thoughts import Spoken, with_apart, without_thoughts

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models.openai import OpenAIChatModel

_Result = TypeVar("_Result")
_NO_KEY = "none"
"""Sent where there is no key: the protocol wants one, and servers of one's own do not look."""
_CONNECT = 10.0
_REPEATED = 4_000
"""Characters of a bad reply that the model is shown."""
_AGAIN = "That reply cannot be used: {wrong}. Reply once more, with JSON and nothing else. {schema}"


class ChatModel:
    """See `LanguageModel`. It is asked at temperature 0.

    The schema goes along as the form of the reply, as a tool, or in words: the first of these that
    an endpoint does not refuse, which is remembered. Replies are read and checked all the same.
    """

    def __init__(
        self,
        name: LanguageModelName,
        *,
        environment: Mapping[str, str] = os.environ,
        allowance: Allowance = ALLOWANCE,
        memory: EndpointMemory | None = None,
    ) -> None:
        """Raises `ConfigurationError` where pydantic-ai is not installed."""
        check_installed()
        self._name = name
        held = (environment.get(variable, "").strip() for variable in name.key_variables)
        self._key = next(filter(None, held), "")
        self._allowance = allowance
        self._memory = memory or EndpointMemory()
        self._spent = 0

    def __repr__(self) -> str:
        return f"ChatModel({self._name.id!r}, {self._name.url!r})"

    @property
    def id(self) -> str:
        """See `LanguageModel.id`."""
        return self._name.id

    def fill(self, prompt: Prompt) -> Reply:
        """See `LanguageModel.fill`; tries and all, it takes no longer than a call may."""
        return self._exchange(prompt, self._filled)

    def write(self, prompt: Prompt) -> Written:
        """See `LanguageModel.write`."""
        return self._exchange(prompt, self._written)

    def say(self, prompt: Prompt) -> Generator[str, None, Written]:
        """See `LanguageModel.say`."""
        cost = self._cost(prompt)
        try:
            return (yield from pieces_of(lambda hear: self._in_time(self._said(cost, hear), cost)))
        except Exception as error:
            raise self._explained(error, cost) from error
        finally:
            self._spent += cost.usage.tokens

    def _cost(self, prompt: Prompt) -> Cost:
        cost, most = Cost(prompt, self._allowance), self._allowance.tokens
        if most and self._spent >= most:
            cost.over = f"its limit of {most:,} tokens is reached"
            raise self._explained(LanguageModelLimitError(cost.over), cost)
        return cost

    def _exchange(
        self, prompt: Prompt, ask: Callable[[Cost], Coroutine[Any, Any, _Result]]
    ) -> _Result:
        cost = self._cost(prompt)
        try:
            return result_of(self._in_time(ask(cost), cost))
        except Exception as error:
            raise self._explained(error, cost) from error
        finally:
            self._spent += cost.usage.tokens

    async def _in_time(self, work: Awaitable[_Result], cost: Cost) -> _Result:
        async with asyncio.timeout(cost.left_seconds):
            return await work

    def _explained(self, error: Exception, cost: Cost) -> Exception:
        from medweave.prompting.chat_errors import explained

        return explained(error, self._name, self._key, cost)

    async def _filled(self, cost: Cost) -> Reply:
        """An object; what does not keep to the schema is asked for again, with what is wrong."""
        from pydantic_ai import ModelRetry

        from medweave.prompting.forms import in_words, object_of, text_of

        prompt, wrong = cost.prompt, ""
        turns = _turns(prompt)
        async with self._model(cost) as model:
            for _ in range(1 + cost.repairs):
                text, thought = text_of(await self._in_a_form(model, turns, cost))
                told = with_apart(without_thoughts(text), thought)
                content, wrong = object_of(told.said, prompt.schema)
                if not wrong:
                    return Reply(content, cost.usage, told.thought)
                again = _AGAIN.format(wrong=wrong, schema=in_words(prompt.schema))
                turns += [_response(told.said[:_REPEATED] or "(nothing)"), _request(again)]
        raise ModelRetry(wrong)

    async def _written(self, cost: Cost) -> Written:
        from medweave.prompting.forms import text_of

        async with self._model(cost) as model:
            reply = await self._in_a_form(model, _turns(cost.prompt), cost)
        if reply.finish_reason == "length" and cost.reply_tokens < self._allowance.answer_tokens:
            cost.over = "its limit is reached: the reply was cut off"
            raise LanguageModelLimitError(cost.over)
        text, thought = text_of(reply)
        return Written(text, cost.usage, thought)

    async def _in_a_form(
        self, model: OpenAIChatModel, turns: list[ModelMessage], cost: Cost
    ) -> ModelResponse:
        """A reply by the schema, in the first form that the endpoint does not refuse."""
        from medweave.prompting.chat_errors import is_refused
        from medweave.prompting.forms import parameters_of

        known = self._endpoint.form
        others = [form for form in FORMS if form != known]
        others.sort(key=lambda form: FORMS.index(form) < FORMS.index(known))  # laxer ones first
        for form in (known, *others):
            parameters, more = parameters_of(form, cost.prompt.schema)
            asked = _instructed(turns, cost.prompt.instructions + more)
            try:
                reply = await self._requested(model, asked, parameters, cost)
            except Exception as error:
                if not is_refused(error) or form == [known, *others][-1]:
                    raise
                continue
            self._memory.note(self._name.url, self._name.name, form=form)
            return reply
        raise AssertionError("there is always a last form")

    async def _requested(
        self, model: OpenAIChatModel, turns: list[ModelMessage], parameters: Any, cost: Cost
    ) -> ModelResponse:
        from pydantic_ai.direct import model_request

        async def ask() -> ModelResponse:
            return await model_request(
                model,
                turns,
                model_settings=self._settings(cost),
                model_request_parameters=parameters,
            )

        reply = await self._tried(ask, cost)
        _count(cost, reply.usage)
        return reply

    async def _tried(
        self,
        ask: Callable[[], Awaitable[_Result]],
        cost: Cost,
        may_again: Callable[[], bool] = lambda: True,
    ) -> _Result:
        """What a request gives, tried again where that may help, with pauses that grow."""
        from medweave.prompting.chat_errors import pause_after

        tried = 0
        while True:
            tried += 1
            try:
                return await ask()
            except Exception as error:
                pause = pause_after(error, tried, cost) if may_again() else None
                if pause is None:
                    raise
            await asyncio.sleep(pause)

    async def _said(self, cost: Cost, hear: Callable[[str], None]) -> Written:
        """Words as they come; where an endpoint has no streams, the whole at once."""
        from pydantic_ai.exceptions import UnexpectedModelBehavior
        from pydantic_ai.models import ModelRequestParameters

        from medweave.prompting.chat_errors import CutOffError, is_refused
        from medweave.prompting.forms import text_of

        turns = _instructed(_turns(cost.prompt), cost.prompt.instructions)
        async with self._model(cost) as model:
            if self._endpoint.streams:
                spoken = Spoken(hear, begins_thinking=self._endpoint.begins_thinking)
                try:
                    return await self._streamed(model, turns, cost, spoken)
                except Exception as error:
                    if spoken.raw or not (
                        isinstance(error, UnexpectedModelBehavior) or is_refused(error)
                    ):
                        raise
                    self._note(streams=not is_refused(error))
            reply = await self._requested(model, turns, ModelRequestParameters(), cost)
        text, thought = text_of(reply)
        told = with_apart(without_thoughts(text), thought)
        hear(told.said)
        if reply.finish_reason == "length":
            raise CutOffError
        return Written(told.said, cost.usage, told.thought)

    async def _streamed(
        self, model: OpenAIChatModel, turns: list[ModelMessage], cost: Cost, spoken: Spoken
    ) -> Written:
        from pydantic_ai.direct import model_request_stream
        from pydantic_ai.models import ModelRequestParameters

        from medweave.prompting.chat_errors import BrokenOffError, CutOffError
        from medweave.prompting.forms import piece_of

        async def ask() -> str | None:
            async with model_request_stream(
                model,
                turns,
                model_settings=self._settings(cost),
                model_request_parameters=ModelRequestParameters(),
            ) as stream:
                try:
                    async for event in stream:
                        spoken.take(*piece_of(event))
                finally:
                    _count(cost, stream.usage)
                told = "finish_reason" in (stream.provider_details or {})
                return stream.finish_reason if told else None

        finish = await self._tried(ask, cost, may_again=lambda: not spoken.raw)
        told = spoken.ended()
        self._note(begins_thinking=told.unopened)
        if finish in (None, "error"):
            raise BrokenOffError
        if finish == "length":
            raise CutOffError
        return Written(told.said, cost.usage, told.thought)

    @property
    def _endpoint(self) -> Endpoint:
        return self._memory.known(self._name.url, self._name.name)

    def _note(self, **found: bool) -> None:
        self._memory.note(self._name.url, self._name.name, **found)

    def _settings(self, cost: Cost) -> Any:
        return {
            "temperature": 0.0,
            "max_tokens": cost.reply_tokens,
            "timeout": cost.allowance.seconds,
        }

    @asynccontextmanager
    async def _model(self, cost: Cost) -> AsyncIterator[OpenAIChatModel]:
        from httpx2 import AsyncClient, Timeout

        from medweave.prompting.transport import CappedTransport

        allowed = cost.allowance
        wait = Timeout(allowed.seconds, connect=min(_CONNECT, allowed.seconds))
        carried = CappedTransport(allowed.reply_bytes, cost.count, cost.never_left)
        # Nothing is sent on to where nobody said it should go.
        async with AsyncClient(follow_redirects=False, timeout=wait, transport=carried) as http:
            yield self._over(http)

    def _over(self, http: Any) -> OpenAIChatModel:
        from openai import AsyncOpenAI
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.profiles.openai import OpenAIModelProfile
        from pydantic_ai.providers.openai import OpenAIProvider
        from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

        own = self._name.provider == "openai"
        client = AsyncOpenAI(
            base_url=self._name.url,
            api_key=self._key or _NO_KEY,
            organization=None if own else "",
            project=None if own else "",
            max_retries=0,
            http_client=http,
        )
        # Schemas keep their title, and thoughts are told from words by ourselves.
        profile = OpenAIModelProfile(
            json_schema_transformer=None,
            supports_json_object_output=True,
            thinking_tags=("\0thinks", "\0thought"),
        )
        if own:
            provider = OpenAIProvider(openai_client=client)
            return OpenAIChatModel(self._name.name, provider=provider, profile=profile)
        older = OpenAIModelProfile(
            openai_chat_supports_max_completion_tokens=False,
            supports_json_schema_output=True,
            **profile,
        )
        other = OpenAICompatibleProvider(self._name.provider, openai_client=client, profile=older)
        return OpenAIChatModel(self._name.name, provider=other)


def _count(cost: Cost, usage: Any) -> None:
    cost.input_tokens += usage.input_tokens or 0
    cost.output_tokens += usage.output_tokens or 0


def _turns(prompt: Prompt) -> list[ModelMessage]:
    before = [
        _request(turn.text) if turn.role == "user" else _response(turn.text)
        for turn in prompt.history
    ]
    return [*before, _request(prompt.material)]


def _request(text: str) -> ModelMessage:
    from pydantic_ai.messages import ModelRequest, UserPromptPart

    return ModelRequest([UserPromptPart(text)])


def _response(text: str) -> ModelMessage:
    from pydantic_ai.messages import ModelResponse, TextPart

    return ModelResponse([TextPart(text)])


def _instructed(turns: list[ModelMessage], instructions: str) -> list[ModelMessage]:
    """Turns with what the system says, which goes with the last of them."""
    from pydantic_ai.messages import ModelRequest, UserPromptPart

    last = turns[-1].parts[0]
    text = last.content if isinstance(last, UserPromptPart) else ""
    return [*turns[:-1], ModelRequest([UserPromptPart(text)], instructions=instructions)]


def check_installed() -> None:
    """Raises `ConfigurationError` where what it takes to ask a model is not installed."""
    try:
        # All that asking takes: none of it is loaded while somebody waits for an answer.
        import openai.resources.chat  # noqa: F401
        import pydantic_ai.direct
        import pydantic_ai.models.openai
        import pydantic_ai.providers.openai_compatible  # noqa: F401

        import medweave.prompting.chat_errors
        import medweave.prompting.forms  # noqa: F401
    except ImportError as error:
        raise ConfigurationError(
            "pydantic-ai is not installed, so no language model can be used",
            where="model",
            remedy="run `pip install 'medweave[models]'`",
        ) from error
