"""Words that readers go by stand in data files: a newcomer adds one without reading code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from medweave.language.data import rule_in, rule_in_any, rules_in

PACKAGE = Path(__file__).parents[3] / "src" / "medweave"
ROOMS = ("understanding", "retrieval", "inference", "contributors", "answering")
HAN = re.compile(r"[\u4e00-\u9fff]")
ALTERNATIVES = re.compile(r"[a-z]{3,}(?:\|[a-z]{3,}){2,}")
"""Three English words by turns."""
NO_CUES = {
    "understanding/danger/crisis_training.py": "labels of records that are learned from",
    "understanding/question.py": "a mark of a question",
    "retrieval/passages/differing.py": "numerals",
    "retrieval/drugs/advice.py": "the first and the last Chinese character",
}


def _words_in(path: Path) -> Iterator[str]:
    """Texts of a module that are words of a language to be found in other texts."""
    tree = ast.parse(path.read_text("utf-8"))
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        value = node.value if isinstance(node, ast.Constant) and id(node) not in told else None
        if isinstance(value, str) and (HAN.search(value) or ALTERNATIVES.search(value)):
            yield value


@pytest.mark.parametrize("room", ROOMS)
def test_no_words_of_a_language_stand_in_code(room: str) -> None:
    found = {
        path.relative_to(PACKAGE).as_posix(): words
        for path in (PACKAGE / room).rglob("*.py")
        if (words := list(_words_in(path)))
    }
    assert set(found) <= set(NO_CUES), found


def test_a_rule_is_read_in_its_language_and_in_english_where_none_ships() -> None:
    place = ("understanding", "rules", "patient.*.yaml")
    assert rule_in("zh", "allergy_word", *place).search("过敏")
    assert not rule_in("zh", "allergy_word", *place).search("allergic")
    assert rules_in("fr", *place) == rules_in("en", *place)


@pytest.mark.parametrize("text", ["allergic", "过敏"])
def test_a_rule_for_texts_that_mix_languages_is_read_in_all_of_them(text: str) -> None:
    assert rule_in_any("allergy_word", "understanding", "rules", "patient.*.yaml").search(text)
