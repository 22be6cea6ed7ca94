"""Precision and recall of findings understood from the free text of cases, beside plain keywords.

`python scripts/measure_case_texts.py [FILE]`: FILE is JSONL of {"id", "kind", "text", "findings",
"age_days"?, "weight_kg"?, "sex"?}; null is a finding that the text leaves open. Without it, the
texts that ship. The baseline finds labels and aliases as they are written: a sign that is named is
there, and an answer that is named is given.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from medweave.errors import FindingsError
from medweave.guideline.case_reader import CaseReader
from medweave.guideline.loading import graph_in
from medweave.guideline.logic.values import read_value
from medweave.model.findings import FindingValue
from medweave.model.guideline import Observation, answers_of

GOLD = Path(__file__).parents[1] / "gold"

SLACK = 0.02
PERSON = ("age_days", "weight_kg", "sex")
Told = Mapping[str, FindingValue]


def say(text: str) -> None:
    """A line on stdout."""
    sys.stdout.write(f"{text}\n")


def main() -> None:
    """Print the figures, and with --errors each finding that differs."""
    names = [each for each in sys.argv[1:] if not each.startswith("-")]
    file = Path(names[0]) if names else GOLD / "guideline_texts.jsonl"
    cases = [json.loads(line) for line in file.read_text("utf-8").split("\n") if line]
    reader = CaseReader(graph_in("sample"))
    observations = reader.graph.observations

    def ours(text: str) -> Told:
        return {each.observation: each.value for each in reader.read(text).findings}

    def said_alone(text: str) -> Told:
        found = reader.read(text).findings
        return {each.observation: each.value for each in found if not each.implied}

    def keywords(text: str) -> Told:
        return plain_keywords(text, observations)

    say("| system | texts | precision | recall | F1 | left open |\n|---|---|---|---|---|---|")
    kinds = ["all", *dict.fromkeys(str(case.get("kind", "")) for case in cases)]
    for system, read in (
        ("medweave", ours),
        ("without what is implied", said_alone),
        ("plain keywords", keywords),
    ):
        for kind in kinds:
            some = [case for case in cases if kind in ("all", case.get("kind"))]
            say(row(system, kind, some, read, observations))
    wanted = [(case, what) for case in cases for what in PERSON if what in case]
    right = sum(getattr(reader.read(case["text"]), what) == case[what] for case, what in wanted)
    say(f"\nage, weight and sex: {right} of {len(wanted)}")
    if "--errors" in sys.argv:
        for case in cases:
            print_errors(case, ours(case["text"]), observations)
            read = reader.read(case["text"])
            for what in PERSON:
                if what in case and getattr(read, what) != case[what]:
                    say(f"{case['id']}: {what} is {case[what]}, told {getattr(read, what)}")


def row(
    system: str,
    kind: str,
    cases: list[dict[str, Any]],
    read: Callable[[str], Told],
    observations: Mapping[str, Observation],
) -> str:
    """One line of the table."""
    hits = told = expected = left = left_open = 0
    for case in cases:
        found = read(case["text"])
        hits += sum(is_right(observations, found, *item) for item in case["findings"].items())
        told += sum(value is not None for value in found.values())
        expected += sum(value is not None for value in case["findings"].values())
        open_ = [name for name, value in case["findings"].items() if value is None]
        left += len(open_)
        left_open += sum(found.get(name) is None for name in open_)
    precision, recall = hits / max(1, told), hits / max(1, expected)
    f1 = 2 * precision * recall / max(1e-9, precision + recall)
    figures = f"{precision:.3f} | {recall:.3f} | {f1:.3f} | {left_open} of {left}"
    return f"| {system} | {kind} ({len(cases)}) | {figures} |"


def is_right(
    observations: Mapping[str, Observation], found: Told, name: str, wanted: FindingValue
) -> bool:
    """Whether a finding was told as it should be."""
    value = found.get(name)
    if value is None or wanted is None:
        return False
    try:
        told, meant = (read_value(observations[name], each).known for each in (value, wanted))
    except FindingsError:
        return False
    if told is None or meant is None:
        return False
    if told.number is not None and meant.number is not None:
        return abs(told.number - meant.number) < SLACK
    return told.answers == meant.answers and told.unavailable == meant.unavailable


def plain_keywords(text: str, observations: Mapping[str, Observation]) -> Told:
    """Names as they are written, whole words; what is named is there."""
    lowered = text.lower()
    found: dict[str, FindingValue] = {}
    for each in observations.values():
        if each.kind == "number":
            for name in (each.label, *each.aliases):
                number = re.search(rf"\b{re.escape(name.lower())}\D{{0,5}}(\d+(?:\.\d+)?)", lowered)
                if number:
                    found[each.id] = float(number[1])
            continue
        if not any(_stands(name, lowered) for name in (each.label, *each.aliases)):
            continue
        if each.kind == "boolean":
            found[each.id] = True
            continue
        for answer in answers_of(each):
            if any(_stands(name, lowered) for name in (answer.label, *answer.aliases)):
                found[each.id] = answer.id
    return found


def _stands(name: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(name.lower())}\b", text) is not None


def print_errors(
    case: Mapping[str, Any], found: Told, observations: Mapping[str, Observation]
) -> None:
    """What was missed, and what was told and is not so."""
    for name, wanted in case["findings"].items():
        if wanted is not None and not is_right(observations, found, name, wanted):
            say(f"{case['id']}: {name} is {wanted}, told {found.get(name)}")
    for name, value in found.items():
        if value is not None and case["findings"].get(name) is None:
            say(f"{case['id']}: {name} is not told, and was read as {value}")


if __name__ == "__main__":
    main()
