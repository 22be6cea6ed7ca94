"""What the drugs that are asked for must not harm: "drugs for gout that do not harm the kidneys".

Such a question asks what is recorded for gout, for somebody whose kidneys are bad. It is read as
"drugs for gout if my kidneys are bad", and so is what must be spared, which is a condition supposed
and not one denied. Words are replaced by as many characters: every place stays what it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from medweave.language.data import shipped_yaml
from medweave.language.folding import lower
from medweave.language.prefilter import Expression

_LONGEST = 300
"""A longer text is a story, and is read as one."""


@dataclass(frozen=True)
class _Rules:
    requests: Expression
    clauses: tuple[tuple[Expression, Expression | None], ...]
    organs: Expression
    denies: Expression
    states: Expression
    ill: Mapping[str, str]
    """What is supposed of an organ where "is bad" says too little."""


@cache
def _rules() -> _Rules:
    content = shipped_yaml("understanding", "rules", "spared.en.yaml")
    plain = [(Expression(each + content["whom"]), None) for each in content["clauses"]]
    around = [(Expression(before), Expression(after)) for before, after in content["around"]]
    return _Rules(
        Expression("|".join(content["requests"])),
        (*plain, *around),
        Expression(content["organs"]),
        Expression(content["denies"]),
        Expression(content["states"]),
        content["ill"],
    )


def with_spared_as_supposed(text: str, language: str) -> str:
    """The text, with a clause that says what must be spared as one that supposes it.

    >>> with_spared_as_supposed("drugs for gout that do not harm people with asthma", "en")
    'drugs for gout if I have                    asthma'

    >>> with_spared_as_supposed("What treats gout without making asthma worse?", "en")
    'What treats gout if I have      asthma      ?'
    >>> with_spared_as_supposed("drugs for gout that do not harm the kidneys", "en")
    'drugs for gout if my kidneys are bad       '
    """
    if language != "en" or len(text) > _LONGEST:
        return text
    rules, lowered = _rules(), lower(text)
    for before, after in rules.clauses:
        for clause in before.finditer(lowered):
            before_it = lowered[: clause.start()]
            if not rules.requests.search(before_it) or rules.denies.search(before_it):
                continue  # of several denials each is held against what is recorded
            end = after.compiled.search(lowered, clause.end()) if after else None
            if after and end is None:
                continue
            return _supposed(text, clause, end, rules)
    return text


def _supposed(text: str, clause: re.Match[str], end: re.Match[str] | None, rules: _Rules) -> str:
    """The text with this clause as one that supposes; as it is where there is no room."""
    organ = rules.organs.match(clause.string, clause.end())
    if organ:
        stop = end.end() if end else organ.end()
        ill = f"my {organ[1]} {'are' if organ[1].endswith('s') else 'is'} bad"
        said = f"if {rules.ill.get(organ[1], ill)}"
        return _in_place(text, clause.start(), stop, said)
    said = "if I am" if rules.states.match(clause.string, clause.end()) else "if I have"
    text = _in_place(text, clause.start(), clause.end(), said)
    return _in_place(text, end.start(), end.end(), "") if end else text


def _in_place(text: str, start: int, end: int, said: str) -> str:
    room = end - start
    if len(said) >= room and said:
        return text
    return text[:start] + said.ljust(room) + text[end:]
