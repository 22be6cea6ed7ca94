"""Every row of the danger table, held against messages in words that are not those of its rules.

`danger_rows.en.yaml` has, by sign, what lay people and what clinicians may write of it, and a near
miss. A message of a sign raises danger; a near miss raises none. Two shares are floors and no more:
the messages were written once, before the rules were held against them, and mended for since.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from medweave.language.passage import passage_of
from medweave.model.question import DangerSign
from medweave.understanding.danger.find import find_danger
from medweave.understanding.danger.table import danger_signs
from medweave.understanding.patient import read_patient

ROWS = yaml.safe_load((Path(__file__).parent / "danger_rows.en.yaml").read_text("utf-8"))
MESSAGES = [
    (sign, message)
    for sign, kinds in ROWS.items()
    for kind in ("lay", "clinical")
    for message in kinds[kind]
]
NAMED = 0.93
"""The share of messages that a sign of the table raises by its name."""
UNMENDED = {
    "An eyelash was in my eye, it came out",
}
"""What is still read wrongly."""


def present(message: str) -> list[DangerSign]:
    signs = find_danger(message, "en", read_patient(passage_of(message, "en")))
    return [sign for sign in signs if sign.status == "present"]


def test_every_sign_has_messages_of_each_kind() -> None:
    assert ROWS.keys() == {sign.id for sign in danger_signs()}
    assert all(kinds.keys() == {"lay", "clinical", "quiet"} for kinds in ROWS.values())
    assert all(len(kinds["lay"]) >= 3 for kinds in ROWS.values())


@pytest.mark.parametrize(("sign", "message"), MESSAGES)
def test_a_message_of_a_sign_raises_danger(sign: str, message: str) -> None:
    assert bool(present(message)) != (message in UNMENDED), sign


@pytest.mark.parametrize(
    "message", [message for kinds in ROWS.values() for message in kinds["quiet"]]
)
def test_a_near_miss_is_left_quiet(message: str) -> None:
    assert bool(present(message)) == (message in UNMENDED)


def test_most_messages_raise_a_sign_by_its_name() -> None:
    named = [any(sign.how == "rule" for sign in present(message)) for _, message in MESSAGES]
    assert sum(named) / len(named) >= NAMED
