"""Path ranking over a whole base at once, as a sparse matrix; needs the extra `matrix`.

For those who rank thousands of questions over one base: the matrix is made once, carries the
revision it was made at, and is brought up to date by what has changed since. For a single question
`local_push` is the better choice, because nothing need be made (decision 0014).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from medweave.errors import ConfigurationError
from medweave.inference.path_ranking import ALPHA
from medweave.inference.sweeps import MAX_SWEEPS, TOLERANCE
from medweave.model.edge import Edge, edge_of
from medweave.ports import StoreView

if TYPE_CHECKING:
    from numpy.typing import NDArray


class MatrixRanking:
    """The edges of a base by some predicates, ready to be ranked over."""

    def __init__(self, edges: Iterable[Edge], revision: int = 0) -> None:
        """Raises `ConfigurationError` where numpy and scipy are not installed."""
        self._numpy, self._sparse = _libraries()
        self.revision = revision
        """The revision of the base that the matrix stands for."""
        self._edges = self._columns(edges)
        self._make()

    @classmethod
    def of(cls, store: StoreView, predicates: Sequence[str]) -> MatrixRanking:
        """The matrix of a base as it stands."""
        revision = store.version().revision
        return cls(store.all_edges(predicates), revision)

    def refresh(self, store: StoreView, predicates: Sequence[str]) -> bool:
        """Bring the matrix up to the base's revision; whether what changed was enough for it.

        Where too much has changed, or the store does not say what, all edges are read again.
        """
        revision = store.version().revision
        if revision == self.revision:
            return True
        changed = store.changes(self.revision)
        if changed is None:
            self._edges = self._columns(store.all_edges(predicates))
        else:
            wanted = set(predicates)
            now = store.statements(sorted(changed))
            edges = [edge_of(s) for s in now if s.statement.predicate in wanted]
            self._replace(changed, [edge for edge in edges if edge is not None])
        self.revision = revision
        self._make()
        return changed is not None

    def rank(
        self,
        seeds: Mapping[int, float],
        *,
        alpha: float = ALPHA,
        tolerance: float = TOLERANCE,
        max_sweeps: int = MAX_SWEEPS,
    ) -> dict[int, float]:
        """The scores of `path_ranking.rank`, of all things whose score is not 0."""
        np = self._numpy
        start = np.zeros(len(self._things))
        for thing, weight in seeds.items():
            place = int(np.searchsorted(self._things, thing))
            if place < len(self._things) and self._things[place] == thing:
                start[place] = weight
        scores = start.copy()
        for _ in range(max_sweeps):
            swept = (1 - alpha) * start + alpha * (self._incoming @ scores)
            change = float(np.abs(swept - scores).sum())
            scores = swept
            if change < tolerance:
                break
        reached = np.flatnonzero(scores)
        return dict(zip(self._things[reached].tolist(), scores[reached].tolist(), strict=True))

    def _columns(self, edges: Iterable[Edge]) -> dict[str, NDArray[Any]]:
        """Edges as columns: subject, object, statement, weight."""
        np = self._numpy
        rows = [(e.subject, e.object, e.statement, e.weight) for e in edges if e.weight > 0]
        ends = np.array([row[:3] for row in rows], dtype=np.int64).reshape(-1, 3)
        return {
            "subject": ends[:, 0],
            "object": ends[:, 1],
            "statement": ends[:, 2],
            "weight": np.array([row[3] for row in rows], dtype=np.float64),
        }

    def _replace(self, statements: frozenset[int], edges: list[Edge]) -> None:
        """Take out the edges of these statements, and put in what they are now."""
        np = self._numpy
        gone = np.array(sorted(statements), dtype=np.int64)
        kept = ~np.isin(self._edges["statement"], gone)
        new = self._columns(edges)
        self._edges = {
            name: np.concatenate([column[kept], new[name]]) for name, column in self._edges.items()
        }

    def _make(self) -> None:
        """The matrix of the shares in which each thing's score is handed to its neighbours."""
        np, edges = self._numpy, self._edges
        self._things = np.unique(np.concatenate([edges["subject"], edges["object"]]))
        subject = np.searchsorted(self._things, edges["subject"])
        object_ = np.searchsorted(self._things, edges["object"])
        size = (len(self._things), len(self._things))
        # Both directions: what lies in row i and column j goes from j to i.
        rows, columns = np.concatenate([object_, subject]), np.concatenate([subject, object_])
        weights = np.concatenate([edges["weight"], edges["weight"]])
        walked = self._sparse.csr_matrix((weights, (rows, columns)), shape=size)
        given = np.asarray(walked.sum(axis=0)).ravel()
        shares = np.divide(1.0, given, out=np.zeros_like(given), where=given > 0)
        self._incoming = walked @ self._sparse.diags(shares)


def _libraries() -> tuple[Any, Any]:
    try:
        import numpy as np
        from scipy import sparse
    except ImportError as error:
        raise ConfigurationError(
            "ranking by matrix needs numpy and scipy", remedy="pip install 'medweave[matrix]'"
        ) from error
    return np, sparse
