"""What a text says of the person it is about: age, sex, pregnancy, allergies, current drugs.

A weight is read among the values of a text; see `understanding.measured`.
None always means "not said". The rules are data files, one a language.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from medweave.language.data import language_with_rules, shipped_yaml
from medweave.language.folding import blotted, lower
from medweave.language.needed import ByWord, Expression, expression, needs_of
from medweave.model.question import FINDINGS, SUBSTANCES, Mention, Patient, Role

_WEEKS_IN_MONTH = 4.345
_MAX_WEEKS = 45
_MAX_YEARS = 125
_SENTENCE_END = re.compile(r"[?!;\n？！；。]|\.(?!\d)")

_LISTS = (
    "not_pregnant",
    "maybe_pregnant",
    "pregnant",
    "pregnancy_weeks",
    "pregnancy_months",
    "not_breastfeeding",
    "breastfeeding",
    "no_allergies",
    "female",
    "male",
    "not_age_words",
    "ages",
    "age_words",
)
"""The rules that are lists of patterns, of which a text has the words of few."""

Rules = dict[str, Any]


@cache
def patient_rules(language: str) -> Rules:
    """The rules that ship for a language; English where there are none for it."""
    name = language_with_rules(language)
    return shipped_yaml("understanding", "rules", f"patient.{name}.yaml")


@dataclass(frozen=True, slots=True)
class _Pattern:
    """One pattern of a rule that is a list."""

    rule: str
    expression: Expression
    days: tuple[int, int] | None = None
    """The ages that a word for an age stands for."""


_Likely = Mapping[str, Sequence[_Pattern]]
"""By rule, those of its patterns for which a text has the words."""


@cache
def _by_word(language: str) -> ByWord[_Pattern]:
    """The patterns of all lists, by the words they need."""
    rules = patient_rules(language)
    held = [(rule, *_written(entry)) for rule in _LISTS for entry in rules.get(rule, ())]
    all_needs = needs_of([pattern for _, pattern, _ in held])
    return ByWord(
        (_Pattern(rule, Expression(pattern, needs), days), needs)
        for (rule, pattern, days), needs in zip(held, all_needs, strict=True)
    )


def _written(entry: str | Mapping[str, Any]) -> tuple[str, tuple[int, int] | None]:
    if isinstance(entry, str):
        return entry, None
    low, high = entry["days"]
    return entry["pattern"], (low, high)


def _likely(text: str, language: str) -> _Likely:
    found: dict[str, list[_Pattern]] = defaultdict(list)
    for pattern in _by_word(language).of(text):
        found[pattern.rule].append(pattern)
    return found


def read_patient(
    text: str,
    language: str,
    mentions: tuple[Mention, ...],
    alternatives: tuple[Mention, ...] = (),
) -> Patient:
    """The person a text is about.

    `alternatives` are drugs that only stand beside the one they are compared with: "amoxicillin
    and doxycycline, which is safer?" does not say that doxycycline is taken.

    >>> found = read_patient("I'm 20 weeks pregnant", "en", ())
    >>> found.pregnant, found.pregnancy_weeks, found.sex
    (True, 20, 'female')
    """
    rules = patient_rules(language)
    lowered = lower(text)
    likely = _likely(lowered, language)
    pregnant = _stated(lowered, likely, "pregnant")
    weeks, weeks_max = _weeks(lowered, rules, likely)
    if weeks is not None and pregnant is None:
        pregnant = True
    allergies, drugs = _substances(lowered, rules, mentions, alternatives)
    own = [m for m in mentions if m.experiencer == "patient" and m.concept in FINDINGS]
    age, age_max = _age(lowered, rules, likely)
    breastfeeding = _stated(lowered, likely, "breastfeeding")
    return Patient(
        age_days=age,
        age_max_days=age_max,
        sex=_sex(_without_substances(lowered, mentions), likely, pregnant or breastfeeding),
        pregnant=pregnant,
        pregnancy_weeks=weeks,
        pregnancy_weeks_max=weeks_max,
        breastfeeding=breastfeeding,
        allergies=allergies,
        no_allergies=_any(lowered, likely, "no_allergies"),
        drugs=drugs,
        conditions=_entities(m for m in own if m.status == "present"),
        severe=_entities(
            m
            for m in own
            if m.status == "present"
            and expression(rules["severe_before"]).search(lowered[: m.start])
        ),
        absent=_entities(m for m in own if m.status == "absent"),
    )


def _any(text: str, likely: _Likely, rule: str) -> bool:
    return any(pattern.expression.search(text) for pattern in likely.get(rule, ()))


def _entities(mentions: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(entity for m in mentions for entity in m.entities))


def _stated(text: str, likely: _Likely, fact: str) -> bool | None:
    """True, False or not said; what is only supposed or hoped for is not said."""
    if _any(text, likely, f"not_{fact}"):
        return False
    for pattern in likely.get(f"maybe_{fact}", ()):
        text = pattern.expression.sub(" ~ ", text)
    return True if _any(text, likely, fact) else None


def _number(text: str | None, rules: Rules) -> float | None:
    if not text:
        return None
    try:
        return float(text)
    except ValueError:
        known: dict[str, int] = rules["numbers"]
    if text in known:
        return float(known[text])
    tens, _, ones = text.replace("-", " ").partition(" ")
    if tens in known and ones in known:  # twenty-five
        return float(known[tens] + known[ones])
    return _chinese_tens(text, known)


def _chinese_tens(text: str, known: dict[str, int]) -> float | None:
    """二十八 is 28, 十二 is 12."""
    head, ten, tail = text.partition("十")
    if not ten or (head and head not in known) or (tail and tail not in known):
        return None
    return float((known[head] if head else 1) * 10 + (known[tail] if tail else 0))


def _first_number(text: str, patterns: Iterable[_Pattern], rules: Rules) -> float | None:
    for pattern in patterns:
        for match in pattern.expression.finditer(text):
            groups = {name: value for name, value in match.groupdict().items() if value}
            number = _number(next((groups[n] for n in sorted(groups) if n[0] == "n"), None), rules)
            if number is not None:
                return number
    return None


def _weeks(text: str, rules: Rules, likely: _Likely) -> tuple[int | None, int | None]:
    """Completed weeks of pregnancy, lowest and highest that fit what was said."""
    weeks = _first_number(text, likely.get("pregnancy_weeks", ()), rules)
    if weeks is not None and weeks <= _MAX_WEEKS:
        return int(weeks), int(weeks)
    months = _first_number(text, likely.get("pregnancy_months", ()), rules)
    if months is not None and months <= _MAX_WEEKS / _WEEKS_IN_MONTH:
        return int((months - 1) * _WEEKS_IN_MONTH) + 1, int(months * _WEEKS_IN_MONTH)
    match = expression(rules["trimester_pattern"]).search(text)
    which = next((value for value in match.groupdict().values() if value), "") if match else ""
    low, high = rules["trimester"].get(which, (None, None))
    return low, high


def _without_substances(text: str, mentions: tuple[Mention, ...]) -> str:
    """The text with names of drugs blanked: 氯雷他定 (loratadine) says nothing of a "he" (他)."""
    return blotted(text, ((m.start, m.end) for m in mentions if m.concept in SUBSTANCES), " ")


def _sex(text: str, likely: _Likely, certainly_female: bool | None) -> str | None:
    if certainly_female:
        return "female"
    female = _any(text, likely, "female") or _any(text, likely, "maybe_pregnant")
    male = _any(text, likely, "male")
    if female == male:
        return None
    return "female" if female else "male"


def _age(text: str, rules: Rules, likely: _Likely) -> tuple[int | None, int | None]:
    """Age in days, lowest and highest that fit what was said."""
    for pattern in likely.get("not_age_words", ()):
        text = pattern.expression.sub(lambda match: "~" * len(match.group()), text)
    for pattern in likely.get("ages", ()):
        for match in pattern.expression.finditer(text):
            days = _days(match.groupdict(), rules)
            if days is not None and days <= _MAX_YEARS * 365.25:
                return days, days
    for pattern in likely.get("age_words", ()):
        if pattern.days and pattern.expression.search(text):
            return pattern.days
    return (None, None)


def _days(said: dict[str, str | None], rules: Rules) -> int | None:
    """How many days "2 months and 1 week" or "3岁半" are."""
    number, more = _number(said["n"], rules), _number(said.get("more"), rules)
    if number is None:
        return None
    units: dict[str, float] = rules["units"]
    number += 0.5 if said.get("half") else 0
    unit = units.get(said.get("unit") or said.get("unit2") or "year", 365.25)
    lesser = units.get(said.get("more_unit") or "", 0)
    return round(number * unit + (more or 0) * (lesser if lesser < unit else 0))


def _substances(
    text: str, rules: Rules, mentions: tuple[Mention, ...], alternatives: tuple[Mention, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(allergies, current drugs), each as entities."""
    allergies: dict[str, None] = {}
    drugs: dict[str, None] = {}
    for mention in mentions:
        if mention.concept not in SUBSTANCES:
            continue
        role = substance_role(text, rules, mention, mentions)
        if role == "allergy":
            allergies.update(dict.fromkeys(mention.entities))
        elif role == "taken" and mention not in alternatives:
            drugs.update(dict.fromkeys(mention.entities))
    return tuple(allergies), tuple(drugs)


def substance_role(
    text: str, rules: Rules, mention: Mention, mentions: tuple[Mention, ...]
) -> Role:
    """Whether a drug is what the person is allergic to, takes now, took once, or asks about."""
    before, after = text[: mention.start], text[mention.end :]
    sentence = _SENTENCE_END.split(before)[-1]
    starts = list(expression(rules["question_start"]).finditer(sentence))
    clause = sentence[starts[-1].end() :] if starts else sentence
    asking = bool(starts) and starts[-1].group().strip().isalpha()
    if expression(rules["tolerated_after"]).search(after):
        return "asked"
    if expression(rules["allergy_after"]).search(after):
        return _unless_negated("allergy", before)
    if expression(rules["allergy_before"]).search(clause):
        return _unless_negated("allergy", clause)
    plain = _without_names(clause, len(before) - len(clause), mentions)
    if expression(rules["drug_over_before"]).search(plain):
        return "past"
    if expression(rules["drug_over_after"]).search(after):
        return "past"
    said = bool(expression(rules["drug_with_before"]).search(plain))
    taken = not asking and expression(rules["drug_now_before"]).search(plain)
    return "taken" if said or taken else "asked"


def _unless_negated(role: Role, before: str) -> Role:
    negated = re.search(
        r"(\b(not|no|never|isn't|n't)\b(?! only)[^.?!,;]{0,20}|(不|没有|没)[^，。]{0,3})$", before
    )
    return "asked" if negated else role


def _without_names(clause: str, offset: int, mentions: tuple[Mention, ...]) -> str:
    """A clause with the names in it as one word each, so that lists of drugs read as lists."""
    for mention in sorted(mentions, key=lambda m: -m.start):
        start, end = mention.start - offset, mention.end - offset
        if 0 <= start < end <= len(clause):
            clause = clause[:start] + re.sub(r"\W", "_", clause[start:end]) + clause[end:]
    return clause
