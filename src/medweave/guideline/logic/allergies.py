"""Which steps of a guideline an allergy stops: the drug itself, or one of its class."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from medweave.language.folding import name_key
from medweave.model.guideline import TreatmentStep
from medweave.model.question import SUBSTANCES
from medweave.model.reached import reached
from medweave.vocabulary.lexicon import Term, shipped_lexicon

_LONGEST = 4
"""Names of drugs have no more words."""


def stopped_by(step: TreatmentStep, allergies: Iterable[str]) -> str:
    """The allergy, as it was said, that forbids a step; '' where none does.

    Drugs are known by the lexicon: amoxicillin is a penicillin. A name that the lexicon does not
    have is looked for as it is.

    >>> step = TreatmentStep("a", "Give amoxicillin", kind="drug", drug="amoxicillin")
    >>> stopped_by(step, ["penicillin"]), stopped_by(step, ["macrolides"])
    ('penicillin', '')
    """
    listed = tuple(allergies)
    if not listed or step.kind not in ("drug", "management"):
        return ""
    named = _named(_called(step))
    kinds = {kind for name in named for kind in _kinds(name)}
    return next(
        (each for each in listed if named & {name_key(each)} or kinds & _substances_of(each)), ""
    )


def allergy_warnings(allergies: Iterable[str]) -> list[str]:
    """What is told of each allergy, above all where nothing is known of it."""
    return [
        f"allergy to {each}: what is known to be of it is left out; check each drug all the same"
        if _substances_of(each)
        else f"allergy to {each}: nothing is known of it by this name; check each drug against it"
        for each in allergies
    ]


def _called(step: TreatmentStep) -> tuple[str, ...]:
    """What a step gives. A label may also name what it replaces ("as there is no amoxicillin"), so
    it counts only where the drug's own name says nothing."""
    drug = step.drug.replace("_", " ")
    if any(_kinds(name) for name in _named((drug,))):
        return (drug,)
    return (drug, step.label, *step.aliases)


def _named(names: tuple[str, ...]) -> set[str]:
    """All runs of words in these names, as names are looked up."""
    found: set[str] = set()
    for name in names:
        words = name.replace(",", " ").replace("(", " ").replace(")", " ").split()
        for start in range(len(words)):
            for end in range(start + 1, min(start + _LONGEST, len(words)) + 1):
                found.add(name_key(" ".join(words[start:end])))
    return found


@cache
def _kinds(name: str) -> frozenset[str]:
    """A substance of this name with all that it is a kind of, by identifier."""
    terms = shipped_lexicon().terms
    own = (term.id for term in _substances(name))
    return frozenset(reached(own, lambda each: terms[each].inherits if each in terms else ()))


@cache
def _substances_of(allergy: str) -> frozenset[str]:
    """The substances that an allergy is named by."""
    return frozenset(term.id for term in _substances(name_key(allergy)))


def _substances(name: str) -> list[Term]:
    found = shipped_lexicon().by_key.get(name, ())
    return [term for term in found if term.concept in SUBSTANCES]
