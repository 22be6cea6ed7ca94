"""A base that is open: its store, its words, and what is made of them once, when first needed.

What only some questions need is imported where it is used: the others are answered sooner without.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from medweave.answering.stores import heard_of
from medweave.app import limited_language_model, open_embedder, open_language_model
from medweave.errors import StoreError, StoreUnreachableError
from medweave.model.answer import ALL_HEARD, Heard
from medweave.model.configuration import Configuration
from medweave.model.prompt import NO_LIMITS, Limits
from medweave.model.vectors import Space, Vectors
from medweave.ports import Embedder, LanguageModel, StoreView, SupportsUpkeep, VectorView
from medweave.sources.names import Naming
from medweave.vocabulary.knowledge import Knowledge, knowledge_of
from medweave.vocabulary.lay_terms import lay_terms
from medweave.vocabulary.lexicon import shipped_lexicon
from medweave.vocabulary.vocabulary import Vocabulary

if TYPE_CHECKING:
    from medweave.embedding.choosing import Chosen
    from medweave.embedding.nearness import Closeness
    from medweave.guideline.case_reader import CaseReader
    from medweave.guideline.contribution import OpenGuideline
    from medweave.inplace.federation import FederatedStore
    from medweave.model.guideline import Guideline
    from medweave.retrieval.dialogues.similar import PastDialogues
    from medweave.retrieval.dialogues.stored_graph import StoredGraph


class OpenedBase:
    """The parts that asking and building share; each is opened once, or once for a revision."""

    def __init__(
        self,
        store: StoreView,
        vocabulary: Vocabulary,
        own_words: str,
        configuration: Configuration,
        language_model: LanguageModel | None,
    ) -> None:
        self.store = store
        self.naming = Naming(vocabulary, shipped_lexicon())
        self.own_words = own_words
        """What was added to the vocabulary; the base remembers it when it is next built."""
        self.configuration = configuration
        self.language_model = language_model
        """One of somebody's own, which goes before what is configured."""
        self.files: Path | None = None
        """Where the graph of dialogues is, or would be, beside the base."""
        self.several: FederatedStore | None = None
        """The stores that are asked together, where there are several."""
        self.named: dict[str, str] = {}
        """The kind of the store, and its URL as it may be shown."""
        self.guideline_beside = ""
        """The guideline that is asked where the base holds none: that of the samples."""
        self.chosen: Chosen | None = None
        self.past: PastDialogues | None = None
        self._lay = lay_terms(configuration.lay)
        self._knowledge: tuple[int, Knowledge] | None = None
        self._opened_model: LanguageModel | None = None
        self._case_readers: tuple[int, dict[str, CaseReader]] = (-1, {})
        """At which revision, and the guidelines that were made ready at it."""
        self._guidelines: dict[tuple[int, str], tuple[OpenGuideline, ...]] = {}

    @property
    def knowledge(self) -> Knowledge:
        """The base as questions see it, never older than the base itself."""
        revision, latest = self.store.version().revision, self._knowledge
        if latest is None or latest[0] != revision:  # another thread may be at another revision
            naming = self.naming
            view = knowledge_of(self.store, naming.vocabulary, naming.lexicon, self._lay)
            latest = self._knowledge = (revision, view)
        return latest[1]

    def naming_by(self, ontology: str) -> Naming:
        """What names mean, with the ontology that statements are held against."""
        if not ontology:
            return self.naming
        from medweave.ontology.loading import ontology_in

        return replace(self.naming, ontology=ontology_in(ontology))

    def heard(self, language: str = "en") -> Heard:
        """What became of each of several stores in what is being asked; nothing, where it is
        one."""
        return heard_of(self.several.outcomes(), language) if self.several else ALL_HEARD

    @contextmanager
    def all_heard(self) -> Iterator[None]:
        """For what is nothing without all of several stores: raises `StoreUnreachableError` where
        one of them is not heard, before it is begun or while it goes on."""
        self._refuse_where_one_is_lost()
        yield
        self._refuse_where_one_is_lost()

    def _refuse_where_one_is_lost(self) -> None:
        if missing := self.heard().missing:
            raise StoreUnreachableError(
                " ".join(missing), remedy="try again, or name one that is there: FILE.toml#NAME"
            )

    def only_writer(self) -> AbstractContextManager[None]:
        """While this is open, no other process writes to the base."""
        return self.store.writing()

    @property
    def upkeep(self) -> SupportsUpkeep:
        """The store as one that lasts and can be looked after."""
        if not isinstance(self.store, SupportsUpkeep):
            raise StoreError("a base in memory has no upkeep", remedy="name a base in a file")
        return self.store

    # language models

    @property
    def reader(self) -> str:
        """The language model that reads, by its id; '' where rules do."""
        own = self.language_model
        return own.id if own else self.configuration.model_of("extract").id

    @property
    def address(self) -> str:
        """Where the language model runs that is configured; '' for one of somebody's own."""
        return "" if self.language_model else self.configuration.model_of("extract").url

    def model(self) -> LanguageModel | None:
        """The language model, opened once; None where none is configured."""
        if self.language_model is not None:
            return self.language_model
        if self._opened_model is None:
            self._opened_model = open_language_model(self.configuration.model_of("extract"))
        return self._opened_model

    def model_within(self, limits: Limits) -> LanguageModel | None:
        """The language model, of which no more is asked than these limits allow."""
        own, named = self.language_model, self.configuration.model_of("extract")
        if limits == NO_LIMITS:
            return self.model()
        return limited_language_model(own, limits) if own else open_language_model(named, limits)

    @property
    def answers_by_model(self) -> bool:
        """Whether a language model may be asked for a question."""
        named = (self.configuration.model_of("answer"), self.configuration.model_of("decompose"))
        return self.language_model is not None or any(name.provider for name in named)

    # vectors

    @property
    def vectors(self) -> VectorView:
        """The vectors of the base. Raises `StoreError` where its store keeps none."""
        index = self.store.vectors()
        if index is None:
            raise StoreError("this kind of base keeps no vectors", remedy="use a base in a file")
        return index

    def embedder(self) -> tuple[Embedder | None, str]:
        """What makes vectors of messages, opened once; or none, and why."""
        if self.chosen is None:
            self.chosen = open_embedder(self.configuration.embedder)
        return self.chosen.embedder, self.chosen.reason

    def embedder_of(self, space: Space, language: str) -> Embedder | None:
        """The embedder that made the vectors of a space, if it reads a language; None where there
        are no such vectors, or another made them."""
        index = self.store.vectors()
        if index is None or not index.counts().get(space):
            return None
        embedder, _ = self.embedder()
        if embedder is None or embedder.model != index.model():
            return None
        return embedder if embedder.model.reads(language) else None

    def nearness(self, text: str, others: Sequence[str]) -> Sequence[float]:
        """How near texts are, for names that mean several things; most questions have none."""
        return self._sentences(text, others)

    def sentence_vectors(self, texts: Sequence[str], language: str) -> Vectors | None:
        """What clauses of a question mean, as vectors; see `SentenceVectors`."""
        return self._sentences.vectors(texts, language)

    @cached_property
    def _sentences(self) -> Closeness:
        from medweave.embedding.nearness import Closeness

        return Closeness(self.configuration.embedder)

    @property
    def has_relation_vectors(self) -> bool:
        """Whether there are vectors of what papers say."""
        index = self.store.vectors()
        return index is not None and bool(index.counts().get("relation"))

    # dialogues

    @property
    def has_dialogues(self) -> bool:
        """Whether there are past dialogues."""
        return bool(self.store.count_mentioned_as("dialogue"))

    def past_dialogues(self) -> PastDialogues:
        """The dialogues of the base, opened once."""
        from medweave.retrieval.dialogues.similar import PastDialogues

        if self.past is None:
            vocabulary = self.naming.vocabulary
            self.past = PastDialogues(self.store, vocabulary, self.embedder, self.files)
        return self.past

    def stored_graph(self) -> StoredGraph:
        """The graph of dialogues in its file beside the base."""
        from medweave.retrieval.dialogues.stored_graph import StoredGraph

        return StoredGraph(self.files, self.store, self.naming.vocabulary)

    def forget_files(self) -> None:
        """Delete what files beside the base may hold of what was taken out of it."""
        if self.files and self.files.exists():
            self.stored_graph().discard_if_worn(self.vectors)

    # guidelines

    @property
    def has_guidelines(self) -> bool:
        """Whether it holds guidelines."""
        return bool(self.store.count_mentioned_as("guideline"))

    def guideline(self, name: str) -> Guideline:
        """A guideline by `id@version` in the base, a file, or `sample`; else `NotFoundError`."""
        from medweave.guideline.loading import guideline_in
        from medweave.guideline.statements import guideline_from

        return guideline_from(self.store, name) if _in_base(name) else guideline_in(name)

    def case_reader(self, name: str) -> CaseReader:
        """A guideline made ready, once for a revision."""
        from medweave.guideline.case_reader import CaseReader
        from medweave.guideline.logic.graph import compile_guideline

        revision = self.store.version().revision
        made, readers = self._case_readers
        if made != revision or name not in readers:
            reader = CaseReader(compile_guideline(self.guideline(name)))
            readers = {**(readers if made == revision else {}), name: reader}
            self._case_readers = revision, readers
        return readers[name]

    def guidelines_for(self, name: str) -> tuple[OpenGuideline, ...]:
        """Those of the base, or the one of a name; each is made ready once for a revision."""
        from medweave.guideline.contribution import open_beside, open_in_base

        key = (self.store.version().revision, name)
        if key not in self._guidelines:
            if name and not _in_base(name):
                found: tuple[OpenGuideline, ...] = (open_beside(name),)
            else:
                found = open_in_base(self.store, self.knowledge.entities, name)
            self._guidelines = {**self._guidelines, key: found} if name else {key: found}
        return self._guidelines[key]


def _in_base(guideline: str) -> bool:
    """Whether a name is that of a guideline in a base, not of a file."""
    return "@" in guideline and not Path(guideline).exists()
