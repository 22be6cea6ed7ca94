"""Drugs are asked for that must spare something: it is held against each, and nothing denied."""

from __future__ import annotations

import pytest

from medweave.knowledge_base import KnowledgeBase


@pytest.mark.parametrize(
    ("question", "held_back"),
    [
        ("Which drugs treat migraine but are not contraindicated in pregnancy?", "naproxen"),
        ("drugs for gout that do not harm the kidneys", "indomethacin"),
        ("Which drugs for hypertension don't make asthma worse?", "propranolol"),
        ("Which painkillers for a headache are gentle on the stomach?", "ibuprofen"),
        ("medicines for epilepsy which aren't dangerous for the liver", "valproate"),
        ("Antibiotics used for cystitis that are never harmful in pregnancy?", "co-trimoxazole"),
        ("drugs for angina that will not aggravate asthma", "propranolol"),
        ("What is used for back pain without irritating a peptic ulcer?", "naproxen"),
    ],
)
def test_what_would_harm_is_not_offered(base: KnowledgeBase, question: str, held_back: str) -> None:
    answer = base.ask(question)
    groups = {
        drug.entity.name(): group.standing
        for listed in answer.drugs
        for group in listed.groups
        for drug in group.drugs
    }
    stopped = {stop.name for stop in answer.stops if stop.status == "applies"}
    assert groups, question
    assert groups.get(held_back, "stopped") in ("stopped", "with_care") or held_back in stopped
    assert answer.to_json()["question"] == question


@pytest.mark.parametrize(
    "question",
    ["Is ibuprofen not harmful in asthma?", "Which drugs are not contraindicated in pregnancy?"],
)
def test_what_asks_for_no_list_is_read_as_it_stands(base: KnowledgeBase, question: str) -> None:
    assert base.understand(question).as_written == ""


@pytest.mark.parametrize(
    ("text", "left", "spared"),
    [
        ("something for insomnia that isn't addictive", "melatonin", "zopiclone"),
        ("which sleeping tablets are not habit forming", "melatonin", "lorazepam"),
        ("a painkiller I won't get addicted to", "paracetamol", "codeine"),
        ("失眠吃什么药不会上瘾", "melatonin", "zopiclone"),
        ("什么安眠药不会成瘾", "melatonin", "diazepam"),
        ("治痛风又不会拉肚子的药", "naproxen", "colchicine"),
    ],
)
def test_lists_leave_out_what_brings_on_what_is_not_wanted(
    base: KnowledgeBase, text: str, left: str, spared: str
) -> None:
    listed = {
        drug.entity.name("en")
        for asked_for in base.ask(text).drugs
        for group in asked_for.groups
        for drug in group.drugs
    }
    assert left in listed
    assert spared not in listed
