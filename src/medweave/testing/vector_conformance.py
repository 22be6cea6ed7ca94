"""What every index of vectors promises, as tests. An adapter is tested by a class of a few lines:

    class TestMyStore(VectorConformance):
        def open_store(self, tmp_path):
            return MyStore(tmp_path / "base")

The store is one with documents, transactions and vectors. It needs pytest and hypothesis.
"""

# ruff: noqa: D102 - the names of the tests are sentences
from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol, cast

import pytest

from medweave.errors import StoreError, VectorError
from medweave.model.document import Extraction
from medweave.model.vector_links import NOT_LINKED, LinkState, VectorLink, VectorLinks
from medweave.model.vectors import (
    Near,
    Space,
    VectorEntry,
    VectorModel,
    Vectors,
    VectorTable,
    unit,
)
from medweave.ports import (
    GraphStore,
    StoreView,
    SupportsEmbeddings,
    SupportsLinks,
    SupportsVectorContributions,
    VectorView,
)
from medweave.stores.derived import view_of
from medweave.stores.derived_vectors import DerivedVectors, vector_view_of
from medweave.stores.memory import MemoryStore
from medweave.testing.worlds import COLD, COUGH, SYMPTOM, document, says

TOY = VectorModel("toy", 3)
"""A model of three numbers, so that what is near can be seen."""
_PLACES: Mapping[str, Sequence[float]] = {
    "east": (1, 0, 0),
    "north": (0, 1, 0),
    "up": (0, 0, 1),
    "northeast": (1, 1, 0),
    "west": (-1, 0, 0),
}


class StoreWithVectors(StoreView, Protocol):
    """What the suite needs."""

    def vectors(self) -> VectorView:
        """The vectors of the base, which it keeps."""


def needs(index: VectorView, ability: type) -> None:
    """Skip the test where an index has no ability of its own."""
    itself = index.index if isinstance(index, DerivedVectors) else index
    if not isinstance(itself, ability):
        pytest.skip(f"{type(itself).__name__} has no {ability.__name__}")


def toy(*texts: str, model: VectorModel = TOY) -> Vectors:
    """The vectors of these texts: of directions, or else one by chance."""
    return Vectors.of(model, (unit(_PLACES.get(text) or _by_chance(text, model)) for text in texts))


def _by_chance(text: str, model: VectorModel) -> list[float]:
    chance = random.Random(text)  # noqa: S311 - not for secrets
    return [chance.gauss(0, 1) for _ in range(model.dimension)]


def check_known(index: VectorView, right: set[str]) -> None:
    """Of these two texts those are known whose vectors are there; none where none are kept."""
    itself = index.index if isinstance(index, DerivedVectors) else index
    keeps = isinstance(itself, SupportsEmbeddings)
    assert set(index.known(TOY, ["east", "north"])) == (right if keeps else set())


def papers(*names: str) -> list[Extraction]:
    """Documents that vectors can go with."""
    return [document(name, says(COLD, SYMPTOM, COUGH), text=name) for name in names]


def entry(text: str, paper: Extraction, *, key: str = "", **parts: Any) -> VectorEntry:
    """An entry for a text, as `text` of `section` unless `parts` say something else."""
    given = {"space": "section", "concept": "text", **parts}
    return VectorEntry(key=key or text, document=paper.document.id, text=text, **given)


def put(index: VectorView, *entries: VectorEntry, model: VectorModel = TOY) -> None:
    """Put entries with the vectors of their texts."""
    index.put(entries, toy(*(one.text for one in entries), model=model))


def found(
    index: VectorView, text: str, k: int = 10, space: Space = "section", **how: Any
) -> list[str]:
    """The keys nearest to a text."""
    [near] = index.search(space, toy(text), k, **how)
    return [one.key for one in near]


class VectorConformance:
    """The promises of `VectorIndex`, one test for each. Override `open_store`."""

    def open_store(self, tmp_path: Path) -> GraphStore:
        """A new, empty store; what it needs on disk belongs in `tmp_path`."""
        raise NotImplementedError

    def reopen(self, store: GraphStore, tmp_path: Path) -> GraphStore | None:  # noqa: ARG002
        """The store after closing and opening it again; None: it cannot be."""
        return None

    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[StoreWithVectors]:
        """An empty store."""
        store = view_of(self.open_store(tmp_path))
        assert store.vectors() is not None
        yield cast("StoreWithVectors", store)
        store.close()

    @pytest.fixture
    def paper(self, store: StoreWithVectors) -> Extraction:
        """A document in the store."""
        [made] = papers("paper")
        store.put([made])
        return made

    # nothing

    def test_without_vectors_nothing_is_found(self, store: StoreWithVectors) -> None:
        index = store.vectors()
        assert index.model() is None
        assert index.counts() == {}
        assert index.known(TOY, ["east"]) == {}
        assert index.search("section", toy("east", "north"), 3) == [[], []]
        assert index.tables("section") == []
        assert index.remove("section", ["east"]) == index.forget() == 0
        assert store.version().revision == 0

    def test_putting_nothing_leaves_no_trace(self, store: StoreWithVectors) -> None:
        store.vectors().put([], toy())
        assert store.vectors().model() is None
        assert store.version().revision == 0

    # a few of many

    def test_the_vectors_of_some_keys_are_those_of_the_tables(
        self, store: StoreWithVectors, paper: Extraction
    ) -> None:
        index = store.vectors()
        put(
            index,
            *(entry(text, paper) for text in ("west", "north", "east")),
            entry("east", paper, key="also east"),
            entry("up", paper, key="east"),
            entry("up", paper, key="east", concept="other"),
            entry("up", paper, space="publication"),
        )

        def rows(tables: Sequence[VectorTable], keys: set[str]) -> list[Any]:
            return sorted(
                (table.concept, key, list(table.vectors[row]))
                for table in tables
                for key, row in zip(table.keys, table.rows, strict=True)
                if key in keys
            )

        wanted = {"east", "also east", "up", "none"}
        found = index.fetch("section", [*wanted, "east"])
        assert [table.concept for table in found] == ["other", "text"]
        assert rows(found, wanted) == rows(index.tables("section"), wanted)
        assert len(rows(found, wanted)) == 4
        assert index.fetch("section", []) == index.fetch("entity", ["east"]) == []

    def test_the_links_of_some_keys_are_those_of_all(
        self, store: StoreWithVectors, paper: Extraction
    ) -> None:
        index = store.vectors()
        keys = ["a", "b", "c", "d"]
        put(index, *(entry("east", paper, key=key) for key in keys))
        put(index, *(entry("east", paper, key=key, space="publication") for key in keys))
        links = [VectorLink("a", "b", 1.0), VectorLink("b", "c", 1.0), VectorLink("c", "d", 1.0)]
        index.link("section", 0.9, keys, links)
        assert index.links_of("section", ["b", "b", "none"]) == links[:2]
        assert index.links_of("section", keys) == index.links("section").links == links
        assert index.links_of("section", []) == index.links_of("publication", keys) == []

    # searching

    def test_the_nearest_come_first_with_their_cosine(
        self, store: StoreWithVectors, paper: Extraction
    ) -> None:
        index = store.vectors()
        put(index, *(entry(text, paper) for text in ("west", "north", "east", "northeast")))
        [near] = index.search("section", toy("east"), 3)
        half = round(math.sqrt(0.5), 6)
        assert near == [Near("east", 1.0), Near("northeast", half), Near("north", 0.0)]

    def test_several_queries_are_answered_in_their_order(
        self, store: StoreWithVectors, paper: Extraction
    ) -> None:
        index = store.vectors()
        put(index, entry("east", paper), entry("north", paper))
        both = index.search("section", toy("north", "east"), 1)
        assert both == [[Near("north", 1.0)], [Near("east", 1.0)]]

    def test_ties_come_in_the_order_of_the_keys_however_they_were_put(
        self, store: StoreWithVectors, paper: Extraction
    ) -> None:
        index = store.vectors()
        keys = [f"k{number:02}" for number in range(30)]
        random.Random(4).shuffle(keys)  # noqa: S311 - not for secrets
        for key in keys:
            put(index, entry("up", paper, key=key), entry(f"near {key}", paper))
        assert found(index, "up", 5) == sorted(keys)[:5]

    def test_a_key_is_as_near_as_the_nearest_of_its_texts(
        self, store: StoreWithVectors, paper: Extraction
    ) -> None:
        index = store.vectors()
        put(index, entry("east", paper, key="one"), entry("north", paper, key="one"),
            entry("northeast", paper, key="other"))  # fmt: skip
        assert found(index, "north") == ["one", "other"]
        assert found(index, "north", 1) == ["one"]

    def test_spaces_are_searched_apart(self, store: StoreWithVectors, paper: Extraction) -> None:
        index = store.vectors()
        put(index, entry("east", paper, space="entity"), entry("north", paper))
        assert found(index, "east") == ["north"]
        assert found(index, "east", space="entity") == ["east"]
        assert index.counts() == {"entity": 1, "section": 1}
        with pytest.raises(VectorError, match="there is no space 'sections'"):
            found(index, "east", space=cast("Space", "sections"))

    def test_a_search_can_be_limited_to_concepts(
        self, store: StoreWithVectors, paper: Extraction
    ) -> None:
        index = store.vectors()
        put(index, entry("east", paper, concept="cause"), entry("north", paper, concept="symptom"),
            entry("up", paper, concept="advice"))  # fmt: skip
        assert found(index, "east", concepts=["symptom"]) == ["north"]
        assert found(index, "east", concepts=["symptom", "cause", "unknown"]) == ["east", "north"]
        assert found(index, "east", concepts=[]) == []

    def test_asking_for_more_than_there_is_gives_all(
        self, store: StoreWithVectors, paper: Extraction
    ) -> None:
        index = store.vectors()
        put(index, entry("east", paper), entry("north", paper))
        assert found(index, "east", 1000) == ["east", "north"]
        assert found(index, "east", 0) == []

    def test_it_finds_what_comparing_with_all_finds(self, store: StoreWithVectors) -> None:
        made, index = papers(*(f"p{number}" for number in range(3))), store.vectors()
        store.put(made)
        model = VectorModel("wide", 48)
        texts = [f"text {number}" for number in range(400)]
        for number, text in enumerate(texts):
            put(index, entry(text, made[number % 3], key=f"k{number % 150}"), model=model)
        for query in ("a", "b", "text 7"):
            [asked] = toy(query, model=model)
            best: dict[str, float] = {}
            for number, row in enumerate(toy(*texts, model=model)):
                score = sum(one * other for one, other in zip(asked, row, strict=True))
                best[f"k{number % 150}"] = max(score, best.get(f"k{number % 150}", -1))
            right = sorted(best, key=lambda key: -best[key])[:20]
            [near] = index.search("section", toy(query, model=model), 20)
            assert [one.key for one in near] == right
            assert [one.score for one in near] == pytest.approx(
                [best[key] for key in right], abs=2e-6
            )

    def test_tables_hold_all_by_concept_and_key(
        self, store: StoreWithVectors, paper: Extraction
    ) -> None:
        index = store.vectors()
        put(index, entry("north", paper, key="b"), entry("north", paper, key="a"),
            entry("east", paper, key="c", concept="cause"))  # fmt: skip
        cause, text = index.tables("section")
        assert (cause.concept, list(cause.keys)) == ("cause", ["c"])
        assert (text.concept, list(text.keys)) == ("text", ["a", "b"])
        assert [list(text.vectors[row]) for row in text.rows] == [[0, 1, 0], [0, 1, 0]]
        assert [one.concept for one in index.tables("section", concepts=["cause"])] == ["cause"]

    # writing

    def test_putting_the_same_again_changes_nothing(
        self, store: StoreWithVectors, paper: Extraction
    ) -> None:
        index = store.vectors()
        put(index, entry("east", paper))
        before = store.version()
        put(index, entry("east", paper))
        assert store.version() == before
        assert found(index, "east") == ["east"]

    def test_vectors_move_the_revision_and_never_the_hash(
        self, store: StoreWithVectors, paper: Extraction
    ) -> None:
        before = store.version()
        put(store.vectors(), entry("east", paper))
        after = store.version()
        assert after.revision == before.revision + 1
        assert after.hash == before.hash

    def test_a_search_is_never_older_than_the_base(
        self, store: StoreWithVectors, paper: Extraction
    ) -> None:
        index = store.vectors()
        put(index, entry("east", paper))
        assert found(index, "north") == ["east"]
        put(index, entry("north", paper))
        assert found(index, "north") == ["north", "east"]
        index.remove("section", ["east"])
        assert found(index, "north") == ["north"]
        put(index, entry("east", paper))
        assert found(index, "east") == ["east", "north"]

    def test_removing_a_document_removes_exactly_its_vectors(self, store: StoreWithVectors) -> None:
        made, index = papers("one", "two"), store.vectors()
        store.put(made)
        put(index, entry("east", made[0]), entry("north", made[0]), entry("north", made[1]))
        assert found(index, "east") == ["east", "north"]
        store.remove([made[0].document.id])
        assert found(index, "east") == ["north"]
        check_known(index, {"north"})
        store.remove([made[1].document.id])
        assert found(index, "east") == []
        assert index.model() is None

    def test_a_document_put_anew_keeps_the_vectors_put_with_it(
        self, store: StoreWithVectors, paper: Extraction
    ) -> None:
        index = store.vectors()
        put(index, entry("east", paper), entry("north", paper))
        [anew] = [document("paper", says(COLD, SYMPTOM, COUGH), text="other words")]
        with store.transaction():
            store.put([anew])
            put(index, entry("east", anew))
        assert found(index, "north") == ["east"]
        check_known(index, {"east"})

    def test_vectors_and_documents_are_written_together_or_not_at_all(
        self, store: StoreWithVectors, paper: Extraction
    ) -> None:
        index = store.vectors()
        put(index, entry("east", paper))
        [other] = papers("other")
        before = store.version()
        with suppress(ZeroDivisionError), store.transaction():
            store.put([other])
            put(index, entry("north", other))
            assert found(index, "north") == ["north", "east"]
            store.remove([paper.document.id])
            assert found(index, "north") == ["north"]
            raise ZeroDivisionError
        assert store.version() == before
        assert found(index, "north") == ["east"]
        assert index.known(TOY, ["north"]) == {}
        put(index, entry("up", paper))
        assert found(index, "up") == ["up", "east"]

    def test_what_a_part_of_a_transaction_wrote_can_be_undone(
        self, store: StoreWithVectors, paper: Extraction
    ) -> None:
        index = store.vectors()
        with store.transaction():
            put(index, entry("east", paper))
            with suppress(ZeroDivisionError), store.transaction():
                index.remove("section", ["east"])
                put(index, entry("north", paper))
                assert found(index, "east") == ["north"]
                raise ZeroDivisionError
            assert found(index, "east") == ["east"]
        assert found(index, "east") == ["east"]
        check_known(index, {"east"})

    def test_forgetting_takes_all_and_lets_another_model_in(
        self, store: StoreWithVectors, paper: Extraction
    ) -> None:
        index = store.vectors()
        put(index, entry("east", paper), entry("up", paper, space="entity"))
        assert found(index, "east") == ["east"]
        assert index.forget() == 2
        assert (index.model(), index.counts()) == (None, {})
        other = VectorModel("other", 2)
        put(index, entry("new", paper), model=other)
        assert index.search("section", toy("new", model=other), 1) == [[Near("new", 1.0)]]

    def test_any_history_ends_like_one_that_never_had_what_went(
        self, store: StoreWithVectors
    ) -> None:
        chance = random.Random(11)  # noqa: S311 - not for secrets
        made, index = papers(*(f"p{number}" for number in range(6))), store.vectors()
        texts = list(_PLACES)
        there: dict[tuple[str, str], set[int]] = {}
        for _ in range(120):
            number = chance.randrange(6)
            if chance.random() < 0.25:
                store.remove([made[number].document.id])
                there = {place: held - {number} for place, held in there.items()}
            else:
                text, key = chance.choice(texts), f"k{chance.randrange(4)}"
                with store.transaction():
                    store.put([made[number]])
                    put(index, entry(text, made[number], key=key))
                there.setdefault((key, text), set()).add(number)
            left = {key for (key, _), held in there.items() if held}
            assert set(found(index, "up")) == left
        for text in texts:
            alive = [key for (key, of), held in there.items() if held and of == text]
            near = index.search("section", toy(text), 10)[0]
            assert [one.key for one in near if one.score == 1] == sorted(alive)

    # handing on

    def test_what_documents_gave_can_be_put_elsewhere(self, store: StoreWithVectors) -> None:
        one, other, bare = papers("one", "other", "bare")
        store.put([one, other, bare])
        index = store.vectors()
        needs(index, SupportsVectorContributions)
        among = [each.document.id for each in (bare, other, one)]
        assert index.contributed(among) is None
        put(index, entry("east", one), entry("east", other), entry("north", other, key="east"),
            entry("up", other, space="entity", concept=""))  # fmt: skip
        given = index.contributed(among)
        assert given is not None
        entries, vectors = given
        assert len(entries) == len(vectors) == 4
        assert [each.text for each in entries] == [""] * 4
        elsewhere = view_of(MemoryStore())
        elsewhere.put([one, other])
        copy = cast("StoreWithVectors", elsewhere).vectors()
        copy.put(entries, vectors)
        assert copy.contributed(among) == given
        put(copy, entry("east", one))  # the same, by its text
        assert copy.contributed(among) == given
        elsewhere.remove([other.document.id])
        assert copy.contributed(among) == index.contributed([one.document.id])
        before = store.version()
        index.put(entries, vectors)
        assert store.version() == before

    # the cache

    def test_vectors_of_texts_are_kept_and_known(self, store: StoreWithVectors) -> None:
        index = store.vectors()
        index.keep(["east", "", "发烧 🤒"], toy("east", "", "发烧 🤒"))
        known = index.known(TOY, ["", "发烧 🤒", "north"])
        assert {text: list(row) for text, row in known.items()} == {
            text: list(toy(text)[0]) for text in ("", "发烧 🤒")
        }
        assert index.known(VectorModel("toy", 4), ["east"]) == {}
        assert index.known(VectorModel("other", 3), ["east"]) == {}

    def test_what_is_kept_is_not_found_before_it_is_put(
        self, store: StoreWithVectors, paper: Extraction
    ) -> None:
        index = store.vectors()
        index.keep(["east"], toy("east"))
        assert found(index, "east") == []
        put(index, entry("east", paper))
        assert found(index, "east") == ["east"]

    # what is refused

    def test_two_models_are_not_mixed(self, store: StoreWithVectors, paper: Extraction) -> None:
        index = store.vectors()
        put(index, entry("east", paper))
        before = store.version()
        for model in (VectorModel("other", 3), VectorModel("toy", 2)):
            for writes in (
                lambda model=model: put(index, entry("x", paper), model=model),
                lambda model=model: index.keep(["x"], toy("x", model=model)),
                lambda model=model: index.search("section", toy("x", model=model), 1),
            ):
                with pytest.raises(VectorError) as raised:
                    writes()
                assert "toy" in raised.value.what
                assert "medweave vectors forget" in raised.value.remedy
        assert store.version() == before
        assert found(index, "east") == ["east"]

    @pytest.mark.parametrize(
        "row", [(0, 0, 0), (math.nan, 0, 0), (math.inf, 0, 0), (0.5, 0, 0), (3, 4, 0)]
    )
    def test_vectors_that_are_not_of_length_1_are_refused(
        self, store: StoreWithVectors, paper: Extraction, row: Sequence[float]
    ) -> None:
        index, bad = store.vectors(), Vectors.of(TOY, [(1, 0, 0), row])
        with pytest.raises(VectorError, match="vector 1 is not of length 1"):
            index.put([entry("a", paper), entry("b", paper)], bad)
        with pytest.raises(VectorError, match="vector 1 is not of length 1"):
            index.keep(["a", "b"], bad)
        with pytest.raises(VectorError, match="vector 1 is not of length 1"):
            index.search("section", bad, 1)
        assert index.model() is None

    def test_each_entry_needs_one_vector_and_a_document(
        self, store: StoreWithVectors, paper: Extraction
    ) -> None:
        index = store.vectors()
        with pytest.raises(VectorError, match="1 vectors for 2 texts"):
            index.put([entry("a", paper), entry("b", paper)], toy("a"))
        [absent] = papers("absent")
        with pytest.raises(StoreError, match="not in the base"):
            put(index, entry("a", paper), entry("b", absent))
        assert (index.model(), index.counts()) == (None, {})

    # links

    def test_links_are_kept_with_what_was_compared(
        self, store: StoreWithVectors, paper: Extraction
    ) -> None:
        index = store.vectors()
        assert index.links("section") == NOT_LINKED
        put(index, *(entry(text, paper) for text in ("east", "north", "up")))
        index.link("section", 0.5, ["east", "up"], [VectorLink("up", "east", 0.6)])
        links = VectorLinks(0.5, frozenset({"east", "up"}), [VectorLink("east", "up", 0.6)])
        assert index.links("section") == links
        assert index.links("entity") == NOT_LINKED
        before = store.version()
        index.link("section", 0.5, ["up"], [VectorLink("east", "up", 0.6)])
        assert store.version() == before
        index.link("section", 0.5, ["north"], [VectorLink("up", "north", 0.7)])
        assert [link[:2] for link in index.links("section").links] == [
            ("east", "up"), ("north", "up"),
        ]  # fmt: skip
        assert index.unlink("section") == 2
        assert index.links("section") == NOT_LINKED
        index.link("section", 0.9, ["up"], [])
        assert index.links("section") == VectorLinks(0.9, frozenset({"up"}), [])

    def test_a_link_goes_with_either_of_its_documents(self, store: StoreWithVectors) -> None:
        made, index = papers("a", "b", "c"), store.vectors()
        store.put(made)
        put(index, *(entry(text, p) for text, p in zip(("east", "north", "up"), made, strict=True)))
        links = [VectorLink("east", "north", 0.6), VectorLink("north", "up", 0.7)]
        index.link("section", 0.5, ["east", "north", "up"], links)
        store.remove([made[0].document.id])
        assert index.links("section").links == [VectorLink("north", "up", 0.7)]
        assert index.links("section").compared == {"north", "up"}
        store.remove([made[1].document.id])
        assert not index.links("section").links
        put(index, entry("west", made[2], key="north"))
        assert not index.links("section").links
        index.forget()
        assert index.links("section") == NOT_LINKED

    def test_links_are_undone_with_their_transaction(
        self, store: StoreWithVectors, paper: Extraction
    ) -> None:
        index = store.vectors()
        needs(index, SupportsLinks)
        put(index, entry("east", paper), entry("up", paper))
        with suppress(ZeroDivisionError), store.transaction():
            index.link("section", 0.5, ["east", "up"], [VectorLink("east", "up", 0.6)])
            raise ZeroDivisionError
        assert index.links("section") == NOT_LINKED

    def test_links_without_vectors_and_two_least_cosines_are_refused(
        self, store: StoreWithVectors, paper: Extraction
    ) -> None:
        index = store.vectors()
        put(index, entry("east", paper), entry("up", paper))
        with pytest.raises(StoreError, match="without a vector: west"):
            index.link("section", 0.5, [], [VectorLink("east", "west", 0.6)])
        assert index.links("section") == NOT_LINKED
        index.link("section", 0.5, ["east"], [])
        with pytest.raises(StoreError, match=r"from a cosine of 0\.5 on"):
            index.link("section", 0.4, ["up"], [])
        assert index.links("section").compared == {"east"}

    # lasting

    def test_what_waits_to_be_compared_is_known(self, store: StoreWithVectors) -> None:
        one, other, more = papers("one", "other", "more")
        store.put([one, other, more])
        index = store.vectors()
        put(index, entry("east", one), entry("north", other))
        assert index.link_state("section").waiting == ()
        index.link("section", 0.5, ["east"], [])
        assert index.link_state("section") == LinkState(0.5, ["north"], 0)
        put(index, entry("northeast", more))
        index.link("section", 0.5, ["north"], [VectorLink("east", "north", 0.6)])
        assert index.link_state("section") == LinkState(0.5, ["northeast"], 1)
        assert index.links("section").compared == {"east", "north"}
        store.remove([more.document.id])
        assert index.link_state("section") == LinkState(0.5, [], 1)

    def test_a_few_are_compared_with_all_of_their_concept(self, store: StoreWithVectors) -> None:
        one, other = papers("one", "other")
        store.put([one, other])
        index = store.vectors()
        put(index, *(entry(text, one) for text in ("east", "north", "up", "northeast")))
        put(index, entry("west", one, concept="title"), entry("east", other, key="east too"))
        near = VectorLink("east", "northeast", 0.707107)
        assert index.alike("section", ["east"], 0.7) == [
            VectorLink("east", "east too", 1.0), near,
        ]  # fmt: skip
        found = index.alike("section", ["northeast", "east"], 0.7)
        assert found == sorted(set(found))
        assert near in found
        assert len(found) == 4
        assert index.alike("section", ["west", "up"], 0.7) == []
        assert index.alike("entity", ["east"], 0.7) == []

    def test_what_it_does_faster_is_what_is_derived(self, store: StoreWithVectors) -> None:
        index, chance = store.vectors(), random.Random(7)  # noqa: S311 - not for secrets
        itself = index.index if isinstance(index, DerivedVectors) else index
        made = papers(*(f"p{number}" for number in range(6)))
        store.put(made)
        for step in range(12):
            put(
                index,
                *(
                    entry(f"t{n}", chance.choice(made), key=f"k{n}", concept=f"c{n % 2}")
                    for n in {chance.randrange(30) for _ in range(8)}
                ),
            )
            if step % 4 == 3:
                store.remove([made[0].document.id])
                store.put(made[:1])
            keys = sorted(key for table in index.tables("section") for key in table.keys)
            fast, derived = vector_view_of(itself), DerivedVectors(itself)
            assert fast.counts() == derived.counts()
            alike = fast.alike("section", keys[::2], 0.2)
            assert alike == derived.alike("section", keys[::2], 0.2)
            for view in (fast, derived):
                view.unlink("section")
                view.link("section", 0.2, keys[::2], alike)
            assert fast.links("section") == derived.links("section")
            assert fast.link_state("section") == derived.link_state("section")
            for some in (keys[:3], keys, []):
                assert fast.links_of("section", some) == derived.links_of("section", some)
        assert vector_view_of(itself).forget() == len(keys)
        assert DerivedVectors(itself).counts() == {}

    def test_what_has_its_vectors_is_remembered_until_some_are_taken_out(
        self, store: StoreWithVectors, paper: Extraction
    ) -> None:
        index = store.vectors()
        assert index.complete_revision() is None
        put(index, entry("east", paper), entry("north", paper))
        before = store.version()
        index.set_complete_revision(before.revision)
        assert (index.complete_revision(), store.version()) == (before.revision, before)
        index.remove("section", ["east"])
        assert index.complete_revision() is None
        index.set_complete_revision(store.version().revision)
        index.forget()
        assert index.complete_revision() is None

    def test_what_came_and_went_can_be_followed_or_it_is_said_that_it_cannot(
        self, store: StoreWithVectors
    ) -> None:
        one, other = papers("one", "other")
        store.put([one, other])
        index = store.vectors()
        put(index, *(entry(text, one) for text in ("east", "north", "up", "northeast", "west")))
        mark = index.mark("section")
        put(index, entry("down", other))
        store.remove([other.document.id])
        put(index, entry("south", one))
        update = index.updates_since("section", mark)
        if update is None:
            return
        keys = {"east", "north", "up", "northeast", "west"}
        for concept, key, row in update.changes:
            if row is None:
                keys.discard(key)
            else:
                keys.add(key)
                assert list(update.vectors[concept][row]) == list(toy(key)[0])
        assert keys == {"east", "north", "up", "northeast", "west", "south"}
        assert index.updates_since("section", update.mark) is not None

    def test_links_that_came_can_be_followed_or_it_is_said_that_they_cannot(
        self, store: StoreWithVectors, paper: Extraction
    ) -> None:
        index = store.vectors()
        put(index, *(entry(text, paper) for text in ("east", "north", "up")))
        index.link("section", 0.5, ["east", "up"], [VectorLink("east", "up", 0.6)])
        mark = index.links("section").mark
        index.link("section", 0.5, ["north"], [VectorLink("east", "north", 0.7)])
        if mark is None:
            return
        since = index.links_since("section", mark)
        assert since is not None
        assert list(since.links) == [VectorLink("east", "north", 0.7)]
        index.unlink("section")
        assert index.links_since("section", mark) is None
        index.link("section", 0.5, ["east", "up"], [VectorLink("east", "up", 0.6)])
        assert index.links_since("section", mark) is None

    def test_it_lasts(self, store: StoreWithVectors, paper: Extraction, tmp_path: Path) -> None:
        put(store.vectors(), entry("east", paper), entry("up", paper, concept="other"))
        again = self.reopen(store, tmp_path)
        if again is None:
            pytest.skip(f"{type(store).__name__} does not last")
        index = view_of(again).vectors()
        assert index is not None
        try:
            assert index.model() == TOY
            assert found(index, "east") == ["east", "up"]
            assert found(index, "east", concepts=["other"]) == ["up"]
        finally:
            again.close()
