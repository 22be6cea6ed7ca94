"""A state of a person speaks against medicines, whether they have a record of their own or only
that of their class; and against others it does not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from medweave import KnowledgeBase

STATES: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "states_of_persons.yaml").read_text("utf-8")
)


@pytest.mark.thorough
@pytest.mark.parametrize("state", STATES, ids=lambda state: state["told"])
def test_what_speaks_against_a_medicine_is_told_in_each_state(
    base: KnowledgeBase, state: dict[str, Any]
) -> None:
    wrong = []
    for wanted in ("forbids", "care", "free"):
        for drug in state.get(wanted, []):
            stops = base.ask(f"{state['told']} Can I take {drug}?").stops
            met = [stop for stop in stops if stop.status == "applies"]
            hard = any(stop.hard for stop in met)
            right = {"forbids": hard, "care": bool(met), "free": not met}[wanted]
            wrong += [] if right else [f"{drug}: {wanted}, is {'hard' if hard else len(met)}"]
    assert wrong == []
