"""Which language model is used, if any."""

from __future__ import annotations

from pathlib import Path

from medweave.model.language_model import LanguageModelName
from medweave.ports import LanguageModel


def choose(name: LanguageModelName, replies: Path) -> LanguageModel | None:
    """The model of this name, or None for none; what it replies is kept in the folder `replies`.

    Raises `ConfigurationError` where one is named and pydantic-ai is not installed.
    """
    if not name.provider:
        return None
    from medweave.prompting.chat_model import ChatModel
    from medweave.prompting.reply_cache import RememberingModel

    return RememberingModel(ChatModel(name), replies)
