"""What sources say in words of a condition's treatment, beside medicines and beside a diagnosis.

A list of medicines leaves out when a doctor is needed at once, and that fluids matter more than a
tablet against diarrhea; of two medicines it leaves out what one sentence says of both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from medweave.answering.draft import Draft
from medweave.language.data import rule_in
from medweave.language.people import GROWN_UP_DAYS
from medweave.model.inferred import FEW, Inferred
from medweave.model.material import Focus, Material
from medweave.model.question import Question
from medweave.model.statement import SupportedStatement
from medweave.model.weighing import Weighing

_MOST = 2
"""So many sentences are told beside a diagnosis, and of one medicine in the words of another."""
_COMMON = 10
"""A finding that so many diseases show says nothing in the name of one of them."""
_TOGETHER = 3
"""So many medicines of a list are a choice; a longer one is a list."""
_TO_TAKE = frozenset({"contraindication", "drug", "treatment", "dose"})
"""What is asked by who may take a medicine after the answer."""
_OF_TREATMENT = ("treatment_advice", "described_as")
"""Where a drug may be weighed in words."""
_FEW_USES = 2
"""What is for more than so many things is weighed in the treatment of too many."""


def say_treatment_words(
    draft: Draft, question: Question, material: Material, inferred: Inferred
) -> None:
    """When a doctor is needed at once for what fits, or for what somebody has and asks a medicine
    for; what matters more than a medicine that is stopped; what is said of those asked about."""
    if draft.weighing is not None:
        _say(draft, _urgent_of_what_fits(draft, draft.weighing, question, inferred), "diagnosis")
        return
    taken = question.patient.drugs
    drugs = _compared(question, material) or [*material.question_drugs]
    listed = _listed(inferred)
    eased = [
        entity
        for fact in inferred.facts.of("condition")
        for entity in fact.entities
        if not fact.past
        if (fact.how != "supposed" and entity in listed)
        or _is_for(draft, [drug for drug in drugs if drug.entity not in taken], entity)
    ]
    if eased and _may_be_taken(question, material):
        if draft.stopped:
            _say(draft, list(_first(draft, "lead", eased))[:1], "treatment")
        _say(draft, _urgent(draft, question, eased)[:1], "treatment")
    needed = _rules(draft.wording.language, "needed").search(question.text.lower())
    if material.claimed or needed:
        pairs = ((drug, condition) for condition in eased for drug in drugs)
        for drug, condition in pairs:
            _say(draft, _naming(draft, drug, condition), "treatment")
    _say(draft, _of_choice(draft, drugs or _few(inferred)), "treatment")


def _urgent_of_what_fits(
    draft: Draft, weighing: Weighing, question: Question, inferred: Inferred
) -> list[SupportedStatement]:
    """When a doctor is needed at once for what somebody has, and for the diseases for which as much
    speaks as for the first; of many that fit, only what speaks of the finding itself."""
    had, found = _had(inferred), inferred.differential
    alike = [] if found is None or weighing.clear else [r.entity for r in found.alike]
    if len(alike) <= FEW:
        shown = [len(disease.speaks_for) for disease in weighing.diseases]
        as_well = [d.entity.id for d in weighing.diseases if len(d.speaks_for) == shown[0]]
        # of more than a few each is unlikely, and the first stands for them
        return _urgent(draft, question, [*had, *as_well[: 1 if as_well[_MOST + 1 :] else None]])
    told = (p.entity.id for d in weighing.diseases for p in d.speaks_for)
    names = draft.wording.knowledge.entities.names_as_pattern(tuple(dict.fromkeys(told)))
    of_it = re.compile(names or "(?!)", re.IGNORECASE).search
    named = len(alike) < _COMMON  # "pain" in "low back pain" says nothing, "back pain" does
    of_many = [
        s
        for disease in alike
        for s in _urgent(draft, question, [disease])
        if of_it(s.statement.text) or (named and of_it(draft.wording.name(disease)))
    ]
    return [*_urgent(draft, question, had), *of_many[:1]]


def _urgent(
    draft: Draft, question: Question, conditions: Iterable[str]
) -> list[SupportedStatement]:
    """When a doctor is needed; of babies only where a child is ill."""
    oldest = question.patient.age_max_days
    of_child = oldest is not None and oldest < GROWN_UP_DAYS
    young = _rules(draft.wording.language, "young")
    return [
        s
        for s in _first(draft, "urgent", conditions)
        if of_child or not young.search(s.statement.text.lower())
    ]


def _may_be_taken(question: Question, material: Material) -> bool:
    """Whether a medicine is to be chosen or taken after the answer: not where it is asked whether
    something is recorded, or what else is."""
    labels = question.labels
    told_alone = material.claimed or question.form.left_out
    return bool(labels & _TO_TAKE or question.form.compares_drugs) and not told_alone


def _had(inferred: Inferred) -> list[str]:
    """What somebody has, or is supposed to: not what was."""
    conditions = inferred.facts.of("condition")
    return [entity for fact in conditions if not fact.past for entity in fact.entities]


def _compared(question: Question, material: Material) -> list[Focus]:
    return [item.focus for item in material.compared] if question.form.compares_drugs else []


def _listed(inferred: Inferred) -> set[str]:
    """What lists of medicines are for."""
    lists = (i for i in inferred.looked if i.predicate == "used_for" and i.from_object)
    return {entity for item in lists for entity in item.focus.entities}


def _few(inferred: Inferred) -> list[Focus]:
    """The medicines of a list for nothing that is named, if these are so few that a sentence may
    weigh them."""
    found = {
        s.statement.subject
        for item in inferred.looked
        if item.predicate == "in_class" and item.from_object
        for s in item.statements
    }
    return [Focus((drug,)) for drug in sorted(found)] if len(found) <= _TOGETHER else []


def _is_for(draft: Draft, drugs: Iterable[Focus], condition: str) -> bool:
    match = draft.wording.knowledge.store.match
    return any(match(e, "used_for", condition) for drug in drugs for e in drug.entities)


def _first(draft: Draft, kind: str, conditions: Iterable[str]) -> Iterator[SupportedStatement]:
    """Of each condition the first sentence of a kind, in the language of the question."""
    told, unless = (_rules(draft.wording.language, name) for name in (kind, "unless"))
    for condition in dict.fromkeys(conditions):
        fitting = (
            s
            for s in _advice(draft, condition, _OF_TREATMENT[0])
            if told.search(s.statement.text.lower()) and not unless.search(s.statement.text.lower())
        )
        yield from list(fitting)[:1]


def _of_choice(draft: Draft, drugs: Sequence[Focus]) -> Iterator[SupportedStatement]:
    """Of several medicines that are for one or two things alone, sentences on its treatment that
    name any of them: what is for much is weighed in too many."""
    knowledge = draft.wording.knowledge
    single = list({drug.entity: drug for drug in drugs}.values())
    match = knowledge.store.match
    uses = [{s.statement.object_entity for e in d.entities for s in match(e, "used_for")}
            for d in single]  # fmt: skip
    shared = sorted(filter(None, set.intersection(*uses))) if len(uses) > 1 else []
    for condition in shared if len(shared) <= _FEW_USES else ():
        for drug in single:
            yield from _naming(draft, drug, condition)


def _naming(draft: Draft, drug: Focus, condition: str) -> list[SupportedStatement]:
    """What is said of a condition, and of its treatment, that names a drug."""
    written = draft.wording.knowledge.entities.names_as_pattern(drug.entities)
    if not written:
        return []
    named = re.compile(written, re.IGNORECASE).search
    return [s for s in _advice(draft, condition, *_OF_TREATMENT) if named(s.statement.text)]


def _advice(draft: Draft, condition: str, *predicates: str) -> list[SupportedStatement]:
    knowledge = draft.wording.knowledge
    match, names = knowledge.store.match, knowledge.same(condition)
    return [s for p in predicates for name in names for s in match(name, p) if s.affirmed]


def _say(draft: Draft, found: Iterable[SupportedStatement], topic: str) -> None:
    """Sentences as they stand, in the language of the answer; none that names what is stopped."""
    language = draft.wording.language
    entity = draft.wording.knowledge.entities.get
    stopped = {name.lower() for drug in draft.stopped for name in entity(drug).all_names()}
    spoken = [s for s in found if s.statement.language == language]
    free = [s for s in spoken if not any(name in s.statement.text.lower() for name in stopped)]
    with draft.topic(topic):
        for supported in free[:_MOST]:
            draft.add_sentence(draft.wording.object_name(supported.statement), [supported])


def _rules(language: str, kind: str) -> re.Pattern[str]:
    return rule_in(language, kind, "answering", "treatment_words.yaml")
