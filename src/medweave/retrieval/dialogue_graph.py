"""The weighted graph of dialogues in memory, and equation 9 over all of it at once.

Nodes are the sections of trees. Links are those between a root and its sections, those that records
name (equation 3), and those between what is alike (equation 4). The source links dialogues, and its
equation 9 looks at the links of sections alone: so the same sections of two linked dialogues are
linked here, with the importance of what links the dialogues.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING, Any, NamedTuple

from medweave.model.arrays import numpy_for
from medweave.model.dialogue_tree import HAS_SECTION, TreeKey
from medweave.model.link_weight import LinkWeight, similarity
from medweave.model.similar import Direction, ScoreNorm
from medweave.model.vector_links import VectorLink
from medweave.model.vectors import Vectors, VectorTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

_DIGITS = 6
"""Of similarities and weights."""
_LOST = 1e-4
"""More than single precision and rounding can make of a term."""
_AT_ONCE = 8192
"""So many cosines of pairs are computed at one time: 50 MB."""
_UNLINKED = 1.0
"""The weight of a section without links."""


class Reference(NamedTuple):
    """A link between two roots: that of a record, or that of likeness."""

    source: str
    target: str
    predicate: str
    symmetric: bool


@dataclass(frozen=True, slots=True)
class GraphParts:
    """What a graph is made of."""

    wholes: Sequence[VectorTable]
    """Vectors of trees."""
    sections: Sequence[VectorTable]
    """Vectors of sections, a table for each name."""
    references: Sequence[Reference]
    alike: Sequence[VectorLink]
    """Links of trees or of sections, by their keys."""
    importance: Mapping[str, float]
    """By predicate; also of `HAS_SECTION` and of `similar`."""
    similar: str
    """The predicate of what is alike."""


class Term(NamedTuple):
    """One term of equation 9."""

    section: str
    similarity: float
    weight: float
    link: str
    linked: int
    """The tree at the link's other end; that of the section itself where it is the root."""


class Scored(NamedTuple):
    """A tree, its score, and the terms of it."""

    tree: TreeKey
    score: float
    terms: tuple[Term, ...]


class _Pairs(NamedTuple):
    """Links as numbers of trees, or places in one section; `kind` is a place in `kinds`."""

    first: NDArray[Any]
    second: NDArray[Any]
    kind: NDArray[Any]
    both: NDArray[Any]
    """Whether the link goes out of the second end, too."""


class DialogueGraph:
    """All trees that have vectors. It needs numpy; see `GraphParts` for what it is made of."""

    def __init__(
        self, parts: GraphParts, weight: LinkWeight, direction: Direction = "both"
    ) -> None:
        """Raises `ConfigurationError` where numpy is not installed."""
        self._np = numpy_for("equation 9")
        self._weight = weight
        self._direction = direction
        keys = sorted({key for table in parts.wholes for key in table.keys})
        self.trees = [TreeKey.of(key) for key in keys]
        self._number = {key: number for number, key in enumerate(keys)}
        self._of_document = {tree.document: number for number, tree in enumerate(self.trees)}
        self._kinds = sorted({*parts.importance, *(r.predicate for r in parts.references)})
        self._alpha = self._np.array([parts.importance.get(kind, 0.0) for kind in self._kinds])
        self._pairs = self._between_trees(parts)
        wholes = self._whole_vectors(parts.wholes)
        self._sections = {
            table.concept: _Section(self, table, wholes, parts) for table in parts.sections
        }

    @property
    def sections(self) -> frozenset[str]:
        """The names of all sections that any tree has."""
        return frozenset(self._sections)

    def equation9(self, asked: Mapping[str, Any], k: int, norm: ScoreNorm = "none") -> list[Scored]:
        """The `k` trees of the greatest S_T, best first; ties in the order of their documents.

        S_T = sum over (section k, text u) of the message, and over the nodes n of the tree in that
        section, of beta(u, n) times the greatest weight of a link of n (equation 9). All trees are
        scored. `asked` has a vector of length 1 for each section. A tree with none of the sections
        has no score.
        """
        np = self._np
        scores, terms = np.zeros(len(self.trees)), np.zeros(len(self.trees), dtype="i4")
        for name in sorted({*asked} & self.sections):
            held = self._sections[name]
            values = held.values(asked[name])
            if norm == "max":
                scores[held.trees] = np.maximum(scores[held.trees], values)
            else:
                scores[held.trees] += values
            terms[held.trees] += 1
        if norm == "mean":
            scores /= np.maximum(terms, 1)
        found = np.flatnonzero(terms)
        if not len(found) or k < 1:
            return []
        if len(found) > k:
            of_found = scores[found]
            least = np.partition(of_found, len(found) - k)[len(found) - k]
            found = found[of_found >= least - _LOST * len(asked)]
        scored = [self._scored(tree, asked, norm) for tree in found.tolist()]
        best = sorted(scored, key=lambda one: (-one[0], self.trees[one[1]].document))[:k]
        return [
            Scored(self.trees[tree], score, tuple(self._named(term, tree) for term in of_tree))
            for score, tree, of_tree in best
        ]

    def terms(self, document: str, asked: Mapping[str, Any]) -> Scored | None:
        """The terms of the tree of one document, with their sum; None where it has none."""
        tree = self._of_document.get(document)
        if tree is None:
            return None
        score, _, of_tree = self._scored(tree, asked, "none")
        named = tuple(self._named(term, tree) for term in of_tree)
        return Scored(self.trees[tree], score, named)

    def _scored(
        self, tree: int, asked: Mapping[str, Any], norm: ScoreNorm
    ) -> tuple[float, int, list[Term]]:
        """The score of one tree from rounded terms, so that their sum is the score to the digit."""
        terms = [
            held.term(tree, asked[name])
            for name, held in self._sections.items()
            if name in asked and held.has(tree)
        ]
        values = [term.similarity * term.weight for term in terms]
        score = max(values, default=0.0) if norm == "max" else fsum(values)
        return score / max(len(values), 1) if norm == "mean" else score, tree, terms

    def _named(self, term: Term, tree: int) -> Term:
        """A term with the link that its weight is of."""
        link, linked = self._sections[term.section].link(tree)
        return term._replace(link=link, linked=linked)

    def vector(self, vectors: Vectors, row: int) -> NDArray[Any]:
        """One of some vectors, as this graph reads them."""
        asked: NDArray[Any] = self._np.frombuffer(vectors[row], "f4")
        return asked

    def kind(self, name: str) -> int:
        """The place of a predicate among all kinds of links."""
        return self._kinds.index(name)

    def number(self, key: str) -> int | None:
        """The number of a tree, by its key; None where it has no vector."""
        return self._number.get(key)

    def _whole_vectors(self, tables: Iterable[VectorTable]) -> NDArray[Any]:
        np = self._np
        size = next((table.vectors.model.dimension for table in tables), 1)
        wholes: NDArray[Any] = np.empty((len(self.trees), size), "f4")
        for table in tables:
            held = np.frombuffer(table.vectors.data, "f4").reshape(-1, size)
            wholes[[self._number[key] for key in table.keys]] = held[list(table.rows)]
        return wholes

    def _between_trees(self, parts: GraphParts) -> _Pairs:
        """Links between trees: of references, for all trees of a root; and of what is alike."""
        of_root: dict[str, list[int]] = {}
        for number, tree in enumerate(self.trees):
            of_root.setdefault(tree.root, []).append(number)
        pairs = [
            (one, other, self.kind(reference.predicate), reference.symmetric)
            for reference in parts.references
            for one in of_root.get(reference.source, ())
            for other in of_root.get(reference.target, ())
            if one != other
        ]
        alike = self.kind(parts.similar)
        for link in parts.alike:
            one, other = self.number(link.first), self.number(link.second)
            if one is not None and other is not None:
                pairs.append((one, other, alike, True))
        return self.pairs(pairs)

    def pairs(self, rows: Sequence[tuple[int, int, int, bool]]) -> _Pairs:
        """Links as columns."""
        np = self._np
        table = np.array(rows, dtype="i8").reshape(-1, 4)
        return _Pairs(table[:, 0], table[:, 1], table[:, 2], table[:, 3].astype(bool))


class _Section:
    """All nodes of one section: their vectors, their trees, and what each of them weighs."""

    def __init__(
        self, graph: DialogueGraph, table: VectorTable, wholes: NDArray[Any], parts: GraphParts
    ) -> None:
        np = self._np = graph._np
        self._graph = graph
        self._name = table.concept
        size = table.vectors.model.dimension
        self._vectors: NDArray[Any] = np.frombuffer(table.vectors.data, "f4").reshape(-1, size)
        trees = [graph.number(TreeKey.of(key).text()) for key in table.keys]
        known = [place for place, tree in enumerate(trees) if tree is not None]
        self._rows: NDArray[Any] = np.array(table.rows, dtype="i8")[known]
        self.trees: NDArray[Any] = np.array([trees[place] for place in known], dtype="i8")
        self._place: NDArray[Any] = np.full(len(graph.trees), -1)
        self._place[self.trees] = np.arange(len(known))
        self._pairs = self._among(parts)
        self._root_weights = self._of_roots(wholes)
        self._weights = self._greatest()

    def has(self, tree: int) -> bool:
        """Whether a tree has this section."""
        return bool(self._place[tree] >= 0)

    def values(self, asked: NDArray[Any]) -> NDArray[Any]:
        """For each node, its term of equation 9."""
        # einsum and not @: a product by several threads waits for the slowest of them, and where
        # cores are busy that takes ten times as long as the product.
        cosines = self._np.einsum("ij,j->i", self._vectors, asked)
        alike: NDArray[Any] = similarity(cosines[self._rows])
        alike *= self._weights
        return alike

    def term(self, tree: int, asked: NDArray[Any]) -> Term:
        """The term of one tree in double precision, rounded."""
        place = self._place[tree]
        cosine = float(self._vectors[self._rows[place]].astype("f8") @ asked.astype("f8"))
        alike = round(similarity(min(1.0, max(-1.0, cosine))), _DIGITS)
        return Term(self._name, alike, round(float(self._weights[place]), _DIGITS), "", tree)

    def link(self, tree: int) -> tuple[str, int]:
        """The weightiest link of a tree's section: its kind, and the tree at the other end."""
        place = self._place[tree]
        if self._graph._direction == "both":
            found = [(float(self._root_weights[place]), HAS_SECTION, tree)]
        else:
            found = []
        first, second, kind, both = self._pairs
        for mine, other, out in (
            (first, second, self._np.full(len(first), fill_value=True)),
            (second, first, both | (self._graph._direction == "both")),
        ):
            here = self._np.flatnonzero((mine == place) & out)
            weights = self._weights_of(mine[here], other[here], kind[here])
            for at, weight in zip(here, weights.tolist(), strict=True):
                found.append((weight, self._graph._kinds[kind[at]], int(self.trees[other[at]])))
        best = max(found, key=lambda one: (one[0], one[1] == HAS_SECTION, -one[2]), default=None)
        return (best[1], best[2]) if best else ("", tree)

    def _among(self, parts: GraphParts) -> _Pairs:
        """Links between nodes of this section: those of linked trees, and those of their own."""
        np, whole = self._np, self._graph._pairs
        first, second = self._place[whole.first], self._place[whole.second]
        there = (first >= 0) & (second >= 0)
        own = []
        alike = self._graph.kind(parts.similar)
        for link in parts.alike:
            ends = [self._node(link.first), self._node(link.second)]
            if min(ends) >= 0:
                own.append((ends[0], ends[1], alike, True))
        more = self._graph.pairs(own)
        return _Pairs(
            np.concatenate([first[there], more.first]),
            np.concatenate([second[there], more.second]),
            np.concatenate([whole.kind[there], more.kind]),
            np.concatenate([whole.both[there], more.both]),
        )

    def _node(self, key: str) -> int:
        """The place of a node of this section by its key; -1 for all other keys."""
        if not key.endswith(f" {self._name}"):
            return -1
        tree = self._graph.number(TreeKey.of(key).text())
        return -1 if tree is None else int(self._place[tree])

    def _of_roots(self, wholes: NDArray[Any]) -> NDArray[Any]:
        """The weight of the link of each node to its root."""
        cosines = self._cosines(wholes, self.trees, self._vectors, self._rows)
        alpha = self._graph._alpha[self._graph.kind(HAS_SECTION)]
        weights: NDArray[Any] = self._graph._weight.of(cosines, alpha)
        return weights

    def _greatest(self) -> NDArray[Any]:
        """max over the links of each node, or 1 for a node that has none."""
        np, both = self._np, self._graph._direction == "both"
        weights = self._root_weights.copy() if both else np.full(len(self._rows), -1.0)
        first, second, kind, out = self._pairs
        of_pairs = self._weights_of(first, second, kind)
        np.maximum.at(weights, first, of_pairs)
        back = out | both
        np.maximum.at(weights, second[back], of_pairs[back])
        weights[weights < 0] = _UNLINKED
        return weights

    def _weights_of(
        self, first: NDArray[Any], second: NDArray[Any], kind: NDArray[Any]
    ) -> NDArray[Any]:
        held = self._vectors
        cosines = self._cosines(held, self._rows[first], held, self._rows[second])
        weights: NDArray[Any] = self._graph._weight.of(cosines, self._graph._alpha[kind])
        return weights

    def _cosines(
        self, one: NDArray[Any], ones: NDArray[Any], other: NDArray[Any], others: NDArray[Any]
    ) -> NDArray[Any]:
        """Cosines of rows of two matrices, in double precision, from -1 to 1."""
        np = self._np
        found: NDArray[Any] = np.empty(len(ones))
        for start in range(0, len(ones), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            a, b = one[ones[part]].astype("f8"), other[others[part]].astype("f8")
            found[part] = (a * b).sum(axis=1)
        within: NDArray[Any] = np.clip(found, -1.0, 1.0)
        return within
