"""The graph of all dialogues as files beside a base, so that equation 9 reads none of it at first.

The files hold, by section, the vectors and the greatest weights of links, as they were at one
revision; they are made where vectors or links are made. What came since is told by the base. Every
score that is given is computed from the base (`graph_around`): the files only say which dialogues
are worth it. After anything was taken out of the base they serve no more, and are deleted.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from medweave.model.arrays import numpy_for
from medweave.model.dialogue_tree import HAS_SECTION, TreeKey
from medweave.model.identifiers import digest
from medweave.model.link_weight import similarity
from medweave.model.similar import SIMILAR_HOW, ScoreNorm, SimilarHow
from medweave.model.vector_links import LinkMark
from medweave.model.vectors import Space
from medweave.ports import StoreView, VectorView
from medweave.retrieval.dialogues.current_graph import CurrentGraph, links_since
from medweave.retrieval.dialogues.dialogue_graph import LOST, DialogueGraph, Scored, scores_of
from medweave.retrieval.dialogues.graph_around import (
    count_without_vectors,
    graph_around,
    references_around,
)
from medweave.retrieval.dialogues.references import importance_table, references_of
from medweave.vocabulary.dialogue_trees import trees_of
from medweave.vocabulary.vocabulary import Vocabulary

if TYPE_CHECKING:
    from numpy.typing import NDArray

WORTHWHILE = 5_000
"""Dialogues from which on files are made; the graph of fewer takes no second."""
_RECENT = 256
"""So many dialogues may have come, or have got links, since the files were made."""
_CHANGED = 10_000
"""So many changed statements are looked at."""
_AT_ONCE = 8192
"""So many rows are looked at, or written, at one time: 12 MB."""
_SCORED = 4
"""So many dialogues more than are wanted are scored at one time."""
_VERSION = 1
_ABOUT = "about.json"
_PARTS = ("trees", "weights", "vectors")
"""Of a section; each is a file."""
_Links = dict[Space, LinkMark | None]


@dataclass(frozen=True, slots=True)
class _Files:
    """The files of one revision.

    Arrays are mapped each time they are looked at, so that only that is read, and memory holds one.
    """

    folder: Path
    revision: int
    sections: Sequence[str]
    links: _Links
    documents: NDArray[Any]
    """The documents of the trees, by their numbers."""

    @classmethod
    def open(cls, folder: Path, key: str) -> _Files | None:
        """Those that were made under a key; None where there are none, or not whole ones."""
        try:
            about = json.loads((folder / _ABOUT).read_text("utf-8"))
            if about["key"] != key:
                return None
            links: _Links = {
                space: mark and LinkMark(*mark) for space, mark in about["links"].items()
            }
            documents = _mapped(folder, "documents", about["revision"])
            files = cls(folder, about["revision"], about["sections"], links, documents)
            for number, part in product(range(len(files.sections)), _PARTS):
                files._mapped(f"{number}-{part}")
            return files
        except (OSError, ValueError, KeyError):
            return None

    def terms(self, asked: Mapping[str, Any]) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
        """For each section that is asked for, the trees that have it, and their terms."""
        np = numpy_for("equation 9")
        for number, name in enumerate(self.sections):
            if name not in asked:
                continue
            vectors = self._mapped(f"{number}-vectors")
            cosines = np.empty(len(vectors), "f4")
            for start in range(0, len(vectors), _AT_ONCE):
                part = slice(start, start + _AT_ONCE)
                np.einsum("ij,j->i", vectors[part], asked[name], out=cosines[part])
            weights = self._mapped(f"{number}-weights")
            yield self._mapped(f"{number}-trees"), similarity(cosines) * weights

    def _mapped(self, name: str) -> Any:
        return _mapped(self.folder, name, self.revision)


@dataclass(frozen=True, slots=True)
class _BroughtUp:
    """Files, and what came since they were made, at a revision."""

    revision: int
    files: _Files
    changed: Sequence[str]
    """The dialogues of which the files do not tell, or not as they are now."""
    graph: DialogueGraph
    """Of these."""
    same: NDArray[Any]
    """For each tree of the files, whether it is none of these."""

    def by_bounds(
        self, asked: Mapping[str, Any], norm: ScoreNorm
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """The numbers of the other trees by what they can score at most, and what that is."""
        np = numpy_for("equation 9")
        scores, terms = scores_of(self.files.terms(asked), len(self.same), norm)
        found = np.flatnonzero((terms > 0) & self.same)
        order = found[np.argsort(-scores[found])]
        return order, scores[order]


class StoredGraph:
    """Equation 9 by the files beside a base, where they serve.

    It may be asked by one thread at a time.
    """

    def __init__(self, folder: Path | None, store: StoreView, vocabulary: Vocabulary) -> None:
        """`folder` is where the files are, or would be; None where the base is in no file."""
        self._folder = folder
        self._store = store
        self._vocabulary = vocabulary
        self._brought: _BroughtUp | None = None

    def equation9(
        self, index: VectorView, asked: Mapping[str, Any], k: int, how: SimilarHow
    ) -> list[tuple[Scored, DialogueGraph]] | None:
        """What `DialogueGraph.equation9` gives, each with a graph it stands in.

        None where there are no files, or they do not serve.
        """
        now = self._now(index) if _by_default(how) else None
        if now is None or k < 1:
            return None
        try:
            order, bounds = now.by_bounds(asked, how.score_norm)
        except OSError:  # another process made them anew, or deleted them
            return None
        found = [*_scored(now.graph, now.changed, asked, how.score_norm)]
        slack, start = LOST * len(asked), 0
        while start < len(order):
            found = _best(found, k)
            if len(found) == k and bounds[start] < found[-1][0].score - slack:
                break
            stop = start + k + _SCORED
            documents = [str(document) for document in now.files.documents[order[start:stop]]]
            graph = graph_around(documents, self._store, index, self._vocabulary, how)
            found += _scored(graph, documents, asked, how.score_norm)
            start = stop
        return _best(found, k)

    def _now(self, index: VectorView) -> _BroughtUp | None:
        """The files as they serve at this revision."""
        revision = self._store.version().revision
        if self._brought is None or self._brought.revision != revision:
            files = self._files(index)
            changed = self._changed(index, files, revision) if files else None
            if files is None or changed is None:
                return None
            graph = graph_around(changed, self._store, index, self._vocabulary, SIMILAR_HOW)
            same = ~numpy_for("equation 9").isin(files.documents, changed)
            self._brought = _BroughtUp(revision, files, changed, graph, same)
        return self._brought

    def _files(self, index: VectorView) -> _Files | None:
        return _Files.open(self._folder, self._key(index)) if self._folder else None

    def _key(self, index: VectorView) -> str:
        """Of what a graph is made, its revision apart."""
        model = index.model()
        made = (model.id, model.dimension) if model else ()
        alpha = sorted(importance_table(self._vocabulary).items())
        return digest([_VERSION, self._store.version().id, made, alpha])

    def _changed(self, index: VectorView, files: _Files, revision: int) -> list[str] | None:
        """The dialogues that came, or that have links which came, since files were made.

        None where these are too many, or cannot be told, or anything was taken out. What is left of
        a dialogue whose links went weighs less than the files say, and never more.
        """
        statements = self._store.changes(files.revision) if files.revision <= revision else None
        links = links_since(index, dict(files.links))
        if statements is None or links is None or len(statements) > _CHANGED:
            return None
        if index.complete_revision() is None:  # vectors were taken out
            return None
        found = self._store.statements(sorted(statements))
        if len(found) < len(statements):
            return None
        roots = {one.statement.subject for one in found if one.statement.predicate == HAS_SECTION}
        ends = references_of(found, self._vocabulary)
        for one in (*ends, *references_around(self._store, self._vocabulary, sorted(roots))):
            roots |= {one.source, one.target}
        keys = {TreeKey.of(key) for link in links for key in (link.first, link.second)}
        if max(len(roots), len(keys)) > _RECENT:
            return None
        trees = (tree.key for some in trees_of(self._store, sorted(roots)) for tree in some)
        return sorted({key.document for key in (*keys, *trees)})

    def write(self, index: VectorView, least: int = WORTHWHILE) -> bool:
        """Make the files where they do not serve; whether they were made.

        Of fewer than `least` dialogues, and where some have no vectors, none are made.
        """
        if self._folder is None or index.counts().get("publication", 0) < least:
            return False
        if self._now(index) or count_without_vectors(self._store, index):
            return False
        self._brought = None
        current = CurrentGraph(self._store, self._vocabulary)
        graph = current.now(index, SIMILAR_HOW)
        made = self._folder.with_name(f"{self._folder.name}.part")
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir()
        revision = self._store.version().revision
        about = {
            "key": self._key(index), "revision": revision,
            "sections": _write(made, graph, revision), "links": current.link_marks,
        }  # fmt: skip
        (made / _ABOUT).write_text(json.dumps(about), "utf-8")
        self.discard()
        made.rename(self._folder)
        return True

    def discard_if_worn(self, index: VectorView) -> None:
        """Delete files that may hold what was taken out of the base."""
        if self._folder and self._folder.exists() and not self._now(index):
            self.discard()

    def discard(self) -> None:
        """Delete the files."""
        self._brought = None
        if self._folder and self._folder.exists():
            shutil.rmtree(self._folder)


def _by_default(how: SimilarHow) -> bool:
    """Whether links are weighed as in the files."""
    return (how.weight, how.direction) == (SIMILAR_HOW.weight, SIMILAR_HOW.direction)


def _scored(
    graph: DialogueGraph, documents: Iterable[str], asked: Mapping[str, Any], norm: ScoreNorm
) -> Iterator[tuple[Scored, DialogueGraph]]:
    """Those of some dialogues that have a section that is asked for."""
    for document in documents:
        scored = graph.terms(document, asked, norm)
        if scored is not None and scored.terms:
            yield scored, graph


def _best(
    found: Iterable[tuple[Scored, DialogueGraph]], k: int
) -> list[tuple[Scored, DialogueGraph]]:
    return sorted(found, key=lambda one: (-one[0].score, one[0].tree.document))[:k]


def _mapped(folder: Path, name: str, revision: int) -> Any:
    return numpy_for("equation 9").load(_file(folder, name, revision), mmap_mode="r")


def _file(folder: Path, name: str, revision: int) -> Path:
    """Files of two revisions have two names, so that none is read for the other."""
    return folder / f"{name}-{revision}.npy"


def _write(folder: Path, graph: DialogueGraph, revision: int) -> list[str]:
    """The arrays of a graph; the names of its sections in the order of their numbers."""
    np = numpy_for("equation 9")
    numbers, documents = graph.numbers()
    np.save(_file(folder, "documents", revision), np.array(documents or [""], "U"))
    names = sorted(graph.sections)
    for number, name in enumerate(names):
        nodes = graph.nodes(name)
        np.save(_file(folder, f"{number}-trees", revision), numbers[nodes.trees])
        np.save(_file(folder, f"{number}-weights", revision), nodes.weights)
        shape = (len(nodes.rows), nodes.vectors.shape[1])
        file = _file(folder, f"{number}-vectors", revision)
        rows = np.lib.format.open_memmap(file, "w+", "f4", shape)
        for start in range(0, len(nodes.rows), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            rows[part] = nodes.vectors[nodes.rows[part]]
    return names
