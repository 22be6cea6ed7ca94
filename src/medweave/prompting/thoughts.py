"""What a model thinks aloud, kept apart from what it says, however its marks are cut up."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

_MARK = re.compile(r"<(?P<ends>/?)(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_BEGUN = re.compile(r"</?[a-z]{0,9}$", re.IGNORECASE)
"""What may become a mark with the next piece."""


class Thoughts:
    """Takes pieces of a reply, and gives back those that are said.

    >>> thoughts = Thoughts()
    >>> [thoughts.said(piece) for piece in ("<thi", "nk>They co", "ugh.</think>", "Rest.")]
    ['', '', '', 'Rest.']
    >>> thoughts.thought
    'They cough.'
    """

    def __init__(self, *, begins_thinking: bool = False) -> None:
        """`begins_thinking`: the mark at the beginning is not sent."""
        self.ended_unopened = False
        """Whether thinking ended that nobody had said had begun: what was before it was thought."""
        self._thinking = begins_thinking
        self._held = ""
        self._pieces: list[str] = []

    @property
    def thought(self) -> str:
        """What was thought so far."""
        return "".join(self._pieces).strip()

    def said(self, piece: str) -> str:
        """What of a piece, and of what was held back before it, is said."""
        held, said = self._held + piece, ""
        while match := _MARK.search(held):
            said += self._sorted(held[: match.start()])
            ends = bool(match["ends"])
            self.ended_unopened |= ends and not self._thinking
            self._thinking, held = not ends, held[match.end() :]
        begun = _BEGUN.search(held)
        at = begun.start() if begun else len(held)
        self._held = held[at:]
        return said + self._sorted(held[:at])

    def rest(self) -> str:
        """What was held back as a mark, and is none."""
        held, self._held = self._held, ""
        return self._sorted(held)

    def _sorted(self, text: str) -> str:
        if self._thinking:
            self._pieces.append(text)
            return ""
        return text


class SortedReply(NamedTuple):
    """A whole reply, sorted."""

    said: str
    thought: str
    unopened: bool
    """Whether it began by thinking, and only the end of that is marked."""


def without_thoughts(text: str) -> SortedReply:
    """What a whole reply says, and what was thought.

    >>> without_thoughts("They cough.</think> Rest.")
    SortedReply(said=' Rest.', thought='They cough.', unopened=True)
    """
    thoughts = Thoughts()
    said = thoughts.said(text) + thoughts.rest()
    unopened = thoughts.ended_unopened
    if unopened:
        thoughts = Thoughts(begins_thinking=True)
        said = thoughts.said(text) + thoughts.rest()
    return SortedReply(said, thoughts.thought, unopened)


def with_apart(told: SortedReply, apart: str) -> SortedReply:
    """A reply with the thoughts that an endpoint gives apart."""
    thought = "\n".join(filter(None, (apart.strip(), told.thought)))
    return SortedReply(told.said.strip(), thought, told.unopened)


class Spoken:
    """Words of a stream, told as they come, with thoughts kept apart."""

    def __init__(self, hear: Callable[[str], None], *, begins_thinking: bool) -> None:
        self.raw: list[str] = []
        """Pieces as they came."""
        self._apart: list[str] = []
        self._hear = hear
        self._thoughts = Thoughts(begins_thinking=begins_thinking)
        self._heard = False

    def take(self, text: str, thought: str) -> None:
        """A piece of the stream."""
        self._apart.append(thought)
        if text:
            self.raw.append(text)
        self._tell(self._thoughts.said(text))

    def _tell(self, said: str) -> None:
        said = said if self._heard else said.lstrip()
        if said:
            self._heard = True
            self._hear(said)

    def ended(self) -> SortedReply:
        """All that was said, and all that was thought."""
        self._tell(self._thoughts.rest())
        told = without_thoughts("".join(self.raw))
        if not self._heard:  # it does not begin by thinking any more
            self._tell(told.said)
        return with_apart(told, "".join(self._apart))
