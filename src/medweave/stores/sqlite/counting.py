"""How much there is of what in a base in SQLite, and where it comes from."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter

from medweave.model.passage import NUMBER, whole_of
from medweave.model.statement import Activity
from medweave.model.topology import Topology
from medweave.ports import ConceptOf, Counts, Tally
from medweave.stores.sqlite.opening import store_errors
from medweave.stores.sqlite.reader import SqliteReader, at_once
from medweave.stores.topology import count_topology


class SqliteCounts(SqliteReader):
    """See `SupportsCounts`, `SupportsSources` and their like in `medweave.ports`."""

    def build_keys(self, source: str) -> dict[str, str]:
        return dict(self._all("SELECT id, build_key FROM document WHERE source = ?", source))

    def activities(self) -> list[Activity]:
        rows = self._all("SELECT content FROM activity ORDER BY id")
        contents = [json.loads(row[0]) for row in rows]
        return [Activity(*content) for content in contents if content is not None]

    def documents_called(self, name: str) -> list[str]:
        rows = self._all("SELECT id FROM document WHERE name = ? OR id = ?", name, name)
        return sorted(row[0] for row in rows)

    def passages_called(self, name: str) -> list[str]:
        first, behind = f"{name}{NUMBER}", f"{name}{chr(ord(NUMBER) + 1)}"
        rows = self._all(
            "SELECT id, name FROM document WHERE name >= ? AND name < ?", first, behind
        )
        return sorted(row[0] for row in rows if name and whole_of(row[1]) == name)

    def sources(self) -> list[str]:
        """See `SupportsSources.sources`. Leaps from source to source, over all their documents."""
        rows = self._all(
            "WITH RECURSIVE found(source) AS (SELECT MIN(source) FROM document UNION ALL"
            " SELECT (SELECT MIN(d.source) FROM document d WHERE d.source > found.source)"
            " FROM found WHERE found.source IS NOT NULL)"
            " SELECT source FROM found WHERE source IS NOT NULL"
        )
        return [row[0] for row in rows]

    def statements_from(self, documents: Iterable[str]) -> dict[str, int]:
        asked = dict.fromkeys(documents, 0)
        rows = self._in(
            "SELECT d.id, COUNT(DISTINCT e.statement) FROM evidence e"
            " JOIN document d ON d.n = e.document WHERE d.id IN ({}) GROUP BY d.n",
            asked,
        )
        return asked | dict(rows)

    def counts(self) -> Counts:
        """See `SupportsCounts.counts`; kept in step by every write, so that no size is felt."""
        held: dict[str, str] = dict(self._all("SELECT key, value FROM meta"))
        parts = ("documents", "statements", "evidence", "entities")
        return Counts(*(int(held[part]) for part in parts))

    def tally(self) -> Tally:
        predicates = self._all(
            "SELECT w.text, COUNT(*) FROM statement s JOIN word w ON w.n = s.predicate"
            " GROUP BY s.predicate"
        )
        classes = self._all(
            "SELECT m.class, COUNT(*) FROM evidence e JOIN manner m ON m.n = e.manner"
            " GROUP BY m.class"
        )
        conflicts = self._all(
            "SELECT COUNT(*) FROM (SELECT 1 FROM evidence e JOIN manner m ON m.n = e.manner"
            " GROUP BY e.statement HAVING MIN(m.polarity) < 0 AND MAX(m.polarity) > 0)"
        )
        return Tally(dict(predicates), dict(classes), int(conflicts[0][0]))

    @at_once
    def topology(self, concept_of: ConceptOf) -> Topology:
        """See `SupportsCounts.topology`. Degrees are counted by SQLite, along its two indexes."""
        run = self._connection.execute
        ends = " UNION ALL ".join(
            f"SELECT {end} AS thing, COUNT(*) AS k FROM statement WHERE literal IS NULL"
            f" GROUP BY {end}"
            for end in ("subject", "object")
        )
        with store_errors(self._path):
            votes = run(
                "SELECT n.entity, n.concept, COUNT(*) FROM name n JOIN mention m ON m.name = n.n"
                " GROUP BY n.entity, n.concept ORDER BY n.entity"
            )
            return count_topology(
                ((n, {r[1]: r[2] for r in rows}) for n, rows in groupby(votes, itemgetter(0))),
                run(f"SELECT thing, SUM(k) FROM ({ends}) GROUP BY thing"),
                run("SELECT subject, object FROM statement WHERE literal IS NULL ORDER BY subject"),
                concept_of,
            )
