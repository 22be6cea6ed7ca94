"""`medweave duplicates`: names of a base that deserve a look."""

from __future__ import annotations

from medweave.faces.cli.common import reading, show
from medweave.faces.cli.options import Json, Kb


def duplicates(kb: Kb = "", json: Json = False) -> None:
    """Show things that may be one, and names that may be several things."""
    with reading(kb) as base:
        found = base.duplicates()
    show(found, "reports:print_duplicates", json=json)
