"""The logic of a guideline as Mermaid text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from medweave.guideline.drawing import boxes_of

if TYPE_CHECKING:
    from medweave.guideline.drawing import Drawing

_BRACKETS = {
    "joint": ("([", "])"),
    "not": ("[/", "/]"),
    "derived": ("[[", "]]"),
    "holds": ("{{", "}}"),
    "leaf": ("[", "]"),
}
_CLASSES = """\
  classDef pink fill:#ffd9e6,stroke:#a8325e,color:#1f2328,stroke-width:2px
  classDef yellow fill:#fff1b8,stroke:#8a6d00,color:#1f2328,stroke-width:2px
  classDef green fill:#d4f4dc,stroke:#1a7f37,color:#1f2328,stroke-width:2px
  classDef plain fill:#eaeef2,stroke:#57606a,color:#1f2328,stroke-width:2px
  classDef joint fill:#dbeafe,stroke:#2f5fa8,color:#1f2328
  classDef not fill:#f3e8ff,stroke:#7c3aed,color:#1f2328
  classDef leaf fill:#ffffff,stroke:#57606a,color:#1f2328
  classDef derived fill:#ffffff,stroke:#57606a,color:#1f2328,stroke-dasharray:4 3
  classDef holds fill:#f6f8fa,stroke:#57606a,color:#1f2328"""
_SPECIAL = {'"': "quot", "<": "lt", ">": "gt", "&": "amp", "#": "35", "`": "96", "\\": "92"}


def escaped(words: str) -> str:
    """Words that Mermaid shows and does not read.

    >>> escaped('"a" <b> #c')
    '#quot;a#quot; #lt;b#gt; #35;c'
    """
    line = " ".join(words.split())
    return "".join(f"#{_SPECIAL[sign]};" if sign in _SPECIAL else sign for sign in line)


def mermaid(drawing: Drawing) -> str:
    """A flow chart, from the classification to what it rests on; words beside every colour."""
    return "\n".join(_lines(drawing)) + "\n"


def _lines(drawing: Drawing) -> Iterator[str]:
    yield "flowchart LR"
    yield f"  accTitle: {_plain(drawing.title)}"
    yield f"  accDescr: {_plain(drawing.words)}"
    for at, tree in enumerate(drawing.trees):
        for number, (box, above) in enumerate(boxes_of(tree)):
            left, right = _BRACKETS.get(box.shape, ("[", "]"))
            words = "<br/>".join(escaped(each) for each in (box.words, *box.notes))
            yield f'  n{at}_{number}{left}"{words}"{right}:::{box.shape}'
            if above is not None:
                edge = f'-->|"{escaped(box.edge)}"|' if box.edge else "-->"
                yield f"  n{at}_{above} {edge} n{at}_{number}"
    yield _CLASSES


def _plain(words: str) -> str:
    """One line without what Mermaid takes for the end of it, or for a comment."""
    return re.sub(r"[#%{}]+", "", " ".join(words.split())).replace(";", ",")
