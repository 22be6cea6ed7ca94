"""When to come back about the classifications that stand: by each, and by what is done about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from medweave.inference.guideline_graph import FALSE, UNKNOWN
from medweave.inference.guideline_logic import Evaluated
from medweave.inference.guideline_missing import Missing
from medweave.model.assessment import FollowUpRow
from medweave.model.guideline import Classification


def follow_ups(
    state: Evaluated, standing: Iterable[Classification], missing: Missing
) -> tuple[FollowUpRow, ...]:
    """All that apply or may apply, the earliest first; each of a classification once."""
    found = {
        (row.days, row.when, row.classification): row
        for each in standing
        for row in reversed(list(_of(state, each, missing)))
    }
    return tuple(sorted(found.values(), key=lambda row: (row.days, row.when, row.classification)))


def _of(state: Evaluated, each: Classification, missing: Missing) -> Iterator[FollowUpRow]:
    by_steps = [(step, follow_up) for step in each.treatments for follow_up in step.follow_ups]
    # A day that a step of its own says, too, is the step's, and holds where the step applies.
    said = {follow_up.days for _, follow_up in by_steps}
    if each.follow_up_days is not None and each.follow_up_days not in said:
        yield FollowUpRow(each.follow_up_days, each.id)
    for step, follow_up in by_steps:
        node = state.graph.steps[each.id, step.id]
        if state.values[node] != FALSE:
            waits = missing.of(node).missing if state.values[node] == UNKNOWN else ()
            yield FollowUpRow(follow_up.days, each.id, follow_up.when, step.id, waits)


def earliest(rows: Sequence[FollowUpRow]) -> int | None:
    """In how many days to come back: what surely applies goes before what only may."""
    sure = [row.days for row in rows if not row.missing]
    return min(sure or [row.days for row in rows], default=None)
