"""What changed between two guidelines, line by line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from medweave.guideline.versions.difference import Change, Difference
    from medweave.guideline.versions.rerun import Rerun

_HEADS = {
    "guideline": "The guideline",
    "condition": "Conditions",
    "classification": "Classifications",
    "treatment": "Treatments",
    "observation": "Observations",
    "table": "Reference tables",
}
_SHOWN = 20
"""So many changed cases are told, and so many changes within one."""


def difference_lines(
    found: Difference, cases: Rerun | None = None, words: Callable[[str], str] = str
) -> Iterator[str]:
    """What matters first, by what it is about; then wording; then the cases. `words` tells what is
    said in another language."""
    yield f"{found.old} → {found.new}"
    matters = [each for each in found.changes if not each.wording]
    wording = [each for each in found.changes if each.wording]
    if not found.changes:
        yield words("they say the same")
    elif not matters:
        yield words("they differ in words alone")
    for about, head in _HEADS.items():
        yield from _section(head, [each for each in matters if each.about == about], words)
    yield from _section("Wording", wording, words)
    if cases is not None:
        yield from _cases(cases)


def _section(head: str, changes: list[Change], words: Callable[[str], str]) -> Iterator[str]:
    if not changes:
        return
    yield ""
    yield words(head)
    for change in changes:
        yield from _change_lines(change, words)


def _change_lines(change: Change, words: Callable[[str], str]) -> Iterator[str]:
    label = words(change.label)
    named = label if change.label in ("", change.id) else f"{label} ({change.id})"
    old, new = words(change.old or "nothing"), words(change.new or "nothing")
    if change.how == "added":
        yield f"  + {named}: {new}"
    elif change.how == "removed":
        yield f"  - {named}: {old}"
    elif change.rule:
        yield f"  ~ {named}: {words(change.what)}"
        for each in change.rule:
            yield f"      {words(each.words())}"
    else:
        start = f"{named}: " if named else ""
        yield f"  ~ {start}{words(change.what)}: {old} → {new}"


def _came_out(what: str, old: str, new: str) -> str:
    if what == "given":
        return f"now given: {new}" if new else f"not given any more: {old}"
    return f"{what}: {old} → {new}"


def _cases(cases: Rerun) -> Iterator[str]:
    yield ""
    yield cases.sentence()
    for case in cases.changed[:_SHOWN]:
        yield f"  {case.id}"
        for what, old, new in case.changes[:_SHOWN]:
            yield "    " + _came_out(what, old, new)
        if len(case.changes) > _SHOWN:
            yield f"    and {len(case.changes) - _SHOWN} more"
    if len(cases.changed) > _SHOWN:
        yield f"  and {len(cases.changed) - _SHOWN} more: --json lists them all"
    for name, why in cases.unread[:_SHOWN]:
        yield f"  {name}: {why}"
