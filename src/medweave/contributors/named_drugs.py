"""Drugs that a past case was given, or that a guideline names, held against the person.

They go through the one safety pass, and what meets is told as for any other drug.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from medweave.answering.compose import finished
from medweave.answering.draft import Draft
from medweave.answering.safety import tell_safety
from medweave.answering.wording import Wording
from medweave.inference.safety.facts import facts_of
from medweave.inference.safety.lineage import lineages_in
from medweave.inference.safety.review import Circumstance, concerned, review
from medweave.model.answer import Answer
from medweave.model.belief import belief
from medweave.model.facts import Facts
from medweave.model.inferred import DrugReview, Inferred
from medweave.model.material import Focus, Material
from medweave.model.question import SUBSTANCES, Question
from medweave.vocabulary.knowledge import Knowledge


def hold_against(
    named: Iterable[str],
    draft: Draft,
    facts: Facts,
    knowledge: Knowledge,
    *,
    local: Iterable[str] = (),
) -> None:
    """Tell what stops a drug that these texts name, for this person, or touches what was told.

    Of one that is only named in `local` (an ointment of the eye) allergies alone are told: what a
    record says of age, organs and other drugs is said of what is swallowed or injected.
    """
    told = {stop.entity.id for stop in draft.stops}
    drugs = [drug for drug in _drugs_in(named, knowledge) if told.isdisjoint(drug.entities)]
    held = [*reviews_of(drugs, facts, knowledge)]
    told |= {entity for drug in drugs for entity in drug.entities}
    put_on = [drug for drug in _drugs_in(local, knowledge) if told.isdisjoint(drug.entities)]
    for each in reviews_of(put_on, facts, knowledge):
        held.append(replace(each, findings=tuple(f for f in each.findings if f.topic == "allergy")))
    reviews = tuple(each for each in held if each.findings)
    if reviews:
        tell_safety(draft, Material(), Inferred(reviews=reviews, facts=facts))
        draft.taken[:] = dict.fromkeys(draft.taken)


def stops_of(
    named: Iterable[str],
    question: Question,
    knowledge: Knowledge,
    *,
    local: Iterable[str] = (),
) -> Answer | None:
    """The stops of the drugs that these texts name, as an answer; None where nothing meets."""
    draft = Draft(Wording(question.language, knowledge))
    hold_against(named, draft, facts_of(question), knowledge, local=local)
    return finished(replace(question, danger=()), draft, belief) if draft.stops else None


def _drugs_in(texts: Iterable[str], knowledge: Knowledge) -> list[Focus]:
    """Every drug that is named, once."""
    found: dict[str, Focus] = {}
    for text in dict.fromkeys(texts):
        for match in knowledge.dictionary.find(text):
            if match.named[0].concept in SUBSTANCES:
                drug = Focus(tuple(named.entity for named in match.named))
                found.setdefault(drug.entity, drug)
    return list(found.values())


def reviews_of(drugs: list[Focus], facts: Facts, knowledge: Knowledge) -> Iterable[DrugReview]:
    """What applies or was touched of each drug; of those nothing can stop, that this is so."""
    touched = concerned(drugs, facts, knowledge)
    circumstance = Circumstance(facts, lineages_in(knowledge))
    for drug in drugs:
        found = DrugReview(drug, (), has_data=False)
        if drug.entity in touched:
            found = review(drug, circumstance)
        met = (f for f in found.findings if f.holds or f.touched)
        yield replace(found, findings=tuple(met))
