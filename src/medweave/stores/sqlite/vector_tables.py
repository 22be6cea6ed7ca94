"""The tables of vectors, as a migration adds them. Like every migration this is never changed."""

from __future__ import annotations

VECTOR_TABLES = """
-- What made the vectors: one row, none where there are none.
CREATE TABLE vector_model (id TEXT NOT NULL, dimension INTEGER NOT NULL);
-- One vector for each different text, by a digest of text and model; the text is not here.
CREATE TABLE embedding (
    n INTEGER PRIMARY KEY AUTOINCREMENT, text INTEGER NOT NULL UNIQUE, vector BLOB NOT NULL
);
-- What vectors stand for. A number is never given twice: what is newer has a greater one.
CREATE TABLE vector (
    n INTEGER PRIMARY KEY AUTOINCREMENT, space TEXT NOT NULL, key TEXT NOT NULL,
    concept TEXT NOT NULL, embedding INTEGER NOT NULL
);
CREATE UNIQUE INDEX vector_key ON vector (space, key, concept, embedding);
CREATE INDEX vector_embedding ON vector (embedding);
CREATE TABLE vector_document (
    document INTEGER NOT NULL, vector INTEGER NOT NULL, PRIMARY KEY (document, vector)
) WITHOUT ROWID;
CREATE INDEX vector_document_vector ON vector_document (vector);
-- The numbers of vectors that went, and at which revision; what is older is forgotten.
CREATE TABLE vector_gone (vector INTEGER PRIMARY KEY, revision INTEGER NOT NULL);
CREATE INDEX vector_gone_revision ON vector_gone (revision);
"""
