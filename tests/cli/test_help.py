"""The help: each command is in a group by task, and its example is understood."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any

import pytest

from medweave.faces.cli.commands import program

ROOT: Any = program()


def examples() -> Iterator[tuple[str, list[str]]]:
    for name, command in ROOT.commands.items():
        shown = command.epilog.removeprefix("Example: `medweave ").removesuffix("`")
        yield name, shlex.split(shown)


@pytest.mark.parametrize(("name", "words"), list(examples()), ids=lambda value: str(value)[:12])
def test_an_example_is_of_its_command_and_is_understood(name: str, words: list[str]) -> None:
    assert words[0] == name
    command, rest = ROOT.commands[name], words[1:]
    while hasattr(command, "commands"):
        command, rest = command.commands[rest[0]], rest[1:]
    with command.make_context(name, rest):
        pass


def test_commands_stand_in_few_groups_by_task() -> None:
    panels = [command.rich_help_panel for command in ROOT.commands.values()]
    assert panels[0] == "Ask"
    assert len(set(panels)) <= 6
