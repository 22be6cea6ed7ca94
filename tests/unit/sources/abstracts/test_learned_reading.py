"""What labelled documents teach: how sure is sure enough, and by which identifier a thing goes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from medweave.sources.abstracts.entities.decoding import (
    Marked,
    Way,
    best_way,
    decoded,
    in_every_text,
)
from medweave.sources.abstracts.entities.identifiers import LearnedIdentifiers
from medweave.sources.abstracts.entities.spans import Labelled, Span
from medweave.sources.abstracts.entities.tokens import tokenised_sentences
from medweave.sources.abstracts.labelled.documents import LabelledDocument, labelled_documents
from medweave.sources.abstracts.relations.learner import Relation, RelationLearner, Sure

TEXT = "Zornol induced fever"
HEADINGS = {
    "aspirin": "D001241",
    "warfarin": "D014859",
    "ibuprofen": "D007052",
    "morphine": "D009020",
    "digoxin": "D004077",
    "simvastatin": "D019821",
}


def marked(drug: float, sign: float) -> list[Marked]:
    (tokens,) = tokenised_sentences(TEXT)
    likely = [
        {"O": 1 - drug, "B drug": drug},
        {"O": 1.0},
        {"O": 1 - sign, "B sign": sign},
    ]
    return [Marked(tokens, likely)]


@pytest.mark.parametrize(
    ("drug", "sign", "always", "found"),
    [
        (0.9, 0.2, (), {"Zornol"}),
        (0.9, 0.2, ("sign",), {"Zornol", "fever"}),
        (0.9, 0.2, ("drug",), {"Zornol"}),
        (0.9, 0.001, ("sign",), {"Zornol"}),
        (0.1, 0.2, ("drug", "sign"), {"Zornol", "fever"}),
    ],
)
def test_of_a_type_that_every_text_names_the_likeliest_is_told(
    drug: float, sign: float, always: tuple[str, ...], found: set[str]
) -> None:
    way = Way(0.5, whole=False, always=frozenset(always))
    assert {TEXT[s.start : s.end] for s in decoded(marked(drug, sign), TEXT, way)} == found


def test_that_every_text_names_it_is_trusted_where_it_helps_on_texts_held_out() -> None:
    named = Labelled(TEXT, [Span(0, 6, "drug"), Span(15, 20, "sign")])
    signs = frozenset({"sign"})
    # As likely as this a sign stands nowhere in half of the texts: a lower threshold cannot tell.
    unlike = Labelled(TEXT, [Span(0, 6, "drug")])
    helped = best_way([(marked(0.9, 0.08), named)] * 20, signs)
    harmed = best_way([(marked(0.9, 0.08), unlike)] * 40, signs)
    assert (helped.always, harmed.always) == (signs, frozenset())
    assert in_every_text([named] * 30) == {"drug", "sign"}
    assert in_every_text([named] * 29 + [unlike] * 2) == {"drug"}
    assert in_every_text([named] * 29) == frozenset()


def test_several_identifiers_of_one_mention_are_several_things(tmp_path: Path) -> None:
    file = tmp_path / "composite.pubtator"
    file.write_text(
        "1|t|Zornol.\n1|a|Mouth and throat cancer came.\n1\t0\t6\tZornol\tChemical\tC1\n"
        "1\t8\t31\tMouth and throat cancer\tDisease\tD1|D2\n1\tCID\tC1\tD2\n1\tCID\tC1\tD9\n"
    )
    (document,) = labelled_documents(file).documents
    things = {thing.key: thing.type for thing in document.related().read.things}
    assert things == {"C1": "chemical", "D1": "disease", "D2": "disease"}
    # What stands nowhere in the text keeps its identifier as it is.
    assert document.relations == {Relation("C1", "cid", "D2"), Relation("C1", "cid", "D9")}


def labelled(names: dict[str, str], prefix: str = "") -> list[LabelledDocument]:
    found = []
    for name, identifier in names.items():
        span = Span(0, len(name), "chemical")
        found.append(LabelledDocument(name, name, (span,), {span: prefix + identifier}))
    return found


def key_of(name: str, learned: LearnedIdentifiers) -> str:
    span = Span(0, len(name), "chemical")
    return learned.keys(name, [span])[span]


@pytest.mark.parametrize("prefix", ["", "MESH:"])
def test_where_texts_are_labelled_by_mesh_the_lexicon_knows_more(prefix: str) -> None:
    learned = LearnedIdentifiers.learn(labelled(HEADINGS, prefix))
    assert key_of("acetaminophen", learned) == f"{prefix}D000082"
    assert key_of("Tylenol", learned) == f"{prefix}D000082"
    # Things of MeSH that the lexicon lacks, in any order of their words.
    assert key_of("torsades de pointes", learned) == f"{prefix}D016171"
    assert key_of("non-steroidal anti-inflammatory agent", learned) == f"{prefix}D000894"
    assert key_of("zornol", learned) not in learned.all


def test_by_another_catalogue_nothing_is_guessed() -> None:
    others = {name: f"X{number}" for number, name in enumerate(HEADINGS)}
    for learned in (
        LearnedIdentifiers.learn(labelled(others)),
        LearnedIdentifiers.learn(labelled(dict(list(HEADINGS.items())[:2]))),
    ):
        assert key_of("acetaminophen", learned) not in learned.all


@pytest.mark.parametrize(
    ("known", "asked", "same"),
    [
        ("myocardial ischemia", "ischemic myocardium", True),
        ("zornular ischemia", "ischemic zornular", True),
        ("neutropenia of zornids", "neutropenic zornid", True),
        ("zornular ischemia", "zornular isosorbide", False),
    ],
)
def test_words_that_begin_alike_are_one_name(known: str, asked: str, same: bool) -> None:
    learned = LearnedIdentifiers.learn(labelled({known: "D1"}))
    assert (key_of(asked, learned) == "D1") is same


@pytest.mark.parametrize(
    ("asked", "identifier"),
    [
        ("acute zornitis", "D3"),  # as with the others, it is the same
        ("zornal pain", None),  # another thing by every name that has it
        ("acute zornal damage", "D5"),
        ("zornitis maleate", "D3"),
    ],
)
def test_words_are_left_off_that_could_be_left_off_other_names(
    asked: str, identifier: str | None
) -> None:
    names = {
        "fever": "D1", "acute fever": "D1", "pain": "D2", "acute pain": "D2", "zornitis": "D3",
        "damage": "D4", "zornal damage": "D5", "zornal fever": "D6", "pain maleate": "D2",
    }  # fmt: skip
    found = key_of(asked, learned := LearnedIdentifiers.learn(labelled(names)))
    assert (found if found in learned.all else None) == identifier


@pytest.mark.parametrize(
    ("known", "asked", "same"),
    [
        ("heart failure", "cardiac insufficiency", True),
        ("hepatic tumour", "neoplasms of the liver", True),
        ("heart failure", "renal failure", False),
    ],
)
def test_words_that_mean_the_same_are_one_name(known: str, asked: str, same: bool) -> None:
    learned = LearnedIdentifiers.learn(labelled({known: "X1"}))
    assert (key_of(asked, learned) == "X1") is same


def test_what_one_verb_taught_holds_for_another_that_says_the_same() -> None:
    def read(drug: str, verb: str) -> LabelledDocument:
        text = f"{drug} {verb} fever."
        spans = (Span(0, len(drug), "drug"), Span(len(text) - 6, len(text) - 1, "sign"))
        related = verb == "caused"
        relation = Relation(drug.lower(), "cause", "fever")
        return LabelledDocument(drug, text, spans, {}, frozenset([relation] * related))

    texts = [read(f"Zorn{at:c}ol", ("caused", "and")[at % 2]) for at in range(97, 123)]
    learner = RelationLearner.learn([text.related() for text in texts])
    learner = replace(learner, sure=Sure(0.0))
    alike, other = (learner.find(read("Brill", v).related().read)[0] for v in ("provoked", "or"))
    assert alike.confidence > 0.5 > other.confidence
