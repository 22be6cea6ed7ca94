"""What the steps of medweave need from the outside, as small protocols.

A store implements `GraphStore`, of eight methods; what it does besides, or faster, is said by the
`Supports…` protocols. The steps see a `StoreView`, in which everything else is derived.
`medweave.testing.store_conformance` is the executable meaning of all of them.
"""

from __future__ import annotations

from collections.abc import (
    Callable,
    Collection,
    Generator,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar, runtime_checkable

from medweave.model.answer import BaseVersion
from medweave.model.document import Document, Extraction
from medweave.model.edge import Edge
from medweave.model.entity import NameMention
from medweave.model.json_form import json_of
from medweave.model.prompt import Prompt, Reply, Written
from medweave.model.statement import Activity, EvidenceClass, Literal, SupportedStatement
from medweave.model.topology import Topology
from medweave.model.vector_links import LinkMark, LinkState, VectorLink, VectorLinks
from medweave.model.vectors import (
    Near,
    Space,
    VectorEntry,
    VectorMark,
    VectorModel,
    Vectors,
    VectorTable,
    VectorUpdate,
)

T = TypeVar("T")

ConceptOf = Callable[[Mapping[str, int]], str]
"""The concept of a thing, from how many documents mention it as which; from none, too."""


Pattern = tuple[str | None, str | None, str | Literal | None]
"""Subject, predicate and object of statements; None stands for "any"."""


@dataclass(frozen=True, slots=True)
class MentionCount:
    """A typed mention and how many documents make it."""

    mention: NameMention
    documents: int


@dataclass(frozen=True, slots=True)
class SharedName:
    """A name of a thing (by its number) that holds some words that were looked for."""

    thing: int
    words: frozenset[str]
    """Those of the words looked for that are in the name, by their stems."""
    of: int
    """How many words the name has."""

    @property
    def share(self) -> float:
        """How much of the name was found."""
        return len(self.words) / self.of


@dataclass(frozen=True, slots=True)
class Counts:
    """How much a base holds."""

    documents: int
    statements: int
    evidence: int
    entities: int


@dataclass(frozen=True, slots=True)
class Tally:
    """What a base holds, counted by kind."""

    predicates: dict[str, int]
    """Statements by predicate."""
    evidence_classes: dict[str, int]
    """Pieces of evidence by class."""
    conflicts: int
    """Statements that one source affirms and another denies."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A document found by its words; a higher score is better."""

    document: str
    score: float


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a base that is not as it should be."""

    part: str
    """Where: `file` or `facts`, or what is derived from the facts (see `DERIVED`)."""
    what: str
    """What is wrong, in words: "statements without evidence"."""
    count: int
    examples: tuple[str, ...] = ()

    @property
    def derived(self) -> bool:
        """Whether `SupportsUpkeep.compact` makes it good: it can be derived from the facts."""
        return self.part in DERIVED

    @property
    def remedy(self) -> str:
        """What to do about it."""
        if self.derived:
            return "mend it with `medweave compact`"
        return "restore a backup, or build the base again"

    def to_json(self) -> dict[str, object]:
        """As `check` and `compact` print it."""
        return json_of(self, "part what count examples remedy")

    def __str__(self) -> str:
        shown = f" (such as {', '.join(self.examples)})" if self.examples else ""
        return f"{self.count} {self.what}{shown}"


DERIVED = ("counters", "names", "premises", "strengths", "text", "things", "vectors")
"""What a base keeps besides its facts to be fast, and can make anew from them."""


@dataclass(frozen=True, slots=True)
class Compacted:
    """What compacting did: bytes before and after, what was mended, and what could not be."""

    before: int
    after: int
    mended: tuple[Problem, ...]
    left: tuple[Problem, ...]


class GraphStore(Protocol):
    """A store, as little as it may be: statements with their evidence, documents, and names.

    Whatever else the steps ask of a base follows from these eight methods; see `StoreView`, and
    `medweave.stores.derived` for how. What a store does faster it says by one of the `Supports…`
    below. Lists come in an order that does not hang on the order of writing. Errors are
    `StoreError` or one of its kinds.
    """

    def put(self, extractions: Iterable[Extraction]) -> None:
        """Add documents with all they contribute: all of them, or none.

        A document that is there already is replaced. Putting the same again changes nothing, not
        even the revision.
        """

    def remove(self, documents: Iterable[str]) -> int:
        """Remove documents (by id) and exactly the evidence they gave; how many were there.

        Evidence inferred from what goes, goes too; a statement dies with its last evidence.
        """

    def match(
        self,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | Literal | None = None,
        *,
        limit: int | None = None,
    ) -> list[SupportedStatement]:
        """All statements with these parts; None stands for "any"."""

    def neighbours(
        self, entities: Iterable[str], predicates: Iterable[str], *, cap: int = 1000
    ) -> list[SupportedStatement]:
        """Statements that touch any of `entities`, in either direction, by these predicates.

        At most `cap` statements per entity and direction (literals are counted apart), so that a
        hub does not drag in a base: those with the lowest identifiers, a choice that is fair to
        all and the same everywhere.
        """

    def documents(
        self, identifiers: Iterable[str] | None = None, *, source: str | None = None
    ) -> list[Document]:
        """Documents by id, or of one source, or all; by source and name."""

    def names(self, entities: Iterable[str] | None = None) -> Iterator[tuple[NameMention, str]]:
        """How documents name these entities, or all: each different mention with each document.

        In any order.
        """

    def version(self) -> BaseVersion:
        """Identity, revision and hash of the base as it stands."""

    def close(self) -> None:
        """Let go of files and connections."""


@runtime_checkable
class SupportsBatches(Protocol):
    """Several reads in one turn: on a server, turns cost more than what is read."""

    def matches(self, patterns: Sequence[Pattern]) -> list[list[SupportedStatement]]:
        """What `GraphStore.match` gives for each of these patterns."""


@runtime_checkable
class SupportsPresence(Protocol):
    """Whether there is anything by a predicate, without reading what there is."""

    def with_statements(self, predicates: Iterable[str]) -> set[str]:
        """Those of these predicates by which something is stated, or denied."""


@runtime_checkable
class SupportsNumbers(Protocol):
    """Walking by numbers: things and statements are numbered by what they are (`model.edge`)."""

    def edges(
        self, things: Iterable[int], predicates: Iterable[str], *, cap: int = 1000
    ) -> list[Edge]:
        """`neighbours` as edges between things, by numbers, without literals; by statement."""

    def degrees(self, things: Iterable[int], predicates: Iterable[str]) -> dict[int, int]:
        """How many edges by these predicates touch each of these things; nought is left out."""

    def all_edges(self, predicates: Iterable[str]) -> Iterator[Edge]:
        """All edges by these predicates, by statement."""

    def identifiers(self, things: Iterable[int]) -> dict[int, str]:
        """The identifiers of things by their numbers; unknown ones are left out."""

    def statements(self, identifiers: Iterable[str | int]) -> list[SupportedStatement]:
        """The statements with these identifiers or numbers, in the order asked.

        Unknown ones are left out.
        """


@runtime_checkable
class SupportsNames(Protocol):
    """Things by their names, and names by their things."""

    def mentions(self, entities: Iterable[str] | None = None) -> list[MentionCount]:
        """How documents name these entities (or all), each different mention once."""

    def named(self, keys: Iterable[str]) -> list[MentionCount]:
        """All mentions whose name has one of these keys; see `language.folding.name_key`."""

    def by_cross_reference(self, identifiers: Iterable[str]) -> dict[str, list[str]]:
        """For each identifier, the things to which documents give it as a cross-reference."""

    def concept_votes(self) -> Iterator[tuple[str, dict[str, int]]]:
        """Each thing once, with how many documents mention it as which concept."""

    def all_names(self) -> Iterator[MentionCount]:
        """All mentions, each different one once, those of one key together.

        See `language.folding.name_key`; where a base is large, this is the way to read them.
        """

    def naming_documents(self, entity: str, *, limit: int = 5) -> list[tuple[NameMention, str]]:
        """How a thing is named, and by which document: `limit` documents (by id) a name."""

    def count_mentioned_as(self, concept: str) -> int:
        """How many things are mentioned as this concept."""


@runtime_checkable
class SupportsWords(Protocol):
    """Names by their words and beginnings, also where those are misspelt."""

    def begun(self, beginnings: Iterable[str]) -> set[str]:
        """Those of some texts with which the key of any name begins; it may be the text itself."""

    def sharing_words(
        self, words: Iterable[str], concepts: Iterable[str], *, limit: int
    ) -> list[SharedName]:
        """The names of things mentioned as one of `concepts` that hold any of these words.

        Words are given by their stems (`language.stems`). Names of which the most was found come
        first, ties by the number of the thing; `limit` of them are given.
        """

    def count_by_word(self, words: Iterable[str], concepts: Iterable[str]) -> dict[str, int]:
        """For each word, how many things mentioned as one of `concepts` have it in a name.

        Words that no name holds are left out.
        """

    def words_like(self, words: Iterable[str], *, slips: int) -> dict[str, frozenset[str]]:
        """For each word, the words of names that are like it with so many slips at most.

        0 slips ask whether it is itself one. Words that are like none are left out. What is a word,
        what a slip, and which ends two words must have in common, is as in `language.slips`
        (`name_words`, `Spelling.like`).
        """


@runtime_checkable
class SupportsBuildKeys(Protocol):
    """Knowing what need not be built again."""

    def build_keys(self, source: str) -> dict[str, str]:
        """Document id to build key, of all documents of one source.

        A key is '' where nobody knows it: the document is then built again. Where a store keeps
        keys, another key alone is a change to `GraphStore.put`.
        """


@runtime_checkable
class SupportsContributions(Protocol):
    """Reading a base document by document, as it was put."""

    def contributions(self, documents: Iterable[str]) -> list[Extraction]:
        """What these documents (by id) contribute, as `GraphStore.put` takes it, in any order.

        Unknown ones are left out.
        """


@runtime_checkable
class SupportsActivities(Protocol):
    """Telling by which runs evidence came to be."""

    def activities(self) -> list[Activity]:
        """The runs of which the base has evidence, by id; those that nobody knows are left out."""


@runtime_checkable
class SupportsSources(Protocol):
    """Where documents come from."""

    def documents_called(self, name: str) -> list[str]:
        """The ids of the documents of this name, or with this id."""

    def passages_called(self, name: str) -> list[str]:
        """The ids of the passages of the texts of this name."""

    def sources(self) -> list[str]:
        """The paths of all sources."""

    def statements_from(self, documents: Iterable[str]) -> dict[str, int]:
        """For each of these documents (by id), for how many statements it gives evidence."""


@runtime_checkable
class SupportsCounts(Protocol):
    """How much there is of what."""

    def counts(self) -> Counts:
        """How much the base holds."""

    def tally(self) -> Tally:
        """What the base holds, counted by kind."""

    def topology(self, concept_of: ConceptOf) -> Topology:
        """The shape of the graph of all statements between things, without holding its edges.

        Nodes are the things that are mentioned, and those at the ends of statements.
        """


@runtime_checkable
class SupportsTransactions(Protocol):
    """Several writes as one: all of them, or none."""

    def transaction(self) -> AbstractContextManager[None]:
        """Everything written inside becomes visible together, or on an error not at all."""


@runtime_checkable
class SupportsOneWriter(Protocol):
    """Keeping other processes from writing, for longer than one transaction."""

    def writing(self) -> AbstractContextManager[None]:
        """While this is open nobody else writes; `StoreBusyError` where somebody does."""


@runtime_checkable
class SupportsSnapshots(Protocol):
    """Several reads as one, while others write."""

    def snapshot(self) -> AbstractContextManager[None]:
        """Everything read inside belongs to one revision."""


@runtime_checkable
class SupportsChanges(Protocol):
    """What is derived from a base and kept elsewhere can be brought up to date, not made anew."""

    def changes(self, since: int) -> frozenset[int] | None:
        """The numbers of the statements that may have changed since a revision.

        None where that is too long ago to be told: make anew what is derived.
        """


@runtime_checkable
class SupportsTextSearch(Protocol):
    """Documents by the words in them, in any language that `medweave.language` segments."""

    def search_text(
        self,
        query: str,
        *,
        limit: int = 10,
        without: Collection[EvidenceClass] = (),
        frequent: int | None = None,
    ) -> list[Hit]:
        """The best documents first; ties in the order of document ids.

        Documents of the classes `without` are left out. Words that more than `frequent` documents
        hold are not looked for, where a document holds another.
        """


@runtime_checkable
class SupportsNotes(Protocol):
    """Small texts kept with the base: the vocabulary it was built with, and the like."""

    def note(self, key: str) -> str | None:
        """The text kept under `key`, or None."""

    def set_note(self, key: str, text: str) -> None:
        """Keep `text` under `key`."""


@runtime_checkable
class SupportsServer(Protocol):
    """Telling what keeps the base."""

    def server(self) -> str:
        """The version of the server, or of the library that reads the file; '' for none."""


@runtime_checkable
class SupportsNameCache(Protocol):
    """Keeping all names on this machine, so that a server sends them once for a revision."""

    def cache_names(self, folder: Path) -> None:
        """Keep them in a file of this folder from now on, where it can be written."""


@runtime_checkable
class SupportsUpkeep(Protocol):
    """Looking after a base that lasts: is it whole, where is its copy, how large is it."""

    def check(self, *, progress: Progress = ...) -> list[Problem]:
        """Everything that is wrong with the base; an empty list where it is whole."""

    def backup(self, path: Path, *, replace: bool = False, progress: Progress = ...) -> BaseVersion:
        """Copy one revision to a new file while others read and write, and check the copy.

        Raises `StoreError`, and leaves nothing behind, where the copy cannot be made or differs.
        """

    def compact(self, *, progress: Progress = ...) -> Compacted:
        """Make anew what is derived and out of step, and give back room nothing uses.

        Raises `StoreBusyError` while another process writes.
        """


@runtime_checkable
class SupportsVectors(Protocol):
    """Vectors kept with the documents they were made from, in the same transactions."""

    def vectors(self) -> VectorIndex:
        """The index of this store; it shares the store's transactions and snapshots."""


class NameLookup(Protocol):
    """As much of `SupportsNames` and `SupportsWords` as the linker needs: any names, of a base or
    of a guideline."""

    def mentions(self, entities: Iterable[str] | None = None) -> list[MentionCount]:
        """See `SupportsNames.mentions`."""

    def named(self, keys: Iterable[str]) -> list[MentionCount]:
        """See `SupportsNames.named`."""

    def begun(self, beginnings: Iterable[str]) -> set[str]:
        """See `SupportsWords.begun`."""

    def count_by_word(self, words: Iterable[str], concepts: Iterable[str]) -> dict[str, int]:
        """See `SupportsWords.count_by_word`."""

    def words_like(self, words: Iterable[str], *, slips: int) -> dict[str, frozenset[str]]:
        """See `SupportsWords.words_like`."""


class StoreView(
    GraphStore,
    SupportsBatches,
    SupportsPresence,
    SupportsNumbers,
    SupportsNames,
    SupportsWords,
    SupportsSources,
    SupportsBuildKeys,
    SupportsActivities,
    SupportsContributions,
    SupportsCounts,
    SupportsTransactions,
    SupportsOneWriter,
    SupportsSnapshots,
    SupportsChanges,
    SupportsTextSearch,
    SupportsNotes,
    SupportsServer,
    Protocol,
):
    """A base as the steps see it: a store, and everything that follows from it.

    `medweave.stores.derived.view_of` makes it of any store. What cannot follow is left out
    harmlessly: without transactions each `put` is one, without notes none is kept, and where
    nobody knows what changed or what was built by what, that is said.
    """

    def vectors(self) -> VectorView | None:
        """The vectors of the base; None where its store keeps none."""

    def expect(self, patterns: Iterable[Pattern]) -> None:
        """All of these will be matched one by one: they may be read together now."""

    def beside(self, things: Sequence[str], known: Collection[str]) -> list[str]:
        """These things, and others worth reading with them: what was read together with them
        before, and is not known yet. A hint for reading in batches, nothing more."""

    def consistently(self, read: Callable[[], T]) -> T:
        """What `read` tells of one revision. Raises `StoreBusyError` where it never stands still.

        Where a store has no snapshots it may be asked several times.
        """


class Embedder(Protocol):
    """Turns texts into vectors. Errors are `EmbeddingError`, and `VectorError` for what came."""

    @property
    def model(self) -> VectorModel:
        """What the vectors are of; asking for it may start what makes them."""

    def embed(self, texts: Sequence[str], *, progress: Progress = ...) -> Vectors:
        """One vector of length 1 for each text, in their order; also for an empty text.

        It may be stopped at any moment, by whatever `progress` raises too.
        """


SentenceVectors = Callable[[Sequence[str], str], Vectors | None]
"""Vectors of a few sentences in a language, by an embedder on this machine; None where there is
none that reads the language: nothing may wait for a server to understand a question."""


class LanguageModel(Protocol):
    """Fills in what a prompt asks for, or answers it in words. Errors are `LanguageModelError`.

    It may be asked by several threads at once, and where an event loop runs.
    `medweave.testing.model_conformance` is the executable meaning.
    """

    @property
    def id(self) -> str:
        """Which model, as evidence names it: `provider:model`."""

    def fill(self, prompt: Prompt) -> Reply:
        """An object that keeps to the schema of a prompt.

        Raises `LanguageModelAwayError` where asking again in this run is of no use, and otherwise
        `LanguageModelError`.
        """

    def write(self, prompt: Prompt) -> Written:
        """The reply as it comes, asked for in the form of the schema as by `fill`, but not checked.

        So what is good in a reply that is half broken, or cut off, can be kept. Raises as `fill`
        does.
        """

    def say(self, prompt: Prompt) -> Generator[str, None, Written]:
        """The reply in words, piece by piece as it comes; at the end, all of it and what it cost.

        No schema is sent. Where no pieces are to be had, the whole is one. What a model thinks
        is no part of it, and is given apart. Raises as `fill` does, also after some pieces: so
        where the reply broke off, or was cut off.
        """


class VectorIndex(Protocol):
    """Vectors of length 1, by one model, in named spaces: as little as an index may be.

    Everything else follows; see `VectorView`. `medweave.testing.vector_conformance` is the
    executable meaning. Writing belongs to the store's transaction where one is open, and moves its
    revision; it never moves the hash of a base. Errors are `VectorError` (two models, another
    dimension, no numbers) or `StoreError`.
    """

    def model(self) -> VectorModel | None:
        """What made the vectors that are kept; None where there are none."""

    def put(self, entries: Sequence[VectorEntry], vectors: Vectors) -> None:
        """Keep the vector in row i for entry i. Putting the same again changes nothing.

        Raises `StoreError` where a document is not in the base.
        """

    def remove(self, space: Space, keys: Iterable[str]) -> int:
        """Take out what is kept for these keys; how many were there.

        What a document gave goes with it by itself, and so does what is kept for its texts.
        """

    def search(
        self,
        space: Space,
        queries: Vectors,
        k: int,
        *,
        concepts: Collection[str] | None = None,
    ) -> list[list[Near]]:
        """For each query, the `k` nearest keys of a space, best first; ties in order of the keys.

        `concepts` limits them to entries of these; None is all.
        """

    def tables(self, space: Space, *, concepts: Collection[str] | None = None) -> list[VectorTable]:
        """All vectors of a space, a table for each concept, in the order of concepts.

        Later changes of the base do not show in them.
        """

    def fetch(self, space: Space, keys: Iterable[str]) -> list[VectorTable]:
        """The vectors of these keys alone, as `tables` gives them; unknown ones are left out."""


@runtime_checkable
class SupportsEmbeddings(Protocol):
    """Keeping vectors by their texts, so that none is made twice."""

    def keep(self, texts: Sequence[str], vectors: Vectors) -> None:
        """Keep vectors of texts for which there are no entries yet, so that `known` finds them.

        Those that no entry uses go when the base is compacted.
        """

    def known(self, model: VectorModel, texts: Iterable[str]) -> dict[str, memoryview[float]]:
        """The vectors of those of the texts that are kept; none where another model made them."""


@runtime_checkable
class SupportsVectorCounts(Protocol):
    """Counting and taking out without looking at vectors."""

    def counts(self) -> dict[Space, int]:
        """How many entries each space has; those without any are left out."""

    def forget(self) -> int:
        """Take out all vectors, and which model made them; how many entries there were."""


@runtime_checkable
class SupportsCompleteRevision(Protocol):
    """Knowing up to where all that needs vectors has them."""

    def complete_revision(self) -> int | None:
        """The revision last set; None where vectors were taken out since.

        Those that go with their documents do not count.
        """

    def set_complete_revision(self, revision: int | None) -> None:
        """Everything that the base had at a revision has the vectors that it needs; None: not all.

        Whoever makes vectors says so, and next time looks only at what came since. This moves no
        revision.
        """


@runtime_checkable
class SupportsVectorContributions(Protocol):
    """Handing vectors on with the documents they go with; see `SupportsContributions`."""

    def contributed(self, documents: Iterable[str]) -> tuple[list[VectorEntry], Vectors] | None:
        """The entries that these documents (by id) gave, in their order, and a vector for each.

        Of their texts they know the numbers alone, and `VectorIndex.put` takes them so. None where
        that cannot be told, or there are no vectors.
        """


@runtime_checkable
class SupportsVectorUpdates(Protocol):
    """Telling what came and went."""

    def mark(self, space: Space) -> VectorMark:
        """Where a space stands now, for `updates_since`."""

    def updates_since(self, space: Space, since: VectorMark) -> VectorUpdate | None:
        """What came into a space and what went since a mark; None where that cannot be told."""


@runtime_checkable
class SupportsAlike(Protocol):
    """Comparing a few vectors with all."""

    def alike(self, space: Space, keys: Collection[str], least: float) -> list[VectorLink]:
        """Links of these keys with all others of their concept whose cosine is `least` or more.

        In the order of links. For a few keys: it costs a pass over all vectors.
        """


@runtime_checkable
class SupportsLinks(Protocol):
    """Keeping links between vectors."""

    def links(self, space: Space) -> VectorLinks:
        """All links of a space, and what was compared to find them."""

    def link(
        self,
        space: Space,
        least: float,
        compared: Collection[str],
        links: Iterable[VectorLink],
    ) -> None:
        """Keep links of keys whose cosine is `least` or more; keys have one text each here.

        `compared` are now among the keys of which it is known how near they are to each other. A
        link goes with either of its vectors. Raises `StoreError` for a key without a vector, and
        where the space is linked by another `least`: `unlink` it first.
        """

    def unlink(self, space: Space) -> int:
        """Take out all links of a space, and what was compared; how many links there were."""


@runtime_checkable
class SupportsLinkNews(Protocol):
    """Reading some links without reading all."""

    def links_of(self, space: Space, keys: Iterable[str]) -> list[VectorLink]:
        """The links that any of these keys has, in their order."""

    def links_since(self, space: Space, since: LinkMark) -> VectorLinks | None:
        """The links that came since a mark, where none went but with its vectors; or else None.

        `compared` is left empty.
        """

    def link_state(self, space: Space) -> LinkState:
        """What is still to be compared, and how many links there are: cheaper than `links`."""


class VectorView(
    VectorIndex,
    SupportsEmbeddings,
    SupportsVectorCounts,
    SupportsCompleteRevision,
    SupportsVectorContributions,
    SupportsVectorUpdates,
    SupportsAlike,
    SupportsLinks,
    SupportsLinkNews,
    Protocol,
):
    """Vectors as the steps see them: an index, and everything that follows from it.

    `medweave.stores.derived_vectors.vector_view_of` makes it of any index. What an index does not
    keep, such as links, is kept as long as the program runs, and made again in the next.
    """


class Progress(Protocol):
    """Told how far long work has come."""

    def __call__(self, done: int, total: int, what: str) -> None:
        """`done` of `total` units are finished; `what` is being worked on."""


def no_progress(done: int, total: int, what: str) -> None:
    """A progress nobody watches."""
