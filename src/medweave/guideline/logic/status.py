"""What a guideline says of one child: every classification in its status, what follows, and why.

See decision record 0033. No milder classification is confirmed while a severer one of its condition
is open; where that is open only for what cannot be had, what stands is acted on, and said to be
provisional.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from medweave.guideline.logic.contradictions import contradictions, person_warnings
from medweave.guideline.logic.counterfactuals import would_change
from medweave.guideline.logic.evaluation import Evaluated
from medweave.guideline.logic.explanations import (
    age_in_words,
    ages_in_words,
    explain,
    observations_named,
)
from medweave.guideline.logic.follow_ups import earliest, follow_ups
from medweave.guideline.logic.graph import FALSE, OWN, TRUE, UNKNOWN
from medweave.guideline.logic.missing import Missing, Open
from medweave.guideline.logic.questions import next_question
from medweave.guideline.logic.treatments import treatments
from medweave.model.assessment import (
    STANDS,
    Assessment,
    ClassificationResult,
    ClassificationStatus,
)
from medweave.model.guideline import Classification
from medweave.model.question import UNNAMED_DANGER
from medweave.model.reached import reached

if TYPE_CHECKING:
    from medweave.model.answer import Danger
    from medweave.model.question import Unread

_NAMED = 4
"""So many changes are told in a sentence."""


@dataclass(frozen=True, slots=True)
class Status:
    """A classification's status without words; `open` are classifications not excluded.

    `unasked`: danger signs that nobody asked for, without which nothing harmless is told.
    """

    status: ClassificationStatus
    open: tuple[str, ...] = ()
    unasked: tuple[str, ...] = ()


def status_of(state: Evaluated, classification: str) -> Status:  # noqa: PLR0911 - one a status
    """The status of one classification."""
    graph, values = state.graph, state.values
    rule = graph.rules[classification]
    overruled = state.overruled.get(classification)
    if values[rule.ages] == FALSE:
        return Status("not_applicable")
    if overruled == "refused":
        return Status("excluded")
    if overruled == "agreed":
        return Status("confirmed") if values[rule.ages] == TRUE else Status("possible")
    severer = [(name, state.own(name)) for name in graph.yields[classification]]
    if values[rule.standing] == FALSE or any(value == TRUE for _, value in severer):
        return Status("excluded")
    if values[rule.standing] == UNKNOWN:
        return Status("possible")
    open_ = [name for name, value in severer if value == UNKNOWN]
    if values[rule.strict] == UNKNOWN:
        open_ += [name for name in _open_within(state, rule.strict) if name not in open_]
    if not open_:
        return Status("confirmed")
    waits = graph.guideline.danger_signs_first
    harmless = is_harmless(graph.classifications[classification])
    unasked = _danger_signs_unasked(state) if waits and harmless else ()
    return Status("possible" if unasked else "provisional", tuple(open_), unasked)


def is_harmless(classification: Classification) -> bool:
    """Whether it says that there is nothing grave."""
    return classification.severity == "none" or classification.colour == "green"


def _danger_signs_unasked(state: Evaluated) -> tuple[str, ...]:
    """The danger signs of this age that nobody has asked for, and that rules wait for."""
    return tuple(
        each.id
        for each in state.graph.danger_signs
        if each.id not in state.known
        and each.ages.has(state.findings.age_days) is not False
        and state.shown(each.id) != FALSE
        and any(state.values[leaf] == UNKNOWN for leaf in state.graph.leaves[each.id])
    )


def _open_within(state: Evaluated, node: int) -> list[str]:
    """The classifications for which a rule is unknown."""
    graph, values = state.graph, state.values

    def is_other(part: int) -> bool:
        return graph.kinds[part] == OWN and part != node

    def open_parts(part: int) -> Iterable[int]:
        return () if is_other(part) else (k for k in graph.kids[part] if values[k] == UNKNOWN)

    within = filter(is_other, reached([node], open_parts))
    return list(dict.fromkeys(cast(str, graph.data[part]) for part in within))


def statuses(state: Evaluated) -> dict[str, Status]:
    """The status of every classification, by id."""
    return {name: status_of(state, name) for name in state.graph.rules}


def outcomes(state: Evaluated) -> tuple[ClassificationResult, ...]:
    """Every classification in its status, with what it waits for and without words: `why` is ''.

    This is what the next question is chosen by; words take longer than everything else.
    """
    missing, found = Missing(state), statuses(state)
    return tuple(
        _result(state, each, found[each.id], missing, words=False)
        for each in state.graph.guideline.classifications
    )


def assess(
    state: Evaluated,
    *,
    order: str = "best",
    danger: Sequence[Danger] | None = None,
    unread: Sequence[Unread] = (),
) -> Assessment:
    """Everything a guideline says of one child. `order` "form": ask as the form does.

    Classifications are in the order of the guideline. Where `danger` has a sign, present or to be
    asked for, nothing harmless stands beside it; one that is present is a reason to refer. Words
    of a text that nothing took (`unread`) may be a danger sign.
    """
    graph = state.graph
    missing = Missing(state)
    found = statuses(state)
    if danger or unread:
        found = {name: _beside_danger(state, name, each) for name, each in found.items()}
    results = tuple(
        _result(state, each, found[each.id], missing) for each in graph.guideline.classifications
    )
    standing = [each for each in graph.guideline.classifications if found[each.id].status in STANDS]
    at_home = [
        each
        for each, result in zip(graph.guideline.classifications, results, strict=True)
        if result.status in STANDS
        and not each.refer
        and not any(_never_excluded(state, name, missing) for name in _in_doubt(result))
    ]
    returns = follow_ups(state, at_home, missing)
    rows, cannot = treatments(state, standing, missing)
    referrals = [_urgent(each) for each in danger or () if _is_named(each)]
    referrals += _refer(state, standing, results, missing)
    refer = "; ".join((*referrals, *cannot)) or None
    return Assessment(
        graph.guideline.id,
        graph.guideline.version,
        results,
        rows,
        next_question(state, results, form=order == "form"),
        earliest(returns),
        refer,
        state.warnings + person_warnings(state),
        state.contradictions + contradictions(state),
        returns,
        danger=None if danger is None else tuple(danger),
        not_understood=tuple(unread),
    )


def _in_doubt(result: ClassificationResult) -> tuple[str, ...]:
    """What is open beside a classification that stands provisionally. Where that can never be
    excluded here, it is treated and referred, and not sent home with a date to come back."""
    return result.open if result.status == "provisional" else ()


def _never_excluded(state: Evaluated, classification: str, missing: Missing) -> bool:
    """Whether it is open only for what cannot be had."""
    waits = missing.of(state.graph.rules[classification].strict)
    return bool(waits.unavailable) and not waits.missing


def _beside_danger(state: Evaluated, name: str, status: Status) -> Status:
    """A harmless classification waits for what is to be done about a danger sign."""
    stands = status.status in STANDS and state.overruled.get(name) != "agreed"
    if not stands or not is_harmless(state.graph.classifications[name]):
        return status
    return Status("possible", status.open, status.unasked)


def _result(
    state: Evaluated,
    each: Classification,
    status: Status,
    missing: Missing,
    *,
    words: bool = True,
) -> ClassificationResult:
    waits = Open()
    if status.status == "possible":
        waits = missing.of(state.graph.rules[each.id].standing)
        waits = Open((*status.unasked, *waits.missing), waits.unavailable)
    elif status.status == "provisional":
        waits = missing.of(*(state.graph.rules[name].strict for name in status.open))
    return ClassificationResult(
        each.id,
        each.label,
        each.condition,
        each.severity,
        each.colour,
        status.status,
        _why(state, each, status, waits) if words else "",
        waits.missing,
        waits.unavailable,
        status.open,
        each.aliases,
    )


def _why(  # noqa: PLR0911 - one a status
    state: Evaluated, each: Classification, status: Status, waits: Open
) -> str:
    rule = state.graph.rules[each.id]
    if status.status == "not_applicable":
        days = state.findings.age_days
        age = "" if days is None else f"; the child is {age_in_words(days)} old"
        return f"only for children {ages_in_words(each.ages)}{age}"
    if status.status == "excluded":
        return _why_excluded(state, each)
    if state.overruled.get(each.id) == "agreed":
        return "somebody set it"
    if status.unasked:
        return f"first ask for every danger sign: {observations_named(state, status.unasked)}"
    if status.status == "possible" and state.values[rule.standing] == TRUE:
        return "there may be a danger sign, or words that were not understood: ask first"
    if status.status == "possible":
        return f"not settled: {_waits_for(state, waits)}"
    reason = explain(state, rule.standing) or "it always holds"
    if status.status == "confirmed":
        return reason
    open_ = " and ".join(state.graph.classifications[name].label for name in status.open)
    return f"{reason}; {open_} could not be excluded{_settled_by(state, each, waits)}"


def _waits_for(state: Evaluated, waits: Open) -> str:
    away = (
        f"{observations_named(state, waits.unavailable)} cannot be had" if waits.unavailable else ""
    )
    if not waits.missing:
        return away or "nothing that can be had would settle it"
    known = f"it depends on {observations_named(state, waits.missing)}"
    return f"{known}; {away}" if away else known


def _settled_by(state: Evaluated, each: Classification, waits: Open) -> str:
    if waits.unavailable and not waits.missing:
        return f", because {observations_named(state, waits.unavailable)} cannot be had"
    changes = would_change(state, each.id, waits.missing[:_NAMED], status_of_name)
    if not changes:
        return f" without {observations_named(state, waits.missing)}" if waits.missing else ""
    return "; it would change if " + " or if ".join(change.words for change in changes[:_NAMED])


def status_of_name(state: Evaluated, classification: str) -> str:
    """The status alone, in a word."""
    return status_of(state, classification).status


def _why_excluded(state: Evaluated, each: Classification) -> str:
    if state.overruled.get(each.id) == "refused":
        return "somebody refused it"
    graph = state.graph
    severer = [name for name in graph.yields[each.id] if state.own(name) == TRUE]
    rule = graph.rules[each.id]
    if severer and state.values[rule.standing] != FALSE:
        names = " and ".join(graph.classifications[name].label for name in severer)
        return f"{names} holds, which goes before it"
    return explain(state, rule.standing) or "its rule never holds"


def _is_named(sign: Danger) -> bool:
    """Whether a sign is there that can be named; what is only learned is asked about mildly."""
    named = sign.how == "rule" or sign.sign != UNNAMED_DANGER
    return sign.status == "present" and named


def _urgent(sign: Danger) -> str:
    when = "refer urgently" if sign.grade == "now" else "refer today"
    return f"{sign.text.rstrip('.。')}: {when}"


def _refer(
    state: Evaluated,
    standing: Iterable[Classification],
    results: Iterable[ClassificationResult],
    missing: Missing,
) -> list[str]:
    """Why to refer: what stands asks for it, or something grave could not be excluded here."""
    reasons = [f"{each.label}: refer" for each in standing if each.refer]
    doubtful: dict[str, None] = {}
    for result in results:
        each = state.graph.classifications[result.id]
        open_ = (name for name in _in_doubt(result) if _never_excluded(state, name, missing))
        doubtful.update(dict.fromkeys(open_))
        grave = each.refer or each.severity == "severe"
        if result.status == "possible" and grave and result.unavailable and not result.missing:
            doubtful[result.id] = None
    for name in doubtful:
        waits = missing.of(state.graph.rules[name].strict)
        label = state.graph.classifications[name].label
        away = observations_named(state, waits.unavailable)
        reasons.append(f"{label} could not be excluded, because {away} cannot be had here: refer")
    return reasons
