"""Names that a base lends to the reading of abstracts."""

from __future__ import annotations

from collections.abc import Iterator

from medweave.sources.abstracts.entities.known_names import TYPES_OF_CONCEPTS, Lender
from medweave.sources.abstracts.entities.spans import Span
from medweave.vocabulary.dictionary import Dictionary


def names_lent_by(dictionary: Dictionary) -> Lender:
    """Finds the names that a base has, as they are written."""

    def find(text: str) -> Iterator[Span]:
        for match in dictionary.find(text, exactly=True):
            types = (TYPES_OF_CONCEPTS.get(named.concept) for named in match.named)
            type_ = next(filter(None, types), None)
            if type_:
                yield Span(match.start, match.end, type_)

    return find
