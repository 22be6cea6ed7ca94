"""The practical advice of the sample: short, in both languages, of an aspect that is looked for,
and giving no leave that structured records must give."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import pytest

from medweave import KnowledgeBase
from medweave.app import sample_files
from medweave.language.data import shipped_yaml

LONGEST = {"en": 320, "zh": 160}
LEAVE = re.compile(
    r"\bsafe (?:in|during|while|when) (?:pregnan|breast)|怀孕(?:期|时)?(?:用|吃|服)?(?:是|很)?安全",
    re.IGNORECASE,
)


def advice(language: str) -> list[tuple[str, dict[str, Any]]]:
    return [
        (record["name"], entry)
        for path in sample_files()
        if path.name in (f"drugs.{language}.json", f"diseases.{language}.json")
        for record in json.loads(path.read_text("utf-8"))
        for field in ("practical_advice", "urgent_care")
        for entry in record.get(field, [])
    ]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_each_is_short_and_of_an_aspect_that_is_looked_for(language: str) -> None:
    known = shipped_yaml("retrieval", "advice", "practical.yaml")["aspects"]
    found = advice(language)
    assert len(found) > 6000
    for name, entry in found:
        assert 8 < len(entry["text"]) <= LONGEST[language], (name, entry)
        assert entry["aspect"] in known, (name, entry)
        assert not LEAVE.search(entry["text"]), (name, entry)


def test_what_is_told_in_one_language_is_told_in_the_other() -> None:
    of = {
        language: Counter(entry["aspect"] for _, entry in advice(language)) for language in LONGEST
    }
    for aspect, count in of["en"].items():
        assert abs(count - of["zh"][aspect]) <= max(3, count // 20), aspect


def test_nothing_is_told_twice_of_one_thing() -> None:
    for language in LONGEST:
        told = Counter((name, entry["text"]) for name, entry in advice(language))
        assert [key for key, count in told.items() if count > 1] == []


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("My poo is black since the iron tablets, should I worry?", "harmless"),
        ("Why folic acid with methotrexate?", "lessen"),
        ("Can I go swimming with asthma?", "swimming"),
        ("How long is chickenpox contagious?", "crusted"),
        ("is tinnitus dangerous", "mostly not dangerous"),
        ("what is the difference between omeprazole and famotidine", "famotidine"),
        ("痛风能喝啤酒吗", "啤酒"),
        ("癫痫病人能开车吗", "开车"),
        ("打完流感针胳膊酸正常吗", "正常"),
    ],
)
def test_what_people_ask_is_told(asked: str, told: str) -> None:
    with KnowledgeBase.sample() as base:
        answer = base.ask(asked)
    assert told in answer.text
    assert answer.statements
