"""The tables of links between vectors, as a migration adds them. It is never changed."""

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
