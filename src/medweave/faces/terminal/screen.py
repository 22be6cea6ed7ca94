"""A terminal that documents cannot write to: their control characters are shown, not obeyed."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table

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


def table_of(name: str, *figures: str) -> Table:
    """A table without lines: names in the first column, figures in the others."""
    table = Table(name, box=None, pad_edge=False)
    for each in figures:
        table.add_column(each, justify="right")
    return table
