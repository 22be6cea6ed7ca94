"""A guided assessment as a state machine: its state is a pure function of its events.

So it can be saved and gone on with, replayed, undone step by step, and any earlier answer changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from medweave.assessment.case import PERSON, Case, case_of
from medweave.assessment.events import Event, EventKind
from medweave.errors import FindingsError
from medweave.guideline.danger import signs_named, signs_of_other_ages, still_open
from medweave.guideline.logic.evaluation import Evaluated, evaluate
from medweave.guideline.logic.graph import Graph
from medweave.guideline.logic.questions import next_question
from medweave.guideline.logic.questions_of_treatment import treatment_question
from medweave.guideline.logic.resources import resource_named
from medweave.guideline.logic.status import Status, assess, outcomes, statuses
from medweave.guideline.logic.unsettled import unsettled
from medweave.model.answer import Danger
from medweave.model.assessment import Assessment, NextQuestion
from medweave.model.findings import UNAVAILABLE, FindingValue
from medweave.model.identifiers import normalise_name


@dataclass(frozen=True, slots=True)
class Session:
    """An assessment so far; each further event gives another one."""

    graph: Graph
    events: tuple[Event, ...]
    case: Case
    state: Evaluated

    @classmethod
    def of(cls, graph: Graph, events: Iterable[Event] = ()) -> Session:
        """The assessment that these events make; `FindingsError` where they cannot be so."""
        taken = tuple(events)
        case = _measured_first(graph, case_of(taken))
        return cls(graph, taken, case, evaluate(graph, case.findings))

    def after(self, event: Event) -> Session:
        """The assessment with one more event; where it cannot be so, this one is left as it was.

        Names of observations and classifications are those of the guideline: id, label or alias.
        """
        event = self._named(event)
        events = (*self.events, event)
        told = case_of(events)
        case = _measured_first(self.graph, told)
        if self._is_one_answer(event) and case is told:
            value = case.findings.values.get(event.about)
            after = self.state.after(event.about, value)
            return Session(self.graph, events, case, replace(after, findings=case.findings))
        if event.kind in ("started", "finished"):
            return Session(self.graph, events, case, self.state)
        return Session(self.graph, events, case, evaluate(self.graph, case.findings))

    def _is_one_answer(self, event: Event) -> bool:
        """Whether only what rests on one observation is to be worked out anew."""
        of_an_observation = (
            event.kind in ("answered", "changed", "unavailable") and event.about not in PERSON
        )
        return of_an_observation and self.graph.observations[event.about].derived is None

    def answer(self, about: str, value: FindingValue, *, at: str = "") -> Session:
        """An answer, or another one than before."""
        named = self._named(Event("answered", about)).about
        kind: EventKind = "changed" if self.is_answered(named) else "answered"
        return self.after(Event(kind, named, value, at=at))

    def person(self, about: str) -> FindingValue:
        """The age (days), the weight (kg) or the sex, where it is known."""
        findings = self.case.findings
        known = {"age": findings.age_days, "sex": findings.sex, "weight": findings.weight_kg}
        return known.get(about)

    def is_answered(self, name: str) -> bool:
        """Whether somebody answered it."""
        return name in self.case.findings.values or self.person(name) is not None

    def next_question(self, *, order: str = "best") -> NextQuestion | None:
        """What to ask next; None where nothing that could be answered is left to ask.

        What nobody knew is not asked again, and a default is no answer to a danger sign or a main
        symptom. What treatments rest on comes last. What is checked in every child is left to
        `to_check`, unless the order is "thorough", or that of the form.
        """
        results, form = outcomes(self.state), order == "form"
        question = next_question(
            self.state,
            results,
            form=form,
            passed=self.case.passed,
            defaults_count=False,
            thorough=order != "best",
        )
        if question or form:
            return question
        return treatment_question(self.state, results, self.case.passed)

    def signs_to_ask(self) -> tuple[Danger, ...]:
        """Signs of danger that are open, and that no observation asks for."""
        open_now = still_open(self.case.danger, self.state)
        asked = [signs_named(each.label) | {each.id} for each in self.graph.danger_signs]
        return tuple(
            sign
            for sign in open_now
            if sign.status == "ask" and not any(sign.sign in names for names in asked)
        )

    def statuses(self) -> dict[str, Status]:
        """Every classification in its status, without words."""
        return statuses(self.state)

    def assessment(self) -> Assessment:
        """All of it, in words; the same for the same answers, in whatever order they came."""
        state = evaluate(self.graph, self.case.findings)
        danger = (*still_open(self.case.danger, state), *signs_of_other_ages(state))
        found = assess(state, danger=danger)
        question = self.next_question()
        open_at_the_end = () if question else unsettled(state, found.classifications)
        return replace(found, next_question=question, warnings=(*found.warnings, *open_at_the_end))

    def to_check(self) -> tuple[str, ...]:
        """What is checked in every child, was not asked, and could still settle something."""
        waiting = {name for result in outcomes(self.state) for name in result.missing}
        observations = self.graph.observations.values()
        return tuple(
            each.id
            for each in observations
            if each.routine and each.id in waiting - self.case.passed
        )

    def unknown_at_the_end(self) -> tuple[str, ...]:
        """What was asked, not known, and could still settle something."""
        waiting = {name for result in outcomes(self.state) for name in result.missing}
        return tuple(sorted(waiting & self.case.passed))

    def _named(self, event: Event) -> Event:
        """The event with the guideline's own ids."""
        graph, about = self.graph, event.about
        if event.kind in ("agreed", "refused", "set"):
            about = graph.classification_names.find(about)
        elif event.kind in ("away", "there"):
            about = normalise_name(resource_named(graph, about))
        elif event.kind in ("answered", "changed", "unavailable", "unknown"):
            about = about if about in PERSON else graph.observation_names.find(about)
        if event.kind in ("refused", "set") and not event.reason.strip():
            raise FindingsError(
                f"a classification is not {event.kind} without a reason",
                where=about,
                remedy="give one",
            )
        return replace(event, about=about)


def _measured_first(graph: Graph, case: Case) -> Case:
    """The case without signs that were only told, where what they are worked out from was measured:
    a child who is said to breathe fast, and whose breaths were counted, breathes as counted."""
    values = case.findings.values
    numbers = {name for name, value in values.items() if value not in (None, UNAVAILABLE)}
    told = [name for name in values if graph.measured_for(name) & numbers]
    if not told:
        return case
    left = {name: value for name, value in values.items() if name not in told}
    return replace(case, findings=replace(case.findings, values=left))
