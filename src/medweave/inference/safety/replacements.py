"""Which drugs are to come in place of others: nobody takes one with the other.

One may be asked about in place of another ("And with X?"), does not suit somebody who asks for a
class of it, or is to be replaced.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from medweave.inference.safety.lineage import Lineages
from medweave.language.asked_in_place import asked_in_place
from medweave.language.not_suited import not_suited
from medweave.model.facts import Facts
from medweave.model.inferred import DrugReview, StopFinding
from medweave.model.material import Focus
from medweave.model.question import SOUGHT, SUBSTANCES, Question


def without_what_must_go(reviews: Iterable[DrugReview]) -> tuple[DrugReview, ...]:
    """The reviews, none stopped for the sake of another medicine that is excluded by itself and not
    taken yet: of propranolol and salbutamol in asthma the one must go, and the other may stay."""
    found = tuple(reviews)
    gone = {
        entity
        for review in found
        if not (review.taken or review.perhaps_taken)
        and any(f.hard and f.holds and f.topic not in ("drugs", "allergy") for f in review.findings)
        for entity in review.drug.entities
    }

    def stays(finding: StopFinding) -> bool:
        only_by_those = finding.topic == "drugs" and bool(finding.facts)
        return not (only_by_those and all(gone.issuperset(f.entities) for f in finding.facts))

    return tuple(
        review
        if gone.issuperset(review.drug.entities)
        else replace(review, findings=tuple(f for f in review.findings if stays(f)))
        for review in found
    )


@dataclass(frozen=True)
class Replacements:
    """The replacements that a question tells of; `wanted` are the classes that it asks for."""

    question: Question
    lineages: Lineages
    wanted: frozenset[str]

    def without(self, drug: Focus, above: set[str], facts: Facts) -> Facts:
        """The facts against which a drug is held; `above` is what it is one of.

        What it is to replace may still act, and counts as what was taken.
        """
        in_its_place = {new for old in drug.entities for new in self._replaced.get(old, ())}
        facts = facts.once_taken(self._given_up_for(drug, above))
        return facts.beside(
            self._asked_in_place(drug, above) | self._gives_way_to(above) | in_its_place
        )

    @cached_property
    def _asked_apart(self) -> tuple[frozenset[str], frozenset[str]]:
        """Drugs that are asked about in place of others, and these."""
        question = self.question
        named = [m for m in question.of_concept(*SUBSTANCES) if m.experiencer == "patient"]
        text, language = question.text, question.language
        later = [m for m in named if asked_in_place(text, language, m.start, m.end)]
        first = {e for m in named if later and m.start < later[0].start for e in m.entities}
        return frozenset(first), frozenset(e for m in later for e in m.entities)

    @cached_property
    def _unsuited(self) -> frozenset[str]:
        """Drugs that do not suit somebody who asks for a class: one is wanted in their place."""
        text, language = self.question.text, self.question.language
        return frozenset(
            entity
            for m in self.question.of_concept("drug")
            if m.role in ("taken", "asked") and not_suited(text, language, m.start, m.end)
            for entity in m.entities
        )

    @cached_property
    def _replaced(self) -> dict[str, frozenset[str]]:
        """Drugs that are to be replaced, each with what may come in its place, or `SOUGHT`."""
        found = dict[str, frozenset[str]]()
        for mention in (*self.question.earlier, *self.question.mentions):
            for entity in mention.entities if mention.gives_way_to else ():
                found[entity] = found.get(entity, frozenset()).union(mention.gives_way_to)
        return found

    def _asked_in_place(self, drug: Focus, above: set[str]) -> set[str]:
        """The drugs of its kind that are asked about in its place, or it in theirs."""
        first, later = self._asked_apart
        own = later if first.intersection(drug.entities) else first
        apart = own if (first | later).intersection(drug.entities) else frozenset()
        return {other for other in apart if not above.isdisjoint(self._classes_of(other))}

    def _gives_way_to(self, above: set[str]) -> set[str]:
        """What does not suit, where a class of it is wanted, beside what is of another kind in that
        class: losartan beside perindopril, of the antihypertensives."""
        if above.isdisjoint(self.wanted):
            return set()
        unsuited = {e: self._classes_of(e) for e in self._unsuited}
        replaced = {e for e, classes in unsuited.items() if not classes.isdisjoint(self.wanted)}
        return {e for e in replaced if above.isdisjoint(unsuited[e] - self.wanted)}

    def _given_up_for(self, drug: Focus, above: set[str]) -> set[str]:
        """What a drug is to replace: by its name or class, or as one of its kind where any is
        sought."""
        named = {old for old, new in self._replaced.items() if not new.isdisjoint(above)}
        for_any = {old for old, new in self._replaced.items() if SOUGHT in new}
        of_a_kind = {old for old in for_any if not above.isdisjoint(self._classes_of(old))}
        return (named | of_a_kind) - {*drug.entities}

    def _classes_of(self, drug: str) -> set[str]:
        return {*self.lineages.of_drug(drug)} - {drug}
