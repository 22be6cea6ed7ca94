"""Templates: what one sentence says of its subject, affirmed or denied."""

from __future__ import annotations

import time

import pytest

from medweave.sources.prose.templates import read_sentence, template_set

SUBJECTS = frozenset({"flu", "感冒"})


def said(sentence: str, language: str) -> list[tuple[str, str, int]]:
    found = read_sentence(sentence, SUBJECTS, template_set(language))
    return [(item.template.predicate, item.name, item.polarity) for item in found]


@pytest.mark.parametrize(
    ("language", "sentence", "affirmed", "denied"),
    [
        ("en", "The symptoms of flu are fever, cough but not rash.", ["fever", "cough"], ["rash"]),
        ("en", "The symptoms of flu are fever, cough but no rash.", ["fever", "cough"], ["rash"]),
        ("en", "Flu does not cause fever.", [], ["fever"]),
        ("zh", "感冒的症状有发热、咳嗽，但无皮疹。", ["发热", "咳嗽"], ["皮疹"]),
        ("zh", "感冒的症状有发热、咳嗽但不出现皮疹。", ["发热", "咳嗽"], ["皮疹"]),
        ("zh", "感冒不会引起皮疹。", [], ["皮疹"]),
        ("zh", "常见症状有发热、咳嗽。", ["发热", "咳嗽"], []),
        ("zh", "主要症状为发热。", ["发热"], []),
    ],
)
def test_what_is_denied_has_a_negative_polarity(
    language: str, sentence: str, affirmed: list[str], denied: list[str]
) -> None:
    wanted = [("has_symptom", name, 1) for name in affirmed]
    assert said(sentence, language) == wanted + [("has_symptom", name, -1) for name in denied]


@pytest.mark.parametrize("name", ["无力", "不适"])
def test_a_name_that_begins_like_a_denial_is_none(name: str) -> None:
    assert said(f"感冒的症状有发热、{name}。", "zh")[1] == ("has_symptom", name, 1)


@pytest.mark.parametrize("sentence", ["a" + " " * 900 + "x", "flu is " * 140, "x" * 10**6])
def test_no_sentence_takes_long(sentence: str) -> None:
    started = time.process_time()
    assert said(sentence, "en") == said(sentence, "zh") == []
    assert time.process_time() - started < 10
