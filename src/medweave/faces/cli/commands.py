"""The commands, and what each is called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from medweave import __version__
from medweave.faces.cli import (
    ask,
    assess,
    build,
    classify,
    demo,
    duplicates,
    evaluate,
    exchange,
    extract,
    guideline,
    ontology,
    query,
    reason,
    review,
    show,
    similar,
    stats,
    train,
    tune,
    understand,
    upkeep,
    vectors,
    weights,
)
from medweave.faces.cli.common import Run

_ABOUT = """Answers about diseases, drugs and sick children, from documents of your own.

Every sentence leads to the place in the document it rests on, and what speaks against a drug for
this person comes before everything else. It runs on this machine: no server, no key, no network.

Begin with: `medweave ask "Can I give ibuprofen to a patient on warfarin?"`
"""
_ASK = "Ask"
_CHILD = "A sick child"
_BASE = "A base of your own"
_CARE = "Looking after a base"
_MEASURE = "Measure and learn"

app = typer.Typer(
    help=_ABOUT,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)


def _command(panel: str, name: str, command: Callable[..., None], example: str) -> None:
    """Add a command, with an example of it below its help."""
    app.command(name, rich_help_panel=panel, epilog=f"Example: `medweave {example}`")(command)


def _group(panel: str, name: str, commands: typer.Typer, example: str) -> None:
    """Add several commands under one name."""
    app.add_typer(
        commands, name=name, rich_help_panel=panel, epilog=f"Example: `medweave {example}`"
    )


_command(_ASK, "ask", ask.ask, 'ask "Which painkiller can a pregnant woman take?"')
_command(_ASK, "show", show.show, "show ibuprofen")
_command(_ASK, "query", query.query, """query '["?", "has_symptom", "cough"]'""")
_command(_ASK, "similar", similar.similar, 'similar "My child coughs at night" --k 3')
_command(_ASK, "understand", understand.understand, 'understand "no fever, but a cough"')
_command(_ASK, "demo", demo.demo, "demo")
_command(_CHILD, "assess", assess.assess, "assess --age 10mo --weight 8.2kg --note note.html")
_command(
    _CHILD,
    "classify",
    classify.classify,
    "classify --age 10mo --weight 8.2kg --findings child.json",
)
_group(_CHILD, "guideline", guideline.app, "guideline check my-guideline.yaml")
_command(_BASE, "build", build.build, "build --kb my.db monographs.jsonl")
_command(_BASE, "add", build.add, "add --kb my.db leaflets/")
_command(_BASE, "remove", build.remove, "remove --kb my.db monographs.jsonl")
_command(_BASE, "stats", stats.stats, "stats --kb my.db")
_command(_BASE, "duplicates", duplicates.duplicates, "duplicates --kb my.db")
_command(_BASE, "extract", extract.extract, "extract abstracts.nbib --json")
_group(_BASE, "ontology", ontology.app, "ontology show causalamd")
_command(_BASE, "export", exchange.export, "export --kb my.db --format trig --out my.trig")
_command(_BASE, "import", exchange.import_, "import --kb copy.db my.trig")
_command(_BASE, "review", review.review, "review --kb my.db --list")
_command(_BASE, "reason", reason.reason, "reason --kb my.db --ontology mine.yaml")
_command(_BASE, "sparql", exchange.sparql, "sparql 'SELECT * WHERE { ?s ?p ?o } LIMIT 9'")
_command(_CARE, "check", upkeep.check, "check --kb my.db")
_command(_CARE, "backup", upkeep.backup, "backup --kb my.db copy.db")
_command(_CARE, "compact", upkeep.compact, "compact --kb my.db")
_group(_CARE, "vectors", vectors.app, "vectors make --kb my.db")
_group(_CARE, "weights", weights.app, "weights install")
_command(_MEASURE, "evaluate", evaluate.evaluate, "evaluate diagnosis cases.jsonl --kb my.db")
_group(_MEASURE, "train", train.app, "train intents questions.jsonl --out my-intents.json")
_group(_MEASURE, "tune", tune.app, "tune dialogues --kb my.db --queries messages.jsonl")


@app.callback(invoke_without_command=True)
def options(  # noqa: D103 - its help is that of the program, above
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks.")] = False,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    Run.debug = debug
    if version:
        typer.echo(__version__)
        raise typer.Exit
