"""Weaviate keeps every promise of `VectorIndex`, beside a base in a file."""

import json
import os
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from medweave.errors import StoreError
from medweave.ports import GraphStore, StoreView
from medweave.stores.address import StoreAddress
from medweave.stores.derived import view_of
from medweave.stores.sqlite.store import SqliteStore
from medweave.testing.vector_conformance import (
    TOY,
    VectorConformance,
    entry,
    found,
    papers,
    put,
    toy,
)
from medweave.testing.worlds import COLD, COUGH, FLU, SYMPTOM, cold_and_flu, document, names, says
from scripts.services.proxy import proxy_to
from tests.commands import medweave
from tests.services.service_stores import new_base

URL = os.environ.get("MEDWEAVE_TEST_WEAVIATE")
if not URL:
    pytest.skip("MEDWEAVE_TEST_WEAVIATE names no server", allow_module_level=True)

from medweave.stores.weaviate.client import Weaviate  # noqa: E402 - where there is a server
from medweave.stores.weaviate.store import beside  # noqa: E402

ADDRESS = StoreAddress.of(URL)


class TestWeaviateVectors(VectorConformance):
    def open_store(self, tmp_path: Path) -> GraphStore:
        self._last = new_base(ADDRESS)
        return _opened(tmp_path, self._last)

    def reopen(self, store: GraphStore, tmp_path: Path) -> GraphStore:
        store.close()
        return _opened(tmp_path, self._last)


def _opened(folder: Path, address: StoreAddress) -> GraphStore:
    store = SqliteStore.open(folder / "base.db", create=True)
    return beside(store, address, read_only=False)


def _url(address: StoreAddress) -> str:
    return f"weaviate://{ADDRESS.hosts}?grpc={ADDRESS.options['grpc']}&base={address.base}"


@pytest.fixture
def address() -> Iterator[StoreAddress]:
    """Where there is nothing yet, and nothing is left."""
    made = new_base(ADDRESS)
    yield made
    with closing(Weaviate(made)) as server:
        beginning = server.name("")
        for name in server.ask(lambda client: list(client.collections.list_all())):
            if name.startswith(beginning):
                server.call(server.ask(lambda client: client.collections.delete), name)


def shown(address: StoreAddress) -> dict[str, list[Any]]:
    """The objects of each collection, by their names, with what they refer to."""
    from weaviate.classes.query import QueryReference

    with closing(Weaviate(address)) as server:
        refers = [QueryReference(link_on=end) for end in ("subject", "object", "publication")]
        entities, documents, relations = (
            server.collection(kind) for kind in ("Entity", "Publication", "Relation")
        )
        assert entities is not None
        assert documents is not None
        assert relations is not None
        held: dict[str, list[Any]] = {
            "Entity": [
                (e.properties["identifier"], e.properties["type"]) for e in entities.iterator()
            ],
            "Publication": [e.properties["name"] for e in documents.iterator()],
            "Relation": [
                (
                    e.properties["predicate"],
                    *(
                        sorted(o.properties.get("identifier") for o in e.references[end].objects)
                        if end in e.references
                        else []
                        for end in ("subject", "object", "publication")
                    ),
                )
                for e in relations.iterator(return_references=refers)
            ],
        }  # fmt: skip
        return {kind: sorted(some) for kind, some in held.items()}


def of_base(store: StoreView) -> dict[str, list[Any]]:
    """What `shown` has to be."""
    relations, things = [], set()
    for one in store.match():
        thing = one.statement.object_entity
        things |= {one.statement.subject, *filter(None, [thing])}
        documents = sorted({item.document for item in one.evidence})
        objects = [thing] if thing else []
        relations.append((one.statement.predicate, [one.statement.subject], objects, documents))
    concepts = {count.mention.entity: count.mention.concept for count in store.mentions()}
    return {
        "Entity": sorted((thing, concepts.get(thing, "")) for thing in things | concepts.keys()),
        "Publication": sorted(one.name for one in store.documents()),
        "Relation": sorted(relations),
    }


def test_things_documents_and_statements_follow(tmp_path: Path, address: StoreAddress) -> None:
    with closing(view_of(_opened(tmp_path, address))) as store:
        store.put(cold_and_flu())
        assert shown(address) == of_base(store)
        store.put([document("cold", says(COLD, SYMPTOM, COUGH)), document("flu")])
        assert shown(address) == of_base(store)
        named = names(COUGH, "cough", concept="finding")  # of the same text and evidence
        store.put([document("cold", says(COLD, SYMPTOM, COUGH), mentions=named, build_key="2")])
        assert shown(address) == of_base(store)
        store.remove([one.id for one in store.documents() if one.name == "cold"])
        assert shown(address) == of_base(store)
        with suppress(ZeroDivisionError), store.transaction():
            store.put(cold_and_flu())
            raise ZeroDivisionError
        assert shown(address) == of_base(store)


def test_a_base_that_was_changed_alone_says_so_until_it_is_caught_up_with(
    tmp_path: Path, address: StoreAddress
) -> None:
    one, two, three = papers("one", "two", "three")
    with closing(view_of(_opened(tmp_path, address))) as store:
        store.put([one, two])
        put(store.vectors(), entry("east", one), entry("north", two))  # type: ignore[arg-type]
    [anew] = [document("two", says(FLU, SYMPTOM, COUGH), text="other words")]
    with closing(SqliteStore.open(tmp_path / "base.db", create=False)) as alone:
        alone.put([anew, three])
    reader = SqliteStore.open(tmp_path / "base.db", create=False, read_only=True)
    with closing(beside(reader, address, read_only=True)) as behind:
        index: Any = view_of(behind).vectors()
        with pytest.raises(StoreError, match="changed without its vectors"):
            index.search("section", toy("east"), 3)
    with closing(view_of(_opened(tmp_path, address))) as again:
        index = again.vectors()
        assert found(index, "north") == ["east"]
        assert shown(address) == of_base(again)


@pytest.mark.parametrize("kind", ["Base", "Entity", "Relation"])
def test_collections_of_others_stay_as_they_are(
    tmp_path: Path, address: StoreAddress, kind: str
) -> None:
    with closing(Weaviate(address)) as server:
        name = server.name(kind)
        server.ask(lambda client: client.collections.create(name))
        for folder in (tmp_path / "one", tmp_path / "two"):
            folder.mkdir()
            with (
                pytest.raises(StoreError, match=f"{name} of others already"),
                closing(_opened(folder, address)) as store,
            ):
                store.put(cold_and_flu())
        there = server.ask(lambda client: list(client.collections.list_all()))
        assert [each for each in there if each.startswith(server.name(""))] == [name]
        server.ask(lambda client: client.collections.delete(name))
    with closing(_opened(tmp_path, address)) as store:
        store.put(cold_and_flu())
    (tmp_path / "other").mkdir()
    with pytest.raises(StoreError, match="of another base"):
        _opened(tmp_path / "other", address)


def test_vectors_of_others_stay_as_they_are(tmp_path: Path, address: StoreAddress) -> None:
    [paper] = papers("paper")
    with closing(Weaviate(address)) as server:
        name = server.name(f"Vector{TOY.dimension}")
        server.ask(lambda client: client.collections.create(name))
    with closing(view_of(_opened(tmp_path, address))) as store:
        store.put([paper])
        with pytest.raises(StoreError, match=f"{name} of others already"):
            put(store.vectors(), entry("east", paper))  # type: ignore[arg-type]


def test_vectors_are_copied_there_and_back(tmp_path: Path, address: StoreAddress) -> None:
    one, two = papers("one", "two")
    with closing(view_of(_opened(tmp_path, address))) as store:
        store.put([one, two])
        put(store.vectors(), entry("east", one), entry("north", two))  # type: ignore[arg-type]
    base, alone, other = (str(tmp_path / name) for name in ("base.db", "alone.db", "other.db"))
    lost = medweave("copy", base, alone)
    assert (lost.status, "--from-vectors" in lost.err) == (1, True)
    at, there = _url(address), new_base(address)
    for words in (
        ("copy", base, alone, "--from-vectors", at),
        ("copy", alone, other, "--to-vectors", _url(there)),
        ("copy", base, str(tmp_path / "bare.db"), "--from-vectors", "none"),
    ):
        ran = medweave(*words)
        assert ran.status == 0, ran.err
    with closing(view_of(SqliteStore.open(Path(alone), create=False))) as held:
        assert found(held.vectors(), "north") == ["north", "east"]  # type: ignore[arg-type]
    beside_it = beside(SqliteStore.open(Path(other), create=False), there, read_only=True)
    with closing(view_of(beside_it)) as held:
        assert found(held.vectors(), "north") == ["north", "east"]  # type: ignore[arg-type]
        assert shown(there) == of_base(held)


@pytest.mark.parametrize("pieces", [1, 4])
def test_a_server_killed_while_vectors_are_written(
    tmp_path: Path, address: StoreAddress, pieces: int
) -> None:
    """What was half written is seen by nobody, and the next who writes takes it back."""
    [paper] = papers("paper")
    with closing(view_of(_opened(tmp_path, address))) as store:
        store.put([paper])
        put(store.vectors(), entry("east", paper))  # type: ignore[arg-type]
        before = store.version()
    with proxy_to(address.host, int(address.options["grpc"])) as proxy:
        through = replace(address, options={"grpc": str(proxy.port)}, timeout=1)
        with closing(view_of(_opened(tmp_path, through))) as store:
            proxy.after = pieces
            with pytest.raises(StoreError), store.transaction():
                for number in range(20):
                    put(store.vectors(), entry(f"t{number}", paper))  # type: ignore[arg-type]
                pytest.fail("it was never killed")
    with closing(view_of(_opened(tmp_path, address))) as store:
        index: Any = store.vectors()
        assert (store.version(), found(index, "east")) == (before, ["east"])
        put(index, entry("north", paper))
        assert (found(index, "north"), index.model()) == (["north", "east"], TOY)


def test_similar_dialogues_are_those_of_a_base_alone(tmp_path: Path, address: StoreAddress) -> None:
    calls = ["My knee hurts when I climb stairs.", "My knee is swollen and hurts at night.",
             "I have a headache and a fever since Monday."]  # fmt: skip
    file = tmp_path / "calls.jsonl"
    file.write_text(
        "".join(
            json.dumps({"id": str(n), "turns": [{"speaker": "patient", "text": text},
                                                {"speaker": "doctor", "text": "Rest it."}]}) + "\n"
            for n, text in enumerate(calls)
        ),
        "utf-8",
    )  # fmt: skip
    told = []
    url = _url(address)
    for name, vectors in (("here.db", ""), ("there.db", url)):
        kb = str(tmp_path / name)
        assert medweave("build", "--kb", kb, str(file), MEDWEAVE_VECTORS=vectors).status == 0
        made = medweave("vectors", "make", "--kb", kb, MEDWEAVE_VECTORS=vectors)
        if "no embedder" in made.err:
            pytest.skip("there is no embedder")
        assert made.status == 0, made.err
        ran = medweave("similar", "--kb", kb, "--json", "My knee hurts.", MEDWEAVE_VECTORS=vectors)
        told.append(json.loads(ran.out))
        status = medweave("vectors", "status", "--kb", kb, "--vectors", vectors, "--json")
        told[-1] |= {"counts": json.loads(status.out)}
    for each in told:
        each.pop("base", None)
        each.pop("timing", None)
    assert told[0] == told[1]
    assert medweave("vectors", "status", "--kb", str(tmp_path / "there.db")).out.startswith("this")
