"""Everything that the steps ask of vectors, from the six methods of an index."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from medweave.errors import StoreError
from medweave.model.vector_links import (
    NOT_LINKED,
    LinkMark,
    LinkState,
    VectorLink,
    VectorLinks,
    link_of,
)
from medweave.model.vectors import (
    NO_MARK,
    SPACES,
    Near,
    Space,
    VectorEntry,
    VectorMark,
    VectorModel,
    Vectors,
    VectorTable,
    VectorUpdate,
)
from medweave.ports import (
    SupportsAlike,
    SupportsCompleteRevision,
    SupportsEmbeddings,
    SupportsLinkNews,
    SupportsLinks,
    SupportsVectorContributions,
    SupportsVectorCounts,
    SupportsVectorUpdates,
    VectorIndex,
)
from medweave.stores.fast_ways import take_over
from medweave.vectors.checks import check_model, check_spaces, check_vectors
from medweave.vectors.nearest import cosine

FAST_WAYS: tuple[type, ...] = (
    SupportsEmbeddings,
    SupportsVectorCounts,
    SupportsCompleteRevision,
    SupportsVectorContributions,
    SupportsVectorUpdates,
    SupportsAlike,
    SupportsLinks,
    SupportsLinkNews,
)


def vector_view_of(index: VectorIndex) -> DerivedVectors:
    """An index with all that follows from it; what it does faster itself, it does itself."""
    view = DerivedVectors(index)
    take_over(view, index, FAST_WAYS)
    return view


@dataclass
class _Linked:
    """The links of a space, with the vectors that they were found from."""

    least: float
    compared: dict[str, bytes] = field(default_factory=dict)
    links: dict[tuple[str, str], tuple[VectorLink, bytes]] = field(default_factory=dict)


class DerivedVectors:
    """See `VectorIndex` and the `Supports…` beside it for what each method promises."""

    def __init__(self, index: VectorIndex) -> None:
        self.index = index
        """What it is a view of."""
        self._known: dict[str, memoryview[float]] = {}
        """Vectors of texts that are not put yet."""
        self._made_by: VectorModel | None = None
        self._covered: int | None = None
        self._linked: dict[Space, _Linked] = {}

    # the six methods

    def model(self) -> VectorModel | None:
        return self.index.model()

    def put(self, entries: Sequence[VectorEntry], vectors: Vectors) -> None:
        self.index.put(entries, vectors)
        for entry in entries:
            self._known.pop(entry.text, None)

    def remove(self, space: Space, keys: Iterable[str]) -> int:
        self._covered = None
        return self.index.remove(space, keys)

    def search(
        self,
        space: Space,
        queries: Vectors,
        k: int,
        *,
        concepts: Collection[str] | None = None,
    ) -> list[list[Near]]:
        return self.index.search(space, queries, k, concepts=concepts)

    def tables(self, space: Space, *, concepts: Collection[str] | None = None) -> list[VectorTable]:
        return self.index.tables(space, concepts=concepts)

    def fetch(self, space: Space, keys: Iterable[str]) -> list[VectorTable]:
        return self.index.fetch(space, keys)

    # embeddings

    def keep(self, texts: Sequence[str], vectors: Vectors) -> None:
        """See `SupportsEmbeddings.keep`: until they are put, or the program ends."""
        check_vectors(vectors, len(texts))
        check_model(self.model(), vectors.model, "this base")
        if self._made_by != vectors.model:
            self._known, self._made_by = {}, vectors.model
        self._known |= {
            text: memoryview(array("f", row)) for text, row in zip(texts, vectors, strict=True)
        }

    def known(self, model: VectorModel, texts: Iterable[str]) -> dict[str, memoryview[float]]:
        """See `SupportsEmbeddings.known`: only those that are not put yet."""
        held = self._known if model == self._made_by else {}
        return {text: held[text] for text in texts if text in held}

    # counts

    def counts(self) -> dict[Space, int]:
        found = {space: sum(len(table.keys) for table in self.tables(space)) for space in SPACES}
        return {space: found[space] for space in sorted(found) if found[space]}

    def forget(self) -> int:
        count = sum(self.counts().values())
        for space in SPACES:
            self.remove(space, self._vectors(space))
            self.unlink(space)
        self._known = {}
        return count

    # what came since

    def complete_revision(self) -> int | None:
        return self._covered

    def set_complete_revision(self, revision: int | None) -> None:
        self._covered = revision

    def contributed(
        self,
        documents: Iterable[str],  # noqa: ARG002
    ) -> tuple[list[VectorEntry], Vectors] | None:
        """See `SupportsVectorContributions.contributed`: it cannot be told."""
        return None

    def mark(self, space: Space) -> VectorMark:
        """See `SupportsVectorUpdates.mark`: nothing can be told."""
        check_spaces([space])
        return NO_MARK

    def updates_since(self, space: Space, since: VectorMark) -> VectorUpdate | None:  # noqa: ARG002
        """See `SupportsVectorUpdates.updates_since`: nothing can be told."""
        check_spaces([space])
        return None

    # links

    def alike(self, space: Space, keys: Collection[str], least: float) -> list[VectorLink]:
        found = {
            link_of(key, other, near)
            for table in self.tables(space)
            for key, row in zip(table.keys, table.rows, strict=True)
            if key in keys
            for other, place in zip(table.keys, table.rows, strict=True)
            if other != key
            for near in [cosine(table.vectors[row], table.vectors[place])]
            if near >= least
        }
        return sorted(found)

    def links(self, space: Space) -> VectorLinks:
        """See `SupportsLinks.links`: those whose vectors are what they were."""
        check_spaces([space])
        held = self._linked.get(space)
        if held is None:
            return NOT_LINKED
        now = self._vectors(space)
        links = [
            link
            for link, vectors in held.links.values()
            if link.first in now
            and link.second in now
            and now[link.first] + now[link.second] == vectors
        ]
        compared = frozenset(key for key, vector in held.compared.items() if now.get(key) == vector)
        return VectorLinks(held.least, compared, sorted(links))

    def link(
        self,
        space: Space,
        least: float,
        compared: Collection[str],
        links: Iterable[VectorLink],
    ) -> None:
        check_spaces([space])
        made = [link_of(*link) for link in links]
        held = self._linked.get(space) or _Linked(least)
        if held.least != least:
            raise StoreError(
                f"this base is linked from a cosine of {held.least} on, not {least}",
                remedy="take its links out first",
            )
        now = self._vectors(space)
        if missing := {*compared, *(key for link in made for key in link[:2])} - now.keys():
            raise StoreError(
                f"a link of a key without a vector: {min(missing)}", remedy="put its vector first"
            )
        self._linked[space] = held
        held.compared |= {key: now[key] for key in compared}
        held.links |= {link[:2]: (link, now[link.first] + now[link.second]) for link in made}

    def unlink(self, space: Space) -> int:
        count = len(self.links(space).links)
        self._linked.pop(space, None)
        return count

    def links_of(self, space: Space, keys: Iterable[str]) -> list[VectorLink]:
        among = set(keys)
        return [one for one in self.links(space).links if among & {one.first, one.second}]

    def links_since(self, space: Space, since: LinkMark) -> VectorLinks | None:  # noqa: ARG002
        """See `SupportsLinkNews.links_since`: nothing can be told."""
        check_spaces([space])
        return None

    def link_state(self, space: Space) -> LinkState:
        links = self.links(space)
        if links is NOT_LINKED:
            return LinkState(links.least, (), 0)
        waiting = self._vectors(space).keys() - links.compared
        return LinkState(links.least, sorted(waiting), len(links.links))

    def _vectors(self, space: Space) -> Mapping[str, bytes]:
        """What each key of a space has now."""
        return {
            key: table.vectors[row].tobytes()
            for table in self.tables(space)
            for key, row in zip(table.keys, table.rows, strict=True)
        }
