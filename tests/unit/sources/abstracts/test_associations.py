"""What is denied is a denied statement; what is only thought, asked or planned is hedged."""

from __future__ import annotations

import pytest

from medweave.model.document import Document
from medweave.ontology.loading import ontology_in
from medweave.sources.abstracts.extraction import read_abstract
from medweave.sources.abstracts.readers import RuleReader
from medweave.sources.names import Naming
from medweave.vocabulary.lexicon import shipped_lexicon
from medweave.vocabulary.vocabulary import shipped_vocabulary


def said(text: str) -> list[tuple[str, str, str, int, float]]:
    ontology = ontology_in()
    naming = Naming(shipped_vocabulary(), shipped_lexicon())
    document = Document("s", "1", "t", (("text", text),))
    read = read_abstract(document, RuleReader.of(ontology), naming, ontology)
    return [
        (read.entities[r.subject].name, r.predicate, read.entities[r.object].name, r.polarity,
         r.strength)
        for r in read.relations
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "polarity"),
    [
        ("There was no association between smoking and cataract.", -1),
        ("We found no significant association between smoking and cataract.", -1),
        ("No evidence of an association of smoking with cataract was found.", -1),
        ("No relationship was found between smoking and cataract.", -1),
        ("An association between smoking and cataract was not found.", -1),
        ("There was a strong association between smoking and cataract.", 1),
        ("The association of smoking with cataract is well known.", 1),
    ],
)
def test_an_association_has_its_sign(text: str, polarity: int) -> None:
    assert said(text) == [("smoking", "cause", "cataract", polarity, 1.0)]


@pytest.mark.parametrize(
    ("text", "strength"),
    [
        ("If zinc prevents cataract, costs are saved.", 0.5),
        ("It is asked if zinc prevents cataract.", 0.5),
        ("If untreated, smoking causes cataract.", 1.0),
        ("Eyes were looked at if they were red, and smoking causes cataract.", 1.0),
        ("Smoking causes cataract; how is unclear.", 1.0),
        ("Although the mechanism is unknown, smoking causes cataract.", 1.0),
        ("Smoking causes cataract, although this is disputed.", 0.5),
        ("There is no doubt that smoking causes cataract.", 1.0),
        ("There is some doubt that smoking causes cataract.", 0.5),
        ("A role of smoking in causing cataract cannot be excluded.", 0.5),
    ],
)
def test_a_condition_hedges_its_clause_alone(text: str, strength: float) -> None:
    assert [each[-1] for each in said(text)] == [strength]


def test_what_is_denied_of_another_thing_denies_nothing_here() -> None:
    text = "Ranibizumab was effective in wet AMD in which bleeding was not detected."
    assert said(text)[0][1:4] == ("treat", "neovascular age-related macular degeneration", 1)


@pytest.mark.parametrize(
    "text",
    [
        "In no eye did ranibizumab cause cataract.",
        "None of the drugs, including ranibizumab, caused cataract.",
        "No rise in cataract was caused by ranibizumab.",
        "Ranibizumab did little to cause cataract.",
        "The report that ranibizumab causes cataract has been disproved.",
        "The belief that ranibizumab causes cataract did not stand up.",
        "We were unable to reproduce the finding that ranibizumab causes cataract.",
        "Two trials argue against ranibizumab causing cataract.",
        "Ranibizumab use was unrelated to cataract.",
        "It is a myth that ranibizumab causes cataract.",
        "Ranibizumab was ruled out as a cause of cataract.",
        "The claim that ranibizumab causes cataract has been debunked.",
    ],
)
def test_what_is_refuted_or_said_of_nobody_is_denied(text: str) -> None:
    assert [each[3] for each in said(text)] == [-1]


@pytest.mark.parametrize(
    "text",
    [
        "The notion that smoking causes cataract is old.",
        "Smoking is suspected of causing cataract.",
        "That smoking would cause cataract is a matter of debate.",
        "Smoking seldom causes cataract.",
        "Does smoking cause cataract?",
        "The study was designed to show that smoking causes cataract.",
        "If confirmed, these data mean that smoking causes cataract.",
        "Smoking is held by a few to cause cataract.",
        "Smoking is being looked at as a cause of cataract.",
        "Preliminary data hint that smoking causes cataract.",
    ],
)
def test_what_is_thought_asked_or_planned_is_hedged(text: str) -> None:
    [(_, predicate, _, polarity, strength)] = said(text)
    assert (predicate, polarity) == ("cause", 1)
    assert strength < 1


@pytest.mark.parametrize(
    "text",
    [
        "It is well known that smoking causes cataract.",
        "These results confirm that smoking causes cataract.",
        "Not only age but also smoking causes cataract.",
        "No patient withdrew, and smoking caused cataract.",
        "Smoking causes cataract, and no serious adverse event was seen.",
        "Smoking undoubtedly causes cataract.",
        "Smoking was shown to cause cataract.",
        "Smoking is one of the main causes of cataract.",
    ],
)
def test_what_is_told_as_a_fact_stays_one(text: str) -> None:
    assert ("smoking", "cause", "cataract", 1, 1.0) in said(text)


def test_people_of_an_age_are_named_whole() -> None:
    found = said("AMD affects adults aged 75 and older.")
    assert [(each[1], each[2]) for each in found] == [("affect", "adults aged 75 and older")]


@pytest.mark.parametrize(
    ("text", "caused"),
    [
        ("Smoking is a leading cause of blindness in people over 60.", ["blindness"]),
        ("Smoking causes blindness among adults over 50 years of age.", ["blindness"]),
        ("Smoking is the main cause of blindness in people of age 50 or older.", ["blindness"]),
        ("Smoking causes cataract and blindness.", ["cataract", "blindness"]),
        ("Smoking causes cataract in adults and blindness.", ["cataract", "blindness"]),
        ("Smoking, in many countries, causes cataract.", ["cataract"]),
        ("Patients had optical coherence tomography for cataract due to smoking.", ["cataract"]),
    ],
)
def test_in_whom_and_by_what_it_is_seen_is_not_caused(text: str, caused: list[str]) -> None:
    assert [object_ for _, predicate, object_, *_ in said(text) if predicate == "cause"] == caused
