"""The rows of a base in a store of RDF, by SPARQL alone."""

from __future__ import annotations

import json
import random
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from medweave.errors import StoreBusyError
from medweave.model.batches import batches
from medweave.model.identifiers import canonical_json
from medweave.stores.address import StoreAddress
from medweave.stores.sparql.client import FilledSparql, HttpSparql
from medweave.stores.sparql.disk import DiskSparql
from medweave.stores.sparql.layout import Layout, value_of
from medweave.stores.sparql.terms import iri, literal, values
from medweave.stores.versioned.lease import Lease, is_free
from medweave.stores.versioned.rows import Header, Row, Where
from medweave.stores.versioned.store import VersionedStore, opened

_CHANGED = 200
"""So many rows are changed in one update."""
_TRIES = 8
"""So often the header is written, where others want to at the same time."""
_WIDE = ("predicate_n", "source_n", "space_n", "polarity", "literal")
"""Fields of which one value has many rows, the widest last: rows are looked for by others first."""


class SparqlRows:
    """See `Rows`. An update is done as a whole, or not at all."""

    def __init__(self, service: FilledSparql, base: str) -> None:
        self._service = service
        self._layout = Layout(base)

    # the header

    def header(self) -> Header | None:
        return self._header_and_writers()[0]

    def _header_and_writers(self) -> tuple[Header | None, set[str]]:
        graph, header = self._layout.graph, self._layout.header
        found = self._service.query(f"SELECT ?p ?o {{ GRAPH {graph} {{ {graph} ?p ?o }} }}")
        texts: dict[bool, set[str]] = {True: set(), False: set()}
        for each in found:
            texts[iri(each["p"].value) == header].add(each["o"].value)
        return next((json.loads(text) for text in texts[True]), None), texts[False]

    def swap(self, before: Header | None, after: Header) -> bool:
        """See `Rows.swap`. Of two updates in the same moment some servers do both, as if neither
        saw the other: so whoever writes the header says so first, and goes on if nobody else does.
        """
        for tries in range(_TRIES):
            lease = Lease()
            try:
                done = self._swap(lease.text(), before, after)
            finally:
                lease.give_back()
            if done is not None:
                return done
            time.sleep(random.uniform(0, 0.05 * 2**tries))  # noqa: S311 - not the same for all
        raise StoreBusyError("too many want to write to this base", remedy="try again")

    def _swap(self, ours: str, before: Header | None, after: Header) -> bool | None:
        """None where somebody else wants to, too: one of the two sees what the other said."""
        self._service.update(f"INSERT DATA {{ {self._claim(ours)} }}")
        held, claimed = self._header_and_writers()
        unchanged = held in (before, after)
        others = unchanged and any(not is_free(claim) for claim in claimed - {ours})
        if unchanged and not others:
            self._write_header(ours, before, after)
            claimed = self._header_and_writers()[1]
            if ours not in claimed:  # it went with the old header
                return True
        left = [claim for claim in claimed if claim == ours or is_free(claim)]
        self._service.update(f"DELETE DATA {{ {' '.join(map(self._claim, left))} }}")
        return None if others else False

    def _claim(self, lease: str) -> str:
        graph = self._layout.graph
        return f"GRAPH {graph} {{ {graph} {self._layout.claims} {literal(lease)} }}"

    def _write_header(self, ours: str, before: Header | None, after: Header) -> None:
        """Where our claim and the header that was read are still there: so it may be sent twice.

        One operation, as of several in one update some servers do each by itself.
        """
        graph, header = self._layout.graph, self._layout.header
        old = f"GRAPH {graph} {{ {graph} {header} ?h }}"
        known = [literal(canonical_json(each)) for each in (after, before) if each is not None]
        new = f"GRAPH {graph} {{ {graph} {header} {known[0]} }}"
        self._service.update(
            f"DELETE {{ {self._claim(ours)} {old} }} INSERT {{ {new} }} WHERE {{"
            f" {self._claim(ours)} OPTIONAL {{ {old} }}"
            f" FILTER({'' if before else '!BOUND(?h) || '}?h IN ({', '.join(known)})) }}"
        )

    # rows

    def insert(self, rows: Mapping[str, Sequence[Row]]) -> None:
        """See `Rows.insert`: writing the same row again changes nothing. Rows of all kinds go
        together: of each thing that is sent some servers write whole pages of every index anew."""
        graphs: dict[str, list[str]] = defaultdict(list)
        length = 0
        for kind, row in ((kind, row) for kind, some in rows.items() for row in some):
            said = " ; ".join(f"{name} {value}" for name, value in self._layout.triples(kind, row))
            written = f"{self._layout.node(kind, row)} {said} ."
            graphs[self._layout.graph_of(kind, row)].append(written)
            length += len(written)
            if length >= self._service.at_once:
                self._put(graphs)
                graphs, length = defaultdict(list), 0
        self._put(graphs)

    def _put(self, graphs: dict[str, list[str]]) -> None:
        blocks = (f"GRAPH {graph} {{ {' '.join(some)} }}" for graph, some in graphs.items())
        if graphs:
            self._service.insert(" ".join(blocks))

    def end(self, kind: str, numbers: Sequence[int], stamp: int) -> None:
        n, since, until = (self._layout.property(kind, f) for f in ("n", "since", "until"))
        for part in batches(numbers, _CHANGED):
            held = f"{values('n', map(literal, part))} GRAPH ?g {{ ?r {n} ?n ; {since}"
            going = f"FILTER NOT EXISTS {{ ?r {until} ?u }}"
            self._service.update(
                f"DELETE {{ GRAPH ?g {{ ?r ?p ?o }} }}"
                f" WHERE {{ {held} {stamp} . {going} ?r ?p ?o }} }} ;\n"
                f"INSERT {{ GRAPH ?g {{ ?r {until} {stamp} }} }}"
                f" WHERE {{ {held} ?s . FILTER(?s < {stamp}) {going} }} }}"
            )

    def undo(self, kind: str, stamp: int) -> None:
        since, until = (self._layout.property(kind, field) for field in ("since", "until"))
        self._delete(f"?r {since} ?s FILTER(?s >= {stamp})", "?r ?p ?o")
        self._delete(f"?r {until} ?u FILTER(?u >= {stamp})", f"?r {until} ?o")

    def forget(self, kind: str, stamp: int) -> None:
        until = self._layout.property(kind, "until")
        self._delete(f"?r {until} ?u FILTER(?u < {stamp})", "?r ?p ?o")

    def _delete(self, which: str, triples: str) -> None:
        """Take triples of many rows out, of some rows at a time."""
        found = self._service.query(f"SELECT ?g ?r {{ GRAPH ?g {{ {which} }} }}")
        graphs: dict[str, list[str]] = defaultdict(list)
        for row in found:
            graphs[iri(row["g"].value)].append(iri(row["r"].value))
        for graph, rows in graphs.items():
            for part in batches(rows, _CHANGED):
                block = values("r", part)
                held = f"GRAPH {graph} {{ {triples} }}"
                self._service.update(f"DELETE {{ {held} }} WHERE {{ {block} {held} }}")

    def find(
        self,
        kind: str,
        where: Where,
        at: int,
        fields: Sequence[str],
        *,
        first: int | None = None,
    ) -> Iterable[Row]:
        shown = {f"f{place}": field for place, field in enumerate(fields)}
        said = " ".join(
            f"?r {self._layout.property(kind, field)} ?{name} ." for name, field in shown.items()
        )
        last = "" if first is None else f" ORDER BY ?first LIMIT {first}"
        by = f" ?r {self._layout.property(kind, 'n')} ?first ." if first is not None else ""
        head = " ".join(f"?{name}" for name in shown)
        fits = self._fitting(kind, where, at)
        query = f"SELECT {head} {{ GRAPH ?g {{ {fits}{by} {said} }} }}{last}"
        for found in self._service.query(query):
            yield {shown[name]: value_of(shown[name], term) for name, term in found.items()}

    def _fitting(self, kind: str, where: Where, at: int) -> str:
        """What `?r` must be. Lists of numbers are short: readers ask for some at a time."""
        n, since, until = (self._layout.property(kind, f) for f in ("n", "since", "until"))
        fits: list[str] = []
        for field in sorted(where, key=_width):
            triple = f"?r {self._layout.property(kind, field)} ?{field} ."
            numbers = [literal(number) for number in where[field]]
            if fits:
                fits.append(f"{triple} FILTER(?{field} IN ({', '.join(numbers)}))")
            else:
                fits.append(f"{values(field, numbers)} {triple}")
        return (
            f"{' '.join(fits or [f'?r {n} ?n .'])} ?r {since} ?since . FILTER(?since < {at})"
            f" FILTER NOT EXISTS {{ ?r {until} ?until . FILTER(?until < {at}) }}"
        )

    def tally(self, kind: str, field: str, where: Where, at: int) -> dict[Any, int]:
        query = (
            f"SELECT ?value (COUNT(*) AS ?count) {{ GRAPH ?g {{ {self._fitting(kind, where, at)}"
            f" ?r {self._layout.property(kind, field)} ?value }} }} GROUP BY ?value"
        )
        return {
            value_of(field, found["value"]): int(found["count"].value)
            for found in self._service.query(query)
            if "value" in found
        }

    def changed(self, stamp: int) -> set[int]:
        of, since, until = (
            self._layout.property("evidence", field) for field in ("statement_n", "since", "until")
        )
        found: set[int] = set()
        for bound in (since, until):
            query = (
                f"SELECT DISTINCT ?n {{ GRAPH ?g {{ ?r {bound} ?s . FILTER(?s >= {stamp})"
                f" ?r {of} ?n }} }}"
            )
            found |= {int(row["n"].value) for row in self._service.query(query)}
        return found

    # the server

    def server(self) -> str:
        return self._service.server()

    def close(self) -> None:
        self._service.close()


def _width(field: str) -> int:
    """How many rows a value of a field may have, among others."""
    return _WIDE.index(field) if field in _WIDE else -1


def open_store(
    address: StoreAddress, *, create: bool, read_only: bool, **_: object
) -> VersionedStore:
    """See `stores.registry.Opener`."""
    on_disk = address.scheme == "rdf"
    service = DiskSparql(address, read_only=read_only) if on_disk else HttpSparql(address)
    return opened(SparqlRows(service, address.base), str(address), create=create)
