"""Complaints that came with a medicine: which of it may bring them on, or whether it does.

Nothing else is asked in these questions, and seldom in words that name a property: "muscle aches
since starting a statin", "she takes amlodipine and her ankles are swollen. The tablet?".
"""

from __future__ import annotations

from dataclasses import replace

from medweave.model.question import (
    BY_HABIT,
    FINDINGS,
    NOT_NOW,
    SUBSTANCES,
    Form,
    Intent,
    Mention,
    Question,
)
from medweave.retrieval.drugs.list_wording import says
from medweave.vocabulary.knowledge import Knowledge

_EFFECT = "side_effect"
_VOMITING = "mw.condition:vomiting"
_BLAMING = {_EFFECT, "cause"}
_LOOSE = _BLAMING | {"contraindication", "description", "diagnosis"}
"""What words of blame seem to ask for, too: "could it be the tablets"."""


def blaming(question: Question, knowledge: Knowledge) -> Question | None:
    """The question where something that somebody has is laid to what they take; None where it is
    not."""
    return _blaming_a_class(question) or _blaming_drugs(question, knowledge)


def _blaming_a_class(question: Question) -> Question | None:
    """Which drugs of a class bring on what came with it: "muscle aches since starting a statin"."""
    classes = [m for m in question.of_concept("drug_class") if m.status != "absent"]
    asks_for_more = not question.worded <= {_EFFECT, "cause"}
    if asks_for_more or _medicines(question) != classes or len(classes) != 1:
        return None
    if not (_complaints(question) and says(question, "came_with")):
        return None
    [own] = classes
    mentions = tuple(replace(m, role="asked") if m is own else m for m in question.mentions)
    drugs = tuple(drug for drug in question.patient.drugs if drug not in own.entities)
    return replace(
        question,
        mentions=mentions,
        patient=replace(question.patient, drugs=drugs),
        intents=(Intent("side_effect_of"),),
        form=Form(),
    )


def _blaming_drugs(question: Question, knowledge: Knowledge) -> Question | None:
    """Whether each complaint is a side effect of each drug that is taken: "I'm on ramipril and
    cough. Is it the drug?". Who asks what its side effects are wants all of them."""
    if _lost_a_dose(question):
        return replace(question, intents=(Intent("dose"),), form=Form())
    asks = _asks_of_effects(question)
    if not (asks or _suspects(question)):
        return None
    came = says(question, "came_with")
    drugs = _drugs(question)
    if not asks:  # what is only asked about has brought on nothing
        drugs = [m for m in drugs if m.role == "taken"] or drugs[: len(drugs) == 1]
    effects = _effects(drugs, knowledge)
    told = _complaints(question)
    complaints = [
        _as_recorded(mention, effects, knowledge)
        for mention in [m for m in told if m.entity in question.effects] or told
        if not _is_treated(mention, drugs, knowledge)
    ]
    recorded = [m for m in complaints if not _kinds(m, knowledge).isdisjoint(effects)]
    if not asks or _labels(question) == {"cause"}:
        complaints = recorded  # of what is no effect of it, something else is wanted
    else:
        complaints = [m for m in complaints if m.status == "present" or came or m in recorded]
    if not (complaints and drugs):
        return None
    form = Form("yes_no", relation=_EFFECT, first=tuple(complaints), second=_once(drugs))
    own = [] if any(m.role == "taken" for m in drugs) else drugs  # beside it the others are not
    mentions = tuple(replace(m, role="taken") if m in own else m for m in question.mentions)
    return replace(question, mentions=mentions, intents=(), form=form)


def _lost_a_dose(question: Question) -> bool:
    """Whether what was taken was vomited: how it is taken says whether to take it again."""
    complaints = {mention.entity for mention in _complaints(question)}
    drugs = _drugs(question)
    return complaints == {_VOMITING} and len(drugs) == 1 and says(question, "lost_dose")


def _asks_of_effects(question: Question) -> bool:
    """Whether side effects are asked for, and no list of them."""
    plain = question.form.kind == "plain" or bool(question.form.unnamed)
    labels = _labels(question)
    return plain and bool(labels) and labels <= _BLAMING and not says(question, "all_effects")


def _suspects(question: Question) -> bool:
    """Whether a complaint is told as due to a medicine, in words that name nothing else."""
    plain = question.form.kind == "plain" and question.worded <= _LOOSE
    return plain and (says(question, "came_with") or says(question, "blames"))


def _labels(question: Question) -> frozenset[str]:
    """What is asked for; one medicine interacts with nothing."""
    alone = len({m.entity for m in _medicines(question)}) == 1
    return question.labels - ({"interaction"} if alone else set())


def _once(mentions: list[Mention]) -> tuple[Mention, ...]:
    return tuple({m.entity: m for m in mentions}.values())


def _effects(drugs: list[Mention], knowledge: Knowledge) -> set[str]:
    return {
        found.statement.object_entity
        for mention in drugs
        for drug in mention.entities
        for found in knowledge.store.match(drug, "has_side_effect")
        if found.affirmed and found.statement.object_entity
    }


def _is_treated(mention: Mention, drugs: list[Mention], knowledge: Knowledge) -> bool:
    """Whether one of the drugs is taken for it."""
    match = knowledge.store.match
    pairs = [(drug, one) for d in drugs for drug in d.entities for one in mention.entities]
    return any(match(drug, "used_for", one, limit=1) for drug, one in pairs)


def _as_recorded(mention: Mention, effects: set[str], knowledge: Knowledge) -> Mention:
    """A complaint, or the wider one that is recorded where it is not: a cough for a dry cough."""
    terms = knowledge.lexicon.terms
    wider = terms[mention.entity].classes if mention.entity in terms else ()
    recorded = [one for one in wider if one in effects]
    itself = not _kinds(mention, knowledge).isdisjoint(effects)
    return replace(mention, entity=recorded[0]) if recorded and not itself else mention


def _kinds(mention: Mention, knowledge: Knowledge) -> frozenset[str]:
    return knowledge.lexicon.narrower([mention.entity]) | {mention.entity}


def _complaints(question: Question) -> list[Mention]:
    return [m for m in question.of_concept(*FINDINGS) if m.status != "absent"]


def _drugs(question: Question) -> list[Mention]:
    """The drugs by name that are taken, or may be."""
    return [m for m in _medicines(question) if m.role not in NOT_NOW and m.concept == "drug"]


def _medicines(question: Question) -> list[Mention]:
    return [m for m in question.of_concept(*SUBSTANCES) if m.entity not in BY_HABIT]
