"""Findings that clauses tell in words of their own, where somebody asks which disease it is.

"I wake up drenched" names nothing, and night sweats are meant. Such a clause is read over the
vectors of an embedder, where one is installed. What is read is only supposed: diseases are ranked
by it, with less weight than by a name, and the answer says by which words. No medicine is held
against it and none is free for it; it raises no danger, and nothing that is denied is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from medweave.language.cues import read_mention
from medweave.language.data import shipped, shipped_yaml
from medweave.language.folding import lower, name_key
from medweave.language.passage import Passage, Span
from medweave.language.typed import as_read
from medweave.model.question import FINDINGS, Question, Supposed
from medweave.ports import SentenceVectors
from medweave.understanding.descriptions.sentence_model import SentenceModel
from medweave.understanding.descriptions.stretches import OF_NO_STATE, bare, stretches
from medweave.understanding.sentence_vectors import vectors_by
from medweave.vocabulary.knowledge import Knowledge
from medweave.vocabulary.lay_terms import other_names

COUNTS_FROM = 0.42
"""The certainty from which diseases are ranked by it, and"""
ASKED_FROM = 0.1
"""that from which it is asked about: decision 435."""
READ = ("en", "zh")
"""The languages in which clauses were written for it."""
BETWEEN = "|"
"""What stands between the names of a finding in the label of the weights."""
_SHORTEST = {"en": 3, "zh": 4}
"""Words, or Chinese characters, of a clause that tells something."""
_MOST_READ = 24
"""So many stretches of a text are read."""
_MOST_NAMED = 3
"""So many clauses that were not read are named."""
_MOST = 5
"""So many findings are supposed of a text; of a longer one the surest."""


def with_supposed(
    question: Question, passage: Passage, knowledge: Knowledge, vectors: SentenceVectors | None
) -> Question:
    """A question with the findings that clauses of it may tell in which nothing was read.

    Nothing that is mentioned already, as present, denied or anybody else's, is supposed besides.
    Of somebody in danger nothing is; and one alone, beside nothing that is named, is asked about.
    """
    wanted = any(intent.label == "diagnosis" for intent in question.intents)
    if passage.language not in READ or not wanted or question.in_danger:
        return question
    open_ = list(_open(passage, list(_read(question))))[:_MOST_READ]
    if vectors is None or not open_:
        return replace(question, unread_clauses=_unread(passage, open_, ()))
    read = _by_meaning(passage, open_, vectors)
    known = {entity for mention in question.mentions for entity in mention.entities}
    found: list[Supposed] = []
    for label, certainty, (start, end) in read:
        entities = _entities(label, passage.language, knowledge)
        apart = all(end <= one.start or one.end <= start for one in found)
        heard = certainty >= ASKED_FROM and entities and known.isdisjoint(entities)
        if heard and apart and len(found) < _MOST:
            known.update(entities)
            words, counts = passage.text[start:end], certainty >= COUNTS_FROM
            found.append(Supposed(start, end, words, entities, certainty, counts))
    named = any(m.status == "present" for m in question.of_concept(*FINDINGS))
    if not named and sum(one.counts for one in found) == 1:
        found = [replace(one, counts=False) for one in found]
    unread = _unread(passage, [span for _, _, span in read], found)
    found.sort(key=lambda one: one.start)
    return replace(question, supposed=tuple(found), unread_clauses=unread)


def _unread(
    passage: Passage, open_: Sequence[Span], supposed: Sequence[Supposed]
) -> tuple[str, ...]:
    """The clauses that tell something and are not even supposed to tell a finding, in order; of a
    clause and its parts the clause."""
    taken = [(one.start, one.end) for one in supposed]
    for start, end in sorted(open_, key=lambda span: span[0] - span[1]):
        if all(end <= s or e <= start for s, e in taken):
            taken.append((start, end))
    unread = sorted(taken[len(supposed) :])[:_MOST_NAMED]
    return tuple(passage.text[slice(*bare(passage.text, *span))] for span in unread)


def _read(question: Question) -> Iterator[Span]:
    """Where something of a question was read."""
    yield from ((mention.start, mention.end) for mention in question.mentions)
    yield from ((told.start, told.end) for told in question.described)
    yield from ((v.start, v.end) for v in question.values if v.quantity not in OF_NO_STATE)
    for words in (words for sign in question.danger or () for words in sign.words):
        start = question.text.find(words)
        if start >= 0:
            yield start, start + len(words)


def _by_meaning(
    passage: Passage, open_: Sequence[Span], vectors: SentenceVectors
) -> list[tuple[str, float, Span]]:
    """What clauses most likely tell, how surely, and where; the surest first. What most likely
    tells nothing is left out."""
    texts, language = [passage.text[slice(*span)] for span in open_], passage.language
    made = vectors_by(lambda: shipped_findings(language).model, texts, language, vectors)
    if made is None:
        return []
    model = shipped_findings(language)
    read = [
        (*label, bare(passage.text, *span))
        for label, span in zip(model.read(made), open_, strict=True)
        if label is not None
    ]
    return sorted(read, key=lambda one: (-one[1], one[2]))


def _open(passage: Passage, read: Sequence[Span]) -> Iterator[Span]:
    """Clauses, and parts of such, in which nothing was read and nothing is denied."""
    for start, end, _ in stretches(passage):
        text = passage.text[start:end]
        length = len(as_read(text, "zh") if passage.language == "zh" else text.split())
        if length < _SHORTEST[passage.language] or any(s < end and start < e for s, e in read):
            continue
        if not _never(passage.language).search(lower(text)) and _is_of_the_person(
            passage, start, end
        ):
            yield start, end


def _is_of_the_person(passage: Passage, start: int, end: int) -> bool:
    """Whether a clause tells how the person is now, by what stands before it and in it."""
    start, end = bare(passage.text, start, end)
    last = start + passage.text[start:end].rfind(" ") + 1
    readings = (read_mention(passage, start, end), read_mention(passage, last, end))
    return all(
        r.experiencer == "patient"
        and not r.family
        and r.temporality == "recent"
        and r.status not in ("absent", "hypothetical")
        for r in readings
    )


def _entities(label: str, language: str, knowledge: Knowledge) -> tuple[str, ...]:
    """What bears the first of the names of a label that the base knows as a finding, or of those
    that lay terms have for it."""
    own = label.split(BETWEEN)
    for name in (*own, *other_names(language).get(name_key(own[0]), ())):
        named = [n for n in knowledge.dictionary.names(name) if n.present]
        if named and named[0].concept in FINDINGS:
            return tuple(n.entity for n in named)
    return ()


@cache
def _never(language: str) -> re.Pattern[str]:
    rules = shipped_yaml("understanding", "descriptions", "rules", f"supposed.{language}.yaml")
    return re.compile("|".join(rules["never"]))


@cache
def shipped_findings(language: str) -> SentenceModel:
    """The weights that ship for a language, read when they are first needed."""
    name = f"findings.{language}.json"
    place = shipped("understanding", "descriptions", name)
    return SentenceModel.from_text(place.read_text("utf-8"), where=name)
