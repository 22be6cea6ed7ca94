"""A terminal that documents cannot write to: their control characters are shown, not obeyed."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from medweave.faces.texts.visible import visible


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
