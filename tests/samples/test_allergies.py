"""No member of a class slips through: every medicine of the base against every allergy."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from medweave import KnowledgeBase
from medweave.inference.safety.lineage import Lineages
from medweave.inference.safety.review import Circumstance, review
from medweave.model.facts import Fact, Facts
from medweave.model.material import Focus
from medweave.model.question import Patient
from medweave.vocabulary.lexicon import shipped_lexicon

LEXICON = shipped_lexicon()
CLASSES = ["penicillins", "cephalosporins", "carbapenems", "macrolides", "tetracyclines",
           "fluoroquinolones", "aminoglycosides", "sulfonamides", "opioids", "salicylates",
           "nonsteroidal anti-inflammatory drugs", "ACE inhibitors", "statins",
           "angiotensin receptor blockers", "beta blockers", "benzodiazepines"]  # fmt: skip
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


@pytest.fixture(scope="module")
def base() -> Iterator[KnowledgeBase]:
    with KnowledgeBase.sample() as opened:
        yield opened


def entity(name: str) -> str:
    term = LEXICON.find(name, ["substance"])
    assert term is not None, name
    return term.id


def is_stopped(base: KnowledgeBase, drug: str, allergen: str) -> bool:
    """Whether somebody who is allergic to the one is told not to take the other."""
    facts = Facts(Patient(allergies=(allergen,)), (Fact("allergy", (allergen,)),))
    found = review(Focus((drug,)), Circumstance(facts, Lineages(base.knowledge)))
    return any(f.topic == "allergy" and f.holds and f.hard for f in found.findings)


@pytest.mark.parametrize("allergy", CLASSES)
def test_every_member_of_a_class_is_stopped_by_an_allergy_to_it(
    base: KnowledgeBase, allergy: str
) -> None:
    held = base.knowledge.holds(LEXICON.narrower([entity(allergy)]))
    members = {one for one in held if LEXICON.terms[one].concept == "drug"}
    assert members
    assert {one for one in members if not is_stopped(base, one, entity(allergy))} == set()


@pytest.mark.parametrize("allergy", MADE_OF)
def test_a_product_is_what_it_is_made_of(base: KnowledgeBase, allergy: str) -> None:
    stopped = Lineages(base.knowledge)
    for name in MADE_OF[allergy]:
        assert entity(allergy) in stopped.of_drug(entity(name)), name


def test_every_medicine_of_the_base_is_stopped_by_an_allergy_to_itself(base: KnowledgeBase) -> None:
    drugs = [term.id for term in LEXICON.terms.values() if term.concept == "drug"]
    held = base.knowledge.holds(drugs)
    assert {drug for drug in held if not is_stopped(base, drug, drug)} == set()


@pytest.mark.parametrize("drug", ["paracetamol", "metformin", "omeprazole", "salbutamol"])
@pytest.mark.parametrize("allergy", CLASSES)
def test_what_is_in_no_such_class_is_free(base: KnowledgeBase, drug: str, allergy: str) -> None:
    assert not is_stopped(base, entity(drug), entity(allergy))
