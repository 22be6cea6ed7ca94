"""The interactions of the sample: graded, with something to do, and no medicine ended by itself."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from medweave.app import sample_files
from medweave.model.statement import INTERACTION_GRADES
from medweave.vocabulary.lexicon import Term, shipped_lexicon

PAIRS = [
    (record["name"], entry)
    for path in sample_files()
    if path.name.startswith("drugs")
    for record in json.loads(path.read_text("utf-8"))
    for entry in record.get("interactions", [])
]
NEVER_STOPPED = ["insulin", "warfarin", "clopidogrel", "prednisolone", "levothyroxine",
                 "carbamazepine", "valproate", "lamotrigine",
                 "propranolol", "bisoprolol"]  # fmt: skip
"""Medicines that nobody may end by themselves."""


def substance(name: str) -> Term:
    found = shipped_lexicon().find(name, ["substance"])
    assert found is not None, name
    return found


def test_every_interaction_has_a_grade_and_an_action_in_both_languages() -> None:
    for name, entry in PAIRS:
        assert entry["severity"] in INTERACTION_GRADES[:-1], (name, entry)
        assert entry["action"], (name, entry)
        assert re.search("[\u4e00-\u9fff]", entry["action_zh"]), (name, entry)


def test_what_needs_no_action_is_minor() -> None:
    idle = [
        (name, entry["with"])
        for name, entry in PAIRS
        if "no action" in entry["action"] and entry["severity"] != "minor"
    ]
    assert idle == []


def test_a_pair_has_one_grade_wherever_it_stands() -> None:
    grades: dict[frozenset[str], set[tuple[str, str]]] = {}
    for name, entry in PAIRS:
        pair = frozenset((substance(name).id, substance(entry["with"]).id))
        grades.setdefault(pair, set()).add((entry["severity"], entry["action"]))
    assert {pair: found for pair, found in grades.items() if len(found) > 1} == {}


def test_an_action_names_no_medicine_but_those_of_its_pair() -> None:
    """Alcohol may be forbidden besides."""
    lexicon = shipped_lexicon()
    wrong = []
    for name, entry in PAIRS:
        terms = substance(name), substance(entry["with"])
        pair = {one for term in terms for one in (term.id, *term.ingredients)}
        own = pair | set(lexicon.narrower(pair))
        words = set(re.findall(r"[a-z-]{4,}", entry["action"].lower())) - {"alcohol"}
        named = [lexicon.find(word, ["substance"]) for word in words]
        wrong += [
            (name, entry["with"], term.id)
            for term in named
            if term and term.concept == "drug" and term.id not in own
        ]
    assert wrong == []


def test_no_action_tells_anybody_to_stop_a_medicine() -> None:
    for name, entry in PAIRS:
        english = re.sub(r"do not stop", "", entry["action"])
        assert not re.search(r"\b(stop|discontinue|quit|leave out)\b", english), (name, entry)
        assert "停用" not in entry["action_zh"].replace("不要自行停用", ""), (name, entry)


@pytest.mark.parametrize("drug", NEVER_STOPPED)
def test_whoever_takes_it_is_told_to_go_on_where_the_pair_is_to_be_avoided(drug: str) -> None:
    grave = [
        entry["action"]
        for name, entry in PAIRS
        if substance(drug) in (substance(name), substance(entry["with"]))
        and entry["severity"] in ("contraindicated", "avoid")
    ]
    assert all("do not stop" in action for action in grave), grave


REVIEWED = {
    # pairs of which every reference says the same
    "contraindicated": ["simvastatin+clarithromycin", "methotrexate+co-trimoxazole",
                        "nitroglycerin+sildenafil", "sertraline+MAO inhibitors",
                        "warfarin+miconazole", "clarithromycin+colchicine",
                        "ceftriaxone+intravenous calcium", "methotrexate+live vaccines"],
    "avoid": ["warfarin+ibuprofen", "ibuprofen+NSAIDs", "spironolactone+trimethoprim",
              "rifampicin+combined oral contraceptives", "morphine+alcohol", "lithium+ibuprofen"],
    "monitor": ["insulin+metformin", "warfarin+paracetamol", "aspirin+clopidogrel",
                "insulin+prednisolone", "digoxin+furosemide", "salbutamol+corticosteroids"],
    "minor": ["levothyroxine+ferrous sulfate", "doxycycline+zinc", "azithromycin+antacids"],
}  # fmt: skip


@pytest.mark.parametrize("severity", REVIEWED)
def test_what_is_known_to_be_grave_is_graded_so(severity: str) -> None:
    graded: dict[frozenset[str], Any] = {
        frozenset((substance(name).id, substance(entry["with"]).id)): entry["severity"]
        for name, entry in PAIRS
    }
    for pair in REVIEWED[severity]:
        ends = frozenset(substance(name).id for name in pair.split("+"))
        assert graded[ends] == severity, pair


SLEEPY = "sleepiness adds up"
CALM = ["loratadine", "desloratadine", "fexofenadine", "bilastine"]
SEDATING = ["chlorphenamine", "diphenhydramine", "promethazine", "hydroxyzine"]


def test_only_antihistamines_that_make_sleepy_add_to_what_makes_sleepy() -> None:
    named = {substance(entry["with"]).id for _, entry in PAIRS if SLEEPY in entry["action"]}
    sedating = substance("sedating antihistamines").id
    assert sedating in named
    assert substance("antihistamines").id not in named
    for calm in CALM:
        assert sedating not in substance(calm).classes, calm
    for name in SEDATING:
        assert sedating in substance(name).classes, name


def test_no_fluoroquinolone_is_spaced_less_widely_than_ciprofloxacin() -> None:
    fluoroquinolones = substance("fluoroquinolones").id
    minerals = {substance(name).id for name in ("iron preparations", "zinc", "antacids")}
    for name, entry in PAIRS:
        pair = {substance(name).id, substance(entry["with"]).id}
        if fluoroquinolones in pair and pair & minerals:
            assert "2 hours before or 6 hours after" in entry["action"], (name, entry)
