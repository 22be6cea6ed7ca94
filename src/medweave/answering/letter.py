"""A letter answered question by question: what stops a medicine is told once, where it is asked
about; what holds for all of it is told around them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from medweave.answering.wording import phrases
from medweave.model.answer import Answer, AnswerStatus, Stop
from medweave.model.question import Question

_Told = TypeVar("_Told")


def in_parts(whole: Answer, parts: Sequence[tuple[str, Answer]]) -> Answer:
    """A letter as answered in one, with the answer to each of its questions under a heading.

    All that a part says is in the whole as well; of what stops medicines the whole adds what no
    part tells: of two that different questions ask for, or of one that no question speaks of.
    """
    if whole.question.in_crisis:
        return whole
    answers = [answer for _, answer in parts]
    owners = {_key(stop): at for at in reversed(range(len(answers)))
              for stop in answers[at].stops if _names(answers[at], stop)}  # fmt: skip
    beside = [*_of_none(answers, owners), *_between(whole, answers)]
    often = Counter(text for answer in answers for text in dict.fromkeys(answer.missing))
    told: set[str] = set()
    shown = []
    for at, (heading, answer) in enumerate(parts):
        own = tuple(stop for stop in answer.stops if owners.get(_key(stop)) == at)
        new = tuple(s for s in answer.sentences if s.text not in told)
        kept = replace(
            answer,
            heading=f"{at + 1}. {heading}",
            stops=own,
            sentences=new,
            missing=tuple(t for t in answer.missing if often[t] == 1 or t in answer.direct),
            danger=None,
            emergency="",
            taken=(),
            find_out=(),
        )
        shown.append(_never_empty(kept, _told_before(answer, at, owners, told, answers)))
        told |= {sentence.text for sentence in answer.sentences}
    return _joined(whole, answers, beside, shown)


def _key(stop: Stop) -> Hashable:
    return stop.entity.id, stop.status, stop.level, stop.reason


def _names(answer: Answer, stop: Stop) -> bool:
    """Whether a question speaks of a medicine, or its answer lists it."""
    listed = {d.entity.id for some in answer.drugs for g in some.groups for d in g.drugs}
    return stop.entity.id in listed | _named(answer.question)


def _named(question: Question) -> set[str]:
    return {entity for mention in question.mentions for entity in mention.entities}


def _of_none(answers: Sequence[Answer], owners: dict[Hashable, int]) -> list[Stop]:
    """What stops a medicine that is taken, and that no question names."""
    found = {_key(s): s for a in answers for s in a.stops if s.status == "applies"}
    return [stop for key, stop in found.items() if key not in owners]


def _between(whole: Answer, answers: Sequence[Answer]) -> list[Stop]:
    """What excludes two medicines beside one another of which different questions speak, or one
    of which no question does."""
    named = {entity for answer in answers for entity in _named(answer.question)}
    told = {frozenset((s.entity.id, other)) for a in answers for s in a.stops for other in s.others}
    asked = {e for m in whole.question.mentions if m.role == "asked" for e in m.entities}
    chosen = {entity for answer in answers for entity in answer.question.candidates}

    def is_new(stop: Stop) -> bool:
        if stop.entity.id not in named:
            return stop.entity.id in asked
        pairs = {frozenset((stop.entity.id, other)) for other in stop.others}
        both = named.issuperset(stop.others) and bool(stop.others)
        return both and told.isdisjoint(pairs) and stop.entity.id not in chosen

    hard = (stop for stop in whole.stops if stop.status == "applies" and stop.hard)
    return [stop for stop in hard if is_new(stop)]


def _told_before(
    answer: Answer,
    at: int,
    owners: dict[Hashable, int],
    told: set[str],
    answers: Sequence[Answer],
) -> int | None:
    """Under which question the answer to a later one stands already."""
    of_stops = [owners[key] for stop in answer.stops if (key := _key(stop)) in owners]
    if earlier := [each for each in of_stops if each < at]:
        return min(earlier)
    repeated = {s.text for s in answer.sentences} & told
    said = (n for n in range(at) if repeated & {s.text for s in answers[n].sentences})
    return next(said, None)


def _never_empty(part: Answer, earlier: int | None) -> Answer:
    """A part that says something: where its answer stands, or that the base does not hold it."""
    listed = part.drugs or part.weighing or part.candidates or part.comparison or part.assessment
    if part.stops or part.sentences or part.missing or part.not_understood or listed:
        return part
    words = phrases(part.question.language)["letter"]
    if earlier is not None:
        text = str(words["as_before"]).format(n=earlier + 1)
    else:
        text = str(words["help_first" if part.question.in_danger else "not_held"])
    return replace(part, missing=(text,), direct=(text,))


def _joined(
    whole: Answer, answers: Sequence[Answer], beside: Sequence[Stop], shown: Sequence[Answer]
) -> Answer:
    """All that the parts say, once, in their order."""

    def once(of: Callable[[Answer], Iterable[_Told]], key: Callable[[_Told], Hashable]) -> Any:
        found: dict[Hashable, _Told] = {}
        for answer in answers:
            for each in of(answer):
                found.setdefault(key(each), each)
        return tuple(found.values())

    def every(of: Callable[[Answer], dict[str, Any]]) -> dict[str, Any]:
        return {key: each for answer in (*answers, whole) for key, each in of(answer).items()}

    stops = {_key(stop): stop for stop in (*beside, *(s for each in shown for s in each.stops))}
    missing = dict.fromkeys(text for each in (*answers, *shown) for text in each.missing)
    return replace(
        whole,
        status=_status(answers),
        stops=tuple(stops.values()),
        sentences=once(lambda a: a.sentences, lambda s: s.text),
        drugs=once(lambda a: a.drugs, lambda d: (d.about.id, d.of_class and d.of_class.id)),
        candidates=once(lambda a: a.candidates, lambda c: c.entity.id),
        weighing=next((a.weighing for a in answers if a.weighing), None),
        taken=once(lambda a: a.taken, lambda t: t.text),
        find_out=once(lambda a: a.find_out, lambda f: f.about),
        comparison=once(lambda a: a.comparison, lambda row: row.entity.id),
        conflicts=once(lambda a: a.conflicts, lambda c: c.about),
        missing=tuple(missing),
        direct=tuple(dict.fromkeys(text for each in shown for text in each.direct)),
        paths=once(lambda a: a.paths, lambda p: p),
        cases=once(lambda a: a.cases, lambda c: c.id),
        statements=every(lambda a: a.statements),
        beliefs=every(lambda a: a.beliefs),
        entities=every(lambda a: a.entities),
        documents=every(lambda a: a.documents),
        parts=tuple(shown),
    )


def _status(answers: Sequence[Answer]) -> AnswerStatus:
    found = {answer.status for answer in answers}
    return found.pop() if len(found) == 1 else "partial"
