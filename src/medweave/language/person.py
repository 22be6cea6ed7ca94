"""A word of a text for somebody, and an age that it states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf

Role = OneOf["writer", "child", "adult", "relative", "pronoun"]
Sex = OneOf["male", "female"]


@dataclass(frozen=True, slots=True)
class Person:
    """A word for somebody, at its place."""

    start: int
    end: int
    kind: str
    """What it is called in the rules ("mother"); "writer"; "male", "female" of a pronoun."""
    role: Role
    sex: Sex | None = None
    days: tuple[int, int] | None = None
    """The ages the word stands for, in days."""
    of: OneOf["", "writer", "other", "somebody"] = ""
    """Whose relative: the writer's, another's, anybody's ("a mother"), or nobody's that is said."""
    subject: bool = True
    """Whether it can be who something is told of; "about him" is not."""
    tells: bool = False
    """Who only tells what is told: "mother reports …"."""


@dataclass(frozen=True, slots=True)
class Age:
    """An age that a text states, in days, at its place."""

    start: int
    end: int
    days: int
    last: int | None = None
    """The last day of a decade of life, of which no more is told; else None."""
