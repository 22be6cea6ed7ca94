"""The table of danger signs as it ships: which findings make a sign, and the words for findings.

`rules/signs.yaml` holds the signs, `rules/findings.LANGUAGE.yaml` the words. A finding is told by
expressions, by a class of words (`words`), or by a value beyond a limit (`values` of the signs).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from operator import ge, gt, le, lt
from typing import Any, NamedTuple
from typing import Literal as OneOf

from medweave.language.data import LANGUAGES, language_with_rules, rule_in_any, shipped_yaml
from medweave.language.folding import blotted
from medweave.language.passage import Passage, passage_of
from medweave.language.prefilter import Expression, Prefilter, first_matches, required_words
from medweave.model.question import DangerGrade, DangerKind
from medweave.model.value import Value
from medweave.understanding.danger.courtesies import without_courtesies

GUARDS = (
    *("past", "over_after", "recurring", "recurring_after", "of_now", "slight_before"),
    *("asked_effect", "asked_effect_after"),
    *("slight_after", "general", "story", "somebody", "writer"),
)
"""What puts a finding in the past, into what comes again and again, or into what a medicine may do;
makes it slight, a sentence one of nobody, and words those of who writes them. All else is read as
for everybody."""


Even = OneOf["", "doubted", "asked"]


@dataclass(frozen=True, slots=True)
class Way:
    """Findings that make a sign present together, or a complaint that calls for it to be asked."""

    findings: tuple[tuple[str, ...], ...]
    """All must be there; of each of these, one."""
    one_sentence: bool = False
    """Whether they must stand in one sentence: so it is of words that tell little by themselves."""
    even: Even = ""
    """Whether it is present also where it is doubted, or even only asked about or supposed."""
    about: tuple[str, ...] = ()
    """Asked for while one of these was neither told nor denied; empty in a way to be present."""
    unless: tuple[str, ...] = ()
    pregnant: bool = False
    under_days: int | None = None
    over_days: int | None = None
    """From this age on; of an unknown age it is asked for."""


@dataclass(frozen=True, slots=True)
class Sign:
    """One danger sign of the table."""

    id: str
    kind: DangerKind
    grade: DangerGrade
    names: Mapping[str, str]
    advice: Mapping[str, str]
    """What to do, by language."""
    advice_for_another: Mapping[str, str]
    """The same, where it is told of somebody else; empty where that is no different."""
    present: tuple[Way, ...]
    ask: tuple[Way, ...]
    sources: tuple[str, ...]
    """The records it was checked against, or 'unsourced'."""


@dataclass(frozen=True, slots=True)
class Limit:
    """From where on a value is a finding."""

    finding: str
    quantities: tuple[str, ...]
    compared: str
    at: float

    def reached(self, value: Value) -> bool:
        """Whether a value is beyond it; one told as a bound is where all that it may be is.

        >>> limit = _limit("low_sugar", "blood glucose, fasting blood glucose < 3")
        >>> limit.quantities, limit.compared, limit.at
        (('blood glucose', 'fasting blood glucose'), '<', 3.0)
        """
        if value.quantity not in self.quantities or not _COMPARED[self.compared](
            value.value, self.at
        ):
            return False
        return value.bound in ("", self.compared[0])


_DIGIT = re.compile(r"\d")
_COMPARED = {"<": lt, "<=": le, ">": gt, ">=": ge}


@dataclass(frozen=True, slots=True)
class DangerWords:
    """The words of one language, as expressions."""

    findings: Mapping[str, tuple[Expression, ...]]
    by_word: Prefilter[tuple[str, Expression]]
    """Each finding with each of its expressions, by what a text must have for it."""
    guards: Mapping[str, Expression]
    idioms: Prefilter[Expression]
    """Figures of speech, by the words they need."""
    compounds: Prefilter[Expression]
    """Words that name something else than the finding they hold."""


@cache
def danger_signs() -> tuple[Sign, ...]:
    """All signs, in the order in which they are told."""
    held = shipped_yaml("understanding", "danger", "rules", "signs.yaml")["signs"]
    return tuple(_sign(name, entry) for name, entry in held.items())


@cache
def danger_sign(identifier: str) -> Sign:
    """One sign of the table."""
    return next(sign for sign in danger_signs() if sign.id == identifier)


@cache
def what_to_do(identifier: str, language: str) -> str:
    """What to do of a sign; '' of one that the table has not.

    >>> what_to_do("severe_burn", "en") != "", what_to_do("told", "en")
    (True, '')
    """
    advice = (sign.advice for sign in danger_signs() if sign.id == identifier)
    return next(advice, {}).get(language, "")


@cache
def unless_told(identifier: str) -> frozenset[str]:
    """The signs beside which one is not told, as they tell more of the same."""
    held = shipped_yaml("understanding", "danger", "rules", "signs.yaml")["unless_told"]
    return frozenset(held.get(identifier, ()))


@cache
def standing_findings() -> frozenset[str]:
    """Findings that hold on once they were true: who lost the spleen years ago has none today."""
    return frozenset(shipped_yaml("understanding", "danger", "rules", "signs.yaml")["standing"])


@cache
def of_the_person() -> frozenset[str]:
    """Findings of who it is, what is taken, or what came before: they hold through a letter."""
    return frozenset(
        shipped_yaml("understanding", "danger", "rules", "signs.yaml")["of_the_person"]
    )


@cache
def though_passed() -> frozenset[str]:
    """Signs that hold in a conversation though what told of them has passed."""
    return frozenset(
        shipped_yaml("understanding", "danger", "rules", "signs.yaml")["though_passed"]
    )


@cache
def not_weighed() -> frozenset[str]:
    """Signs that hold however unlike other messages in danger they are told."""
    return frozenset(shipped_yaml("understanding", "danger", "rules", "signs.yaml")["not_weighed"])


@cache
def ruled_out_first() -> frozenset[str]:
    """Signs that must be ruled out before any medicine is listed for what calls for them."""
    held = shipped_yaml("understanding", "danger", "rules", "signs.yaml")["before_medicines"]
    return frozenset(held)


class NamedWay(NamedTuple):
    """The findings of one way of a sign."""

    needed: tuple[frozenset[str], ...]
    """Of each of these, one."""
    named: frozenset[str]
    """All that it speaks of."""
    sign: int
    """The place of the sign among `danger_signs`."""


@cache
def _ways_by_finding() -> Mapping[str, Sequence[NamedWay]]:
    """By a finding, the ways that may begin with it; every way begins with some."""
    found: dict[str, list[NamedWay]] = {}
    for place, sign in enumerate(danger_signs()):
        for way in (*sign.present, *sign.ask):
            required = tuple(map(frozenset, way.findings))
            named = frozenset(chain(*way.findings, way.about, way.unless))
            for name in required[0]:
                found.setdefault(name, []).append(NamedWay(required, named, place))
    return found


def ways_within(findings: set[str]) -> Iterator[NamedWay]:
    """The ways that need no other findings than these."""
    by_finding = _ways_by_finding()
    for name in findings & by_finding.keys():
        for way in by_finding[name]:
            for either in way.needed:
                if either.isdisjoint(findings):
                    break
            else:
                yield way


@cache
def danger_limits() -> tuple[Limit, ...]:
    """The values that are findings."""
    held = shipped_yaml("understanding", "danger", "rules", "signs.yaml")["values"]
    return tuple(_limit(name, written) for name, written in held.items())


@cache
def danger_words(language: str) -> DangerWords:
    """The words of a language; English where there are none for it."""
    name = language_with_rules(language)
    held = shipped_yaml("understanding", "danger", "rules", f"findings.{name}.yaml")
    parts = held["parts"]
    without_parts = dict.fromkeys(parts, ".")  # all that is needed is written beside them
    patterns = [(name, pattern) for name, some in held["findings"].items() for pattern in some]
    patterns += [(one, class_pattern(terms, name)) for one, terms in held["words"].items()]
    made = [
        (name, Expression(_filled(pattern, parts), required_words(_filled(pattern, without_parts))))
        for name, pattern in patterns
    ]
    by_word = Prefilter((one, one[1].needs) for one in made)
    findings: dict[str, tuple[Expression, ...]] = {}
    for name, expression in made:
        findings[name] = (*findings.get(name, ()), expression)
    guards = {guard: Expression(_filled("|".join(held[guard]), parts)) for guard in GUARDS}
    hidden = (
        [Expression(_filled(pattern, parts)) for pattern in held[name]]
        for name in ("idioms", "compounds")
    )
    idioms, compounds = (Prefilter((one, one.needs) for one in some) for some in hidden)
    return DangerWords(findings, by_word, guards, idioms, compounds)


@lru_cache(maxsize=8)  # by both readers of danger
def literal(text: str, language: str) -> Passage:
    """A text without courtesies whose figures of speech are names: they are read as nothing.

    >>> literal("I am dying to see it", "en").hidden
    'i am xxxxxxxx see it'
    """
    text, figures = without_courtesies(text), danger_words(language).idioms
    return passage_of(text, language, _spans(passage_of(text, language).plain, figures))


def without_compounds(plain: str, language: str) -> str:
    """A text in lower case without words that only hold those of a finding: "blood pressure"."""
    return blotted(plain, _spans(plain, danger_words(language).compounds), "_")


def _spans(text: str, some: Prefilter[Expression]) -> list[tuple[int, int]]:
    found = first_matches([one.compiled for one in some.of(text)], text)
    return [match.span() for match in found]


def class_pattern(terms: Sequence[str], language: str) -> str:
    """The expression of a class of words; `*` stands for any ending, `a/b` for either word.

    >>> class_pattern(["leg*", "foot", "no pulse"], "en")
    '\\\\b(?:leg\\\\w*|foot|no[ -]pulse)\\\\b'
    >>> class_pattern(["passed urine/water", "for 1/52"], "en")
    '\\\\b(?:passed[ -](?:urine|water)|for[ -]1/52)\\\\b'
    >>> class_pattern(["脚", "腿"], "zh")
    '(?:脚|腿)'
    """
    parts = list(map(_term_pattern, terms))
    if language == "zh":
        return f"(?:{'|'.join(parts)})"
    return rf"\b(?:{'|'.join(parts)})\b"


def _term_pattern(term: str) -> str:
    """The expression of a term; "{own}" and its like stay, to be filled in."""
    either = (
        f"(?:{'|'.join(map(_word_pattern, word.split('/')))})"
        if "/" in word and not _DIGIT.search(word)
        else _word_pattern(word)
        for word in term.split(" ")
    )
    return "[ -]".join(either)


def _word_pattern(word: str) -> str:
    pattern = re.escape(word).replace(r"\{", "{").replace(r"\}", "}")
    return pattern.replace(r"\*", r"\w*").replace("'", "'?")


def _limit(finding: str, written: str) -> Limit:
    quantities, compared, at = written.rsplit(" ", 2)
    return Limit(finding, tuple(quantities.split(", ")), compared, float(at))


def _sign(name: str, entry: Mapping[str, Any]) -> Sign:
    return Sign(
        id=name,
        kind=entry.get("kind", "emergency"),
        grade=entry["grade"],
        names={language: entry[language] for language in LANGUAGES},
        advice={language: entry["do"][language] for language in LANGUAGES},
        advice_for_another=entry.get("do_another", {}),
        present=tuple(_way(way) for way in entry["present"]),
        ask=tuple(_way(way) for way in entry.get("ask", ())),
        sources=tuple(entry["source"]),
    )


def _way(entry: Sequence[str] | Mapping[str, Any]) -> Way:
    """A list of findings, or a mapping with conditions."""
    if not isinstance(entry, Mapping):
        return Way(_choices(entry))
    return Way(
        _choices(entry.get("sentence") or entry["with"]),
        one_sentence="sentence" in entry,
        even=entry.get("even", ""),
        about=tuple(entry.get("about", ())),
        unless=tuple(entry.get("unless", ())),
        pregnant=bool(entry.get("pregnant", False)),
        under_days=entry.get("under_days"),
        over_days=entry.get("over_days"),
    )


def _choices(findings: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Findings of which each may be one of several: "cold|white"."""
    return tuple(tuple(finding.split("|")) for finding in findings)


def _filled(pattern: str, parts: Mapping[str, str]) -> str:
    """An expression with the shared parts put in."""
    for name, part in parts.items():
        pattern = pattern.replace("{" + name + "}", part)
    return pattern


def reading_rule(rule: str) -> re.Pattern[str]:
    """A rule of readings.yaml, in all languages."""
    return rule_in_any(rule, "understanding", "danger", "rules", "readings.yaml")
