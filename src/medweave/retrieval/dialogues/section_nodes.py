"""All nodes of one section in a graph of dialogues: what they are like, and what they weigh."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from medweave.model.arrays import numpy_for
from medweave.model.dialogue_tree import HAS_SECTION
from medweave.model.link_weight import LinkWeight, similarity
from medweave.model.similar import Direction
from medweave.retrieval.dialogues.growable_arrays import GrowableArray, Links

if TYPE_CHECKING:
    from numpy.typing import NDArray

_DIGITS = 6
"""Of similarities and weights."""
_AT_ONCE = 8192
"""So many cosines of pairs are computed at one time: 50 MB."""
_UNLINKED = 1.0
"""The weight of a section without links."""
_NOTHING = -1.0
"""Below every weight."""


class Term(NamedTuple):
    """One term of equation 9."""

    section: str
    similarity: float
    weight: float
    link: str
    linked: int
    """The tree at the link's other end; that of the section itself where it is the root."""


class Nodes(NamedTuple):
    """All nodes of a section, as columns."""

    trees: NDArray[Any]
    weights: NDArray[Any]
    rows: NDArray[Any]
    """Where the vector of each is."""
    vectors: NDArray[Any]


@dataclass(frozen=True, slots=True)
class Weighing:
    """How links weigh: all nodes of a graph share one."""

    weight: LinkWeight
    direction: Direction
    kinds: Sequence[str]
    """Predicates of links; their places are the numbers of kinds."""
    alpha: NDArray[Any]
    """The importance of each kind."""


class SectionNodes:
    """The nodes of one section; trees and nodes go by numbers, and none is given twice."""

    def __init__(self, name: str, weighing: Weighing) -> None:
        self._np = numpy_for("equation 9")
        self._name = name
        self._how = weighing
        self._vectors: NDArray[Any] = self._np.empty((0, 1), "f4")
        self._rows, self._trees = GrowableArray("i8"), GrowableArray("i8")
        self._alive = GrowableArray("?")
        self._place = GrowableArray("i8")
        """The node of each tree; -1 where it has none."""
        self._links = Links()
        self._root_weights, self._greatest = GrowableArray("f8"), GrowableArray("f8")
        self._weights = GrowableArray("f8")

    @property
    def trees(self) -> NDArray[Any]:
        """The tree of each node, also of those that went with theirs."""
        return self._trees.values

    def nodes(self) -> Nodes:
        """The nodes of the trees that are here."""
        columns = (self._trees, self._weights, self._rows)
        trees, weights, rows = (column.values[self._alive.values] for column in columns)
        return Nodes(trees, weights, rows, self._vectors)

    def has(self, tree: int) -> bool:
        """Whether a tree has this section."""
        return self.place(tree) >= 0

    def place(self, tree: int) -> int:
        """The node of a tree; -1 where it has none."""
        return int(self._place.values[tree]) if tree < len(self._place) else -1

    def see(self, vectors: NDArray[Any]) -> None:
        """The rows of vectors, as they are now; older rows are the same as before."""
        self._vectors = vectors

    def add(self, trees: Sequence[int], rows: Sequence[int], wholes: NDArray[Any]) -> None:
        """New nodes, one for each of some trees; `wholes` are the vectors of these trees."""
        np, first = self._np, len(self._trees)
        self._reach(max(trees) + 1)
        self._place.values[list(trees)] = np.arange(first, first + len(trees))
        self._trees.extend(trees)
        self._rows.extend(rows)
        self._alive.extend(np.ones(len(trees), "?"))
        mine = np.asarray(rows, "i8")
        cosines = self._cosines(wholes, np.arange(len(trees)), self._vectors, mine)
        alpha = self._how.alpha[self._how.kinds.index(HAS_SECTION)]
        weights = self._how.weight.of(cosines, alpha)
        self._root_weights.extend(weights)
        both = self._how.direction == "both"
        self._greatest.extend(weights if both else np.full(len(trees), _NOTHING))
        self._weights.extend(np.empty(len(trees)))
        self._settle(np.arange(first, len(self._trees)))

    def _reach(self, trees: int) -> None:
        missing = trees - len(self._place)
        if missing > 0:
            self._place.extend(self._np.full(missing, -1))

    def remove(self, tree: int) -> bool:
        """Take out the node of a tree that goes; whether it had one. `unlink` must follow."""
        place = self.place(tree)
        if place < 0:
            return False
        self._alive.values[place] = False
        self._place.values[tree] = -1
        return True

    def unlink(self, statements: NDArray[Any]) -> None:
        """Take out links of nodes that went, and those that these statements gave."""
        np, links, alive = self._np, self._links, self._alive.values
        remaining = alive[links.first] & alive[links.second]
        if len(statements):
            remaining &= ~np.isin(links.statement, statements)
        lost = np.unique(np.concatenate([links.first[~remaining], links.second[~remaining]]))
        links.keep(remaining)
        if len(lost):
            self._greatest.values[lost] = (
                self._root_weights.values[lost] if self._how.direction == "both" else _NOTHING
            )
            of_lost = np.zeros(len(alive), "?")
            of_lost[lost] = True
            self._raise(np.flatnonzero(of_lost[links.first] | of_lost[links.second]))
            self._settle(lost)

    def link_trees(self, links: Links, after: int) -> None:
        """Take in the links of trees from a place on, where both ends have this section."""
        self._reach(int(max(links.first[after:].max(), links.second[after:].max())) + 1)
        place = self._place.values
        first, second = place[links.first[after:]], place[links.second[after:]]
        there = (first >= 0) & (second >= 0)
        rest = (links.kind[after:], links.both[after:], links.statement[after:])
        self.link(first[there], second[there], *(column[there] for column in rest))

    def link(self, *columns: Any) -> None:
        """Take in links between nodes of this section: the columns of `Links`."""
        before = len(self._links)
        self._links.extend(*columns)
        new = self._np.arange(before, len(self._links))
        self._raise(new)
        self._settle(self._np.concatenate([self._links.first[new], self._links.second[new]]))

    def _raise(self, which: NDArray[Any]) -> None:
        """Let some links count for the greatest weight of their ends."""
        np, links = self._np, self._links
        first, second = links.first[which], links.second[which]
        weights = self._weights_of(first, second, links.kind[which])
        np.maximum.at(self._greatest.values, first, weights)
        back = links.both[which] | (self._how.direction == "both")
        np.maximum.at(self._greatest.values, second[back], weights[back])

    def _settle(self, nodes: NDArray[Any]) -> None:
        """max over the links of each of some nodes, or 1 for a node that has none."""
        greatest = self._greatest.values[nodes]
        self._weights.values[nodes] = self._np.where(greatest < 0, _UNLINKED, greatest)

    def values(self, asked: NDArray[Any]) -> NDArray[Any]:
        """For each node, its term of equation 9."""
        # einsum and not @: a product by several threads waits for the slowest of them, and where
        # cores are busy that takes ten times as long as the product.
        cosines = self._np.einsum("ij,j->i", self._vectors, asked)
        alike: NDArray[Any] = similarity(cosines[self._rows.values])
        alike *= self._weights.values
        return alike

    def term(self, tree: int, asked: NDArray[Any]) -> Term:
        """The term of one tree in double precision, rounded."""
        place = self.place(tree)
        row = self._rows.values[place]
        cosine = float(self._vectors[row].astype("f8") @ asked.astype("f8"))
        alike = round(similarity(min(1.0, max(-1.0, cosine))), _DIGITS)
        weight = round(float(self._weights.values[place]), _DIGITS)
        return Term(self._name, alike, weight, "", tree)

    def link_of(self, tree: int, order: Callable[[int], Any]) -> tuple[str, int]:
        """The weightiest link of a tree's section: its kind, and the tree at the other end.

        Of those that weigh the same it is that to the root, or else the first by the `order` of
        trees.
        """
        np, links, both = self._np, self._links, self._how.direction == "both"
        place = self.place(tree)
        found = [(float(self._root_weights.values[place]), HAS_SECTION, tree)] if both else []
        for mine, other, out in (
            (links.first, links.second, np.ones(len(links), "?")),
            (links.second, links.first, links.both | both),
        ):
            here = np.flatnonzero((mine == place) & out)
            weights = self._weights_of(mine[here], other[here], links.kind[here])
            for at, weight in zip(here.tolist(), weights.tolist(), strict=True):
                found.append((weight, self._how.kinds[links.kind[at]], int(self.trees[other[at]])))
        if not found:
            return "", tree
        best = min(found, key=lambda one: (-one[0], one[1] != HAS_SECTION, order(one[2]), one[1]))
        return best[1], best[2]

    def _weights_of(
        self, first: NDArray[Any], second: NDArray[Any], kind: NDArray[Any]
    ) -> NDArray[Any]:
        held, rows = self._vectors, self._rows.values
        cosines = self._cosines(held, rows[first], held, rows[second])
        weights: NDArray[Any] = self._how.weight.of(cosines, self._how.alpha[kind])
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
