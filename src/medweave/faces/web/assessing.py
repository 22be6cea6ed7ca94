"""One step of a guided assessment. Its state is with whoever is led; nothing is kept here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from medweave.answering.danger import sign_in_words
from medweave.assessment.answers import choices, read_answer
from medweave.assessment.case import PERSON
from medweave.assessment.events import Event, EventKind
from medweave.assessment.free_text import UNREAD, read_free_text
from medweave.assessment.session import Session
from medweave.errors import FindingsError
from medweave.faces.texts import page_texts
from medweave.faces.texts.messages import message
from medweave.faces.texts.session import finding_in_words
from medweave.guideline.wording import Words
from medweave.model.answer import Danger
from medweave.model.assessment import STANDS, Assessment, NextQuestion
from medweave.model.findings import FindingValue
from medweave.model.guideline import answers_of
from medweave.pipeline import stops_of_child
from medweave.vocabulary.knowledge import Knowledge

_MOST_EVENTS = 2000
OWN_WORD: tuple[EventKind, ...] = (
    "agreed", "refused", "set", "away", "there", "given", "allergic",
)  # fmt: skip
"""What somebody says of the outcome, of the place, or of drugs."""


class Act(BaseModel):
    """What was done: `begin`, `answer`, `unknown`, `unavailable`, `sign`, `back`, `change`, one of
    `OWN_WORD` with a reason where one is needed, or nothing (the state is shown again)."""

    model_config = ConfigDict(extra="forbid")
    kind: str = ""
    about: str = ""
    value: str | list[str] = ""
    person: dict[str, str] = {}


class Step(BaseModel):
    """An assessment so far, and what was done."""

    model_config = ConfigDict(extra="forbid")
    guideline: str = "sample"
    events: list[dict[str, Any]] = Field(default=[], max_length=_MOST_EVENTS)
    text: str = Field("", max_length=20_000)
    passed: list[str] = []
    """Danger signs that were asked for, and nobody knew."""
    act: Act = Act()


@dataclass(frozen=True, slots=True)
class Option:
    """An answer to choose."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: an observation, or a danger sign that no observation asks for."""

    about: str
    text: str
    why: str = ""
    help: str = ""
    danger: bool = False
    sign: bool = False
    options: tuple[Option, ...] = ()
    several: bool = False
    typed: bool = False
    """Whether a value is typed."""
    unread: str = ""
    """The words that nothing took, where it is asked whether they tell of danger."""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class State:
    """What is shown after a step."""

    session: Session
    words: Words
    passed: tuple[str, ...]
    question: Question | None
    assessment: Assessment
    understood: tuple[str, ...] = ()
    problem: str = ""
    crisis: tuple[Danger, ...] = ()

    @property
    def urgent(self) -> list[str]:
        """What is grave and stands."""
        return [
            each.label
            for each in self.assessment.classifications
            if each.status in STANDS and each.severity == "severe"
        ]


def after(step: Step, session: Session, language: str, knowledge: Knowledge) -> State:
    """The state after a step; where that cannot be, the one before it with the reason."""
    words, passed, asking = Words(session.graph, language), tuple(step.passed), ""
    understood: tuple[str, ...] = ()
    crisis: tuple[Danger, ...] = ()
    problem = ""
    act = step.act
    try:
        if act.kind == "begin":
            session, understood, crisis = _begun(session, act.person, step.text, words)
        elif act.kind == "change":
            asking = act.about if act.about in PERSON else _observation(session, act.about)
        elif act.kind == "sign" and act.value == "unknown":
            passed = (*passed, act.about)
        elif act.kind:
            session = _acted(session, act)
    except FindingsError as error:
        said = filter(None, (error.what, error.remedy))
        between = "；" if language == "zh" else "; "
        problem = between.join(message(each, language, words) for each in said)
        asking = act.about if act.kind == "answer" else ""
    return State(
        session,
        words,
        passed,
        _question(session, words, passed, asking),
        _assessment(session, words, step.text, knowledge),
        understood,
        problem,
        crisis,
    )


def _begun(
    session: Session, person: dict[str, str], text: str, words: Words
) -> tuple[Session, tuple[str, ...], tuple[Danger, ...]]:
    """With what was said before the first question: it is not asked again."""
    session = session.after(Event("started"))
    for about in PERSON:
        if person.get(about):
            session = session.answer(about, read_answer(session.graph, about, person[about]))
    if not text.strip():
        return session, (), ()
    read = read_free_text(session, text)
    if read.in_crisis:
        return session, (), tuple(sign_in_words(sign, words.language) for sign in read.signs)
    for about, value in read.answers:
        session = session.answer(about, value)
    texts = page_texts(words.language)["assess"]
    events = [Event("allergic", each) for each in read.allergies]
    events += [Event("danger", each.sign, each.status, each.name) for each in read.signs]
    if read.unread:
        events.append(Event("danger", UNREAD, "ask", page_join(read.unread, words.language)))
    for event in events:
        session = session.after(event)
    told = [finding_in_words(words.finding(each), words.language) for each in read.findings]
    told += [texts["allergy"].format(name=each) for each in read.allergies]
    return session, (*told, *map(words, read.questionable)), ()


def page_join(words: tuple[str, ...], language: str) -> str:
    """A list in words."""
    return str(page_texts(language)["separator"].join(words))


def _acted(session: Session, act: Act) -> Session:
    match act.kind:
        case "answer":
            return session.answer(act.about, _value(session, act))
        case "unknown":
            return session.after(Event("unknown", act.about))
        case "unavailable":
            return session.after(Event("unavailable", act.about))
        case "back":
            return session.after(Event("undone"))
        case "sign" if act.value in ("present", "absent"):
            named = {e.about: e.reason for e in session.events if e.kind == "danger"}
            return session.after(Event("danger", act.about, act.value, named.get(act.about, "")))
    kind = next((each for each in OWN_WORD if each == act.kind), None)
    if kind is None or not act.about.strip() or isinstance(act.value, list):
        raise FindingsError("nothing of the kind can be done", where=act.kind)
    return session.after(Event(kind, act.about.strip(), reason=act.value.strip()))


def _value(session: Session, act: Act) -> FindingValue:
    """What was chosen or typed; a typed value may have a unit."""
    if isinstance(act.value, list):
        return tuple(act.value)
    if act.value in ("true", "false"):
        return act.value == "true"
    if act.about in PERSON:
        return read_answer(session.graph, act.about, act.value)
    observation = session.graph.observations[_observation(session, act.about)]
    if act.value in {each.id for each in answers_of(observation)}:
        return act.value
    return read_answer(session.graph, observation.id, act.value)


def _observation(session: Session, name: str) -> str:
    return session.graph.observation_names.find(name)


def _question(
    session: Session, words: Words, passed: tuple[str, ...], asking: str
) -> Question | None:
    sign = next((each for each in session.signs_to_ask() if each.sign not in passed), None)
    if sign is not None and not asking:
        told = [event.reason for event in session.events if event.about == sign.sign == UNREAD]
        return Question(
            sign.sign, words(sign.text), danger=True, sign=True, unread="".join(told[-1:])
        )
    if asking:
        held = session.graph.observations.get(asking)
        asked = NextQuestion(asking, (held.question or held.label) if held else asking, "")
    else:
        found = session.next_question()
        if found is None:
            return None
        asked = replace(found, together=())  # one sign after the other, each with its reason
    return _of_observation(session, words, asked)


def _of_observation(session: Session, words: Words, asked: NextQuestion) -> Question:
    graph, about = session.graph, asked.observation
    told, held = words.question(asked), graph.observations.get(about)
    means = {each.id: each.means for each in answers_of(held)} if held else {}
    options = tuple(
        Option(_shown(means.get(each.value, "")) or each.value, words(each.label))
        for each in choices(graph, about)
    )
    if held is None:  # the age, the weight or the sex
        return Question(about, told.text, told.why, options=options, typed=about != "sex")
    text = held.question or held.label if asked.text == held.question else asked.text
    text = words.question(replace(asked, text=text)).text
    return Question(
        about,
        text,
        told.why,
        words(held.help),
        held.danger_sign,
        options=options,
        several=held.kind == "choices",
        typed=held.kind == "number" or not options,
        hint=_measure(held.unit, held.range, words.language) if held.kind == "number" else "",
    )


def _shown(means: str) -> str:
    return means if means in ("true", "false") else ""


def _measure(unit: str, span: tuple[float | None, float | None], language: str) -> str:
    texts = page_texts(language)["assess"]
    named = "" if unit in ("", "1") else texts["units"].get(unit, unit)
    low, high = span
    within = "" if low is None or high is None else f"{low:g} – {high:g}"
    return " ".join(part for part in (within, named) if part)


def _assessment(session: Session, words: Words, text: str, knowledge: Knowledge) -> Assessment:
    """What the guideline says, with what stops drugs of its treatments for this child."""
    found = words.told(session.assessment())
    if not any(row.drug for row in found.treatments):
        return found
    findings = replace(session.case.findings, text=text)
    return replace(found, safety=stops_of_child(found, findings, knowledge))
