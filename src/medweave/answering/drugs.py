"""Answers about drugs with the person in view: what stops them, what must be asked first."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from itertools import combinations, permutations

from medweave.answering.draft import Draft
from medweave.answering.judged import say_what_is_not_stopped
from medweave.answering.of_the_class import say_of_the_class
from medweave.answering.pairs import Pair, interacting, said_of
from medweave.answering.safety import actions, condition_of, grade_of, statements_behind
from medweave.answering.shared_ingredients import say_what_adds_up
from medweave.answering.side_effects import say_effect
from medweave.answering.wording import MAX_LISTED
from medweave.language.people import GROWN_UP_DAYS
from medweave.model.facts import NO_FACTS
from medweave.model.inferred import DrugReview, Inferred, StopFinding
from medweave.model.material import Looked, Material
from medweave.model.question import ALLERGY, BY_HABIT, SUBSTANCES, Mention, Patient, Question
from medweave.model.statement import SupportedStatement

_BRIEFLY = 3
"""So many conditions are named of a drug of which nothing meets the person, and of cautions."""
_SOME = 6
"""So many contraindications are named where they are to be asked about; the stops hold all."""
_A_PAIR, _PAIR = 2, "pair"
_EACH = 4
"""Of so many drugs each is told of by itself; of a class with more members, what meets."""
_REASONS = ("contraindicated_in", "caution_in", "interacts_with")


def say_drugs(draft: Draft, question: Question, material: Material, inferred: Inferred) -> None:
    """Answer for the drugs that the question asks about.

    Drugs that are compared are answered for side by side, elsewhere.
    """
    labels = {i.label for i in question.intents if i.sure or not material.claimed}
    asked = {focus.entity for focus in material.question_drugs}
    compared = {looked.focus.entity for looked in material.compared}
    spoken_of = [
        review
        for review in inferred.reviews
        if review.drug.entity in asked and review.drug.entity not in compared
    ]
    spoken_of = _once_for_each_drink(spoken_of)
    if question.judges:  # what is stopped already need not hang on anything else
        spoken_of = [r for r in spoken_of if not any(f.hard and f.holds for f in r.findings)]
    met = [review for review in spoken_of if say_held(draft, review)]
    if question.judges and inferred.facts != NO_FACTS:
        say_what_is_not_stopped(draft, spoken_of)
        _say_silence(draft, inferred, asked)
        return
    listed = [item.focus.entity for item in inferred.looked if item.predicate == "in_class"]
    weighs = bool({"interaction", "contraindication"} & labels) and not compared
    adds_up = weighs and say_what_adds_up(draft, question, inferred)
    paired = "contraindication" in labels and _is_paired(material, inferred)
    asked_together = "interaction" in labels or paired or question.asked.surely(_PAIR)
    if not adds_up and (asked_together or (listed and inferred.facts.of("drug"))):
        _say_no_interaction(draft, question, material, inferred, listed)
    bound = {entity for _, entity in question.bound}
    weighed = [r for r in spoken_of if not bound or bound.intersection(r.drug.entities)]
    for review in weighed if len(weighed) <= _EACH else ():
        drug = review.drug.entity
        if "contraindication" in labels:
            with draft.topic("contraindication", drug):
                say_purposes(draft, question, review)
                if not met:
                    somebody = inferred.facts != NO_FACTS
                    brief = paired or bool(inferred.facts.of_others)
                    say_open(draft, review, about_somebody=somebody, brief=brief)
        elif "interaction" in labels and wants_all_interactions(question):
            with draft.topic("interaction", drug):
                _say_interactions(draft, review)
        elif "interaction" in labels and not met:  # nothing of the two: what each has of its own
            with draft.topic("contraindication", drug):
                say_open(draft, review, about_somebody=True, brief=True)
    classified = question.form.relation in ("class", "kind")
    if labels and not classified and not question.aside:
        _say_silence(draft, inferred, asked.intersection(_as_named([*asked], question)))
    for item in inferred.looked:
        if item.predicate == "in_class" and item.from_object:
            _say_no_use_of_any(draft, question, item, inferred)


def _once_for_each_drink(reviews: list[DrugReview]) -> list[DrugReview]:
    """The reviews; what is told of a drink with a medicine is not told again of the medicine."""
    habits = {e for r in reviews for e in r.drug.entities if e in BY_HABIT}

    def is_told(finding: StopFinding) -> bool:
        met = (entity for fact in finding.facts for entity in fact.entities)
        return finding.topic == "drugs" and not habits.isdisjoint(met)

    return [
        replace(r, findings=tuple(f for f in r.findings if not is_told(f)))
        if habits and habits.isdisjoint(r.drug.entities)
        else r
        for r in reviews
    ]


def _is_paired(material: Material, inferred: Inferred) -> bool:
    """Whether one medicine is asked about beside few that are taken: of the two together."""
    taken = [fact for fact in inferred.facts.of("drug") if fact.entities[0] not in BY_HABIT]
    return len(material.question_drugs) == 1 and 0 < len(taken) <= _BRIEFLY


def wants_all_interactions(question: Question) -> bool:
    """Whether no other substance is named with which it is asked about."""
    named = {m.entity for m in question.of_concept(*SUBSTANCES)}
    return question.form.relation != "interaction" and len(named) == 1


def _say_no_use_of_any(
    draft: Draft, question: Question, listed: Looked, inferred: Inferred
) -> None:
    """A condition that members of a class are asked for, and none of them is recorded for; not
    where a list for another condition that is named is what was asked for."""
    named = {entity for mention in question.mentions for entity in mention.entities}
    if any(i.of_class and i.statements and i.focus.entity in named for i in inferred.looked):
        return
    match, wording = draft.wording.knowledge.store.match, draft.wording
    against = {e for r in inferred.reviews for f in r.findings for g in f.facts for e in g.entities}
    against |= {i.focus.entity for i in inferred.looked if i.predicate == "has_side_effect"}
    against |= {i.focus.entity for i in inferred.looked if i.of_class and i.statements}
    for mention in question.of_concept("disease", "symptom"):
        uses = (
            match(supported.statement.subject, "used_for", entity, limit=1)
            for supported in listed.statements
            for entity in mention.entities
        )
        wanted = mention.status not in ("absent", "hypothetical")
        if wanted and against.isdisjoint(mention.entities) and not any(uses):
            drug, disease = wording.name(listed.focus.entity), wording.name(mention.entity)
            draft.add_missing("no_use", drug=drug, disease=disease)


def say_what_to_look_out_for(draft: Draft, inferred: Inferred) -> None:
    """Of each drug that somebody only says they take, briefly what is to be avoided with it."""
    for review in [r for r in inferred.reviews if r.taken][:_BRIEFLY]:
        with draft.topic("interaction", review.drug.entity):
            _say_interactions(draft, review, limit=_SOME, hard_alone=True)


def _say_interactions(
    draft: Draft, review: DrugReview, *, limit: int = MAX_LISTED, hard_alone: bool = False
) -> None:
    """What is recorded of its interactions, those apart that are to be avoided, and how many.

    `hard_alone`: the others only where none is to be avoided.
    """
    wording, drug = draft.wording, draft.wording.name(review.drug.entity)
    found = [f for f in review.findings if f.topic == "drugs"]
    hard, others = ([f for f in found if f.hard is which] for which in (True, False))
    for key, some in (("interacts_hard", hard), ("interacts_with", others)):
        names = list(dict.fromkeys(condition_of(wording, f) for f in some))
        if names and not (hard_alone and some is others and hard):
            listed = wording.join(names, limit=limit)
            slots = {"subject": drug, "n": len(names), "list": listed}
            draft.add_sentence(wording.say(f"asks.{key}", **slots), [f.supported for f in some])


def _say_no_interaction(
    draft: Draft, question: Question, material: Material, inferred: Inferred, listed: list[str]
) -> None:
    """Asked about together, and nothing recorded: said, because silence is not safety."""
    findings = (f for review in inferred.reviews for f in review.findings)
    together = any(f.topic == "drugs" and (f.holds or f.touched) for f in findings)
    drugs = [focus.entity for focus in material.question_drugs]
    drugs += [m.entity for m in (*question.form.first, *question.form.second)]
    drugs += [*listed, *inferred.facts.entities("drug")]
    if question.asked.surely(_PAIR):
        drugs += [m.entity for m in question.of_concept("drug") if m.role != "past"]
    drugs = list(dict.fromkeys(_as_named(drugs, question)))
    names = list(dict.fromkeys(draft.wording.name(drug) for drug in drugs))
    match = draft.wording.knowledge.store.match
    compared = {looked.focus.entity for looked in material.compared}  # told side by side, elsewhere
    together |= any(match(a, "interacts_with", b, limit=1) for a in compared for b in compared)
    if len(names) == 1 and question.not_understood and question.of_concept("drug_class"):
        draft.add_missing("which_of_class", **{"class": names[0]})
    stopped = any(stop.status == "applies" and stop.hard for stop in draft.stops)
    if not (together or stopped) and _say_that_they_do_not_interact(draft, drugs):
        return
    if len(names) > 1 and not together:
        known = interacting(drugs, draft.wording.knowledge)
        of_kin = say_of_the_class(draft, drugs, known)  # stands first, and says that no more is
        if not of_kin or len(names) > _A_PAIR:
            add = draft.add_missing if of_kin else draft.add_direct
            for some in _without_interactions(drugs, known):
                some_names = dict.fromkeys(map(draft.wording.name, some))
                add("no_interaction", drugs=draft.wording.join(list(some_names)))


def _without_interactions(drugs: list[str], known: Collection[Pair]) -> list[list[str]]:
    """Drugs between which nothing is recorded: all of them, or, where some of them interact, the
    first with each of the others that it does not interact with."""
    if not known:
        return [drugs]
    first, *others = drugs
    return [[first, other] for other in others if {first, other} not in known]


def _say_that_they_do_not_interact(draft: Draft, drugs: list[str]) -> bool:
    """Says of which of them it is recorded that they do not interact, and how they are taken; and
    whether so of all."""
    wording = draft.wording
    between = (
        (first, second, supported)
        for first, second in permutations(drugs, _A_PAIR)
        for supported in said_of(first, second, wording.knowledge)
    )
    told = [(a, b, found) for a, b, found in between if found.denied and not found.affirmed]
    for first, second, found in told:
        qualifiers = dict(found.statement.qualifiers)
        how = qualifiers.get(f"action_{wording.language}") or qualifiers.get("action", "")
        key = "not_interacting_but" if how else "not_interacting"
        slots = {"first": wording.name(first), "second": wording.name(second), "how": how}
        draft.add_sentence(wording.say(key, **slots), [found])
    names = dict.fromkeys(map(wording.name, drugs))
    pairs = set(map(frozenset, combinations(names, _A_PAIR)))
    return {frozenset((wording.name(a), wording.name(b))) for a, b, _ in told} >= pairs > set()


def _as_named(drugs: list[str], question: Question) -> list[str]:
    """The drugs, with a class in place of the members that it was opened into: a class is not
    weighed against itself."""
    classes = question.of_concept("drug_class")
    named = {e for m in question.of_concept(*SUBSTANCES) for e in m.entities}
    if not classes:
        return drugs
    own = [drug for drug in drugs if drug in named]
    opened = [m.entity for m in classes] if len(own) < len(drugs) else []
    return list(dict.fromkeys((*own, *opened)))


def _say_silence(draft: Draft, inferred: Inferred, asked: set[str]) -> None:
    """A base that names no contraindication of a drug says so: silence is not safety.

    Of drugs that are only listed, the lists say it.
    """
    silent = [
        draft.wording.name(review.drug.entity)
        for review in inferred.reviews
        if not review.has_data
        and review.drug.entity in asked
        and review.drug.entity not in BY_HABIT
    ]
    if silent:
        draft.add_missing(
            "no_contraindications", drug=draft.wording.join(silent, limit=len(silent))
        )


def say_open(
    draft: Draft, review: DrugReview, *, about_somebody: bool, brief: bool = False
) -> None:
    """Where nothing meets: what is recorded against the drug.

    Of somebody only the first few are named, and an allergy where nothing else is: it is asked
    about in any case. `brief` leaves cautions to what is to be found out, too.
    """
    others = [f for f in review.findings if not (f.holds or f.touched or f.topic == "drugs")]
    hard, cautions = ([f for f in others if f.hard is which] for which in (True, False))
    if about_somebody:
        hard = [f for f in hard if f.topic != "allergy"] or hard
        _say_findings(draft, "stop_depends", review, hard, limit=_BRIEFLY if brief else _SOME)
    else:
        _say_findings(draft, "asks.contraindicated_in", review, hard)
    if not brief:
        limit = _BRIEFLY if about_somebody else MAX_LISTED
        _say_findings(draft, "caution_depends", review, cautions, limit=limit)


_DEPENDS = {
    "stop": "interaction_depends_stop",
    "avoid": "interaction_depends_avoid",
    "care": "interaction_depends",
}
"""What is said of a drug where only the class of another is known: by level, the gravest first."""


def say_held(draft: Draft, review: DrugReview) -> bool:
    """What applies to the person, or hangs on a detail of what was said; whether there is any."""
    findings = review.findings
    held = [f for f in findings if f.holds and not f.kin]
    stated = [f for f in held if f.supported.statement.predicate == "contraindicated_in"]
    touched = [f for f in findings if f.holds is None and f.touched and _is_stated(f)]
    with draft.topic("stop", review.drug.entity):
        _say_findings(draft, "stop_applies", review, stated)
        _say_inherited_allergy(draft, review)
        interacting = [f for f in held if f.topic == "drugs"]
        _say_findings(draft, "stop_interaction", review, interacting)
        _say_actions(draft, review, interacting)
        cautions = [f for f in held if f.supported.statement.predicate == "caution_in"]
        _say_findings(draft, "stop_caution", review, cautions)
        _say_findings(draft, "stop_by_kin", review, [f for f in findings if f.kin])
        over = [f for f in touched if f.topic == "drugs" and _was_taken(f)]
        _say_findings(draft, "interaction_past", review, over)
        of_drugs = [f for f in touched if f.topic == "drugs" and f not in over]
        for level, key in _DEPENDS.items():
            graded = [f for f in of_drugs if f.level == level]
            _say_findings(draft, key, review, graded)
        of_person = [f for f in touched if f.topic != "drugs"]
        _say_findings(draft, "stop_depends", review, [f for f in of_person if f.hard])
        _say_findings(draft, "caution_depends", review, [f for f in of_person if not f.hard])
    return any(f.holds or f.touched for f in findings)


def say_what_hangs_on_age(draft: Draft, reviews: Iterable[DrugReview]) -> None:
    """What is contraindicated at some ages of a child whose age was not said."""
    for review in reviews:
        young = [f for f in review.findings if f.topic == "age" and f.hard and f.touched]
        with draft.topic("stop", review.drug.entity):
            _say_findings(draft, "stop_depends", review, [f for f in young if f.holds is None])


def _was_taken(finding: StopFinding) -> bool:
    """Whether it hangs on what was taken once: it may act still."""
    return any(fact.kind == "past_drug" for fact in finding.facts)


def _is_stated(finding: StopFinding) -> bool:
    """Whether the base states the stop itself; an allergy may also be inherited from a class."""
    return finding.supported.statement.predicate in _REASONS


def _say_inherited_allergy(draft: Draft, review: DrugReview) -> None:
    """An allergy to a class or ingredient, said where the base says that the drug belongs to it."""
    wording = draft.wording
    for finding in review.findings:
        if (
            finding.topic == "allergy"
            and finding.holds
            and finding.through
            and (finding.supported.statement.predicate not in _REASONS)
        ):
            drug, allergen = wording.name(review.drug.entity), wording.name(finding.about)
            through = wording.knowledge.store.statements(finding.through)
            draft.add_sentence(wording.say("stop_allergy", drug=drug, allergen=allergen), through)


def _say_findings(
    draft: Draft,
    key: str,
    review: DrugReview,
    findings: list[StopFinding],
    *,
    limit: int = MAX_LISTED,
) -> None:
    if not findings:
        return
    wording = draft.wording
    drug = wording.name(review.drug.entity)
    said = wording.join([condition_of(wording, f) for f in findings], limit=limit)
    text = wording.say(key, drug=drug, subject=drug, conditions=said, list=said)
    draft.add_sentence(text, statements_behind(wording, findings))


def _say_actions(draft: Draft, review: DrugReview, findings: list[StopFinding]) -> None:
    """How grave the gravest interactions are, and what is to be done about each."""
    wording = draft.wording
    for action, finding in actions(wording, findings).items():
        text = wording.say(
            "interaction_action",
            drug=wording.name(review.drug.entity),
            other=condition_of(wording, finding),
            grade=wording.phrases["codes"][grade_of(finding)],
            action=action,
        )
        draft.add_sentence(text, [finding.supported])


def say_purposes(draft: Draft, question: Question, review: DrugReview) -> None:
    """Uses that concern this person: what they ask it for, and uses in pregnancy if pregnant."""
    store = draft.wording.knowledge.store
    uses = [
        supported
        for entity in review.drug.entities
        for predicate in ("used_for", "used_to_prevent")
        for supported in store.match(entity, predicate)
        if supported.affirmed
    ]
    if question.patient.pregnant:
        _say_use(draft, review, [s for s in uses if s.statement.qualifier("pregnancy")])
    if review.excluded:
        return
    named = {
        m.entity: m
        for m in question.of_concept("disease", "symptom")
        if m.experiencer == "patient"
        and m.status != "absent"
        and m.link.how != "value"  # nothing is wanted for an eGFR
        and m not in question.form.left_out
        and m.entity not in question.effects
    }
    if question.patient.allergies:
        named.pop(ALLERGY, None)
    for mention in named.values():
        _say_purpose(draft, review, mention, uses, alone=len(named) == 1)
    _say_nothing_against(draft, question.patient, review)


_KINDS = 4
"""So many kinds of a condition that a drug is recorded for are named."""


def _say_purpose(
    draft: Draft,
    review: DrugReview,
    mention: Mention,
    uses: list[SupportedStatement],
    *,
    alone: bool,
) -> None:
    """Whether a drug is recorded for a condition or for kinds of it, or as what brings it on.

    Where neither is, and nothing else is named, whether anything speaks against it.
    """
    wording = draft.wording
    kinds = wording.knowledge.lexicon.narrower(mention.entities)
    fitting = [s for s in uses if s.statement.object in mention.entities]
    of_kinds = [] if fitting else [s for s in uses if s.statement.object in kinds]
    brings_on = not fitting and say_effect(draft, review.drug.entities, mention)
    drug, disease = wording.name(review.drug.entity), wording.name(mention.entity)
    touched = any(f.topic == "condition" and (f.holds or f.facts) for f in review.findings)
    if fitting:
        text = wording.say("purpose_recorded", drug=drug, disease=disease)
        draft.add_sentence(text, fitting)
    if of_kinds:
        names = list(dict.fromkeys(wording.object_name(s.statement) for s in of_kinds))
        text = wording.say("purpose_recorded", drug=drug, disease=wording.join(names, limit=_KINDS))
        draft.add_sentence(text, of_kinds)
    if fitting or of_kinds or brings_on or not alone or review.drug.entity in BY_HABIT:
        return
    if touched or not review.has_data:
        draft.add_missing("no_use", drug=drug, disease=disease)
    else:
        draft.add_direct("no_use_and_nothing_against", drug=drug, disease=disease)


def _say_nothing_against(draft: Draft, patient: Patient, review: DrugReview) -> None:
    """What was said of the person and nothing recorded speaks of: silence is not safety."""
    if not review.has_data:
        return
    wording = draft.wording
    topics = {f.topic for f in review.findings if f.holds or f.touched}
    said = {
        "pregnancy": bool(patient.pregnant),
        "breastfeeding": bool(patient.breastfeeding),
        "age": patient.age_days is not None and patient.age_days < GROWN_UP_DAYS,
    }
    silent = [topic for topic, known in said.items() if known and topic not in topics]
    if silent:
        named = wording.join([wording.say(f"conditions.{topic}") for topic in silent])
        drug = wording.name(review.drug.entity)
        draft.add_direct("nothing_against", drug=drug, conditions=named)


def _say_use(draft: Draft, review: DrugReview, uses: list[SupportedStatement]) -> None:
    if not uses:
        return
    wording = draft.wording
    said = [wording.used(s.statement, wording.object_name(s.statement)) for s in uses]
    drug = wording.name(review.drug.entity)
    draft.add_sentence(wording.say("use_here", drug=drug, conditions=wording.join(said)), uses)
