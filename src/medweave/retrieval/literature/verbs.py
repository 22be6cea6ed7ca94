"""The verb in which a question asks what papers say, and what stands on either side of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from medweave.language.data import shipped_yaml
from medweave.language.folding import blotted, lower
from medweave.model.question import Mention, Question

_TELLS_FIRST = re.compile(r"[^?？]*?(?:[.;!]\s|[。；！\n])[^?？]*[?？]")
"""What asks nothing before it has told something: "Had gout in May. What helps headache?"."""


@dataclass(frozen=True, slots=True)
class Verb:
    """The verb of a question, and where it stands."""

    predicates: tuple[str, ...]
    start: int
    turned: bool
    """Whether what stands before it is the object: "AMD is aggravated by smoking"."""
    claim: str
    """What it claims where yes or no is asked for."""
    any: bool = False
    """Whether any relation between two things is one: "is CFH associated with AMD?"."""
    either: bool = False
    """Whether it says nothing of which thing acts on which."""


@dataclass(frozen=True, slots=True)
class VerbQuestion:
    """A question as its verb tells: what it names, in order, and what of it is asked."""

    verb: Verb | None
    mentions: tuple[Mention, ...]
    """Without what is denied, and without words for what is asked for ("which genes")."""
    is_yes_no: bool
    is_how: bool
    is_limited: bool
    """Whether it claims more than that a relation is there: "only", "always", "more than"."""
    sorts: tuple[str, ...]
    """The concepts one of which what is asked for must have; any, where none is told."""
    asks_age: bool = False

    @property
    def ends(self) -> tuple[tuple[Mention, ...], tuple[Mention, ...]]:
        """What is named as acting, and as acted upon; empty where it names but one of them."""
        verb, named = self.verb, self.mentions
        before = tuple(m for m in named if verb and m.start < verb.start)
        behind = tuple(m for m in named if verb and m.start >= verb.start)
        together = self.is_how and not (before and behind)  # "what is the role of X in Y?"
        if verb is None or verb.either or together:
            return named[:1], named[1:]
        return (behind, before) if verb.turned else (before, behind)

    def is_object(self, mention: Mention) -> bool:
        """Whether a thing is what is acted upon, so that what acts is asked for."""
        return self.verb is not None and (mention.start >= self.verb.start) != self.verb.turned


def read_verb(question: Question) -> VerbQuestion:
    """What a question asks by its verb.

    Rules for English alone: of a Chinese question the things, without a verb.
    """
    rules = verb_rules()
    text, mentions = _without_names(question, rules)
    frame = re.match(rules["evidence_that"], text) if len(mentions) > 1 else None
    text = blotted(text, [frame.span()] if frame else [], " ")
    written = lower(question.text)
    sorts = (sort for sort, words in rules["sorts"].items() if re.search(words, text))
    begins_asking = _TELLS_FIRST.match(text) is None
    return VerbQuestion(
        _first_verb(text, rules),
        mentions,
        bool(frame or (begins_asking and re.search(rules["yes_no"], text))),
        bool(begins_asking and re.search(rules["how"], text)),
        bool(re.search(rules["limits"], text)),
        tuple(sorts),
        bool(re.search(rules["age"]["asked"], written)),
    )


def _without_names(question: Question, rules: dict[str, Any]) -> tuple[str, tuple[Mention, ...]]:
    """The text with each name as one mark, places kept, and the things that it names."""
    asked_for = "|".join((*rules["sorts"].values(), rules["generic"]))
    expects_yes = re.search(rules["expects_yes"], lower(question.text))
    named = (m for m in question.mentions if expects_yes or m.status != "absent")
    mentions = tuple(m for m in named if not re.fullmatch(asked_for, lower(m.text)))
    return blotted(lower(question.text), ((m.start, m.end) for m in mentions), "~"), mentions


def _first_verb(text: str, rules: dict[str, Any]) -> Verb | None:
    found = [
        (match.start(), number, match.end())
        for number, rule in enumerate(rules["verbs"])
        if (match := re.search(rule["verbs"], text))
    ]
    if not found:
        return None
    start, number, end = min(found)
    rule = rules["verbs"][number]
    turned = bool(rule.get("turned")) or _is_passive(text, start, end, rule, rules)
    predicates = tuple(rule["predicates"])
    loose = bool(rule.get("any")), bool(rule.get("either"))
    return Verb(predicates, start, turned, rule["claim"], *loose)


def _is_passive(
    text: str, start: int, end: int, rule: dict[str, Any], rules: dict[str, Any]
) -> bool:
    """Whether a participle makes an object of what stands before it: "is AMD worsened by …"."""
    participle = re.search(rules["participle"], text[start:end])
    framed = re.search(rules["passive"], text[:start]) and re.search(rules["by"], text[end:])
    return rule.get("passive", True) and bool(participle and framed)


def verb_rules() -> dict[str, Any]:
    """The rules of `literature_verbs.yaml`."""
    return shipped_yaml("retrieval", "literature", "verbs.yaml")
