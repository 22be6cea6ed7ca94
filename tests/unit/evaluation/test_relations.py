"""The task `relations`: what counts as the same relation, and what is left out is counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from medweave import KnowledgeBase
from medweave.evaluation.items import Item, Ranked, Related
from medweave.evaluation.outcomes import Checkpoint, outcome_of
from medweave.evaluation.result import Evaluation
from medweave.evaluation.runner import OURS, evaluate
from medweave.evaluation.task import Request
from medweave.evaluation.tasks.relations import (
    labelled_items,
    labelled_relations,
    measures_of,
    plan,
)

TEXT = "Zinc causes pain. Lead causes nausea."
GOLD = {
    "text": TEXT,
    "spans": [
        {"start": 0, "end": 4, "label": "DRUG"},
        {"start": 12, "end": 16, "label": "SIGN"},
        {"start": 18, "end": 22, "label": "DRUG"},
    ],
    "relations": [{"head": 0, "child": 1, "label": "CAUSE"}],
}
PUBTATOR = """{n}|t|{drug} induced {sign}.
{n}|a|The {sign} went when {drug} was stopped. Water did nothing.
{n}\t0\t{a}\t{drug}\tChemical\tC{n}
{n}\t{b}\t{c}\t{sign}\tDisease\tD{n}
{n}\tCID\tC{n}\tD{n}
"""


def items(tmp_path: Path, *records: object) -> tuple[Item, ...]:
    file = tmp_path / "gold.jsonl"
    file.write_text("\n".join(json.dumps(record) for record in records))
    return labelled_items(file).items


def figures(item: Item, *found: Related) -> dict[str, float]:
    outcome = outcome_of(item, Ranked(related=found), 1.0)
    measured = measures_of([item], [outcome])
    return {name: measure([0]) for name, measure in measured.items()}


@pytest.mark.parametrize(
    ("found", "right"),
    [
        (Related("z", "cause", "p", ((0, 4),), ((12, 16),)), {"f1", "relaxed_f1"}),
        (Related("p", "cause", "z", ((12, 16),), ((0, 4),)), {"f1", "relaxed_f1"}),
        (Related("z", "cause", "p", ((0, 3),), ((12, 16),)), {"relaxed_f1"}),
        (Related("z", "treat", "p", ((0, 4),), ((12, 16),)), set()),
        (Related("l", "cause", "p", ((18, 22),), ((12, 16),)), set()),
    ],
)
def test_places_count_in_either_direction_of_labels_that_keep_to_none(
    found: Related, right: set[str], tmp_path: Path
) -> None:
    (item,) = items(tmp_path, GOLD)
    measured = figures(item, found)
    assert {name for name in ("f1", "relaxed_f1") if measured[name] == 1} == right
    same_ends = found.predicate == "treat" or bool(right)
    assert (measured["untyped_relaxed_f1"] == 1) is same_ends


def test_a_directed_label_is_not_right_when_it_is_turned(tmp_path: Path) -> None:
    directed = {**GOLD, "relations": [{"subject": 0, "predicate": "cause", "object": 1}]}
    (item,) = items(tmp_path, directed)
    turned = Related("p", "cause", "z", ((12, 16),), ((0, 4),))
    assert figures(item, turned)["untyped_relaxed_f1"] == 0


def test_identifiers_count_wherever_their_names_stand(tmp_path: Path) -> None:
    file = tmp_path / "gold.pubtator"
    file.write_text(PUBTATOR.format(n=1, drug="Zinc", sign="pain", a=4, b=13, c=17))
    (item,) = labelled_items(file).items
    assert [each[:3] for each in map(_ends, labelled_relations(item).gold)] == [("C1", "cid", "D1")]
    elsewhere = Related("C1", "cid", "D1")
    unlinked = Related("zinc", "cid", "pain", ((0, 4),), ((13, 17),))
    assert figures(item, elsewhere)["f1"] == 1
    assert figures(item, unlinked)["f1"] == 0
    assert figures(item, unlinked)["relaxed_f1"] == 1


def test_what_has_no_identifier_is_no_answer_by_identifier(tmp_path: Path) -> None:
    file = tmp_path / "gold.pubtator"
    file.write_text(PUBTATOR.format(n=1, drug="Zinc", sign="pain", a=4, b=13, c=17))
    (item,) = labelled_items(file).items
    right, wrong = Related("C1", "cid", "D1"), Related("C1", "cid", "D7")
    unknown = Related("C1", "cid", "aches", ((0, 4),), ((40, 44),), identified=False)
    assert figures(item, right, unknown)["precision"] == 1
    assert figures(item, right, unknown)["relaxed_precision"] == 0.5
    assert figures(item, right, wrong)["precision"] == 0.5


def _ends(related: Related) -> tuple[str, str, str]:
    return related.subject, related.predicate, related.object


def test_what_is_broken_is_left_out_and_counted(tmp_path: Path) -> None:
    file = tmp_path / "gold.jsonl"
    far = {"start": 0, "end": 999, "label": "DRUG"}
    broken = {**GOLD, "spans": [*GOLD["spans"], far], "relations": [{"head": 0, "label": "X"}]}
    records = [GOLD, broken, {"text": TEXT}, {"text": " ", "spans": []}]
    file.write_text("\n".join([*(json.dumps(record) for record in records), "{"]))
    data = labelled_items(file)
    assert (data.n, data.evaluated) == (5, 2)
    assert sum(data.left_out.values()) == 3
    assert dict(data.counts) == {"relations": 1, "labels_left_out": 2}


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Evaluation:
    folder = tmp_path_factory.mktemp("relations")
    drugs = ["Zornol", "Brimex", "Caltin", "Dorvil", "Elprex", "Fentor"]
    signs = ["fever", "cough", "rashes", "ulcers", "spasms", "tremor"]
    blocks = [
        PUBTATOR.format(n=n, drug=d, sign=s, a=6, b=15, c=15 + len(s))
        for n, (d, s) in enumerate((d, s) for d in drugs for s in signs)
    ]
    (folder / "train.pubtator").write_text("\n".join(blocks[6:]))
    (folder / "test.pubtator").write_text("\n".join(blocks[:6]))
    with KnowledgeBase.sample() as base:
        request = Request(folder / "test.pubtator", base, train=folder / "train.pubtator")
        return evaluate(plan(request), Checkpoint(folder / "kept.jsonl", {}))


def test_all_baselines_stand_in_one_table_with_intervals(trained: Evaluation) -> None:
    names = [system.name for system in trained.systems]
    assert names[0] == OURS
    for baseline in ("dictionary", "same sentence", "patterns", "majority"):
        assert {baseline, f"{baseline}, labelled things"} <= set(names)
    figure = next(s for s in trained.systems if s.name == OURS).measures["relaxed_f1"]
    assert 0 <= figure.low <= figure.value <= figure.high <= 1
    rows = trained.tables["relations_by_predicate"]
    assert {row["predicate"] for row in rows} == {"cid"}


def test_labelled_things_are_joined_as_training_texts_join_them(trained: Evaluation) -> None:
    measured = {system.name: system.measures["f1"].value for system in trained.systems}
    assert measured[f"{OURS}, labelled things"] == 1
    assert measured["dictionary, labelled things"] == 0
