"""Looking after a base that is kept as versioned rows: is it whole, and a copy of it in a file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path

from medweave.errors import StoreError
from medweave.model.answer import BaseVersion
from medweave.model.base_hash import add_terms, as_text, evidence_term
from medweave.model.document import Extraction
from medweave.model.edge import statement_number, thing_number
from medweave.model.entity import NameMention
from medweave.model.statement import Activity, Evidence
from medweave.ports import Compacted, Counts, Problem, Progress, no_progress
from medweave.stores.sqlite.store import SqliteStore
from medweave.stores.sqlite.upkeep import check_destination, move, unfinished
from medweave.stores.versioned.counted import counts_in
from medweave.stores.versioned.forms import (
    DOCUMENT,
    EVIDENCE,
    NAME,
    STATEMENT,
    activity_of,
    document_of,
    evidence_of,
    mention_of,
    statement_of,
)
from medweave.stores.versioned.reader import VersionedReader
from medweave.stores.versioned.rows import Row

_DOCUMENTS = 200
"""So many documents are read at once, with all that they contribute."""
_SHOWN = 3


class VersionedUpkeep(VersionedReader):
    """See `SupportsUpkeep`."""

    def check(self, *, progress: Progress = no_progress) -> list[Problem]:
        """See `SupportsUpkeep.check`: everything is read once, some documents at a time."""
        with self.snapshot():
            return list(self._problems(progress))

    def _problems(self, progress: Progress) -> Iterator[Problem]:
        at, total = self._at(), 0
        documents = [row["n"] for row in self._find("document", ("n",), at)]
        supported: set[int] = set()
        changed: list[str] = []
        for start in range(0, len(documents), _DOCUMENTS):
            progress(start, len(documents), "documents")
            part = documents[start : start + _DOCUMENTS]
            for row in self._find("evidence", EVIDENCE, at, document_n=part):
                item = evidence_of(row)
                total = add_terms(total, evidence_term(item, row["document_name"]))
                supported.add(statement_number(item.statement))
                if thing_number(item.id) != row["n"]:
                    changed.append(item.id)
        statements: set[int] = set()
        for row in self._find("statement", STATEMENT, at):
            statements.add(row["n"])
            if statement_number(statement_of(row).id) != row["n"]:
                changed.append(statement_of(row).id)
        if as_text(total) != self._header()["total"]:
            yield Problem("facts", "hash that is not that of the evidence", 1)
        held = self._tally("evidence", "document_n", at)
        named = len(self._tally("name", "thing_n", at))
        counted = Counts(len(documents), len(statements), sum(held.values()), named)
        if counts_in(self._header()) not in (None, counted):
            yield Problem("facts", "counts that are not those of what is there", 1)
        yield from _problem("pieces of evidence without their document", held.keys() - documents)
        yield from _problem("pieces of evidence without their statement", supported - statements)
        yield from _problem("statements without evidence", statements - supported)
        yield from _problem("rows that are not what they say", changed)

    def backup(
        self, path: Path, *, replace: bool = False, progress: Progress = no_progress
    ) -> BaseVersion:
        """See `SupportsUpkeep.backup`. The copy is a base of its own, in SQLite."""
        check_destination(path, None, replace=replace)
        with unfinished(path) as part, self.snapshot():
            version = self.version()
            with closing(SqliteStore.open(part, create=True)) as copy:
                with copy.transaction():
                    self._copy(copy, progress)
                if copy.version().hash != version.hash:
                    raise StoreError(
                        "the copy is not what the base says it is",
                        where=str(path),
                        remedy="look at the base with `medweave check`",
                    )
            move(part, path)
        return version

    def _copy(self, copy: SqliteStore, progress: Progress) -> None:
        copy.put(self.extractions(progress=progress))
        for row in self._find("note", ("key", "text"), self._at()):
            copy.set_note(row["key"], row["text"])

    def compact(self, *, progress: Progress = no_progress) -> Compacted:  # noqa: ARG002
        """See `SupportsUpkeep.compact`: that is the affair of the server."""
        raise StoreError(
            "the server of this base gives back room by itself",
            where=self._where,
            remedy="look at the base with `medweave check`",
        )

    def extractions(self, *, progress: Progress = no_progress) -> Iterator[Extraction]:
        """All documents with what they contribute, by their numbers; vectors are left out."""
        at = self._at()
        numbers = sorted(row["n"] for row in self._find("document", ("n",), at))
        left = iter(numbers)
        done = 0
        while part := list(islice(left, _DOCUMENTS)):
            progress(done, len(numbers), "documents")
            yield from self._extractions(part, at)
            done += len(part)

    def _extractions(self, numbers: Sequence[int], at: int) -> Iterator[Extraction]:
        evidence: dict[str, list[Evidence]] = defaultdict(list)
        for row in self._find("evidence", EVIDENCE, at, document_n=numbers):
            evidence[row["document"]].append(evidence_of(row))
        names: dict[str, list[NameMention]] = defaultdict(list)
        for row in self._find("name", NAME, at, document_n=numbers):
            names[row["document"]].append(mention_of(row))
        named = {statement_number(e.statement) for some in evidence.values() for e in some}
        found = map(statement_of, self._find("statement", STATEMENT, at, n=named))
        statements = {one.id: one for one in found}
        documents = list(self._find("document", (*DOCUMENT, "build_key", "run_n"), at, n=numbers))
        runs = self._runs({row["run_n"] for row in documents}, at)
        for row in documents:
            document = document_of(row)
            items = sorted(evidence[document.id], key=lambda item: item.id)
            yield Extraction(
                document=document,
                build_key=row["build_key"],
                statements=tuple({e.statement: statements[e.statement] for e in items}.values()),
                evidence=tuple(items),
                mentions=tuple(names[document.id]),
                activity=runs[row["run_n"]],
            )

    def _runs(self, numbers: Iterable[int], at: int) -> dict[int, Activity]:
        rows: Iterable[Row] = self._find("run", ("n", "content"), at, n=numbers)
        return {row["n"]: activity_of(row) for row in rows}


def _problem(what: str, found: Iterable[object]) -> Iterator[Problem]:
    some = sorted(map(str, found))
    if some:
        yield Problem("facts", what, len(some), tuple(some[:_SHOWN]))
