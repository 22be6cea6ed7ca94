"""Sentences of passages as an answer: few, verbatim, each cited to its place.

The first is the best; a further one is said where it holds what of the question the first leaves
open. A sentence that takes up the one before it is said with that one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from medweave.answering.draft import Draft
from medweave.model.entity import Entity
from medweave.model.passage import HEADING, TEXT
from medweave.model.statement import Evidence, Literal, Place, Statement, SupportedStatement
from medweave.retrieval.passage_sentences import Extract, extracts_of
from medweave.retrieval.passages import FoundPassages
from medweave.retrieval.question_kinds import content_terms

TOPIC = "passages"
"""What its sentences are kept as answers to."""
_SAYS = "says"
LEAST_NEAR = 0.5
"""The least cosine of the nearest passage with the question: less, and the texts are about
something else. Measured, see decision 175."""
LEAST_COVERED, LEAST_COVERED_NAMED, LEAST_COVERED_BY_WORDS = 0.15, 0.45, 0.75
"""The least share of a question, by how telling its words are, that a sentence holds which is said:
where passages were compared by meaning as well, where the passage has all names of the question,
and where there is neither."""
_NEW = 0.4
"""A further sentence holds at least so much of the question that the first does not."""


def to_say(
    ranked: Sequence[Extract],
    found: FoundPassages,
    names: Sequence[Sequence[str]] = (),
    properties: Collection[str] = (),
) -> list[Extract]:
    """The sentences to say, in the order of an answer; none, where nothing is near enough.

    `names` are those of each thing that the question names, `properties` the stems of what it asks
    of them; they count where passages were not compared by meaning.
    """
    nearest = max((each.meaning or 0.0 for each in found.passages), default=0.0)
    by_meaning = found.asked is not None
    if not ranked or (by_meaning and nearest < LEAST_NEAR):
        return []
    first = ranked[0]
    by_words = LEAST_COVERED_NAMED if _has_all(names, first) else LEAST_COVERED_BY_WORDS
    if first.covers < (LEAST_COVERED if by_meaning else by_words):
        return []
    if not by_meaning and not _has_any(properties, first):
        return []
    chosen = [first]
    open_ = set(found.terms) - set(first.terms)
    for other in ranked[1:]:
        new = open_ & set(other.terms)
        if not other.hanging and len(new) >= _NEW * len(found.terms):
            chosen.append(other)
            break
    return [part for each in chosen for part in _with_what_it_takes_up(each)]


def _has_all(names: Sequence[Sequence[str]], extract: Extract) -> bool:
    """Whether each thing stands in the passage of a sentence, or above it, by one of its names."""
    document = extract.found.document
    texts = (document.title, document.text(HEADING), document.text(TEXT))
    stems = {stem for text in texts for stem in content_terms(text)}
    return bool(names) and all(
        any(stems.issuperset(content_terms(name)) for name in each) for each in names
    )


def _has_any(properties: Collection[str], extract: Extract) -> bool:
    """Whether a property that is asked for ("diet") stands in a sentence or above it."""
    document = extract.found.document
    above = content_terms(f"{document.title} {document.text(HEADING)}")
    return not properties or not {*above, *extract.terms}.isdisjoint(properties)


def _with_what_it_takes_up(extract: Extract) -> list[Extract]:
    """A sentence, behind the one before it where it begins with a word for what stands there."""
    if not extract.hanging:
        return [extract]
    before = [e for e in extracts_of(extract.found) if e.number == extract.number - 1]
    return [*(e for e in before if not e.hanging), extract]


def say_extracts(draft: Draft, extracts: Sequence[Extract]) -> None:
    """Say sentences as they stand, each resting on its place in its passage."""
    with draft.topic(TOPIC):
        for extract in extracts:
            draft.add_sentence(extract.text, [_supported(draft, extract)])
    if extracts:
        draft.add_missing("passages")


def _supported(draft: Draft, extract: Extract) -> SupportedStatement:
    """What a sentence rests on: that its text says so, there."""
    document, passage = extract.found.document, extract.found.passage
    text = f"text:{passage.whole}"
    names: dict[str, tuple[str, ...]] = {document.language: (document.title or passage.whole,)}
    draft.entities[text] = Entity(text, "thing", names)
    draft.documents[document.id] = document
    statement = Statement(text, _SAYS, Literal(extract.text, document.language))
    place = Place(TEXT, extract.start, extract.end)
    quote = document.text(TEXT)[extract.start : extract.end]
    evidence = Evidence(
        statement.id, document.id, place, quote, document.evidence_class, method="passage"
    )
    return SupportedStatement(statement, (evidence,))
