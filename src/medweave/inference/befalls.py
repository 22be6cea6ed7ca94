"""Whom a disease befalls, by age, sex and pregnancy; how long it lasts, how soon it wants a doctor.

What is pregnancy's own is not offered where nothing tells of pregnancy or of a woman; what mostly
befalls others weighs less. Data: `befalls.yaml`, and what the lexicon says a disease implies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from medweave.language.data import shipped_yaml
from medweave.model.identifiers import local_curie
from medweave.model.question import PREGNANCY, Patient
from medweave.vocabulary.knowledge import Knowledge
from medweave.vocabulary.lexicon import Lexicon, shipped_lexicon

Prior = Callable[[tuple[str, ...]], float]
"""What a disease, by all its identifiers, weighs by whom it befalls; 0 where it cannot be."""
UNTOLD = 0.5
"""What is left of a disease of one sex, or of pregnancy, where it is not told whether it may be."""
UNUSUAL = 0.3
"""What is left of one that mostly befalls another age, or is over sooner."""
_YEAR = 365.25
_FAMILY = "condition"


def prior(
    patient: Patient, present: Iterable[str], knowledge: Knowledge, lasted: float = 0.0
) -> Prior:
    """How what is told of a person, their findings, and the days that these have lasted, bear on
    diseases.

    >>> from medweave.knowledge_base import KnowledgeBase
    >>> with KnowledgeBase.sample() as base:
    ...     of_nobody = prior(Patient(), [], base.knowledge)
    ...     of_a_boy = prior(Patient(age_days=14 * 365, sex="male"), [], base.knowledge)
    ...     disease = lambda name: (base.show(name).entity.id,)
    ...     of_nobody(disease("pre-eclampsia")), of_a_boy(disease("type 2 diabetes"))
    (0.0, 0.3)
    """
    table = _table()
    found = set(present)
    sex = patient.sex or next((s for s, tell in table.tells.items() if tell & found), None)
    if patient.pregnant or patient.breastfeeding:
        sex = "female"

    def weight(disease: tuple[str, ...]) -> float:
        same = {*disease, *(s for name in disease for s in knowledge.same(name))}
        told = next((table.diseases[name] for name in same if name in table.diseases), {})
        return (
            _in_pregnancy(same, patient, sex, knowledge.lexicon)
            * _of_sex(told.get("sex"), sex)
            * _at_age(told, patient)
            * (UNUSUAL if lasted > told.get("lasts", lasted) else 1.0)
        )

    return weight


def wants_same_day(disease: str, knowledge: Knowledge) -> bool:
    """Whether whoever may have it should be seen by a doctor the same day."""
    table = _table().diseases
    return any(table.get(name, {}).get("seen") == "same_day" for name in knowledge.same(disease))


@dataclass(frozen=True, slots=True)
class _Table:
    diseases: Mapping[str, Mapping[str, Any]]
    tells: Mapping[str, frozenset[str]]


@cache
def _table() -> _Table:
    held, lexicon = shipped_yaml("inference", "befalls.yaml"), shipped_lexicon()

    def identifier(name: str) -> str:
        term = lexicon.find(name, [_FAMILY])
        return term.id if term else local_curie(_FAMILY, name)

    return _Table(
        {identifier(name): told for name, told in held["diseases"].items()},
        {sex: frozenset(map(identifier, names)) for sex, names in held["tells"].items()},
    )


def _in_pregnancy(same: set[str], patient: Patient, sex: str | None, lexicon: Lexicon) -> float:
    """What only the pregnant have is nobody's of whom nothing tells of pregnancy or a woman."""
    terms = (lexicon.terms[name] for name in same if name in lexicon.terms)
    if patient.pregnant or all(PREGNANCY not in term.implies for term in terms):
        return 1.0
    return 0.0 if patient.pregnant is False or sex != "female" else UNTOLD


def _of_sex(own: str | None, sex: str | None) -> float:
    if own is None or own == sex:
        return 1.0
    return UNTOLD if sex is None else 0.0


def _at_age(told: Mapping[str, Any], patient: Patient) -> float:
    """By the nearer end where only a range of ages is known."""
    if patient.age_days is None:
        return 1.0
    oldest = patient.age_days if patient.age_max_days is None else patient.age_max_days
    too_young = oldest < told.get("from", 0) * _YEAR
    too_old = patient.age_days > (told["to"] + 1) * _YEAR if "to" in told else False
    return UNUSUAL if too_young or too_old else 1.0
