"""`medweave review`: what a person decides about the statements of a base."""

from __future__ import annotations

import json as json_of_python
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from medweave.errors import ConfigurationError
from medweave.faces.cli.common import print_json, reading, writing
from medweave.faces.cli.options import Json, Kb

if TYPE_CHECKING:
    from medweave.knowledge_base import KnowledgeBase
    from medweave.model.decision import Decision, Verdict
    from medweave.model.statement import SupportedStatement

_QUOTES = 3
"""So many pieces of evidence are shown beside a statement."""
_KEYS = "a accept · r reject · c correct · s skip · q quit"
_VERDICTS: dict[str, Verdict] = {"a": "accepted", "r": "rejected"}


def review(
    statement: Annotated[str, typer.Argument(help="The id of a statement (st:…).")] = "",
    kb: Kb = "",
    accept: Annotated[bool, typer.Option("--accept", help="It holds.")] = False,
    reject: Annotated[
        bool, typer.Option("--reject", help="It does not: no answer has it.")
    ] = False,
    correct: Annotated[
        str, typer.Option("--correct", help='What holds in its place: {"object": "fever"}.')
    ] = "",
    new: Annotated[
        str, typer.Option("--new", help="What a name in it is that nothing has yet: symptom.")
    ] = "",
    by: Annotated[str, typer.Option("--by", help="Who decides.")] = "",
    list_: Annotated[bool, typer.Option("--list", help="Show what was decided.")] = False,
    json: Json = False,
) -> None:
    """Accept, reject or correct the statements of a base; one after the other, or one by its id.

    What was decided stays when sources are read anew, and goes along with export and import.
    """
    if list_ or not statement:
        _check_alone(statement, accept or reject or bool(correct))
    if list_:
        _show_decisions(kb, json=json)
    elif not statement:
        _ask_one_by_one(kb, by)
    else:
        if new and not correct:
            raise ConfigurationError(
                "only a correction has something new",
                where=f"--new {new}",
                remedy="give it with --correct JSON",
            )
        verdict = _verdict(accept=accept, reject=reject, correct=correct)
        with writing(kb, create=False) as base:
            made = base.review(statement, verdict, by=by, correction=_correction(correct), new=new)
            _tell(base, made, json=json)


def _check_alone(statement: str, decides: bool) -> None:
    if statement or decides:
        raise ConfigurationError(
            "a decision needs the id of one statement, and --list none",
            where="medweave review",
            remedy="give STATEMENT with one of --accept, --reject, --correct; or --list alone",
        )


def _verdict(*, accept: bool, reject: bool, correct: str) -> Verdict:
    if accept + reject + bool(correct) != 1:
        raise ConfigurationError(
            "one decision is needed, and one alone",
            where="medweave review",
            remedy="give one of --accept, --reject, --correct JSON",
        )
    return "accepted" if accept else "rejected" if reject else "corrected"


def _correction(text: str) -> dict[str, str] | None:
    """The parts to put right; `ConfigurationError` for what is no JSON object."""
    if not text:
        return None
    try:
        found: Any = json_of_python.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, dict) or not found:
        raise ConfigurationError(
            "this is no correction",
            where=f"--correct {text}",
            remedy='give JSON such as {"subject": "aspirin", "object": "fever"}, in names',
        )
    return found


def _show_decisions(kb: str, *, json: bool) -> None:
    from medweave.faces.texts.visible import visible

    with reading(kb) as base:
        made, left = base.decisions(), len(base.undecided())
        if json:
            print_json({"open": left, "decisions": [each.to_json() for each in made]})
            return
        for each in made:
            who = f"by {each.by or 'unnamed'}, {each.time[:10]}"
            line = f"{each.verdict} {each.statement.id} {who}: {_in_words(base, each)}"
            sys.stdout.write(visible(line) + "\n")
        sys.stdout.write(f"{len(made)} decided, {left} open\n")


def _tell(base: KnowledgeBase, made: Decision, *, json: bool) -> None:
    from medweave.faces.texts.visible import visible

    if json:
        print_json(made.to_json())
        return
    sys.stdout.write(visible(f"{made.verdict}: {_in_words(base, made)}") + "\n")


def _in_words(base: KnowledgeBase, made: Decision) -> str:
    """What was decided about, and what took its place."""
    from medweave.graph.corrections import words_of

    stated = [made.statement, made.replacement] if made.replacement else [made.statement]
    return " → ".join(words_of(each, base.knowledge) for each in stated)


def _ask_one_by_one(kb: str, by: str) -> None:
    """Show each statement with its evidence, and take a decision; until all are, or it is left."""
    if not sys.stdin.isatty():
        raise ConfigurationError(
            "going through the statements one by one needs a terminal",
            where="medweave review",
            remedy="give STATEMENT with --accept, --reject or --correct, or --list",
        )
    with writing(kb, create=False) as base:
        waiting = base.undecided()
        for number, supported in enumerate(waiting, 1):
            _show(base, supported, f"{number} of {len(waiting)}")
            if not _decide(base, supported, by):
                return


def _show(base: KnowledgeBase, supported: SupportedStatement, where: str) -> None:
    from medweave.faces.texts.visible import visible
    from medweave.graph.corrections import words_of
    from medweave.model.belief import belief

    statement = supported.statement
    head = f"\n[{where}] {words_of(statement, base.knowledge)}   belief"
    sys.stdout.write(visible(f"{head} {belief(supported.evidence):.2f}   {statement.id}") + "\n")
    for item in supported.evidence[:_QUOTES]:
        side = "" if item.polarity > 0 else "DENIES "
        sys.stdout.write(visible(f"  {side}“{item.quote}”  {item.document}") + "\n")
    if len(supported.evidence) > _QUOTES:
        sys.stdout.write(f"  and {len(supported.evidence) - _QUOTES} more\n")


def _decide(base: KnowledgeBase, supported: SupportedStatement, by: str) -> bool:
    """Take one decision, or none; False when the person wants to leave."""
    from medweave.errors import MedweaveError

    while True:
        try:
            key = input(f"{_KEYS} > ").strip().lower()[:1]
        except EOFError:
            return False
        if key in ("q", "s"):
            return key == "s"
        try:
            if key in _VERDICTS:
                base.review(supported.statement.id, _VERDICTS[key], by=by)
                return True
            if key == "c":
                right = _correction(input('what holds, as {"object": "…"} > ').strip()) or {}
                new = str(right.pop("new", ""))
                about = supported.statement.id
                base.review(about, "corrected", by=by, correction=right, new=new)
                return True
        except MedweaveError as error:
            sys.stdout.write(f"{error}\n")
        except EOFError:
            return False
