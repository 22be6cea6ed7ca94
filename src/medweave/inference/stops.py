"""Contraindications as hard stops: what applies to the person asked about, and what must be asked.

Three values throughout: a condition holds, does not hold, or is unknown. Unknown is never taken
for absent. A drug is stopped by what is said of it, of its ingredients and of its classes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from medweave.model.edge import thing_number
from medweave.model.inferred import DrugReview, StopFinding, Topic
from medweave.model.material import Focus
from medweave.model.question import Patient
from medweave.model.statement import SupportedStatement
from medweave.vocabulary.knowledge import Knowledge

AGAINST = ("contraindicated_in", "caution_in", "interacts_with")
"""The predicates of negative valence that stop a drug."""
_LEAST_PREGNANT_DAYS = 4383
"""Limits for children up to this age (12 years) do not concern someone who is pregnant."""
_UPWARD = ("in_class", "has_ingredient")
_PREGNANCY = "mw.population:pregnancy"


@dataclass(frozen=True, slots=True)
class Circumstance:
    """Everything the person, and the question, say that can stop a drug."""

    patient: Patient
    purposes: frozenset[str] = frozenset()
    """Entities of diseases the drug is asked for."""
    _seen: dict[tuple[str, str], set[str]] = field(default_factory=dict, compare=False, repr=False)

    def lineage(self, name: str, knowledge: Knowledge) -> set[str]:
        """A drug with its ingredients and classes; looked up once a question."""
        key = ("drug", name)
        if key not in self._seen:
            self._seen[key] = set(lineage_of((name,), knowledge))
        return self._seen[key]

    def kinds(self, condition: str, knowledge: Knowledge) -> set[str]:
        """A condition and everything it is a kind of; looked up once a question."""
        key = ("condition", condition)
        if key not in self._seen:
            self._seen[key] = _kinds(condition, knowledge)
        return self._seen[key]


def concerned(drugs: Iterable[Focus], patient: Patient, knowledge: Knowledge) -> set[str]:
    """The drugs, by their first choice, that anything in the base or the lexicon can stop.

    Of the others nothing is known, and so nothing need be looked up one by one: a list may be long.
    """
    same = {
        drug.entity: {s for some in knowledge.alike(drug.entities).values() for s in some}
        for drug in drugs
    }
    numbers = {thing_number(s) for some in same.values() for s in some}
    touched: set[int] = set()
    for edge in knowledge.store.edges(numbers, (*AGAINST, *_UPWARD)):
        touched |= {edge.subject, edge.object}
    return {
        entity
        for entity, some in same.items()
        if patient.allergies
        or any(thing_number(s) in touched or s in knowledge.lexicon.terms for s in some)
    }


def review(drug: Focus, circumstance: Circumstance, knowledge: Knowledge) -> DrugReview:
    """A drug held against a circumstance: what stops it, or would if something unknown were so.

    What is ruled out is left out.
    """
    lineage = lineage_of(drug.entities, knowledge)
    judged = [
        _judge(identifier, supported, through, circumstance, knowledge)
        for identifier, through in lineage.items()
        for supported in _against(drug, identifier, knowledge)
    ]
    by_statement = {f.supported.statement.id: f for f in judged if f is not None}
    found = list(by_statement.values())
    found += _allergy_by_class(drug, lineage, found, circumstance, knowledge)
    return DrugReview(drug, tuple(found), _has_data(lineage, knowledge))


def _has_data(lineage: Iterable[str], knowledge: Knowledge) -> bool:
    return any(knowledge.store.match(name, "contraindicated_in", limit=1) for name in lineage)


def lineage_of(drug: tuple[str, ...], knowledge: Knowledge) -> dict[str, tuple[str, ...]]:
    """A drug, its ingredients and classes, each with the statements that lead to it."""
    reached: dict[str, tuple[str, ...]] = {
        same: () for name in drug for same in knowledge.same(name)
    }
    frontier = list(reached)
    while frontier:
        current = frontier.pop(0)
        for predicate in _UPWARD:
            for supported in knowledge.store.match(current, predicate):
                above = supported.statement.object_entity
                if supported.affirmed and above is not None and above not in reached:
                    for same in knowledge.same(above):
                        reached.setdefault(same, (*reached[current], supported.statement.id))
                        frontier.append(same)
        term = knowledge.lexicon.terms.get(current)
        for above in term.inherits if term else ():
            if above not in reached:
                reached[above] = reached[current]
                frontier.append(above)
    return reached


def _against(drug: Focus, identifier: str, knowledge: Knowledge) -> list[SupportedStatement]:
    found = [
        supported
        for predicate in AGAINST
        for supported in knowledge.store.match(identifier, predicate)
    ]
    found += [
        supported
        for supported in knowledge.store.match(None, "interacts_with", identifier)
        if supported.statement.subject not in drug.entities  # it does not interact with itself
    ]
    return [supported for supported in found if supported.affirmed]


def _judge(
    identifier: str,
    supported: SupportedStatement,
    through: tuple[str, ...],
    circumstance: Circumstance,
    knowledge: Knowledge,
) -> StopFinding | None:
    statement = supported.statement
    topic = _topic(supported)
    if _excepted(supported, circumstance):
        return None
    if topic == "drugs":
        other = statement.subject if statement.object_entity == identifier else statement.object
        holds, touched = _takes(str(other), circumstance, knowledge), False
    else:
        holds, touched = _holds(topic, supported, circumstance, knowledge)
    if holds is False:
        return None
    hard = statement.predicate != "caution_in"
    return StopFinding(supported, identifier, topic, holds, hard, touched, through)


def _topic(supported: SupportedStatement) -> Topic:
    statement = supported.statement
    if statement.predicate == "interacts_with":
        return "drugs"
    qualifiers = dict(statement.qualifiers)
    for name, topic in _TOPIC_OF_QUALIFIER:
        if name in qualifiers:
            return topic
    return "condition"


_TOPIC_OF_QUALIFIER: tuple[tuple[str, Topic], ...] = (
    ("allergy", "allergy"),
    ("pregnancy", "pregnancy"),
    ("breastfeeding", "breastfeeding"),
    ("age_max_days", "age"),
    ("age_min_days", "age"),
    ("sex", "sex"),
)


def _excepted(supported: SupportedStatement, circumstance: Circumstance) -> bool:
    """Whether the question's purpose takes the statement out of play."""
    exception = supported.statement.qualifier("except_purpose")
    if exception is not None:
        return exception in circumstance.purposes
    purpose = supported.statement.qualifier("purpose")
    return (
        purpose is not None
        and bool(circumstance.purposes - {purpose})
        and (purpose not in circumstance.purposes)
    )


def _holds(
    topic: Topic, supported: SupportedStatement, circumstance: Circumstance, knowledge: Knowledge
) -> tuple[bool | None, bool]:
    """(whether the condition holds, whether the person spoke of it)."""
    patient = circumstance.patient
    target = str(supported.statement.object)
    if topic == "condition":
        return _has_condition(target, supported, circumstance, knowledge)
    told = {
        "pregnancy": _pregnant(supported, circumstance, knowledge),
        "breastfeeding": (_breastfeeding(patient), patient.breastfeeding is not None),
        "age": (_aged(supported, patient), patient.age_days is not None),
        "sex": (_of_sex(supported, patient), patient.sex is not None),
        "allergy": (_allergic(target, circumstance, knowledge), False),
    }
    return told[topic]


def _breastfeeding(patient: Patient) -> bool | None:
    """Whether the person breastfeeds; what is said goes before what the sex tells."""
    if patient.breastfeeding is None and patient.sex == "male":
        return False
    return patient.breastfeeding


def _of_sex(supported: SupportedStatement, patient: Patient) -> bool | None:
    if patient.sex is None:
        return None
    return patient.sex == supported.statement.qualifier("sex")


def _pregnant(
    supported: SupportedStatement, circumstance: Circumstance, knowledge: Knowledge
) -> tuple[bool | None, bool]:
    """(whether a time of pregnancy is now, whether the person spoke of being pregnant)."""
    patient = circumstance.patient
    pregnant = patient.pregnant
    if pregnant is None and _implied(_PREGNANCY, circumstance, knowledge):
        pregnant = True
    if pregnant is not True:
        return (pregnant if pregnant is False or patient.sex != "male" else False), False
    low = supported.statement.qualifier("pregnancy_weeks_min")
    high = supported.statement.qualifier("pregnancy_weeks_max")
    now = _within(
        patient.pregnancy_weeks,
        patient.pregnancy_weeks_max,
        None if low is None else int(low),
        None if high is None else int(high),
    )
    return now, True


def _implied(fact: str, circumstance: Circumstance, knowledge: Knowledge) -> bool:
    """Whether a condition that the person has implies a fact: pre-eclampsia implies pregnancy."""
    having = circumstance.patient.conditions
    return any(fact in circumstance.kinds(condition, knowledge) for condition in having)


def _aged(supported: SupportedStatement, patient: Patient) -> bool | None:
    low = supported.statement.qualifier("age_min_days")
    high = supported.statement.qualifier("age_max_days")
    if patient.pregnant and high is not None and int(high) <= _LEAST_PREGNANT_DAYS:
        return False
    return _within(
        patient.age_days,
        patient.age_max_days,
        None if low is None else int(low),
        None if high is None else int(high),
    )


def _within(
    known_low: int | None, known_high: int | None, low: int | None, high: int | None
) -> bool | None:
    """Whether a value known to lie in one range lies in [low, high), or may."""
    if low is None and high is None:
        return True
    if known_low is None:
        return None
    upper = known_low if known_high is None else known_high
    above = True if low is None or known_low >= low else (None if upper >= low else False)
    below = True if high is None or upper < high else (None if known_low < high else False)
    if above is False or below is False:
        return False
    return True if above and below else None


def _allergic(target: str, circumstance: Circumstance, knowledge: Knowledge) -> bool | None:
    for allergen in circumstance.patient.allergies:
        related = circumstance.lineage(allergen, knowledge)
        if target in related or allergen in circumstance.lineage(target, knowledge):
            return True
    return False if circumstance.patient.no_allergies else None


def _takes(other: str, circumstance: Circumstance, knowledge: Knowledge) -> bool | None:
    """Whether the person takes a drug, or one of a class; None where drugs were not spoken of."""
    taken = circumstance.patient.drugs
    return True if any(other in circumstance.lineage(drug, knowledge) for drug in taken) else None


def _has_condition(
    target: str, supported: SupportedStatement, circumstance: Circumstance, knowledge: Knowledge
) -> tuple[bool | None, bool]:
    patient = circumstance.patient
    having = [c for c in patient.conditions if target in circumstance.kinds(c, knowledge)]
    if having:
        grade = supported.statement.qualifier("severity")
        so = grade is None or _is_graded(str(grade), having, circumstance, knowledge)
        return (True if so else None), True
    if target in patient.absent:
        return False, True
    return None, False


def _is_graded(
    grade: str, having: list[str], circumstance: Circumstance, knowledge: Knowledge
) -> bool:
    """Whether a condition is said to be of a grade, or is so by itself: dialysis is severe."""
    if set(having) & set(circumstance.patient.severe):
        return True
    terms = knowledge.lexicon.terms
    kinds = {kind for one in having for kind in circumstance.kinds(one, knowledge)}
    return any(grade in terms[kind].grades for kind in kinds if kind in terms)


def _kinds(condition: str, knowledge: Knowledge) -> set[str]:
    """A condition, everything it is a kind of, and what it implies."""
    reached = set(knowledge.same(condition))
    frontier = list(reached)
    while frontier:
        current = frontier.pop()
        term = knowledge.lexicon.terms.get(current)
        wider = {
            str(supported.statement.object)
            for supported in knowledge.store.match(current, "kind_of")
            if supported.affirmed
        }
        for above in sorted(wider | set((*term.classes, *term.implies) if term else ())):
            frontier += [same for same in knowledge.same(above) if same not in reached]
            reached |= set(knowledge.same(above))
    return reached


def _allergy_by_class(
    drug: Focus,
    lineage: dict[str, tuple[str, ...]],
    found: list[StopFinding],
    circumstance: Circumstance,
    knowledge: Knowledge,
) -> list[StopFinding]:
    """A person allergic to a drug, its ingredient or its class, where no statement says it.

    The stop then rests on the statements by which the drug is what the person is allergic to.
    """
    if any(finding.topic == "allergy" and finding.holds for finding in found):
        return []
    for allergen in circumstance.patient.allergies:
        if allergen in lineage:
            for supported in knowledge.store.statements(lineage[allergen][-1:]):
                return [
                    StopFinding(supported, allergen, "allergy", True, True, True, lineage[allergen])
                ]
            return _own_statements(allergen, lineage, knowledge)
    return _cross_reaction(drug, circumstance, knowledge)


def _cross_reaction(
    drug: Focus, circumstance: Circumstance, knowledge: Knowledge
) -> list[StopFinding]:
    """An allergy to another drug of the very same class: to be asked about before it is given."""
    own = _classes(drug.entities, knowledge)
    for allergen in circumstance.patient.allergies:
        for shared in sorted(set(own) & set(_classes((allergen,), knowledge))):
            for supported in knowledge.store.statements(own[shared]) or _any_statement(
                drug.entities, knowledge
            ):
                return [
                    StopFinding(
                        supported, allergen, "allergy", None, True, True, tuple(own[shared])
                    )
                ]
    return []


def _classes(drug: tuple[str, ...], knowledge: Knowledge) -> dict[str, list[str]]:
    """The classes a drug belongs to directly, with the statement that says so if there is one."""
    found: dict[str, list[str]] = {}
    for name in (same for entity in drug for same in knowledge.same(entity)):
        for supported in knowledge.store.match(name, "in_class"):
            if supported.affirmed:
                found.setdefault(str(supported.statement.object), []).append(supported.statement.id)
        term = knowledge.lexicon.terms.get(name)
        for above in term.classes if term else ():
            found.setdefault(above, [])
    return found


def _any_statement(names: Iterable[str], knowledge: Knowledge) -> list[SupportedStatement]:
    """Whatever the base says of a drug."""
    match = knowledge.store.match
    return [s for name in names for s in (*match(name, limit=1), *match(None, None, name, limit=1))]


def _own_statements(
    allergen: str, lineage: Iterable[str], knowledge: Knowledge
) -> list[StopFinding]:
    """An allergy to the very drug rests on whatever the base says of the drug."""
    for supported in _any_statement(lineage, knowledge):
        return [StopFinding(supported, allergen, "allergy", True, True, True)]
    return []
