"""A label, and a text whose further lines stand below its first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

if TYPE_CHECKING:
    from rich.console import Console

_NARROWEST = 20


def print_hanging(console: Console, label: str, text: Text | str, style: str = "") -> None:
    """Print a label and a text beside it, wrapped to the width of the terminal."""
    indent = cell_len(label)
    room = max(_NARROWEST, console.width - indent)
    for number, part in enumerate(
        (Text(text) if isinstance(text, str) else text).wrap(console, room)
    ):
        part.rstrip()
        head = Text(label, style=style) if number == 0 else Text(" " * indent)
        console.print(head + part)
