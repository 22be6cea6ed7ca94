CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE note (key TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
-- Texts that repeat on every row, once each.
CREATE TABLE word (n INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE activity (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, content TEXT NOT NULL);
CREATE TABLE document (
    n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, source TEXT NOT NULL, name TEXT NOT NULL,
    title TEXT NOT NULL, fields BLOB NOT NULL, language TEXT NOT NULL, url TEXT NOT NULL,
    class TEXT NOT NULL, sample INTEGER NOT NULL, line INTEGER NOT NULL,
    content_key TEXT NOT NULL, build_key TEXT NOT NULL
);
CREATE INDEX document_source ON document (source, name);
CREATE INDEX document_name ON document (name);
CREATE VIRTUAL TABLE passage USING fts5 (text, tokenize = "unicode61 remove_diacritics 0");
-- Things, names and statements are numbered by what they are (see model.edge), so no order of
-- writing can be seen in a base, and no row is looked for before it is written.
CREATE TABLE entity (n INTEGER PRIMARY KEY, id TEXT NOT NULL);
CREATE TABLE name (
    n INTEGER PRIMARY KEY, entity INTEGER NOT NULL, key TEXT NOT NULL, name TEXT NOT NULL,
    language TEXT NOT NULL, concept TEXT NOT NULL, preferred INTEGER NOT NULL, xref TEXT NOT NULL
);
CREATE INDEX name_entity ON name (entity, concept);
CREATE INDEX name_key ON name (key);
CREATE INDEX name_xref ON name (xref) WHERE xref != '';
CREATE INDEX name_concept ON name (concept, entity);
CREATE TABLE mention (
    name INTEGER NOT NULL, document INTEGER NOT NULL, PRIMARY KEY (name, document)
) WITHOUT ROWID;
CREATE INDEX mention_document ON mention (document);
-- Names by the stems of their words, and how many of these a name has.
CREATE TABLE name_word (
    word TEXT NOT NULL, name INTEGER NOT NULL, words INTEGER NOT NULL, PRIMARY KEY (word, name)
) WITHOUT ROWID;
-- Words of names, forwards and backwards, and how many names have them: what misspelt ones may be.
CREATE TABLE spelling (
    word TEXT PRIMARY KEY, back TEXT NOT NULL, names INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX spelling_back ON spelling (back);
CREATE TABLE statement (
    n INTEGER PRIMARY KEY, subject INTEGER NOT NULL, predicate INTEGER NOT NULL,
    object INTEGER NOT NULL, literal TEXT, qualifiers TEXT,
    -- An index, not a fact: what the evidence below makes of it (see model.edge).
    strength NOT NULL, denied INTEGER NOT NULL
);
CREATE INDEX statement_subject
    ON statement (subject, predicate, object, strength, denied) WHERE literal IS NULL;
CREATE INDEX statement_object
    ON statement (object, predicate, subject, strength, denied) WHERE literal IS NULL;
CREATE INDEX statement_text ON statement (subject, predicate) WHERE literal IS NOT NULL;
CREATE INDEX statement_literal ON statement (object) WHERE literal IS NOT NULL;
-- How evidence speaks, which few ways repeat: class, polarity, strength and so on, as JSON.
CREATE TABLE manner (
    n INTEGER PRIMARY KEY, content TEXT NOT NULL UNIQUE, class TEXT NOT NULL,
    polarity INTEGER NOT NULL, strength NOT NULL
);
CREATE TABLE evidence (
    n INTEGER PRIMARY KEY, statement INTEGER NOT NULL, document INTEGER NOT NULL,
    manner INTEGER NOT NULL, activity INTEGER NOT NULL, field INTEGER NOT NULL,
    start INTEGER NOT NULL, stop INTEGER NOT NULL, quote TEXT NOT NULL, cites TEXT, premises TEXT
);
CREATE INDEX evidence_statement ON evidence (statement, manner);
CREATE INDEX evidence_document ON evidence (document);
CREATE INDEX evidence_activity ON evidence (activity);
CREATE TABLE premise (
    premise TEXT NOT NULL, evidence INTEGER NOT NULL, PRIMARY KEY (premise, evidence)
) WITHOUT ROWID;
CREATE INDEX premise_evidence ON premise (evidence);
-- The latest revision at which a statement may have changed; what is older is forgotten.
CREATE TABLE change (statement INTEGER PRIMARY KEY, revision INTEGER NOT NULL);
CREATE INDEX change_revision ON change (revision);
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
-- By what a space is linked, and the last number of any link before it was; no row where it is not.
CREATE TABLE vector_linked (
    space TEXT PRIMARY KEY, least REAL NOT NULL, after INTEGER NOT NULL
) WITHOUT ROWID;
-- Pairs of vectors that are near. A number is never given twice: what is newer has a greater one.
CREATE TABLE vector_link (
    n INTEGER PRIMARY KEY AUTOINCREMENT, low INTEGER NOT NULL, high INTEGER NOT NULL,
    cosine REAL NOT NULL
);
CREATE UNIQUE INDEX vector_link_low ON vector_link (low, high);
CREATE INDEX vector_link_high ON vector_link (high);
-- Vectors of spaces that are linked which are still to be compared: what is new, not what is old.
CREATE TABLE vector_waiting (vector INTEGER PRIMARY KEY);
