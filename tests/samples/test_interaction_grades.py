"""The interactions of the sample: graded, with something to do, and no medicine ended by itself."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from medweave import KnowledgeBase
from medweave.app import sample_files
from medweave.model.statement import INTERACTION_GRADES, NO_SEVERITY
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
        assert entry["severity"] in (*INTERACTION_GRADES[:-1], NO_SEVERITY), (name, entry)
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


REVIEWED = [
    (severity, taken, wanted)
    for severity, pairs in yaml.safe_load(
        (Path(__file__).parent / "graded_pairs.yaml").read_text("utf-8")
    ).items()
    for one, others in pairs.items()
    for other in others
    for taken, wanted in ((one, other), (other, one))
]


GRAVEST_FIRST = ["stop", "avoid", "care"]


@pytest.mark.thorough
def test_what_is_known_to_be_grave_is_told_so_whichever_of_two_is_taken() -> None:
    """No graver, and no less: who takes the one asks for the other."""
    wrong = []
    with KnowledgeBase.sample() as base:
        for severity, taken, wanted in REVIEWED:
            stops = base.ask(f"I take {taken}. Can I take {wanted}?").stops
            told = {stop.level for stop in stops if stop.status == "applies" and stop.others}
            expected = {"contraindicated": "stop", "avoid": "avoid"}.get(severity, "care")
            if min(told, key=GRAVEST_FIRST.index, default="") != expected:
                wrong.append((severity, taken, wanted, told))
    assert wrong == []


def test_cephalosporins_react_with_alcohol_by_member() -> None:
    """The class as a whole asks which of them it is."""
    with KnowledgeBase.sample() as base:
        for name, level in [
            ("cefotetan", "avoid"), ("cefoperazone", "avoid"), ("ceftriaxone", "avoid"),
            ("cefazolin", "avoid"), ("cefalexin", "care"), ("cefuroxime", ""), ("cefixime", ""),
        ]:  # fmt: skip
            stops = base.ask(f"I take {name}. Can I drink wine?").stops
            assert {s.level for s in stops if s.status == "applies"} == {level} - {""}, name
        for asked in ("I am taking cephalosporins, may I have a beer?", "吃了头孢能喝酒吗"):
            answer = base.ask(asked)
            assert "ceftriaxone" in {s.entity.name("en") for s in answer.stops if s.hard}, asked


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
