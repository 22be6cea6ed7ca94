"""The table `spelling`: the words of all names of a base, by which misspelt ones are found."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable

from medweave.language.folding import name_key
from medweave.language.slips import end_length, name_words, within

_NEAR = (
    "SELECT word FROM spelling WHERE word BETWEEN ? AND ? AND length(word) BETWEEN ? AND ?"
    " UNION SELECT word FROM spelling WHERE back BETWEEN ? AND ? AND length(back) BETWEEN ? AND ?"
)
_BEHIND = "{"
"""It comes behind all letters."""


def words_like(connection: sqlite3.Connection, word: str, slips: int) -> frozenset[str]:
    """The words of names that a word may be; see `SupportsWords.words_like`."""
    if not slips:
        query = "SELECT word FROM spelling WHERE word = ?"
        return frozenset(row[0] for row in connection.execute(query, (word,)))
    length, ends = len(word), end_length(word, slips)
    lengths = (length - slips, length + slips)
    first, last = word[:ends], word[: -ends - 1 : -1]
    found = connection.execute(
        _NEAR, (first, first + _BEHIND, *lengths, last, last + _BEHIND, *lengths)
    )
    return within(word, (row[0] for row in found), slips)


def spell(connection: sqlite3.Connection, names: Iterable[str]) -> None:
    """Count the words of further names."""
    connection.executemany(
        "INSERT INTO spelling VALUES (?, ?, ?)"
        " ON CONFLICT (word) DO UPDATE SET names = names + excluded.names",
        [(word, word[::-1], number) for word, number in counted(names).items()],
    )


def unspell(connection: sqlite3.Connection, names: Iterable[str]) -> None:
    """Take the words of names out that are gone."""
    gone = counted(names)
    connection.executemany(
        "UPDATE spelling SET names = names - ? WHERE word = ?",
        [(number, word) for word, number in gone.items()],
    )
    connection.executemany(
        "DELETE FROM spelling WHERE word = ? AND names = 0", [(word,) for word in gone]
    )


def spell_all(connection: sqlite3.Connection) -> None:
    """Make the table anew."""
    connection.execute("DELETE FROM spelling")
    spell(connection, (row[0] for row in connection.execute("SELECT name FROM name")))


def counted(names: Iterable[str]) -> Counter[str]:
    """How many of some names each word is in."""
    return Counter(word for name in names for word in name_words(name_key(name)))
