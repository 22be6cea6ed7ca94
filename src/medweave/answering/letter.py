"""A letter answered question by question: what stops a medicine is told once, where it is asked
about; what holds for all of it is told around them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from medweave.answering.whom_to_ask import whom_to_ask
from medweave.answering.wording import phrases
from medweave.model.answer import Answer, AnswerStatus, Stop
from medweave.model.drug_list import DrugList
from medweave.model.question import SUBSTANCES, Question, Unread
from medweave.model.steps import MOST_STEPS, Result, Step, joint_step

_Told = TypeVar("_Told")
_NOT_UNDERSTOOD = ("nothing_recognised", "no_intent", "no_intent_of_drug", "no_intent_recorded")
_MAY_TAKE = "may_take"
"""What is asked where somebody asks whether a medicine may be had."""
_GUIDELINE = "guideline"
"""What sentences on the classifications of a child are kept as answers to."""


def held_for_each(whole: Answer, each: Sequence[Answer]) -> Answer:
    """A letter with what stops its medicines for each of its persons: all that excludes one, and
    of those that it names what calls for care."""
    named = {entity for answer in each for entity in _named(answer.question)}
    every = [stop for answer in each for stop in answer.stops]
    stops = {_key(stop): stop for stop in every if stop.hard or stop.entity.id in named}
    taken = {fact.text: fact for answer in each for fact in answer.taken}
    return replace(
        whole,
        stops=tuple(stops.values()),
        taken=tuple(taken.values()),
        statements={k: s for answer in (*each, whole) for k, s in answer.statements.items()},
        beliefs={k: b for answer in (*each, whole) for k, b in answer.beliefs.items()},
        entities={k: e for answer in (*each, whole) for k, e in answer.entities.items()},
        documents={k: d for answer in (*each, whole) for k, d in answer.documents.items()},
    )


def tells_something(answer: Answer) -> bool:
    """Whether an answer holds anything, and does not only say what is not held."""
    return bool(answer.sentences or answer.drugs or answer.stops or answer.weighing)


def in_parts(whole: Answer, headings: Sequence[str], answers: Sequence[Answer]) -> Answer:
    """A letter as answered in one, with the answer to each of its questions under a heading.

    All that a part says is in the whole as well; of what stops medicines the whole adds what no
    part tells: of two that different questions ask for, or of one that no question speaks of.
    """
    owners = _owners(answers)
    beside = _beside(whole, answers, owners)
    often = Counter(text for answer in answers for text in dict.fromkeys(answer.missing))
    sayers = _sayers(answers)
    told: set[Hashable] = set()
    shown = []
    for at, (heading, answer) in enumerate(zip(headings, answers, strict=True)):
        own = tuple(stop for stop in answer.stops if owners.get(_key(stop)) == at)
        of_all = {text for text in answer.missing if often[text] > 1 and text not in answer.direct}
        unheld = _says_nothing(answer)
        kept = replace(
            answer,
            heading=f"{at + 1}. {heading}",
            stops=own,
            sentences=tuple(s for s in answer.sentences if sayers[s.text] == at),
            drugs=tuple(d for d in answer.drugs if _about(d) not in told),
            weighing=answer.weighing if "diagnosis" not in told else None,
            missing=tuple(t for t in answer.missing if t not in {*of_all, *told, *unheld}),
            direct=tuple(t for t in answer.direct if t not in told),
            danger=None,
            emergency="",
            assessment=None,
            taken=(),
            find_out=(),
        )
        earlier = _told_before(answer, at, owners, answers)
        above = any(stop.entity.id in _named(answer.question) for stop in beside)
        shown.append(_never_empty(kept, earlier, above=above))
        told |= (
            {_about(drugs) for drugs in answer.drugs}
            | {*answer.direct}
            | ({"diagnosis"} if answer.weighing else set())
        )
    return _joined(whole, answers, beside, shown)


def _sayers(answers: Sequence[Answer]) -> dict[str, int]:
    """Under which question a sentence is said: the first that asks for it, else that has it."""
    first: dict[str, int] = {}
    asked: dict[str, int] = {}
    for at, answer in enumerate(answers):
        labels = answer.question.sure_labels
        for sentence in answer.sentences:
            first.setdefault(sentence.text, at)
            if sentence.intent in labels:
                asked.setdefault(sentence.text, at)
    return first | asked


def _says_nothing(answer: Answer) -> tuple[str, ...]:
    """What is said where nothing was understood: under a question of a letter one line stands for
    it."""
    words = phrases(answer.question.language)["missing"]
    no_dose = () if answer.question.mentions else ("no_dose",)
    begins = tuple(str(words[key]).partition("{")[0] for key in (*_NOT_UNDERSTOOD, *no_dose))
    return tuple(text for text in answer.missing if text.startswith(begins))


def told_unread(unread: Sequence[Unread], asking: Sequence[tuple[int, int]]) -> tuple[Unread, ...]:
    """The words of a letter that were not understood, without those of its questions: what these
    name may be plain from the rest, and is said under them where it is not."""
    return tuple(
        words for words in unread if not any(start <= words.start < end for start, end in asking)
    )


def _key(stop: Stop) -> Hashable:
    return stop.entity.id, stop.status, stop.level, stop.reason


def _owners(answers: Sequence[Answer]) -> dict[Hashable, int]:
    """Under which question a stop is told: the first that names the medicine, or else lists it."""
    listed: dict[Hashable, int] = {}
    named: dict[Hashable, int] = {}
    for at, answer in enumerate(answers):
        for stop in answer.stops:
            if stop.entity.id in _named(answer.question):
                named.setdefault(_key(stop), at)
            elif stop.entity.id in _listed(answer):
                listed.setdefault(_key(stop), at)
    return listed | named


def _listed(answer: Answer) -> set[str]:
    return {d.entity.id for some in answer.drugs for g in some.groups for d in g.drugs}


def _named(question: Question) -> set[str]:
    return {entity for mention in question.mentions for entity in mention.entities}


def _asked_without_name(question: Question) -> set[str]:
    """The medicines told before that a question asks of without a name: "and may he have it?"."""
    if question.of_concept(*SUBSTANCES) or question.asked.label != _MAY_TAKE:
        return set()
    return {e for m in question.earlier if m.concept in SUBSTANCES for e in m.entities}


def _beside(whole: Answer, answers: Sequence[Answer], owners: dict[Hashable, int]) -> list[Stop]:
    """What no part tells of a medicine that the letter names: what excludes it, and of one that no
    question names also what calls for care."""
    judged = {s.entity.id for a in answers for s in a.stops if _key(s) in owners}
    chosen = {e for answer in answers for e in answer.question.candidates} & judged
    named = {entity for answer in answers for entity in _named(answer.question)}
    asked = {e for m in whole.question.mentions if m.role == "asked" for e in m.entities} - named
    told = {each for a in answers for s in a.stops if _key(s) in owners for each in _matters(s)}
    found: list[Stop] = []
    every = [stop for answer in (whole, *answers) for stop in answer.stops]
    for stop in sorted(every, key=lambda stop: (stop.taken, stop.entity.id in named)):
        known = stop.entity.id in chosen or told.issuperset(_matters(stop))
        weighs = stop.status == "applies" and (stop.hard or stop.entity.id in asked)
        if weighs and not known and stop.entity.id in _named(whole.question):
            found.append(stop)
            told |= _matters(stop)
    return found


def _matters(stop: Stop) -> set[Hashable]:
    """What a stop is about: two medicines that meet, or a medicine and what speaks against it."""
    pairs: set[Hashable] = {frozenset((stop.entity.id, other)) for other in stop.others}
    return pairs or {(stop.entity.id, stop.reason)}


def _about(drugs: DrugList) -> Hashable:
    """What a list of drugs is of."""
    return drugs.about.id, drugs.of_class.id if drugs.of_class else ""


def _told_before(
    answer: Answer, at: int, owners: dict[Hashable, int], answers: Sequence[Answer]
) -> int | None:
    """Under which question the answer to a later one stands already."""
    said = {s.text for s in answer.sentences} | {_about(drugs) for drugs in answer.drugs}
    for n, before in enumerate(answers[:at]):
        names = _named(answer.question) | _asked_without_name(answer.question)
        stops = not answer.question.aside and any(
            owners.get(_key(stop)) == n for stop in answer.stops if stop.entity.id in names
        )
        held = {s.text for s in before.sentences} | {_about(drugs) for drugs in before.drugs}
        if stops or said & held:
            return n
    return None


def _never_empty(part: Answer, earlier: int | None, *, above: bool) -> Answer:
    """A part that says something: where its answer stands, or that the base does not hold it."""
    stopped = any(stop.status == "applies" for stop in part.stops)
    listed = part.drugs or part.weighing or part.comparison
    if stopped or part.sentences or part.missing or listed:
        return part
    words = phrases(part.question.language)["letter"]
    if earlier is not None:
        text = str(words["as_before"]).format(n=earlier + 1)
    elif above:
        text = str(words["as_above"])
    else:
        text = str(words["not_held"]).format(whom=whom_to_ask(part.question))
    return replace(part, missing=(text,), direct=(text,))


def _result(whole: Answer, answers: Sequence[Answer]) -> Result:
    """All things that any question asks for, once; else the value of the first that has one."""
    valued = [each.result for each in answers if each.result.value not in (None, ())]
    things = {
        thing.id: thing
        for result in valued
        if isinstance(result.value, tuple)
        for thing in result.value
    }
    if things:
        return Result("entities", tuple(things.values()))
    if answers and all(each.result.kind == "yes_no" for each in answers):
        return Result("yes_no", _all_hold([each.result.value for each in answers]))
    return valued[0] if valued else whole.result


def _all_hold(values: Sequence[object]) -> bool | None:
    """Whether all that is asked is so: no where one is not, and unsaid where one is."""
    if any(value is False for value in values):
        return False
    return True if all(value is True for value in values) else None


def _steps(whole: Answer, parts: Sequence[Answer]) -> tuple[Step, ...]:
    """A step for each question, or its own steps; what goes beyond the last is one with it."""
    steps = [step for part in parts for step in part.steps]
    if not steps:
        return whole.steps
    if len(steps) > MOST_STEPS:
        steps = [*steps[: MOST_STEPS - 1], joint_step(steps[MOST_STEPS - 1 :])]
    return tuple(steps)


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
    of_child = (s for s in whole.sentences if whole.assessment and s.intent == _GUIDELINE)
    said = [text for a in answers for text in a.missing if text not in _says_nothing(a)]
    missing = dict.fromkeys((*said, *(text for each in shown for text in each.missing)))
    return replace(
        whole,
        status=_status(answers),
        result=_result(whole, answers),
        steps=_steps(whole, shown),
        stops=tuple(stops.values()),
        sentences=(*of_child, *once(lambda a: a.sentences, lambda s: s.text)),
        drugs=once(lambda a: a.drugs, _about),
        candidates=once(lambda a: a.candidates, lambda c: c.entity.id),
        weighing=next((a.weighing for a in answers if a.weighing), None),
        taken=once(lambda a: a.taken, lambda t: t.text),
        find_out=once(lambda a: a.find_out, lambda f: f.about),
        comparison=once(lambda a: a.comparison, lambda row: row.entity.id),
        conflicts=once(lambda a: a.conflicts, lambda c: c.about),
        not_understood=(
            *whole.not_understood,
            *once(lambda a: a.not_understood, lambda u: u.text),
        ),
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
