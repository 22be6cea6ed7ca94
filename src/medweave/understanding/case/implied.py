"""What a told sign says by its very meaning: who tells of ear pain tells of an ear problem.

A guideline's answers say what they imply (`implies`). A form asks for the main symptom first; a
text need not name it. Only what is there implies anything, and nothing that the text itself says
is changed by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from medweave.model.guideline import Observation, answers_of
from medweave.understanding.case.person import CasePerson
from medweave.understanding.case.understood import ReportedCase, ReportedFinding


def case_of(
    reported: tuple[ReportedFinding, ...],
    person: CasePerson,
    contradictions: Iterable[str],
    observations: Mapping[str, Observation],
) -> ReportedCase:
    """All that a text tells of a child, with what its findings imply."""
    findings, against = with_implied(reported, observations)
    return ReportedCase(
        findings,
        person.age_days,
        person.weight_kg,
        person.sex,
        (*person.contradictions, *contradictions, *against),
    )


def with_implied(
    reported: tuple[ReportedFinding, ...], observations: Mapping[str, Observation]
) -> tuple[tuple[ReportedFinding, ...], tuple[str, ...]]:
    """The findings of a text with those they imply, and where the text says the contrary.

    >>> from medweave.model.guideline import NO, YES
    >>> hurts = Observation("pain", "Ear pain", answers=(replace(YES, implies=("ear",)), NO))
    >>> ear = Observation("ear", "Ear problem", answers=(YES, NO))
    >>> found, _ = with_implied(
    ...     (ReportedFinding("pain", True, 0, 8, "ear pain", ""),), {"pain": hurts, "ear": ear}
    ... )
    >>> [(each.observation, each.value, each.why) for each in found[1:]]
    [('ear', True, "Ear problem: from 'ear pain'")]
    """
    by_observation = {each.observation: each for each in reported}
    made: dict[str, ReportedFinding] = {}
    notes: dict[str, None] = {}
    waiting = list(reported)
    while waiting:
        each = waiting.pop(0)
        for name in _implied_by(each, observations):
            held = by_observation.get(name)
            if held is not None and held.value is False:
                notes[
                    f"{name}: the text says no ('{held.words}'), which holds, though "
                    f"'{each.words}' says yes"
                ] = None
            if held is not None or name in made:
                continue
            why = f"{observations[name].label}: from '{each.words}'"
            made[name] = replace(each, observation=name, value=True, why=why, implied=True)
            waiting.append(made[name])
    return (*reported, *made.values()), tuple(notes)


def _implied_by(
    reported: ReportedFinding, observations: Mapping[str, Observation]
) -> Iterator[str]:
    """What the answer that a finding tells implies."""
    observation = observations[reported.observation]
    for answer in answers_of(observation):
        given = answer.means == "true" if reported.value is True else answer.id == reported.value
        if given:
            yield from _two_valued(answer.implies, observations)


def _two_valued(names: Iterable[str], observations: Mapping[str, Observation]) -> Iterator[str]:
    """Those that are there to be said yes to; `guideline check` names the others."""
    for name in names:
        held = observations.get(name)
        if held is not None and held.kind == "boolean" and held.derived is None:
            yield name
