"""An association that is denied is a statement that is denied; a condition hedges its clause."""

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
    ],
)
def test_a_condition_hedges_its_clause_alone(text: str, strength: float) -> None:
    assert [each[-1] for each in said(text)] == [strength]


def test_what_is_denied_of_another_thing_denies_nothing_here() -> None:
    text = "Ranibizumab was effective in wet AMD in which bleeding was not detected."
    assert said(text)[0][1:4] == ("treat", "neovascular age-related macular degeneration", 1)
