"""What is known of a child after some events: a pure function of these."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from medweave.assessment.events import Event, not_undone
from medweave.errors import FindingsError
from medweave.model.answer import Danger
from medweave.model.findings import UNAVAILABLE, Findings, FindingValue
from medweave.understanding.danger.table import what_to_do

PERSON = ("age", "sex", "weight")
"""What is said of the person; nothing else may be called so in an event."""


@dataclass(frozen=True, slots=True)
class Case:
    """The findings, in an order that does not depend on who asked what when.

    `passed` were asked, and nobody knew; `agreed` are classifications somebody agrees with;
    `reasons` say why others were refused, or set.
    """

    findings: Findings = field(default_factory=Findings)
    passed: frozenset[str] = frozenset()
    agreed: frozenset[str] = frozenset()
    reasons: Mapping[str, str] = field(default_factory=dict)
    finished: bool = False
    danger: tuple[Danger, ...] = ()
    """Danger signs that are there or to be asked for, and that no observation need name."""

    def digest(self) -> str:
        """A hash (SHA-256) of all that is known, the same whatever the order it came in."""
        findings = self.findings
        parts = {
            "age_days": findings.age_days,
            "weight_kg": findings.weight_kg,
            "sex": findings.sex,
            "values": {
                name: Event("answered", name, value).to_json().get("value")
                for name, value in findings.values.items()
            },
            "passed": sorted(self.passed),
            "agreed": sorted(self.agreed),
            "set": findings.agreed,
            "refused": findings.refused,
            "given": findings.given,
            "resources": dict(findings.resources),
        } | ({"allergies": findings.allergies} if findings.allergies else {})
        if self.danger:
            parts["danger"] = [f"{each.sign} {each.status}" for each in self.danger]
        written = json.dumps(parts, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(written.encode()).hexdigest()


def case_of(events: Iterable[Event]) -> Case:
    """What is known after these events.

    >>> said = [Event("answered", "cough", True), Event("changed", "cough", False)]
    >>> dict(case_of(said).findings.values)
    {'cough': False}
    """
    held = _Held()
    for event in not_undone(events):
        held.take(event)
    return held.case()


class _Held:
    """What is known so far, while events are read."""

    def __init__(self) -> None:
        self._values: dict[str, FindingValue] = {}
        self._person: dict[str, Any] = {}
        self._passed: set[str] = set()
        self._verdicts: dict[str, tuple[bool, str]] = {}
        self._agreed: set[str] = set()
        self._given: set[str] = set()
        self._allergies: set[str] = set()
        self._danger: dict[str, Event] = {}
        self._resources: dict[str, bool] = {}
        self._finished = False

    def take(self, event: Event) -> None:
        about = event.about
        match event.kind:
            case "answered" | "changed" | "unavailable" | "unknown":
                self._forget(about)
                self._answer(event)
            case "away" | "there":
                self._resources[about] = event.kind == "there"
            case "agreed":
                self._verdicts.pop(about, None)
                self._agreed.add(about)
            case "refused" | "set":
                self._agreed.discard(about)
                self._verdicts[about] = event.kind == "set", event.reason
            case "given":
                self._given.add(about)
            case "allergic":
                self._allergies.add(about)
            case "danger":
                self._danger[about] = event
            case _:
                pass
        self._finished = event.kind == "finished"

    def _forget(self, about: str) -> None:
        self._passed.discard(about)
        self._values.pop(about, None)
        self._person.pop(about, None)

    def _answer(self, event: Event) -> None:
        about, value = event.about, event.value
        if event.kind == "unavailable":
            value = UNAVAILABLE
        if about in PERSON and value == UNAVAILABLE:
            value = None  # nothing is decided without an age because it cannot be had
        if event.kind == "unknown" or value is None:
            self._passed.add(about)
        elif about in PERSON:
            self._person[about] = _of_person(about, value)
        else:
            self._values[about] = value

    def case(self) -> Case:
        verdicts = sorted(self._verdicts.items())
        findings = Findings(
            age_days=self._person.get("age"),
            weight_kg=self._person.get("weight"),
            sex=self._person.get("sex"),
            values=dict(sorted(self._values.items())),
            agreed=tuple(name for name, (is_set, _) in verdicts if is_set),
            refused=tuple(name for name, (is_set, _) in verdicts if not is_set),
            given=tuple(sorted(self._given)),
            allergies=tuple(sorted(self._allergies)),
            resources=dict(sorted(self._resources.items())),
        )
        reasons = {name: reason for name, (_, reason) in verdicts if reason}
        return Case(
            findings,
            frozenset(self._passed),
            frozenset(self._agreed),
            reasons,
            self._finished,
            tuple(_sign(each) for each in self._danger.values() if each.value != "absent"),
        )


def _sign(event: Event) -> Danger:
    present = event.value == "present"
    return Danger(
        event.about,
        "present" if present else "ask",
        f"Possible danger sign: {event.reason}.",
        advice=what_to_do(event.about, "en"),
    )


def _of_person(about: str, value: FindingValue) -> Any:
    if about == "sex":
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise FindingsError(
            f"'{value}' is no {about}", where=about, remedy="give days for an age, kg for a weight"
        )
    return int(value) if about == "age" else float(value)
