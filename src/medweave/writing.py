"""What changes an open base: building, taking in, reviewing, removing, and making vectors.

What only writing needs is imported where it is used: a question is answered sooner without.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from medweave.app import cached_replies, open_embedder
from medweave.errors import ConfigurationError, EmbeddingError, NotFoundError, SourceError
from medweave.model.passage import NOTED
from medweave.model.prompt import NO_LIMITS, Limits
from medweave.opened_base import OpenedBase
from medweave.pipeline import build, model_plan, plan
from medweave.ports import Compacted, Progress, no_progress
from medweave.vocabulary.own_words import remember_words

if TYPE_CHECKING:
    from medweave.graph.builder import BuildPlan, BuildReport
    from medweave.graph.links import Level, LinksMade
    from medweave.graph.tree_vectors import VectorsMade
    from medweave.model.decision import Decision, Verdict
    from medweave.model.mapping import Mapping
    from medweave.model.ontology import Ontology
    from medweave.reasoning.reason import Engine, Reasoned
    from medweave.sources.model_plan import ModelPlan
    from medweave.sources.rereading import Reread


class WritableBase:
    """The half of `KnowledgeBase` that writes. All of a call is written, or nothing, unless it
    says otherwise; `StoreBusyError` where another process is writing."""

    _opened: OpenedBase

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

        base, model = self._opened, self._opened.model_within(limits)
        if model and keep_personal_data:
            raise ConfigurationError(
                "a language model is given masked dialogues alone",
                where="model, keep_personal_data",
                remedy="leave out one of them",
            )
        with base.only_writer(), on_cluster(cluster):
            found = source_files([Path(source) for source in sources], mapping)
            remember_words(base.store, base.own_words, base.naming.vocabulary)
            report = build(
                found,
                base.store,
                base.naming_by(ontology),
                mapping=mapping,
                jobs=jobs or (-1 if cluster else 0),
                progress=progress,
                now=_now(),
                keep_personal_data=keep_personal_data,
                model=model,
            )
            base.forget_files()
        if report.failed and not report.documents:
            _refuse(report)
        return report

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
            self._opened.store,
            self._opened.naming_by(ontology),
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
        base, named = self._opened, [Path(source) for source in sources]
        replies = cached_replies(base.reader, base.address)
        return model_plan(named, base.store, base.naming_by(ontology), replies, mapping=mapping)

    @property
    def reader(self) -> str:
        """The language model that reads, by its id; '' where rules do."""
        return self._opened.reader

    def import_(self, paths: Iterable[str | Path], form: str = "") -> BuildReport:
        """Take in what `export` wrote, all of it or nothing; without `form` the names tell it.

        Files of a format that holds less than a base are built like any other source.
        Raises `SourceError` where a file is broken or is not of a base.
        """
        from medweave.exchange.formats import format_called, format_of, read_contents
        from medweave.exchange.importing import import_contents
        from medweave.sources.mapping.layouts import find_mapping

        files, base = [Path(path) for path in paths], self._opened
        if form and (layout := format_called(form).layout):
            return self.build(files, mapping=find_mapping(layout))
        formats = [format_called(form) if form else format_of(path) for path in files]
        chosen = zip(files, formats, strict=True)
        parts = [(str(path), read_contents(each, path)) for path, each in chosen]
        with base.only_writer():
            report = import_contents(base.store, parts)
            base.forget_files()
            return report

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
        with self._opened.only_writer():
            found = reason(self._opened.knowledge, axioms, engine)
            if found.consistent:
                keep_inferred(self._opened.store, found, axioms)
        return found

    def forget_inferred(self) -> int:
        """Take out what was inferred; how many statements that were."""
        from medweave.reasoning.keeping import forget_inferred

        with self._opened.only_writer():
            return forget_inferred(self._opened.store)

    def reread(self, old: Ontology, new: Ontology, *, progress: Progress = no_progress) -> Reread:
        """Read by a `new` ontology all that was read by the `old` one: the base is then the one
        that `new` makes from the start, by the language model where one is configured. All of it,
        or where anything goes wrong nothing.

        Raises `SourceError` for a source that cannot be read again.
        """
        from medweave.sources.rereading import reread

        base = self._opened
        by_old, by_new = (replace(base.naming, ontology=each) for each in (old, new))
        with base.only_writer():
            made = reread(
                base.store, by_old, by_new, model=base.model(), now=_now(), progress=progress
            )
            base.forget_files()
            return made

    def review(
        self,
        statement: str,
        verdict: Verdict,
        *,
        by: str = "",
        correction: dict[str, str] | None = None,
        new: str = "",
    ) -> Decision:
        """Keep a person's decision about a statement (by its id), and carry it out.

        What was rejected or corrected is in no answer any more, also when its sources are read
        anew; `accepted` brings it back. `correction` has the parts that are to be put right, of
        `subject`, `predicate` and `object`, in names; with `new` a name that nothing has is that of
        a new thing of this concept ("symptom"). Raises `NotFoundError`, and `StatementError` for a
        correction that cannot be.
        """
        from medweave.graph.review import reviewed

        base, how = self._opened, {"by": by, "new": new}
        with base.only_writer():
            found = reviewed(base.knowledge, statement, verdict, correction=correction, **how)
            base.forget_files()
            return found

    def remove(self, source_or_document: str) -> int:
        """Remove a source (by its path), all in a folder, a document, or a text with its passages;
        how many documents went.

        Raises `NotFoundError` where the base has nothing of that name.
        """
        base = self._opened
        named = source_or_document.strip()  # an empty path would mean the folder one is in
        found = _documents_of(base, source_or_document) if named else []
        if not found:
            raise NotFoundError(
                "the base has no such source or document",
                where=source_or_document or "''",
                remedy="see the sources with `medweave stats`",
            )
        with base.only_writer():
            count = base.store.remove(found)
            base.forget_files()
            return count

    def compact(self, *, progress: Progress = no_progress) -> Compacted:
        """Mend what is derived from the facts, and give back room nothing uses.

        Raises `StoreBusyError` while another process writes.
        """
        upkeep = self._opened.upkeep
        with self._opened.only_writer():
            return upkeep.compact(progress=progress)

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

        base = self._opened
        with base.only_writer(), on_cluster(cluster):
            chosen = ON_BACKEND if cluster else jobs
            made = join(base.vectors, least=least, level=level, jobs=chosen, progress=progress)
            base.stored_graph().write(base.vectors)
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

        base = self._opened
        chosen = open_embedder(base.configuration.embedder)
        if chosen.embedder is None:
            raise EmbeddingError(
                f"no vectors can be made, as {chosen.reason}",
                remedy="install the weights with `medweave weights install`, or name an embedder",
            )
        with base.only_writer():
            vectors = base.vectors
            embedder = CachedEmbedder(chosen.embedder, vectors)
            context = make_context_vectors(base.knowledge, vectors, embedder, progress=progress)
            made = make_tree_vectors(base.store, vectors, embedder, progress=progress)
            passages = make_passage_vectors(base.store, vectors, embedder, progress=progress)
            base.stored_graph().write(vectors)
            return replace(made, context=context, passages=passages)

    def make_passage_vectors(self, *, progress: Progress = no_progress) -> int:
        """Make the vectors that passages have none of; how many. 0 where there is no model, or the
        base has the vectors of another.

        It may be stopped at any moment and goes on from there. Raises `EmbeddingError` where an
        endpoint fails.
        """
        from medweave.graph.passage_vectors import make_passage_vectors

        base = self._opened
        if base.store.note(NOTED) is None or base.store.vectors() is None:
            return 0
        embedder, _ = base.embedder()
        if embedder is None or base.vectors.model() not in (None, embedder.model):
            return 0
        with base.only_writer():
            return make_passage_vectors(base.store, base.vectors, embedder, progress=progress)

    def forget_vectors(self) -> int:
        """Take out all vectors, so that another embedder can make them; how many there were."""
        with self._opened.only_writer():
            count = self._opened.vectors.forget()
            self._opened.forget_files()
            return count


def documents_named(base: OpenedBase, name: str) -> list[str]:
    """The ids of documents of a name, or of the passages of a text of that name."""
    return base.store.documents_called(name) or base.store.passages_called(name)


def _refuse(report: BuildReport) -> None:
    """Raise what kept a build from reading anything."""
    first = next(item for item in report.skipped if item.file == report.failed[0])
    said = "nothing was changed" if not report.removed else "other sources were read"
    where = f"{first.file} line {first.line}" if first.line else first.file
    raise SourceError(first.reason, where=where, remedy=said)


def _documents_of(base: OpenedBase, name: str) -> list[str]:
    path = Path(name).resolve()
    inside = [
        source
        for source in base.store.sources()
        if source == name or Path(source) == path or path in Path(source).parents
    ]
    of_sources = [document for s in inside for document in base.store.build_keys(s)]
    return of_sources or documents_named(base, name)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
