"""Every drug in sight crossed with everything that counts of the person.

A drug is held against what is said of it, of its ingredients and of its classes. A condition holds,
does not hold, or is unknown; unknown is never taken for absent.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache, cached_property

from medweave.inference.safety import states
from medweave.inference.safety.allergies import by_lineage
from medweave.inference.safety.kin import by_kin, of_the_person_by_kin
from medweave.inference.safety.lineage import Lineages, lineages_in
from medweave.language.data import shipped_yaml
from medweave.model.facts import Fact, Facts
from medweave.model.inferred import DrugReview, Level, StopFinding, Topic
from medweave.model.material import Focus
from medweave.model.question import PREGNANCY, Patient
from medweave.model.statement import Statement, SupportedStatement
from medweave.vocabulary.act_alike import told_enough
from medweave.vocabulary.knowledge import Knowledge

_ACUTE = "acute"
"""Who names a condition mostly has it for long: that it is acute would be told."""
_KIDNEY = "mw.condition:kidney_disease"
_SEVERE_BELOW = 30.0
"""Filtration (mL/min/1.73 m2) below which a kidney disease is severe: stages G4 and G5 of KDIGO."""
_ANY_GROWN_UP = 60 * 365
"""A range of ages so wide says only that it is no child."""
_LEVELS: dict[str, Level] = {"contraindicated": "stop", "avoid": "avoid"}
"""Grades of an interaction that exclude a drug; all others, and none, call for care."""


@dataclass(frozen=True, eq=False)
class Circumstance:
    """What counts of the person, and what drugs are wanted for."""

    facts: Facts
    lineages: Lineages
    purposes: frozenset[str] = frozenset()
    """Entities of the conditions that a drug is wanted for, and of all that are named beside."""
    listed_for: frozenset[str] = frozenset()
    """Those that drugs are listed for."""

    @property
    def knowledge(self) -> Knowledge:
        """The base."""
        return self.lineages.knowledge

    # what hundreds of statements are held against is worked out once for all of them

    @cached_property
    def patient(self) -> Patient:
        """The person, with what their conditions imply: pre-eclampsia implies pregnancy."""
        patient, of_condition = self.facts.patient, self.lineages.of_condition
        if patient.pregnant is not None:
            return patient
        implied = any(PREGNANCY in of_condition(e) for e in self.facts.entities("condition"))
        return replace(patient, pregnant=True) if implied else patient

    @cached_property
    def taken(self) -> tuple[Fact, ...]:
        """The drugs that are taken, each once."""
        once: dict[tuple[str, ...], Fact] = {}
        for fact in self.facts.of("drug"):
            once.setdefault(fact.entities, fact)
        return tuple(once.values())

    @cached_property
    def taken_as(self) -> dict[str, Fact]:
        """All that a drug that is taken is or holds, with the first of which that is so."""
        found: dict[str, Fact] = {}
        for fact in self.taken:
            for drug in fact.entities:
                for above in self.lineages.of_drug(drug):
                    found.setdefault(above, fact)
        return found

    @cached_property
    def listed_for_kinds_of(self) -> frozenset[str]:
        """What drugs are listed for, and all that this is a kind of."""
        of_condition = self.lineages.of_condition
        return frozenset(above for name in self.listed_for for above in of_condition(name))


@dataclass(frozen=True, slots=True)
class _Met:
    """Whether what a statement names holds; whether it was spoken of, and by which facts."""

    holds: bool | None
    touched: bool = False
    facts: tuple[Fact, ...] = ()
    likely: bool = True
    """Whether it may well hold, where that is unknown."""


_NOT_TOLD = _Met(None)


def concerned(drugs: Iterable[Focus], facts: Facts, knowledge: Knowledge) -> set[str]:
    """The drugs, by their first choice, that anything in the base or the lexicon can stop.

    Of the others nothing is known, and so nothing need be looked up one by one: a list may be long.
    """
    same = {
        drug.entity: {s for some in knowledge.alike(drug.entities).values() for s in some}
        for drug in drugs
    }
    spoken_of = lineages_in(knowledge).spoken_of({s for some in same.values() for s in some})
    return {
        entity
        for entity, some in same.items()
        if facts.of("allergy") or any(s in spoken_of or s in knowledge.lexicon.terms for s in some)
    }


def review(drug: Focus, circumstance: Circumstance) -> DrugReview:
    """A drug held against a circumstance: what stops it, or would if something unknown were so.

    What is ruled out is left out.
    """
    knowledge, facts = circumstance.knowledge, circumstance.facts
    lineage = circumstance.lineages.of_drug(*drug.entities)
    own = lineage_of_itself(drug, knowledge)
    circumstance = replace(circumstance, facts=facts.beside(own))
    judged = [
        _judge(identifier, supported, through, circumstance)
        for identifier, through in lineage.items()
        for supported in circumstance.lineages.against(identifier)
        if not _of_itself(drug, identifier, supported)
    ]
    met = list({f.supported.statement.id: f for f in judged if f is not None}.values())
    found = _by_the_pair(_by_its_own(met, own), own, knowledge)
    allergic = [f for f in found if f.topic == "allergy" and f.holds]
    if not any(f.hard for f in allergic):
        found += [f for f in by_lineage(drug, lineage, facts, knowledge) if f.hard or not allergic]
    lineages = circumstance.lineages
    found += by_kin(drug.entities, found, circumstance.facts, lineages)
    found += of_the_person_by_kin(
        drug.entities, found, lineages, lambda one, told: _judge(one, told, (), circumstance)
    )
    as_taken = [f for f in facts.of("drug") if not own.isdisjoint(f.entities)]
    taken = any(f.how != "supposed" or f.words for f in as_taken)
    must_go_on = not _must_go_on().isdisjoint(lineage)
    bought = not _bought().isdisjoint(own)
    has_data = _has_data(lineage, own, knowledge)
    perhaps = bool(as_taken) and not taken
    rests = not must_go_on and _rests_in_illness(lineage, own) and _is_day_of_illness(circumstance)
    return DrugReview(drug, tuple(found), has_data, taken, perhaps, must_go_on, bought, rests)


def _rests_in_illness(lineage: Iterable[str], own: set[str]) -> bool:
    rules = _days_of_illness()
    return not rules["medicines"].isdisjoint(lineage) and rules["unless"].isdisjoint(own)


def _is_day_of_illness(circumstance: Circumstance) -> bool:
    """Whether the person is in a state, now, in which some medicines are often paused."""
    states, of_condition = _days_of_illness()["states"], circumstance.lineages.of_condition
    now = (fact for fact in circumstance.facts.of("condition") if not fact.past)
    return any(not states.isdisjoint(of_condition(e)) for fact in now for e in fact.entities)


@cache
def _days_of_illness() -> dict[str, frozenset[str]]:
    rules = shipped_yaml("inference", "safety", "days_of_illness.yaml")
    return {part: frozenset(rules[part]) for part in ("states", "medicines", "unless")}


@cache
def _must_go_on() -> frozenset[str]:
    return frozenset(shipped_yaml("inference", "safety", "must_go_on.yaml")["medicines"])


@cache
def _bought() -> frozenset[str]:
    named = shipped_yaml("inference", "safety", "over_the_counter.yaml")["medicines"]
    return frozenset(named)


def _by_its_own(found: list[StopFinding], own: set[str]) -> list[StopFinding]:
    """What is said of a drug itself goes before what is said alike of its class or ingredient.

    So an interaction that the drug grades for itself has that grade, and no other.
    """
    said = {_what_against(f) for f in found if f.about in own}
    return [f for f in found if f.about in own or _what_against(f) not in said]


def _by_the_pair(
    found: list[StopFinding], own: set[str], knowledge: Knowledge
) -> list[StopFinding]:
    """What is said of two drugs themselves goes before what is said of the class of either."""

    def nearness(finding: StopFinding) -> tuple[bool, bool]:
        other = _what_against(finding)[1]
        direct = {same for e in finding.facts[0].entities for same in knowledge.same(e)}
        return finding.about in own, other in direct

    meeting = {id(f): nearness(f) for f in found if f.topic == "drugs" and f.holds}
    nearest = {f.facts[0] for f in found if meeting.get(id(f)) == (True, True)}
    return [
        f for f in found if id(f) not in meeting or all(meeting[id(f)]) or f.facts[0] not in nearest
    ]


def _what_against(finding: StopFinding) -> tuple[str, str, bool]:
    """What a finding names as being against the drug, as an allergy or otherwise."""
    statement = finding.supported.statement
    other = statement.subject if statement.object == finding.about else statement.object
    return statement.predicate, str(other), finding.topic == "allergy"


def lineage_of_itself(drug: Focus, knowledge: Knowledge) -> set[str]:
    """All identifiers of a drug itself."""
    return {same for entity in drug.entities for same in knowledge.same(entity)}


def _has_data(lineage: Iterable[str], own: set[str], knowledge: Knowledge) -> bool:
    """Whether so much is recorded that silence says something: of the drug, of what it is made of,
    or of a class that tells enough of its members. What all antidepressants share does not."""
    terms = [knowledge.lexicon.terms[name] for name in own if name in knowledge.lexicon.terms]
    any_class = any(term.concept == "drug_class" for term in terms)
    parts = {part for term in terms for part in term.ingredients}
    return any(
        knowledge.store.match(name, "contraindicated_in", limit=1)
        for name in lineage
        if any_class or name in own or name in parts or name in told_enough()
    )


def _of_itself(drug: Focus, identifier: str, supported: SupportedStatement) -> bool:
    """Whether an interaction that names a class of the drug is one of the drug: not with itself."""
    statement = supported.statement
    return (
        statement.predicate == "interacts_with"
        and statement.object == identifier
        and statement.subject in drug.entities
    )


def _judge(
    identifier: str,
    supported: SupportedStatement,
    through: tuple[str, ...],
    circumstance: Circumstance,
) -> StopFinding | None:
    topic = _topic(supported)
    level = level_of(supported)
    if _excepted(supported, circumstance):
        if level != "stop" or supported.statement.qualifier("except_purpose") is None:
            return None
        level = (
            "care"  # the exception is for whoever prescribes it: it is not as if nothing were said
        )
    met = _met(topic, identifier, supported, circumstance)
    if met.holds is False:
        return None
    likely = met.holds is True or _likely(topic, met, supported, circumstance)
    return StopFinding(
        supported, identifier, topic, met.holds, level, met.touched, through, met.facts, likely
    )


def _likely(
    topic: Topic, met: _Met, supported: SupportedStatement, circumstance: Circumstance
) -> bool:
    """Whether what is unknown may well be so."""
    if topic == "age":
        return states.likely_aged(supported, circumstance.patient)
    if topic == "pregnancy":
        return states.likely_pregnant(supported, circumstance.patient)
    return met.likely and topic != "allergy"


def level_of(supported: SupportedStatement) -> Level:
    """How grave what a statement says against a drug is, where it holds."""
    statement = supported.statement
    if statement.predicate == "interacts_with":
        return _LEVELS.get(str(statement.qualifier("severity")), "care")
    return "stop" if statement.predicate == "contraindicated_in" else "care"


def _topic(supported: SupportedStatement) -> Topic:
    statement = supported.statement
    if statement.predicate == "interacts_with":
        return "drugs"
    named = {name for name, _ in statement.qualifiers}
    return next((topic for name, topic in _TOPIC_OF_QUALIFIER if name in named), "condition")


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
    if not supported.statement.qualifiers:
        return False
    exception = supported.statement.qualifier("except_purpose")
    if exception is not None:
        return exception in circumstance.purposes
    purpose = supported.statement.qualifier("purpose")
    return (
        purpose is not None
        and bool(circumstance.purposes - {purpose})
        and (purpose not in circumstance.purposes)
    )


def _met(
    topic: Topic, identifier: str, supported: SupportedStatement, circumstance: Circumstance
) -> _Met:
    statement = supported.statement
    if topic == "drugs":
        other = statement.subject if statement.object == identifier else statement.object
        met = _takes(str(other), circumstance)
        lasting = statement.qualifier("within_days") is not None or level_of(supported) == "stop"
        return _took(str(other), circumstance) if lasting and not met.touched else met
    if topic == "condition":
        return _has_condition(supported, circumstance)
    if topic == "allergy":
        return _allergic(statement, circumstance)
    return _of_person(topic, supported, circumstance.patient)


def _of_person(topic: Topic, supported: SupportedStatement, patient: Patient) -> _Met:
    """What the person is, as far as that was said."""
    found = {
        "pregnancy": (states.pregnant(supported, patient), patient.pregnant is True),
        "breastfeeding": (states.breastfeeding(patient), patient.breastfeeding is not None),
        "age": (states.aged(supported, patient), _age_is_known(patient)),
        "sex": (states.of_sex(supported, patient), patient.sex is not None),
    }
    holds, said = found[topic]
    return _Met(holds, said)


def _age_is_known(patient: Patient) -> bool:
    """Whether more is known of an age than that it is a grown-up's ("my father")."""
    low, high = patient.age_days, patient.age_max_days
    return low is not None and (high is None or high - low < _ANY_GROWN_UP)


def _allergic(statement: Statement, circumstance: Circumstance) -> _Met:
    """Whether the person is allergic to a substance; how badly is asked where a source tells it."""
    target, lineages = str(statement.object), circumstance.lineages
    only_severe = statement.qualifier("severity") == "severe"
    for fact in circumstance.facts.of("allergy"):
        for allergen in fact.entities:
            related = target in lineages.of_drug(allergen) or allergen in lineages.of_drug(target)
            if related:
                return _Met(True if fact.severe or not only_severe else None, True, (fact,))
    return _Met(False if circumstance.facts.patient.no_allergies else None)


def _takes(other: str, circumstance: Circumstance) -> _Met:
    """Whether the person takes a drug, or one of a class; unknown where only a class is known."""
    if taken := circumstance.taken_as.get(other):
        return _Met(True, True, (taken,))
    lineage = circumstance.lineages.of_drug(other) if circumstance.taken else {}
    for fact in circumstance.taken:
        if not lineage.keys().isdisjoint(fact.entities):
            return _Met(None, True, (fact,))
    return _NOT_TOLD


def _took(other: str, circumstance: Circumstance) -> _Met:
    """Whether a drug that must not be near in time, or never beside it, was taken before: whether
    it still acts must be asked."""
    for fact in circumstance.facts.of("past_drug"):
        if fact.past and any(
            other in circumstance.lineages.of_drug(drug) for drug in fact.entities
        ):
            return _Met(None, True, (fact,))
    return _NOT_TOLD


def _has_condition(supported: SupportedStatement, circumstance: Circumstance) -> _Met:
    facts, lineages = circumstance.facts, circumstance.lineages
    qualifiers = dict(supported.statement.qualifiers)
    if "mentions" in qualifiers:
        return _meets_words(supported, circumstance)
    if "weight_max_kg" in qualifiers:
        weight = facts.patient.weight_kg
        limit = float(qualifiers["weight_max_kg"])
        return _Met(None) if weight is None else _Met(weight < limit, True)
    target = str(supported.statement.object)
    sought = {target, *_wider_at_this_age(target, circumstance)}
    having = [
        fact
        for fact in facts.of("condition")
        if any(not sought.isdisjoint(lineages.of_condition(entity)) for entity in fact.entities)
    ]
    history = bool(qualifiers.get("history"))
    now = tuple(f for f in having if history or not _is_over(f, target, circumstance))
    if now:
        likely = qualifiers.get("severity") != _ACUTE
        such = _is_such(qualifiers, now, circumstance)
        if such is None and all(fact.reckoned for fact in now):
            return _NOT_TOLD  # that it is grave was not said, nor that it is there at all
        return _Met(such, True, now, likely)
    if target in facts.absent:
        return _Met(False)
    wider = _wider(target, circumstance)
    listed_for = circumstance.listed_for_kinds_of
    spoken_of = any(listed_for.isdisjoint(fact.entities) for fact in wider)
    return _Met(None, spoken_of and not having, tuple(having) or wider, likely=False)


def _is_over(fact: Fact, target: str, circumstance: Circumstance) -> bool:
    """Whether what the person once had is no longer there, as far as a source means it: a finding,
    or an illness that passes. Of last year's ketoacidosis diabetes remains."""
    if not fact.past:
        return False
    concepts = circumstance.knowledge.entities.all(fact.entities)
    if any(concept.concept != "disease" for concept in concepts.values()):
        return True
    return not _passing().isdisjoint(circumstance.lineages.of_condition(target))


@cache
def _passing() -> frozenset[str]:
    return frozenset(shipped_yaml("inference", "safety", "passing.yaml")["illnesses"])


def _wider_at_this_age(target: str, circumstance: Circumstance) -> tuple[str, ...]:
    """The conditions that are this one in a person so young: jaundice in a newborn."""
    term = circumstance.knowledge.lexicon.terms.get(target)
    patient = circumstance.facts.patient
    oldest = patient.age_days if patient.age_max_days is None else patient.age_max_days
    if term is None or term.age_max_days is None or oldest is None:
        return ()
    return term.classes if oldest <= term.age_max_days else ()


def _is_such(
    qualifiers: dict[str, str | int | float | bool], having: tuple[Fact, ...], here: Circumstance
) -> bool | None:
    """Whether a condition that the person has is as grave, or as recent, as a source says."""
    limit, filtration = qualifiers.get("gfr_max"), here.facts.kidney_filtration
    if limit is not None and filtration is not None:
        return filtration < float(limit)
    if "within_days" in qualifiers:
        return None  # how long ago is asked
    grade = "severe" if limit is not None else qualifiers.get("severity")
    if grade is None or any(_is_graded(str(grade), fact, here) for fact in having):
        return True
    if grade == "severe" and filtration is not None and _are_of_the_kidney(having, here):
        return filtration < _SEVERE_BELOW
    return None


def _are_of_the_kidney(having: tuple[Fact, ...], here: Circumstance) -> bool:
    of_condition = here.lineages.of_condition
    return all(any(_KIDNEY in of_condition(e) for e in fact.entities) for fact in having)


def _wider(target: str, circumstance: Circumstance) -> tuple[Fact, ...]:
    """What the person has that the condition is a kind of: bleeding, where it may be of the gut."""
    kinds = circumstance.lineages.of_condition(target)
    return tuple(
        fact for fact in circumstance.facts.of("condition") if not kinds.isdisjoint(fact.entities)
    )


def _meets_words(supported: SupportedStatement, circumstance: Circumstance) -> _Met:
    """A condition that is only kept in words: nothing tells whether it holds, but a fact that it
    names is a reason to ask."""
    named = set(str(supported.statement.qualifier("mentions")).split())
    facts, lineages = circumstance.facts, circumstance.lineages
    told = (*facts.of("condition"), *facts.of("drug"), *facts.of("allergy"))
    met = tuple(
        fact
        for fact in told
        if any(
            named & {*lineages.of_condition(entity), *lineages.of_drug(entity)}
            for entity in fact.entities
        )
    )
    return _Met(None, touched=bool(met), facts=met)


def _is_graded(grade: str, fact: Fact, circumstance: Circumstance) -> bool:
    """Whether a condition is said to be of a grade, or is so by itself: dialysis is severe."""
    terms, of_condition = circumstance.knowledge.lexicon.terms, circumstance.lineages.of_condition
    kinds = {kind for entity in fact.entities for kind in of_condition(entity)}
    return fact.severe or any(grade in terms[kind].grades for kind in kinds if kind in terms)
