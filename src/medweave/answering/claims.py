"""Answers to yes/no questions: "yes" only where a record says so, "no" only where one denies it.

That nothing is recorded is neither: it is said as what is missing.
"""

from __future__ import annotations

from medweave.answering.draft import Draft
from medweave.answering.properties import is_hedged, named_in, other_name
from medweave.model.inferred import Inferred
from medweave.model.material import Claimed, Focus, Looked, Material
from medweave.model.question import BY_HABIT, Question
from medweave.model.statement import SupportedStatement

_MAX_QUOTED = 3
_IN_WORDS = ("vaccine", "contagion", "heredity")
"""Claims of one thing, which sources answer in words."""

_VACCINES = "mw.substance:vaccines"
"""What nobody takes on, or leaves out, once it was given."""


def say_claims(draft: Draft, question: Question, material: Material, inferred: Inferred) -> None:
    """One verdict for each claim, and where there is none, what is recorded in its place."""
    form = question.form
    if form.kind != "yes_no" and not material.claimed:
        return
    for words in form.unnamed:
        draft.add_missing("unnamed", words=words)
    excluded = {e for r in inferred.reviews if r.excluded for e in r.drug.entities}
    with draft.topic("yes_no"):
        for claimed in material.claimed:
            stopped = claimed.first is not None and bool(set(claimed.first.entities) & excluded)
            if not _is_told_by_a_stop(draft, claimed):
                _say_claim(draft, claimed, stopped=stopped and form.weighs_drugs)
        _tell_whom_to_ask(draft, question, material, inferred)


def _is_told_by_a_stop(draft: Draft, claimed: Claimed) -> bool:
    """Whether that two go with each other was asked, and what stops one of them answers it."""
    ends = {end.entity for end in (claimed.first, claimed.second) if end is not None}
    stopped = {stop.entity.id for stop in draft.stops if stop.status == "applies" and stop.hard}
    return claimed.relation == "associate" and not claimed.found and not ends.isdisjoint(stopped)


def _tell_whom_to_ask(
    draft: Draft, question: Question, material: Material, inferred: Inferred
) -> None:
    """Who hears that what they take brought something on might leave it out: they ask first."""
    taken = {
        m.entity for m in question.mentions if m.role == "taken" and m.status != "hypothetical"
    }
    going_on = {r.drug.entity for r in inferred.reviews if r.must_go_on}
    blamed = dict.fromkeys(
        claimed.second.entity
        for claimed in material.claimed
        if claimed.relation == "side_effect" and claimed.second and claimed.found
    )
    told = {stop.entity.id for stop in draft.stops if stop.taken and stop.status == "applies"}
    given_once = draft.wording.knowledge.lexicon.narrower([_VACCINES]) | {_VACCINES}
    for drug in blamed:
        if drug in given_once:
            continue
        if drug in taken.difference(BY_HABIT) and not (question.effects and drug in told):
            goes_on = drug in going_on or bool(question.effects)  # nothing has come of it yet
            key = "not_on_your_own" if goes_on else "before_the_next_dose"
            draft.add_missing(key, drugs=draft.wording.name(drug))


def _say_claim(draft: Draft, claimed: Claimed, *, stopped: bool) -> None:
    """The verdict; the use of a drug that is stopped for this person is not affirmed."""
    affirmed = [s for s in claimed.found if s.affirmed]
    denied = [s for s in claimed.found if not s.affirmed]
    if affirmed:
        _quote(draft, [s for s in affirmed if s.statement.object_entity is None])
        if not stopped:
            _say_yes(draft, [s for s in affirmed if s.statement.object_entity is not None])
            _say_wider(draft, claimed, affirmed)
    _say_no(draft, denied)
    if not claimed.found and claimed.relation:
        _say_unrecorded(draft, claimed, instead=not stopped)
    if not stopped:
        _say_yes(draft, [s for s in claimed.otherwise if s.affirmed], "noted")
    _say_no(draft, [s for s in claimed.otherwise if not s.affirmed])


def _say_wider(draft: Draft, claimed: Claimed, affirmed: list[SupportedStatement]) -> None:
    """That what is recorded is of what the thing in question is a kind of."""
    wording = draft.wording
    told = sorted({s.statement.object_entity for s in affirmed if s.statement.object_entity})
    if claimed.narrower is not None and told:
        draft.add_missing(
            "of_the_wider",
            subject=wording.name(claimed.narrower.entity),
            list=wording.join([wording.name(each) for each in told]),
        )


def _quote(draft: Draft, texts: list[SupportedStatement]) -> None:
    """What sources say in words is left to the reader: it may be that there is none."""
    wording = draft.wording
    fitting = [s for s in texts if getattr(s.statement.object, "language", "") == wording.language]
    for supported in (fitting or texts)[:_MAX_QUOTED]:
        words = wording.object_name(supported.statement)
        draft.add_sentence(wording.say("claims.quoted", words=words), [supported])


def _say_yes(draft: Draft, affirmed: list[SupportedStatement], sure: str = "yes") -> None:
    """What is affirmed, in the phrase for what is `sure`; what is less certain stands apart."""
    for predicate, found in _by_predicate(affirmed).items():
        hedged = [s for s in found if is_hedged(draft, s)]
        for key, some in ((sure, [s for s in found if s not in hedged]), ("hedged", hedged)):
            if some:
                clauses = [_clause(draft, predicate, supported) for supported in some]
                said = draft.wording.say(f"claims.{key}", claim=draft.wording.join(clauses))
                draft.add_sentence(said, named_in(clauses, some))


def _say_no(draft: Draft, denied: list[SupportedStatement]) -> None:
    for predicate, found in _by_predicate(denied).items():
        clauses = [_clause(draft, predicate, supported) for supported in found]
        said = draft.wording.say("claims.no", claim=draft.wording.join(clauses))
        draft.add_sentence(said, named_in(clauses, found))


def _by_predicate(found: list[SupportedStatement]) -> dict[str, list[SupportedStatement]]:
    groups: dict[str, list[SupportedStatement]] = {}
    for supported in found:
        groups.setdefault(supported.statement.predicate, []).append(supported)
    return groups


def _clause(draft: Draft, predicate: str, supported: SupportedStatement) -> str:
    """The statement itself in words, with its conditions: "cough is a symptom of pneumonia"."""
    wording = draft.wording
    statement = supported.statement
    subject = Focus((statement.subject,))
    item = Looked("", subject, predicate, from_object=False, statements=(supported,))
    return wording.recorded_clause(
        predicate,
        subject=wording.name(statement.subject),
        other=other_name(draft, item, supported),
    )


def _say_unrecorded(draft: Draft, claimed: Claimed, *, instead: bool) -> None:
    """Nothing recorded is no "no"; what is recorded of the same kind may stand beside it."""
    wording = draft.wording
    draft.unmet += 1
    if claimed.second is not None and (claimed.first is not None or claimed.relation in _IN_WORDS):
        draft.add_direct(
            f"unrecorded.{claimed.relation}",
            first=wording.name(claimed.first.entity) if claimed.first else "",
            second=wording.name(claimed.second.entity),
        )
    item = claimed.instead if instead else None
    affirmed = [s for s in item.statements if s.affirmed] if item else []
    if item and affirmed:
        names = [other_name(draft, item, s) for s in affirmed]
        subject = wording.name(item.focus.entity)
        text = wording.recorded_list(item.predicate, names, subject=subject)
        draft.add_sentence(text, named_in(names, affirmed))
