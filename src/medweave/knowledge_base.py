"""A base of medical knowledge, as everything that stands on it uses it.

Each method hands on to the pipeline, or to what the composition root opened. What only building and
looking after a base need is imported where it is used: a question is answered sooner without.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import UTC, datetime
from functools import wraps
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Self, TypeVar, cast

from medweave.answering.compose import CANDIDATES
from medweave.answering.stores import heard_of, with_stores
from medweave.app import (
    files_beside,
    is_federation,
    kept_replies,
    limited_language_model,
    listed_mapping,
    open_embedder,
    open_federation,
    open_in_place,
    open_language_model,
    open_store,
    rdf_folder,
    sample_files,
    sample_path,
    store_named,
)
from medweave.errors import (
    ConfigurationError,
    EmbeddingError,
    NotFoundError,
    SourceError,
    StoreError,
)
from medweave.graph.copying import refuse_unfinished
from medweave.language.segmentation import language_of
from medweave.model.answer import ALL_HEARD, Answer, BaseVersion, Heard
from medweave.model.configuration import CONFIGURATION, ROLES, Configuration
from medweave.model.document import Document
from medweave.model.entity_card import EntityCard
from medweave.model.passage import NOTED, passage_number
from medweave.model.prompt import NO_LIMITS, Limits
from medweave.model.question import Question
from medweave.model.vectors import EXACT, Space, VectorSearch
from medweave.pipeline import ask, build, classify, message, message_by_rules, model_plan, plan
from medweave.ports import (
    Compacted,
    Embedder,
    LanguageModel,
    Problem,
    Progress,
    StoreView,
    SupportsUpkeep,
    VectorView,
    no_progress,
)
from medweave.retrieval.card import card_of
from medweave.sources.names import Naming
from medweave.stores.kept_reads import kept_reads
from medweave.understanding.intents.features import QuestionText
from medweave.understanding.question import models_of, question_text, understand
from medweave.vocabulary.knowledge import Knowledge, knowledge_of
from medweave.vocabulary.lay_terms import lay_terms
from medweave.vocabulary.lexicon import shipped_lexicon
from medweave.vocabulary.own_words import added_vocabulary, remember_words, vocabulary_with
from medweave.vocabulary.vocabulary import Vocabulary, load_vocabulary, shipped_texts

if TYPE_CHECKING:
    from medweave.assessment.events import Event
    from medweave.assessment.session import Session
    from medweave.contributors.contributor import Contributor
    from medweave.embedding.choosing import Chosen
    from medweave.embedding.nearness import Closeness
    from medweave.exchange.sparql import SparqlResult
    from medweave.generation.generate import Generation, Piece, Rules
    from medweave.graph.builder import BuildPlan, BuildReport
    from medweave.graph.duplicates import Duplicates
    from medweave.graph.links import Level, LinksMade
    from medweave.graph.review import Doubt, ReviewQueue, Waiting
    from medweave.graph.tree_vectors import VectorsMade
    from medweave.guideline.case_reader import CaseReader
    from medweave.guideline.contribution import OpenGuideline
    from medweave.inplace.federation import FederatedStore
    from medweave.model.assessment import Assessment
    from medweave.model.claim import Verified
    from medweave.model.decision import Decision, Verdict
    from medweave.model.generated import ModelUse
    from medweave.model.guideline import Guideline
    from medweave.model.mapping import Mapping
    from medweave.model.ontology import Ontology
    from medweave.model.similar import Message, Similar, SimilarHow
    from medweave.model.statement import SupportedStatement
    from medweave.model.steps import Subgraph
    from medweave.model.triple_query import Triple, TripleResult
    from medweave.ontology.affected import Affected
    from medweave.ontology.difference import Difference
    from medweave.reasoning.reason import Engine, Reasoned
    from medweave.retrieval.dialogues.similar import PastDialogues
    from medweave.retrieval.dialogues.stored_graph import StoredGraph
    from medweave.retrieval.graph.base_schema import PredicateShape
    from medweave.retrieval.graph.pruning import Found
    from medweave.retrieval.graph.shortest_paths import Paths
    from medweave.retrieval.literature.semantic_context import SemanticContext
    from medweave.retrieval.passages.other_names import NamesOf
    from medweave.retrieval.passages.ranking import FoundPassages
    from medweave.retrieval.things import Thing
    from medweave.sources.model_plan import ModelPlan
    from medweave.sources.rereading import Reread


_P = ParamSpec("_P")
_T = TypeVar("_T")
_FIRST_QUESTIONS = (
    "My child is 10 months old and has had a cough for two days.",
    "感冒有什么症状？",
)
"""Between them they need most of what any question needs."""


def _of_one_revision(
    method: Callable[Concatenate[KnowledgeBase, _P], _T],
) -> Callable[Concatenate[KnowledgeBase, _P], _T]:
    """A method that reads one revision, whatever others write meanwhile."""

    @wraps(method)
    def read(base: KnowledgeBase, /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        return base._store.consistently(lambda: method(base, *args, **kwargs))

    return read


class KnowledgeBase:
    """A base of medical knowledge: build it from sources, ask it questions.

    >>> with KnowledgeBase.open("memory:") as base:
    ...     answer = base.ask("What are the symptoms of a cold?")
    >>> answer.status, answer.missing[0]
    ('abstained', 'This base records no symptoms for common cold.')
    """

    def __init__(
        self,
        store: StoreView,
        vocabulary: Vocabulary,
        own_words: str = "",
        configuration: Configuration = CONFIGURATION,
        language_model: LanguageModel | None = None,
    ) -> None:
        self._store = store
        self._language_model = language_model
        """One of somebody's own, which goes before what is configured."""
        self._opened_model: LanguageModel | None = None
        self._configuration = configuration
        self._lay = lay_terms(configuration.lay)
        self._naming = Naming(vocabulary, shipped_lexicon())
        self._own_words = own_words
        """What was added to the vocabulary; the base remembers it when it is next built."""
        self._knowledge: tuple[int, Knowledge] | None = None
        self._closeness: Closeness | None = None
        self._past: PastDialogues | None = None
        self._files: Path | None = None
        self._review_queue: ReviewQueue | None = None
        """Where the graph of dialogues is, or would be, beside the base."""
        self._several: FederatedStore | None = None
        """The stores that are asked together, where there are several."""
        self._named: dict[str, str] = {}
        """The kind of the store, and its URL as it may be shown."""
        self._chosen: Chosen | None = None
        self._guideline_beside = ""
        """The guideline that is asked where the base holds none: that of the samples."""
        self._case_readers: tuple[int, dict[str, CaseReader]] = (-1, {})
        """At which revision, and the guidelines that were made ready at it."""
        self._guidelines: dict[tuple[int, str], tuple[OpenGuideline, ...]] = {}

    @classmethod
    def open(
        cls,
        url: str,
        *,
        create: bool = True,
        read_only: bool = False,
        vocabulary: Path | None = None,
        configuration: Configuration = CONFIGURATION,
        search: VectorSearch = EXACT,
        vectors: str = "",
        timeout: float | None = None,
        language_model: LanguageModel | None = None,
        mapping: Path | None = None,
    ) -> Self:
        """Open the base a URL names: `sqlite:PATH` (or a bare path), `memory:`, or one on a server.

        `vocabulary` is a YAML file whose concepts and predicates are added; the base remembers it.
        `configuration` says how questions are answered, `search` how vectors are searched, and
        `vectors` (`weaviate://HOST:PORT?grpc=PORT`) where they are kept, if not in the base.
        `timeout` is how many seconds a server has to answer in.
        `language_model` reads dialogues and messages in place of the one that is configured.
        `mapping` is a YAML file by which a database that medweave did not make is asked where it
        is: it is only read.
        Raises `NotFoundError` where there is none and `create` is False, otherwise `StoreError`.
        """
        mapping = mapping or listed_mapping(url)
        if mapping is not None or is_federation(url):
            how = (vocabulary_with(vocabulary), configuration, language_model)
            return cls._in_place(url, mapping, *how, timeout=timeout)
        store = kept_reads(
            open_store(
                url,
                create=create and not read_only,
                read_only=read_only,
                search=search,
                vectors=vectors,
                timeout=timeout,
            )
        )
        try:
            refuse_unfinished(store, store_named(url)["url"])
            added = added_vocabulary(store, vocabulary)
            own = added[0][1] if added else ""
            words = load_vocabulary([*shipped_texts(), *added])
            base = cls(store, words, own, configuration, language_model)
            base._files, base._named = files_beside(url), store_named(url)
            return base
        except BaseException:
            store.close()
            raise

    @classmethod
    def _in_place(
        cls,
        url: str,
        mapping: Path | None,
        words: Vocabulary,
        configuration: Configuration,
        language_model: LanguageModel | None,
        *,
        timeout: float | None,
    ) -> Self:
        """A database that medweave did not make, or several stores, as a base that is only read."""
        naming = Naming(words, shipped_lexicon())
        several = None if mapping else open_federation(url, naming, EXACT)
        store = kept_reads(
            several or open_in_place(url, cast("Path", mapping), naming, timeout=timeout)
        )
        base = cls(store, words, "", configuration, language_model)
        base._named, base._several = store_named(url), several
        return base

    @classmethod
    def sample(
        cls, *, progress: Progress = no_progress, configuration: Configuration = CONFIGURATION
    ) -> Self:
        """The sample base, written by the authors and not for care; made on first use."""
        path = sample_path()
        if not path.exists():
            make_sample(path, progress=progress)
        base = cls.open(str(path), create=False, read_only=True, configuration=configuration)
        base._guideline_beside = "sample"
        return base

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._store.close()

    def build(
        self,
        sources: Iterable[str | Path],
        *,
        mapping: Mapping | None = None,
        jobs: int = 0,
        cluster: str = "",
        progress: Progress = no_progress,
        keep_personal_data: bool = False,
        ontology: str = "",
        limits: Limits = NO_LIMITS,
    ) -> BuildReport:
        """Bring the base up to date with these files and folders; all other sources stay.

        It may be stopped at any moment; the next build goes on from there. `jobs` is the number of
        cores (0: as many as are worth while), `cluster` the address of a dask scheduler. Personal
        data in dialogues is masked unless `keep_personal_data`. Dialogues and abstracts are read by
        the language model where one is configured, and by rules where it fails; no more is asked
        of it than `limits` allow, and what is left is read by the next build. Abstracts are read by
        `ontology` (a name or a file; `causalamd` where none is named), and other statements held
        against it.
        Raises `SourceError` where a path is not there, or nothing at all could be read,
        `StoreBusyError` where another process is writing, and `ConfigurationError` where a model
        would be given personal data.
        """
        from medweave.sources.many import on_cluster
        from medweave.sources.reading import source_files

        model = self._model_within(limits)
        if model and keep_personal_data:
            raise ConfigurationError(
                "a language model is given masked dialogues alone",
                where="model, keep_personal_data",
                remedy="leave out one of them",
            )
        with self._only_writer(), on_cluster(cluster):
            found = source_files([Path(source) for source in sources], mapping)
            remember_words(self._store, self._own_words, self._naming.vocabulary)
            report = build(
                found,
                self._store,
                self._naming_by(ontology),
                mapping=mapping,
                jobs=jobs or (-1 if cluster else 0),
                progress=progress,
                now=datetime.now(UTC).isoformat(timespec="seconds"),
                keep_personal_data=keep_personal_data,
                model=model,
            )
            self._forget_files()
        if report.failed and not report.documents:
            first = next(item for item in report.skipped if item.file == report.failed[0])
            said = "nothing was changed" if not report.removed else "other sources were read"
            where = f"{first.file} line {first.line}" if first.line else first.file
            raise SourceError(first.reason, where=where, remedy=said)
        return report

    def guideline(self, name: str = "sample") -> Guideline:
        """A guideline by `id@version` in the base, a file, or `sample`; else `NotFoundError`."""
        from medweave.guideline.loading import guideline_in
        from medweave.guideline.statements import guideline_from

        if "@" in name and not Path(name).exists():
            return guideline_from(self._store, name)
        return guideline_in(name)

    def guidelines(self) -> list[str]:
        """The guidelines of the base, as `id@version`."""
        if not self._has_guidelines:
            return []
        from medweave.guideline.statements import guidelines_in

        return guidelines_in(self._store)

    def classify(
        self,
        record: dict[str, Any],
        *,
        guideline: str = "sample",
        order: str = "best",
        language: str = "",
    ) -> Assessment:
        """What a guideline says of a child: findings as `classify --findings` has them.

        >>> with KnowledgeBase.open("memory:") as base:
        ...     found = base.classify({"age_days": 400, "findings": {"convulsions": True}})
        >>> found.guideline
        'sample-child-health'
        """
        reader = self._case_reader(guideline)
        return classify(
            record, reader, order=order, language=language, knowledge=lambda: self.knowledge
        )[0]

    def assess(self, guideline: str = "sample", events: Iterable[Event] = ()) -> Session:
        """An assessment, question by question: as it begins, or after these events."""
        from medweave.assessment.session import Session

        return Session.of(self._case_reader(guideline).graph, events)

    def _case_reader(self, name: str) -> CaseReader:
        """A guideline made ready, once for a revision."""
        from medweave.guideline.case_reader import CaseReader
        from medweave.guideline.logic.graph import compile_guideline

        revision = self._store.version().revision
        made, readers = self._case_readers
        if made != revision or name not in readers:
            reader = CaseReader(compile_guideline(self.guideline(name)))
            readers = {**(readers if made == revision else {}), name: reader}
            self._case_readers = revision, readers
        return readers[name]

    def _naming_by(self, ontology: str) -> Naming:
        """What names mean, with the ontology that statements are held against."""
        if not ontology:
            return self._naming
        from medweave.ontology.loading import ontology_in

        return replace(self._naming, ontology=ontology_in(ontology))

    def plan(
        self,
        sources: Iterable[str | Path],
        *,
        mapping: Mapping | None = None,
        keep_personal_data: bool = False,
        ontology: str = "",
    ) -> BuildPlan:
        """What `build` would do with these sources; nothing is written."""
        return plan(
            [Path(source) for source in sources],
            self._store,
            self._naming_by(ontology),
            mapping=mapping,
            keep_personal_data=keep_personal_data,
            model=self.reader,
        )

    def model_plan(
        self,
        sources: Iterable[str | Path],
        *,
        mapping: Mapping | None = None,
        ontology: str = "",
    ) -> ModelPlan:
        """What `build` would ask the language model that is configured, which need not be there:
        only what it replied before is looked at. Nothing is asked or written."""
        named, naming = [Path(source) for source in sources], self._naming_by(ontology)
        kept = kept_replies(self.reader, self._address)
        return model_plan(named, self._store, naming, kept, mapping=mapping)

    @property
    def reader(self) -> str:
        """The language model that reads, by its id; '' where rules do."""
        own = self._language_model
        return own.id if own else self._configuration.model_of("extract").id

    @property
    def _address(self) -> str:
        """Where the language model runs that is configured; '' for one of somebody's own."""
        return "" if self._language_model else self._configuration.model_of("extract").url

    def _model(self) -> LanguageModel | None:
        """The language model, opened once; None where none is configured."""
        if self._language_model is not None:
            return self._language_model
        if self._opened_model is None:
            self._opened_model = open_language_model(self._configuration.model_of("extract"))
        return self._opened_model

    def _model_within(self, limits: Limits) -> LanguageModel | None:
        """The language model, of which no more is asked than these limits allow."""
        own, named = self._language_model, self._configuration.model_of("extract")
        if limits == NO_LIMITS:
            return self._model()
        return limited_language_model(own, limits) if own else open_language_model(named, limits)

    def export(self, path: str | Path, form: str = "trig") -> None:
        """Write the whole base to files that other programs read; see `exchange.formats.FORMATS`.

        Vectors are not written: they are made again. Raises `ConfigurationError`.
        """
        from medweave.exchange.formats import export, format_called

        export(self.knowledge, format_called(form), Path(path))

    def import_(self, paths: Iterable[str | Path], form: str = "") -> BuildReport:
        """Take in what `export` wrote, all of it or nothing; without `form` the names tell it.

        Files of a format that holds less than a base are built like any other source.
        Raises `SourceError` where a file is broken or is not of a base.
        """
        from medweave.exchange.formats import format_called, format_of, read_contents
        from medweave.exchange.importing import import_contents
        from medweave.sources.mapping.layouts import find_mapping

        files = [Path(path) for path in paths]
        formats = [format_called(form) if form else format_of(path) for path in files]
        if form and formats[0].layout:
            return self.build(files, mapping=find_mapping(formats[0].layout))
        chosen = zip(files, formats, strict=True)
        parts = [(str(path), read_contents(each, path)) for path, each in chosen]
        with self._only_writer():
            report = import_contents(self._store, parts)
            self._forget_files()
            return report

    def sparql(
        self, query: str, *, timeout: float | None = None, reasoned: bool = False
    ) -> SparqlResult:
        """Answer a query in SPARQL over the base as RDF. Raises `QuestionError`.

        The RDF of a revision is kept in the user's cache; `timeout` is in seconds. `reasoned`: also
        over what follows by OWL 2 RL, with the axioms of `causalamd`.
        """
        from medweave.exchange.sparql import TIMEOUT, answer_query, check_query

        check_query(query)
        folder = self._store.consistently(lambda: rdf_folder(self.knowledge, reasoned=reasoned))
        return answer_query(folder, query, timeout=TIMEOUT if timeout is None else timeout)

    def reason(self, ontology: str = "causalamd", engine: Engine | None = None) -> Reasoned:
        """Keep what follows from the base by an ontology (a name or a file), in the place of what
        was inferred before; where the base contradicts itself, everything stays as it is.

        `engine` is `rules` or `hermit`. Raises `OntologyError`, and `ConfigurationError` where
        HermiT is named and not there.
        """
        from medweave.ontology.loading import ontology_in
        from medweave.reasoning.keeping import keep_inferred
        from medweave.reasoning.reason import reason

        axioms = ontology_in(ontology)
        with self._only_writer():
            found = reason(self.knowledge, axioms, engine)
            if found.consistent:
                keep_inferred(self._store, found, axioms)
        return found

    @_of_one_revision
    def affected(self, old: Ontology, change: Difference) -> Affected:
        """What of the base the change of an ontology touches."""
        from medweave.ontology.affected import affected_by
        from medweave.sources.abstracts.reading import TEXT

        abstracts = (each.id for each in self._store.documents() if each.text(TEXT))
        return affected_by(change, old, self.knowledge, abstracts)

    def reread(self, old: Ontology, new: Ontology, *, progress: Progress = no_progress) -> Reread:
        """Read by a `new` ontology all that was read by the `old` one: the base is then the one
        that `new` makes from the start, by the language model where one is configured. All of it,
        or where anything goes wrong nothing.

        Raises `SourceError` for a source that cannot be read again.
        """
        from medweave.sources.rereading import reread

        by_old, by_new = (replace(self._naming, ontology=each) for each in (old, new))
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._only_writer():
            made = reread(
                self._store, by_old, by_new, model=self._model(), now=now, progress=progress
            )
            self._forget_files()
            return made

    def forget_inferred(self) -> int:
        """Take out what was inferred; how many statements that were."""
        from medweave.reasoning.keeping import forget_inferred

        with self._only_writer():
            return forget_inferred(self._store)

    def review(
        self,
        statement: str,
        verdict: Verdict,
        *,
        by: str = "",
        correction: dict[str, str] | None = None,
    ) -> Decision:
        """Keep a person's decision about a statement (by its id), and carry it out.

        What was rejected or corrected is in no answer any more, also when its sources are read
        anew; `accepted` brings it back. `correction` has the parts that are to be put right, of
        `subject`, `predicate` and `object`, in names. Raises `NotFoundError`, and `StatementError`
        for a correction that cannot be.
        """
        from medweave.graph.review import reviewed

        with self._only_writer():
            found = reviewed(self.knowledge, statement, verdict, by=by, correction=correction)
            self._forget_files()
            return found

    def decisions(self) -> tuple[Decision, ...]:
        """What people decided about statements of the base, the earliest first."""
        from medweave.graph.decisions import decisions

        made = decisions(self._store)
        return tuple(sorted(made, key=lambda each: (each.time, each.statement.id)))

    @_of_one_revision
    def undecided(self) -> list[SupportedStatement]:
        """All statements that nobody decided about, the most doubtful first."""
        from medweave.graph.review import undecided

        return undecided(self.knowledge)

    @_of_one_revision
    def undecided_page(self, limit: int, after: Doubt | None = None) -> Waiting:
        """Some of `undecided`, in its order, those behind `after` (`medweave.graph.review`)."""
        from medweave.graph.review import ReviewQueue

        if self._review_queue is None:
            self._review_queue = ReviewQueue()
        return self._review_queue.page(self.knowledge, limit, after)

    def remove(self, source_or_document: str) -> int:
        """Remove a source (by its path), all in a folder, a document, or a text with its passages;
        how many documents went.

        Raises `NotFoundError` where the base has nothing of that name.
        """
        named = source_or_document.strip()  # an empty path would mean the folder one is in
        found = self._documents_of(source_or_document) if named else []
        if not found:
            raise NotFoundError(
                "the base has no such source or document",
                where=source_or_document or "''",
                remedy="see the sources with `medweave stats`",
            )
        with self._only_writer():
            count = self._store.remove(found)
            self._forget_files()
            return count

    def _documents_of(self, name: str) -> list[str]:
        path = Path(name).resolve()
        inside = [
            source
            for source in self._store.sources()
            if source == name or Path(source) == path or path in Path(source).parents
        ]
        of_sources = [document for s in inside for document in self._store.build_keys(s)]
        return of_sources or self._called(name)

    def _called(self, name: str) -> list[str]:
        return self._store.documents_called(name) or self._store.passages_called(name)

    def ask(
        self,
        text: str,
        *,
        candidates: int = CANDIDATES,
        guideline: str = "",
        history: Sequence[str] = (),
        use: ModelUse | None = None,
    ) -> Answer:
        """Answer a question in English or Chinese; see `Answer`. Raises `QuestionError`.

        With a language model, it is answered by rule first; then the model helps to find more and
        writes, and each of its sentences is checked. `use` says how it may be used, and how long.

        Where it describes a child, the guidelines of the base say what they say of it, or the one
        that is named: `sample`, a file, or `id@version` (`NotFoundError` where there is none). With
        the sample base it is the sample guideline. `history` is what the person said before,
        oldest first.
        """
        if not self._answers_by_model:
            return self._asked(text, guideline, candidates, history, use)
        from medweave.generation.generate import whole

        with self._store.snapshot():  # a model is not asked again where a store has none
            answer = self._asked(text, guideline, candidates, history, use)
            return whole(self._generated(answer, guideline, (*history, text), use))

    def ask_piecewise(
        self,
        text: str,
        *,
        candidates: int = CANDIDATES,
        guideline: str = "",
        history: Sequence[str] = (),
        use: ModelUse | None = None,
    ) -> Iterator[Piece]:
        """`ask` as it goes on: what is said by rule as soon as it stands, each sentence once it is
        checked, which is never taken back, and the whole answer at the end.

        One thread takes all of it: the base is read at one revision from the first piece on.

        >>> with KnowledgeBase.sample() as base:
        ...     first, *said, last = base.ask_piecewise("What are the symptoms of gout?")
        >>> (first.answer.status, len(said), last.whole)
        ('answered', 1, True)
        """
        from medweave.generation.generate import in_pieces

        with self._store.snapshot():
            answer = self._asked(text, guideline, candidates, history, use)
            said = self._generated(answer, guideline, (*history, text), use, as_it_comes=True)
            yield from in_pieces(answer, said if self._answers_by_model else None)

    def ask_in_pieces(self, text: str, **how: Any) -> Iterator[dict[str, Any]]:
        """`ask_piecewise` as events: `{"event": "danger", …}`, then each `step`, each `sentence`,
        and the whole `answer` at the end.

        >>> with KnowledgeBase.sample() as base:
        ...     told = list(base.ask_in_pieces("What are the symptoms of gout?"))
        >>> [each["event"] for each in told]
        ['danger', 'step', 'sentence', 'answer']
        """
        from medweave.generation.generate import events_of

        for piece in self.ask_piecewise(text, **how):
            for name, value in events_of(piece):
                yield {"event": name, name: value}

    def get_ready(self) -> None:
        """Read what the first questions would wait for: words, models, vectors.

        A question is answered by rule, in each language; no language model is asked.
        """
        for text in _FIRST_QUESTIONS:
            self._asked(text, "", CANDIDATES, ())

    @_of_one_revision
    def ask_plan(
        self,
        text: str,
        *,
        guideline: str = "",
        history: Sequence[str] = (),
        use: ModelUse | None = None,
    ) -> dict[str, Any]:
        """What `ask` would ask the language models, at most, where no request fails: none is asked,
        and they need not be there."""
        from medweave.generation.plan import planned
        from medweave.model.generated import MODEL_USE

        names = {role: self._configuration.model_of(role) for role in ROLES}
        kept = {
            role: kept_replies(name.id, name.url) for role, name in names.items() if name.provider
        }
        if own := self._language_model:
            kept = dict.fromkeys(("decompose", "answer"), kept_replies(own.id))
        answer = self._asked(text, guideline, CANDIDATES, history, use)
        rules = self._rules(guideline, (*history, text))
        return planned(answer, rules, kept, use or MODEL_USE)

    @_of_one_revision
    def _asked(
        self,
        text: str,
        guideline: str,
        candidates: int,
        history: Sequence[str],
        use: ModelUse | None = None,
    ) -> Answer:
        """The answer by rule, or with what another strategy finds, where `use` names one; of
        several stores, with what became of each."""
        answer = ask(
            text,
            self.knowledge,
            candidates=candidates,
            configuration=self._configuration,
            nearness=self._nearness,
            history=history,
            beside_statements=list(self._contributors(guideline)),
        )
        answer = self._by_strategy(answer, use)
        return with_stores(answer, self._several.told()) if self._several else answer

    @property
    def _answers_by_model(self) -> bool:
        """Whether a language model may be asked for a question."""
        named = (self._configuration.model_of("answer"), self._configuration.model_of("decompose"))
        return self._language_model is not None or any(name.provider for name in named)

    def _generated(
        self,
        answer: Answer,
        guideline: str,
        said: Sequence[str],
        use: ModelUse | None,
        *,
        as_it_comes: bool = False,
    ) -> Generation:
        """An answer by rule as a language model says it, as far as that is supported."""
        from medweave.app import models_of_question
        from medweave.generation.generate import generate
        from medweave.model.generated import MODEL_USE

        use = use or MODEL_USE
        models = models_of_question(self._language_model, self._configuration, use)
        return generate(answer, self._rules(guideline, said), models, use, as_it_comes=as_it_comes)

    def _by_strategy(self, answer: Answer, use: ModelUse | None) -> Answer:
        """An answer by rule, with what another strategy finds in place of ours, where one is named.

        Raises `ConfigurationError` where there is no such strategy, or it needs what is not there.
        """
        if use is None or use.strategy == answer.strategy:
            return answer
        from medweave.generation.strategies.answer import answer_of
        from medweave.generation.strategies.strategy import ALONE, Search, checked_name, retrieved

        name = checked_name(use.strategy)
        if name == ALONE and not self._answers_by_model:
            raise ConfigurationError(
                "there is no language model that could answer alone",
                where="strategy model",
                remedy="name one with --model, or in medweave.toml",
            )
        question = answer.question
        search = Search(
            question,
            self.knowledge,
            lambda k: self._near_relations(question.text, question.language, k),
            lambda k: self._dialogues_like(question.text, k),
        )
        return answer_of(name, retrieved(name, search), answer, search, self.verify)

    def _near_relations(self, text: str, language: str, k: int) -> list[SupportedStatement] | None:
        """The relations that are nearest to a text; None where there are no vectors of any."""
        embedder, index = self._embedder_of("relation", language), self._store.vectors()
        if embedder is None or index is None:
            return None
        [near] = index.search("relation", embedder.embed([text]), k)
        found = {each.statement.id: each for each in self._store.statements(n.key for n in near)}
        return [found[each.key] for each in near if each.key in found]

    def _dialogues_like(self, text: str, k: int) -> list[str]:
        """The documents of the past dialogues that are most like a message."""
        from medweave.model.similar import SIMILAR_HOW

        if not self._has_dialogues:
            return []
        found = self._past_dialogues().like(self._message(text), k, SIMILAR_HOW)
        return [each.document for each in found.dialogues]

    def _rules(self, guideline: str, said: Sequence[str]) -> Rules:
        """What rules can do for a question, behind what was said before and in it."""
        from medweave.generation.finding import Reading
        from medweave.generation.generate import Rules

        def answer(text: str, before: Sequence[str]) -> Answer:
            return self._asked(text, guideline, CANDIDATES, (*said, *before))

        return Rules(self.knowledge, self.verify, Reading(answer, self._around))

    def _around(
        self, text: str, fed: Sequence[str], unrelated: Callable[[Found], Collection[str]]
    ) -> Subgraph | None:
        """What lies around a question and some things, pruned."""
        from medweave.contributors.question_subgraph import loose_reading, subgraph_of_question

        question = self.understand(text)
        read = loose_reading(question, self.knowledge)
        return subgraph_of_question(
            question,
            read,
            self.knowledge,
            cosines=self._nearness,
            fed=fed,
            unrelated=unrelated,
        )

    def _contributors(self, guideline: str) -> Iterator[Contributor]:
        """What answers beside statements: past dialogues and papers that are near, and guidelines,
        where there are any."""
        if self._has_dialogues:
            from medweave.contributors.past_cases import PastCases

            yield PastCases(self._past_dialogues, message_by_rules)
        if self._has_context:
            from medweave.contributors.near_papers import NearPapers

            yield NearPapers(lambda text, language: self._context(text, language, CANDIDATES))
        if self._store.note(NOTED):
            from medweave.contributors.passages import Passages

            yield Passages(self._found_passages)
        named = bool(guideline)
        beside = not named and not self._has_guidelines
        name = self._guideline_beside if beside else guideline
        if name or not beside:
            from medweave.contributors.guidelines import Guidelines

            yield Guidelines(
                lambda: self._guidelines_for(name),
                named=named,
                beside=beside,
                nearness=self._nearness,
            )

    def _guidelines_for(self, name: str) -> tuple[OpenGuideline, ...]:
        """Those of the base, or the one of a name; each is made ready once for a revision."""
        from medweave.guideline.contribution import open_beside, open_in_base

        key = (self._store.version().revision, name)
        if key not in self._guidelines:
            if name and not ("@" in name and not Path(name).exists()):
                found: tuple[OpenGuideline, ...] = (open_beside(name),)
            else:
                found = open_in_base(self._store, self.knowledge.entities, name)
            self._guidelines = {**self._guidelines, key: found} if name else {key: found}
        return self._guidelines[key]

    @_of_one_revision
    def understand(self, text: str) -> Question:
        """What a text mentions, of whom, and what it asks. Raises `QuestionError`."""
        return understand(
            text,
            self.knowledge,
            models=models_of(self._configuration),
            nearness=self._nearness,
        )

    def _nearness(self, text: str, others: Sequence[str]) -> Sequence[float]:
        """How near texts are, for names that mean several things; most questions have none."""
        if self._closeness is None:
            from medweave.embedding.nearness import Closeness

            self._closeness = Closeness(self._configuration.embedder)
        return self._closeness(text, others)

    @_of_one_revision
    def question_text(self, text: str) -> QuestionText:
        """A text with the names that this base knows in it, as classifiers of intents see it."""
        return question_text(text, self.knowledge)

    def documents_called(self, name: str) -> tuple[Document, ...]:
        """The documents of this name: a past case by its id, or the record of a source; the
        passages of a text, by its name, in their order."""
        found = self._store.documents(self._called(name))
        return tuple(sorted(found, key=lambda one: (one.source, passage_number(one), one.name)))

    @_of_one_revision
    def show(self, name: str) -> EntityCard:
        """A thing by name or identifier, with all statements about it, on either side. Of several
        stores it says which were not heard.

        Raises `NotFoundError`.
        """
        try:
            card = card_of(name, self.knowledge)
        except NotFoundError as error:
            if missing := self.heard().missing:
                raise NotFoundError(
                    error.what, where=error.where, remedy=" ".join(missing)
                ) from error
            raise
        return replace(card, heard=self.heard())

    def heard(self, language: str = "en") -> Heard:
        """What became of each of several stores in what was asked last; nothing, where it is
        one."""
        return heard_of(self._several.told(), language) if self._several else ALL_HEARD

    @_of_one_revision
    def things(self, text: str = "", concept: str = "") -> list[Thing]:
        """The things of the base, or those a name of which holds a text, in no order."""
        from medweave.retrieval.things import things_of

        return things_of(self.knowledge, text, concept)

    @_of_one_revision
    def paths(self, start: str, end: str, language: str = "en") -> Paths:
        """How two things hang together, by name or identifier: the shortest chains of statements.

        Raises `NotFoundError`.
        """
        from medweave.retrieval.graph.shortest_paths import paths_between

        return paths_between(start, end, self.knowledge, language)

    @_of_one_revision
    def documents(self) -> list[tuple[str, str]]:
        """All documents of the base as (source, id), by source; none of them is read."""
        store = self._store
        return [(path, one) for path in store.sources() for one in store.build_keys(path)]

    def documents_with(self, identifiers: Iterable[str]) -> list[tuple[Document, int]]:
        """The documents with these ids, each with for how many statements it gives evidence."""
        return self._documents_with(list(identifiers))  # it may be read more than once

    @_of_one_revision
    def _documents_with(self, identifiers: list[str]) -> list[tuple[Document, int]]:
        found = self._store.documents(identifiers)
        counts = self._store.statements_from(each.id for each in found)
        return [(each, counts[each.id]) for each in found]

    @_of_one_revision
    def query(
        self, triples: Sequence[Triple], *, limit: int = 1000, timeout: float = 30.0
    ) -> TripleResult:
        """What fits triples with unknown parts; see `model.triple_query`. Raises `QuestionError`.

        >>> from medweave.model.triple_query import read_triples
        >>> with KnowledgeBase.sample() as base:
        ...     found = base.query(read_triples('["?", "symptom_of", "type 2 diabetes"]'))
        >>> [thing.name() for thing in found.bindings["?"]][:2]
        ['blurred vision', 'fatigue']
        """
        from medweave.retrieval.graph.triple_queries import answer_triples

        found = answer_triples(triples, self.knowledge, limit=limit, timeout=timeout)
        return replace(found, heard=self.heard())

    @_of_one_revision
    def verify(self, text: str) -> Verified:
        """What a text claims, and what of the base says or denies it. Raises `QuestionError`.

        >>> with KnowledgeBase.sample() as base:
        ...     checked = base.verify("Gout can cause joint pain. Gout raises the risk of obesity.")
        >>> checked.verdict, [claim.reason for claim in checked.claims]
        ('partly', [None, 'direction'])
        """
        from medweave.claims.verify import verify

        opened = self._guidelines_for(self._guideline_beside)
        guidelines = [(each.reader.graph.guideline, each.supports()) for each in opened]
        checked = verify(text, self.knowledge, guidelines)
        return replace(checked, heard=self.heard(checked.language))

    @_of_one_revision
    def schema(self) -> list[PredicateShape]:
        """The relations that the base has, each with what it joins, the most frequent first."""
        from medweave.retrieval.graph.base_schema import schema_of

        return schema_of(self.knowledge)

    @_of_one_revision
    def stats(self) -> dict[str, Any]:
        """Counts of what the base holds, and where it is. Of several stores it says which were
        not heard, and are not counted."""
        from medweave.graph.statistics import statistics

        store = {**self._named, "server": self._store.server()}
        return statistics(self.knowledge) | {"store": store, **self.heard().to_json()}

    def _only_writer(self) -> AbstractContextManager[None]:
        """While this is open, no other process writes to the base."""
        return self._store.writing()

    @_of_one_revision
    def duplicates(self) -> Duplicates:
        """Things that may be one, and names that may be several things."""
        from medweave.graph.duplicates import duplicates

        return duplicates(self.knowledge)

    def check(self, *, progress: Progress = no_progress) -> list[Problem]:
        """Everything that is wrong with the base; an empty list where it is whole."""
        return self._kept.check(progress=progress)

    def backup(
        self, path: str | Path, *, replace: bool = False, progress: Progress = no_progress
    ) -> BaseVersion:
        """Copy the base to a new file, while others use it, and check the copy: what it holds.

        Raises `StoreError`, and leaves nothing behind, where that cannot be done.
        """
        return self._kept.backup(Path(path), replace=replace, progress=progress)

    def compact(self, *, progress: Progress = no_progress) -> Compacted:
        """Mend what is derived from the facts, and give back room nothing uses.

        Raises `StoreBusyError` while another process writes.
        """
        kept = self._kept
        with self._only_writer():
            return kept.compact(progress=progress)

    @property
    def _kept(self) -> SupportsUpkeep:
        """The store as one that lasts and can be looked after."""
        if not isinstance(self._store, SupportsUpkeep):
            raise StoreError("a base in memory has no upkeep", remedy="name a base in a file")
        return self._store

    @property
    def vectors(self) -> VectorView:
        """The vectors of the base. Raises `StoreError` where its store keeps none."""
        index = self._store.vectors()
        if index is None:
            raise StoreError("this kind of base keeps no vectors", remedy="use a base in a file")
        return index

    @_of_one_revision
    def similar(self, text: str, k: int = 3, how: SimilarHow | None = None) -> Similar:
        """The `k` past dialogues most like a message, best first, each with why.

        Raises `QuestionError`. Where there are no vectors, they are compared by words, and
        `missing` says so. Signs of danger are told first; in a crisis there is nothing else.
        """
        from medweave.answering.danger import sign_in_words, whom_to_call
        from medweave.model.similar import SIMILAR_HOW, Similar
        from medweave.understanding.danger.find import told_in_danger

        asked = self._message(text)
        signs = told_in_danger(text, asked.language, self._configuration)
        danger = tuple(sign_in_words(sign, asked.language) for sign in signs)
        contacts = self._configuration.emergency, self._configuration.crisis
        call = whom_to_call(signs, asked.language, *contacts)
        if any(sign.kind == "crisis" for sign in signs):
            return Similar((), "text", language=asked.language, danger=danger, emergency=call)
        found = self._past_dialogues().like(asked, k, how or SIMILAR_HOW)
        safety = self._stops_in(text, found)
        lost = self.heard(asked.language).missing
        missing = (*lost, *asked.missing, *found.missing)
        return replace(found, missing=missing, danger=danger, emergency=call, safety=safety)

    def _stops_in(self, text: str, found: Similar) -> Answer | None:
        """What stops drugs that dialogues name, for whoever writes a text."""
        from medweave.contributors.named_drugs import stops_of

        quoted = self._store.documents({one.document for one in found.dialogues})
        named = (said for document in quoted for _, said in document.fields)
        return stops_of(named, understand(text, self.knowledge), self.knowledge)

    @_of_one_revision
    def message(self, text: str) -> Message:
        """What a message says by sections, and what it asks for (equation 8).

        Raises `QuestionError`.
        """
        return self._message(text)

    def _message(self, text: str) -> Message:
        how = self._configuration
        return message(text, self.knowledge, configuration=how, model=self._model())

    def _past_dialogues(self) -> PastDialogues:
        """The dialogues of the base, opened once."""
        from medweave.retrieval.dialogues.similar import PastDialogues

        if self._past is None:
            naming = self._naming
            self._past = PastDialogues(self._store, naming.vocabulary, self._embedder, self._files)
        return self._past

    def _forget_files(self) -> None:
        """Delete what files beside the base may hold of what was taken out of it."""
        if self._files and self._files.exists():
            self._stored_graph().discard_if_worn(self.vectors)

    def _stored_graph(self) -> StoredGraph:
        from medweave.retrieval.dialogues.stored_graph import StoredGraph

        return StoredGraph(self._files, self._store, self._naming.vocabulary)

    @property
    def _has_context(self) -> bool:
        index = self._store.vectors()
        return index is not None and bool(index.counts().get("relation"))

    @property
    def _has_dialogues(self) -> bool:
        return bool(self._store.count_mentioned_as("dialogue"))

    @property
    def _has_guidelines(self) -> bool:
        return bool(self._store.count_mentioned_as("guideline"))

    def _embedder(self) -> tuple[Embedder | None, str]:
        """What makes vectors of messages, opened once; or none, and why."""
        if self._chosen is None:
            self._chosen = open_embedder(self._configuration.embedder)
        return self._chosen.embedder, self._chosen.reason

    @_of_one_revision
    def semantic_context(self, text: str, k: int = 5) -> SemanticContext:
        """What papers of the base say that is near to a text in meaning: things, relations with
        their publications, and publications; nothing, where the base has no vectors of them, or
        nothing that makes one of the text. Raises `EmbeddingError` where an endpoint fails.
        """
        return self._context(text, "en", k)

    def _context(self, text: str, language: str, k: int) -> SemanticContext:
        from medweave.retrieval.literature.semantic_context import (
            NOTHING_NEAR,
            semantic_context,
        )

        embedder, index = self._embedder_of("relation", language), self._store.vectors()
        if embedder is None or index is None:
            return NOTHING_NEAR
        return semantic_context(embedder.embed([text]), index, self._store, k=k)

    @_of_one_revision
    def passages(self, text: str, k: int = 5) -> FoundPassages:
        """The `k` passages of the base's texts that answer a question best; none, where it has no
        texts. Without vectors they are found by their words."""
        return self._found_passages(text, k)

    def _found_passages(self, text: str, k: int, names: NamesOf | None = None) -> FoundPassages:
        from medweave.retrieval.passages.ranking import PassageSearch

        embedder = self._embedder_of("passage", language_of(text))
        index = self._store.vectors() if embedder else None
        embed = embedder.embed if embedder else None
        return PassageSearch(self._store, index, embed).find(text, k=k, also=names)

    def _embedder_of(self, space: Space, language: str) -> Embedder | None:
        """The embedder that made the vectors of a space, if it reads a language; None where there
        are no such vectors, or another made them."""
        index = self._store.vectors()
        if index is None or not index.counts().get(space):
            return None
        embedder, _ = self._embedder()
        if embedder is None or embedder.model != index.model():
            return None
        return embedder if embedder.model.reads(language) else None

    def link_dialogues(
        self,
        *,
        least: float = 0.8,
        level: Level = "dialogue",
        jobs: int = 0,
        cluster: str = "",
        progress: Progress = no_progress,
    ) -> LinksMade:
        """Link dialogues whose vectors are near: those new since the last time with all others.

        `level` says whether whole dialogues are compared, or their sections; `jobs` is how many
        processes compare (0: as many as are worth while), `cluster` the address of a dask
        scheduler. It may be stopped at any moment and goes on from there. Raises
        `ConfigurationError` for a cosine or a level that there is not.
        """
        from medweave.graph.links import ON_BACKEND, join
        from medweave.sources.many import on_cluster

        with self._only_writer(), on_cluster(cluster):
            chosen = ON_BACKEND if cluster else jobs
            made = join(self.vectors, least=least, level=level, jobs=chosen, progress=progress)
            self._stored_graph().write(self.vectors)
            return made

    def make_vectors(self, *, progress: Progress = no_progress) -> VectorsMade:
        """Make the vectors that the base has none of: of all dialogues and their sections, of what
        papers say, and of passages of texts.

        It may be stopped at any moment and goes on from there. Raises `EmbeddingError` where there
        is no embedder, and `VectorError` where the base has the vectors of another.
        """
        from medweave.embedding.cache import CachedEmbedder
        from medweave.graph.context_vectors import make_context_vectors
        from medweave.graph.passage_vectors import make_passage_vectors
        from medweave.graph.tree_vectors import make_tree_vectors

        chosen = open_embedder(self._configuration.embedder)
        if chosen.embedder is None:
            raise EmbeddingError(
                f"no vectors can be made, as {chosen.reason}",
                remedy="install the weights with `medweave weights install`, or name an embedder",
            )
        with self._only_writer():
            embedder = CachedEmbedder(chosen.embedder, self.vectors)
            context = make_context_vectors(
                self.knowledge, self.vectors, embedder, progress=progress
            )
            made = make_tree_vectors(self._store, self.vectors, embedder, progress=progress)
            passages = make_passage_vectors(self._store, self.vectors, embedder, progress=progress)
            self._stored_graph().write(self.vectors)
            return replace(made, context=context, passages=passages)

    def make_passage_vectors(self, *, progress: Progress = no_progress) -> int:
        """Make the vectors that passages have none of; how many. 0 where there is no model, or the
        base has the vectors of another.

        It may be stopped at any moment and goes on from there. Raises `EmbeddingError` where an
        endpoint fails.
        """
        from medweave.graph.passage_vectors import make_passage_vectors

        if self._store.note(NOTED) is None or self._store.vectors() is None:
            return 0
        embedder, _ = self._embedder()
        if embedder is None or self.vectors.model() not in (None, embedder.model):
            return 0
        with self._only_writer():
            return make_passage_vectors(self._store, self.vectors, embedder, progress=progress)

    def forget_vectors(self) -> int:
        """Take out all vectors, so that another embedder can make them; how many there were."""
        with self._only_writer():
            count = self.vectors.forget()
            self._forget_files()
            return count

    @property
    def version(self) -> BaseVersion:
        """Identity, revision and hash. Equal bases have equal hashes, however they were made."""
        return self._store.version()

    @property
    def knowledge(self) -> Knowledge:
        """The base as questions see it, never older than the base itself."""
        revision, latest = self._store.version().revision, self._knowledge
        if latest is None or latest[0] != revision:  # another thread may be at another revision
            naming = self._naming
            view = knowledge_of(self._store, naming.vocabulary, naming.lexicon, self._lay)
            latest = self._knowledge = (revision, view)
        return latest[1]


def make_sample(path: Path, *, progress: Progress = no_progress) -> BuildReport:
    """Build the sample base beside its place, then move it there: nobody sees half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.stem}.{os.getpid()}.part")
    unfinished.unlink(missing_ok=True)
    with KnowledgeBase.open(str(unfinished)) as base:
        report = base.build(sample_files(), progress=progress)
    unfinished.replace(path)
    return report
