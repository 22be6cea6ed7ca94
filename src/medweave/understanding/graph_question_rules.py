"""The words by which a question is read as a graph; the file says what each part means."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from medweave.language.data import rules_in
from medweave.understanding.rule_files import GRAPH_RULES


@dataclass(frozen=True, slots=True)
class Word:
    """What a stretch of a question is: a word of the grammar, a noun, or words for a relation."""

    kind: str
    pattern: re.Pattern[str]
    concepts: tuple[str, ...] = ()
    predicates: tuple[str, ...] = ()
    turned: bool = False
    otherwise: tuple[str, ...] = ()
    """The relations that it says from the other side, where the things fit none of the first."""
    directed: bool = False
    """Whether it says which of two names comes first."""
    of_state: bool = False
    """Whether the state that it is said of stands before it: "妊娠期禁用"."""
    with_denied: bool = False
    """Whether it is said only by denying: what "不能与X合用" interacts with X."""


@dataclass(frozen=True, slots=True)
class GraphRules:
    """The words of one language."""

    words: tuple[Word, ...]
    usual: tuple[tuple[str, str, str], ...]
    """(concept of the subject, concept of the object, predicate), the most usual first."""
    yes_no: re.Pattern[str]
    claimed: re.Pattern[str]
    for_a_person: re.Pattern[str]
    of_people: re.Pattern[str]
    denied_claim: re.Pattern[str]


@cache
def graph_rules() -> GraphRules:
    """The rules for English; `usual` holds for all languages."""
    rules: dict[str, Any] = rules_in("en", *GRAPH_RULES)
    words = [
        _word("noun", each["words"], tuple(each["concepts"]), tuple(each.get("implies", ())))
        for each in rules["nouns"]
    ]
    words += [
        replace(
            _word("relation", each["words"], (), tuple(each["predicates"])),
            turned=each.get("turned", False),
            otherwise=tuple(each.get("otherwise", ())),
            directed="turned" in each or "otherwise" in each,
        )
        for each in rules["relations"]
    ]
    words.append(_word("generic", rules["generic"]))
    words += [_word("soft", each["words"], (), tuple(each["predicates"])) for each in rules["soft"]]
    words += [_word(kind, pattern) for kind, pattern in rules["words"].items()]
    return GraphRules(
        tuple(words),
        tuple((first, second, predicate) for first, second, predicate in rules["usual"]),
        *(
            re.compile(rules[name])
            for name in ("yes_no", "claimed", "for_a_person", "of_people", "denied_claim")
        ),
    )


def _word(
    kind: str,
    pattern: str,
    concepts: tuple[str, ...] = (),
    predicates: tuple[str, ...] = (),
) -> Word:
    return Word(kind, re.compile(rf"(?:{pattern})(?![\w'])"), concepts, predicates)
