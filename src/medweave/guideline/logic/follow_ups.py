"""When to come back about the classifications that stand: by each, and by what is done about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from medweave.guideline.logic.evaluation import Evaluated
from medweave.guideline.logic.graph import FALSE, TRUE, UNKNOWN
from medweave.guideline.logic.missing import Missing
from medweave.model.assessment import FollowUpRow
from medweave.model.guideline import Classification


def follow_ups(
    state: Evaluated, standing: Iterable[Classification], missing: Missing
) -> tuple[FollowUpRow, ...]:
    """All that apply or may apply, the earliest first; each of a classification once."""
    found = {
        (row.days, row.when, row.classification): row
        for each in standing
        for row in _of(state, each, missing)
    }
    return tuple(sorted(found.values(), key=lambda row: (row.days, row.when, row.classification)))


def _of(state: Evaluated, each: Classification, missing: Missing) -> Iterator[FollowUpRow]:
    nodes = {step.id: state.graph.steps[each.id, step.id] for step in each.treatments}
    days: set[int] = set()
    for step in each.treatments:
        value = state.values[nodes[step.id]]
        for follow_up in step.follow_ups if value != FALSE else ():
            waits = missing.of(nodes[step.id]).missing if value == UNKNOWN else ()
            days |= {follow_up.days} if value == TRUE else set()
            yield FollowUpRow(follow_up.days, each.id, follow_up.when, step.id, waits)
    if each.follow_up_days is not None and each.follow_up_days not in days:
        yield FollowUpRow(each.follow_up_days, each.id)


def earliest(rows: Sequence[FollowUpRow]) -> int | None:
    """In how many days to come back: what surely applies goes before what only may."""
    sure = [row.days for row in rows if not row.missing]
    return min(sure or [row.days for row in rows], default=None)
