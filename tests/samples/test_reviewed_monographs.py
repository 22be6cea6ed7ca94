"""What a careful reader of the sample's medicines asked for, said of them whoever asks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from medweave import KnowledgeBase
from medweave.vocabulary.lexicon import shipped_lexicon

REVIEWED: dict[str, dict[str, list[str]]] = yaml.safe_load(
    (Path(__file__).parent / "reviewed_monographs.yaml").read_text("utf-8")
)
PARTED = [
    ("substance", "benzylpenicillin", "benzathine penicillin"),
    ("substance", "combined pill", "morning after pill"),
    ("substance", "combined pill", "mini pill"),
    ("substance", "potassium chloride", "potassium supplements"),
    ("substance", "口服避孕药", "紧急避孕药"),
    ("population", "newborns", "infants"),
    ("condition", "brain haemorrhage", "bleeding"),
    ("condition", "tuberculosis", "pulmonary tuberculosis"),
    ("condition", "结核病", "肺结核"),
    ("condition", "otitis media", "ear infection"),
    ("condition", "otitis media", "acute otitis media"),
    ("condition", "otitis externa", "otitis media"),
    ("condition", "中耳炎", "耳部感染"),
    ("condition", "croup", "laryngitis"),
    ("condition", "哮吼", "喉炎"),
]
DANGEROUS = [
    ("pulse", ["pulse 34", "My heart rate is 34 beats per minute", "脉搏34"]),
    ("pulse", ["I am 50, heart rate 165", "I am 50 and my pulse is 165", "50岁，心率165"]),
    ("breathing", ["I am 40 and breathe 32 times a minute", "I am 40, respiratory rate 34",
                   "50岁，呼吸每分钟35次"]),
    ("lithium_toxicity", ["My lithium came back 2.1", "Lithium level: 2.6", "血锂2.1"]),
    ("digoxin_toxicity", ["My digoxin level is 2.5 ng/mL", "digoxin level: 2.8", "地高辛浓度3.0"]),
    ("blood_count", ["Hb 6.5 g/dL", "haemoglobin 65 g/L", "血红蛋白65g/L"]),
]  # fmt: skip


def met(base: KnowledgeBase, question: str) -> list[Any]:
    return [stop for stop in base.ask(question).stops if stop.status == "applies"]


@pytest.mark.parametrize("drug", REVIEWED)
def test_what_speaks_against_a_drug_is_said(base: KnowledgeBase, drug: str) -> None:
    rows = REVIEWED[drug]
    for condition in rows.get("forbids", []):
        assert any(s.hard for s in met(base, f"I have {condition}. Can I take {drug}?")), condition
    for condition in rows.get("care", []):
        assert met(base, f"I have {condition}. Can I take {drug}?"), condition


@pytest.mark.thorough
@pytest.mark.parametrize("drug", REVIEWED)
def test_what_a_drug_meets_is_said_whichever_is_taken(base: KnowledgeBase, drug: str) -> None:
    for other in REVIEWED[drug].get("meets", []):
        for taken, wanted in ((drug, other), (other, drug)):
            stops = met(base, f"I take {taken}. Can I take {wanted}?")
            assert any(stop.others for stop in stops), (taken, wanted)


@pytest.mark.parametrize(
    ("taken", "wanted"),
    [("bisoprolol", "propranolol"), ("ramipril", "perindopril"), ("lorazepam", "diazepam"),
     ("omeprazole", "rabeprazole"), ("apixaban", "edoxaban"), ("losartan", "telmisartan")],
)  # fmt: skip
def test_two_of_one_kind_are_asked_about(base: KnowledgeBase, taken: str, wanted: str) -> None:
    assert {s.level for s in met(base, f"I take {taken}. Can I take {wanted}?") if s.others}
    assert not met(base, f"I take {taken}. Can I take {taken}?")


@pytest.mark.parametrize(("family", "one", "other"), PARTED)
def test_what_is_two_things_stays_parted(family: str, one: str, other: str) -> None:
    found = [shipped_lexicon().find(name, [family]) for name in (one, other)]
    assert None not in found
    assert found[0] != found[1]


@pytest.mark.parametrize(("sign", "messages"), DANGEROUS)
def test_a_dangerous_number_is_named(base: KnowledgeBase, sign: str, messages: list[str]) -> None:
    for message in messages:
        found = base.ask(message).danger or ()
        danger = [d for d in found if d.status == "present"]
        assert sign in {d.sign for d in danger}, message


@pytest.mark.parametrize("message", ["I am a runner, my resting pulse is 38", "pulse 72",
                                     "脉搏72", "lithium level 0.7", "digoxin level 0.9 ng/mL",
                                     "Hb 12 g/dL",
                                     "I am 40 and breathe 16 times a minute"])  # fmt: skip
def test_a_usual_number_is_none(base: KnowledgeBase, message: str) -> None:
    assert not [d for d in (base.ask(message).danger or ()) if d.how == "rule"]


def test_the_last_weeks_are_not_reckoned_with(base: KnowledgeBase) -> None:
    def group(question: str) -> str:
        lists = base.ask(question).drugs
        return next(
            g.standing
            for drugs in lists
            for g in drugs.groups
            for d in g.drugs
            if d.entity.name("en") == "nitrofurantoin"
        )

    asked = "Which antibiotic for a urinary tract infection?"
    assert group(f"I am pregnant. {asked}") == "with_care"
    assert group(f"I am 39 weeks pregnant. {asked}") == "stopped"


def test_a_wide_condition_has_the_uses_of_its_kinds(base: KnowledgeBase) -> None:
    for drug, disease in (("amoxicillin", "an ear infection"), ("naproxen", "arthritis")):
        answer = base.ask(f"I have {disease}. Can I take {drug}?")
        assert not [text for text in answer.missing if "no use" in text]
        assert any("recorded as used for" in s.text for s in answer.sentences)
