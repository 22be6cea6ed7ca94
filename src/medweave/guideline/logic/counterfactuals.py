"""What would change a classification: "it would change if the PCR is negative"."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import cast

from medweave.errors import FindingsError
from medweave.guideline.logic.evaluation import Evaluated
from medweave.guideline.logic.explanations import WouldChange
from medweave.guideline.logic.graph import COMPARE
from medweave.model.findings import FindingValue
from medweave.model.guideline import Observation, answers_of
from medweave.model.logic import Compared

_SIDES = (0.0, -0.1, 0.1)
"""A limit is tried itself, and on either side of it."""


def would_change(
    state: Evaluated,
    classification: str,
    observations: Iterable[str],
    status: Callable[[Evaluated, str], str],
) -> list[WouldChange]:
    """The answers to these observations that would each give a classification another status."""
    before = status(state, classification)
    found: list[WouldChange] = []
    for name in observations:
        observation = state.graph.observations.get(name)
        if observation is None:
            continue
        for answer, value, words in _tried(state, observation):
            try:
                after = status(state.after(name, value), classification)
            except FindingsError:
                continue
            if after != before:
                change = f"{observation.label} is {words}"
                found.append(WouldChange(classification, name, answer, after, change))
    return found


def _tried(state: Evaluated, observation: Observation) -> list[tuple[str, FindingValue, str]]:
    if observation.kind != "number":
        return [
            (answer.id, answer.id, answer.label.lower())
            for answer in answers_of(observation)
            if answer.means != "unavailable"
        ]
    limits = sorted(
        {
            cast(Compared, state.graph.data[leaf]).limit
            for leaf in state.graph.leaves.get(observation.id, ())
            if state.graph.kinds[leaf] == COMPARE
        }
    )
    unit = "" if observation.unit in ("", "1") else f" {observation.unit}"
    words = ("", "below ", "above ")
    return [
        (f"{limit + side:g}", limit + side, f"{word}{limit:g}{unit}")
        for limit in limits
        for side, word in zip(_SIDES, words, strict=True)
    ]
