"""Trees of dialogues: which section is filled with what, from where; and what never comes of it."""
# ruff: noqa: E501 - what is said is one line

from __future__ import annotations

from time import process_time

import pytest

from medweave.model.dialogue import Dialogue, Given, Part, Reference, Section, Speaker, Turn
from medweave.model.document import Document, Extraction
from medweave.model.mapping import Mapping
from medweave.model.record import Record
from medweave.model.statement import Literal, Place
from medweave.sources.dialogues.tree import dialogue_tree
from medweave.sources.extraction import build_key, extract
from medweave.sources.names import Naming
from medweave.vocabulary.dialogue_references import mentioned_in
from medweave.vocabulary.dialogue_template import load_template, shipped_template
from medweave.vocabulary.lexicon import shipped_lexicon
from medweave.vocabulary.vocabulary import shipped_vocabulary

NAMING = Naming(shipped_vocabulary(), shipped_lexicon())
MAPPING = Mapping("dialogues", "dialogues", "1", evidence_class="dialogue")
KNEE: list[tuple[Speaker, str]] = [
    ("patient", "I have had a headache for two weeks. I can't sleep. I take ibuprofen 400 mg daily."),
    ("doctor", "Do you have a fever?"),
    ("patient", "Yes, since Monday. I had pneumonia as a child. No cough, and no rash."),
    ("doctor", "It is probably caused by sinusitis. You should drink enough. If it gets worse, come back."),
]  # fmt: skip


def talk(*turns: tuple[Speaker, str], **parts: object) -> Dialogue:
    said = tuple(Turn(n, speaker, text) for n, (speaker, text) in enumerate(turns, 1))
    return Dialogue("7", said, **parts)  # type: ignore[arg-type]


def tree(dialogue: Dialogue, *sections: Section) -> dict[str, str]:
    return {section.name: section.text for section in dialogue_tree(dialogue, *sections)}


def parts_of(dialogue: Dialogue, name: str) -> list[str]:
    sections = dialogue_tree(dialogue)
    return [part.text for section in sections if section.name == name for part in section.parts]


def extracted(dialogue: Dialogue) -> Extraction:
    fields = [(turn.field, turn.text) for turn in dialogue.turns]
    fields += [(given.field, given.text) for given in dialogue.given]
    fields += [(r.place.field, r.quote) for r in dialogue.references]
    document = Document("a.jsonl", dialogue.id, "", tuple(fields), evidence_class="dialogue")
    return extract(Record(document, "dialogues", MAPPING, dialogue), NAMING)


def test_each_section_has_the_sentences_that_tell_it() -> None:
    assert tree(talk(*KNEE)) == {
        "summary": "I have had a headache for two weeks.",
        "description": KNEE[0][1],
        "cause": "It is probably caused by sinusitis.",
        "impact_on": "I can't sleep.",
        "issue_description": "I have had a headache for two weeks.",
        "symptom": "I have had a headache for two weeks.\nI can't sleep.\nDo you have a fever?\nYes, since Monday.",
        "history": "I had pneumonia as a child.",
        "medication": "I take ibuprofen 400 mg daily.",
        "advice": "You should drink enough.",
        "follow_up": "If it gets worse, come back.",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("said", "symptom"),
    [
        ("I have no fever and no cough.", ""),
        ("My mother had asthma.", ""),
        ("Could it be cancer?", ""),
        ("What are the symptoms of malaria?", ""),
        ("I have a sore throat, what can I do?", "I have a sore throat, what can I do?"),
        ("terrible headache. no fever.", "terrible headache."),
        ("头痛三天了。没有发烧。", "头痛三天了。"),
    ],
)
def test_a_symptom_is_what_a_patient_reports(said: str, symptom: str) -> None:
    assert tree(talk(("patient", said))).get("symptom", "") == symptom


def test_what_a_doctor_asks_is_a_symptom_only_where_the_answer_is_yes() -> None:
    asked: tuple[Speaker, str] = ("doctor", "Any vomiting?")
    yes = tree(talk(("patient", "Hello."), asked, ("patient", "Yes, twice.")))
    no = tree(talk(("patient", "Hello."), asked, ("patient", "No.")))
    assert yes["symptom"] == "Any vomiting?\nYes, twice."
    assert "symptom" not in no


def test_a_number_at_the_end_of_a_sentence_ends_it() -> None:
    found = tree(talk(("doctor", "This is due to flu, as in dialogue 88. Drink enough.")))
    assert found["cause"] == "This is due to flu, as in dialogue 88."
    assert found["advice"] == "Drink enough."


def test_what_is_advised_stands_in_the_doctors_turns_alone() -> None:
    found = tree(talk(("patient", "Should I rest? I was told to take aspirin."), ("doctor", "Hm.")))
    assert "advice" not in found


def test_what_cannot_be_filled_stays_empty() -> None:
    assert tree(talk(("patient", "Hi."))) == {"description": "Hi."}
    assert tree(talk()) == {}


def test_what_the_record_gives_comes_before_what_its_turns_tell() -> None:
    given = (Given("Symptoms", "sections.Symptoms", "dizzy"),)
    sections = dialogue_tree(talk(*KNEE, given=given))
    [symptom] = [section for section in sections if section.name == "symptom"]
    assert symptom.parts == (Part(Place("sections.Symptoms", 0, 5), "dizzy", "field"),)


def test_sections_made_elsewhere_come_between_fields_and_turns() -> None:
    place = Place("turn 4 doctor", 0, 35)
    made = Section("cause", (Part(place, "sinusitis", "model"),), "llm")
    given = (Given("cause", "cause", "a cold"),)
    assert tree(talk(*KNEE), made)["cause"] == "sinusitis"
    assert tree(talk(*KNEE, given=given), made)["cause"] == "a cold"
    assert dialogue_tree(talk(*KNEE), made)[2].origin == "llm"


def test_every_part_stands_in_its_place() -> None:
    reference = Reference("caused_by", "3", Place("references", 0, 11), "caused_by 3")
    made = extracted(talk(*KNEE, ("doctor", "See also dialogue 12."), references=(reference,)))
    assert len(made.evidence) > 12
    for item in made.evidence:
        text = made.document.text(item.place.field)
        assert text[item.place.start : item.place.end] == item.quote
        assert item.evidence_class == "dialogue"
        assert item.method.startswith("rule: ")


def test_what_is_typed_without_any_mark_is_read_in_parts_and_none_is_lost() -> None:
    said = "i have a headache and then a cough and no fever but took ibuprofen " * 40
    whole = tree(talk(("patient", said), ("doctor", "Rest.")))
    assert whole["description"] == said
    parts = parts_of(talk(("patient", said)), "symptom")
    assert all(len(text) <= 1500 for text in parts)
    assert sum(text.count("headache") for text in parts) == 40


def test_time_grows_with_a_turn_without_marks_and_not_with_its_square() -> None:
    def seconds(times: int) -> float:
        started = process_time()
        tree(talk(("patient", "headache and then fever and i took ibuprofen " * times)))
        return process_time() - started

    few, many = (min(seconds(times) for _ in range(3)) for times in (200, 800))
    assert many < 10 * few


def test_references_become_links_of_their_types() -> None:
    reference = Reference("caused_by", "3", Place("references", 0, 11), "caused_by 3")
    made = extracted(
        talk(("doctor", "Same issue as #12. Not related to #13."), references=(reference,))
    )
    links = {(s.predicate, s.object) for s in made.statements if s.predicate != "has_section"}
    assert links == {
        ("dialogue_caused_by", "dialogue:3"), ("dialogue_same_issue", "dialogue:12"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("said", "links"),
    [
        ("与工单101相关，由病例102引起，复制自对话103。",
         [("101", "related_to"), ("102", "caused_by"), ("103", "copied_from")]),
        ("复制自工单120，同一问题见工单121", [("120", "copied_from"), ("121", "same_issue")]),
        ("Copied from 102. Duplicate of 104?", [("102", "copied_from"), ("104", "same_issue")]),
        ("It resulted from ticket 102.", [("102", "caused_by")]),
        ("No duplicate of 104. A copy of 20 pages. It fell from 138 to 120.", []),
    ],
)  # fmt: skip
def test_an_id_in_a_text_has_the_relation_told_of_it(
    said: str, links: list[tuple[str, str]]
) -> None:
    assert [(m.target, m.relation) for m in mentioned_in(said, "200")] == links


def test_doses_and_treatments_in_a_dialogue_say_nothing_of_a_disease() -> None:
    made = extracted(
        talk(
            ("patient", "Aspirin treats my migraine. Migraine is caused by stress."),
            ("doctor", "Symptoms of migraine are nausea. Take ibuprofen 800 mg. Migraine is treated with triptans."),
        )
    )  # fmt: skip
    assert {statement.predicate for statement in made.statements} == {"has_section"}
    assert {statement.subject for statement in made.statements} == {"dialogue:7"}
    assert all(isinstance(statement.object, Literal) for statement in made.statements)
    assert {mention.entity for mention in made.mentions} == {"dialogue:7"}


def test_a_section_that_is_read_has_bounds_and_what_is_given_has_none() -> None:
    long = "You should rest. " * 2000
    found = tree(talk(("doctor", long), given=(Given("history", "history", long),)))
    assert len(found["advice"]) < shipped_template().longest + 100
    assert found["history"] == long


def test_a_build_key_moves_with_what_is_said_and_with_what_it_refers_to() -> None:
    document = Document("a.jsonl", "7", "", (("turn 1 patient", "Hi."),))
    one = Record(document, "dialogues", MAPPING, talk(("patient", "Hi.")))
    other = Record(document, "dialogues", MAPPING, talk(("patient", "Hi."), namespace="x"))
    assert build_key(one, NAMING) == build_key(one, NAMING) != build_key(other, NAMING)


def test_the_template_knows_intents_that_are_asked_for_and_importance_is_of_links() -> None:
    from medweave.understanding.intents.model import model_for

    known = set(model_for("").labels)
    asked = {i for rule in shipped_template().sections.values() for i in rule.intents}
    assert asked <= known
    importance = {
        name: predicate.importance
        for name, predicate in shipped_vocabulary().predicates.items()
        if predicate.importance is not None
    }
    assert importance == {
        "dialogue_caused_by": 1.0, "has_section": 0.9, "dialogue_copied_from": 0.8,
        "dialogue_same_issue": 0.7, "dialogue_related_to": 0.5, "dialogue_similar": 0.4,
    }  # fmt: skip
    assert {shipped_vocabulary().predicate(name).valence for name in importance} == {0}


@pytest.mark.parametrize(
    ("text", "slip"),
    [
        ("longest: 9\nsections: {a: {fill: magic}}", "'magic' fills nothing"),
        (
            "longest: 9\nsections: {a: {fill: cues, aliases: [b]}, b: {fill: cues}}",
            "'b' stands for both",
        ),
    ],
)
def test_a_template_that_is_wrong_says_why(text: str, slip: str) -> None:
    from medweave.errors import VocabularyError

    with pytest.raises(VocabularyError, match=slip):
        load_template(text, where="own.yaml")
