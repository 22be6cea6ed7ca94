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
from medweave.model.prompt import Limits
from medweave.opened_base import OpenedBase
from medweave.pipeline import build, model_plan
from medweave.ports import Progress
from medweave.vocabulary.own_words import remember_words

if TYPE_CHECKING:
    from medweave.graph.builder import BuildReport
    from medweave.graph.links import Level, LinksMade
    from medweave.graph.tree_vectors import VectorsMade
    from medweave.model.decision import Decision, Verdict
    from medweave.model.mapping import Mapping
    from medweave.model.ontology import Ontology
    from medweave.reasoning.reason import Engine, Reasoned
    from medweave.sources.model_plan import ModelPlan
    from medweave.sources.rereading import Reread


def build_from(
    base: OpenedBase,
    sources: Iterable[str | Path],
    *,
    mapping: Mapping | None,
    jobs: int,
    cluster: str,
    progress: Progress,
    keep_personal_data: bool,
    ontology: str,
    limits: Limits,
) -> BuildReport:
    """Bring a base up to date with files and folders."""
    from medweave.sources.many import on_cluster
    from medweave.sources.reading import source_files

    model = base.model_within(limits)
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


def model_plan_of(
    base: OpenedBase, sources: Iterable[str | Path], mapping: Mapping | None, ontology: str
) -> ModelPlan:
    """What building would ask the language model; nothing is asked or written."""
    named, naming = [Path(source) for source in sources], base.naming_by(ontology)
    replies = cached_replies(base.reader, base.address)
    return model_plan(named, base.store, naming, replies, mapping=mapping)


def mapping_of_format(form: str) -> Mapping | None:
    """The mapping by which files of a format are built, where it holds less than a base."""
    from medweave.exchange.formats import format_called
    from medweave.sources.mapping.layouts import find_mapping

    layout = format_called(form).layout if form else ""
    return find_mapping(layout) if layout else None


def take_in(base: OpenedBase, files: list[Path], form: str) -> BuildReport:
    """Take in what `export` wrote, all of it or nothing; without `form` the names tell it."""
    from medweave.exchange.formats import format_called, format_of, read_contents
    from medweave.exchange.importing import import_contents

    formats = [format_called(form) if form else format_of(path) for path in files]
    chosen = zip(files, formats, strict=True)
    parts = [(str(path), read_contents(each, path)) for path, each in chosen]
    with base.only_writer():
        report = import_contents(base.store, parts)
        base.forget_files()
        return report


def reason_over(base: OpenedBase, ontology: str, engine: Engine | None) -> Reasoned:
    """Keep what follows from a base by an ontology; nothing, where the base contradicts itself."""
    from medweave.ontology.loading import ontology_in
    from medweave.reasoning.keeping import keep_inferred
    from medweave.reasoning.reason import reason

    axioms = ontology_in(ontology)
    with base.only_writer():
        found = reason(base.knowledge, axioms, engine)
        if found.consistent:
            keep_inferred(base.store, found, axioms)
    return found


def forget_inferred_of(base: OpenedBase) -> int:
    """Take out what was inferred; how many statements that were."""
    from medweave.reasoning.keeping import forget_inferred

    with base.only_writer():
        return forget_inferred(base.store)


def reread_by(base: OpenedBase, old: Ontology, new: Ontology, progress: Progress) -> Reread:
    """Read by a new ontology all that was read by the old one."""
    from medweave.sources.rereading import reread

    by_old, by_new = (replace(base.naming, ontology=each) for each in (old, new))
    with base.only_writer():
        made = reread(base.store, by_old, by_new, model=base.model(), now=_now(), progress=progress)
        base.forget_files()
        return made


def decide(
    base: OpenedBase,
    statement: str,
    verdict: Verdict,
    *,
    by: str,
    correction: dict[str, str] | None,
    new: str = "",
) -> Decision:
    """Keep a person's decision about a statement, and carry it out."""
    from medweave.graph.review import reviewed

    with base.only_writer():
        found = reviewed(base.knowledge, statement, verdict, by=by, correction=correction, new=new)
        base.forget_files()
        return found


def remove_from(base: OpenedBase, source_or_document: str) -> int:
    """Remove a source, all in a folder, a document, or a text; how many documents went."""
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


def documents_named(base: OpenedBase, name: str) -> list[str]:
    """The ids of documents of a name, or of the passages of a text of that name."""
    return base.store.documents_called(name) or base.store.passages_called(name)


def link_dialogues_of(
    base: OpenedBase,
    *,
    least: float,
    level: Level,
    jobs: int,
    cluster: str,
    progress: Progress,
) -> LinksMade:
    """Link dialogues whose vectors are near."""
    from medweave.graph.links import ON_BACKEND, join
    from medweave.sources.many import on_cluster

    with base.only_writer(), on_cluster(cluster):
        chosen = ON_BACKEND if cluster else jobs
        made = join(base.vectors, least=least, level=level, jobs=chosen, progress=progress)
        base.stored_graph().write(base.vectors)
        return made


def make_vectors_of(base: OpenedBase, progress: Progress) -> VectorsMade:
    """Make the vectors that a base has none of."""
    from medweave.embedding.cache import CachedEmbedder
    from medweave.graph.context_vectors import make_context_vectors
    from medweave.graph.passage_vectors import make_passage_vectors
    from medweave.graph.tree_vectors import make_tree_vectors

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


def make_passage_vectors_of(base: OpenedBase, progress: Progress) -> int:
    """Make the vectors that passages have none of; 0 where there is no model for them."""
    from medweave.graph.passage_vectors import make_passage_vectors

    if base.store.note(NOTED) is None or base.store.vectors() is None:
        return 0
    embedder, _ = base.embedder()
    if embedder is None or base.vectors.model() not in (None, embedder.model):
        return 0
    with base.only_writer():
        return make_passage_vectors(base.store, base.vectors, embedder, progress=progress)


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
