"""What the text of a case was understood to tell, finding by finding."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from medweave.model.findings import FindingValue, shown_value
from medweave.understanding.case.values import ReportedNumber


@dataclass(frozen=True, slots=True)
class ReportedFinding:
    """One finding as a text tells it. `value` is None where the text says that it is not known."""

    observation: str
    value: FindingValue
    start: int
    end: int
    words: str
    why: str
    implied: bool = False
    """The text does not say it; what it says implies it."""


@dataclass(frozen=True, slots=True)
class ReportedCase:
    """All that a text tells of a child."""

    findings: tuple[ReportedFinding, ...] = ()
    age_days: int | None = None
    weight_kg: float | None = None
    sex: str | None = None
    contradictions: tuple[str, ...] = ()


def of_number(text: str, number: ReportedNumber) -> ReportedFinding:
    """A number as a finding."""
    words = text[number.start : number.end]
    return ReportedFinding(
        number.observation, number.value, number.start, number.end, words, number.why
    )


def overlaps(start: int, end: int, spans: Iterable[tuple[int, int]]) -> bool:
    """Whether a place of a text lies in another, in part at least."""
    return any(start < stop and begin < end for begin, stop in spans)


def settled(reported: list[ReportedFinding]) -> tuple[tuple[ReportedFinding, ...], tuple[str, ...]]:
    """One finding for each observation: what is said last holds, and known goes before unknown."""
    last: dict[str, ReportedFinding] = {}
    notes: dict[str, None] = {}
    for each in sorted(reported, key=lambda found: found.start):
        held = last.get(each.observation)
        if held is None or held.value is None:
            last[each.observation] = each
        elif each.value is not None:
            if each.value != held.value:
                notes[
                    f"{each.observation}: the text says {_in_words(held)}, then {_in_words(each)}"
                ] = None
            last[each.observation] = each
    return tuple(sorted(last.values(), key=lambda f: (f.start, f.observation))), tuple(notes)


def of_several(findings: Iterable[ReportedFinding]) -> ReportedCase:
    """Findings of a text about more than one child: all are open, as any may be either's."""
    why = "the text tells of more than one child"
    open_ = tuple(replace(each, value=None, why=why) for each in findings)
    return ReportedCase(open_, contradictions=(f"{why}: give each child a text of its own",))


def _in_words(reported: ReportedFinding) -> str:
    return f"{shown_value(reported.value)} ('{reported.words}')"
