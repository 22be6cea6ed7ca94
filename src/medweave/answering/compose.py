"""From everything found and inferred to an answer, each sentence of which rests on statements."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from medweave.answering.claims import say_claims
from medweave.answering.comparison import say_comparison
from medweave.answering.danger import say_danger
from medweave.answering.diagnosis import say_diagnosis
from medweave.answering.dose_depends import say_what_the_dose_depends_on
from medweave.answering.draft import Draft
from medweave.answering.drugs import (
    say_drugs,
    say_what_hangs_on_age,
    say_what_to_look_out_for,
    wants_all_interactions,
)
from medweave.answering.everyday import recorded_of, say_everyday
from medweave.answering.find_out import to_find_out
from medweave.answering.gate import supported_only
from medweave.answering.measured import say_measured
from medweave.answering.practical import Advice, is_answered, no_advice, say_practical
from medweave.answering.properties import say_properties
from medweave.answering.safety import tell_safety
from medweave.answering.side_effects import say_effects_of_what_is_taken, say_whether_it_passes
from medweave.answering.treatment_words import say_treatment_words
from medweave.answering.whom_to_ask import whom_to_ask
from medweave.language.data import rule_in_any
from medweave.language.people import GROWN_UP_DAYS
from medweave.model.answer import Answer, AnswerStatus
from medweave.model.cases import NO_CASES, Cases
from medweave.model.configuration import OUR_INTENTS
from medweave.model.inferred import Inferred
from medweave.model.material import OVERVIEW, OWN, Looked, Material
from medweave.model.question import BY_HABIT, EVERYDAY, FINDINGS, SUBSTANCES, Mention, Question
from medweave.model.statement import Evidence
from medweave.vocabulary.knowledge import Knowledge

if TYPE_CHECKING:  # most questions are no graphs
    from medweave.model.found_graph import FoundGraph

CANDIDATES = 5
"""How many candidates an answer lists unless asked for more."""

_USES = frozenset({"contraindication", "interaction", "drug", "treatment", "prevention", "dose"})
"""Intents whose answers somebody may act on by taking a drug."""
_FEW = 12
"""So many things that are recorded of a general name itself are told beside those of its kinds."""
_NEWBORNS = "mw.population:newborns"
_NEWBORN_DAYS = 28
_PLAIN = ("description", "urgent_care")
"""Intents that are answered in the words of sources, and offer nothing."""
Belief = Callable[[Iterable[Evidence]], float]
_BESIDE = ("outlook", "decide", "grade")
"""What is told beside what is asked."""
_SENTENCE_END = re.compile(r"[.?!;\n。？！；]")
_NOTHING_BESIDE = ("animal", "picture", "file", "ambulance", "service")
"""What is told alone: no records are read out beside it."""
_AFTER_A_BITE = "mw.substance:rabies_vaccine"
"""Who asks where it is had may have been bitten."""


def say_statements(
    draft: Draft,
    question: Question,
    material: Material,
    inferred: Inferred,
    *,
    cases: Cases = NO_CASES,
    candidates: int = CANDIDATES,
    graph: FoundGraph | None = None,
    parts: Sequence[tuple[Question, Material]] = (),
    advice: Advice = no_advice,
) -> None:
    """Stops, then what was asked. Where somebody thinks of suicide or violence, only what excludes
    the drugs they asked about; of an animal, that nothing is recorded of it; of a picture or a
    file, that it is not seen.

    Where help comes first, only what stops drugs, and what a thing is in the words of sources:
    nothing is listed. An alarm may be a false one, and a stop must not be lost for it.
    Where the question names past dialogues as its context, or there is nothing else, `cases` are
    all that is said besides what stops a drug. Where `graph` is the answer, nothing is said beside
    it and the lists of drugs that it found. `parts` are the questions of a text that asks several
    things, each with what was found of it. Where nothing answers, practical `advice` may.
    """
    if question.in_crisis:
        tell_safety(draft, material, _beside_crisis(question, inferred, material))
        return
    if question.helps_first:
        tell_safety(draft, material, _beside_danger(inferred, material))
        plain = tuple(item for item in inferred.looked if item.intent in _PLAIN and item.statements)
        say_properties(draft, question, plain, inferred)
        return
    if _says_no_more(draft, question):
        return
    if graph is not None and graph.takes_over:
        _say_graph(draft, question, inferred, material, graph)
        return
    if _only_tells_of_drugs(question):
        tell_safety(draft, material, inferred)
        say_what_to_look_out_for(draft, inferred)
        draft.add_missing("only_told")
        return
    if not cases.named or question.of_concept(*SUBSTANCES):
        asked = parts or ((question, material),)
        _say_of_drugs(
            draft, question, material, inferred, asked, only_cases=cases.only, advice=advice
        )
    if cases.only:
        if "dose" in question.labels:
            draft.add_missing("no_dose", whom=whom_to_ask(question))
        return
    if material.held_back:
        draft.add_direct("ruled_out_first")
        draft.unmet += 1
    _say_whether_same(draft, question)
    for part, found in parts or ((question, material),):
        _say_form(draft, part, found, inferred, advice, aside=bool(parts))
    if inferred.differential is not None:
        with draft.topic("diagnosis"):
            say_diagnosis(draft, question, inferred.differential, limit=candidates)
    if question.sure_labels or not question.of_concept(*SUBSTANCES):
        say_properties(draft, question, inferred.looked, inferred)
        _say_kinds(draft, question, material)
        _say_by_kind(draft, inferred)
        _say_that_it_is_of_kinds(draft, question, inferred)
    _say_that_each_may(draft, question, inferred)
    say_treatment_words(draft, question, material, inferred)
    _say_what_is_left(draft, question, material, inferred, advice)
    say_whether_it_passes(draft, question)


def _say_form(
    draft: Draft,
    question: Question,
    material: Material,
    inferred: Inferred,
    advice: Advice,
    *,
    aside: bool,
) -> None:
    """What is compared, how the ones differ in the words of a source first, and what is claimed; of
    a part of a text, too, what is asked `aside`."""
    if question.form.kind == "comparison":
        say_practical(draft, question, advice(beside=True))
    say_comparison(draft, question, material, inferred)
    say_claims(draft, question, material, inferred)
    if aside and question.aside and question.aside not in EVERYDAY:
        draft.add_missing(f"aside.{question.aside}")


def _say_that_each_may(draft: Draft, question: Question, inferred: Inferred) -> None:
    """That none of a class is left where one is wanted that does not bring something on."""
    of_class = [i for i in inferred.looked if i.intent == "side_effect_of" and i.of_class]
    unwanted = any(m.status == "absent" for m in question.of_concept(*FINDINGS))
    if of_class and unwanted and not draft.drugs:
        name = draft.wording.name(of_class[0].of_class)
        draft.add_missing("each_may", **{"class": name})


def _say_whether_same(draft: Draft, question: Question) -> None:
    """Whether two names are of one thing, where that is asked: "is Panadol acetaminophen?"."""
    if question.form.relation != "same":
        return
    [first], [second] = question.form.first[:1], question.form.second[:1]
    apart = set(first.entities).isdisjoint(second.entities)
    key = "two_things" if apart else "one_thing"
    name = draft.wording.name(first.entity)
    draft.add_direct(key, first=first.text, second=second.text, name=name)


def _say_graph(
    draft: Draft, question: Question, inferred: Inferred, material: Material, graph: FoundGraph
) -> None:
    """What stops a drug, then what was found in steps; drugs that it listed in their groups."""
    from medweave.answering.graph_steps import say_graph

    tell_safety(draft, material, inferred)
    say_graph(draft, graph, listed=bool(material.looked))
    say_properties(draft, question, inferred.looked, inferred)


def _only_tells_of_drugs(question: Question) -> bool:
    """Whether a text says what somebody takes, and names nothing else: no illness to treat: "I'm on
    apixaban"."""
    named = question.of_concept(*SUBSTANCES, *FINDINGS)
    taken = [
        m.concept in SUBSTANCES and m.role == "taken" and m.entity not in BY_HABIT for m in named
    ]
    besides = not all(taken) or question.danger or question.aside
    return question.only_tells and bool(taken) and not besides


def _say_kinds(draft: Draft, question: Question, material: Material) -> None:
    """The kinds of what was asked about, of which more is recorded than of the whole; what each is,
    where the kinds are what is asked for."""
    answered = {sentence.about for sentence in draft.sentences}
    asked = rule_in_any("asks", "answering", "kinds.yaml").search(question.text.lower())
    for entity, kinds in material.kinds.items():
        if asked and _say_what_each_is(draft, kinds):
            continue
        if answered.isdisjoint(kinds):
            names = [draft.wording.name(kind) for kind in kinds]
            subject, listed = draft.wording.name(entity), draft.wording.join(names)
            draft.add_missing("kinds", subject=subject, list=listed)


def _say_what_each_is(draft: Draft, kinds: Sequence[str]) -> bool:
    """What each kind is, in a sentence of its record; whether any has one."""
    wording, told = draft.wording, False
    for kind in kinds:
        described = wording.knowledge.store.match(kind, "described_as")
        spoken = [s for s in described if s.statement.language == wording.language]
        first = min(spoken, key=lambda s: s.place, default=None)
        if first is not None:
            with draft.topic("description", kind):
                draft.add_sentence(wording.object_name(first.statement), [first])
            told = True
    return told


def _say_by_kind(draft: Draft, inferred: Inferred) -> None:
    """That the kind decides, where drugs are listed for a thing and for a kind of it: iron is for
    one anemia."""
    listed = [i.focus for i in inferred.looked if i.predicate == "used_for" and i.from_object]
    held = [e for focus in listed for e in focus.entities]
    for focus in {focus.entity: focus for focus in listed}.values():
        narrower = draft.wording.knowledge.lexicon.narrower(focus.entities)
        kinds = [draft.wording.name(e) for e in dict.fromkeys(held) if e in narrower]
        if kinds:
            subject = draft.wording.name(focus.entity)
            draft.add_missing("by_kind", subject=subject, list=draft.wording.join(kinds))


def _say_that_it_is_of_kinds(draft: Draft, question: Question, inferred: Inferred) -> None:
    """That what is listed is recorded of kinds of what is named, and whether only of these."""
    knowledge = draft.wording.knowledge
    told = [item for item in inferred.looked if item.statements]
    for mention in question.of_concept("disease"):
        own = {same for entity in mention.entities for same in knowledge.same(entity)}
        below = knowledge.lexicon.narrower(own)
        of_kinds = [item for item in told if below.intersection(item.focus.entities)]
        asked = {item.predicate for item in of_kinds}
        alike = [item for item in told if item.predicate in asked]
        if not of_kinds or any(own.intersection(item.focus.entities) for item in alike):
            continue
        kinds = [draft.wording.name(e) for e in dict.fromkeys(i.focus.entity for i in of_kinds)]
        itself = dict.fromkeys(e for item in of_kinds for e in _recorded(item, own, knowledge))
        draft.add_missing(
            "rather_of_kinds" if itself else "of_kinds",
            subject=draft.wording.name(mention.entity),
            list=draft.wording.join(kinds),
            own=draft.wording.join([draft.wording.name(e) for e in itself]),
        )


def _recorded(item: Looked, things: Iterable[str], knowledge: Knowledge) -> Iterator[str]:
    """What of things themselves is recorded like what was looked up of a kind."""
    match = knowledge.store.match
    for thing in sorted(things):
        ends = (None, item.predicate, thing) if item.from_object else (thing, item.predicate, None)
        for supported in match(*ends, limit=_FEW):
            statement = supported.statement
            other = statement.subject if item.from_object else statement.object_entity
            if supported.affirmed and other:
                yield other


def _say_of_drugs(
    draft: Draft,
    question: Question,
    material: Material,
    inferred: Inferred,
    asked: Sequence[tuple[Question, Material]],
    *,
    only_cases: bool,
    advice: Advice,
) -> None:
    """What stops drugs, what is to be found out, how they are used, and the answer of those that
    were asked about.

    Who only names a drug is told what it is for before what speaks against it.
    """
    tell_safety(draft, material, inferred)
    for part, found in asked if not only_cases else ():
        say_everyday(draft, part, found, advice)
    if _is_about_use(question):
        guessed = [fact for fact, _ in inferred.guessed]
        draft.find_out += to_find_out(draft, inferred.reviews, guessed)
    stopped = any(stop.status == "applies" for stop in draft.stops)
    if not (only_cases or stopped or question.sure_labels):
        say_properties(draft, question, inferred.looked, inferred)
    if question.aside not in EVERYDAY or question.intents:
        say_drugs(draft, question, material, inferred)
    else:
        say_what_hangs_on_age(draft, inferred.reviews)
    say_effects_of_what_is_taken(draft, question, inferred)


def _is_about_use(question: Question) -> bool:
    """Whether somebody may take a drug after the answer: not where its price is asked, or all that
    it interacts with."""
    labels = question.labels
    if labels == {"interaction"} and wants_all_interactions(question):
        return False
    return bool(labels & _USES) or question.form.weighs_drugs


def _says_no_more(draft: Draft, question: Question) -> bool:
    """Whether nothing more is said: who is asked how they are is told nothing else, of an animal or
    a picture only that, and of a measured value what it is held against."""
    aside = question.aside in _NOTHING_BESIDE
    if aside:
        draft.add_missing(f"aside.{question.aside}")
        if any(m.entity == _AFTER_A_BITE for m in question.mentions):
            draft.add_missing("after_a_bite")
    named = bool(question.of_concept(*SUBSTANCES) or question.not_understood)
    named |= question.asks and bool(question.mentions)
    if not aside and (named or not _may_be_in_crisis(question)):
        return say_measured(draft, question)
    draft.unmet += 1
    return True


def _may_be_in_crisis(question: Question) -> bool:
    """Whether it is asked about a crisis that is less sure."""
    return any(sign.kind == "crisis" and sign.status == "ask" for sign in question.danger or ())


def _beside_crisis(question: Question, inferred: Inferred, material: Material) -> Inferred:
    """What excludes the drugs that were asked about, by what was told of the person; nothing where
    medicines stand in the sentence of the crisis: they may be what is meant to do harm."""
    asked = {focus.entity for focus in material.question_drugs}
    signs = (sign for sign in question.in_danger if sign.kind == "crisis")
    told = [question.text.find(word) for sign in signs for word in sign.words]
    if any(
        not _SENTENCE_END.search(question.text, *sorted((at, mention.start)))
        for mention in question.of_concept(*SUBSTANCES)
        for at in told
    ):
        return replace(inferred, reviews=())
    reviews = (
        replace(review, findings=tuple(f for f in review.findings if f.holds and f.hard))
        for review in inferred.reviews
        if review.drug.entity in asked
    )
    return replace(inferred, reviews=tuple(review for review in reviews if review.findings))


def _beside_danger(inferred: Inferred, material: Material) -> Inferred:
    """What was inferred of the drugs that were asked about, and of what is taken; of those that
    would be listed, only what speaks against them: they are not offered."""
    asked = {focus.entity for focus in material.question_drugs}
    reviews = (
        review if review.drug.entity in asked or review.taken else replace(review, findings=held)
        for review in inferred.reviews
        if (held := tuple(f for f in review.findings if f.holds)) or review.drug.entity in asked
    )
    return replace(inferred, reviews=tuple(reviews))


def _say_no_dose(draft: Draft, question: Question, *, depends: bool) -> None:
    """That no dose is given; where advice on taking was told, only to who asks for a dose. Where it
    was said what the dose depends on, only of a child."""
    age = question.patient.age_days
    if depends and (age is None or age >= GROWN_UP_DAYS):
        return
    advised = any(sentence.intent == "dose" for sentence in draft.sentences)
    if advised and "dose" not in question.worded:
        return
    untold = advised or draft.stopped or "dose" in question.worded
    newborn = "_newborn" if _of_a_newborn(question) else ""
    key = f"no_dose{newborn}" if untold else "no_taking"
    draft.add_missing(key, whom=whom_to_ask(question))
    draft.unmet += 1


def _say_what_was_not_compared(draft: Draft, question: Question) -> None:
    """What stands where a name was expected, and is none that the base knows."""
    if question.form.kind == "plain":
        for words in question.form.unnamed:
            draft.add_missing("not_compared", words=words)


def _say_what_is_left(
    draft: Draft, question: Question, material: Material, inferred: Inferred, advice: Advice
) -> None:
    """Where nothing answered, not what is said of a danger either: practical advice, or what was
    not understood or is not held."""
    if question.advised:
        return
    answered = is_answered(draft, question)
    said = say_practical(draft, question, advice(beside=answered))
    if answered or not said:
        _say_what_was_not_understood(draft, question, material, inferred)


def _say_what_was_not_understood(
    draft: Draft, question: Question, material: Material, inferred: Inferred
) -> None:
    if question.aside in _BESIDE or (question.aside and not question.sure_labels):
        if question.aside not in EVERYDAY:
            draft.add_missing(f"aside.{question.aside}")
        return
    _say_what_was_taken_by_its_ending(draft, question)
    if question.not_understood and inferred.reviews:
        draft.unmet += 1  # what is said of drugs is not said of what was not understood
    if question.only_tells and not (draft.sentences or draft.missing):
        draft.add_missing("only_told")
        return
    if not question.mentions and not draft.sentences:
        _say_nothing_recognised(draft, question, material)
    depends = say_what_the_dose_depends_on(draft, question, material, inferred)
    if "dose" in question.labels or ("dose" in question.worded and draft.drugs):
        _say_no_dose(draft, question, depends=depends)
    strange = [i.label for i in question.intents if i.label not in OUR_INTENTS]
    if strange:
        draft.add_missing("not_ours", list=draft.wording.join(strange))
        draft.unmet += 1
    _say_what_was_not_compared(draft, question)
    if question.form.kind == "what_else" and not question.intents and question.mentions:
        draft.add_missing("else_of")
        return
    stopped = any(stop.status == "applies" for stop in draft.stops)
    used = any(sentence.intent == "dose" for sentence in draft.sentences)
    if stopped and question.judges:
        return  # each has its verdict
    if not question.intents and (stopped or used or material.compared or material.claimed):
        return  # what stops a drug is the answer, and so is a comparison or a claim held against
    told = {item.intent for item in inferred.looked}
    if OWN in told:
        return
    draft.unmet += OVERVIEW in told  # all that is recorded, in place of what was asked
    is_empty = not draft.sentences and not draft.missing
    if question.mentions and (is_empty or not question.intents):
        _say_what_was_named(draft, question)


def _say_nothing_recognised(draft: Draft, question: Question, material: Material) -> None:
    """That nothing here tells of it, and who can; of a name that is not known, of that name."""
    if question.not_understood:
        _say_not_held(draft, question)
    elif not _says_not_held(draft, question):
        key = "no_dose" if "dose" in question.worded else "nothing_recognised"
        draft.add_missing(key, whom=whom_to_ask(question))
    if material.nearest_names:
        draft.add_missing("closest", list=draft.wording.join(material.nearest_names))


def _says_not_held(draft: Draft, question: Question) -> bool:
    """Says that what is surely asked is of a kind that bases do not hold, and who can tell it;
    whether it did."""
    label = question.asked.label
    if not question.asked.surely(*draft.wording.phrases["missing"]["not_held_of"]):
        return False
    draft.add_missing(f"not_held_of.{label}", whom=whom_to_ask(question))
    return True


def _say_what_was_named(draft: Draft, question: Question) -> None:
    """What can be asked of what was named; where that is only who somebody is, or a drink, beside a
    name that is not known, that this is not held."""
    if _says_not_held(draft, question):
        return
    things = [
        mention
        for mention in (*question.of_concept(*SUBSTANCES), *question.of_concept(*FINDINGS))
        if mention.entity not in BY_HABIT or not question.not_understood
    ]
    if question.not_understood and not things:
        _say_not_held(draft, question)
    else:
        _say_what_can_be_asked(draft, (*things, *question.mentions)[0])


def _say_not_held(draft: Draft, question: Question) -> None:
    """That what was named is not held here, and who can say more of it."""
    draft.add_missing("not_held_newborn" if _of_a_newborn(question) else "not_held")


def _of_a_newborn(question: Question) -> bool:
    patient = question.patient
    oldest = patient.age_days if patient.age_max_days is None else patient.age_max_days
    told = any(m.entity == _NEWBORNS for m in question.of_concept("population"))
    return told or (oldest is not None and oldest <= _NEWBORN_DAYS)


def _say_what_can_be_asked(draft: Draft, first: Mention) -> None:
    """That what is asked was not understood, and what is recorded of the thing that was named."""
    held = recorded_of(draft, first.entity) if first.concept in SUBSTANCES else []
    if held:
        draft.add_missing("no_intent_recorded", subject=first.name, list=draft.wording.join(held))
        return
    of_drug = "_of_drug" if first.concept in SUBSTANCES else ""
    draft.add_missing(f"no_intent{of_drug}", subject=first.name)


def _say_what_was_taken_by_its_ending(draft: Draft, question: Question) -> None:
    for mention in question.mentions:
        if mention.link.how == "stem":
            draft.add_missing(
                "by_stem", words=mention.text, **{"class": draft.wording.name(mention.entity)}
            )
            draft.unmet += 1


def _status(draft: Draft) -> AnswerStatus:
    if not draft.sentences:
        return "abstained"
    return "partial" if draft.unmet else "answered"


def finished(
    question: Question,
    draft: Draft,
    belief: Belief,
    *,
    candidates: int = CANDIDATES,
    emergency: str = "",
    crisis: str = "",
) -> Answer:
    """The answer with every statement, entity and document it names, danger before all else.

    `belief` weighs the evidence of a statement; `emergency` is said where a danger sign is present,
    `crisis` where somebody thinks of suicide or violence.
    """
    knowledge = draft.wording.knowledge
    for supported in list(draft.statements.values()):
        if supported.conflicting:
            draft.add_conflict(supported)
    if not supported_only(draft):
        draft.add_missing("unsupported")
    entities = {
        entity for supported in draft.statements.values() for entity in supported.statement.entities
    }
    entities |= {candidate.entity.id for candidate in draft.candidates}
    entities |= {row.entity.id for row in draft.rows}
    documents = {e.document for s in draft.statements.values() for e in s.evidence}
    answer = Answer(
        question=question,
        status=_status(draft),
        base=knowledge.store.version(),
        sentences=tuple(draft.sentences),
        candidates=tuple(draft.candidates[:candidates]),
        stops=tuple(draft.stops),
        taken=tuple(draft.taken),
        not_understood=question.not_understood,
        drugs=tuple(draft.drugs),
        weighing=draft.weighing,
        find_out=tuple(draft.find_out),
        comparison=tuple(draft.rows),
        conflicts=tuple(draft.conflicts),
        missing=tuple(draft.missing),
        direct=tuple(dict.fromkeys(draft.direct)),
        paths=tuple(draft.paths),
        statements=dict(draft.statements),
        beliefs={key: belief(found.evidence) for key, found in draft.statements.items()},
        entities=knowledge.entities.all(sorted(entities - draft.entities.keys())) | draft.entities,
        cases=tuple(draft.cases),
        passages=tuple(draft.passages),
        documents={
            document.id: document
            for document in knowledge.store.documents(documents - draft.documents.keys())
        }
        | draft.documents,
        assessment=draft.assessment,
    )
    return say_danger(answer, draft, emergency, crisis)
