"""Every error medweave raises on purpose.

    MedweaveError
    ├── SourceError          a file or folder cannot be read at all
    │   └── MappingError     its layout is unknown, or a mapping file is wrong
    ├── VocabularyError      a vocabulary, lexicon or template file is wrong
    ├── OntologyError        an ontology that cannot be read, or contradicts itself
    ├── StatementError       a statement outside its predicate's domain or range
    ├── QuestionError        a question that cannot be asked (empty, too long)
    ├── GuidelineError       a guideline that cannot be read, or contradicts itself
    ├── FindingsError        what is said of a child cannot be so, or cannot be understood
    ├── NotFoundError        a named base, entity, document or source is not there
    ├── ConfigurationError   a setting names something that is not there or not installed
    ├── EmbeddingError       texts cannot be embedded: weights or an endpoint fail
    │   └── VectorError      vectors that cannot be used: no numbers, or of another model
    ├── LanguageModelError   a language model does not answer, or not as it should
    │   └── LanguageModelAwayError   nothing more is to be had of it in this run
    │       └── LanguageModelLimitError   as what may be spent is spent
    └── StoreError           the base cannot be opened, read or written
        ├── StoreBusyError       another process is writing
        ├── StoreUnreachableError   its server is not there, or does not answer in time
        ├── StoreAccessError     its server refuses the login, or a right is missing
        └── StoreVersionError    the file was made by another schema version

A bad *record* is not an error: it is a line in the build report, and the build goes on.
"No answer" is not an error either: it is an `Answer` whose status is `abstained`.
"""

from __future__ import annotations


class MedweaveError(Exception):
    """Something the user can act on.

    `what` went wrong, `where` (a path, a line, an option), and `remedy`: what to do next.

    >>> error = NotFoundError("no base there", where="kb.db", remedy="build one first")
    >>> str(error)
    'no base there, kb.db, build one first'
    """

    def __init__(self, what: str, *, where: str = "", remedy: str = "") -> None:
        self.what = what
        self.where = where
        self.remedy = remedy
        super().__init__(", ".join(part for part in (what, where, remedy) if part))

    def to_json(self) -> dict[str, str]:
        """The form that `--json` prints under `error`."""
        return {
            "type": type(self).__name__,
            "message": self.what,
            "where": self.where,
            "remedy": self.remedy,
        }


class SourceError(MedweaveError):
    """A file or folder cannot be read at all."""


class MappingError(SourceError):
    """The layout of a source is unknown, or a mapping file is wrong."""


class VocabularyError(MedweaveError):
    """A vocabulary, lexicon or template file is wrong."""


class OntologyError(MedweaveError):
    """An ontology that cannot be read, or contradicts itself."""


class StatementError(MedweaveError):
    """A statement outside the domain or range of its predicate, or with an unknown predicate."""


class QuestionError(MedweaveError):
    """A question that cannot be asked: empty, or far too long."""


class GuidelineError(MedweaveError):
    """A guideline that cannot be read, or whose rules go in circles."""


class FindingsError(MedweaveError):
    """What is said of a child cannot be so (400 kg), or names what the guideline does not know."""


class NotFoundError(MedweaveError):
    """A named base, entity, document or source is not there."""


class ConfigurationError(MedweaveError):
    """A setting names something that is not there, or that needs an extra to be installed."""


class EmbeddingError(MedweaveError):
    """Texts cannot be turned into vectors: the weights or an endpoint fail."""


class VectorError(EmbeddingError):
    """Vectors that cannot be used: no numbers, of no length, or of another model or size."""


class LanguageModelError(MedweaveError):
    """A language model does not answer, or not by the schema it was given."""

    spent: tuple[int, int, int] = (0, 0, 0)
    """What asking cost all the same: requests, tokens in, tokens out."""


class LanguageModelAwayError(LanguageModelError):
    """Nothing more is to be had of a language model: not reached, refused, or its limit reached."""


class LanguageModelLimitError(LanguageModelAwayError):
    """What may be spent on a language model is spent."""


class StoreError(MedweaveError):
    """The base cannot be opened, read or written."""


class StoreBusyError(StoreError):
    """Another process is writing to the base."""


class StoreUnreachableError(StoreError):
    """The server of a base is not there, or does not answer in time: try again later."""


class StoreAccessError(StoreError):
    """The server of a base refuses the user or password, or what the user may do is too little."""


class StoreVersionError(StoreError):
    """The base was made by a schema version this program does not know."""
