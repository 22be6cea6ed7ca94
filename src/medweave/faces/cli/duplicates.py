"""`medweave duplicates`: names of a base that deserve a look."""

from __future__ import annotations

from medweave.faces.cli.common import console, print_json, reading
from medweave.faces.cli.options import Json, Kb


def duplicates(kb: Kb = "", json: Json = False) -> None:
    """Show things that may be one, and names that may be several things."""
    with reading(kb) as base:
        found = base.duplicates()
    if json:
        print_json(found.to_json())
        return
    from medweave.faces.terminal.reports import print_duplicates

    print_duplicates(found, console())
