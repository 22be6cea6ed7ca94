"""The names of a base in SQLite: found by their keys, beginnings, words and misspellings."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from medweave.model.edge import thing_number
from medweave.model.entity import NameMention
from medweave.ports import MentionCount, SharedName
from medweave.stores.sqlite import spelling
from medweave.stores.sqlite.opening import store_errors
from medweave.stores.sqlite.reader import NAME, SqliteReader, at_once
from medweave.stores.sqlite.rows import mention_of


class SqliteNames(SqliteReader):
    """See `SupportsNames` and `SupportsWords` for what each method promises."""

    def mentions(self, entities: Iterable[str] | None = None) -> list[MentionCount]:
        if entities is None:
            return self._mention_counts("1", ())
        return self._mention_counts("n.entity IN ({})", map(thing_number, set(entities)))

    def named(self, keys: Iterable[str]) -> list[MentionCount]:
        return self._mention_counts("n.key IN ({})", set(keys))

    def begun(self, beginnings: Iterable[str]) -> set[str]:
        """See `SupportsWords.begun`. What follows in the index is looked at, once for each text."""
        prefixes = list(beginnings)
        rows = self._all(
            "SELECT asked.key FROM json_each(?) asked WHERE EXISTS (SELECT 1 FROM name n"
            " WHERE n.key >= asked.value AND n.key < asked.value || char(1114111))",
            json.dumps(prefixes),
        )
        return {prefixes[row[0]] for row in rows}

    def _mention_counts(self, where: str, values: Iterable[Any]) -> list[MentionCount]:
        query = (
            f"SELECT {NAME}, (SELECT COUNT(*) FROM mention WHERE name = n.n)"
            f" FROM name n JOIN entity t ON t.n = n.entity WHERE {where}"
        )
        rows = self._in(query, values) if "{}" in where else self._all(query)
        rows.sort(key=lambda r: (r[0], r[2], r[1], r[3], not r[4], r[5]))
        return [MentionCount(mention_of(row[:6]), row[6]) for row in rows]

    def sharing_words(
        self, words: Iterable[str], concepts: Iterable[str], *, limit: int
    ) -> list[SharedName]:
        rows = self._all(
            "SELECT n.entity, GROUP_CONCAT(w.word, ' '), w.words FROM name_word w"
            " JOIN name n ON n.n = w.name"
            " WHERE w.word IN (SELECT value FROM json_each(?))"
            " AND n.concept IN (SELECT value FROM json_each(?))"
            " GROUP BY w.name ORDER BY CAST(COUNT(*) AS REAL) / w.words DESC, n.entity, w.name"
            " LIMIT ?",
            json.dumps(list(words)), json.dumps(list(concepts)), limit,
        )  # fmt: skip
        return [SharedName(thing, frozenset(shared.split()), of) for thing, shared, of in rows]

    def count_by_word(self, words: Iterable[str], concepts: Iterable[str]) -> dict[str, int]:
        return dict(self._all(
            "SELECT w.word, COUNT(DISTINCT n.entity) FROM name_word w JOIN name n ON n.n = w.name"
            " WHERE w.word IN (SELECT value FROM json_each(?))"
            " AND n.concept IN (SELECT value FROM json_each(?)) GROUP BY w.word",
            json.dumps(list(words)), json.dumps(list(concepts)),
        ))  # fmt: skip

    def words_like(self, words: Iterable[str], *, slips: int) -> dict[str, frozenset[str]]:
        with store_errors(self._path):
            found = {word: spelling.words_like(self._connection, word, slips) for word in words}
        return {word: some for word, some in found.items() if some}

    def by_cross_reference(self, identifiers: Iterable[str]) -> dict[str, list[str]]:
        rows = self._in(
            "SELECT DISTINCT n.xref, t.id FROM name n JOIN entity t ON t.n = n.entity"
            " WHERE n.xref IN ({}) AND n.xref != ''",
            {identifier for identifier in identifiers if identifier},
        )
        found: dict[str, list[str]] = {}
        for identifier, entity in sorted(rows):
            found.setdefault(identifier, []).append(entity)
        return found

    def concept_votes(self) -> Iterator[tuple[str, dict[str, int]]]:
        query = (
            "SELECT t.id, n.concept, COUNT(*) FROM name n JOIN entity t ON t.n = n.entity"
            " JOIN mention m ON m.name = n.n GROUP BY n.entity, n.concept ORDER BY n.entity"
        )
        with store_errors(self._path):
            rows = self._connection.execute(query)
            for entity, votes in groupby(rows, key=lambda row: str(row[0])):
                yield entity, {row[1]: row[2] for row in votes}

    def all_names(self) -> Iterator[MentionCount]:
        query = (
            f"SELECT {NAME}, (SELECT COUNT(*) FROM mention WHERE name = n.n)"
            " FROM name n JOIN entity t ON t.n = n.entity ORDER BY n.key, n.n"
        )
        with store_errors(self._path):
            for row in self._connection.execute(query):
                yield MentionCount(mention_of(row[:6]), row[6])

    @at_once
    def naming_documents(self, entity: str, *, limit: int = 5) -> list[tuple[NameMention, str]]:
        names = self._all(
            f"SELECT {NAME}, n.n FROM name n JOIN entity t ON t.n = n.entity WHERE n.entity = ?",
            thing_number(entity),
        )
        names.sort(key=lambda r: (r[2], r[1], r[3], not r[4], r[5]))
        query = (
            "SELECT d.id FROM mention m JOIN document d ON d.n = m.document WHERE m.name = ?"
            " ORDER BY d.id LIMIT ?"
        )
        return [
            (mention_of(row[:6]), document)
            for row in names
            for (document,) in self._all(query, row[6], limit)
        ]

    def count_mentioned_as(self, concept: str) -> int:
        query = "SELECT COUNT(DISTINCT entity) FROM name WHERE concept = ?"
        return int(self._all(query, concept)[0][0])
