"""Learning what conditions do in questions, from questions in which each name has its role.

A question is written with its names marked: "Which [drug_class wanted:antibiotics] suit [disease
has:asthma]?". Roles other than the two that are told apart are there to measure by.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from medweave.understanding.intents.features import Name
from medweave.understanding.intents.linear import Example, Fitting, train_linear
from medweave.understanding.roles.features import CONCEPTS, VIEWS, role_features
from medweave.understanding.roles.model import TO_TREAT, RoleModel

FITTING = Fitting("squared_hinge", 0.2, VIEWS, telling=0.01)
_HAS = "has"
_MARK = re.compile(r"\[(\w+) (\w+):([^\]]+)\]")


@dataclass(frozen=True, slots=True)
class MarkedQuestion:
    """A question, the names in it, and the role of each."""

    text: str
    names: tuple[Name, ...]
    roles: tuple[str, ...]


def marked_question(written: str) -> MarkedQuestion:
    """The question of a text with marks; a mark of another concept is left out.

    >>> marked_question("drugs for [disease to_treat:gout]").text
    'drugs for gout'
    """
    text, end = "", 0
    names, roles = list[Name](), list[str]()
    for mark in _MARK.finditer(written):
        text += written[end : mark.start()]
        concept, role, name = mark.groups()
        if concept in CONCEPTS:
            names.append(Name(len(text), len(text) + len(name), concept))
            roles.append(role)
        text, end = text + name, mark.end()
    return MarkedQuestion(text + written[end:], tuple(names), tuple(roles))


def train_roles(
    questions: Iterable[MarkedQuestion], *, trained_on: Mapping[str, Any] | None = None
) -> RoleModel:
    """Fit the weights; the same questions give the same ones.

    Raises `ConfigurationError` where scikit-learn is not installed.
    """
    told_apart = [
        (found, role) for found, role in _with_roles(questions) if role in (TO_TREAT, _HAS)
    ]
    return _fitted(told_apart, TO_TREAT, trained_on or {})


def train_role(
    questions: Iterable[MarkedQuestion], role: str, *, trained_on: Mapping[str, Any]
) -> RoleModel:
    """Fit the weights that tell one role from all others."""
    return _fitted(list(_with_roles(questions)), role, trained_on)


def _with_roles(questions: Iterable[MarkedQuestion]) -> Iterator[tuple[Counter[str], str]]:
    for question in questions:
        roles = dict(zip(question.names, question.roles, strict=True))
        for name, found in role_features(question.text, question.names).items():
            yield found, roles[name]


def _fitted(
    told_apart: Iterable[tuple[Counter[str], str]], role: str, trained_on: Mapping[str, Any]
) -> RoleModel:
    examples: list[Example] = [
        ([found], [TO_TREAT] if own == role else []) for found, own in told_apart
    ]
    return RoleModel(train_linear(examples, FITTING), trained_on)
