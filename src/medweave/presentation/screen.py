"""A terminal that documents cannot write to: their control characters are shown, not obeyed."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

_HARMLESS = "\n\t"
_PICTURES = 0x2400
"""Unicode has a picture of each control character below 32, in the same order."""
_DELETE = 0x7F
_UNSEEN: dict[int, int | str] = {
    **{sign: _PICTURES + sign for sign in range(32) if chr(sign) not in _HARMLESS},
    _DELETE: "␡",
    **dict.fromkeys(range(0x80, 0xA0), "�"),  # control characters of eight bits
    **dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)), "�"),  # turns of direction
}


def visible(text: str) -> str:
    r"""A text whose control characters do nothing.

    >>> visible("\x1b[31mred")
    '␛[31mred'
    """
    return text.translate(_UNSEEN)


class Screen(Console):
    """A console that makes visible whatever it is given to print."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """See rich; what rich itself sends to control the terminal is left as it is."""
        for segment in super().render(renderable, options):
            if segment.control:
                yield segment
            else:
                yield Segment(visible(segment.text), segment.style)
