"""`medweave ontology`: show one, check one, compare two."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from medweave.errors import OntologyError
from medweave.faces.cli.common import console, print_json, progress, reading, writing
from medweave.faces.cli.options import Json, Kb
from medweave.faces.texts.visible import visible

if TYPE_CHECKING:
    from medweave.ontology.difference import Difference

app = typer.Typer(help="Ontologies: show, check, compare.", no_args_is_help=True)
Named = Annotated[str, typer.Argument(help="causalamd, or a file.", show_default=False)]


@app.command("show")
def show(
    ontology: Annotated[str, typer.Argument(help="causalamd, or a file.")] = "causalamd",
    turtle: Annotated[bool, typer.Option("--turtle", help="Print it as OWL in Turtle.")] = False,
    json: Json = False,
) -> None:
    """Show the types and relations of an ontology, with what they mean."""
    from medweave.ontology.loading import ontology_in

    found = ontology_in(ontology)
    if json:
        print_json(found.to_json())
    elif turtle:
        from medweave.ontology.writing import ontology_to_turtle

        sys.stdout.write(ontology_to_turtle(found))
    else:
        from medweave.faces.terminal.ontology import print_ontology

        print_ontology(found, console())


@app.command("check")
def check(ontology: Named, json: Json = False) -> None:
    """Say what is wrong with an ontology, with the culprits; exit with 1 where anything is."""
    from medweave.ontology.checks import Problem, check_ontology
    from medweave.ontology.loading import written_ontology

    try:
        problems = check_ontology(written_ontology(ontology), ontology)
    except OntologyError as error:
        problems = (Problem(error.what, (), error.where),)
    if json:
        print_json({"consistent": not problems, "problems": [p.to_json() for p in problems]})
    else:
        for problem in problems:
            sys.stdout.write(visible(f"{problem.where}: {problem.what}") + "\n")
        sys.stdout.write("" if problems else "nothing is wrong with it\n")
    if problems:
        raise typer.Exit(1)


@app.command("diff")
def diff(
    old: Named,
    new: Named,
    kb: Kb = "",
    apply: Annotated[
        bool, typer.Option("--apply", help="Read by the new one what was read by the old one.")
    ] = False,
    json: Json = False,
) -> None:
    """Say what changed from one ontology to another, and what of a base that touches.

    With --apply the base becomes the one that the new ontology makes from the start.
    """
    from medweave.ontology.affected import UNTOUCHED
    from medweave.ontology.difference import difference
    from medweave.ontology.loading import ontology_in

    before, after = ontology_in(old), ontology_in(new)
    found = difference(before, after)
    touched, made = UNTOUCHED, None
    if apply:
        with writing(kb, create=False) as base, progress() as shown:
            touched = base.affected(before, found)
            made = base.reread(before, after, progress=shown)
            touched = made.among(touched)
    elif kb:
        with reading(kb) as base:
            touched = base.affected(before, found)
    if json:
        statements = {"statements": made.to_json()} if made else {}
        print_json({**found.to_json(), "affected": touched.to_json(), **statements})
        return
    counts = len(touched.documents), len(touched.statements)
    lines = _changes(found)
    if kb or made:
        lines.append("it touches {} documents and {} statements of the base".format(*counts))
    if made:
        lines.append(
            f"{len(made.documents)} documents were read again: {len(made.added)} statements came, "
            f"{len(made.removed)} went"
        )
    sys.stdout.write(visible("\n".join(lines)) + "\n")


def _changes(found: Difference) -> list[str]:
    lines = [f"+ {name}" for name in found.added] + [f"- {name}" for name in found.removed]
    return lines + [f"~ {name}: {what}" for name, what in found.changed] or ["nothing changed"]
