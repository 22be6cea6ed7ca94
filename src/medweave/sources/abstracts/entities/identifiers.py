"""By which identifier a name is known, learned from documents in which somebody wrote identifiers.

A name is looked up as it is written, then by its words in any order and number, then by the thing
of the lexicon that it names, so that another name of a known thing leads to it, and last without
its first or last words. An abbreviation is what its text defines it as.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from medweave.language.abbreviations import abbreviations
from medweave.language.folding import singular
from medweave.sources.abstracts.entities.spans import Span
from medweave.sources.abstracts.entities.tokens import name_key
from medweave.sources.abstracts.labelled.documents import LabelledDocument
from medweave.vocabulary.lexicon_names import lexicon_names

_EMPTY = frozenset({"the", "of", "a", "an", "in", "-", ",", "'", "s", "(", ")", "/"})
_SHORT = 5
"""Letters of an abbreviation, whose letters are not those of a word in the plural."""


@dataclass(frozen=True)
class LearnedIdentifiers:
    """Identifiers by type and form of a name."""

    by_form: Mapping[tuple[str, str], str]

    @classmethod
    def learn(cls, documents: Iterable[LabelledDocument]) -> LearnedIdentifiers:
        """For each form of each name the identifier that it was given most often."""
        votes: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for document in documents:
            for span in document.spans:
                identifier = document.keys.get(span)
                if identifier:
                    for form in name_forms(document.text[span.start : span.end]):
                        votes[span.type, form][identifier] += 1
        return cls({form: min(some, key=lambda i: (-some[i], i)) for form, some in votes.items()})

    def keys(self, text: str, spans: Sequence[Span]) -> dict[Span, str]:
        """What each span of a text is known by: an identifier, or the form of its name.

        >>> span = Span(0, 9, "disease")
        >>> known = LabelledDocument("1", "nosebleed", (span,), {span: "D1"})
        >>> learned = LearnedIdentifiers.learn([known])
        >>> learned.keys("Epistaxis", [span])[span], learned.keys("Lung pain", [span])[span]
        ('D1', 'lung pain')
        """
        long_forms = {
            text[each.short_start : each.short_end]: text[each.long_start : each.long_end]
            for each in abbreviations(text)
        }
        return {span: self._key(span, text, long_forms) for span in spans}

    def _key(self, span: Span, text: str, long_forms: Mapping[str, str]) -> str:
        written = text[span.start : span.end]
        name = long_forms.get(written, written)
        forms = [*name_forms(name), *(name_forms(written) if name != written else ())]
        forms += [form for part in _parts(name) for form in name_forms(part)]
        known = (self.by_form.get((span.type, form)) for form in forms)
        return next(filter(None, known), name_forms(name)[1])


def _parts(name: str) -> Iterator[str]:
    """A name without its first words ("acute", "drug-induced"), or without its last ("maleate")."""
    words = name.split()
    for number in range(1, len(words)):
        yield " ".join(words[number:])
    for number in range(1, len(words)):
        yield " ".join(words[:-number])


@lru_cache(maxsize=100_000)
def name_forms(name: str) -> tuple[str, ...]:
    """The forms under which a name is known, the surest first.

    >>> name_forms("Failure of kidneys")[:2]
    ('failure of kidneys', 'failure kidney')
    """
    return tuple(_forms(name))


def _forms(name: str) -> Iterator[str]:
    key = name_key(name)
    yield key
    short = len(name) <= _SHORT and name.isupper()
    words = [key] if short else [singular(word) for word in key.split() if word not in _EMPTY]
    yield " ".join(sorted(words)) or key
    for found in lexicon_names().find(name):
        if (found.start, found.end) == (0, len(name)):
            yield found.entity
