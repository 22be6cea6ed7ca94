"""The weighted graph of dialogues in memory, and equation 9 over all of it at once.

Nodes are the sections of trees. Links are those between a root and its sections, those that records
name (equation 3), and those between what is alike (equation 4). The source links dialogues, and its
equation 9 looks at the links of sections alone: so the same sections of two linked dialogues are
linked here, with the importance of what links the dialogues.

A graph is brought up to date by what came and went: it is then as one made anew.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from typing import TYPE_CHECKING, Any, NamedTuple

from medweave.model.arrays import numpy_for
from medweave.model.dialogue_tree import TreeKey
from medweave.model.link_weight import LinkWeight
from medweave.model.similar import Direction, ScoreNorm
from medweave.model.vector_links import VectorLink
from medweave.model.vectors import NO_MARK, Vectors, VectorTable, VectorUpdate
from medweave.retrieval.dialogues.graph_parts import GraphParts, GraphUpdate, Reference
from medweave.retrieval.dialogues.growable_arrays import GrowableArray, Links
from medweave.retrieval.dialogues.section_nodes import Nodes, SectionNodes, Term, Weighing

if TYPE_CHECKING:
    from numpy.typing import NDArray

LOST = 1e-4
"""More than single precision and rounding can make of a term."""
_WORTHLESS = 0.2
"""The share of trees that went, from which on a graph is to be made anew."""
_ALIKE = -1
"""In place of the number of a statement."""


class Scored(NamedTuple):
    """A tree, its score, and the terms of it."""

    tree: TreeKey
    score: float
    terms: tuple[Term, ...]


class DialogueGraph:
    """All trees that have vectors. It needs numpy; see `GraphParts` for what it is made of."""

    def __init__(
        self, parts: GraphParts, weight: LinkWeight, direction: Direction = "both"
    ) -> None:
        """Raises `ConfigurationError` where numpy is not installed."""
        np = self._np = numpy_for("equation 9")
        kinds = sorted({*parts.importance, *(r.predicate for r in parts.references)})
        alpha = np.array([parts.importance.get(kind, 0.0) for kind in kinds])
        self._how = Weighing(weight, direction, kinds, alpha)
        self._similar = kinds.index(parts.similar)
        self.trees: list[TreeKey] = []
        """By their numbers, also those that went."""
        self._number: dict[str, int] = {}
        self._of_document: dict[str, int] = {}
        self._of_root: defaultdict[str, set[int]] = defaultdict(set)
        self._alive, self._whole_rows = GrowableArray("?"), GrowableArray("i8")
        self._wholes: NDArray[Any] = np.empty((0, 1), "f4")
        self._references: dict[int, Reference] = {}
        self._of_end: defaultdict[str, set[int]] = defaultdict(set)
        """The statements of the references from or to a root."""
        self._linked: set[int] = set()
        """Those of which there are links."""
        self._links = Links()
        """Between trees."""
        self._sections: dict[str, SectionNodes] = {}
        self._whole = True
        """Whether every section has its tree."""
        first = GraphUpdate(
            _as_update(parts.wholes), _as_update(parts.sections), (), parts.references, parts.alike
        )
        self._whole = self._update(first)

    @property
    def sections(self) -> frozenset[str]:
        """The names of all sections that any tree has, or had."""
        return frozenset(self._sections)

    def numbers(self) -> tuple[NDArray[Any], list[str]]:
        """New numbers of all trees, those that went passed over, and the documents in that order.

        Those of trees that went are -1.
        """
        alive = self._alive.values
        numbers = self._np.where(alive, self._np.cumsum(alive) - 1, -1)
        documents = [tree.document for tree, here in zip(self.trees, alive, strict=True) if here]
        return numbers, documents

    def nodes(self, section: str) -> Nodes:
        """All nodes of a section."""
        return self._sections[section].nodes()

    def update(self, update: GraphUpdate) -> bool:
        """Bring it up to date; False where it is to be thrown away, and made anew.

        It then equals one made anew: numbers of trees apart, whatever is asked gives the same.
        """
        known = self._how.kinds
        return (
            self._whole
            and all(one.predicate in known for one in update.references)
            and self._update(update)
            and len(self._number) >= (1 - _WORTHLESS) * len(self.trees)
        )

    def _update(self, update: GraphUpdate) -> bool:
        """Whether every section that came or went did so with its tree."""
        before = len(self.trees)
        gone = self._take_trees(update.wholes)
        whole = self._take_sections(update.sections, gone, before)
        self._relink(update, gone, before)
        return whole

    def _take_trees(self, update: VectorUpdate) -> list[int]:
        """Take in trees and take out others; the numbers of these."""
        gone = []
        rows = []
        for _, key, row in update.changes:
            number = self._number.pop(key, None)
            if number is not None:
                gone.append(number)
                self._forget_tree(number)
            if row is not None:
                self._number[key] = len(self.trees)
                tree = TreeKey.of(key)
                self._of_document[tree.document] = len(self.trees)
                self._of_root[tree.root].add(len(self.trees))
                self.trees.append(tree)
                rows.append(row)
        self._whole_rows.extend(rows)
        self._alive.extend(self._np.ones(len(rows), "?"))
        self._alive.values[gone] = False
        for vectors in update.vectors.values():
            self._wholes = self._matrix(vectors)
        return gone

    def _forget_tree(self, number: int) -> None:
        tree = self.trees[number]
        self._of_root[tree.root].discard(number)
        if self._of_document.get(tree.document) == number:
            del self._of_document[tree.document]

    def _take_sections(self, update: VectorUpdate, gone: Sequence[int], before: int) -> bool:
        """Sections come and go with their trees; False where one did not."""
        left = {
            (name, number)
            for number in gone
            for name, held in self._sections.items()
            if held.remove(number)
        }
        stays = {(name, self.trees[number].section(name)) for name, number in left}
        came: dict[str, dict[int, int]] = {}
        whole = True
        for name, key, row in update.changes:
            tree = self._number.get(TreeKey.of(key).text())
            if row is None:
                stays.discard((name, key))
                if tree is not None and came.get(name, {}).pop(tree, None) is None:
                    whole = whole and not self._has(name, tree)
            elif tree is None or tree < before:
                whole = False
            else:
                came.setdefault(name, {})[tree] = row
        for name, vectors in update.vectors.items():
            self._section(name).see(self._matrix(vectors))
        for name, rows in came.items():
            if rows:
                trees = list(rows)
                wholes = self._wholes[self._whole_rows.values[trees]]
                self._section(name).add(trees, list(rows.values()), wholes)
        return whole and not stays

    def _has(self, name: str, tree: int) -> bool:
        return name in self._sections and self._sections[name].has(tree)

    def _section(self, name: str) -> SectionNodes:
        if name not in self._sections:
            self._sections[name] = SectionNodes(name, self._how)
        return self._sections[name]

    def _relink(self, update: GraphUpdate, gone: Sequence[int], before: int) -> None:
        """Take out links that are true no more, and take in what is new."""
        np = self._np
        roots = {self.trees[number].root for number in range(before, len(self.trees))}
        new = self._take_references(update)
        new |= {number for root in roots for number in self._of_end.get(root, ())}
        worn = ((new | {*update.changed}) & self._linked) if before else set()
        if gone or worn:
            statements = np.array(sorted(worn), "i8")
            alive = self._alive.values
            remaining = alive[self._links.first] & alive[self._links.second]
            remaining &= ~np.isin(self._links.statement, statements)
            self._links.keep(remaining)
            for held in self._sections.values():
                held.unlink(statements)
            self._linked -= worn
        self._link_trees(new, update.alike)

    def _take_references(self, update: GraphUpdate) -> set[int]:
        """What records say now; the statements that say something new."""
        for number in update.changed:
            old = self._references.pop(number, None)
            if old is not None:
                self._of_end[old.source].discard(number)
                self._of_end[old.target].discard(number)
        for one in update.references:
            self._references[one.statement] = one
            self._of_end[one.source].add(one.statement)
            self._of_end[one.target].add(one.statement)
        return {one.statement for one in update.references}

    def _link_trees(self, statements: Iterable[int], alike: Iterable[VectorLink]) -> None:
        """Links of references, for all trees of a root; and of what is alike."""
        rows = [
            (one, other, self._how.kinds.index(reference.predicate), reference.symmetric, number)
            for number in sorted(statements)
            for reference in [self._references[number]]
            for one in sorted(self._of_root.get(reference.source, ()))
            for other in sorted(self._of_root.get(reference.target, ()))
            if one != other
        ]
        self._linked |= {row[-1] for row in rows}
        of_sections: dict[str, list[tuple[int, int, int, bool, int]]] = {}
        for link in alike:
            one, other = self._number.get(link.first), self._number.get(link.second)
            if one is not None and other is not None:
                rows.append((one, other, self._similar, True, _ALIKE))
            else:
                self._link_sections(link, of_sections)
        before = len(self._links)
        self._links.extend(*_columns(rows))
        if rows:
            for held in self._sections.values():
                held.link_trees(self._links, before)
        for name, own in of_sections.items():
            self._sections[name].link(*_columns(own))

    def _link_sections(
        self, link: VectorLink, found: dict[str, list[tuple[int, int, int, bool, int]]]
    ) -> None:
        """A link between two nodes of one section, by their keys."""
        name = link.first.rsplit(" ", 1)[-1]
        held = self._sections.get(name)
        if held is None or not link.second.endswith(f" {name}"):
            return
        ends = [self._number.get(TreeKey.of(key).text()) for key in link[:2]]
        places = [-1 if tree is None else held.place(tree) for tree in ends]
        if min(places) >= 0:
            row = (places[0], places[1], self._similar, True, _ALIKE)
            found.setdefault(name, []).append(row)

    def _matrix(self, vectors: Vectors) -> NDArray[Any]:
        held: NDArray[Any] = self._np.frombuffer(vectors.data, "f4")
        return held.reshape(-1, vectors.model.dimension)

    def equation9(self, asked: Mapping[str, Any], k: int, norm: ScoreNorm = "none") -> list[Scored]:
        """The `k` trees of the greatest S_T, best first; ties in the order of their documents.

        S_T = sum over (section k, text u) of the message, and over the nodes n of the tree in that
        section, of beta(u, n) times the greatest weight of a link of n (equation 9). All trees are
        scored. `asked` has a vector of length 1 for each section. A tree with none of the sections
        has no score.
        """
        np = self._np
        parts = (
            (held.trees, held.values(asked[name]))
            for name in sorted({*asked} & self.sections)
            for held in [self._sections[name]]
        )
        scores, terms = scores_of(parts, len(self.trees), norm)
        found = np.flatnonzero((terms > 0) & self._alive.values)
        if not len(found) or k < 1:
            return []
        if len(found) > k:
            of_found = scores[found]
            least = np.partition(of_found, len(found) - k)[len(found) - k]
            found = found[of_found >= least - LOST * len(asked)]
        scored = [self._scored(tree, asked, norm) for tree in found.tolist()]
        best = sorted(scored, key=lambda one: (-one[0], self.trees[one[1]].document))[:k]
        return [
            Scored(self.trees[tree], score, tuple(self._named(term, tree) for term in of_tree))
            for score, tree, of_tree in best
        ]

    def terms(
        self, document: str, asked: Mapping[str, Any], norm: ScoreNorm = "none"
    ) -> Scored | None:
        """The terms of the tree of one document, with its score; None where it has no tree."""
        tree = self._of_document.get(document)
        if tree is None:
            return None
        score, _, of_tree = self._scored(tree, asked, norm)
        named = tuple(self._named(term, tree) for term in of_tree)
        return Scored(self.trees[tree], score, named)

    def _scored(
        self, tree: int, asked: Mapping[str, Any], norm: ScoreNorm
    ) -> tuple[float, int, list[Term]]:
        """The score of one tree from rounded terms, so that their sum is the score to the digit."""
        terms = [
            self._sections[name].term(tree, asked[name])
            for name in sorted({*asked} & self.sections)
            if self._sections[name].has(tree)
        ]
        values = [term.similarity * term.weight for term in terms]
        score = max(values, default=0.0) if norm == "max" else fsum(values)
        return score / max(len(values), 1) if norm == "mean" else score, tree, terms

    def _named(self, term: Term, tree: int) -> Term:
        """A term with the link that its weight is of."""
        link, linked = self._sections[term.section].link_of(tree, self.trees.__getitem__)
        return term._replace(link=link, linked=linked)


def scores_of(
    terms: Iterable[tuple[NDArray[Any], NDArray[Any]]], trees: int, norm: ScoreNorm
) -> tuple[NDArray[Any], NDArray[Any]]:
    """The score and the number of terms of each of so many trees.

    `terms` are, section by section, the numbers of trees that have it, and the terms of these.
    """
    np = numpy_for("equation 9")
    scores, counts = np.zeros(trees), np.zeros(trees, dtype="i4")
    for of_section, values in terms:
        if norm == "max":
            scores[of_section] = np.maximum(scores[of_section], values)
        else:
            scores[of_section] += values
        counts[of_section] += 1
    if norm == "mean":
        scores /= np.maximum(counts, 1)
    return scores, counts


def as_array(vectors: Vectors, row: int) -> NDArray[Any]:
    """One of some vectors, as graphs are asked with it. `ConfigurationError` without numpy."""
    asked: NDArray[Any] = numpy_for("equation 9").frombuffer(vectors[row], "f4")
    return asked


def _as_update(tables: Sequence[VectorTable]) -> VectorUpdate:
    """Everything there is, as something that came."""
    changes = (
        (table.concept, key, row)
        for table in tables
        for key, row in zip(table.keys, table.rows, strict=True)
    )
    return VectorUpdate(NO_MARK, changes, {table.concept: table.vectors for table in tables})


def _columns(rows: Sequence[tuple[int, int, int, bool, int]]) -> Sequence[Sequence[Any]]:
    return list(zip(*rows, strict=True)) if rows else [[], [], [], [], []]
