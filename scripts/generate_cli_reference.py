"""Writes docs/reference/cli.md from the commands' own help; a test fails when it is stale.

Run it with `.venv/bin/python scripts/generate_cli_reference.py`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from medweave.faces.cli.commands import program

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "cli.md"

_HEAD = """# Command line reference

This page is generated from the commands' help by `scripts/generate_cli_reference.py`.
Do not edit it.

A base is chosen by `--kb`, then by the variable `MEDWEAVE_KB`, then by `kb` in a file
`medweave.toml` in the current folder. Commands that read fall back to the sample base.
Commands that write do not: without a base they end with an error. What else the file may say is on
the page [settings](settings.md).

| exit status | meaning |
|---|---|
| 0 | done; an answer that abstains is done |
| 1 | an error, said in one line on stderr: what, where, what to do |
| 2 | wrong usage |
| 130 | interrupted |

With `--json` an error is also printed on stdout, as
`{"error": {"type", "message", "where", "remedy"}}`.
"""


def reference() -> str:
    """The whole page, as it should be."""
    root: Any = program()
    parts = [_HEAD, "## medweave\n", root.help.strip() + "\n", *_parameters(root)]
    panel = ""
    for name, command in root.commands.items():
        if command.rich_help_panel != panel:
            panel = command.rich_help_panel
            parts.append(f"## {panel}\n")
        parts += _section(name, command)
    return "\n".join(parts)


def _section(name: str, command: Any) -> list[str]:
    """A command; for a group of commands, all of them after it."""
    inner = getattr(command, "commands", {})
    usage = [] if inner else [f"`{_usage(name, command)}`\n", *_parameters(command)]
    below = [part for sub, one in inner.items() for part in _section(f"{name} {sub}", one)]
    example = [command.epilog + "\n"] if command.epilog else []
    return [f"### medweave {name}\n", command.help.strip() + "\n", *usage, *example, *below]


def _usage(name: str, command: Any) -> str:
    words = [f"medweave {name}"]
    options = [p for p in command.params if p.param_type_name == "option"]
    words += ["[OPTIONS]"] if options else []
    for argument in _arguments(command):
        shown = argument.name.upper() + ("…" if argument.nargs != 1 else "")
        words.append(shown if argument.required else f"[{shown}]")
    return " ".join(words)


def _arguments(command: Any) -> list[Any]:
    return [p for p in command.params if p.param_type_name == "argument"]


def _parameters(command: Any) -> list[str]:
    rows = [f"| `{p.name.upper()}` | {_said(p)} |" for p in _arguments(command)]
    rows += [
        f"| `{_option(p)}` | {_said(p)} |"
        for p in command.params
        if p.param_type_name == "option" and p.name != "help"
    ]
    return ["| | |", "|---|---|", *rows, ""] if rows else []


def _option(option: Any) -> str:
    value = "" if option.is_flag else f" {option.name.upper()}"
    return ", ".join(option.opts) + value


def _said(parameter: Any) -> str:
    said = str(parameter.help or "").replace("|", "\\|")
    default = parameter.default
    plain = isinstance(default, int) and not isinstance(default, bool)
    return f"{said} Default: {default}." if plain else said


if __name__ == "__main__":
    PAGE.write_text(reference(), "utf-8")
