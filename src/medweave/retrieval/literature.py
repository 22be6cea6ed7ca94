"""What papers say of causes and effects, asked for in a verb: "what aggravates AMD?".

The verb names the predicates; whether the thing that is named stands before it or behind it says
which end is asked for: "what does smoking cause?", "what causes blindness?".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from medweave.language.data import shipped_yaml
from medweave.language.folding import blotted, lower
from medweave.model.material import OWN, Claimed, Focus, Looked
from medweave.model.question import Form, Mention, Question
from medweave.model.statement import SupportedStatement
from medweave.retrieval.claims import check
from medweave.retrieval.lookup import Property, look_up
from medweave.vocabulary.knowledge import Knowledge

_LONGEST = 200
"""Longer texts are stories: none asks for a relation by its verb."""
_OF_PAPERS = ("leads_to", "affects", "aggravates", "improves", "shows", "indicates", "studied_for",
              "protects_from")  # fmt: skip
"""Predicates that only what papers say is recorded by: a base without them is asked otherwise."""


@dataclass(frozen=True, slots=True)
class _Verb:
    """The verb of a question, and where it stands."""

    predicates: tuple[str, ...]
    start: int
    end: int
    turned: bool
    """Whether what stands before it is the object: "AMD is aggravated by smoking"."""
    claim: str = ""
    """What it claims where yes or no is asked for; '' where other rules know that."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """One end of statements that a question asks for."""

    focus: Focus
    predicates: tuple[str, ...]
    from_object: bool
    concepts: tuple[str, ...] = ()
    named: str = ""
    """What the names at the other end must fit."""


def from_literature(question: Question, knowledge: Knowledge) -> tuple[Looked, ...]:
    """The statements of papers that a question asks for by a verb; none where none is recorded."""
    if len(question.text) > _LONGEST or question.form.kind != "plain":
        return ()
    looked = [
        Looked(OWN, asked.focus, predicate, asked.from_object, tuple(found))
        for asked in _asked(question)
        for predicate in asked.predicates
        if (found := list(_found(asked, predicate, knowledge)))
    ]
    of_papers = any(item.predicate in _OF_PAPERS for item in looked)
    return tuple(looked) if of_papers else ()


def literature_claims(question: Question, knowledge: Knowledge) -> tuple[Claimed, ...]:
    """What papers say of a claim that is no form of other questions: "does smoking aggravate AMD?".

    Nothing where the base records no such thing of anything.
    """
    rules = _rules()
    text, mentions = _without_names(question)
    verb = _first_verb(text, rules) if re.search(rules["yes_no"], text) else None
    if question.form.kind != "plain" or verb is None or not verb.claim:
        return ()
    before = tuple(m for m in mentions if m.start < verb.start)
    behind = tuple(m for m in mentions if m.start >= verb.end)
    recorded = knowledge.store.match(None, verb.predicates[0], limit=1)
    if not (before and behind and recorded):
        return ()
    first, second = (behind, before) if verb.turned else (before, behind)
    return check(Form("yes_no", relation=verb.claim, first=first, second=second), knowledge)


def _without_names(question: Question) -> tuple[str, list[Mention]]:
    """The text with its names overwritten, and the things that it names: "which genes" is none."""
    asked_for = "|".join(_rules()["sorts"].values())
    named = (m for m in question.mentions if m.status != "absent")
    mentions = [m for m in named if not re.fullmatch(asked_for, lower(m.text))]
    return blotted(lower(question.text), ((m.start, m.end) for m in mentions), "~"), mentions


def _asked(question: Question) -> Iterator[_Asked]:
    """What is asked of each thing that stands on one side of the first verb."""
    rules = _rules()
    text, mentions = _without_names(question)
    written = lower(question.text)
    if re.search(rules["age"]["asked"], written):
        about = [m for m in mentions if not re.search(rules["age"]["named"], lower(m.text))]
        predicates, named = tuple(rules["age"]["predicates"]), rules["age"]["named"]
        yield from (_Asked(Focus(m.entities), predicates, True, named=named) for m in about)
        return
    verb = _first_verb(text, rules)
    if verb is None or re.search(rules["yes_no"], text):
        return
    sorts = tuple(sort for sort, words in rules["sorts"].items() if re.search(words, written))
    for mention in mentions:
        from_object = (mention.start >= verb.end) != verb.turned
        yield _Asked(Focus(mention.entities), verb.predicates, from_object, sorts)


def _first_verb(text: str, rules: dict[str, Any]) -> _Verb | None:
    found = [
        (match.start(), match.end(), number)
        for number, rule in enumerate(rules["verbs"])
        if (match := re.search(rule["verbs"], text))
    ]
    if not found:
        return None
    start, end, number = min(found)
    rule = rules["verbs"][number]
    passive = re.search(rules["passive"], text[:start]) and re.search(rules["by"], text[end:])
    turned = bool(rule.get("turned")) or bool(passive)
    return _Verb(tuple(rule["predicates"]), start, end, turned, rule.get("claim", ""))


def _found(asked: _Asked, predicate: str, knowledge: Knowledge) -> Iterator[SupportedStatement]:
    entities = [same for entity in asked.focus.entities for same in knowledge.same(entity)]
    what = Property(predicate, from_object=asked.from_object)
    statements = look_up(dict.fromkeys(entities), what, knowledge)
    ends = [s.statement.subject if asked.from_object else s.statement.object_entity
            for s in statements]  # fmt: skip
    others = knowledge.entities.all(end for end in ends if end)
    for supported, end in zip(statements, ends, strict=True):
        other = others.get(end) if end else None
        if other is None:
            continue
        fits = not asked.concepts or other.concept in asked.concepts
        if fits and (not asked.named or re.search(asked.named, lower(other.name("en")))):
            yield supported


def _rules() -> dict[str, Any]:
    return shipped_yaml("retrieval", "literature_verbs.yaml")
