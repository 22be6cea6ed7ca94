"""What was told by description, or is suspected: asked about, and held against drugs as unknown.

A drug is reviewed once by what is known, and once by what may be meant besides. What holds only in
the second is asked about; a drug that it would exclude is held back where that is likely.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from medweave.inference.safety.facts import CHILDBEARING, suspected_conditions
from medweave.inference.safety.lineage import Lineages
from medweave.inference.safety.review import Circumstance, review
from medweave.model.facts import Fact, Facts
from medweave.model.inferred import DrugReview, StopFinding
from medweave.model.material import Focus
from medweave.model.question import PREGNANCY, Described, Patient, Question

LIKELY = 0.5
"""From this certainty on a drug is held back until it is answered; see decision 271."""
_BREASTFEEDING = "mw.population:breastfeeding"


@dataclass(frozen=True, slots=True)
class Guesses:
    """Facts that may be meant, with how surely."""

    words: Mapping[Fact, str] = field(default_factory=dict)
    """Each fact with the words that may mean it; without words where it is named and suspected."""
    likely: frozenset[Fact] = frozenset()

    @property
    def held(self) -> tuple[Fact, ...]:
        """The facts."""
        return tuple(self.words)

    def but_for(self, entities: Iterable[str]) -> Guesses:
        """All but those of these entities."""
        apart = {
            fact: said for fact, said in self.words.items() if not {*entities} & {*fact.entities}
        }
        return Guesses(apart, self.likely.intersection(apart))

    def beside(self, facts: Facts) -> Facts:
        """What is known, with what may be meant."""
        named = {entity for fact in self.held for entity in fact.entities}
        patient: Patient = facts.patient
        if PREGNANCY in named and patient.pregnant is None:
            patient = replace(patient, pregnant=True)
        if _BREASTFEEDING in named and patient.breastfeeding is None:
            patient = replace(patient, breastfeeding=True)
        return replace(facts, held=(*facts.held, *self.held), patient=patient)


def guesses_of(question: Question, facts: Facts, lineages: Lineages) -> Guesses:
    """What a question may mean besides what it says; nothing that it says already, or denies."""
    suspected = suspected_conditions(question)
    if not (question.described or suspected):
        return Guesses()
    known = set(facts.absent)
    for fact in facts.held:
        above = lineages.of_condition if fact.kind == "condition" else lineages.of_drug
        known.update(fact.entities, *(above(entity) for entity in fact.entities))
    asked = {e for m in question.mentions if m.role == "asked" for e in m.entities}
    described = {
        Fact(one.kind, (one.entity,), "supposed"): one
        for one in question.described
        if one.entity not in known
        and one.entity not in asked  # who wants one of a class takes none of it yet
        and _can_be(one, facts.patient)
        and not _is_named_beside(one, question, lineages)
    }
    likely = {f for f, one in described.items() if one.confidence >= LIKELY}
    open_ = [Fact("condition", m.entities, "supposed") for m in suspected if m.entity not in known]
    words = {fact: one.text for fact, one in described.items()}
    return Guesses(words | dict.fromkeys(open_, ""), frozenset(likely.union(open_)))


_OF_WOMEN = frozenset((PREGNANCY, _BREASTFEEDING, CHILDBEARING, "mw.condition:planning_pregnancy"))
_GROWN = 12 * 365


def _can_be(one: Described, patient: Patient) -> bool:
    """Whether the person can be so at all: no man and no child is with child."""
    oldest = patient.age_days if patient.age_max_days is None else patient.age_max_days
    child = oldest is not None and oldest < _GROWN
    return one.entity not in _OF_WOMEN or not (child or patient.sex == "male")


_NEAR = 3
"""Characters between a description and the name that it explains: "the morning-after pill X"."""
_IN_BRACKETS = re.compile(r"[^.?!;。？！；()（）]*[(（]\s*")


def _is_named_beside(one: Described, question: Question, lineages: Lineages) -> bool:
    """Whether a name in the description, next to it, or in brackets behind it in its sentence, is
    that of what it describes."""
    beside = range(one.start - _NEAR, one.end + _NEAR + 1)
    above = lineages.of_condition if one.kind == "condition" else lineages.of_drug
    return any(
        one.entity in above(entity)
        for mention in question.mentions
        if mention.end in beside
        or mention.start in beside
        or _IN_BRACKETS.fullmatch(question.text[one.end : mention.start])
        for entity in mention.entities
    )


def reviewed_with(drug: Focus, circumstance: Circumstance, guesses: Guesses) -> DrugReview:
    """A drug held against what is known; what would hold by a guess alone is to be asked."""
    known = review(drug, circumstance)
    if not guesses.held:
        return known
    supposed = review(drug, replace(circumstance, facts=guesses.beside(circumstance.facts)))
    settled = {f.supported.statement.id for f in known.findings if f.holds or f.facts}
    asked = {
        f.supported.statement.id: replace(
            f,
            holds=None,
            touched=True,
            facts=meant,
            likely=bool(f.holds) and not guesses.likely.isdisjoint(meant),
            in_part=not f.holds,
        )
        for f in supposed.findings
        if (f.holds or (f.touched and f.hard))
        and f.supported.statement.id not in settled
        and (meant := _guesses_behind(f, guesses))
    }
    others = tuple(f for f in known.findings if f.supported.statement.id not in asked)
    return replace(known, findings=(*others, *asked.values()))


def _guesses_behind(finding: StopFinding, guesses: Guesses) -> tuple[Fact, ...]:
    """The guesses that a finding rests on; of what somebody is, the one that says so."""
    met = tuple(fact for fact in finding.facts if fact in guesses.held)
    names = {"pregnancy": PREGNANCY, "breastfeeding": _BREASTFEEDING}
    return met or tuple(f for f in guesses.held if f.entities[0] == names.get(finding.topic))
