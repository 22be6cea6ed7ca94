# ruff: noqa: E501 - whole answers stand here as they are told
"""Comparisons, yes/no questions and "what else": answered as asked, and no further than recorded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from inline_snapshot import snapshot

from medweave import Answer, KnowledgeBase

DATA = Path(__file__).parent / "data"
NO_MORE_THAN_RECORDED = ("does not mean", "并不表示")


def told(answer: Answer) -> dict[str, Any]:
    """Everything an answer tells, without the stops that must only be asked about."""
    language = answer.question.language
    form: dict[str, Any] = {
        "status": answer.status,
        "sentences": [f"{said.intent}: {said.text}" for said in answer.sentences],
    }
    applies = [
        f"{stop.entity.name(language)}: {stop.reason}"
        for stop in answer.stops
        if stop.status == "applies"
    ]
    rows = {
        row.entity.name(language): [row.status, *(cell.kind for cell in row.cells)]
        for row in answer.comparison
    }
    parts = {"applies": applies, "rows": rows, "missing": list(answer.missing)}
    return form | {name: part for name, part in parts.items() if part}


# Comparisons of drugs


def test_a_drug_that_is_stopped_beside_one_that_is_not(base: KnowledgeBase) -> None:
    answer = base.ask("Which is safer for someone with a peptic ulcer, ibuprofen or paracetamol?")
    assert told(answer) == snapshot(
        {
            "status": "answered",
            "sentences": [
                "drug: Paracetamol lowers fever and pain but hardly calms swelling; ibuprofen also calms inflammation, but burdens stomach, kidneys and heart more.",
                "stop: Ibuprofen is contraindicated here: peptic ulcer.",
                "comparison: Whether paracetamol may be used depends on what has not been said: it is recorded as contraindicated in acute liver failure and severe liver disease.",
                "comparison: Of these, stopped here: ibuprofen.",
            ],
            "applies": ["ibuprofen: contraindicated in peptic ulcer"],
            "rows": {
                "ibuprofen": ["stopped", "stops", "unknown", "uses"],
                "paracetamol": ["open", "unknown", "uses"],
            },
            "missing": [
                "This base records no use of paracetamol for peptic ulcer, and nothing against it there; that does not mean that it is safe.",
                "Nothing that this base records stops paracetamol for what was said; that does not mean that it is safe.",
                "Which of them is better or safer is not said: only what is recorded for each.",
            ],
        }
    )


def test_drugs_in_pregnancy_in_english(base: KnowledgeBase) -> None:
    assert told(base.ask("aspirin or paracetamol in pregnancy")) == snapshot(
        {
            "status": "answered",
            "sentences": [
                "dose: Aspirin: In pregnancy only low doses chosen by a doctor have a place.",
                "dose: Paracetamol: It is the painkiller chosen first in pregnancy and while breastfeeding, for as short a time as needed.",
                "contraindication: Nonsteroidal anti-inflammatory drugs: It works against pain and inflammation, while paracetamol works on pain and fever only. Coxibs are milder to the stomach but not to heart or kidneys.",
                "stop: Whether aspirin may be used depends on what has not been said: it is recorded as contraindicated in pregnancy from week 20 (at pain-relief doses).",
                "stop: Aspirin is recorded as needing caution in pregnancy before week 20 (at pain-relief doses).",
                "comparison: A recorded use of aspirin that this concerns: pre-eclampsia in pregnancy (at low doses).",
                "comparison: Whether paracetamol may be used depends on what has not been said: it is recorded as contraindicated in acute liver failure and severe liver disease.",
                "comparison: Recorded uses of paracetamol: common cold, migraine, osteoarthritis, tension headache, ankle sprain, bone fracture, bronchiolitis, burn injury, chickenpox, chikungunya, chronic pancreatitis, concussion and 59 more.",
            ],
            "rows": {
                "aspirin": ["depends", "depends", "caution", "unknown", "uses"],
                "paracetamol": ["open", "unknown", "uses"],
            },
            "missing": [
                "This base records nothing against paracetamol with regard to pregnancy; that does not mean that it is safe.",
                "Nothing that this base records stops paracetamol for what was said; that does not mean that it is safe.",
                "Which of them is better or safer is not said: only what is recorded for each.",
            ],
        }
    )


def test_drugs_for_a_child_with_asthma(base: KnowledgeBase) -> None:
    answer = base.ask("Which is safer for a child with asthma, ibuprofen or paracetamol?")
    assert told(answer) == snapshot(
        {
            "status": "answered",
            "sentences": [
                "drug: Ibuprofen: It calms swelling as well as pain and fever, which paracetamol hardly does. Paracetamol is usually gentler on the stomach and kidneys but can harm the liver when too much is taken.",
                "drug: Paracetamol lowers fever and pain but hardly calms swelling; ibuprofen also calms inflammation, but burdens stomach, kidneys and heart more.",
                "stop: Ibuprofen needs professional advice here: asthma.",
                "stop: Whether ibuprofen may be used depends on what has not been said: it is recorded as contraindicated in age under 3 months (except when used for patent ductus arteriosus).",
                "comparison: Whether paracetamol may be used depends on what has not been said: it is recorded as contraindicated in acute liver failure and severe liver disease.",
            ],
            "applies": ["ibuprofen: caution in asthma"],
            "rows": {
                "ibuprofen": ["depends", "depends", "caution", "unknown", "uses"],
                "paracetamol": ["open", "unknown", "uses"],
            },
            "missing": [
                "This base records no use of ibuprofen for asthma.",
                "This base records no use of paracetamol for asthma, and nothing against it there; that does not mean that it is safe.",
                "This base records nothing against paracetamol with regard to this age; that does not mean that it is safe.",
                "Nothing that this base records stops paracetamol for what was said; that does not mean that it is safe.",
                "Which of them is better or safer is not said: only what is recorded for each.",
            ],
        }
    )


def test_drugs_in_pregnancy_in_chinese(base: KnowledgeBase) -> None:
    assert told(base.ask("布洛芬和对乙酰氨基酚哪个适合孕妇")) == snapshot(
        {
            "status": "answered",
            "sentences": [
                "dose: 布洛芬：怀孕后半期应避免使用。",
                "dose: 对乙酰氨基酚：它是怀孕和哺乳期首选的止痛退烧药，用的时间越短越好。",
                "contraindication: 布洛芬除退热止痛外还能消炎消肿，对乙酰氨基酚几乎没有消炎作用。对乙酰氨基酚一般对胃和肾影响较小，但过量会伤肝。",
                "contraindication: 对乙酰氨基酚退热止痛，但几乎不消炎消肿；布洛芬还能消炎，但对胃、肾和心脏的负担更大。",
                "stop: 布洛芬能否使用取决于尚未说明的情况：其记录的禁忌有妊娠20周后。",
                "stop: 布洛芬记录需慎用的情况：妊娠20周前。",
                "comparison: 对乙酰氨基酚能否使用取决于尚未说明的情况：其记录的禁忌有肝衰竭和严重肝病。",
                "comparison: 对乙酰氨基酚记录的用途：感冒、偏头痛、骨关节炎、紧张性头痛、踝扭伤、骨折、毛细支气管炎、烧伤、水痘、基孔肯雅热、慢性胰腺炎、脑震荡等（另有59项）。",
            ],
            "rows": {
                "布洛芬": ["depends", "depends", "caution", "unknown", "uses"],
                "对乙酰氨基酚": ["open", "unknown", "uses"],
            },
            "missing": [
                "本知识库没有记录对乙酰氨基酚在以下情况的禁忌：妊娠；这并不表示它是安全的。",
                "就所述情况，本知识库没有禁用对乙酰氨基酚的记录；这并不表示它是安全的。",
                "不判断哪一个更好或更安全：只列出各自的记录。",
            ],
        }
    )


def test_three_drugs_each_get_a_row(base: KnowledgeBase) -> None:
    answer = base.ask("Ibuprofen, aspirin or paracetamol for my 5 year old?")
    assert [(row.entity.name(), row.status) for row in answer.comparison] == [
        ("ibuprofen", "open"),
        ("aspirin", "stopped"),
        ("paracetamol", "open"),
    ]


def test_drugs_that_are_compared_are_not_taken_for_current_ones(base: KnowledgeBase) -> None:
    answer = base.ask("Compare amoxicillin with doxycycline for a pregnant woman")
    assert answer.question.patient.drugs == ()
    applies = {stop.entity.name() for stop in answer.stops if stop.status == "applies"}
    assert applies == {"doxycycline"}


@pytest.mark.parametrize(
    "text",
    [
        "I take warfarin. Is ibuprofen or paracetamol safer?",
        "Which is safer with warfarin, ibuprofen or paracetamol?",
        "Compare ibuprofen and paracetamol with warfarin",
        "我在吃华法林，布洛芬和对乙酰氨基酚哪个安全",
    ],
)
def test_what_is_taken_still_counts(base: KnowledgeBase, text: str) -> None:
    answer = base.ask(text)
    assert answer.question.patient.drugs == ("mw.substance:warfarin",)
    assert answer.comparison[0].status == "stopped"
    assert "applies" in {s.status for s in answer.stops if s.entity.name() == "ibuprofen"}


@pytest.mark.parametrize(
    "text",
    [
        "I take ibuprofen or aspirin for pain, can I take warfarin?",
        "Can I take warfarin with aspirin or ibuprofen?",
        "I'm allergic to aspirin or ibuprofen, what can I take for pain?",
        "Can I take ibuprofen and paracetamol together?",
        "华法林和阿司匹林能一起吃吗",
        "What do I do if I have diarrhea and vomiting?",
    ],
)
def test_lists_that_compare_nothing(base: KnowledgeBase, text: str) -> None:
    assert base.ask(text).comparison == ()


# Comparisons of diseases


def test_a_cold_and_the_flu(base: KnowledgeBase) -> None:
    assert told(base.ask("difference between a cold and the flu")) == snapshot(
        {
            "status": "answered",
            "sentences": [
                "description: Common cold: A cold starts gradually with the nose and throat. Flu comes on within hours with high fever, aching limbs and great weakness; COVID-19 can look like either and only a test tells.",
                "description: Influenza starts within hours with high fever, aching limbs and great exhaustion; a cold comes on slowly, with a running nose and little or no fever.",
                "comparison: The common cold is a mild viral infection of the nose and throat that nearly everyone catches from time to time.",
                "comparison: Influenza is a contagious infection of the breathing passages caused by influenza viruses, and it is usually worse than a cold.",
                "comparison: Symptoms recorded for common cold and influenza alike: sore throat, nasal congestion, cough, runny nose, fever, shivering, headache and fatigue.",
                "comparison: Symptoms recorded for common cold only: sneezing.",
                "comparison: Symptoms recorded for influenza only: muscle aches, loss of appetite, nausea and vomiting.",
            ],
            "rows": {
                "common cold": ["recorded", "shared", "only"],
                "influenza": ["recorded", "shared", "only"],
            },
            "missing": [
                "What is recorded for one only may occur in the other too; this base holds what its sources say."
            ],
        }
    )


def test_a_cold_and_the_flu_in_chinese(base: KnowledgeBase) -> None:
    assert told(base.ask("感冒和流感有什么区别")) == snapshot(
        {
            "status": "answered",
            "sentences": [
                "description: 感冒多从鼻子和咽喉慢慢起病；流感往往几小时内就高热、全身酸痛、极度乏力；新冠两种样子都可能，只有检测才能分清。",
                "description: 流行性感冒：流感往往几小时内突然起病，高热、全身酸痛、极度乏力；普通感冒来得慢，以流鼻涕为主，少发热或不发热。",
                "comparison: 感冒是鼻和咽喉的轻度病毒感染，几乎人人都得过。",
                "comparison: 流行性感冒是流感病毒引起的呼吸道传染病，一般比普通感冒重。",
                "comparison: 感冒和流行性感冒都有记录的症状：咽痛、鼻塞、咳嗽、流鼻涕、发热、寒战、头痛和疲劳。",
                "comparison: 只在感冒记录的症状：打喷嚏。",
                "comparison: 只在流行性感冒记录的症状：肌肉酸痛、食欲不振、恶心和呕吐。",
            ],
            "rows": {
                "感冒": ["recorded", "shared", "only"],
                "流行性感冒": ["recorded", "shared", "only"],
            },
            "missing": ["只在其中一种疾病有记录的，另一种也可能出现；本知识库只有来源所说的内容。"],
        }
    )


def test_findings_are_held_against_both(base: KnowledgeBase) -> None:
    answer = base.ask("I have fever and muscle aches. Is it a cold or the flu?")
    said = {row.entity.name(): row.cells[-1].text for row in answer.comparison}
    assert said == {"common cold": "fever", "influenza": "fever and muscle aches"}
    assert {m.text for m in answer.question.mentions if m.status == "present"} >= {"fever"}


def test_a_name_that_needs_its_article_is_known_where_it_is_compared(base: KnowledgeBase) -> None:
    answer = base.ask("cold vs flu")
    assert [row.entity.name() for row in answer.comparison] == ["common cold", "influenza"]


# Yes/no questions


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Is cough a symptom of pneumonia?", ["Recorded: yes, cough is a symptom of pneumonia."]),
        ("咳嗽是肺炎的症状吗", ["有记录：是，咳嗽是肺炎的症状。"]),
        (
            "Can aspirin cause stomach bleeding?",
            ["Recorded: yes, gastrointestinal bleeding is a side effect of aspirin."],
        ),
        ("阿司匹林会引起胃出血吗", ["有记录：是，消化道出血是阿司匹林的副作用。"]),
        (
            "Is asthma caused by allergies?",
            ["Recorded: yes, allergy is a risk factor for asthma."],
        ),
        (
            "Can smoking cause COPD?",
            ["Recorded: yes, smoking is a cause of chronic obstructive pulmonary disease."],
        ),
        ("Does ibuprofen help with migraine?", ["Recorded: yes, ibuprofen is used for migraine."]),
        ("布洛芬对偏头痛有用吗", ["有记录：是，布洛芬用于偏头痛。"]),
        (
            "Do I need a chest x-ray for pneumonia?",
            ["Recorded: yes, chest X-ray is a test for pneumonia."],
        ),
        (
            "Is ibuprofen an NSAID?",
            ["Recorded: yes, ibuprofen is one of the nonsteroidal anti-inflammatory drugs."],
        ),
        (
            "Is there a test for malaria?",
            [
                "Recorded: yes (tests for malaria).",
                "Tests recorded for malaria: blood test, malaria rapid diagnostic test and "
                "complete blood count.",
            ],
        ),
    ],
)
def test_yes_is_said_where_it_is_recorded(base: KnowledgeBase, text: str, said: list[str]) -> None:
    answer = base.ask(text)
    advice = {
        k for k, s in answer.statements.items() if s.statement.predicate == "practical_advice"
    }
    told = [s.text for s in answer.sentences if advice.isdisjoint(s.statements)]
    assert told == said
    assert answer.status == "answered"


@pytest.mark.parametrize(
    "text",
    [
        "Is rash a symptom of influenza?",
        "Can diabetes cause blindness?",
        "糖尿病会引起失明吗",
        "Does amoxicillin help against the flu?",
        "阿莫西林能治流感吗",
        "Is a blood test used for hiccups?",
        "Is there a vaccine against malaria?",
        "吸烟会导致痛风吗",
        "Can my 5 year old take paracetamol?",
    ],
)
def test_silence_is_neither_yes_nor_no(base: KnowledgeBase, text: str) -> None:
    answer = base.ask(text)
    said = " ".join(sentence.text for sentence in answer.sentences)
    assert "Recorded: " not in said
    assert "有记录：" not in said
    assert any(words in line for line in answer.missing for words in NO_MORE_THAN_RECORDED)


def test_what_is_recorded_stands_beside_what_is_not(base: KnowledgeBase) -> None:
    assert told(base.ask("Is rash a symptom of influenza?")) == snapshot(
        {
            "status": "partial",
            "sentences": [
                "yes_no: Symptoms recorded for influenza: fever, shivering, muscle aches, cough, headache, sore throat, fatigue, runny nose, nasal congestion, loss of appetite, nausea and vomiting."
            ],
            "missing": [
                "This base does not record rash as a symptom of influenza; that does not mean that it is none."
            ],
        }
    )


def test_the_words_of_a_source_answer_where_no_record_does(base: KnowledgeBase) -> None:
    assert told(base.ask("Do antibiotics help with a cold?")) == snapshot(
        {
            "status": "answered",
            "sentences": [
                "yes_no: In the words of a source: “It settles without specific treatment within one to two weeks, and antibiotics do not help because viruses cause it.”",
                "indication: Antibiotics: They hit what only bacteria have: the cell wall (penicillins), the 70S ribosome (macrolides, tetracyclines), or their DNA and folate enzymes (quinolones, sulfonamides). Viruses lack these, so they do nothing in colds or flu.",
                "indication: Antibiotics: It does not help against colds, influenza and most sore throats and coughs, as these come from viruses. Green mucus alone does not mean that it is needed.",
            ],
        }
    )


def test_no_is_said_only_where_a_source_denies_it(tmp_path: Path) -> None:
    source = tmp_path / "facts.csv"
    source.write_text(
        "subject,predicate,object,subject_concept,object_concept,polarity\n"
        "river fever,has_symptom,cough,disease,symptom,1\n"
        "river fever,has_symptom,rash,disease,symptom,-1\n",
        "utf-8",
    )
    with KnowledgeBase.open(str(tmp_path / "own.db")) as own:
        own.build([source])
        assert told(own.ask("Is rash a symptom of river fever?")) == snapshot(
            {
                "status": "answered",
                "sentences": [
                    "yes_no: Recorded: no, a source denies that rash is a symptom of river fever."
                ],
            }
        )
        assert told(own.ask("Is fever a symptom of river fever?")) == snapshot(
            {
                "status": "partial",
                "sentences": ["yes_no: Symptoms recorded for river fever: cough."],
                "missing": [
                    "This base does not record fever as a symptom of river fever; that does not mean that it is none."
                ],
            }
        )


def test_a_use_is_not_affirmed_for_somebody_whom_it_would_harm(base: KnowledgeBase) -> None:
    assert told(base.ask("Is aspirin good for a 5 year old with fever?")) == snapshot(
        {
            "status": "answered",
            "sentences": [
                "stop: Aspirin is contraindicated here: age under 16 years (except when used for Kawasaki disease)."
            ],
            "applies": [
                "aspirin: contraindicated in age under 16 years (except when used for Kawasaki disease)"
            ],
        }
    )


def test_what_is_only_supposed_is_held_against_a_drug(base: KnowledgeBase) -> None:
    answer = base.ask("Can I take ibuprofen if I have a stomach ulcer?")
    assert {stop.status for stop in answer.stops if stop.hard} >= {"applies"}


def test_a_name_of_a_drug_says_nothing_of_the_sex(base: KnowledgeBase) -> None:
    assert base.understand("氯雷他定有什么副作用").patient.sex is None


# What else


def test_symptoms_besides_one(base: KnowledgeBase) -> None:
    assert told(base.ask("besides fever, what are the symptoms of flu?")) == snapshot(
        {
            "status": "answered",
            "sentences": [
                "symptom: Symptoms recorded for influenza besides fever: shivering, muscle aches, cough, headache, sore throat, fatigue, runny nose, nasal congestion, loss of appetite, nausea and vomiting."
            ],
        }
    )


def test_symptoms_besides_two_in_chinese(base: KnowledgeBase) -> None:
    assert told(base.ask("除了咳嗽和发热，肺炎还有哪些症状")) == snapshot(
        {
            "status": "answered",
            "sentences": [
                "symptom: 肺炎记录的症状（咳嗽和发热除外）：咳痰、胸痛、寒战、呼吸困难、恶心、呕吐、腹泻、疲劳、喘息和心跳过快。"
            ],
        }
    )


def test_what_else_for_a_headache(base: KnowledgeBase) -> None:
    assert told(base.ask("I take ibuprofen for my headache. What else can I take?")) == snapshot(
        {
            "status": "answered",
            "sentences": ["drug: Drugs recorded for headache besides ibuprofen: paracetamol."],
            "applies": [
                "aspirin: interacts with ibuprofen",
                "naproxen: interacts with ibuprofen (as one of the nonsteroidal anti-inflammatory drugs)",
            ],
            "missing": [
                "No drug is recommended from symptoms alone; what is listed are records, with their sources."
            ],
        }
    )


def test_drugs_apart_from_one_tell_what_interacts_with_it(base: KnowledgeBase) -> None:
    assert told(base.ask("Apart from aspirin, what can I take for migraine?")) == snapshot(
        {
            "status": "answered",
            "sentences": [
                "drug: Drugs recorded for migraine besides aspirin: paracetamol, sumatriptan, prochlorperazine, metoclopramide and propranolol."
            ],
            "applies": [
                "ibuprofen: interacts with aspirin",
                "propranolol: interacts with aspirin (one of the nonsteroidal anti-inflammatory drugs)",
                "naproxen: interacts with aspirin",
                "diclofenac: interacts with aspirin",
            ],
        }
    )


def test_causes_are_no_drugs(base: KnowledgeBase) -> None:
    answer = base.ask("What else causes peptic ulcers besides smoking?")
    assert answer.candidates == ()
    assert "besides smoking: alcohol abuse" in answer.text


def test_what_else_of_nothing_is_asked_back(base: KnowledgeBase) -> None:
    assert told(base.ask("除了发热还有什么症状")) == snapshot(
        {
            "status": "abstained",
            "sentences": [],
            "missing": ["没有说明是关于什么的：请说出疾病或药物的名称。"],
        }
    )


# Several intents at once


def test_each_sentence_stands_under_what_it_answers(base: KnowledgeBase) -> None:
    answer = base.ask("What are the symptoms of a cold and the treatment of asthma?")
    assert {(s.intent, s.about.rpartition(":")[2]) for s in answer.sentences} == {
        ("symptom", "common_cold"),
        ("treatment", "asthma"),
    }


def test_a_long_list_of_texts_says_how_many_are_not_shown(tmp_path: Path) -> None:
    source = tmp_path / "long.jsonl"
    text = " ".join(f"Measure number {n} helps." for n in range(1, 10))
    source.write_text(f'{{"name": "river fever", "concept": "disease", "prevention": "{text}"}}\n')
    with KnowledgeBase.open(str(tmp_path / "own.db")) as own:
        own.build([source])
        answer = own.ask("How to prevent river fever?")
    assert len(answer.sentences) == 6
    assert answer.missing == ("3 more sentences on prevention for river fever are not shown.",)


# Whatever is asked


ODD = """
ibuprofen vs
vs ibuprofen
are ibuprofen a are
are penicillins one of the antacids
is asthma a kind of pneumonia
ibuprofen vs foobarzol
foo vs bar
difference between foo and flu
difference between flu and flu
ibuprofen or ibuprofen?
compare aspirin, ibuprofen and paracetamol for migraine in someone with kidney disease
Is there a test for it?
Is zzz a symptom of yyy?
Is a symptom of flu?
Can cause?
besides
besides fever
what else?
What else is there besides aspirin, ibuprofen and paracetamol for pain?
Is it a cold or the flu or measles or chickenpox?
除了
和感冒有什么区别
感冒和有什么区别
是症状吗
会引起吗
布洛芬还是
NSAIDs or penicillins?
pneumonia or ibuprofen?
""".strip().splitlines()


@pytest.mark.parametrize("text", ODD)
def test_odd_forms_get_a_closed_answer(base: KnowledgeBase, text: str) -> None:
    answer = base.ask(text)
    form = answer.to_json()
    for row in form["comparison"]:
        for cell in row["cells"]:
            assert cell["statements"]
            assert set(cell["statements"]) <= set(form["statements"])
    for sentence in form["sentences"]:
        assert sentence["evidence"]
    assert (answer.status == "abstained") == (not answer.sentences)


def messages_that_stop() -> list[dict[str, Any]]:
    return [
        entry
        for path in sorted(DATA.glob("contraindications*.yaml"))
        for entry in yaml.safe_load(path.read_text("utf-8"))
        if entry["expect"] == "applies"
    ]


def as_comparisons(base: KnowledgeBase, message: dict[str, Any]) -> Iterator[str]:
    """A message with the drug it asks about beside another one, in several ways."""
    question = base.understand(message["ask"])
    aside = {*question.patient.drugs, *question.patient.allergies}
    asked = [
        m
        for m in question.of_concept("drug", "drug_class")
        if m.entity not in aside and message["drug"].lower() in base_names(base, m.entity)
    ]
    for mention in asked[-1:]:
        before, after = message["ask"][: mention.start], message["ask"][mention.end :]
        for joined in WAYS[question.language]:
            yield before + joined.format(mention.text) + after


WAYS = {
    "en": ("{} or loratadine", "loratadine, {} or cetirizine", "{} instead of loratadine"),
    "zh": ("{}还是氯雷他定", "{}和氯雷他定哪个好"),
}


def base_names(base: KnowledgeBase, entity: str) -> set[str]:
    return {name.lower() for name in base.knowledge.entities.get(entity).all_names()}


@pytest.mark.thorough
@pytest.mark.parametrize("message", messages_that_stop(), ids=lambda message: message["ask"])
def test_a_comparison_never_loses_a_stop(base: KnowledgeBase, message: dict[str, Any]) -> None:
    for text in as_comparisons(base, message):
        applies = [s.entity.id for s in base.ask(text).stops if s.status == "applies"]
        names = {name for entity in applies for name in base_names(base, entity)}
        assert message["drug"].lower() in names, text
