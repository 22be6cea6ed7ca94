"""The commands, and what each is called.

Only the file of the command that is given is read: reading all of them took 0.2 s.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Annotated, Any, NamedTuple

import typer

from medweave import __version__
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
_SERVE = "Serve"
_MEASURE = "Measure and learn"


class Command(NamedTuple):
    """A command, or several under one name."""

    panel: str
    name: str
    place: str
    """Its file and its function; several are an `app`."""
    example: str
    """Shown below its help."""

    def add_to(self, app: typer.Typer) -> None:
        """Read its file, and add it."""
        file, _, function = self.place.partition(":")
        found: Any = getattr(import_module(f"medweave.faces.cli.{file}"), function)
        how: dict[str, Any] = {
            "rich_help_panel": self.panel,
            "epilog": f"Example: `medweave {self.example}`",
        }
        if isinstance(found, typer.Typer):
            app.add_typer(found, name=self.name, **how)
        else:
            app.command(self.name, **how)(found)


COMMANDS = (
    Command(_ASK, "ask", "ask:ask", 'ask "Which painkiller can a pregnant woman take?"'),
    Command(_ASK, "show", "show:show", "show ibuprofen"),
    Command(_ASK, "query", "query:query", """query '["?", "has_symptom", "cough"]'"""),
    Command(_ASK, "verify", "verify:verify", 'verify "Gout can cause joint pain."'),
    Command(_ASK, "similar", "similar:similar", 'similar "My child coughs at night" --k 3'),
    Command(_ASK, "understand", "understand:understand", 'understand "no fever, but a cough"'),
    Command(_ASK, "serve", "serve:serve", "serve --kb my.db"),
    Command(_ASK, "demo", "demo:demo", "demo"),
    Command(_CHILD, "assess", "assess:assess", "assess --age 10mo --weight 8.2kg --note note.html"),
    Command(
        _CHILD,
        "classify",
        "classify:classify",
        "classify --age 10mo --weight 8.2kg --findings child.json",
    ),
    Command(_CHILD, "guideline", "guideline:app", "guideline check my-guideline.yaml"),
    Command(_BASE, "build", "build:build", "build --kb my.db monographs.jsonl"),
    Command(_BASE, "add", "build:add", "add --kb my.db leaflets/"),
    Command(_BASE, "remove", "build:remove", "remove --kb my.db monographs.jsonl"),
    Command(_BASE, "stats", "stats:stats", "stats --kb my.db"),
    Command(_BASE, "connect", "connect:connect", "connect mysql://127.0.0.1:3306/clinic --suggest"),
    Command(_BASE, "duplicates", "duplicates:duplicates", "duplicates --kb my.db"),
    Command(_BASE, "extract", "extract:extract", "extract abstracts.nbib --json"),
    Command(_BASE, "ontology", "ontology:app", "ontology show causalamd"),
    Command(_BASE, "export", "exchange:export", "export --kb my.db --format trig --out my.trig"),
    Command(_BASE, "import", "exchange:import_", "import --kb copy.db my.trig"),
    Command(_BASE, "review", "review:review", "review --kb my.db --list"),
    Command(_BASE, "reason", "reason:reason", "reason --kb my.db --ontology mine.yaml"),
    Command(_BASE, "sparql", "exchange:sparql", "sparql 'SELECT * WHERE { ?s ?p ?o } LIMIT 9'"),
    Command(_CARE, "check", "upkeep:check", "check --kb my.db"),
    Command(_CARE, "backup", "upkeep:backup", "backup --kb my.db copy.db"),
    Command(_CARE, "copy", "copy:copy", "copy my.db mysql://127.0.0.1:3306/clinic"),
    Command(_CARE, "compact", "upkeep:compact", "compact --kb my.db"),
    Command(_CARE, "vectors", "vectors:app", "vectors make --kb my.db"),
    Command(_CARE, "model", "model:app", "model check --model ollama:qwen3:8b"),
    Command(_CARE, "weights", "weights:app", "weights install"),
    Command(_SERVE, "mcp", "mcp:mcp", "mcp --kb my.db"),
    Command(_SERVE, "key", "key:app", "key add ward-3 --scope read --expires 30d --keys keys.json"),
    Command(_SERVE, "audit", "audit:app", "audit verify audit.jsonl"),
    Command(_MEASURE, "evaluate", "evaluate:evaluate", "evaluate diagnosis cases.jsonl --kb my.db"),
    Command(_MEASURE, "train", "train:app", "train intents questions.jsonl --out my-intents.json"),
    Command(_MEASURE, "tune", "tune:app", "tune dialogues --kb my.db --queries messages.jsonl"),
)


def program_for(arguments: Sequence[str]) -> Any:
    """All that these arguments need of `medweave`: one command, or each where none is named."""
    first = next((one for one in arguments if one != "--debug"), "")
    return program(first if first in {command.name for command in COMMANDS} else "")


@cache
def program(name: str = "") -> Any:
    """`medweave` with all its commands, or with the one of a name alone."""
    app = typer.Typer(
        help=_ABOUT,
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode="markdown",
    )
    app.callback(invoke_without_command=True)(options)
    for command in COMMANDS:
        if name in ("", command.name):
            command.add_to(app)
    return typer.main.get_command(app)


def options(  # noqa: D103 - its help is that of the program
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks.")] = False,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    Run.debug = debug
    if version:
        typer.echo(__version__)
        raise typer.Exit
