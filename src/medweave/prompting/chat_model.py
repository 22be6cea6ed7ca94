"""Language models behind chat completions (OpenAI, Ollama, vLLM, DeepSeek, ERNIE, and others).

By pydantic-ai, which is loaded when a model is named. Prompts leave this machine for wherever the
address leads. A key is taken from the environment alone, goes to that address alone, and is never
shown.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable, Coroutine, Generator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from medweave.errors import (
    ConfigurationError,
    LanguageModelAwayError,
    LanguageModelError,
    LanguageModelLimitError,
)
from medweave.model.json_schema import violation
from medweave.model.language_model import LanguageModelName
from medweave.model.prompt import Prompt, Reply, Usage, Written
from medweave.prompting.event_loop import pieces_of, result_of

if TYPE_CHECKING:
    from pydantic_ai import Agent
    from pydantic_ai.agent import AgentRunResult
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models.openai import OpenAIChatModel

_Result = TypeVar("_Result")
_NO_KEY = "none"
"""Sent where there is no key: the protocol wants one, and servers of one's own do not look."""
_SHOWN = 200
_THINKS, _THOUGHT = "<think>", "</think>"
"""Around what some models think aloud before they speak."""
_REDIRECTS = range(300, 400)
_IN_WORDS = "The reply is JSON, and nothing else, by this schema:\n{}"


@dataclass(frozen=True, slots=True)
class Allowance:
    """How much a model may be asked, and how long is waited."""

    seconds: float = 120
    """Until an answer is there."""
    tries: int = 3
    """Of a request that is not answered, with pauses that grow."""
    repairs: int = 1
    """So often a reply that does not keep to the schema is asked for again."""
    answer_tokens: int = 8_000
    """Of one reply, with what the model thinks before it."""
    tokens: int = 0
    """Of all requests and replies of a run; 0 for no limit."""


ALLOWANCE = Allowance()
"""What is right for most."""


def _no_tokens() -> Any:
    from pydantic_ai import RunUsage

    return RunUsage()


@dataclass
class _Cost:
    """What one question costs, counted as it leaves, with what it may cost."""

    prompt: Prompt
    allowance: Allowance
    requests: int = 0
    over: bool = False
    """Whether more would have been asked than may be."""
    tokens: Any = field(default_factory=_no_tokens)

    async def count(self, _request: object) -> None:
        """Called before each request: one too many never leaves."""
        if not self.left:
            self.over = True
            raise LanguageModelLimitError("no request is left")
        self.requests += 1

    @property
    def left(self) -> int:
        """Requests that may still be made; as many as one likes where nothing limits them."""
        most = self.prompt.most.requests
        return self.allowance.tries if most is None else max(0, most - self.requests)

    @property
    def reply_tokens(self) -> int:
        """Of one reply at most."""
        most, usual = self.prompt.most.tokens, self.allowance.answer_tokens
        return usual if most is None else min(most, usual)

    @property
    def repairs(self) -> int:
        """How often it may be asked for again, where what is left is enough for that."""
        usual, most = self.allowance.repairs, self.prompt.most
        enough = 2 * (self.prompt.tokens + self.allowance.answer_tokens)
        return 0 if most.tokens is not None and most.tokens < enough else usual

    @property
    def usage(self) -> Usage:
        """What it has cost so far."""
        return Usage(self.requests, self.tokens.input_tokens, self.tokens.output_tokens)


class ChatModel:
    """See `LanguageModel`. It is asked at temperature 0.

    The schema goes along as the form of the reply; where an endpoint refuses that, it is said in
    words, and replies are checked all the same.
    """

    def __init__(
        self,
        name: LanguageModelName,
        *,
        environment: Mapping[str, str] = os.environ,
        allowance: Allowance = ALLOWANCE,
    ) -> None:
        """Raises `ConfigurationError` where pydantic-ai is not installed."""
        _check_installed()
        self._name = name
        held = (environment.get(variable, "").strip() for variable in name.key_variables)
        self._key = next(filter(None, held), "")
        self._allowance = allowance
        self._said_in_words = False
        self._spent = 0

    def __repr__(self) -> str:
        return f"ChatModel({self._name.id!r}, {self._name.url!r})"

    @property
    def id(self) -> str:
        """See `LanguageModel.id`."""
        return self._name.id

    def fill(self, prompt: Prompt) -> Reply:
        """See `LanguageModel.fill`."""
        return self._asked(prompt, self._filled)

    def write(self, prompt: Prompt) -> Written:
        """See `LanguageModel.write`; tries and all, it takes no longer than one request may."""
        return self._asked(prompt, self._written)

    def say(self, prompt: Prompt) -> Generator[str, None, Usage]:
        """See `LanguageModel.say`."""
        self._check_limit()
        cost = _Cost(prompt, self._allowance)
        try:
            return (yield from pieces_of(lambda hear: self._said(cost, hear)))
        except Exception as error:
            raise self._explained(error, cost) from error
        finally:
            self._spent += cost.usage.tokens

    def _check_limit(self) -> None:
        most = self._allowance.tokens
        if most and self._spent >= most:
            what = f"its limit of {most:,} tokens is reached"
            raise self._wrong(LanguageModelLimitError, what, "raise the limit")

    def _asked(
        self, prompt: Prompt, ask: Callable[[_Cost], Coroutine[Any, Any, _Result]]
    ) -> _Result:
        """The schema as the form of the reply; from the first refusal on, in words."""
        self._check_limit()
        cost = _Cost(prompt, self._allowance)
        try:
            if not self._said_in_words:
                try:
                    return result_of(ask(cost))
                except Exception as error:
                    if not _refused(error):
                        raise
                    self._said_in_words = True
            return result_of(ask(cost))
        except Exception as error:
            raise self._explained(error, cost) from error
        finally:
            self._spent += cost.usage.tokens

    async def _filled(self, cost: _Cost) -> Reply:
        from pydantic_ai import ModelRetry, NativeOutput, PromptedOutput, StructuredDict

        schema = cost.prompt.schema
        form = StructuredDict(dict(schema))
        output = PromptedOutput(form) if self._said_in_words else NativeOutput(form, strict=True)
        async with self._agent(cost, output) as agent:

            @agent.output_validator
            def keeps_to_the_schema(output: dict[str, Any]) -> dict[str, Any]:
                if wrong := violation(dict(output), schema):
                    raise ModelRetry(wrong)
                return output

            asked = await self._answered(agent, cost)
        return Reply(dict(asked.output), cost.usage)

    async def _written(self, cost: _Cost) -> Written:
        from pydantic_ai.direct import model_request
        from pydantic_ai.messages import ModelRequest, UserPromptPart
        from pydantic_ai.models import ModelRequestParameters
        from pydantic_ai.output import OutputObjectDefinition

        prompt, parameters = cost.prompt, ModelRequestParameters()
        said = prompt.instructions
        if self._said_in_words:
            said += "\n\n" + _IN_WORDS.format(json.dumps(prompt.schema, ensure_ascii=False))
        else:
            form = OutputObjectDefinition(dict(prompt.schema), prompt.schema["title"], strict=True)
            parameters = ModelRequestParameters(output_mode="native", output_object=form)
        last = ModelRequest([UserPromptPart(prompt.material)], instructions=said)
        async with asyncio.timeout(self._allowance.seconds), self._http(cost) as http:
            reply = await model_request(
                self._model(http, cost),
                [*_history(prompt), last],
                model_settings=self._settings(cost),
                model_request_parameters=parameters,
            )
        cost.tokens.incr(reply.usage)
        if reply.finish_reason == "length" and cost.reply_tokens < self._allowance.answer_tokens:
            cost.over = True
            raise LanguageModelLimitError("its reply was cut off")
        return Written(_whole_text(reply), cost.usage)

    async def _said(self, cost: _Cost, hear: Callable[[str], None]) -> Usage:
        """Words as they come; where an endpoint has no streams, the whole at once."""
        from pydantic_ai.exceptions import UnexpectedModelBehavior

        heard = False
        async with self._agent(cost, str) as agent:
            try:
                async with agent.run_stream(cost.prompt.material, **self._terms(cost)) as run:
                    async for piece in _spoken(run.stream_text(delta=True, debounce_by=None)):
                        heard = True
                        hear(piece)
                return cost.usage
            except Exception as error:
                nothing = isinstance(error, UnexpectedModelBehavior) or _refused(error)
                if heard or not nothing:
                    raise
            asked = await self._answered(agent, cost)
            hear(asked.output.lstrip())
        return cost.usage

    async def _answered(self, agent: Agent[object, Any], cost: _Cost) -> AgentRunResult[Any]:
        return await agent.run(cost.prompt.material, **self._terms(cost))

    def _terms(self, cost: _Cost) -> dict[str, Any]:
        """What was said before, how much may be asked, and where it is counted."""
        from pydantic_ai import UsageLimits

        allowed = self._allowance
        left = allowed.tokens - self._spent if allowed.tokens else None
        limits = UsageLimits(request_limit=2 + cost.repairs, total_tokens_limit=left)
        history = _history(cost.prompt)
        return {"message_history": history, "usage_limits": limits, "usage": cost.tokens}

    @asynccontextmanager
    async def _http(self, cost: _Cost) -> AsyncIterator[Any]:
        from httpx2 import AsyncClient, Timeout

        allowed = self._allowance
        # Nothing is sent on to where nobody said it should go.
        wait = Timeout(allowed.seconds, connect=min(10, allowed.seconds))
        counting: Any = {"request": [cost.count]}
        async with AsyncClient(follow_redirects=False, timeout=wait, event_hooks=counting) as http:
            yield http

    @asynccontextmanager
    async def _agent(self, cost: _Cost, output: Any) -> AsyncIterator[Agent[object, Any]]:
        from pydantic_ai import Agent

        async with self._http(cost) as http:
            yield Agent(
                self._model(http, cost),
                output_type=output,
                instructions=cost.prompt.instructions,
                name="medweave",
                model_settings=self._settings(cost),
                retries=cost.repairs,
            )

    def _settings(self, cost: _Cost) -> Any:
        return {
            "temperature": 0.0,
            "max_tokens": cost.reply_tokens,
            "timeout": self._allowance.seconds,
        }

    def _model(self, http: Any, cost: _Cost) -> OpenAIChatModel:
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
            max_retries=max(0, min(self._allowance.tries, cost.left) - 1),
            http_client=http,
        )
        as_it_is = OpenAIModelProfile(json_schema_transformer=None)  # with its title
        if own:
            provider = OpenAIProvider(openai_client=client)
            return OpenAIChatModel(self._name.name, provider=provider, profile=as_it_is)
        older = OpenAIModelProfile(
            openai_chat_supports_max_completion_tokens=False,
            supports_json_schema_output=True,
            json_schema_transformer=None,
        )
        other = OpenAICompatibleProvider(self._name.provider, openai_client=client, profile=older)
        return OpenAIChatModel(self._name.name, provider=other)

    def _explained(self, error: Exception, cost: _Cost) -> LanguageModelError:
        """An error of the library as one of ours, with what to do about it and what it cost."""
        ours = self._ours(error, cost)
        ours.spent = (cost.requests, cost.tokens.input_tokens, cost.tokens.output_tokens)
        return ours

    def _ours(self, error: Exception, cost: _Cost) -> LanguageModelError:
        from pydantic_ai import exceptions as theirs

        later = f"it did not answer within {self._allowance.seconds:g} s"
        variables = " or ".join(self._name.key_variables)
        away, failed = LanguageModelAwayError, LanguageModelError
        if cost.over:
            return self._wrong(LanguageModelLimitError, "its limit is reached", "raise the limit")
        known: list[tuple[type[Exception], type[LanguageModelError], str, str]] = [
            (theirs.ModelAuthenticationError, away, "it refuses the key",
             f"give one as the variable {variables}"),
            (theirs.ModelNotFoundError, away, "it is not known there",
             "check the address and the name of the model"),
            (theirs.ModelQuotaExceededError, away, "no quota is left", "see to the account"),
            (theirs.UsageLimitExceeded, LanguageModelLimitError, "its limit is reached",
             "raise the limit"),
            (TimeoutError, failed, later, "try again later"),
            (theirs.ModelTimeoutError, failed, later, "try again later"),
            (theirs.ModelConnectionError, away, "it cannot be reached",
             "see that it runs, and check the address"),
            (theirs.OutputTokenLimitExceeded, failed, "its reply is too long", "use another model"),
            (theirs.UnexpectedModelBehavior, failed, "its reply does not keep to the schema",
             "use another model"),
        ]  # fmt: skip
        status = _status(error)
        if status in _REDIRECTS:
            remedy = "give the address to which this one leads: nothing is sent on"
            return self._wrong(away, f"it answers with status {status}", remedy)
        for kind, ours, what, remedy in known:
            if isinstance(error, kind):
                return self._wrong(ours, what + self._shown(error), remedy)
        what = f"it refuses with status {status}" if status else "its answer is none"
        return self._wrong(failed, what + self._shown(error), "see what runs at the address")

    def _shown(self, error: Exception) -> str:
        """What an endpoint says, short and without the key; '' where it says nothing."""
        body = getattr(error, "body", None)
        message = body.get("message", "") if isinstance(body, dict) else body
        text = " ".join(str(message or "").split())
        text = text.replace(self._key, "…") if self._key else text
        return f" ({text[:_SHOWN]})" if text else ""

    def _wrong(self, kind: type[LanguageModelError], what: str, remedy: str) -> LanguageModelError:
        where = f"{self._name.id} at {self._name.url}"
        return kind(f"the language model cannot be used: {what}", where=where, remedy=remedy)


def _refused(error: Exception) -> bool:
    """Whether an endpoint does not know how it was asked, and may be asked in another way."""
    from pydantic_ai import exceptions as theirs

    others = (
        theirs.ModelAuthenticationError,
        theirs.ModelNotFoundError,
        theirs.ModelContextWindowExceededError,
    )
    return isinstance(error, theirs.ModelRequestRejectedError) and not isinstance(error, others)


def _whole_text(reply: ModelResponse) -> str:
    """A reply as it was written, with what the library took out of it as thoughts; those that an
    endpoint gives apart are no part of it."""
    from pydantic_ai.messages import TextPart, ThinkingPart

    pieces = []
    for part in reply.parts:
        if isinstance(part, TextPart):
            pieces.append(part.content)
        elif isinstance(part, ThinkingPart) and part.id == "content":
            pieces.append(f"{_THINKS}{part.content}{_THOUGHT}")
    return "".join(pieces)


async def _spoken(pieces: AsyncIterator[str]) -> AsyncIterator[str]:
    """Pieces without what a model thinks aloud at first, however its marks are cut up."""
    held, spoken = "", False
    async for piece in pieces:
        if spoken:
            yield piece
            continue
        held += piece
        start = held.lstrip()
        if start.startswith(_THINKS):
            start = start.partition(_THOUGHT)[2].lstrip()
        if start and not _THINKS.startswith(start):
            spoken = True
            yield start


def _history(prompt: Prompt) -> list[ModelMessage]:
    from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, UserPromptPart

    return [
        ModelRequest([UserPromptPart(turn.text)])
        if turn.role == "user"
        else ModelResponse([TextPart(turn.text)])
        for turn in prompt.history
    ]


def _status(error: BaseException | None) -> int:
    """The status of an answer that led to an error; 0 where there was none."""
    while error is not None:
        status = getattr(error, "status_code", None)
        if isinstance(status, int):
            return status
        error = error.__cause__
    return 0


def _check_installed() -> None:
    try:
        import httpx2  # noqa: F401 - what the two others ask with
        import openai  # noqa: F401 - looked for
        import pydantic_ai  # noqa: F401
    except ImportError as error:
        raise ConfigurationError(
            "pydantic-ai is not installed, so no language model can be used",
            where="model",
            remedy="run `pip install 'medweave[models]'`",
        ) from error
