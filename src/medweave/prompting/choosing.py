"""Which language model is used, if any."""

from __future__ import annotations

from pathlib import Path

from medweave.model.language_model import LanguageModelName
from medweave.model.model_checked import ModelChecked
from medweave.model.prompt import NO_LIMITS, Limits
from medweave.ports import LanguageModel

_REPLIES, _ENDPOINTS = "replies", "endpoints"
_SECONDS_TO_CHECK = 60.0


def choose(
    name: LanguageModelName, cache: Path, limits: Limits = NO_LIMITS
) -> LanguageModel | None:
    """The model of this name, or None for none; what it replies, and how its endpoint is asked, is
    kept below the folder `cache`.

    What is kept counts for no limit. Raises `ConfigurationError` where one is named and
    pydantic-ai is not installed.
    """
    if not name.provider:
        return None
    from medweave.prompting.chat_model import ChatModel
    from medweave.prompting.endpoint_memory import EndpointMemory
    from medweave.prompting.reply_cache import RememberingModel

    model = ChatModel(name, memory=EndpointMemory(cache / _ENDPOINTS))
    return RememberingModel(limited(model, limits), cache / _REPLIES, name.url)


def limited(model: LanguageModel, limits: Limits) -> LanguageModel:
    """A model of which no more is asked than these limits allow."""
    if limits == NO_LIMITS:
        return model
    from medweave.prompting.limited_model import LimitedModel

    return LimitedModel(model, limits)


def cached_only(model: str, address: str, cache: Path) -> LanguageModel:
    """What a model, by its id, replied before at an address; it is asked nothing."""
    from medweave.prompting.absent_model import AbsentModel
    from medweave.prompting.reply_cache import RememberingModel

    return RememberingModel(AbsentModel(model), cache / _REPLIES, address)


def check(name: LanguageModelName, cache: Path) -> ModelChecked:
    """What the endpoint of a model can do, asked and remembered.

    Raises `ConfigurationError` as `choose` does.
    """
    from medweave.prompting.endpoint_memory import EndpointMemory
    from medweave.prompting.probe import probed

    return probed(name, EndpointMemory(cache / _ENDPOINTS), _SECONDS_TO_CHECK)
