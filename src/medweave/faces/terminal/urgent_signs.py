"""Signs of danger before what was asked for, where there is no answer to stand in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from medweave.answering.danger import crisis_contact
from medweave.settings import read_settings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console

    from medweave.model.answer import Danger


def print_urgent_signs(signs: Iterable[Danger], emergency: str, console: Console) -> None:
    """Each sign that is there and what to do; then whom to call."""
    for sign in signs:
        if sign.status == "present":
            console.print(Text(f"{sign.text} {sign.advice}".rstrip(), "bold red"))
    if emergency:
        console.print(Text(emergency, "bold red"))


def print_crisis(signs: Iterable[Danger], console: Console, language: str) -> None:
    """What is said to somebody who thinks of suicide or violence, and whom to turn to."""
    found = [sign for sign in signs if sign.kind == "crisis"]
    contact = read_settings().configuration.crisis or crisis_contact(language)
    print_urgent_signs(found, contact, console)
