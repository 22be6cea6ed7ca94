"""Which aspect of a medicine or a test is asked about: with food, at what time, how soon
it works, which checks go with it, how one gets ready for it.

No list and no contraindication answers these: what the base says of just that does, or that it
says nothing of it. All of them are one file of words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import cast

from medweave.language.data import rule_in_any, rules_in, shipped_yaml
from medweave.language.passage import Passage, stretch_around
from medweave.language.prefilter import Expression, Prefilter, first_matches, grouped
from medweave.model.question import BY_HABIT, SUBSTANCES, Aside, Mention
from medweave.understanding.owners import with_one_owner
from medweave.understanding.placeholders import with_placeholders

_RULES = ("understanding", "rules", "everyday.yaml")
_LONGEST = 200
"""Longer texts are about more than that."""
OF_ONE = ("food", "time_of_day", "sun", "storage", "course")
"""What is asked of one medicine; where several are named, it is told of one of them."""
_WITH_ONE_APART = 2
_ALONE = ("weakened",)
"""What is asked of the only medicine that a text names: what others do to it."""
_ONLY_ASKED = ("food", "time_of_day", "sun", "storage", "course", "posture", "vaccination")
"""What is often told of a medicine beside something else that is asked."""
OF_ANY = ("missed_dose", "vomited", "refused", "storage", "dose_form", "onset", "lasting",
           "monitoring")  # fmt: skip
"""What is asked of a medicine that is not named, too."""


def everyday_use(passage: Passage, mentions: Sequence[Mention]) -> Aside:
    """Which aspect of what it names a text asks about; "" where of none.

    >>> from medweave.language.passage import passage_of
    >>> everyday_use(passage_of("I forgot to take my pill"), ())
    'missed_dose'
    """
    if len(passage.text) > _LONGEST:
        return ""
    lists, kinds = _rules(passage.language)
    apart = frozenset(shipped_yaml(*_RULES)["kept_apart"])
    drugs = [
        m
        for m in mentions
        if m.concept in SUBSTANCES
        and m.entity not in BY_HABIT
        and not lists["food"].fullmatch(passage.plain[m.start : m.end])
    ]
    named = with_placeholders(passage.plain, drugs)
    readings = dict.fromkeys((named, with_one_owner(named, passage.language)))
    if not drugs and (other := _of_no_medicine(passage, mentions)):
        return other
    number = len({m.entity for m in drugs})
    beside = apart.isdisjoint(m.entity for m in drugs)  # asked about as milk or coffee would be
    of_many = number > (1 if beside else _WITH_ONE_APART) or lists["listed"].search(named)
    chosen = lists["chosen"].search(named)
    ways = {text: grouped(kinds.of(text)) for text in readings}
    met = set[str]().union(*ways.values())
    for kind in filter(met.__contains__, rules_in(passage.language, *_RULES)["kinds"]):
        if (of_many and kind in OF_ONE) or (number > 1 and kind in _ALONE):
            continue
        if chosen and kind == "activity":
            continue
        for text in readings if number or kind in OF_ANY else ():
            patterns = [way.compiled for way in ways[text].get(kind, ())]
            found = next(first_matches(patterns, text), None)
            if found and (kind not in _ONLY_ASKED or _is_asked(text, found, lists["asking"])):
                return cast(Aside, kind)
    return ""


def _of_no_medicine(passage: Passage, mentions: Sequence[Mention]) -> Aside:
    """Which aspect of what is no medicine is asked about: of a test; "" where of none."""
    for concept, patterns in rules_in(passage.language, *_RULES)["of_others"].items():
        own = [m for m in mentions if m.concept == concept]
        text = with_placeholders(passage.plain, own)
        for kind, pattern in patterns.items() if own else ():
            if re.search(pattern, text):
                return cast(Aside, kind)
    return ""


def _is_asked(text: str, found: re.Match[str], asking: re.Pattern[str]) -> bool:
    """Whether the clause with these words asks, or nothing in the text does: who takes a medicine
    every morning asks for something else."""
    clause_end = rule_in_any("clause_end", *_RULES)
    start, end = stretch_around(text, found.start() + 1, found.end(), clause_end)
    behind = clause_end.match(text, end)
    own = text[start : behind.end() if behind else end]
    rest = text[end:]
    about_that = rule_in_any("about_that", *_RULES).search(rest)
    return bool(asking.search(own) or about_that) or not asking.search(text)


@cache
def _rules(language: str) -> tuple[dict[str, re.Pattern[str]], Prefilter[tuple[str, Expression]]]:
    """What lists of words stand for, and how each kind of use is asked about."""
    rules = rules_in(language, *_RULES)
    lists: dict[str, str] = {}
    for name, words in rules["lists"].items():  # one may hold those before it
        lists[name] = words.format(**lists)
    ways = (
        (kind, Expression(pattern.format(**lists)))
        for kind, patterns in rules["kinds"].items()
        for pattern in patterns
    )
    kinds = Prefilter((way, way[1].needs) for way in ways)
    return {name: re.compile(words) for name, words in lists.items()}, kinds
