"""The last gate: no medicine that somebody names and takes, or asks about, is passed over.

Whatever of these no part of an answer speaks of is held against the person by itself, and told:
what stops it or calls for care, or that nothing is recorded against it, which is no promise.
"""

from __future__ import annotations

from collections.abc import Iterator

from medweave.answering.draft import Draft
from medweave.answering.safety import tell_safety
from medweave.contributors.contributor import QuestionState
from medweave.contributors.named_drugs import reviews_of
from medweave.model.inferred import DrugReview, Inferred
from medweave.model.material import Focus, Material
from medweave.model.question import BY_HABIT, Mention, Question

_WEIGHED = frozenset({"contraindication", "interaction", "drug", "treatment"})
"""Intents that ask what somebody may take: what they take already bears on it."""
_NOT_HELD = ("allergy", "past", "denied")
"""Roles of medicines that nobody takes or is to take."""


def tell_the_rest(draft: Draft, asked: QuestionState) -> None:
    """A verdict for every medicine named that the answer in the making does not speak of."""
    question = asked.question
    if question.helps_first or question.in_crisis or asked.graph is not None:
        return
    left = [Focus(mention.entities) for mention in _unsaid(draft, question)]
    facts = asked.inferred.facts
    reviews = list(reviews_of(left, facts, asked.knowledge)) if left else []
    hushed = [f for f in _without_a_stop(draft, question) if f not in left]
    reviews += filter(_is_stopped, reviews_of(hushed, facts, asked.knowledge) if hushed else ())
    told = tuple(review for review in reviews if _is_told(review))
    if told:
        tell_safety(draft, Material(), Inferred(reviews=told, facts=facts))
        draft.taken[:] = dict.fromkeys(draft.taken)
    by_verdict: dict[str, list[str]] = {}
    for review in reviews:
        if review not in told:
            name = draft.wording.name(review.drug.entity)
            by_verdict.setdefault(_verdict(review), []).append(name)
    for verdict, names in by_verdict.items():
        listed = draft.wording.join(names, limit=len(names))
        draft.add_missing(verdict, drugs=listed, drug=listed)


def _without_a_stop(draft: Draft, question: Question) -> list[Focus]:
    """The medicines that count of the person and have neither a stop nor a place in a list: a line
    that names one beside others says nothing of what stops it."""
    told = {stop.entity.id for stop in draft.stops}
    told |= {d.entity.id for some in draft.drugs for g in some.groups for d in g.drugs}
    told |= {row.entity.id for row in draft.rows}
    counted = {m.entity: m for m in question.of_concept("drug") if _counts(m)}
    return [Focus(m.entities) for m in counted.values() if told.isdisjoint(m.entities)]


def _is_stopped(review: DrugReview) -> bool:
    """Whether what the person has or is excludes a medicine."""
    return any(f.holds and f.hard and f.topic != "drugs" for f in review.findings)


def _is_told(review: DrugReview) -> bool:
    """Whether a stop tells it. What it does with other medicines was told where it counts: of two
    of which one replaces the other it does not."""
    return any(f.holds and f.topic != "drugs" for f in review.findings)


def _verdict(review: DrugReview) -> str:
    if review.taken and any(f.holds for f in review.findings):
        return "taken_with_care"
    if any(f.topic != "drugs" for f in review.findings):
        return "hangs_on_more"
    return "not_stopped" if review.has_data else "no_contraindications"


def _unsaid(draft: Draft, question: Question) -> Iterator[Mention]:
    """The medicines that count of the person and stand nowhere in the answer, each once; where one
    alone is named, what is said at all is of it."""
    drugs = question.of_concept("drug")
    told = draft.sentences or draft.missing or draft.direct
    if not _is_weighed(draft, question) or (told and len({m.entity for m in drugs}) == 1):
        return
    said = "\n".join(_texts(draft)).lower()
    for entity, mention in {m.entity: m for m in drugs if _counts(m)}.items():
        names = (draft.wording.name(entity), mention.text)
        if not any(name.lower() in said for name in names):
            yield mention


def _counts(mention: Mention) -> bool:
    """Whether somebody takes it, or may."""
    of_person = mention.experiencer == "patient" and mention.status != "absent"
    goes = mention.role in _NOT_HELD or mention.gives_way_to
    return of_person and not goes and mention.entity not in BY_HABIT


def _is_weighed(draft: Draft, question: Question) -> bool:
    """Whether it is asked what may be taken, or answered as though it were."""
    asked = not question.labels.isdisjoint(_WEIGHED)
    return asked or bool(draft.stops or draft.drugs)


def _texts(draft: Draft) -> Iterator[str]:
    """All that an answer says of medicines; not what it took of the person, nor the cautions of
    what is excluded, which are folded."""
    wording = draft.wording
    yield from (s.text for s in draft.sentences if s.intent != "stop")  # the stops say these
    yield from (*draft.missing, *draft.direct)
    applying = [stop for stop in draft.stops if stop.status == "applies"]
    excluded = {stop.entity.id for stop in applying if stop.hard}
    for stop in applying:
        if stop.hard or stop.entity.id not in excluded:
            yield from (wording.name(stop.entity.id), stop.reason, stop.action)
    for listed in draft.drugs:
        yield from (d.entity.name(wording.language) for g in listed.groups for d in g.drugs)
        yield from (d.reason for g in listed.groups for d in g.drugs)
    yield from (row.entity.name(wording.language) for row in draft.rows)
