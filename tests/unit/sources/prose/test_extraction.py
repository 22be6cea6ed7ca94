"""What records say: templates, phrases, polarity, strength, places."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medweave.model.document import Extraction
from medweave.model.record import Record
from medweave.model.statement import Evidence, Literal, Statement
from medweave.sources.extraction import build_key, extract
from medweave.sources.mapping.layouts import find_mapping
from medweave.sources.names import Naming
from medweave.sources.prose.phrases import read_phrase
from medweave.sources.prose.templates import template_set
from medweave.vocabulary.lexicon import shipped_lexicon
from medweave.vocabulary.vocabulary import shipped_vocabulary
from tests.reading_rows import one_record

NAMING = Naming(shipped_vocabulary(), shipped_lexicon())


def record_of(**fields: Any) -> Record:
    return one_record([{"concept": "disease", **fields}], find_mapping("monographs"))


def read(**fields: Any) -> Extraction:
    return extract(record_of(**fields), NAMING)


def said(made: Extraction) -> dict[tuple[str, str], tuple[int, float]]:
    """(predicate, object) to (polarity, strength), of everything that is no text."""
    by_id: dict[str, Statement] = {s.id: s for s in made.statements}
    return {
        (by_id[e.statement].predicate, str(by_id[e.statement].object)): (e.polarity, e.strength)
        for e in made.evidence
        if not isinstance(by_id[e.statement].object, Literal)
    }


def test_the_gastritis_instruction_of_document_k() -> None:
    found = said(
        read(
            name="gastritis",
            description="Gastritis is inflammation of the lining of the stomach. "
            "Common symptoms are upper abdominal pain, nausea and vomiting. "
            "Complications may include bleeding, stomach ulcers.",
        )
    )
    assert found == {
        ("has_symptom", "mw.condition:upper_abdominal_pain"): (1, 1.0),
        ("has_symptom", "mw.condition:nausea"): (1, 1.0),
        ("has_symptom", "mw.condition:vomiting"): (1, 1.0),
        ("has_complication", "mw.condition:bleeding"): (1, 0.5),
        ("has_complication", "mw.condition:stomach_ulcer"): (1, 0.5),
    }


@pytest.mark.parametrize(
    ("name", "sentence", "wanted"),
    [
        ("flu", "Flu does not cause rash.", ("has_symptom", "condition:rash", -1)),
        (
            "flu",
            "The symptoms of flu are fever, cough but not rash.",
            ("has_symptom", "condition:rash", -1),
        ),
        ("flu", "It may lead to pneumonia.", ("has_complication", "condition:pneumonia", 1)),
        ("flu", "Flu is caused by viruses.", ("caused_by", "factor:viruses", 1)),
        ("感冒", "感冒的常见症状有发热、咳嗽和流鼻涕。", ("has_symptom", "condition:cough", 1)),
        ("感冒", "并发症可能包括肺炎。", ("has_complication", "condition:pneumonia", 1)),
        ("感冒", "感冒不会引起皮疹。", ("has_symptom", "condition:rash", -1)),
        ("肺炎", "肺炎可由细菌、病毒引起。", ("caused_by", "factor:bacteria", 1)),
    ],
)
def test_sentences_in_both_languages(
    name: str, sentence: str, wanted: tuple[str, str, int]
) -> None:
    found = said(read(name=name, description=sentence))
    predicate, thing, polarity = wanted
    assert found[predicate, f"mw.{thing}"][0] == polarity


@pytest.mark.parametrize(
    "sentence",
    [
        "Symptoms of measles include rash.",
        "Is fever a symptom?",
        "Doctors say the symptoms vary.",
        "Common symptoms are those that appear when the virus is spreading.",
    ],
)
def test_what_is_about_something_else_or_is_no_list_says_nothing(sentence: str) -> None:
    assert said(read(name="flu", description=sentence)) == {}


@pytest.mark.parametrize(
    ("english", "chinese", "name", "qualifiers"),
    [
        ("pregnancy", "孕妇", "pregnancy", {"pregnancy": True}),
        (
            "pregnancy from week 20",
            "妊娠20周后",
            "pregnancy",
            {"pregnancy": True, "pregnancy_weeks_min": 20},
        ),
        (
            "pregnancy before week 13",
            "妊娠13周前",
            "pregnancy",
            {"pregnancy": True, "pregnancy_weeks_max": 13},
        ),
        ("breastfeeding", "哺乳期", "breastfeeding", {"breastfeeding": True}),
        ("children under 8 years", "8岁以下儿童", "children", {"age_max_days": 2922}),
        ("infants under 3 months", "3个月以下婴儿", "children", {"age_max_days": 91}),
        ("adults over 65 years", "65岁以上老人", "adults", {"age_min_days": 23741}),
        ("severe kidney disease", "严重肾病", None, {"severity": "severe"}),
        ("end-stage kidney disease", "终末期肾病", None, {"severity": "end_stage"}),
        ("decompensated cirrhosis", "失代偿期肝硬化", None, {"severity": "decompensated"}),
        ("untreated tuberculosis", "未治疗的结核病", None, {"severity": "untreated"}),
        ("uncontrolled epilepsy", "未控制的癫痫", None, {"severity": "uncontrolled"}),
        (
            "pregnancy from week 20, at pain-relief doses",
            "妊娠20周后（止痛剂量）",
            "pregnancy",
            {"pregnancy": True, "pregnancy_weeks_min": 20, "dose_context": "pain_relief"},
        ),
    ],
)
def test_the_same_condition_in_both_languages(
    english: str, chinese: str, name: str | None, qualifiers: dict[str, Any]
) -> None:
    found = [read_phrase(english, template_set("en")), read_phrase(chinese, template_set("zh"))]
    for phrase in found:
        assert phrase is not None
        assert phrase.qualifiers == qualifiers
        assert name is None or phrase.name == name


def test_under_eight_and_in_pregnancy_are_two_statements() -> None:
    made = read(name="x", concept="drug", contraindications=["pregnancy", "children under 8 years"])
    assert len({s.id for s in made.statements}) == 2


def test_an_exception_names_a_thing() -> None:
    made = read(
        name="aspirin",
        concept="drug",
        contraindications=["children under 16 years, except when used for Kawasaki disease"],
    )
    (statement,) = made.statements
    assert statement.qualifier("except_purpose") == "mw.condition:kawasaki_disease"


def test_a_statement_outside_domain_and_range_is_refused_with_the_reason() -> None:
    made = read(name="aspirin", concept="drug", symptoms=["fever"])
    assert made.statements == ()
    assert (
        "'has_symptom' does not take a drug as its subject, it takes disease"
        in made.skipped[0].reason
    )


def test_an_unknown_concept_is_refused() -> None:
    assert "unknown concept 'poem'" in read(name="x", concept="poem").skipped[0].reason


def test_a_name_the_lexicon_knows_is_one_thing_in_every_language() -> None:
    english, chinese = (
        read(name="flu", symptoms=["pectoralgia"]),
        read(name="流感", symptoms=["胸痛"]),
    )
    assert english.statements[0].id == chinese.statements[0].id


def test_facts_of_a_sample_cite_a_record_or_are_marked_unsourced() -> None:
    made = read(name="x", sample=True, symptoms=["fever", {"text": "cough", "cites": ["book#1"]}])
    assert {e.quote: e.cites for e in made.evidence} == {
        "fever": ("unsourced",),
        "cough": ("book#1",),
    }


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.text(min_size=1, max_size=30), max_size=4),
    st.text(max_size=200),
)
def test_every_quote_stands_in_its_place_whatever_the_text(names: list[str], text: str) -> None:
    record = record_of(name="flu", symptoms=names, description=text, treatment=[text])
    made = extract(record, NAMING)
    for item in made.evidence:
        held = record.document.text(item.place.field)
        assert held[item.place.start : item.place.end] == item.quote


def test_the_build_key_follows_content_and_not_place() -> None:
    first, same, other = (
        record_of(name="flu"),
        record_of(name="flu"),
        record_of(name="flu", symptoms=["x"]),
    )
    assert build_key(first, NAMING) == build_key(same, NAMING) != build_key(other, NAMING)


def test_evidence_read_by_a_template_says_so() -> None:
    made = read(name="flu", description="The symptoms of flu include fever.")
    template: list[Evidence] = [e for e in made.evidence if e.method.startswith("template")]
    assert {(e.agent_type, e.knowledge_level) for e in template} == {
        ("text_mining_agent", "not_provided")
    }
