"""`medweave verify`: a text held against a base, claim by claim."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from medweave.errors import QuestionError
from medweave.faces.cli.common import reading, show
from medweave.faces.cli.options import Json, Kb

if TYPE_CHECKING:
    from medweave.model.claim import Verified


def verify(
    text: Annotated[
        str, typer.Argument(help="What is claimed, in sentences.", show_default=False)
    ] = "",
    kb: Kb = "",
    lines: Annotated[
        str, typer.Option("--lines", help="A text a line, from a file or - for stdin.")
    ] = "",
    json: Json = False,
) -> None:
    """Hold what a text claims against the base: what it says so, denies, or is silent on."""
    if bool(text) == bool(lines):
        raise QuestionError("a text or --lines is wanted", remedy="give one of them")
    with reading(kb) as base:
        if not lines:
            _show(base.verify(text), json=json)
            return
        from medweave.faces.cli.lines import each_line

        if json:
            each_line(lines, lambda line: base.verify(line).to_json())
        else:
            each_line(lines, base.verify, lambda _, checked: _show(checked, json=False))


def _show(checked: Verified, *, json: bool) -> None:
    show(checked, "claims:print_claims", json=json)
