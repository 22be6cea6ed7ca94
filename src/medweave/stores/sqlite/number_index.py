"""Walking a base in SQLite by the numbers of things and statements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from medweave.model.edge import Edge, asked_number, statement_number
from medweave.model.statement import SupportedStatement
from medweave.stores.sqlite.opening import store_errors
from medweave.stores.sqlite.reader import ENDS, STATEMENT, SqliteReader, at_once, chunks

_EDGE = "SELECT s.subject, s.object, s.n, s.strength, s.denied FROM statement s WHERE "


class SqliteNumbers(SqliteReader):
    """See `SupportsNumbers` for what each method promises."""

    @at_once
    def edges(
        self, things: Iterable[int], predicates: Iterable[str], *, cap: int = 1000
    ) -> list[Edge]:
        words = self._words(predicates)
        found: dict[int, Edge] = {}
        ends = [(end, of) for end, of in ENDS if of == "NULL"]
        for query, values in self._touching(list(dict.fromkeys(things)), words, cap, ends):
            for row in self._all(_EDGE + query, *values):
                found[row[2]] = Edge._make(row)
        return [found[n] for n in sorted(found)]

    @at_once
    def degrees(self, things: Iterable[int], predicates: Iterable[str]) -> dict[int, int]:
        words = self._words(predicates)
        by = f"s.predicate IN ({','.join('?' * len(words))}) AND s.literal IS NULL"
        counted: Counter[int] = Counter()
        distinct = dict.fromkeys(things)
        for end in ("subject", "object"):
            for chunk in chunks(distinct):
                marks = ",".join("?" * len(chunk))
                counted.update(dict(self._all(
                    f"SELECT s.{end}, COUNT(*) FROM statement s"
                    f" WHERE s.{end} IN ({marks}) AND {by} GROUP BY s.{end}",
                    *chunk, *words,
                )))  # fmt: skip
        return dict(counted)

    def all_edges(self, predicates: Iterable[str]) -> Iterator[Edge]:
        words = self._words(predicates)
        marks = ",".join("?" * len(words))
        with store_errors(self._path):
            yield from map(
                Edge._make,
                self._connection.execute(
                    f"{_EDGE} s.literal IS NULL AND s.predicate IN ({marks}) ORDER BY s.n", words
                ),
            )

    def identifiers(self, things: Iterable[int]) -> dict[int, str]:
        return dict(self._in("SELECT n, id FROM entity WHERE n IN ({})", dict.fromkeys(things)))

    @at_once
    def statements(self, identifiers: Iterable[str | int]) -> list[SupportedStatement]:
        distinct = list(dict.fromkeys(identifiers))
        numbers = {i: asked_number(i) for i in distinct}
        query = f"SELECT {STATEMENT} FROM statement s WHERE s.n IN ({{}})"
        found = {
            key: supported
            for supported in self._supported(self._in(query, set(numbers.values())))
            for key in (supported.statement.id, statement_number(supported.statement.id))
        }
        ordered = {found[i].statement.id: found[i] for i in distinct if i in found}
        return list(ordered.values())
