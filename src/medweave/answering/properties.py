"""Answers that are looked up: one sentence for each property of each thing asked about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from medweave.answering.draft import Draft
from medweave.answering.drug_lists import list_drugs, standing_of
from medweave.answering.wording import MAX_LISTED
from medweave.model.answer import Candidate
from medweave.model.inferred import DrugReview, Inferred
from medweave.model.material import DRUG_LISTS, LISTS_OF_PAPERS, Looked
from medweave.model.question import Question
from medweave.model.statement import (
    TREATMENT_LINES,
    SupportedStatement,
    treatment_line,
)
from medweave.vocabulary.commonly_used import bought, place_in_use
from medweave.vocabulary.knowledge import Knowledge

_BY_DRUGS = ("contraindication", "interaction")
_BESIDE_DRUGS = ("drug", "diet")
_MAX_TEXTS = 6
_SOLD = 3
"""So many medicines that people buy begin a long list of what not to take."""
_MAX_THINGS = 6
"""Of so many members of a class one property is told; the rest are counted."""
_MAX_CLASSES = 5
"""Of so many classes in a list their other members are named."""
_EARLY = 40
"""So many characters into what a source lists, two or three effects are named."""
_STILL = {"except_purpose", "pregnancy"}
"""What may be said beside a drug that is forbidden as a rule."""
_WITH_OTHERS = ("before_tests_advice",)
"""What is told with another property, and asked for by none."""


def say_properties(
    draft: Draft, question: Question, looked: tuple[Looked, ...], inferred: Inferred
) -> None:
    """Say what was looked up, and what was not found.

    Contraindications and interactions are said with the person in view, elsewhere; how a drug is
    taken, not of one that is stopped.
    """
    reviews = {entity: review for review in inferred.reviews for entity in review.drug.entities}
    groups: dict[tuple[str, str], list[Looked]] = {}
    before = len(draft.candidates)
    answered: set[str] = set()
    silent: list[tuple[list[Looked], bool]] = []
    stopped = draft.stopped
    hard = {stop.entity.id for stop in draft.stops if stop.status == "applies" and stop.hard}
    for item in looked:
        own = any(s.statement.subject in item.focus.entities for s in item.statements)
        how_to_take_it = item.intent == "dose" and item.focus.entity in (stopped if own else hard)
        if item.intent not in _BY_DRUGS and not how_to_take_it:
            groups.setdefault((item.intent, item.focus.entity), []).append(item)
    told, untold = _of_few(groups)
    for (intent, about), items in told.items():
        exists = question.form.exists and question.form.relation == intent
        with draft.topic(intent, about):
            if exists:
                _say_that_there_is(draft, items)
            results = [_say(draft, item, reviews) for item in items]
            _say_none_of_class(draft, items)
        if any(results):
            answered.add(intent)
        else:
            silent.append((items, exists))
    if question.advised:
        silent = []  # what to do was said with the danger
    unmet = [one for one in silent if not _is_covered_elsewhere(one[0][0].intent, answered)]
    for (_, exists), some in groupby(unmet, key=lambda one: (one[0][0].intent, one[1])):
        _say_nothing(draft, [items for items, _ in some], exists=exists)
    if any(item.sold_freely for item in looked):
        draft.add_missing("sold_freely")
    for items in untold.values():
        draft.add_missing("more_things", n=len(items), property=property_name(draft, items[0]))
    if any(item.scores for item in looked):
        draft.candidates[before:] = sorted(draft.candidates[before:], key=lambda c: -c.score)


def _is_covered_elsewhere(intent: str, answered: set[str]) -> bool:
    """Whether nothing need be said of what was not found: that no dose is given is said in any
    case; where drugs were found, none is missed for what is named beside, nor any diet."""
    return intent == "dose" or (intent in _BESIDE_DRUGS and "drug" in answered)


def property_name(draft: Draft, item: Looked) -> str:
    """What a property is called: "symptoms"."""
    return draft.wording.property_words(item.predicate, from_object=item.from_object)


def _say_that_there_is(draft: Draft, items: list[Looked]) -> None:
    """The answer to "is there a test for malaria?", before the tests are named.

    Words of a source are no yes: they may say that there is none.
    """
    predicates = draft.wording.knowledge.vocabulary.predicate
    found = [item for item in items if any(s.affirmed for s in item.statements)]
    for item in sorted(found, key=lambda item: predicates(item.predicate).takes_text)[:1]:
        subject, label = draft.wording.name(item.focus.entity), property_name(draft, item)
        key = "in_words" if predicates(item.predicate).takes_text else "exists"
        text = draft.wording.say(f"claims.{key}", property=label, subject=subject)
        draft.add_sentence(text, [s for s in item.statements if s.affirmed])


def _of_few(
    groups: dict[tuple[str, str], list[Looked]],
) -> tuple[dict[tuple[str, str], list[Looked]], dict[str, list[Looked]]]:
    """What is told, and, by intent, one item for each thing for which there is no room: those
    first of which something is recorded."""
    told: dict[tuple[str, str], list[Looked]] = {}
    untold: dict[str, list[Looked]] = {}
    numbers = Counter(intent for intent, _ in groups)
    shown: Counter[str] = Counter()
    for (intent, about), items in groups.items():
        recorded = any(item.statements for item in items)
        many = numbers[intent] > _MAX_THINGS
        if many and recorded and shown[intent] == _MAX_THINGS:
            untold.setdefault(intent, []).append(items[0])
            continue
        shown[intent] += recorded
        told[intent, about] = items
    return told, untold


def _say_nothing(draft: Draft, groups: list[list[Looked]], *, exists: bool) -> None:
    """Of which things nothing is recorded: together, where nothing was left out."""
    wording = draft.wording
    draft.unmet += len(groups)
    together: list[str] = []
    label = property_name(draft, _asked_for(groups[0]))
    for items in groups:
        if any(item.of_class for item in items):
            continue  # of which class, was said
        named = [other_name(draft, item, s) for item in items for s in item.left_out]
        subject = wording.name(items[0].focus.entity)
        if not (named or exists) and property_name(draft, _asked_for(items)) == label:
            together.append(subject)
            continue
        key = "nothing_else" if named else ("none_such" if exists else "no_property")
        own = property_name(draft, _asked_for(items))
        draft.add_missing(key, property=own, subject=subject, named=wording.join(named))
    if together:
        subject = wording.join(together, limit=_MAX_THINGS)
        draft.add_missing("no_property", property=label, subject=subject)


def _asked_for(items: list[Looked]) -> Looked:
    """The property that was asked for, of those that are looked up with it."""
    return next((item for item in items if item.predicate not in _WITH_OTHERS), items[0])


def _say_none_of_class(draft: Draft, items: list[Looked]) -> None:
    """That a list narrowed to a class holds none of it, for each property that was asked for."""
    wording = draft.wording
    for item in items:
        if item.of_class and not item.statements:
            drug, subject = wording.name(item.of_class), wording.name(item.focus.entity)
            if item.predicate in DRUG_LISTS:
                draft.add_missing("no_use", drug=drug, disease=subject)
            else:
                label = property_name(draft, item)
                slots = {"property": label, "subject": subject, "class": drug}
                draft.add_missing("none_of_class", **slots)


def _say(draft: Draft, item: Looked, reviews: dict[str, DrugReview]) -> bool:
    affirmed = [s for s in item.statements if s.affirmed]
    denied = [s for s in item.statements if s.denied and not s.affirmed]
    if item.from_object and item.predicate == "used_for":
        affirmed.sort(key=lambda s: TREATMENT_LINES.index(treatment_line([s.statement])))
    if draft.wording.knowledge.vocabulary.predicate(item.predicate).takes_text:
        return _say_texts(draft, item, affirmed)
    if item.from_object and item.predicate in DRUG_LISTS:
        result = _say_drugs(draft, item, affirmed, reviews)
    elif item.from_object and item.predicate in LISTS_OF_PAPERS:
        result = _say_of_papers(draft, item, affirmed, reviews)
    else:
        result = _say_list(draft, item, affirmed)
    if denied:
        names = _names(draft, item, denied)
        subject = draft.wording.name(item.focus.entity)
        text = draft.wording.say("denied", subject=subject, list=draft.wording.join(names))
        draft.add_sentence(text, denied)
    draft.rest_on(s for s in item.statements if s.conflicting)
    return result or bool(denied)


def _say_of_papers(
    draft: Draft,
    item: Looked,
    affirmed: list[SupportedStatement],
    reviews: dict[str, DrugReview],
) -> bool:
    """What papers say helps; drugs that something about the person speaks against stand apart."""
    against = [
        s
        for s in affirmed
        if standing_of(reviews.get(s.statement.subject)) in ("stopped", "with_care")
    ]
    said = _say_list(draft, item, [s for s in affirmed if s not in against])
    if against:
        list_drugs(draft, item.focus.entity, against, reviews)
    return said or bool(against)


def _say_texts(draft: Draft, item: Looked, affirmed: list[SupportedStatement]) -> bool:
    """Text that a source says is quoted whole, the question's language first."""
    language = draft.wording.language
    fitting = [s for s in affirmed if s.statement.language == language] or affirmed
    for supported in fitting[:_MAX_TEXTS]:
        draft.add_sentence(draft.wording.object_name(supported.statement), [supported])
    if fitting[_MAX_TEXTS:]:
        label, subject = property_name(draft, item), draft.wording.name(item.focus.entity)
        n = len(fitting[_MAX_TEXTS:])
        draft.add_missing("more_texts", n=n, property=label, subject=subject)
    return bool(fitting)


def _say_list(draft: Draft, item: Looked, affirmed: list[SupportedStatement]) -> bool:
    if not affirmed:
        return False
    wording = draft.wording
    of_effect = item.from_object and item.predicate == "has_side_effect"
    affirmed = _most_useful_first(draft, item, affirmed)
    if of_effect:
        affirmed = _classes_first(draft, affirmed)
    names = _names(draft, item, affirmed)
    rest = len(set(names)) - MAX_LISTED
    if rest > 0 and _lists_against(draft, item):
        draft.add_missing("rest_of_list")
    subject = wording.join([wording.name(f.entity) for f in (item.focus, *item.together)])
    text = wording.recorded_list(
        item.predicate,
        names,
        subject=subject,
        from_object=item.from_object,
        besides=_besides(draft, item),
    )
    counted = wording.tells_how_many(item.predicate, from_object=item.from_object)
    draft.add_sentence(text, affirmed if counted else named_in(names, affirmed))
    if of_effect:
        _say_who_else(draft, affirmed)
    return True


def _classes_first(draft: Draft, found: list[SupportedStatement]) -> list[SupportedStatement]:
    """A list of what brings something on, with classes, which stand for many, before drugs; of one
    that is longer than what is shown, first those whose source names it early, as what comes often;
    of the classes the much used ones, and the drugs of none of these before their members."""
    knowledge = draft.wording.knowledge
    subjects = list(dict.fromkeys(s.statement.subject for s in found))
    resolved = knowledge.entities.all(subjects)
    classes = {one for one in subjects if resolved[one].concept == "drug_class"}
    if len(subjects) <= MAX_LISTED:
        return sorted(found, key=lambda s: s.statement.subject not in classes)
    members = knowledge.lexicon.narrower(tuple(classes))

    often = _often_used(subjects, knowledge)

    def place(supported: SupportedStatement) -> tuple[bool, bool, bool, int]:
        one = supported.statement.subject
        told = min((item.place.start for item in supported.evidence), default=0)
        if one in classes:
            return False, False, told > _EARLY, -often[one]
        return True, one in members, not often[one], told

    classes_first = sorted(found, key=place)
    shown = [s for s in classes_first if s.statement.subject in classes]
    half = MAX_LISTED // 2
    alone = classes_first[len(shown) :]
    return [*shown[:half], *alone[:half], *shown[half:], *alone[half:]]


def _say_who_else(draft: Draft, affirmed: list[SupportedStatement]) -> None:
    """Of a class that brings something on, members that the list does not show, those of which it
    is recorded and those with most names first: what holds of a class holds of each of them."""
    knowledge, wording = draft.wording.knowledge, draft.wording
    terms = knowledge.lexicon.terms
    recorded = dict.fromkeys(s.statement.subject for s in affirmed)
    listed = set(list(recorded)[:MAX_LISTED])
    for supported in affirmed[:_MAX_CLASSES]:
        above = supported.statement.subject
        drugs = (terms[one] for one in knowledge.lexicon.narrower([above]) - listed)
        members = [term for term in drugs if term.concept == "drug" and not term.ingredients]
        members.sort(
            key=lambda term: (
                term.id not in recorded,
                -sum(map(len, term.names.values())),
                term.id,
            )
        )
        if members:
            names = [term.preferred(wording.language) for term in members]
            told = wording.join(names, limit=_MAX_THINGS)
            text = wording.say("asks.members_too", subject=wording.name(above), list=told)
            draft.add_sentence(text, [supported])


def _often_used(subjects: Sequence[str], knowledge: Knowledge) -> dict[str, int]:
    """For how much each is used, a class with its members: the nearest to how common it is."""
    counted = (*subjects, *knowledge.lexicon.narrower(subjects))
    knowledge.store.expect([(one, "used_for", None) for one in counted])
    used = {one: len(knowledge.store.match(one, "used_for")) for one in counted}
    below = {one: knowledge.lexicon.narrower([one]) for one in subjects}
    return {one: used[one] + sum(used.get(member, 0) for member in below[one]) for one in subjects}


def _most_useful_first(
    draft: Draft, item: Looked, affirmed: list[SupportedStatement]
) -> list[SupportedStatement]:
    """A list of what not to take that is longer than what is shown: what people buy, then classes,
    which stand for many, and drugs of none of these, the much used ones first; then their members,
    and what holds only sometimes."""
    subjects = list(dict.fromkeys(s.statement.subject for s in affirmed))
    if not _lists_against(draft, item):
        return affirmed
    if len(subjects) <= MAX_LISTED:
        return sorted(affirmed, key=lambda s: place_in_use(s.statement.subject))
    knowledge = draft.wording.knowledge
    resolved = knowledge.entities.all(subjects)
    always = {s.statement.subject for s in affirmed if set(dict(s.statement.qualifiers)) <= _STILL}
    often = _often_used(subjects, knowledge)
    by_use = sorted((one for one in subjects if one in always), key=lambda one: -often[one])
    classes = [one for one in by_use if resolved[one].concept == "drug_class"]
    members = knowledge.lexicon.narrower(classes)
    alone = [one for one in by_use if one not in classes and one not in members]
    sold = _sold_without_prescription(subjects, knowledge)
    half = MAX_LISTED // 2
    told = (*sold[:_SOLD], *classes[:half], *alone[:half], *classes, *alone, *by_use, *subjects)
    order = dict.fromkeys(told)
    place = {one: at for at, one in enumerate(order)}
    return sorted(affirmed, key=lambda s: place[s.statement.subject])


def _sold_without_prescription(subjects: Sequence[str], knowledge: Knowledge) -> list[str]:
    """What people buy, the most bought first, a class in place of its members."""
    sold = sorted((one for one in subjects if one in bought()), key=place_in_use)
    members = knowledge.lexicon.narrower(sold)
    return [one for one in sold if one not in members]


def _names(draft: Draft, item: Looked, affirmed: list[SupportedStatement]) -> list[str]:
    """The name at the other end of each statement; a drug that stands there under several
    conditions has one name with all of them, so that a list counts drugs."""
    wording = draft.wording
    if not _lists_against(draft, item):
        ends = [other_name(draft, item, s) for s in affirmed]
        doubt = [is_hedged(draft, s) for s in affirmed]
        return [wording.say("hedged_name", name=name) if hedged else name
                for name, hedged in zip(ends, doubt, strict=True)]  # fmt: skip
    whole, between = wording.name(item.focus.entity), wording.phrases["stop_reason"]["parts"]
    conditions: dict[str, dict[str, None]] = {}
    for supported in affirmed:
        names = conditions.setdefault(wording.name(supported.statement.subject), {})
        names[wording.condition(supported.statement)] = None
    named = {
        name: name if whole in names else f"{name} ({between.join(names)})"
        for name, names in conditions.items()
    }
    return [named[wording.name(s.statement.subject)] for s in affirmed]


def is_hedged(draft: Draft, supported: SupportedStatement) -> bool:
    """Whether papers say it with less than certainty. Of other predicates strength is how often,
    and that something is studied is certain."""
    predicate = draft.wording.knowledge.vocabulary.predicate(supported.statement.predicate)
    from_papers = predicate.valence == 0 and predicate.strength == 1
    claims = from_papers and predicate.name != "studied_for"
    return claims and all(item.strength < 1 for item in supported.affirmed)


def _lists_against(draft: Draft, item: Looked) -> bool:
    """Whether drugs are listed by what speaks against them."""
    valence = draft.wording.knowledge.vocabulary.predicate(item.predicate).valence
    return valence < 0 and item.from_object


def _besides(draft: Draft, item: Looked) -> str:
    """ " besides fever", where fever is recorded and was named to be left out; " among the
    antibiotics", where a list is of a class alone."""
    if item.of_class:
        name = draft.wording.name(item.of_class)
        return draft.wording.say("among", **{"class": name})
    names = [other_name(draft, item, s) for s in item.left_out if s.affirmed]
    return draft.wording.say("besides", list=draft.wording.join(names)) if names else ""


def named_in(names: list[str], affirmed: list[SupportedStatement]) -> list[SupportedStatement]:
    """Only the statements whose names fit into the sentence."""
    shown = set(list(dict.fromkeys(names))[:MAX_LISTED])
    return [s for name, s in zip(names, affirmed, strict=True) if name in shown]


def other_name(draft: Draft, item: Looked, supported: SupportedStatement) -> str:
    """The end of a statement that is not what it was looked up of."""
    statement = supported.statement
    wording = draft.wording
    name = wording.name(statement.subject) if item.from_object else wording.object_name(statement)
    return wording.used(statement, name)


def _say_drugs(
    draft: Draft, item: Looked, affirmed: list[SupportedStatement], reviews: dict[str, DrugReview]
) -> bool:
    """Drugs recorded for a disease: those that are stopped for this person are never offered."""
    offered = [s for s in affirmed if not _excluded(s, reviews)]
    concept = draft.wording.knowledge.entities.get(item.focus.entity).concept
    if affirmed and (item.through or concept == "symptom"):
        draft.add_missing("not_from_symptoms")
    if affirmed and item.through:
        _say_way(draft, item)
    if item.through or concept != "symptom":
        for supported in affirmed:
            _add_candidate(draft, item, supported, excluded=_excluded(supported, reviews))
    if affirmed:
        of_class = item.focus.entity if item.predicate == "in_class" else item.of_class
        list_drugs(draft, item.focus.entity, affirmed, reviews, of_class)
    names = [other_name(draft, item, s) for s in offered or affirmed]
    subject = draft.wording.name(item.focus.entity)
    if affirmed and not offered:
        listed = draft.wording.join(names)
        text = draft.wording.say("all_stopped", subject=subject, list=listed)
        draft.add_sentence(text, named_in(names, affirmed))
    if offered:
        text = draft.wording.say(
            f"asks.{item.predicate}_object",
            subject=subject,
            list=draft.wording.join(names),
            besides=_besides(draft, item),
        )
        draft.add_sentence(text, named_in(names, offered))
    return bool(affirmed)


def _say_way(draft: Draft, item: Looked) -> None:
    """How the findings lead to a disease that the question does not name."""
    wording = draft.wording
    findings = wording.join([wording.object_name(s.statement) for s in item.through])
    disease = wording.name(item.focus.entity)
    sentence = wording.say("by_way_of", disease=disease, findings=findings)
    draft.add_sentence(sentence, item.through)


def _excluded(supported: SupportedStatement, reviews: dict[str, DrugReview]) -> bool:
    review = reviews.get(supported.statement.subject)
    return review is not None and review.excluded


def _add_candidate(
    draft: Draft, looked: Looked, supported: SupportedStatement, *, excluded: bool
) -> None:
    drug = draft.wording.knowledge.entities.get(supported.statement.subject)
    known = next((n for n, c in enumerate(draft.candidates) if c.entity.id == drug.id), None)
    if known is not None and not looked.through:
        return
    why = draft.rest_on([*looked.through, supported])
    if known is not None:  # several diseases lead to it
        candidate = draft.candidates[known]
        draft.candidates[known] = replace(candidate, why=(*candidate.why, *why))
        return
    stated = max(item.strength * item.confidence for item in supported.affirmed)
    score = looked.scores.get(drug.id, stated)
    draft.candidates.append(Candidate(drug, score, "excluded" if excluded else "possible", why))
