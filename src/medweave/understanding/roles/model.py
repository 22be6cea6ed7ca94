"""Whether something is wanted for a condition, or somebody has it beside: learned; and its file.

    s(m) = b + sum over views of share / |x| times the sum of w_f x_f

by the linear machine of intents, with the features of `role_features`. Above 0 something is wanted
for it; below minus `SURE`, somebody has it. Nothing in the file is ever run.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from medweave.language.data import shipped
from medweave.model.question import FINDINGS, UNNAMED, Mention
from medweave.understanding.intents.features import Name
from medweave.understanding.intents.linear import Linear
from medweave.understanding.model_files import model_text
from medweave.understanding.roles.features import CONCEPTS, VIEWS, role_features

TO_TREAT = "to_treat"
"""The role of what something is wanted for; the other one is that somebody has it."""
SURE = 0.4
"""How far below 0 a score decides where no word does; by cross-validation (decision 333)."""
_FORMAT = "medweave roles 1"
_DIGITS = 2


@dataclass(frozen=True, slots=True)
class RoleModel:
    """What every feature says for or against something being wanted for a condition."""

    classifier: Linear
    trained_on: Mapping[str, Any] = field(default_factory=dict)

    def scores(self, text: str, names: Sequence[Name]) -> dict[Name, float]:
        """How surely something is wanted for each condition among the names of a question; below 0
        somebody has it."""
        found = role_features(text, names)
        return {name: self.classifier.scores(features)[0] for name, features in found.items()}

    def to_text(self) -> str:
        """The model as a file: JSON, one line for each feature."""
        head = {
            "format": _FORMAT,
            "trained_on": dict(self.trained_on),
            "bias": round(self.classifier.bias[0], _DIGITS),
        }
        rows = {
            feature: [round(idf, _DIGITS), round(weights[0], _DIGITS)]
            for feature, (idf, _, weights) in self.classifier.weights.items()
        }
        return model_text(head, rows)

    @classmethod
    def of_json(cls, held: Any) -> RoleModel:
        """The model of a file's JSON. Raises `ValueError` for another format."""
        if held["format"] != _FORMAT:
            raise ValueError(held["format"])
        rows = {
            feature: (idf, (0,), (weight,)) for feature, (idf, weight) in held["features"].items()
        }
        return cls(Linear((TO_TREAT,), rows, (held["bias"],), VIEWS), held["trained_on"])


@cache
def shipped_roles() -> RoleModel:
    """The model that ships, learned from questions of `training/roles`."""
    place = shipped("understanding", "roles", "weights.json")
    return RoleModel.of_json(json.loads(place.read_text("utf-8")))


def with_conditions_beside(text: str, mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
    """The mentions, with what somebody surely has beside what a drug is wanted for.

    Of one condition there is no choice; and of several something must be wanted for one, so that
    nothing is lost for which a list could be given.
    """
    named = names_apart(mentions)
    if len({m.entity for m in named if m.concept in FINDINGS}) <= 1:
        return mentions
    names = {Name(m.start, m.end, m.concept): m for m in named}
    scores = shipped_roles().scores(text, list(names))
    if max(scores.values()) <= 0:
        return mentions
    beside = [names[name] for name, score in scores.items() if score < -SURE]
    return tuple(replace(m, beside=True) if m in beside else m for m in mentions)


def names_apart(mentions: Sequence[Mention]) -> list[Mention]:
    """What is named, one behind the other, of which each has a role; what is only measured says
    nothing by its place."""
    named: list[Mention] = []
    for mention in sorted(mentions, key=lambda m: (m.start, -m.end)):
        told = mention.concept in CONCEPTS and mention.link.how not in UNNAMED
        if told and (not named or named[-1].end <= mention.start):
            named.append(mention)
    return named
