"""Clauses of a text that may describe what somebody has, takes or does not bear.

A clause is read without the medicines and illnesses that it names: "the TB clinic has me on
capsules that turn my water orange" describes a medicine beside a name, "I have gout" nothing. What
is read is asked about and never taken as said: one in five is not so (decisions 271 and 310).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from medweave.language.cues import read_mention
from medweave.language.folding import blotted
from medweave.language.passage import Passage, Span
from medweave.language.people import people_of
from medweave.model.question import SUBSTANCES, Described, DescribedKind, Mention
from medweave.model.value import Value
from medweave.ports import SentenceVectors
from medweave.understanding.descriptions.model import Recognised, shipped_descriptions
from medweave.understanding.descriptions.sentence_model import (
    has_sentence_model,
    shipped_sentence_model,
)
from medweave.understanding.descriptions.stretches import bare, stretches
from medweave.understanding.sentence_vectors import vectors_by

ASK_THRESHOLD = 0.1
"""The certainty from which it is asked about; how it was chosen: decision 271."""
BESIDE_NAMES_FROM = 0.2
"""The same of what is left of a clause that names something."""
_PART_FROM = 0.3
"""The same of a part of a clause: decision 383."""
_MEANT_FROM = 0.2
"""The certainty from which a clause is asked about by its meaning, and"""
_WORDS_FROM = 0.3
"""that by words which stands beside a meaning that is less sure: decision 385."""
_NAMED = (*SUBSTANCES, "disease")
_MOST = 3
"""So many are asked about; of a longer text the surest."""
_ONE_WORD_FROM = 0.5
"""The certainty from which one word alone is asked about: "do they get along?" is no pregnancy."""
_ASKS = re.compile(
    r"^\W*(?:can|could|may|might|is|are|am|do|does|did|should|shall|would|will|what|which|how|why"
    r"|any|ok|okay|safe|when (?:do|does|did|should|can|will|is|are))\b(?!['’])",
    re.I,
)
"""What asks, and tells nothing."""
_DENIED = re.compile(
    r"^\W*(?:\w+ ){1,2}(?:(?:do|does|did)(?:n['’]t| not)(?: \w+)? (?:use|wear|have|take|carry|need)"
    r"|(?:has |have )?never (?:used|worn|had|taken|been on|wore))\b"
    r"|^\W*\w+['’]ve never (?:used|worn|had|taken|been on)\b",
    re.I,
)
"""What somebody does not have or take: a vector hardly tells it from what they do."""
_OF_NO_STATE = frozenset(("", "dose", "duration", "onset"))
"""What a number may be besides a measurement."""
_KINDS: dict[str, DescribedKind] = {"has": "condition", "takes": "drug", "allergy": "allergy"}


def find_descriptions(
    passage: Passage,
    mentions: Sequence[Mention],
    values: Sequence[Value] = (),
    vectors: SentenceVectors | None = None,
) -> tuple[Described, ...]:
    """What a text may describe, the surest first; a clause with one of its `values` was read.

    With `vectors` of the embedder that the weights are of, a clause is read by its meaning, without
    them by its words.

    >>> from medweave.language.passage import passage_of
    >>> found = find_descriptions(passage_of("I use a spray under the tongue for my chest."), ())
    >>> [(one.kind, one.entity, one.text) for one in found]
    [('drug', 'mw.substance:nitrates', 'spray under the tongue for my chest')]
    """
    best: dict[str, Described] = {}
    named = [(m.start, m.end) for m in mentions if m.concept in _NAMED]
    measured = [v.start for v in values if v.quantity not in _OF_NO_STATE]
    for one in _read(passage, named, measured, vectors):
        if one.entity not in best or best[one.entity].confidence < one.confidence:
            best[one.entity] = one
    return tuple(sorted(best.values(), key=lambda one: -one.confidence)[:_MOST])


def _read(
    passage: Passage,
    named: Sequence[Span],
    measured: Sequence[int],
    vectors: SentenceVectors | None,
) -> Iterator[Described]:
    language = passage.language
    unnamed = blotted(passage.text, [*named, *_relatives(passage)], " ")
    listed = list(stretches(passage, measured))
    beside_names = [any(start <= span[0] < end for span in named) for start, end, _ in listed]
    texts = [unnamed[start:end] for start, end, _ in listed]
    read = _by_words(texts, language)
    whole = [text for text, names in zip(texts, beside_names, strict=True) if not names]
    meant = _by_meaning(whole, language, vectors)
    for (start, end, is_part), names, text, by_words in zip(
        listed, beside_names, texts, read, strict=True
    ):
        least = _PART_FROM if is_part else ASK_THRESHOLD
        least = max(least, BESIDE_NAMES_FROM) if names else least
        found = by_words
        if meant is not None and not names:
            found = _surer(meant[text], by_words)
        if found is None or found.confidence < least:
            continue
        span = (start + found.start, start + found.end)
        if _is_one_word(passage.text[slice(*span)], language):
            if found.confidence < _ONE_WORD_FROM:
                continue
            span = bare(passage.text, start, end)  # one word alone tells nobody what is meant
        reading = read_mention(passage, *span)
        if reading.status == "absent" or reading.experiencer == "other" or reading.family:
            continue
        kind, _, entity = found.label.partition(" ")
        if names and kind == "allergy":
            continue  # "allergic to": what it is to is named
        yield Described(*span, passage.text[slice(*span)], _KINDS[kind], entity, found.confidence)


def _is_one_word(text: str, language: str) -> bool:
    """Whether a description is one word, or one character of Chinese: 苦 is no grapefruit."""
    return " " not in text if language == "en" else language == "zh" and len(text) == 1


def _by_words(texts: Sequence[str], language: str) -> list[Recognised | None]:
    model = shipped_descriptions(language)
    return [model.read(text, language) for text in texts]


def _by_meaning(
    texts: Sequence[str], language: str, vectors: SentenceVectors | None
) -> dict[str, Recognised | None] | None:
    """What clauses without names mean; None where there are no vectors for it. The words' reader
    says which are worth a vector, and where in its clause a description stands."""
    if vectors is None or not texts or not has_sentence_model(language):
        return None
    words, meaning = shipped_descriptions(language), shipped_sentence_model(language)
    found: dict[str, Recognised | None] = dict.fromkeys(texts)
    open_ = [
        text
        for text in found
        if not (_ASKS.match(text) or _DENIED.match(text)) and words.may_describe(text, language)
    ]
    if not open_:
        return found
    made = vectors_by(meaning.model, open_, language, vectors)
    if made is None:
        return None
    for text, label in zip(open_, meaning.read(made), strict=True):
        if label is not None and label[1] >= _MEANT_FROM:
            found[text] = Recognised(*label, *words.span(text, language, label[0]))
    return found


def _surer(meant: Recognised | None, worded: Recognised | None) -> Recognised | None:
    """What a clause means, or what its words are sure of where the meaning is not as sure."""
    if worded is None or worded.confidence < _WORDS_FROM:
        return meant
    return worded if meant is None or worded.confidence > meant.confidence else meant


def _relatives(passage: Passage) -> list[Span]:
    """Words for relatives: a grandmother (奶奶) nurses nobody."""
    return [(p.start, p.end) for p in people_of(passage).all if p.role == "relative"]
