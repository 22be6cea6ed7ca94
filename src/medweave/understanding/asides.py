"""Texts that ask a base for nothing it could hold: greetings, errands, prices, pets."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from medweave.language.data import rules_in
from medweave.language.folding import lower
from medweave.model.question import OF_NO_KIND, Aside

_LONGEST = 200
"""Longer texts are about more than that."""
_BY_WORDS: tuple[Aside, ...] = ("greeting", "ambulance", "picture", "file")
BEFORE_USE: tuple[Aside, ...] = (
    *_BY_WORDS,
    "animal",
    "errand",
    "service",
    "history",
    "prevalence",
    *OF_NO_KIND,
)
"""What a text is in any case, whatever of a medicine it names."""
_AFTER_ANIMALS: tuple[Aside, ...] = (
    "errand",
    "service",
    "outlook",
    "decide",
    "result",
    "history",
    "prevalence",
    *OF_NO_KIND,
    "trade",
)

_NOT_OF_MEDICINES: tuple[Aside, ...] = ("service", "prevalence")
"""How often a medicine does something is told with its effects."""


@lru_cache(maxsize=4)  # a question is asked for it before and after its mentions are settled
def find_aside(text: str, language: str, *, names_medicine: bool = False) -> Aside:
    """What a text is besides a question; "" where it is one. Where a medicine is named, whether it
    is in stock is told as its price is, and that a clinic is closed beside what is asked of it.

    >>> find_aside("Hello!", "en"), find_aside("how much does insulin cost", "en")
    ('greeting', 'trade')
    >>> find_aside("What is asthma?", "en")
    ''
    >>> find_aside("Can you book me an appointment?", "en")
    'errand'
    >>> find_aside("Can my dog take ibuprofen?", "en")
    'animal'
    >>> find_aside("Which country has the most malaria?", "en")
    'unheld'
    >>> find_aside("is it in stock", "en")
    'service'
    >>> find_aside("is insulin in stock", "en", names_medicine=True)
    'trade'
    >>> find_aside("My dog bit me, can I take ibuprofen?", "en")  # a person is treated
    ''
    """
    if len(text) > _LONGEST:
        return ""
    lowered = lower(text)
    rules = _patterns(language)
    for kind in _BY_WORDS:
        if rules[kind].search(lowered):
            return kind
    of_animal = rules["animal"].search(lowered) and not rules["person"].search(lowered)
    if of_animal or rules["animal_ate"].search(lowered):
        return "animal"
    kinds = (k for k in _AFTER_ANIMALS if not (names_medicine and k in _NOT_OF_MEDICINES))
    return next((kind for kind in kinds if rules[kind].search(lowered)), "")


@cache
def _patterns(language: str) -> dict[str, re.Pattern[str]]:
    rules = rules_in(language, "understanding", "rules", "asides.yaml")
    names = rules["animals"]
    return {kind: re.compile(rule.replace("{animals}", names)) for kind, rule in rules.items()}
