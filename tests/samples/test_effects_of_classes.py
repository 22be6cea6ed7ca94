"""A list of what brings an effect on names the classes and medicines that anybody would name; what
is left off before a test, or just not, is said first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from medweave import KnowledgeBase

LISTS: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "effects_of_classes.yaml").read_text("utf-8")
)
BEFORE_A_TEST = [
    ("Which diet is kept with coeliac disease?", "eaten as before"),
    ("查乳糜泻之前能不能先不吃面食", "照常吃含麸质"),
    ("查幽门螺杆菌呼气试验前奥美拉唑要停吗", "停两周"),
    (
        "I take biotin for my hair and have a thyroid blood test tomorrow, does it matter?",
        "blood tests",
    ),
    ("Do I have to stop metformin before a CT scan with contrast?", "iodinated contrast"),
]


@pytest.mark.parametrize("row", LISTS, ids=lambda row: row["asked"])
def test_a_list_of_effects_names_what_anybody_would(
    base: KnowledgeBase, row: dict[str, Any]
) -> None:
    shown = " ".join(base.ask(row["asked"]).text.split())
    assert [name for name in row["named"] if name not in shown] == []


@pytest.mark.parametrize(("asked", "told"), BEFORE_A_TEST)
def test_what_holds_before_a_test_is_told(base: KnowledgeBase, asked: str, told: str) -> None:
    first = base.ask(asked).sentences[0].text
    assert told in first, first
