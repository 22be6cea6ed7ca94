"""An exported base into another: all of it, or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from medweave.errors import SourceError
from medweave.graph.builder import BuildReport
from medweave.graph.contents import Contents, extractions_of
from medweave.graph.decisions import put_decided
from medweave.graph.domain import MEDICAL, check_domain
from medweave.ports import StoreView

_VOCABULARY = "vocabulary"


def import_contents(store: StoreView, parts: Sequence[tuple[str, Contents]]) -> BuildReport:
    """Put contents (each with where it came from) into a base, in one transaction.

    Documents that the base holds in the same form are left as they are; those of the same source
    and name in another form are replaced. Raises `SourceError` where the base is about something
    else, or has other words of its own.
    """
    begun = perf_counter()
    before = {document.id for document in store.documents()}
    with store.transaction():
        for where, contents in parts:
            _check(store, contents, where)
            for name, note in contents.notes.items():
                store.set_note(name, note)
            put_decided(store, list(extractions_of(contents)))
    documents = {document.id for _, contents in parts for document in contents.documents}
    return BuildReport(
        documents=len(documents),
        statements=len({each.statement.id for _, c in parts for each in c.statements}),
        entities=len({thing for _, contents in parts for thing in contents.names}),
        unchanged=len(documents & before),
        removed=0,
        skipped=(),
        failed=(),
        seconds=perf_counter() - begun,
        base=store.counts(),
    )


def _check(store: StoreView, contents: Contents, where: str) -> None:
    check_domain(store, contents.notes.get("domain", MEDICAL), where)
    if not store.sources():
        return
    theirs, ours = contents.notes.get(_VOCABULARY), store.note(_VOCABULARY)
    if theirs and theirs != ours:
        raise SourceError(
            "it has words of its own that this base does not know",
            where=where,
            remedy="import it into a new base, or build both with one --vocabulary",
        )
