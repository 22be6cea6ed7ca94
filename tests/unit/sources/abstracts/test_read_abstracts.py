"""What an abstract names and says, by rules, and what becomes of it in a base."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from medweave import KnowledgeBase
from medweave.model.belief import belief
from medweave.model.document import Document
from medweave.ontology.loading import ontology_in
from medweave.sources.abstracts.extracted import ReadAbstract
from medweave.sources.abstracts.extraction import read_abstract
from medweave.sources.abstracts.readers import RuleReader
from medweave.sources.names import Naming
from medweave.vocabulary.lexicon import shipped_lexicon
from medweave.vocabulary.vocabulary import shipped_vocabulary

NAMING = Naming(shipped_vocabulary(), shipped_lexicon())
CAUSALAMD = ontology_in()


def read(text: str) -> ReadAbstract:
    document = Document("a.txt", "PMID:1", text[:20], (("text", text),))
    return read_abstract(document, RuleReader.of(CAUSALAMD), NAMING, CAUSALAMD)


def said(text: str) -> list[tuple[str, str, str, int, bool]]:
    """Subject, relation, object, polarity, and whether it is said in full."""
    found = read(text)
    return [
        (
            found.entities[r.subject].name,
            r.predicate,
            found.entities[r.object].name,
            r.polarity,
            r.strength == 1,
        )
        for r in found.relations
    ]


AMD = "age-related macular degeneration"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Smoking aggravates AMD.", ("smoking", "aggravate", AMD, 1, True)),
        ("CFH protects against AMD.", ("complement factor h gene", "prevent", AMD, 1, True)),
        ("Lutein did not prevent AMD.", ("lutein", "prevent", AMD, -1, True)),
        ("To determine whether zinc prevents AMD.", ("zinc", "prevent", AMD, 1, False)),
        (
            "There was no evidence that zinc prevents AMD.",
            ("zinc", "prevent", AMD, -1, True),
        ),
        (
            "There was no evidence that it hurts, and zinc prevents AMD.",
            ("zinc", "prevent", AMD, 1, True),
        ),
        ("Zinc not only prevents AMD but is cheap.", ("zinc", "prevent", AMD, 1, True)),
        ("If zinc prevents AMD, it is cheap.", ("zinc", "prevent", AMD, 1, False)),
        ("Zinc may prevent AMD.", ("zinc", "prevent", AMD, 1, False)),
        (
            "Endophthalmitis was caused by intravitreal injection.",
            ("intravitreal injection", "cause", "endophthalmitis", 1, True),
        ),
    ],
)
def test_a_sentence_says_one_relation(text: str, expected: tuple[str, str, str, int, bool]) -> None:
    assert said(text) == [expected]


def test_a_short_form_means_what_the_text_defines_it_by() -> None:
    text = "Retinal wobbling disease (RWD) is rare. Ranibizumab treats RWD."
    assert said(text) == [("ranibizumab", "treat", "retinal wobbling disease", 1, True)]


def test_wet_amd_is_another_thing_than_amd_and_a_short_form_is_none() -> None:
    names = {e.text: e.id for e in read("Wet AMD, AMD, age-related macular degeneration.").entities}
    assert names["AMD"] == names["age-related macular degeneration"]
    assert names["Wet AMD"] != names["AMD"]


def test_places_lead_to_the_text() -> None:
    found = read("Ærø: smoking causes drusen in AMD.")
    assert all(found.text[e.start : e.end] == e.text for e in found.entities)
    assert {found.text[r.start : r.end] for r in found.relations} == {found.text}


def abstracts(path: Path, *rows: tuple[int, str]) -> Path:
    made = [json.dumps({"pmid": pmid, "title": "T", "abstract": text}) for pmid, text in rows]
    path.write_text("\n".join(made), "utf-8")
    return path


def test_statements_keep_polarity_strength_role_and_address(tmp_path: Path) -> None:
    text = "Endophthalmitis was not caused by ranibizumab. Zinc may prevent AMD. CFH prevents AMD."
    with KnowledgeBase.open("memory:") as base:
        base.build([abstracts(tmp_path / "a.jsonl", (7, text))])
        card = base.show("endophthalmitis").to_json()
        [denied] = card["statements"]
        assert denied["qualifiers"] == {"object_role": "complication"}
        [evidence] = denied["evidence"]
        assert (evidence["polarity"], evidence["quote"]) == (-1, text[:46])
        assert evidence["document"] == "PMID:7"
        [held] = base.show("endophthalmitis").statements
        assert held.evidence[0].agent_type == "text_mining_agent"
        assert {s["predicate"] for s in base.show("AMD").to_json()["statements"]} == {
            "protects_from"
        }


def test_a_copy_in_another_file_is_no_second_vote(tmp_path: Path) -> None:
    text = "Smoking aggravates AMD."
    files = [abstracts(tmp_path / f"{name}.jsonl", (7, text)) for name in "ab"]
    with KnowledgeBase.open("memory:") as base:
        base.build(files[:1])
        before = _belief_of_smoking(base)
        base.build(files)
        assert _belief_of_smoking(base) == before
        base.build([abstracts(tmp_path / "c.jsonl", (8, text))])
        assert _belief_of_smoking(base) > before


def _belief_of_smoking(base: KnowledgeBase) -> float:
    [one] = base.show("smoking").statements
    return belief(one.evidence)


def test_what_is_unchanged_is_left_alone_and_a_clash_is_told(tmp_path: Path) -> None:
    first = abstracts(tmp_path / "a.jsonl", (7, "Smoking aggravates AMD."), (8, "Zinc is safe."))
    with KnowledgeBase.open("memory:") as base:
        base.build([first])
        assert base.build([first]).unchanged == 2
        abstracts(first, (7, "Smoking aggravates AMD."), (8, "Zinc causes nausea."))
        assert base.build([first]).unchanged == 1
        report = base.build([abstracts(tmp_path / "b.jsonl", (7, "Smoking causes AMD."))])
        assert any("PMID:7" in skipped.reason for skipped in report.skipped)
