"""Names in a text as one word, so that rules speak of any name."""

from __future__ import annotations

from collections.abc import Iterable

from medweave.model.question import Mention

NAME = "xname"


def with_placeholders(text: str, mentions: Iterable[Mention]) -> str:
    """A text with one word in place of each mention; what stands behind one moves.

    >>> with_placeholders("Can I stop it?", [Mention(6, 10, "stop", "x:stop", "stop", "drug")])
    'Can I xname it?'
    """
    parts: list[str] = []
    last = 0
    for mention in sorted(mentions, key=lambda m: m.start):
        parts += text[last : mention.start], NAME
        last = mention.end
    return "".join((*parts, text[last:]))
