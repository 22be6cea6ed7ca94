"""Misspelt words are linked to what is meant, and said to be; a drug is never taken for another."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medweave import KnowledgeBase, Question
from medweave.faces.page.answer import answer_page
from medweave.language.slips import MOST, may_mean
from medweave.model.question import SUBSTANCES, Mention
from medweave.vocabulary.lexicon import shipped_lexicon

DISEASES = {
    "alpha fever": ["fever", "diarrhea", "headache", "abdominal pain", "high temperature"],
    "beta cough": ["cough", "chest pain", "dizziness", "high blood pressure", "knee swelling"],
    "hypothyroidism": ["fatigue"],
    "hyperthyroidism": ["sweating"],
    "pneumonia": ["fever", "cough"],
}
DRUGS = [
    "ibuprofen", "hydroxyzine", "hydralazine", "prednisolone", "acepromazine", "aceprometazine",
    "clonazepam", "clobazam", "lorazepam", "chlorpromazine", "chlorpropamide", "ceftriaxone",
    "zolmarin", "zolmarix", "vitamin d",
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("misspelt")
    records: list[dict[str, object]] = [
        {"name": name, "concept": "disease", "symptoms": symptoms}
        for name, symptoms in DISEASES.items()
    ]
    records += [{"name": name, "concept": "drug", "indications": ["fever"]} for name in DRUGS]
    (folder / "all.json").write_text(json.dumps(records), "utf-8")
    with KnowledgeBase.open(str(folder / "all.db")) as base:
        base.build([folder / "all.json"])
    return folder


@pytest.fixture(scope="module")
def base(folder: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open(str(folder / "all.db"), read_only=True) as base:
        yield base


def misspelt(question: Question) -> list[tuple[str, str]]:
    return [(m.text, m.link.read_as) for m in question.mentions if m.link.how == "misspelt"]


@pytest.mark.parametrize(
    ("text", "said", "read_as"),
    [
        ("I have diarhea.", "diarhea", "diarrhea"),
        ("Is Ibuprofin safe?", "Ibuprofin", "ibuprofen"),
        ("What is asprin for?", "asprin", "aspirin"),  # known to the lexicon alone
        ("my stomache hurts", "stomache hurts", "stomach hurts"),  # a lay wording
        ("he has stomache ache", "stomache ache", "stomach ache"),
        ("my knee is swolen", "knee is swolen", "knee is swollen"),  # said apart
        ("a high feaver since monday", "feaver", "fever"),
        ("is pnuemonia contagious?", "pnuemonia", "pneumonia"),
        ("I have neumonia", "neumonia", "pneumonia"),
        ("a high temprature", "high temprature", "high temperature"),
        ("high bloodpressure", "high bloodpressure", "high blood pressure"),
        ("two bad headachs", "headachs", "headache"),
        ("head-ache? no: hed ache", "head-ache", "headache"),
        ("vitmain d", "vitmain d", "vitamin d"),
    ],
)
def test_what_is_meant(base: KnowledgeBase, text: str, said: str, read_as: str) -> None:
    found = {m.text: m for m in base.understand(text).mentions}
    assert said in found
    link = found[said].link
    if link.how == "misspelt":  # the wordings that ship know some
        assert (link.read_as, link.slips) == (read_as, 1)
        assert 0 < link.score < 0.95


def test_a_join_of_two_words(base: KnowledgeBase) -> None:
    assert misspelt(base.understand("zol marin for a cough")) == [("zol marin", "zolmarin")]


def test_two_slips_are_less_sure_than_one(base: KnowledgeBase) -> None:
    one, two = (
        base.understand(f"I have {said}").mentions[0].link for said in ("pnuemonia", "pnumonnia")
    )
    assert (one.slips, two.slips) == (1, 2)
    assert two.score < one.score


@pytest.mark.parametrize(
    "text",
    [
        "a couch, a threat, a fewer number",  # English
        "my feet and my food",
        "hypthyroidism",  # of either kind
        "I feel hypertyro",
        "feav",  # too short
        "F3ver and fe1ver",
        "发烧 and 咳嗽嗽",
        "doesn't ain't won't",
        "Dostarlimab",  # not in the base, nor in the lexicon
        "hydroxizine",  # hydroxyzine, or is it hydralazine?
        "prednisone",  # a drug of the lexicon is never another one of the base
        "clonazpam",
        "acepromzine",
        "zolmari",  # as near to the one as to the other
    ],
)
def test_what_is_left_alone(base: KnowledgeBase, text: str) -> None:
    assert misspelt(base.understand(text)) == []


def test_a_denied_finding_is_denied_misspelt(base: KnowledgeBase) -> None:
    [found] = base.understand("He has no diarhea.").mentions
    assert found.status == "absent"


def test_what_is_misspelt_ranks_and_names_nothing(base: KnowledgeBase) -> None:
    written = base.ask("I have diarrhea and abdominal pain. What do I have?")
    slipped = base.ask("I have diarhea and abdomnial pain. What do I have?")
    found = [[c.entity.name() for c in answer.candidates] for answer in (written, slipped)]
    assert found == [["alpha fever"], ["alpha fever"]]
    assert (written.status, slipped.status) == ("answered", "partial")


def test_words_count_as_what_they_mean(base: KnowledgeBase) -> None:
    words = base.understand("My kneee is cold. Which disease do I have?").words
    assert [(word.text, word.stem) for word in words] == [("kneee", "knee")]


def test_an_answer_says_what_was_read_as_what(folder: Path, base: KnowledgeBase) -> None:
    answer = base.ask("What is ibuprofin used for?")
    [mention] = answer.to_json()["interpretation"]["mentions"]
    assert mention["link"] == {"how": "spelling", "score": 0.9, "read_as": "ibuprofen", "slips": 1}
    assert "“ibuprofin” read as ibuprofen" in answer_page(answer)
    [mention] = base.ask("What is ibuprofen used for?").to_json()["interpretation"]["mentions"]
    assert mention["link"] == {"how": "exact", "score": 1.0}


# a drug is never taken for another


@cache
def lexicon_drugs() -> dict[str, str]:
    """By name, the drug of the lexicon it is a name of."""
    return {
        name.lower(): term.id
        for term in shipped_lexicon().terms.values()
        if term.concept in SUBSTANCES
        for name in term.names.get("en", ())
    }


def drugs_meant(base: KnowledgeBase, text: str) -> list[Mention]:
    found = base.understand(text).mentions
    return [m for m in found if m.link.how == "misspelt" and m.concept in SUBSTANCES]


def taken_for_misspelt(base: KnowledgeBase, text: str) -> list[str]:
    """As `misspelt`, by the linker alone: asked of thousands of names."""
    found = base.knowledge.dictionary.find(text)
    return [text[m.start : m.end] for m in found if m.link.how == "misspelt"]


@pytest.mark.thorough
def test_no_name_of_a_drug_is_taken_for_misspelt(base: KnowledgeBase) -> None:
    assert taken_for_misspelt(base, "Can I take ibuprofin today?") == ["ibuprofin"]
    for name in (*lexicon_drugs(), *DRUGS):
        assert taken_for_misspelt(base, f"Can I take {name} today?") == [], name


@pytest.mark.thorough
def test_no_drug_of_the_lexicon_is_read_as_another_that_a_base_has(tmp_path: Path) -> None:
    """Every two that are near: a base has the one, and the other is asked about."""
    names = sorted(name for name in lexicon_drugs() if name.isalpha())
    pairs = [
        (one, other)
        for one, other in combinations(names, 2)
        if abs(len(one) - len(other)) <= MOST and not set(one[:2]).isdisjoint(other[:2])
    ]  # no others are near: how a word begins is hardly ever misspelt
    near = [pair for pair in pairs if may_mean(*pair) or may_mean(*pair[::-1])]
    assert near  # spellings of one drug, at least
    rows = [{"name": one, "concept": "drug", "indications": ["fever"]} for one, _ in near]
    (tmp_path / "all.json").write_text(json.dumps(rows), "utf-8")
    with KnowledgeBase.open("memory:") as base:
        base.build([tmp_path / "all.json"])
        for name in {name for pair in near for name in pair}:
            assert taken_for_misspelt(base, f"Is {name} safe?") == [], name


LETTERS = "abcdefghijklmnopqrstuvwxyz"


@st.composite
def drug_and_typo(draw: st.DrawFn) -> tuple[str, str]:
    name = draw(st.sampled_from(sorted({*lexicon_drugs(), *DRUGS})))
    at, letter = draw(st.integers(0, len(name) - 1)), draw(st.sampled_from(LETTERS))
    begin, end = name[:at], name[at + 1 :]
    made = [begin + end, begin + letter + name[at:], begin + letter + end]
    made.append(begin + end[:1] + name[at] + end[1:])
    return name, draw(st.sampled_from(made))


@pytest.mark.thorough
@settings(max_examples=4 * settings().max_examples)
@given(pair=drug_and_typo())
def test_no_typo_of_a_drug_names_another(base: KnowledgeBase, pair: tuple[str, str]) -> None:
    name, typo = pair
    own = {named.entity for named in base.knowledge.dictionary.names(name)}
    own |= {e for entity in own for e in base.knowledge.same(entity)}
    for mention in drugs_meant(base, f"Can I take {typo} today?"):
        inside = {n.entity for part in name.split() for n in base.knowledge.dictionary.names(part)}
        assert (own | inside).intersection(mention.entities), (name, typo, mention.name)
