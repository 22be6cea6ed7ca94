"""What meets, told before all else: stops, and what was taken of the person."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import get_args

from medweave.answering.draft import Draft
from medweave.answering.wording import Wording
from medweave.model.answer import Stop, Taken
from medweave.model.facts import Fact, Facts
from medweave.model.inferred import DrugReview, Inferred, Level, StopFinding
from medweave.model.material import Material
from medweave.model.question import ALLERGY, BY_HABIT, PREGNANCY
from medweave.model.statement import INTERACTION_GRADES, SupportedStatement

_OF_STATEMENTS = ("contraindicated_in", "caution_in", "interacts_with")
_LEVELS = get_args(Level)
_MOST_ACTIONS = 2
"""What is to be done is said of so many interactions of a drug, the gravest first."""


def tell_safety(draft: Draft, material: Material, inferred: Inferred) -> None:
    """Stops of every drug in sight, and the facts they rest on."""
    asked = {focus.entity for focus in material.question_drugs}
    # of two that interact the one that is for what the person has is had already: told last
    for review in sorted(inferred.reviews, key=lambda r: _is_for_what_is_had(draft, r, inferred)):
        _tell_stops(draft, review, every_doubt=review.drug.entity in asked)
    _ask_whether_guesses_hold(draft, inferred, asked)
    if inferred.reviews:
        draft.taken += taken(draft.wording, inferred)
        if of_others := [draft.wording.name(entity) for entity in inferred.facts.of_others]:
            draft.add_missing("of_others", list=draft.wording.join(of_others))
    _tell_what_goes_on(draft, inferred, asked)


def _is_for_what_is_had(draft: Draft, review: DrugReview, inferred: Inferred) -> bool:
    """Whether a drug that interacts with another here is recorded for a disease of the person."""
    if not any(finding.topic == "drugs" and finding.holds for finding in review.findings):
        return False
    knowledge = draft.wording.knowledge
    had = inferred.facts.entities("condition")
    diseases = [e for e, named in knowledge.entities.all(had).items() if named.concept == "disease"]
    return any(
        knowledge.store.match(drug, "used_for", disease, limit=1)
        for drug in review.drug.entities
        for disease in diseases
    )


def _ask_whether_guesses_hold(draft: Draft, inferred: Inferred, asked: Collection[str]) -> None:
    """Whether words that may describe a state mean it, where it would speak against a drug.

    What would still hang on which medicine it is, or how grave, is told of drugs asked about alone.
    """
    wording = draft.wording
    for fact, words in inferred.guessed:
        excluded, with_care, in_part = list[str](), list[str](), list[str]()
        for review in inferred.reviews:
            met = [f for f in review.findings if f.holds is None and fact in f.facts]
            wholly, name = [f for f in met if not f.in_part], wording.name(review.drug.entity)
            if any(f.hard for f in wholly):
                excluded.append(name)
            elif met != wholly and review.drug.entity in asked:
                in_part.append(name)
            elif wholly:
                with_care.append(name)
        effects = [
            wording.say(f"described.{key}", drugs=wording.join(names))
            for key, names in (("excluded", excluded), ("care", with_care), ("in_part", in_part))
            if names
        ]
        if effects:
            draft.add_direct(
                f"described.{fact.kind if words else 'suspected'}",
                words=words,
                name=wording.name(fact.entities[0]),
                list=_joined(wording, effects),
            )


def _tell_stops(draft: Draft, review: DrugReview, *, every_doubt: bool) -> None:
    """One stop for each kind of reason: what applies, and what must be asked.

    For a drug that is only listed, doubts that nobody touched are told where they are hard;
    cautions are told to those who ask about the drug itself.
    """
    grouped: dict[tuple[bool, int, str], list[StopFinding]] = {}
    graver = [f for f in review.findings if f.holds and f.hard and f.topic != "drugs"]
    for finding in review.findings:
        if finding.holds and not finding.hard and any(_is_alike(finding, one) for one in graver):
            continue
        if finding.holds or finding.touched or every_doubt or finding.hard:
            key = (finding.holds is not True, _LEVELS.index(finding.level), finding.topic)
            grouped.setdefault(key, []).append(finding)
    for _, findings in sorted(grouped.items(), key=lambda pair: pair[0]):
        draft.stops.append(_stop(draft, review, findings))


def _is_alike(care: StopFinding, graver: StopFinding) -> bool:
    """Whether a caution says no more than what excludes the drug: for the same state, or the same
    illness or allergy of the person."""
    if care.topic in ("condition", "allergy"):
        return bool(care.facts) and set(care.facts) <= set(graver.facts)
    return care.topic == graver.topic


def _stop(draft: Draft, review: DrugReview, findings: list[StopFinding]) -> Stop:
    """One stop for findings that are alike in what they mean for the drug."""
    facts = dict.fromkeys(fact for finding in findings for fact in finding.facts)
    return Stop(
        entity=draft.wording.knowledge.entities.get(review.drug.entity),
        status="applies" if findings[0].holds else "ask",
        reason=reason_of(draft.wording, review, findings),
        statements=grounds(draft, findings),
        level=findings[0].level,
        action=_joined(draft.wording, actions(draft.wording, findings)),
        others=tuple(fact.entities[0] for fact in facts if fact.kind == "drug"),
        allergens=_not_borne(draft.wording, facts) if findings[0].topic == "allergy" else (),
        taken=review.taken,
        must_go_on=review.must_go_on,
    )


def _not_borne(wording: Wording, facts: Iterable[Fact]) -> tuple[str, ...]:
    return tuple(wording.name(fact.entities[0]) for fact in facts)


def actions(wording: Wording, findings: Iterable[StopFinding]) -> dict[str, StopFinding]:
    """What is to be done about the gravest interactions, each once, with what says so."""
    findings_by_action = dict[str, StopFinding]()
    interactions = (f for f in findings if f.topic == "drugs" and f.holds)
    for finding in sorted(interactions, key=lambda f: INTERACTION_GRADES.index(grade_of(f))):
        qualifiers = dict(finding.supported.statement.qualifiers)
        action = qualifiers.get(f"action_{wording.language}") or qualifiers.get("action")
        if action is not None:
            findings_by_action.setdefault(str(action), finding)
    return dict(list(findings_by_action.items())[:_MOST_ACTIONS])


def grade_of(finding: StopFinding) -> str:
    """How grave its source says that an interaction is."""
    return str(finding.supported.statement.qualifier("severity") or INTERACTION_GRADES[-1])


def grounds(draft: Draft, findings: Iterable[StopFinding]) -> tuple[str, ...]:
    """What findings rest on, by the identifiers of its statements; see `statements_behind`."""
    return draft.rest_on(statements_behind(draft.wording, findings))


def statements_behind(
    wording: Wording, findings: Iterable[StopFinding]
) -> list[SupportedStatement]:
    """The statements that findings rest on, with those by which a drug is what they speak of."""
    found = list(findings)
    through = dict.fromkeys(identifier for finding in found for identifier in finding.through)
    supported = [finding.supported for finding in found]
    return [*supported, *wording.knowledge.store.statements(through)]


def condition_of(wording: Wording, finding: StopFinding) -> str:
    """What a finding names, in words: the condition, the other drug, or the allergen."""
    statement = finding.supported.statement
    if not _names_it(finding):
        return wording.name(finding.about)
    if finding.topic == "drugs" and finding.holds:
        text = _partner(wording, finding)
    elif finding.topic == "drugs" and statement.object == finding.about:
        text = wording.condition(statement, other=statement.subject)
    else:
        text = wording.condition(statement)
    if not _is_of_kin(finding):
        return text
    kin = wording.name(finding.about)
    return wording.say("stop_reason.of_kin", condition=text, kin=kin)


def _is_of_kin(finding: StopFinding) -> bool:
    """Whether it is about another of the drug's class, of which alone it is recorded."""
    return bool(finding.kin) and finding.kin not in {e for f in finding.facts for e in f.entities}


def _partner(wording: Wording, finding: StopFinding) -> str:
    """The other medicine by its own name, with what the statement calls it: its class, what it
    contains, or another of its class."""
    statement = finding.supported.statement
    other = str(statement.subject if statement.object == finding.about else statement.object)
    called = wording.condition(statement, other=other)
    own = finding.facts[0].entities[0]
    if other in wording.knowledge.same(own) or wording.name(own) == wording.name(other):
        return called
    is_class = wording.knowledge.entities.get(other).concept == "drug_class"
    form = "kin" if finding.kin == own else "one_of" if is_class else "holds"
    return wording.say(f"stop_reason.{form}", name=wording.name(own), other=called)


def _names_it(finding: StopFinding) -> bool:
    """Whether the statement names what meets: an allergy may rest on what a drug is alone."""
    statement = finding.supported.statement
    if finding.topic == "allergy" and statement.qualifier("allergy") is None:
        return False
    return statement.predicate in _OF_STATEMENTS


def by_the_pair(wording: Wording, findings: list[StopFinding]) -> list[StopFinding]:
    """Findings to be put in words: where one names the drug that is taken, none names its class."""

    def is_named(finding: StopFinding) -> bool:
        statement = finding.supported.statement
        return not {str(statement.subject), str(statement.object)}.isdisjoint(
            same
            for fact in finding.facts
            for entity in fact.entities
            for same in wording.knowledge.same(entity)
        )

    read = [(f, f.topic == "drugs" and f.holds and not is_named(f)) for f in findings]
    named = {
        fact.entities
        for finding, by_class in read
        if finding.topic == "drugs" and not by_class
        for fact in finding.facts
    }
    kept = list[StopFinding]()
    for finding, by_class in read:  # a medicine is named by one of its classes
        if not by_class or named.isdisjoint(fact.entities for fact in finding.facts):
            kept.append(finding)
            named.update(fact.entities for fact in finding.facts if by_class)
    return kept


def reason_of(wording: Wording, review: DrugReview, findings: list[StopFinding]) -> str:
    """The conditions of one kind in words, said once for the drug and once for each class."""
    kin = {f.about for f in findings if _is_of_kin(f)}
    parts: dict[tuple[str, str], list[str]] = {}
    named: set[tuple[str, str]] = set()
    for finding in sorted(
        by_the_pair(wording, findings), key=lambda f: f.about not in review.drug.entities
    ):
        key = finding.supported.statement.predicate if _names_it(finding) else "allergy"
        condition = condition_of(wording, finding)
        if (key, condition) not in named:  # what is said of the drug is not said of its class again
            named.add((key, condition))
            parts.setdefault((key, finding.about), []).append(condition)
    reasons = []
    for (key, about), conditions in parts.items():
        listed = wording.join(conditions, limit=len(conditions))
        reason = wording.say(f"stop_reason.{key}", condition=listed)
        if about not in {*review.drug.entities, *kin} and key != "allergy":
            name = wording.name(about)
            is_class = wording.knowledge.entities.get(about).concept == "drug_class"
            form = "through" if is_class else "within"
            reason = wording.say(f"stop_reason.{form}", reason=reason, **{"class": name})
        reasons.append(reason)
    return _joined(wording, reasons)


def _joined(wording: Wording, reasons: Iterable[str]) -> str:
    return str(wording.phrases["stop_reason"]["parts"]).join(reasons)


# What was taken of the person


def taken(wording: Wording, inferred: Inferred) -> list[Taken]:
    """The facts that the answer rests on: those that meet a drug, and all that was said of drugs,
    allergies, pregnancy and age."""
    facts = inferred.facts
    met = {f for r in inferred.reviews for finding in r.findings for f in finding.facts}
    allergens = any(fact.kind == "allergy" for fact in facts.held)
    taken_facts = [
        _fact_in_words(wording, fact)
        for fact in facts.held
        if (not allergens or fact.entities[0] != ALLERGY)
        and (fact in met or fact.kind in ("drug", "allergy", "past_drug") or fact.how == "earlier")
    ]
    by_text: dict[str, Taken] = {}
    for fact in (*taken_facts, *_person_in_words(wording, facts)):
        by_text.setdefault(fact.text, fact)
    return list(by_text.values())


_STATES = (
    "mw.condition:childbearing_potential",
    "mw.condition:planning_pregnancy",
    "mw.condition:driving_or_hazardous_work",
)
"""What nobody "has"."""


def _fact_in_words(wording: Wording, fact: Fact) -> Taken:
    if fact.kind == "condition" and fact.entities[0] in _STATES:
        state = fact.entities[0].partition(":")[2]
        return Taken(wording.say(f"taken.states.{state}"), fact.entities[0], fact.how)
    key = "past" if fact.past and fact.kind == "condition" else fact.kind
    text = wording.say(f"taken.{key}", name=wording.name(fact.entities[0]))
    if fact.words:
        text = wording.say("taken.told_by", fact=text, words=fact.words)
    return Taken(text, fact.entities[0], fact.how)


def _person_in_words(wording: Wording, facts: Facts) -> Iterator[Taken]:
    patient = facts.patient

    def said(field: str, text: str) -> Taken:
        return Taken(text, how="earlier" if field in facts.earlier_fields else "said")

    if patient.pregnant:
        low, high = patient.pregnancy_weeks, patient.pregnancy_weeks_max
        weeks = str(low) if low == high or high is None else f"{low}–{high}"
        key = "taken.pregnant" if low is None else "taken.pregnant_weeks"
        yield said("pregnant", wording.say(key, n=weeks))
    elif PREGNANCY in facts.entities("condition"):
        yield Taken(wording.say("taken.pregnant"), PREGNANCY, how="supposed")
    if patient.breastfeeding:
        yield said("breastfeeding", wording.say("taken.breastfeeding"))
    if patient.age_days is not None and patient.age_days == patient.age_max_days:
        age = wording.age(patient.age_days)
        yield said("age_days", wording.say("taken.age", age=age))
    if patient.no_allergies:
        yield Taken(wording.say("taken.no_allergies"))


def _is_contraindicated(review: DrugReview) -> bool:
    """Of interactions, what is to be done says already that it must go on."""
    return any(f.hard and f.holds and f.topic != "drugs" for f in review.findings)


def _tell_what_goes_on(draft: Draft, inferred: Inferred, asked: set[str]) -> None:
    """Nobody is told to stop what they take, nor a medicine that must go on: a stop of it is for
    whoever prescribed it. What is drunk is no medicine."""
    told: dict[str, list[str]] = {
        "left_off": [],
        "before_the_next_dose": [],
        "paused_in_illness": [],
        "paused_in_illness_if_taken": [],
        "not_on_your_own": [],
        "not_on_your_own_if_taken": [],
    }
    for review in inferred.reviews:
        if key := _what_becomes_of(review, asked):
            told[key].append(draft.wording.name(review.drug.entity))
    for key, names in told.items():
        if names:
            draft.add_missing(key, drugs=draft.wording.join(names))


def _what_becomes_of(review: DrugReview, asked: set[str]) -> str:
    """What is said of going on with a medicine; "" where nothing need be said."""
    if review.drug.entity in BY_HABIT:
        return ""
    if review.taken and review.bought:
        return "left_off" if _is_contraindicated(review) else ""
    if any(f.hard and f.holds and f.topic == "allergy" for f in review.findings):
        return "before_the_next_dose" if review.taken else ""  # nobody bears it
    in_question = review.drug.entity in asked
    if review.rests_in_illness and (review.taken or in_question):
        return "paused_in_illness" if review.taken else "paused_in_illness_if_taken"
    meets = any(finding.holds for finding in review.findings)
    if review.taken and meets:
        return "not_on_your_own"
    must = review.must_go_on and in_question and _is_contraindicated(review)
    return "not_on_your_own_if_taken" if must or (review.perhaps_taken and meets) else ""
