"""What a text must have for a rule: nothing that a rule matches may be overlooked."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medweave.language.prefilter import (
    Expression,
    Prefilter,
    first_matches,
    has_required,
    required_words,
)

WORDS = st.text("ab c痛é", min_size=1, max_size=3)
Pair = tuple[str, str]
"""An expression, and a text that it matches."""


def _longer(pairs: st.SearchStrategy[Pair]) -> st.SearchStrategy[Pair]:
    """Expressions of expressions, each with what it then matches."""
    some = st.lists(pairs, min_size=1, max_size=3)
    in_a_row = some.map(lambda p: ("".join(one for one, _ in p), "".join(text for _, text in p)))
    choice = st.tuples(some, st.integers(0, 2), st.sampled_from(["(", "(?:", "(?P<x>"])).map(
        lambda p: (f"{p[2]}{'|'.join(one for one, _ in p[0])})", p[0][p[1] % len(p[0])][1])
    )
    optional = st.tuples(pairs, st.sampled_from(["?", "*", "{0,2}", "{,3}", "*?"])).map(
        lambda p: (f"(?:{p[0][0]}){p[1]}", "")
    )
    repeated = st.tuples(pairs, st.sampled_from(["+", "{2}", "{1,2}"])).map(
        lambda p: (f"(?:{p[0][0]}){p[1]}", p[0][1] * 2)
    )
    ahead = pairs.map(lambda p: (f"(?!x{p[0]})(?<!{re.escape('x')}){p[0]}", p[1]))
    return (
        in_a_row | choice.filter(lambda p: p[0].count("(?P<x>") < 2) | optional | repeated | ahead
    )


PAIRS = st.recursive(
    WORDS.map(lambda word: (word, word))
    | WORDS.map(lambda word: (f"{word}?", word[:-1]))
    | st.sampled_from(
        [
            (r"\w", "b"),
            ("[ab|(]", "("),
            (r"\.", "."),
            (".", "é"),
            (r"\u75db", "痛"),
            (r"\N{LATIN SMALL LETTER A}", "a"),
            ("", ""),
        ]
    ),
    _longer,
    max_leaves=12,
)


@given(PAIRS, WORDS, WORDS)
def test_what_matches_has_what_is_needed(pair: Pair, before: str, after: str) -> None:
    pattern, text = pair
    if pattern.count("(?P<x>") > 1:
        return
    found = re.search(pattern, f"{before}{text}{after}")
    if found:
        assert has_required(found.group(), required_words(pattern))
        assert Expression(pattern).search(f"{before}{text}{after}")


WAYS = st.sampled_from(["a", "ab", "b+", "(?<=a)b", "ba|c", r"\bc", "[ab]c"])


@given(st.lists(WAYS, min_size=1, max_size=5), st.text("abc ", max_size=12))
def test_expressions_match_one_behind_the_other_as_if_they_were_one(
    patterns: list[str], text: str
) -> None:
    joined = re.finditer("|".join(f"(?:{pattern})" for pattern in patterns), text)
    found = first_matches([re.compile(pattern) for pattern in patterns], text)
    assert [match.span() for match in found] == [match.span() for match in joined]


@pytest.mark.parametrize(
    "pattern", ["(?i)Fever", "(?i:Fever)", "(?#head)ache(?P=x)", "(a)(?(1)b|c)"]
)
def test_of_what_is_no_plain_expression_nothing_is_known(pattern: str) -> None:
    assert required_words(pattern) == ()


def test_a_text_gets_what_it_has_the_words_of_in_order() -> None:
    rules = ["(?:severe|bad) headache", "headache", r"\d+", "back ?ache", "no (?:fever|cough)"]
    held = Prefilter((rule, required_words(rule)) for rule in rules)
    assert held.of("a bad headache") == ["(?:severe|bad) headache", "headache", r"\d+"]
    assert held.of("no cough") == [r"\d+", "no (?:fever|cough)"]


def test_a_word_of_several_is_looked_for_as_a_whole() -> None:
    rules = ["no longer", "heart attacks?", "fever", "(?:bad|sore) (?:throat|back ache)"]
    held = Prefilter((rule, required_words(rule)) for rule in rules)
    assert held.of("no, not any longer") == []
    assert held.of("no longer a sore back ache") == [rules[0], rules[3]]


@given(st.lists(PAIRS, min_size=1, max_size=4), WORDS)
def test_no_thing_is_overlooked_among_others(pairs: list[Pair], before: str) -> None:
    held = Prefilter((pattern, required_words(pattern)) for pattern, _ in pairs)
    for pattern, text in pairs:
        if pattern.count("(?P<x>") < 2 and re.search(pattern, before + text):
            assert pattern in held.of(before + text)
