"""What is recorded of others of a class, where a member is hardly known: it calls for care.

That nothing is recorded of a drug is no comfort where its kin are recorded to interact, or not to
suit: a coumarin that the base does not know, beside an antibiotic that warfarin does not go with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from medweave.inference.safety.lineage import Lineages
from medweave.model.facts import Fact, Facts
from medweave.model.inferred import StopFinding
from medweave.model.statement import INTERACTION_GRADES, SupportedStatement
from medweave.vocabulary.act_alike import act_alike

_OF_PERSON = ("contraindicated_in", "caution_in")
_Told = tuple[str, SupportedStatement]
"""A drug of the class, and its interaction."""


def by_kin(
    drugs: Iterable[str], met: Iterable[StopFinding], facts: Facts, lineages: Lineages
) -> Iterator[StopFinding]:
    """Cautions for the drugs taken beside one with which nothing is `met`: what most of the
    recorded kin of the one have with the other."""
    of_drugs = (finding for finding in met if finding.topic == "drugs")
    told = {fact.entities for finding in of_drugs for fact in finding.facts}
    own = lineages.of_drug(*drugs)
    drug = next(iter(own))
    for entities, fact in {fact.entities: fact for fact in facts.of("drug")}.items():
        theirs = lineages.of_drug(*entities)
        if entities in told or act_alike() & own.keys() & theirs.keys():
            continue
        for one, other in ((drug, theirs), (entities[0], own)):
            if found := _of_most_kin(one, set(other), lineages):
                yield _caution(found, drug, one, fact)
                break


Judge = Callable[[str, SupportedStatement], StopFinding | None]
"""What a statement about a drug is to the person."""


def of_the_person_by_kin(
    drugs: Iterable[str], met: Iterable[StopFinding], lineages: Lineages, judge: Judge
) -> Iterator[StopFinding]:
    """Cautions for a drug of which none are recorded: what holds of the person and is recorded of
    most of its recorded kin."""
    drug = next(iter(lineages.of_drug(*drugs)))
    kin = _recorded_kin(drug, lineages, _OF_PERSON)
    held: dict[tuple[object, ...], dict[str, StopFinding]] = {}
    for one in kin:
        for supported in lineages.against(one):
            if supported.statement.predicate in _OF_PERSON:
                finding = judge(one, supported)
                if finding is not None and finding.holds and finding.topic != "allergy":
                    held.setdefault(_what_holds(finding), {}).setdefault(one, finding)
    known = {_what_holds(finding) for finding in met if finding.holds}
    for what, by_drug in held.items():
        if what not in known and 2 * len(by_drug) > len(kin):
            found = min(by_drug.values(), key=lambda f: len(f.supported.statement.qualifiers))
            yield replace(found, level="care", through=(), kin=drug)


def _what_holds(finding: StopFinding) -> tuple[object, ...]:
    return finding.topic, tuple(fact.entities for fact in finding.facts)


def _caution(found: _Told, drug: str, unrecorded: str, fact: Fact) -> StopFinding:
    kin, supported = found
    statement = supported.statement
    other = str(statement.subject if statement.object == kin else statement.object)
    about = kin if unrecorded == drug else other
    return StopFinding(supported, about, "drugs", True, "care", True, facts=(fact,), kin=unrecorded)


def _of_most_kin(drug: str, others: set[str], lineages: Lineages) -> _Told | None:
    """The gravest interaction of kin of a drug with one of these, where most kin have any, and of
    the drug itself none of its own is recorded."""
    kin = _recorded_kin(drug, lineages, ("interacts_with",))
    found = {one: told for one in kin if (told := list(_with(one, others, lineages)))}
    if not kin or 2 * len(found) <= len(kin):
        return None
    every = [(one, supported) for one, told in found.items() for supported in told]
    return min(every, key=lambda told: _grade(told[1]))


def _with(drug: str, others: set[str], lineages: Lineages) -> Iterator[SupportedStatement]:
    for supported in lineages.against(drug):
        statement = supported.statement
        ends = {statement.subject, str(statement.object)} - {drug}
        if statement.predicate == "interacts_with" and ends & others:
            yield supported


def _grade(supported: SupportedStatement) -> int:
    grade = str(supported.statement.qualifier("severity") or INTERACTION_GRADES[-1])
    return INTERACTION_GRADES.index(grade)


def _recorded_kin(drug: str, lineages: Lineages, predicates: Sequence[str]) -> list[str]:
    """The others of its class of which something of the kind is recorded; none where anything is
    of the drug itself."""
    knowledge = lineages.knowledge
    term = knowledge.lexicon.terms.get(drug)
    classes = act_alike().intersection(term.classes if term else ())
    if not classes or _has_own(drug, lineages, predicates):
        return []
    kin = knowledge.holds(knowledge.lexicon.narrower(classes) - {drug})
    return [one for one in sorted(kin) if _has_own(one, lineages, predicates)]


def _has_own(drug: str, lineages: Lineages, predicates: Sequence[str]) -> bool:
    if lineages.knowledge.entities.get(drug).concept != "drug":
        return False
    match = lineages.knowledge.store.match
    return any(match(drug, predicate, limit=1) for predicate in predicates)
