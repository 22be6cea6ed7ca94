"""Whatever a mapping can make of a source has words in both languages: no question crashes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from medweave import KnowledgeBase
from medweave.answering.wording import Wording
from medweave.faces.texts import Words
from medweave.language.data import LANGUAGES
from medweave.model.mapping import Mapping
from medweave.model.statement import INTERACTION_GRADES, QUALIFIER_NAMES, Statement
from medweave.sources.mapping.layouts import shipped_mappings
from medweave.vocabulary.vocabulary import shipped_vocabulary

VOCABULARY = shipped_vocabulary()


def named_by(mapping: Mapping) -> Iterator[str]:
    for part in mapping.everything:
        yield from (rule.predicate for rule in part.fields)
        yield from (rule.predicate for _, rule in part.relations)


PREDICATES = sorted(
    {name for mapping in shipped_mappings().values() for name in named_by(mapping)}
    | set(VOCABULARY.predicates)
    | {"treated_by", "rel:award/won", "某关系"}
)


@pytest.fixture(scope="module")
def empty() -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open("memory:") as base:
        yield base


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PREDICATES)
def test_every_predicate_that_a_mapping_names_can_be_said(
    name: str, language: str, empty: KnowledgeBase
) -> None:
    found = VOCABULARY.find(name)
    predicate = found.predicate.name if found else name
    wording = Wording(language, empty.knowledge)
    for turned in (False, True):
        said = wording.property_words(predicate, from_object=turned)
        listed = wording.recorded_list(predicate, ["X"], subject="flu", from_object=turned)
        assert said
        assert "flu" in listed
        assert "X" in listed
        assert "{" not in listed
    clause = wording.recorded_clause(predicate, subject="flu", other="X")
    assert "flu" in clause
    assert "X" in clause


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", sorted(QUALIFIER_NAMES))
def test_every_qualifier_and_grade_has_words(
    name: str, language: str, empty: KnowledgeBase
) -> None:
    question = replace(empty.understand("flu"), language=language)
    for value in (True, 30, *INTERACTION_GRADES) if "age" not in name else (30,):
        statement = Statement("mw.condition:influenza", "interacts_with", "x:1", ((name, value),))
        said = Words(question).note(statement)
        assert said or name == "mentions"
        assert "{" not in said
        wording = Wording(language, empty.knowledge)
        if name not in ("age_min_days", "age_max_days", "sex"):
            assert wording.condition(statement)
    assert set(INTERACTION_GRADES) <= set(wording.phrases["codes"])


def test_causes_in_words_are_told_however_they_are_asked(tmp_path: Path) -> None:
    mapping = shipped_mappings()["wikidoc"]
    field = next(rule.field for rule in mapping.fields if rule.predicate == "causes_in_words")
    asked = next(question for question, of in mapping.questions if of == field)
    record = {
        mapping.question_field: asked.format(name="jaundice"),
        mapping.answer_field: "A blocked bile duct, or hepatitis.",
    }
    file = tmp_path / "wikidoc" / "wikidoc.jsonl"
    file.parent.mkdir()
    file.write_text(json.dumps(record) + "\n", "utf-8")
    with KnowledgeBase.open("memory:") as base:
        base.build([file], mapping=mapping)
        for question in (
            "What causes jaundice?",
            "Is there a cause of jaundice?",
            "黄疸的病因是什么？",
            "Does hepatitis cause jaundice?",
            "What is recorded for jaundice?",
        ):
            assert base.ask(question).status in ("answered", "partial", "abstained")
        said = base.ask("What causes jaundice?")
        assert "bile duct" in " ".join(sentence.text for sentence in said.sentences)


def test_a_relation_of_a_sources_own_is_kept_neutral_shown_and_told_once(tmp_path: Path) -> None:
    file = tmp_path / "own.csv"
    rows = [f"disease {n},was_treated_with,drug {n}" for n in range(2500)]
    file.write_text(
        "\n".join(["subject,predicate,object", *rows, "flu,was_treated_with,rest"]), "utf-8"
    )
    with KnowledgeBase.open("memory:") as base:
        report = base.build([file])
        assert [item.reason for item in report.skipped] == [
            "2501 rows are kept as 'was_treated_with', which is no predicate of the vocabulary "
            "and neutral (the nearest is 'treated_with')"
        ]
        (found,) = base.show("flu").statements
        assert found.statement.predicate == "was_treated_with"
        assert base.knowledge.vocabulary.predicate("was_treated_with").valence == 0
        assert base.ask("What drugs are recorded for flu?").candidates == ()
        assert base.build([file]).unchanged == 3
