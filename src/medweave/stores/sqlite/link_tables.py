"""The tables of links between vectors, as migrations add them. They are never changed."""

from __future__ import annotations

LINK_TABLES = """
-- The least cosine by which a space is linked; no row where it is not.
CREATE TABLE vector_linked (space TEXT PRIMARY KEY, least REAL NOT NULL) WITHOUT ROWID;
-- Vectors (by their numbers) that were compared with all others that stand here.
CREATE TABLE vector_compared (vector INTEGER PRIMARY KEY);
-- Pairs of vectors that are near. It goes with either of them.
CREATE TABLE vector_link (
    low INTEGER NOT NULL, high INTEGER NOT NULL, cosine REAL NOT NULL, PRIMARY KEY (low, high)
) WITHOUT ROWID;
CREATE INDEX vector_link_high ON vector_link (high);
"""

LINKS_NUMBERED = """
ALTER TABLE vector_linked RENAME TO old_linked;
ALTER TABLE vector_link RENAME TO old_link;
DROP INDEX vector_link_high;
-- By what a space is linked, and the last number of any link before it was.
CREATE TABLE vector_linked (
    space TEXT PRIMARY KEY, least REAL NOT NULL, after INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO vector_linked SELECT space, least, 0 FROM old_linked;
-- A number is never given twice: what is newer has a greater one.
CREATE TABLE vector_link (
    n INTEGER PRIMARY KEY AUTOINCREMENT, low INTEGER NOT NULL, high INTEGER NOT NULL,
    cosine REAL NOT NULL
);
INSERT INTO vector_link (low, high, cosine) SELECT low, high, cosine FROM old_link;
CREATE UNIQUE INDEX vector_link_low ON vector_link (low, high);
CREATE INDEX vector_link_high ON vector_link (high);
-- Vectors of spaces that are linked which are still to be compared: what is new, not what is old.
CREATE TABLE vector_waiting (vector INTEGER PRIMARY KEY);
INSERT INTO vector_waiting SELECT n FROM vector WHERE space IN (SELECT space FROM vector_linked)
    AND n NOT IN (SELECT vector FROM vector_compared);
DROP TABLE vector_compared;
DROP TABLE old_link;
DROP TABLE old_linked;
"""
