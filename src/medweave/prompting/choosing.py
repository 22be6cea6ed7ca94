"""Which language model is used, if any."""

from __future__ import annotations

from pathlib import Path

from medweave.model.language_model import LanguageModelName
from medweave.model.prompt import NO_LIMITS, Limits
from medweave.ports import LanguageModel


def choose(
    name: LanguageModelName, replies: Path, limits: Limits = NO_LIMITS
) -> LanguageModel | None:
    """The model of this name, or None for none; what it replies is kept in the folder `replies`.

    What is kept counts for no limit. Raises `ConfigurationError` where one is named and
    pydantic-ai is not installed.
    """
    if not name.provider:
        return None
    from medweave.prompting.chat_model import ChatModel
    from medweave.prompting.reply_cache import RememberingModel

    return RememberingModel(limited(ChatModel(name), limits), replies)


def limited(model: LanguageModel, limits: Limits) -> LanguageModel:
    """A model of which no more is asked than these limits allow."""
    if limits == NO_LIMITS:
        return model
    from medweave.prompting.limited_model import LimitedModel

    return LimitedModel(model, limits)


def only_kept(model: str, replies: Path) -> LanguageModel:
    """What a model, by its id, replied before; it need not be there, and is asked nothing."""
    from medweave.prompting.absent_model import AbsentModel
    from medweave.prompting.reply_cache import RememberingModel

    return RememberingModel(AbsentModel(model), replies)
