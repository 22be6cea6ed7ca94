"""What a text claims and what a base has on it, in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

if TYPE_CHECKING:
    from rich.console import Console

    from medweave.model.claim import Claim, Verified

_WRONG = {
    "number": "no record has this number or this age",
    "negation": "this denies what is recorded, or says what is denied",
    "relation": "what is recorded of these two is something else",
    "entity": "this is not recorded of it",
    "direction": "it is recorded the other way round",
    "dose": "no treatment step gives this dose",
    "unknown": "nothing that could be held against the base was read in it",
}
_SHOWN = 3


def print_claims(checked: Verified, console: Console) -> None:
    """The verdict, then each claim with what it stands on or what is wrong with it."""
    style = {"supported": "green", "partly": "yellow"}.get(checked.verdict, "red")
    console.print(Text(checked.verdict, style=f"bold {style}"))
    for claim in checked.claims:
        console.print(Text(f"  {claim.text}"))
        said = Text("    ") + Text(_verdict(claim), style="green" if claim.supported else "red")
        console.print(said)
        for identifier in claim.statements[:_SHOWN]:
            first = checked.statements[identifier].evidence[0]
            name = checked.documents[first.document].name
            console.print(Text(f"    {first.quote}  ", style="dim") + Text(name, style="dim"))
    for line in checked.heard.missing:
        console.print(Text(line, style="yellow"))


def _verdict(claim: Claim) -> str:
    if claim.reason is None:
        return "supported"
    said = "the base denies it" if claim.denied else "the base does not say so"
    return f"unsupported: {said} ({_WRONG[claim.reason]})"
