"""A base of medical knowledge, as everything that stands on it uses it.

What writes stands in `writing`, how it is answered in `asking`, both over the parts that
`opened_base` holds; all else that reads is a line or two. What few need is imported where it is
used.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Self, TypeVar, cast

from medweave.answering.compose import CANDIDATES
from medweave.app import (
    files_beside,
    is_federation,
    listed_mapping,
    open_federation,
    open_in_place,
    open_store,
    rdf_folder,
    sample_files,
    sample_path,
    store_named,
)
from medweave.asking import (
    AskRequest,
    by_rule,
    generated,
    message_of,
    near_context,
    passages_for,
    plan_of,
    similar_to,
    understood,
    verified,
)
from medweave.errors import NotFoundError
from medweave.graph.copying import refuse_unfinished
from medweave.model.answer import Answer, BaseVersion
from medweave.model.configuration import CONFIGURATION, Configuration
from medweave.model.document import Document
from medweave.model.entity_card import EntityCard
from medweave.model.passage import passage_number
from medweave.model.question import Question
from medweave.model.vectors import EXACT, VectorSearch
from medweave.opened_base import OpenedBase
from medweave.pipeline import classify
from medweave.ports import (
    LanguageModel,
    Problem,
    Progress,
    StoreView,
    VectorView,
    no_progress,
)
from medweave.retrieval.card import card_of
from medweave.sources.names import Naming
from medweave.stores.revision_memo import revision_memo
from medweave.understanding.intents.features import QuestionText
from medweave.understanding.question import question_text
from medweave.vocabulary.knowledge import Knowledge
from medweave.vocabulary.lexicon import shipped_lexicon
from medweave.vocabulary.own_words import added_vocabulary, vocabulary_with
from medweave.vocabulary.vocabulary import Vocabulary, load_vocabulary, shipped_texts
from medweave.writing import (
    WritableBase,
    documents_named,
)

if TYPE_CHECKING:
    from medweave.assessment.events import Event
    from medweave.assessment.session import Session
    from medweave.exchange.sparql import SparqlResult
    from medweave.generation.generate import Piece
    from medweave.graph.builder import BuildReport
    from medweave.graph.duplicates import Duplicates
    from medweave.graph.review import Doubt, ReviewQueue, Waiting
    from medweave.model.assessment import Assessment
    from medweave.model.claim import Verified
    from medweave.model.decision import Decision
    from medweave.model.generated import ModelUse
    from medweave.model.guideline import Guideline
    from medweave.model.ontology import Ontology
    from medweave.model.similar import Message, Similar, SimilarHow
    from medweave.model.statement import SupportedStatement
    from medweave.model.triple_query import Triple, TripleResult
    from medweave.ontology.affected import Affected
    from medweave.ontology.difference import Difference
    from medweave.retrieval.graph.base_schema import BaseSchema
    from medweave.retrieval.graph.shortest_paths import Paths
    from medweave.retrieval.literature.semantic_context import SemanticContext
    from medweave.retrieval.passages.ranking import FoundPassages
    from medweave.retrieval.things import Thing


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
    """A method that reads one revision, whatever others write meanwhile, and of several stores
    those that are there to its end."""

    @wraps(method)
    def read(base: KnowledgeBase, /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        def once() -> _T:
            return base._store.consistently(lambda: method(base, *args, **kwargs))

        several = base._opened.several
        return several.wholly(once) if several else once()

    return read


class KnowledgeBase(WritableBase):
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
        self._opened = OpenedBase(store, vocabulary, own_words, configuration, language_model)
        self._review_queue: ReviewQueue | None = None

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
        store = revision_memo(
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
            base._opened.files, base._opened.named = files_beside(url), store_named(url)
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
        store = revision_memo(
            several or open_in_place(url, cast("Path", mapping), naming, timeout=timeout)
        )
        base = cls(store, words, "", configuration, language_model)
        base._opened.named, base._opened.several = store_named(url), several
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
        base._opened.guideline_beside = "sample"
        return base

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._store.close()

    def guideline(self, name: str = "sample") -> Guideline:
        """A guideline by `id@version` in the base, a file, or `sample`; else `NotFoundError`."""
        return self._opened.guideline(name)

    def guidelines(self) -> list[str]:
        """The guidelines of the base, as `id@version`."""
        if not self._opened.has_guidelines:
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
        reader = self._opened.case_reader(guideline)
        return classify(
            record, reader, order=order, language=language, knowledge=lambda: self.knowledge
        )[0]

    def assess(self, guideline: str = "sample", events: Iterable[Event] = ()) -> Session:
        """An assessment, question by question: as it begins, or after these events."""
        from medweave.assessment.session import Session

        return Session.of(self._opened.case_reader(guideline).graph, events)

    @_of_one_revision
    def export(self, path: str | Path, form: str = "trig") -> None:
        """Write the whole base to files that other programs read; see `exchange.formats.FORMATS`.

        Vectors are not written: they are made again. Raises `ConfigurationError`, and
        `StoreUnreachableError` where one of several stores is lost.
        """
        from medweave.exchange.formats import export, format_called

        with self._opened.all_heard():
            export(self.knowledge, format_called(form), Path(path))

    def sparql(
        self, query: str, *, timeout: float | None = None, reasoned: bool = False
    ) -> SparqlResult:
        """Answer a query in SPARQL over the base as RDF. Raises `QuestionError`, and
        `StoreUnreachableError` where one of several stores is lost.

        The RDF of a revision is kept in the user's cache; `timeout` is in seconds. `reasoned`: also
        over what follows by OWL 2 RL, with the axioms of `causalamd`.
        """
        from medweave.exchange.sparql import TIMEOUT, answer_query, check_query

        check_query(query)
        folder = self._rdf_folder(reasoned=reasoned)
        return answer_query(folder, query, timeout=TIMEOUT if timeout is None else timeout)

    @_of_one_revision
    def _rdf_folder(self, *, reasoned: bool) -> Path:
        with self._opened.all_heard():
            return rdf_folder(self.knowledge, reasoned=reasoned)

    @_of_one_revision
    def affected(self, old: Ontology, change: Difference) -> Affected:
        """What of the base the change of an ontology touches."""
        from medweave.ontology.affected import affected_by
        from medweave.sources.abstracts.reading import TEXT

        abstracts = (each.id for each in self._store.documents() if each.text(TEXT))
        return affected_by(change, old, self.knowledge, abstracts)

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
        request = AskRequest(text, guideline, candidates, history, use)
        if not self._opened.answers_by_model:
            return self._by_rule(request)
        from medweave.generation.generate import whole

        with self._store.snapshot():  # a model is not asked again where a store has none
            return whole(generated(self._opened, self._by_rule(request), request))

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

        request = AskRequest(text, guideline, candidates, history, use)
        with self._store.snapshot():
            answer = self._by_rule(request)
            said = generated(self._opened, answer, request, as_it_comes=True)
            yield from in_pieces(answer, said if self._opened.answers_by_model else None)

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
            self._by_rule(AskRequest(text))

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
        return plan_of(self._opened, AskRequest(text, guideline, history=history, use=use))

    @_of_one_revision
    def _by_rule(self, request: AskRequest) -> Answer:
        return by_rule(self._opened, request)

    @_of_one_revision
    def understand(self, text: str) -> Question:
        """What a text mentions, of whom, and what it asks. Raises `QuestionError`."""
        return understood(self._opened, text)

    @_of_one_revision
    def question_text(self, text: str) -> QuestionText:
        """A text with the names that this base knows in it, as classifiers of intents see it."""
        return question_text(text, self.knowledge)

    def documents_called(self, name: str) -> tuple[Document, ...]:
        """The documents of this name: a past case by its id, or the record of a source; the
        passages of a text, by its name, in their order."""
        found = self._store.documents(documents_named(self._opened, name))
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
            if missing := self._opened.heard().missing:
                raise NotFoundError(
                    error.what, where=error.where, remedy=" ".join(missing)
                ) from error
            raise
        return replace(card, heard=self._opened.heard())

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
        return replace(found, heard=self._opened.heard())

    @_of_one_revision
    def verify(self, text: str) -> Verified:
        """What a text claims, and what of the base says or denies it. Raises `QuestionError`.

        >>> with KnowledgeBase.sample() as base:
        ...     checked = base.verify("Gout can cause joint pain. Gout raises the risk of obesity.")
        >>> checked.verdict, [claim.reason for claim in checked.claims]
        ('partly', [None, 'direction'])
        """
        return verified(self._opened, text)

    @_of_one_revision
    def schema(self) -> BaseSchema:
        """The relations that the base has, each with what it joins, the most frequent first. Of
        several stores it says which were not heard."""
        from medweave.retrieval.graph.base_schema import schema_of

        found = schema_of(self.knowledge)
        return replace(found, heard=self._opened.heard())

    @_of_one_revision
    def stats(self) -> dict[str, Any]:
        """Counts of what the base holds, and where it is. Of several stores it says which were
        not heard, and are not counted."""
        from medweave.graph.statistics import statistics

        store = {**self._opened.named, "server": self._store.server()}
        return statistics(self.knowledge) | {"store": store, **self._opened.heard().to_json()}

    @_of_one_revision
    def duplicates(self) -> Duplicates:
        """Things that may be one, and names that may be several things. Of several stores it says
        which were not heard."""
        from medweave.graph.duplicates import duplicates

        found = duplicates(self.knowledge)
        return replace(found, heard=self._opened.heard())

    def check(self, *, progress: Progress = no_progress) -> list[Problem]:
        """Everything that is wrong with the base; an empty list where it is whole."""
        return self._opened.upkeep.check(progress=progress)

    def backup(
        self, path: str | Path, *, replace: bool = False, progress: Progress = no_progress
    ) -> BaseVersion:
        """Copy the base to a new file, while others use it, and check the copy: what it holds.

        Raises `StoreError`, and leaves nothing behind, where that cannot be done.
        """
        return self._opened.upkeep.backup(Path(path), replace=replace, progress=progress)

    @property
    def vectors(self) -> VectorView:
        """The vectors of the base. Raises `StoreError` where its store keeps none."""
        return self._opened.vectors

    @_of_one_revision
    def similar(self, text: str, k: int = 3, how: SimilarHow | None = None) -> Similar:
        """The `k` past dialogues most like a message, best first, each with why.

        Raises `QuestionError`. Where there are no vectors, they are compared by words, and
        `missing` says so. Signs of danger are told first; in a crisis there is nothing else.
        """
        return similar_to(self._opened, text, k, how)

    @_of_one_revision
    def message(self, text: str) -> Message:
        """What a message says by sections, and what it asks for (equation 8).

        Raises `QuestionError`.
        """
        return message_of(self._opened, text)

    @_of_one_revision
    def semantic_context(self, text: str, k: int = 5) -> SemanticContext:
        """What papers of the base say that is near to a text in meaning: things, relations with
        their publications, and publications; nothing, where the base has no vectors of them, or
        nothing that makes one of the text. Raises `EmbeddingError` where an endpoint fails.
        """
        return near_context(self._opened, text, "en", k)

    @_of_one_revision
    def passages(self, text: str, k: int = 5) -> FoundPassages:
        """The `k` passages of the base's texts that answer a question best; none, where it has no
        texts. Without vectors they are found by their words."""
        return passages_for(self._opened, text, k)

    @property
    def version(self) -> BaseVersion:
        """Identity, revision and hash. Equal bases have equal hashes, however they were made."""
        return self._store.version()

    @property
    def knowledge(self) -> Knowledge:
        """The base as questions see it, never older than the base itself."""
        return self._opened.knowledge

    @property
    def _store(self) -> StoreView:
        return self._opened.store


def make_sample(path: Path, *, progress: Progress = no_progress) -> BuildReport:
    """Build the sample base beside its place, then move it there: nobody sees half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.stem}.{os.getpid()}.part")
    unfinished.unlink(missing_ok=True)
    with KnowledgeBase.open(str(unfinished)) as base:
        report = base.build(sample_files(), progress=progress)
    unfinished.replace(path)
    return report
