"""What to find out before a drug is taken: questions to the person, and what hangs on each."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass, field
from functools import cache, lru_cache

from medweave.answering.draft import Draft
from medweave.answering.safety import grounds, reason_of
from medweave.answering.wording import Wording
from medweave.language.data import shipped_yaml
from medweave.model.answer import ToFindOut
from medweave.model.facts import Fact
from medweave.model.inferred import DrugReview, StopFinding

_TOUCHED, _NEAR = 100.0, 50.0
"""A detail of what was said, and what is a kind of it, come before what nobody has spoken of."""
_OTHER = "other"
_SOFT = 0.2
"""How much a caution weighs beside a contraindication, in what is to be found out."""


@dataclass
class _Open:
    """One question to the person, with what hangs on it."""

    weight: float = 0.0
    by_drug: dict[str, list[StopFinding]] = field(default_factory=dict)


def to_find_out(
    draft: Draft, reviews: tuple[DrugReview, ...], guessed: Container[Fact] = ()
) -> list[ToFindOut]:
    """Questions to the person, the one on which most hangs first; what is answered is not asked.

    Of a drug that is stopped only what the stop hangs on is; not where it rests on what was
    `guessed` to be meant: that may be denied.
    """
    wording = draft.wording
    by_review = {review.drug.entity: review for review in reviews}
    questions: dict[str, _Open] = {}
    for review in reviews:
        excluded = review.excluded and not _by_guess(review, guessed)
        for finding in review.findings:
            if finding.holds is None and (finding.touched or not excluded):
                item = questions.setdefault(_about(wording, finding), _Open())
                item.by_drug.setdefault(review.drug.entity, []).append(finding)
    for item in questions.values():
        item.weight = sum(max(map(_weight, found)) for found in item.by_drug.values())
    ordered = sorted(questions.items(), key=lambda pair: -pair[1].weight)
    return [
        ToFindOut(
            about,
            _in_a_word(wording, about),
            tuple(item.by_drug),
            tuple(
                wording.say(
                    "find_out.detail",
                    drug=wording.name(drug),
                    reason=reason_of(wording, by_review[drug], found),
                )
                for drug, found in item.by_drug.items()
            ),
            grounds(draft, (f for found in item.by_drug.values() for f in found)),
        )
        for about, item in ordered
    ]


def _by_guess(review: DrugReview, guessed: Container[Fact]) -> bool:
    """Whether nothing stops a drug but what may be meant."""
    stops = [f for f in review.findings if f.hard and (f.holds or f.touched)]
    return all(not f.holds and any(fact in guessed for fact in f.facts) for f in stops)


def _weight(finding: StopFinding) -> float:
    """A detail of what was said comes before what nobody has spoken of."""
    near = _TOUCHED if finding.touched else (_NEAR if finding.facts else 0.0)
    return (1.0 if finding.hard else _SOFT) + near


def _about(wording: Wording, finding: StopFinding) -> str:
    """The question that a finding belongs to: a condition by the part of the body that it is of."""
    if finding.topic == "condition":
        condition = str(finding.supported.statement.object)
        part = _part_of(wording, condition)
        return condition if part == _OTHER and finding.touched else part
    return "week" if finding.topic == "pregnancy" and finding.touched else finding.topic


def _part_of(wording: Wording, condition: str) -> str:
    """What of the person a condition is asked under: "kidneys", "heart", "other"."""
    return _part_by_name(wording.knowledge.entities.get(condition).name("en").lower())


@lru_cache(maxsize=1 << 12)  # of every drug in a list the same conditions are open
def _part_by_name(name: str) -> str:
    return next((part for part, names in _parts().items() if names.search(name)), _OTHER)


@cache
def _parts() -> dict[str, re.Pattern[str]]:
    parts = shipped_yaml("answering", "parts.yaml")["parts"]
    return {part: re.compile(names) for part, names in parts.items()}


def _in_a_word(wording: Wording, about: str) -> str:
    topics = wording.phrases["find_out"]["topics"]
    return str(topics[about]) if about in topics else wording.name(about)
