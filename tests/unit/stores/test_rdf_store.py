"""A base in a folder of RDF keeps the promises of a store, and is RDF that others can read.

A share of the suite, as every base is a folder; all of it where MEDWEAVE_TEST_RDF is set.
"""

import os
import subprocess
import sys
import threading
import uuid
from pathlib import Path

import pyoxigraph
import pytest

from medweave.errors import NotFoundError, StoreBusyError, StoreError
from medweave.model.vectors import EXACT
from medweave.ports import GraphStore
from medweave.stores.derived import view_of
from medweave.stores.registry import address_of, opener_of
from medweave.stores.sparql.disk import DiskSparql
from medweave.stores.sparql.rows import SparqlRows
from medweave.stores.versioned.store import VersionedStore
from medweave.testing.store_conformance import StoreConformance
from medweave.testing.worlds import COLD, COUGH, SYMPTOM, cold_and_flu, contents, document, says
from tests.commands import medweave

_SHARE = (
    "test_what_looks_alike_stays_apart_and_is_kept_to_the_letter",
    "test_any_text_survives",
    "test_removing_a_document_takes_exactly_its_evidence",
    "test_what_was_inferred_goes_with_its_statement_and_so_on",
    "test_a_part_of_a_transaction_that_fails_leaves_nothing_of_itself",
    "test_a_snapshot_reads_one_revision_while_others_write",
    "test_everything_is_there_after_opening_again",
    "test_a_hub_is_capped_for_each_entity_and_direction",
    "test_notes_are_kept",
)


def _open(url: str, *, create: bool = True, read_only: bool = False) -> VersionedStore:
    address = address_of(url)
    opened = opener_of(address)(address, create=create, read_only=read_only, search=EXACT)
    assert isinstance(opened, VersionedStore)
    return opened


class TestRdfStore(StoreConformance):
    def open_store(self, tmp_path: Path) -> GraphStore:
        self._url = f"rdf:{tmp_path / uuid.uuid4().hex}"
        return _open(self._url)

    def reopen(self, store: GraphStore, tmp_path: Path) -> GraphStore:
        store.close()
        return _open(self._url, create=False)

    def open_beside(self, store: GraphStore, tmp_path: Path) -> GraphStore:
        return _open(self._url)


if not os.environ.get("MEDWEAVE_TEST_RDF"):
    for _name in dir(StoreConformance):
        if _name.startswith("test_") and _name not in _SHARE:
            setattr(TestRdfStore, _name, None)


def test_every_source_has_a_graph_in_the_words_of_the_exports(tmp_path: Path) -> None:
    store = _open(f"rdf:{tmp_path / 'g'}?base=kidney")
    store.put(cold_and_flu())
    store.close()
    read = pyoxigraph.Store.read_only(str(tmp_path / "g"))
    graphs = {graph.value for graph in read.named_graphs()}
    assert graphs == {
        "urn:medweave:base:kidney",
        "urn:medweave:base:kidney:source:/sources/one.json",
        "urn:medweave:base:kidney:source:/sources/two.json",
    }
    found = read.query(
        "SELECT ?symptom ?quote {"
        " GRAPH ?base { ?s a rdf:Statement ; rdf:subject <urn:medweave:mw.condition:flu> ;"
        "  rdf:predicate <urn:medweave:relation:has_symptom> ; rdf:object ?symptom ;"
        "  <urn:medweave:base:kidney#statement.n> ?n }"
        " GRAPH <urn:medweave:base:kidney:source:/sources/two.json> {"
        "  ?e <urn:medweave:base:kidney#evidence.statement_n> ?n ; prov:value ?quote } }",
        prefixes={
            "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
            "prov": "http://www.w3.org/ns/prov#",
        },
    )
    assert [row["symptom"].value for row in found] == ["urn:medweave:mw.condition:fever"]  # type: ignore[union-attr]


def test_much_is_loaded_as_little_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the loader of files the same comes out, whatever characters a text has."""
    hostile = "".join(map(chr, [*range(1, 0x250), 0x2028, 0xFFFD, 0x1F912])) + "\\u0041 \\\\U0001"
    some = [document(f"d {n}", says(COLD, SYMPTOM, COUGH), text=hostile + str(n)) for n in range(3)]
    told = []
    for name, least in (("written", 1 << 30), ("loaded", 0)):
        monkeypatch.setattr("medweave.stores.sparql.disk._LOADED", least)
        store = _open(f"rdf:{tmp_path / name}")
        store.put([*cold_and_flu(), *some])
        store.remove([store.documents()[0].id])
        told.append((contents(view_of(store)), store.version().hash))
        assert store.check() == []
        store.close()
    assert told[0] == told[1]


def test_bases_and_graphs_of_others_in_one_folder_stay_as_they_are(tmp_path: Path) -> None:
    folder = tmp_path / "g"
    foreign = pyoxigraph.Store(str(folder))
    foreign.update("INSERT DATA { <urn:x> <urn:y> 'z' . GRAPH <urn:g> { <urn:x> <urn:y> 1 } }")
    foreign.flush()
    del foreign
    one, two = _open(f"rdf:{folder}"), _open(f"rdf:{folder}?base=two")
    for store in (one, two):
        store.put(cold_and_flu())
    before = contents(view_of(two))
    one.remove([each.id for each in one.documents()])
    one.put([document("more")])
    assert contents(view_of(two)) == before
    assert [each.name for each in one.documents()] == ["more"]
    one.close()
    two.close()
    read = pyoxigraph.Store.read_only(str(folder))
    assert len(list(read.quads_for_pattern(pyoxigraph.NamedNode("urn:x"), None, None))) == 2


def test_of_four_who_want_to_write_the_header_at_once_one_does(tmp_path: Path) -> None:
    rows = [
        SparqlRows(DiskSparql(address_of(f"rdf:{tmp_path / 'g'}"), read_only=False), "b")
        for _ in range(4)
    ]
    assert rows[0].swap(None, {"turn": "0"})
    for turn in range(3):
        before, barrier, won = rows[0].header(), threading.Barrier(4), list[str]()

        def write(place: int) -> None:
            after = {"turn": f"{turn}.{place}"}  # noqa: B023
            barrier.wait()  # noqa: B023
            if rows[place].swap(before, after):  # noqa: B023
                won.append(after["turn"])  # noqa: B023

        threads = [threading.Thread(target=write, args=(place,)) for place in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [{"turn": each} for each in won] == [rows[0].header()]
    for each in rows:
        each.close()


def test_what_is_not_there_is_not_made_by_reading(tmp_path: Path) -> None:
    for _ in range(2):
        with pytest.raises(NotFoundError):
            _open(f"rdf:{tmp_path / 'none'}", create=False, read_only=True)
    _open(f"rdf:{tmp_path / 'none'}").close()
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(StoreError, match="something else"):
        _open(f"rdf:{tmp_path}").put(cold_and_flu())
    assert [each.name for each in tmp_path.iterdir()] == ["notes.txt"]
    with pytest.raises(StoreError, match="no name"):
        address_of(f"rdf:{tmp_path}?base=a-b")


def test_while_a_process_writes_another_is_told_to_wait(tmp_path: Path) -> None:
    store = _open(f"rdf:{tmp_path / 'g'}")
    store.put(cold_and_flu())
    reads = (
        "import sys; from medweave.stores.sparql import disk; disk.BUSY_SECONDS = 0\n"
        "from medweave.stores.registry import address_of\n"
        f"graph = disk.DiskSparql(address_of('rdf:{tmp_path / 'g'}'), read_only=True)\n"
        "print(len(list(graph.query('SELECT * { GRAPH ?g { ?s ?p ?o } } LIMIT 5'))))"
    )

    def read() -> str:
        ran = subprocess.run(
            [sys.executable, "-c", reads], check=False, capture_output=True, text=True
        )
        return ran.stdout.strip() or ran.stderr.strip().splitlines()[-1]

    assert StoreBusyError.__name__ in read()
    store.close()
    assert read() == "5"


def test_a_base_is_built_copied_and_asked_by_its_url(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(
        '{"name": "gout", "concept": "disease", "symptoms": ["pain"]}'
    )
    here, there = f"rdf:{tmp_path / 'g'}", f"{tmp_path / 'copy.db'}"
    back = f"rdf:{tmp_path / 'g'}?base=back"
    for words in (
        ("build", "--kb", here, str(tmp_path / "a.jsonl")),
        ("copy", here, there),
        ("copy", there, back),
    ):
        ran = medweave(*words)
        assert ran.status == 0, ran.err
    assert len({medweave("stats", "--hash", "--kb", url).out for url in (here, there, back)}) == 1
    assert "pain" in medweave("ask", "--kb", back, "What are the symptoms of gout?").out
    assert medweave("check", "--kb", here).status == 0
