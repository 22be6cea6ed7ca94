"""One mention of a sentence handed to a component of spaCy, the sentence taken as a whole."""

from __future__ import annotations

import importlib
from typing import Any

from medweave.errors import ConfigurationError
from medweave.evaluation.items import Item


class SpacyMention:
    """An empty English pipeline with one component, which is asked about one marked span.

    Raises `ConfigurationError` where the package, or spaCy, is not installed.
    """

    def __init__(self, package: str, module: str, component: str) -> None:
        try:
            spacy = importlib.import_module("spacy")
            importlib.import_module(module)
        except ImportError as error:
            raise ConfigurationError(
                f"{package} is not installed", remedy=f"run `pip install {package}`"
            ) from error
        self._pipeline = spacy.blank("en")
        self._component = self._pipeline.add_pipe(component)

    def read(self, item: Item) -> Any:
        """The span of the mention, after the component has read the sentence."""
        start, end = item.span or (0, len(item.text))
        doc = self._pipeline.make_doc(item.text)
        for token in doc:
            token.is_sent_start = token.i == 0
        marked = doc.char_span(start, end, label="FINDING", alignment_mode="expand")
        doc.ents = [marked]
        return self._component(doc).ents[0]
