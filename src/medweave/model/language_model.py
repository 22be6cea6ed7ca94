"""Which language model is meant, as it is named in settings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from medweave.errors import ConfigurationError
from medweave.model.addresses import address

KEY_VARIABLE = "MEDWEAVE_MODEL_KEY"
"""The variable of the environment that holds a key, whichever model it is for."""


@dataclass(frozen=True, slots=True)
class Provider:
    """Who runs models: where, and the variable that usually holds the key."""

    url: str
    """Of what speaks the chat completions of OpenAI; '' where it must be named."""
    key: str = ""


PROVIDERS: Mapping[str, Provider] = {
    "openai": Provider("https://api.openai.com/v1", "OPENAI_API_KEY"),
    "ollama": Provider("http://localhost:11434/v1"),
    "vllm": Provider("http://localhost:8000/v1"),
    "llama.cpp": Provider("http://localhost:8080/v1"),
    "deepseek": Provider("https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"),
    "qianfan": Provider("https://qianfan.baidubce.com/v2", "QIANFAN_API_KEY"),
    "anthropic": Provider("https://api.anthropic.com/v1", "ANTHROPIC_API_KEY"),
    "google": Provider("https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"),
    "openai-compatible": Provider(""),
}
"""By the name that stands before the colon; `qianfan` has ERNIE."""
_NAME = re.compile(r"(?P<provider>[^:\s]+):(?P<name>\S+?)(?:@(?P<url>[a-z]+://\S+))?")
_FORM = "provider:model, or openai-compatible:NAME@http://HOST/v1"


@dataclass(frozen=True, slots=True)
class LanguageModelName:
    """A language model; without a provider there is none.

    >>> LanguageModelName.of("ollama:deepseek-r1:7b").url
    'http://localhost:11434/v1'
    >>> LanguageModelName.of("openai-compatible:qwen@http://host/v1").id
    'openai-compatible:qwen'
    """

    provider: str = ""
    name: str = ""
    url: str = ""

    @property
    def id(self) -> str:
        """How evidence names it: without where it runs; '' for none."""
        return f"{self.provider}:{self.name}" if self.provider else ""

    @property
    def key_variables(self) -> tuple[str, ...]:
        """Where a key is looked for. A provider's own key goes to its own address alone."""
        provider = PROVIDERS.get(self.provider, Provider(""))
        own = (provider.key,) if provider.key and self.url == provider.url else ()
        return (KEY_VARIABLE, *own)

    @classmethod
    def of(cls, text: str) -> LanguageModelName:
        """The model that a setting names; '' and `none` are none. Raises `ConfigurationError`."""
        if text in ("", "none"):
            return cls()
        match = _NAME.fullmatch(text)
        if match is None:
            raise ConfigurationError(
                "this is no name of a language model", where="model", remedy=f"give {_FORM}"
            )
        provider = PROVIDERS.get(match["provider"])
        if provider is None:
            raise ConfigurationError(
                f"there is no provider '{match['provider']}'",
                where="model",
                remedy=f"use one of {', '.join(PROVIDERS)}",
            )
        url = match["url"] or provider.url
        if not url:
            raise ConfigurationError(
                "this model has no address", where="model", remedy=f"give {_FORM}"
            )
        return cls(match["provider"], match["name"], address(url, "model", KEY_VARIABLE))


NO_MODEL = LanguageModelName()
"""What is used where nothing is set: rules."""
