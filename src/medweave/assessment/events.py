"""What happens in an assessment, one event at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, get_args
from typing import Literal as OneOf

from medweave.errors import FindingsError
from medweave.guideline.findings_json import read_finding
from medweave.model.findings import FindingValue, Measured

EventKind = OneOf[
    "started", "answered", "changed", "unknown", "unavailable", "undone", "away", "there",
    "agreed", "refused", "set", "given", "allergic", "danger", "finished",
]  # fmt: skip
KINDS: tuple[str, ...] = get_args(EventKind)


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened.

    `about`: an observation by its id ("age", "sex" and "weight" are the person's), a resource
    (away, there), a classification (agreed, refused, set), a drug (given, allergic), or a danger
    sign (`reason` is its name; `value` present, ask, or absent once it was asked for). Agreeing
    changes nothing: what stands stands by its rule. Refusing or setting one overrides the rule;
    `reason` says why. `value` is an answer; `at` the time, in ISO 8601.
    """

    kind: EventKind
    about: str = ""
    value: FindingValue = None
    reason: str = ""
    at: str = ""

    def to_json(self) -> dict[str, Any]:
        """A line of a record; what is empty is left out.

        >>> Event("answered", "cough", True).to_json()
        {'event': 'answered', 'about': 'cough', 'value': True}
        """
        form: dict[str, Any] = {"event": self.kind}
        if self.about:
            form["about"] = self.about
        if self.value is not None:
            form["value"] = _written(self.value)
        if self.reason:
            form["reason"] = self.reason
        if self.at:
            form["at"] = self.at
        return form

    @classmethod
    def from_json(cls, form: Mapping[str, Any]) -> Event:
        """The event of a line; `FindingsError` where it is none.

        >>> Event.from_json({"event": "answered", "about": "cough", "value": True}).value
        True
        """
        kind = form.get("event")
        if kind not in KINDS:
            raise FindingsError(
                f"'{kind}' is nothing that happens in an assessment",
                where="event",
                remedy=f"one of {', '.join(KINDS)}",
            )
        about = str(form.get("about", ""))
        return cls(
            kind,
            about,
            read_finding(about, form.get("value")),
            str(form.get("reason", "")),
            str(form.get("at", "")),
        )


def _written(value: FindingValue) -> Any:
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, Measured):
        return {"value": value.value, "unit": value.unit}
    return value


def not_undone(events: Iterable[Event]) -> list[Event]:
    """The events that still count: each `undone` takes back the last one before it that does.

    How it started is not taken back.

    >>> cough, fever = Event("answered", "cough", True), Event("answered", "fever", True)
    >>> [each.about for each in not_undone([cough, fever, Event("undone")])]
    ['cough']
    """
    counting: list[Event] = []
    for event in events:
        if event.kind != "undone":
            counting.append(event)
        elif counting and counting[-1].kind != "started":
            counting.pop()
    return counting
