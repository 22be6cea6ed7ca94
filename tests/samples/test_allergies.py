"""No member of a class slips through: every medicine of the base against every allergy."""

from __future__ import annotations

import random

import pytest

from medweave import KnowledgeBase
from medweave.inference.safety.lineage import Lineages
from medweave.inference.safety.review import Circumstance, review
from medweave.model.facts import Fact, Facts
from medweave.model.material import Focus
from medweave.model.question import Patient
from medweave.vocabulary.lexicon import shipped_lexicon

LEXICON = shipped_lexicon()
CLASSES = sorted(term.id for term in LEXICON.terms.values() if term.concept == "drug_class")
MADE_OF = {
    "penicillins": ["co-amoxiclav", "Augmentin", "Tazocin", "Unasyn", "Bicillin", "苄星青霉素"],
    "nonsteroidal anti-inflammatory drugs": ["Excedrin", "Alka-Seltzer", "Vimovo", "Pepto-Bismol",
                                             "Nurofen Plus", "芬必得", "布洛芬颗粒"],
    "sulfonamides": ["Bactrim", "Septrin", "Fansidar", "sulfasalazine", "复方新诺明"],
    "ACE inhibitors": ["Zestoretic", "Lotrel"],
    "statins": ["Caduet", "Vytorin", "red yeast rice", "血脂康"],
    "opioids": ["co-codamol", "Percocet", "Vicodin", "Solpadeine"],
}  # fmt: skip
"""Products and old names, by a class that something in them belongs to."""


def entity(name: str) -> str:
    term = LEXICON.find(name, ["substance"])
    assert term is not None, name
    return term.id


def is_stopped(base: KnowledgeBase, drug: str, allergen: str) -> bool:
    """Whether somebody who is allergic to the one is told not to take the other."""
    facts = Facts(Patient(allergies=(allergen,)), (Fact("allergy", (allergen,)),))
    found = review(Focus((drug,)), Circumstance(facts, Lineages(base.knowledge)))
    return any(f.topic == "allergy" and f.holds and f.hard for f in found.findings)


@pytest.mark.thorough
def test_every_medicine_of_the_base_is_stopped_by_an_allergy_to_each_of_its_classes(
    base: KnowledgeBase,
) -> None:
    held = base.knowledge.holds([t.id for t in LEXICON.terms.values() if t.concept == "drug"])
    pairs = {
        (drug, allergen)
        for allergen in CLASSES
        for drug in held & set(LEXICON.narrower([allergen]))
    }
    assert len(pairs) > 500
    assert {pair for pair in pairs if not is_stopped(base, *pair)} == set()


@pytest.mark.thorough
def test_no_medicine_is_stopped_by_an_allergy_to_a_class_that_it_is_not_of(
    base: KnowledgeBase,
) -> None:
    """Six hundred pairs by lot."""
    held = sorted(
        base.knowledge.holds([t.id for t in LEXICON.terms.values() if t.concept == "drug"])
    )
    draw = random.Random(20261123)
    lot = [(draw.choice(held), draw.choice(CLASSES)) for _ in range(600)]
    stopped = [pair for pair in lot if is_stopped(base, *pair)]
    unrelated = [(drug, allergen) for drug, allergen in stopped if not related(drug, allergen)]
    assert unrelated == []


def related(drug: str, allergen: str) -> bool:
    """Whether the class holds the drug, or what it is made of; NSAIDs and salicylates are often
    not borne together."""
    kin = {entity("salicylates"), entity("nonsteroidal anti-inflammatory drugs")}
    groups = kin if allergen in kin else {allergen}
    same = {entity("levonorgestrel mini pill"): entity("levonorgestrel")}.get(drug, drug)
    return bool({drug, same, *LEXICON.terms[drug].ingredients} & LEXICON.narrower(groups))


@pytest.mark.parametrize("allergy", MADE_OF)
def test_a_product_is_what_it_is_made_of(base: KnowledgeBase, allergy: str) -> None:
    stopped = Lineages(base.knowledge)
    for name in MADE_OF[allergy]:
        assert entity(allergy) in stopped.of_drug(entity(name)), name


@pytest.mark.thorough
def test_every_medicine_of_the_base_is_stopped_by_an_allergy_to_itself(base: KnowledgeBase) -> None:
    drugs = [term.id for term in LEXICON.terms.values() if term.concept == "drug"]
    held = base.knowledge.holds(drugs)
    assert {drug for drug in held if not is_stopped(base, drug, drug)} == set()


@pytest.mark.parametrize(
    ("told", "stopped"),
    [
        ("I had anaphylaxis after amoxicillin.", True),
        ("I am severely allergic to penicillin.", True),
        ("I am allergic to penicillin, it was anaphylaxis.", True),
        ("My throat closed after penicillin.", True),
        ("我对青霉素严重过敏。", True),
        ("打青霉素过敏性休克过。", True),
        ("I am allergic to penicillin.", False),
        ("I had a mild rash with amoxicillin.", False),
        ("My father had anaphylaxis. I am allergic to penicillin.", False),
        ("我对青霉素过敏。", False),
    ],
)
def test_how_badly_penicillin_was_borne_decides_on_cefalexin(
    base: KnowledgeBase, told: str, stopped: bool
) -> None:
    chinese = "我" in told or "青霉素" in told
    answer = base.ask(told + ("能吃头孢氨苄吗？" if chinese else " Can I take cefalexin?"))
    assert any(stop.hard and stop.status == "applies" for stop in answer.stops) is stopped
