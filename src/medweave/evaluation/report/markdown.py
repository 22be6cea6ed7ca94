"""Markdown that holds any text: what data say is shown, and never read as Markdown or HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

SHORT = 100
"""Longer texts are cut in tables."""
_ESCAPED: dict[int, str] = {
    **{ord(sign): f"\\{sign}" for sign in "\\*_[]~#$!"},
    **{ord(sign): f"&#{ord(sign)};" for sign in "&<>|`"},  # some renderers split before escapes
}
_ADDRESS = re.compile(r"(://|www\.|mailto:|xmpp:)", re.IGNORECASE)
"""What GitHub makes a link of without being asked."""
_FENCE = re.compile(r"`{3,}")


def one_line(text: str, longest: int = SHORT) -> str:
    r"""A text on one line, of signs that can be seen; what is cut ends in `…`.

    >>> one_line("first\n\nsecond \x1b[31m", 16)
    'first second �[…'
    """
    seen = _visible(" ".join(text.split()))
    return seen if len(seen) <= longest else seen[: longest - 1].rstrip() + "…"


def escaped(text: str) -> str:
    r"""A text as Markdown that shows just this text, in a line or in a cell of a table.

    >>> escaped("a|b <i>*c*</i>")
    'a&#124;b &#60;i&#62;\\*c\\*&#60;/i&#62;'
    """
    shown = " ".join(text.split()).translate(_ESCAPED)
    return _ADDRESS.sub(lambda found: re.sub(r"([:.])", r"\\\1", found[0]), shown)


def table(head: Sequence[str], rows: Iterable[Sequence[object]], *, texts: int = 1) -> str:
    """A table of any texts; the first columns (`texts` of them) are texts, the rest figures.

    >>> print(table(["class", "items"], [["flu", 3]]))
    | class | items |
    | --- | ---: |
    | flu | 3 |
    """
    rule = ["---" if at < texts else "---:" for at in range(len(head))]
    body = [[escaped(str(cell)) for cell in row] for row in rows]
    lines = [[escaped(cell) for cell in head], rule, *body]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def code(text: str) -> str:
    """A line of shell as a block; its fence is longer than any within it."""
    longest = max((len(found) for found in _FENCE.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}sh\n{_visible(text)}\n{fence}"


def _visible(text: str) -> str:
    return "".join(sign if sign.isprintable() else "�" for sign in text)
