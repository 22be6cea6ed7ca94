"""Language models behind chat completions (OpenAI, Ollama, vLLM, DeepSeek, ERNIE, and others).

By pydantic-ai, which is loaded when a model is named. Prompts leave this machine for wherever the
address leads. A key is taken from the environment alone, goes to that address alone, and is never
shown.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from medweave.errors import ConfigurationError, LanguageModelAwayError, LanguageModelError
from medweave.model.json_schema import violation
from medweave.model.language_model import LanguageModelName
from medweave.model.prompt import Prompt, Reply, Usage

if TYPE_CHECKING:
    from pydantic_ai import Agent
    from pydantic_ai.models.openai import OpenAIChatModel

_NO_KEY = "none"
"""Sent where there is no key: the protocol wants one, and servers of one's own do not look."""
_SHOWN = 200
_REDIRECTS = range(300, 400)


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
        most = self._allowance.tokens
        if most and self._spent >= most:
            what = f"its limit of {most:,} tokens is reached"
            raise self._wrong(LanguageModelAwayError, what, "raise the limit")
        try:
            return self._in_either_form(prompt)
        except LanguageModelError:
            raise
        except Exception as error:
            raise self._explained(error) from error

    def _in_either_form(self, prompt: Prompt) -> Reply:
        """The schema as the form of the reply; from the first refusal on, in words."""
        from pydantic_ai import exceptions as theirs

        if not self._said_in_words:
            try:
                return self._run(prompt)
            except (
                theirs.ModelAuthenticationError,
                theirs.ModelNotFoundError,
                theirs.ModelContextWindowExceededError,
            ):
                raise
            except theirs.ModelRequestRejectedError:
                self._said_in_words = True
        return self._run(prompt)

    def _run(self, prompt: Prompt) -> Reply:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return asyncio.run(self._asked(prompt))
        with ThreadPoolExecutor(1) as pool:  # where this is called from a loop, as in a notebook
            return pool.submit(asyncio.run, self._asked(prompt)).result()

    async def _asked(self, prompt: Prompt) -> Reply:
        from httpx2 import AsyncClient, Timeout
        from pydantic_ai import UsageLimits

        allowed = self._allowance
        # Nothing is sent on to where nobody said it should go.
        wait = Timeout(allowed.seconds, connect=min(10, allowed.seconds))
        async with AsyncClient(follow_redirects=False, timeout=wait) as http:
            asked = await self._agent(prompt, self._model(http)).run(
                prompt.material,
                usage_limits=UsageLimits(
                    request_limit=1 + allowed.repairs,
                    total_tokens_limit=allowed.tokens - self._spent if allowed.tokens else None,
                ),
            )
        spent = asked.usage
        self._spent += spent.input_tokens + spent.output_tokens
        usage = Usage(spent.requests, spent.input_tokens, spent.output_tokens)
        return Reply(dict(asked.output), usage)

    def _model(self, http: Any) -> OpenAIChatModel:
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
            max_retries=self._allowance.tries - 1,
            http_client=http,
        )
        if own:
            return OpenAIChatModel(self._name.name, provider=OpenAIProvider(openai_client=client))
        older = OpenAIModelProfile(
            openai_chat_supports_max_completion_tokens=False, supports_json_schema_output=True
        )
        provider = OpenAICompatibleProvider(
            self._name.provider, openai_client=client, profile=older
        )
        return OpenAIChatModel(self._name.name, provider=provider)

    def _agent(self, prompt: Prompt, model: OpenAIChatModel) -> Agent[object, Any]:
        from pydantic_ai import Agent, ModelRetry, NativeOutput, PromptedOutput, StructuredDict

        allowed = self._allowance
        form = StructuredDict(dict(prompt.schema), name="reply")
        output = PromptedOutput(form) if self._said_in_words else NativeOutput(form)
        agent: Agent[object, Any] = Agent(
            model,
            output_type=output,
            instructions=prompt.instructions,
            name="medweave",
            model_settings={
                "temperature": 0.0,
                "max_tokens": allowed.answer_tokens,
                "timeout": allowed.seconds,
            },
            retries=allowed.repairs,
        )

        @agent.output_validator
        def keeps_to_the_schema(output: dict[str, Any]) -> dict[str, Any]:
            if wrong := violation(dict(output), prompt.schema):
                raise ModelRetry(wrong)
            return output

        return agent

    def _explained(self, error: Exception) -> LanguageModelError:
        """An error of the library as one of ours, with what to do about it."""
        from pydantic_ai import exceptions as theirs

        later = f"it did not answer within {self._allowance.seconds:g} s"
        variables = " or ".join(self._name.key_variables)
        away, failed = LanguageModelAwayError, LanguageModelError
        known: list[tuple[type[Exception], type[LanguageModelError], str, str]] = [
            (theirs.ModelAuthenticationError, away, "it refuses the key",
             f"give one as the variable {variables}"),
            (theirs.ModelNotFoundError, away, "it is not known there",
             "check the address and the name of the model"),
            (theirs.ModelQuotaExceededError, away, "no quota is left", "see to the account"),
            (theirs.UsageLimitExceeded, away, "its limit is reached", "raise the limit"),
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
        told = body.get("message", "") if isinstance(body, dict) else body
        text = " ".join(str(told or "").split())
        text = text.replace(self._key, "…") if self._key else text
        return f" ({text[:_SHOWN]})" if text else ""

    def _wrong(self, kind: type[LanguageModelError], what: str, remedy: str) -> LanguageModelError:
        where = f"{self._name.id} at {self._name.url}"
        return kind(f"the language model cannot be used: {what}", where=where, remedy=remedy)


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
