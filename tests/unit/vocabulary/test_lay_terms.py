"""Lay terms: what ships, and what is said of a file that is wrong."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from medweave import Configuration, KnowledgeBase
from medweave.errors import VocabularyError
from medweave.language.data import shipped, shipped_yaml
from medweave.language.folding import plural, singular
from medweave.vocabulary.lay_terms import LayTerms, Terms, lay_terms, load_lay
from medweave.vocabulary.lexicon import shipped_lexicon


@pytest.mark.parametrize(("language", "least"), [("en", 400), ("zh", 150)])
def test_enough_wordings_ship(language: str, least: int) -> None:
    content = shipped_yaml("vocabulary", "lay", f"{language}.yaml")
    assert sum(len(entry["said"]) for entry in content["terms"]) >= least


@cache
def _written_out(language: str) -> Terms:
    """All ways of saying the lay terms that ship: 1,900,000 in English."""
    text = shipped("vocabulary", "lay", f"{language}.yaml").read_text("utf-8")
    return load_lay(text, where=f"{language}.yaml")


@pytest.fixture(autouse=True, scope="module")
def _forgotten_behind_it() -> Iterator[None]:
    """Two million texts are 0.3 GB, which no other test needs."""
    yield
    _written_out.cache_clear()


@pytest.mark.thorough
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_way_of_saying_something_is_heard_where_it_is_said(language: str) -> None:
    for key, names, new in _ways_of_saying(language):
        text = key if language == "en" else f"{key}。"
        several = plural(key)
        in_plural = singular(several) == key and key.split()[-1] in new
        for said in (text, f"i {several} now") if in_plural else (text,):
            heard = LayTerms().terms(said)[-1]
            assert heard.get(key) == names, said


_Parts = set[str | tuple[str, ...]]


def _ways_of_saying(language: str) -> Iterator[tuple[str, tuple[str, ...], _Parts]]:
    """The wordings with words (characters of Chinese) or a beginning new for their names.

    A wording is found by words that it needs and by its first two; so all of these are met.
    """
    met: dict[tuple[str, ...], _Parts] = defaultdict(set)
    for key, names in _written_out(language).items():
        words = key.split() if language == "en" else list(key)
        parts: _Parts = {*words, tuple(words[:2])}
        new = parts - met[names]
        if new:
            met[names] |= new
            yield key, names, new


@pytest.mark.thorough
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_wording_stands_for_findings_or_for_medicines_and_not_for_both(language: str) -> None:
    by_key = shipped_lexicon().by_key
    wordings = {names: wording for wording, names in _written_out(language).items()}
    for names, wording in wordings.items():
        medicines = [
            any(term.concept in ("drug", "drug_class") for term in by_key[name])
            for name in names
            if name in by_key
        ]
        assert len(set(medicines)) <= 1, wording


@pytest.mark.parametrize("language", ["en", "zh"])
def test_most_wordings_stand_for_something_the_lexicon_knows(language: str) -> None:
    known = shipped_lexicon().by_key
    meant = Counter(names for names in _written_out(language).values() if names)
    heard = sum(n for names, n in meant.items() if any(name in known for name in names))
    assert heard > 0.6 * meant.total()


@pytest.mark.parametrize(
    ("text", "what", "line"),
    [
        ("terms:\n  - names: [fever]\n    said: [hot]\n    zh: [热]", "'names' and 'said'", 2),
        ("terms:\n  - names: [fever]\n    said:\n      - hot\n      - (hot", "cannot be read", 5),
        ("terms:\n  - names: [fever]\n    said: [hot |]", "cannot be read", 3),
        ("terms:\n  - names: [fever]\n    said: [no]", "need quotes", 2),
        ("terms:\n  - names: [fever]\n    said: [<very> hot]", "no shorthand 'very'", 3),
        (
            "terms:\n  - {names: [fever], said: [hot]}\n  - {names: [flush], said: [(hot|red)]}",
            "'hot' also means fever",
            3,
        ),
    ],
)
def test_a_slip_is_named_with_its_line(text: str, what: str, line: int) -> None:
    with pytest.raises(VocabularyError, match=what) as caught:
        load_lay(text, where="own.yaml")
    assert caught.value.where == f"own.yaml line {line}"


def test_a_file_without_terms_is_wrong() -> None:
    with pytest.raises(VocabularyError, match="'terms' must be a list") as caught:
        load_lay("words: []", where="own.yaml")
    assert caught.value.where == "own.yaml"


def test_broken_yaml_is_named_with_its_line() -> None:
    with pytest.raises(VocabularyError) as caught:
        load_lay("terms:\n  - names: [fever", where="own.yaml")
    assert "own.yaml line" in caught.value.where


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(VocabularyError, match="cannot be read"):
        lay_terms(str(tmp_path / "none.yaml"))


def test_own_terms_take_the_place_of_those_that_ship(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text("terms: [{names: [nausea], said: [threw up, feel zonky]}]", "utf-8")
    with KnowledgeBase.open("memory:") as base:
        assert base.understand("I threw up").mentions[0].name == "vomiting"
    with KnowledgeBase.open("memory:", configuration=Configuration.of(lay=str(own))) as base:
        assert base.understand("I threw up").mentions[0].name == "nausea"
        assert base.understand("I feel zonky").mentions[0].name == "nausea"
        assert base.understand("I throw up").mentions[0].name == "vomiting"
