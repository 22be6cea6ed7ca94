"""Sentences of passages as an answer: few, verbatim, each cited to its place.

The first is the best; where the question asks for more, a further one is said that holds what the
first leaves open. A sentence that takes up the one before it is said with that one, or not at all.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from medweave.answering.draft import Draft
from medweave.language.segmentation import stop_names
from medweave.model.answer import Conflict, PassageRank
from medweave.model.entity import Entity
from medweave.model.passage import HEADING, SAID_BY_TEXT, TEXT
from medweave.model.statement import Evidence, Literal, Place, Statement, SupportedStatement
from medweave.retrieval.passages.differing import differ
from medweave.retrieval.passages.fitting import asks_for_overview, asks_more
from medweave.retrieval.passages.question_kinds import content_terms
from medweave.retrieval.passages.ranking import FoundPassages
from medweave.retrieval.passages.sentence_features import length_in_words
from medweave.retrieval.passages.sentences import Extract

TOPIC = "passages"
"""What its sentences are kept as answers to."""
_SAYS = "says"
LEAST_NEAR, NEAR, SURELY_NEAR = 0.45, 0.5, 0.56
"""Cosines of the nearest passage with the question: below the first, the texts are about something
else; from the second on a few words make sure that they are not, from the third on none are needed.
Measured, see decisions 175 and 265."""
LEAST_COVERED, LEAST_COVERED_NAMED, LEAST_COVERED_BY_WORDS = 0.15, 0.45, 0.75
"""The least share of a question, by how telling its words are, that a sentence holds which is said:
where passages were compared by meaning as well, where the passage has all names of the question,
and where there is neither."""
ITSELF_NEAR = 0.65
"""The cosine of the first sentence itself from which on no more is needed. See decision 551."""
_APART = 12
"""So many stems two sentences may not share that differ by a "not" or a number."""
_FURTHER = 30
"""So many of the best sentences may be a further one."""
_MANY = 8
"""So many words a question is about are more than one sentence holds."""
_ALIKE = 0.6
"""The share of its words from which on a sentence repeats another."""
_NEW, _LONGER = 4.0, 1.5
"""What a further sentence gains for all of the question that those before leave open, and what it
loses where all are twice as long as is good. Measured, see decision 340."""
_REST, _REST_LESS = 3.0, 1.0
"""Where several questions are asked: what a further sentence gains by being nearer to those behind
the first than the first sentence is, and how much worse it may be for that. See decision 551."""
_AS_MUCH = 0.67
"""The share of the question's words in the first sentence that one holds which adds none."""


@dataclass(frozen=True, slots=True)
class _Room:
    """What a further sentence may be beside those that are said."""

    ample: int
    """Words of these beside which no further one is said."""
    good: int
    """Words of all together from which on each counts against it."""
    most: int
    less: float
    """How much worse than the first it may be."""
    repeats_question: bool = False
    """Whether it may hold nothing of the question that those before leave open, where it holds
    nearly as much of it as the first."""


_MORE: tuple[_Room, ...] = (_Room(22, 18, 36, 1.4),)
_OVERVIEW: tuple[_Room, ...] = (_Room(40, 50, 75, 2.5, True), _Room(50, 60, 90, 2.5, True))
"""For a second sentence; and for a second and a third, where an overview is asked for."""


def to_say(
    ranked: Sequence[Extract],
    found: FoundPassages,
    names: Sequence[Sequence[str]] = (),
    properties: Collection[str] = (),
) -> list[Extract]:
    """The sentences to say, in the order of an answer; none, where nothing is near enough.

    `names` are those of each thing that the question names, `properties` the stems of what it asks
    of them; they count where passages are not near by meaning.
    """
    if not ranked or ranked[0].hanging or not _is_near(ranked[0], found, names, properties):
        return []
    said = [ranked[0], *_further(ranked, found)]
    return [part for each in said for part in each.parts]


def _is_near(
    first: Extract,
    found: FoundPassages,
    names: Sequence[Sequence[str]],
    properties: Collection[str],
) -> bool:
    """Whether the texts are about what is asked, by meaning or by words."""
    nearest = max((each.meaning or 0.0 for each in found.passages), default=0.0)
    if nearest >= SURELY_NEAR or (nearest >= NEAR and first.covers >= LEAST_COVERED):
        return True
    if found.asked is not None and (first.near or 0.0) >= ITSELF_NEAR:
        return True
    if found.asked is not None and nearest < LEAST_NEAR:
        return False
    least = LEAST_COVERED_NAMED if _has_all(names, first) else LEAST_COVERED_BY_WORDS
    return first.covers >= least and _has_any(properties, first)


def _further(ranked: Sequence[Extract], found: FoundPassages) -> list[Extract]:
    """Sentences that say more, where the question asks for more than the first one says."""
    said: list[Extract] = []
    question = found.question
    if asks_for_overview(question):
        rooms = _OVERVIEW
    elif asks_more(question) or len(found.terms) >= _MANY:
        rooms = _MORE
    else:
        return said
    for room in rooms:
        another = _another([ranked[0], *said], ranked, found, room)
        if another is None:
            break
        said.append(another)
    return said


def _another(
    said: Sequence[Extract], ranked: Sequence[Extract], found: FoundPassages, room: _Room
) -> Extract | None:
    """The sentence that adds most to those that are said; None where none is good enough."""
    length = sum(length_in_words(part.text) for each in said for part in each.parts)
    if length >= room.ample:
        return None
    terms, have = set(found.terms), {term for each in said for term in each.terms}
    headings = (each.found.document.text(HEADING) for each in said)
    told = have.union(*map(content_terms, headings))
    asked = set(content_terms(found.question)).difference(stop_names())
    enough = _AS_MUCH * len(asked.intersection(said[0].terms))
    rest = said[0].near_rest
    best, most = None, ranked[0].score - room.less - (0.0 if rest is None else _REST_LESS)
    for other in ranked[1:_FURTHER]:
        if other.takes_up or not other.tells:
            continue
        own = set(other.terms)
        repeats = len(own & have) > _ALIKE * min(len(own), len(have))
        both, anew = length + length_in_words(other.text), (terms - told) & own
        worth = other.score + _NEW * len(anew) / (len(terms) or 1)
        worth -= _LONGER * max(0, both - room.good) / room.good
        is_asked = room.repeats_question and len(asked & own) >= enough and not said[0].is_list
        if rest is not None:
            if other.near_rest is None:
                continue
            worth += _REST * (other.near_rest - rest)
            is_asked = True
        if not (anew or is_asked) or repeats or both > room.most:
            continue
        if worth > most:
            best, most = other, worth
    return best


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


def say_extracts(draft: Draft, extracts: Sequence[Extract], found: FoundPassages) -> None:
    """Say sentences as they stand, each resting on its place in its passage."""
    quoted = {extract.found.document.id for extract in extracts}
    draft.passages += [
        PassageRank(one.document.id, one.by_words, one.by_meaning, taken, one.words, one.meaning)
        for taken, one in enumerate(found.passages, 1)
        if one.document.id in quoted
    ]
    with draft.topic(TOPIC):
        for extract in extracts:
            draft.add_sentence(extract.text, [_supported(draft, extract)])
    if extracts:
        draft.add_missing("passages")


def say_where_texts_differ(
    draft: Draft, said: Sequence[Extract], ranked: Sequence[Extract]
) -> None:
    """Set beside what was said what another passage, or a source, says against it."""
    quotes = {e.quote: key for key, s in draft.statements.items() for e in s.evidence}
    for extract in said:
        [own] = draft.rest_on([_supported(draft, extract)])
        against = next((e for e in ranked if e not in said and _differ(extract, e)), None)
        other = next((key for text, key in quotes.items() if differ(extract.text, text)), "")
        if against is not None:
            supported = _supported(draft, against)
            with draft.topic(TOPIC):
                draft.add_sentence(against.text, [supported])
            other = supported.statement.id
        if other:
            about = " · ".join(_title(each) for each in (extract, against) if each)
            draft.conflicts.append(Conflict(about, ((own,), (other,))))
            draft.add_missing("texts_differ")
            return


def _differ(one: Extract, other: Extract) -> bool:
    few = len(set(one.terms) ^ set(other.terms)) <= _APART
    return few and _may_be_of_one(one, other) and differ(one.text, other.text)


def _may_be_of_one(one: Extract, other: Extract) -> bool:
    """Whether what stands above two sentences lets them speak of the same: not "In adults" and "In
    children"."""
    headings = [f"{e.found.document.text(HEADING)} {e.above}" for e in (one, other)]
    first, second = (set(content_terms(heading)) for heading in headings)
    return not (first and second) or bool(first & second)


def _title(extract: Extract) -> str:
    return extract.found.document.title or extract.found.passage.whole


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
        statement.id, document.id, place, quote, document.evidence_class, method=SAID_BY_TEXT
    )
    return SupportedStatement(statement, (evidence,))
