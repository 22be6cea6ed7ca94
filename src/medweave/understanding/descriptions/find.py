"""Clauses of a text that may describe what somebody has, takes or does not bear.

A clause is read without the medicines and illnesses that it names: "the TB clinic has me on
capsules that turn my water orange" describes a medicine beside a name, "I have gout" nothing. What
is read is asked about and never taken as said: one in five is not so (decisions 271 and 310).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from medweave.language.cues import read_mention
from medweave.language.data import rule_in
from medweave.language.folding import blotted
from medweave.language.passage import Passage, Span
from medweave.language.people import people_of
from medweave.model.question import (
    BREASTFEEDING,
    SUBSTANCES,
    Described,
    DescribedKind,
    Mention,
)
from medweave.model.value import Value
from medweave.ports import SentenceVectors
from medweave.understanding.descriptions.model import Recognised, Weighed, shipped_descriptions
from medweave.understanding.descriptions.sentence_model import shipped_sentence_model
from medweave.understanding.descriptions.stretches import AROUND, OF_NO_STATE, bare, stretches
from medweave.understanding.rule_files import CLAUSE_RULES
from medweave.understanding.sentence_vectors import vectors_by

ASK_THRESHOLD = 0.1
"""The certainty from which it is asked about; how it was chosen: decision 271."""
BESIDE_NAMES_FROM = 0.2
"""The same of what is left of a clause that names something."""
_PART_FROM = 0.3
"""The same of a part of a clause: decision 383."""
_MEANT_FROM = 0.2
"""The certainty from which a clause is asked about by its meaning, and"""
_WORDS_FROM = {"en": 0.3, "zh": 0.6}
"""that by words which stands beside a meaning that is less sure: decisions 385 and 461."""
_JOINTS = " ,;、，；"
"""What a clause ends with that is cut from a sentence; the phrases learned from are whole."""
_NAMED = (*SUBSTANCES, "disease")
_MOST = 3
"""So many are asked about; of a longer text the surest."""
_ONE_WORD_FROM = 0.5
"""The certainty from which one word alone is asked about: "do they get along?" is no pregnancy."""
_ONE_WORD_ZH = 2
"""Characters of one Chinese word."""
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
    measured = [v.start for v in values if v.quantity not in OF_NO_STATE]
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
    unnamed = blotted(passage.text, [*named, *_people(passage)], " ")
    listed = list(stretches(passage, measured))
    beside_names = [any(start <= span[0] < end for span in named) for start, end, _ in listed]
    texts = [unnamed[start:end] for start, end, _ in listed]
    words = shipped_descriptions(language)
    weighed = {text: words.weigh(text, language) for text in texts}
    whole = [text for text, names in zip(texts, beside_names, strict=True) if not names]
    by_meaning = _by_meaning({text: weighed[text] for text in whole}, language, vectors)
    for (start, end, is_part), names, text in zip(listed, beside_names, texts, strict=True):
        least = _PART_FROM if is_part else ASK_THRESHOLD
        least = max(least, BESIDE_NAMES_FROM) if names else least
        found = weighed[text].found
        if by_meaning is not None and not names:
            found = _surer(by_meaning[text], found, language)
        if found is None or found.confidence < least:
            continue
        span = (start + found.start, start + found.end)
        if _only_counts(passage.text[slice(*span)], language):
            continue
        if _is_one_word(passage.text[slice(*span)], language):
            if found.confidence < _ONE_WORD_FROM:
                continue
            span = bare(passage.text, start, end)  # one word alone tells nobody what is meant
        reading = read_mention(passage, *span)
        kind, _, entity = found.label.partition(" ")
        fed = entity == BREASTFEEDING and _is_of_who_is_fed(passage, span)
        if reading.status == "absent" or reading.family:
            continue
        if reading.experiencer == "other" and not fed:
            continue
        if names and kind == "allergy":
            continue  # "allergic to": what it is to is named
        yield Described(*span, passage.text[slice(*span)], _KINDS[kind], entity, found.confidence)


def _is_of_who_is_fed(passage: Passage, span: Span) -> bool:
    """Whether a clause tells of a child, by a pronoun or a word for one: that it is at the breast
    is told of its mother."""
    bearer = people_of(passage).bearer(*span)
    return bearer is not None and bearer.role in ("child", "pronoun")


def _is_one_word(text: str, language: str) -> bool:
    """Whether a description is one word, of two Chinese characters at most: 苦 is no grapefruit."""
    return len(text) <= _ONE_WORD_ZH if language == "zh" else " " not in text


def _only_counts(text: str, language: str) -> bool:
    """Whether a description counts or dates, and hardly says what: "two weeks" is no pregnancy, and
    "clinic in 10" no diabetes."""
    if language == "zh":
        return False
    counts, small = (rule_in("en", rule, *CLAUSE_RULES) for rule in ("counts", "small"))
    words = [word.strip(AROUND) for word in text.split()]
    telling = [word for word in words if not (counts.match(word) or small.match(word))]
    return len(telling) <= 1 and any(counts.match(word) for word in words)


def _by_meaning(
    weighed: Mapping[str, Weighed], language: str, vectors: SentenceVectors | None
) -> dict[str, Recognised | None] | None:
    """What clauses without names mean; None where there are no vectors for it. The words' reader
    says which are worth a vector, and where in its clause a description stands."""
    if vectors is None or not weighed:
        return None
    words = shipped_descriptions(language)
    found: dict[str, Recognised | None] = dict.fromkeys(weighed)
    worth = [t for t, by_words in weighed.items() if by_words.is_open and _tells(t, language)]
    if not worth:
        return found
    whole = [text.strip(_JOINTS) for text in worth]
    made = vectors_by(lambda: shipped_sentence_model(language).model, whole, language, vectors)
    if made is None:
        return None
    meaning = shipped_sentence_model(language)
    for text, label in zip(worth, meaning.read(made), strict=True):
        if label is not None and label[1] >= _MEANT_FROM:
            found[text] = Recognised(*label, *words.span(text, language, label[0]))
    return found


def _tells(text: str, language: str) -> bool:
    """Whether a clause does not ask, and tells what is there."""
    rules = ("asks", "denied")
    return not any(rule_in(language, rule, *CLAUSE_RULES).match(text) for rule in rules)


def _surer(meant: Recognised | None, worded: Recognised | None, language: str) -> Recognised | None:
    """What a clause means, or what its words are sure of where the meaning is not as sure."""
    if worded is None or worded.confidence < _WORDS_FROM[language]:
        return meant
    return worded if meant is None or worded.confidence > meant.confidence else meant


def _people(passage: Passage) -> list[Span]:
    """Words for relatives, and people by their names: a grandmother (奶奶) nurses nobody, and "back
    to Mr Okafor" tells of no illness."""
    named = [p for p in people_of(passage).all if p.role in ("adult", "child")]
    named = [p for p in named if passage.text[p.start : p.end].split()[-1][0].isupper()]
    relatives = [p for p in people_of(passage).all if p.role == "relative"]
    return [(p.start, p.end) for p in (*relatives, *named)]
