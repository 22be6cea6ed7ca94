"""Files of items: the generic records, and the layouts of public sets that are known by columns."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from medweave.errors import SourceError
from medweave.evaluation.items import Data, Item
from medweave.language.data import shipped_yaml
from medweave.sources.files.rows import Row, Rows, read_rows
from medweave.understanding.intents.features import QuestionText
from medweave.understanding.intents.labelled_questions import labelled_question

T = TypeVar("T")


def read_data(
    path: Path,
    make: Callable[[Mapping[str, Any], str], Item | str],
    *,
    sample: int = 0,
    rows: Callable[[Path], Rows] = read_rows,
) -> Data:
    """The items of a file; `make` turns a record into an item, or says why it is left out.

    `sample` keeps so many items at most, evenly spread over the file. `rows` reads its records.
    Raises `SourceError` where the file cannot be read, or no record of it is an item.
    """
    read = list(rows(path))
    items: list[Item] = []
    left_out: Counter[str] = Counter()
    records = [row for row in read if isinstance(row, Row)]
    left_out["cannot be read"] = len(read) - len(records)
    for row in records:
        made = make(row.values, str(row.values.get("id", row.line)))
        if isinstance(made, str):
            left_out[made] += 1
        else:
            items.append(made)
    if not items:
        reasons = ", ".join(f"{reason} ({n})" for reason, n in left_out.items() if n)
        raise SourceError(
            f"no record can be evaluated: {reasons}",
            where=str(path),
            remedy="see docs/how-to/evaluate.md for the forms of records",
        )
    chosen = evenly(items, sample)
    left_out["not in the sample"] = len(items) - len(chosen)
    reasons_left = {reason: count for reason, count in left_out.items() if count}
    return Data(path.name, digest_of(path), len(read), tuple(chosen), reasons_left)


def evenly(things: Sequence[T], most: int) -> Sequence[T]:
    """At most so many of these, evenly spread; 0 for all.

    >>> evenly("abcdef", 3)
    ['a', 'c', 'e']
    """
    if not 0 < most < len(things):
        return things
    return [things[at * len(things) // most] for at in range(most)]


def digest_of(path: Path) -> str:
    """The sha256 of a file as it lies there."""
    held = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            held.update(block)
    return held.hexdigest()


def intent_item(record: Mapping[str, Any], identifier: str) -> Item | str:
    """A question with its label, or labels.

    >>> intent_item({"text": "What helps?", "label": "treatment"}, "1").expected
    ('treatment',)
    """
    question = labelled_question(record, QuestionText)
    if isinstance(question, str):
        return question
    return Item(identifier, question.labels, question.asked.text.strip())


def diagnosis_item(record: Mapping[str, Any], identifier: str) -> Item | str:
    """A case with its diagnosis: a text, or findings that are present and absent.

    `disease` (Symptom2Disease) and `features` (DDXPlus) are known as names of public sets.
    """
    named = next((record[k] for k in ("diagnosis", "disease", "label") if k in record), None)
    expected = tuple(str(n) for n in (named if isinstance(named, list) else [named]) if n)
    if not expected:
        return "no diagnosis"
    text = _text(record, "text")
    given = record.get("findings")
    findings: Mapping[str, Any] = given if isinstance(given, dict) else {}
    present, absent = _names(findings.get("present")), _names(findings.get("absent"))
    facts = [f"present: {name}" for name in present] + [f"absent: {name}" for name in absent]
    features = _names(record.get("features"))
    if features:
        codes = dict.fromkeys(feature.split("_@_")[0] for feature in features)
        present = tuple(f"DDXPLUS:{code}" for code in codes)
        facts = [*features, *(code for code in codes if code not in features)]
    if not text and not present and not absent:
        return "neither text nor findings"
    facts += _person({**record, **findings})
    return Item(
        identifier,
        expected,
        text,
        present,
        absent,
        tuple(facts),
        _names(record.get("candidates")),
    )


def _person(record: Mapping[str, Any]) -> list[str]:
    """Age (by decades, finer for children) and sex as features."""
    facts = []
    age, sex = record.get("age"), record.get("sex")
    if isinstance(age, int | float) and not isinstance(age, bool):
        facts.append(f"age: {_band(float(age))}")
    if isinstance(sex, str) and sex:
        facts.append(f"sex: {sex.lower()[:1]}")
    return facts


def _band(years: float) -> str:
    edges = (1, 2, 5, 10, 15, 20, 30, 40, 50, 60, 70, 80)
    return next((f"under {edge}" for edge in edges if years < edge), "80 and over")


def _text(record: Mapping[str, Any], *names: str) -> str:
    found = next((record[name] for name in names if isinstance(record.get(name), str)), "")
    return str(found).strip()


def _names(value: Any) -> tuple[str, ...]:
    listed = value if isinstance(value, list) else []
    return tuple(dict.fromkeys(str(name) for name in listed if isinstance(name, str | int)))


@cache
def label_maps() -> dict[str, dict[str, list[str]]]:
    """What the labels of public sets mean in our intents; several: any of them is right."""
    return {
        name: dict(held)
        for name, held in shipped_yaml("evaluation", "data", "label_maps.yaml").items()
    }


def in_our_labels(data: Data, ours: Iterable[str]) -> tuple[Data, str]:
    """The items with our labels, and the name of the map that was used ('' where none was needed).

    Of a map that has most of the labels, items with none of its labels are left out and counted.
    Raises `SourceError` where neither is possible.
    """
    given = {label for item in data.items for label in item.expected}
    if given <= set(ours):
        return data, ""
    found = {label.lower() for label in given}
    name, held = max(label_maps().items(), key=lambda pair: len(found & set(pair[1])))
    if 2 * len(found & set(held)) > len(found):
        return _mapped(data, held), name
    raise SourceError(
        f"the classifier that ships does not know the labels {', '.join(sorted(given)[:5])}",
        where=data.name,
        remedy="train on labels of that kind with --train FILE, or cross-validate with --folds 5",
    )


def _mapped(data: Data, labels: Mapping[str, Sequence[str]]) -> Data:
    """The items with what their labels mean; those of which no label means anything left out."""
    items = []
    for item in data.items:
        mapped = [ours for label in item.expected for ours in labels.get(label.lower(), ())]
        if mapped:
            items.append(replace(item, expected=tuple(dict.fromkeys(mapped))))
    left_out = dict(data.left_out)
    if len(items) < len(data.items):
        left_out["a label that none of ours means"] = len(data.items) - len(items)
    return replace(data, items=tuple(items), left_out=left_out)
