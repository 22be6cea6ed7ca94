"""A denial never lowers a disease that lacks what is denied, and hardly one that lists it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medweave import KnowledgeBase
from medweave.inference.differential import differential
from medweave.model.inferred import Differential

DISEASES = {
    "zorn fever": ["fever", "blue spots"],
    "marsh cough": ["cough", "fever", "hiccups"],
    "common ache": ["fever", "cough", "headache", "nausea", "fatigue"],
    "toe gout": ["toe pain", "fatigue"],
}
FINDINGS = sorted({finding for some in DISEASES.values() for finding in some})


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    records = [{"name": n, "concept": "disease", "symptoms": s} for n, s in DISEASES.items()]
    path: Path = tmp_path_factory.mktemp("denials") / "diseases.json"
    path.write_text(json.dumps(records), "utf-8")
    with KnowledgeBase.open("memory:") as opened:
        opened.build([path])
        yield opened


def ranked(base: KnowledgeBase, present: list[str], absent: list[str]) -> Differential:
    def groups(names: list[str]) -> tuple[tuple[str, ...], ...]:
        return tuple((base.show(name).entity.id,) for name in names)

    return differential(groups(present), groups(absent), base.knowledge)


def order(base: KnowledgeBase, found: Differential) -> list[str]:
    return [base.knowledge.entities.get(r.entity).name() for r in found.ranked]


@given(st.data())
def test_denying_what_a_disease_lacks_never_lowers_it(
    base: KnowledgeBase, data: st.DataObject
) -> None:
    present = data.draw(st.lists(st.sampled_from(FINDINGS), min_size=1, max_size=3, unique=True))
    before = order(base, ranked(base, present, []))
    disease = data.draw(st.sampled_from(before))
    others = [f for f in FINDINGS if f not in DISEASES[disease] and f not in present]
    absent = data.draw(st.lists(st.sampled_from(others), unique=True)) if others else []
    after = order(base, ranked(base, present, absent))
    assert after.index(disease) <= before.index(disease)


def test_denying_what_is_listed_decides_between_equals_only(base: KnowledgeBase) -> None:
    found = ranked(base, ["cough", "fever", "hiccups"], ["blue spots"])
    assert order(base, found)[0] == "marsh cough"
    denied = ranked(base, ["cough", "fever", "headache"], ["nausea", "fatigue"])
    assert order(base, denied)[0] == "common ache"
    assert denied.ranked[0].against
