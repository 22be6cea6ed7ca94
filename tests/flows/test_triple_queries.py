"""Queries of triples: names and synonyms, both directions, joins, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medweave import KnowledgeBase
from medweave.errors import QuestionError
from medweave.model.entity import Entity
from medweave.model.triple_query import Triple, read_triples
from medweave.stores.derived import view_of
from medweave.testing.smallest_store import SmallestStore
from medweave.vocabulary.vocabulary import load_vocabulary, shipped_texts
from tests.commands import medweave

ROWS = """subject,predicate,object
asthma,has_symptom,cough
asthma,has_symptom,wheezing
influenza,has_symptom,cough
influenza,has_symptom,fever
malaria,has_symptom,fever
salbutamol,used_for,asthma
aspirin,has_side_effect,wheezing
aspirin,interacts_with,warfarin
warfarin,interacts_with,ibuprofen
gout,flares_after,beer
gout,incubates_for,nobody knows
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("triples")
    (folder / "rows.csv").write_text(ROWS, "utf-8")
    with KnowledgeBase.open(str(folder / "kb.db")) as made:
        made.build([folder / "rows.csv"])
    return folder


@pytest.fixture(scope="module")
def base(folder: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open(str(folder / "kb.db"), read_only=True, create=False) as opened:
        yield opened


def named(base: KnowledgeBase, *triples: tuple[str, str, str]) -> dict[str, set[str]]:
    found = base.query([Triple(*each) for each in triples])
    return {
        name: {
            value.name() if isinstance(value, Entity) else getattr(value, "predicate", str(value))
            for value in values
        }
        for name, values in found.bindings.items()
    }


@pytest.mark.parametrize(
    ("triples", "filled"),
    [
        ([("asthma", "has_symptom", "?")], {"?": {"cough", "wheezing"}}),
        ([("?", "has_symptom", "cough")], {"?": {"asthma", "influenza"}}),
        ([("?x", "has_symptom", "cough")], {"?x": {"asthma", "influenza"}}),
        ([("flu", "has_symptom", "?")], {"?": {"cough", "fever"}}),
        ([("aspirin", "?r", "wheezing")], {"?r": {"has_side_effect"}}),
        ([("?", "flares_after", "?")], {"?": {"gout", "alcohol"}}),
        (
            [("?x", "has_symptom", "cough"), ("?x", "has_symptom", "wheezing")],
            {"?x": {"asthma"}},
        ),
        (
            [("?drug", "used_for", "?disease"), ("?disease", "has_symptom", "wheezing")],
            {"?drug": {"salbutamol"}, "?disease": {"asthma"}},
        ),
        ([("warfarin", "interacts_with", "?")], {"?": {"aspirin", "ibuprofen"}}),
        ([("malaria", "has_symptom", "cough")], {}),
        (
            [("malaria", "has_symptom", "?x"), ("?x", "has_symptom", "?y")],
            {"?x": {"fever"}, "?y": {"influenza", "malaria"}},
        ),
    ],
)
def test_unknown_parts_are_filled(
    base: KnowledgeBase, triples: list[tuple[str, str, str]], filled: dict[str, set[str]]
) -> None:
    assert named(base, *triples) == filled


@pytest.mark.parametrize(
    ("triple", "direction", "things"),
    [
        (("cough", "symptom_of", "?"), "declared", {"asthma", "influenza"}),
        (("?", "symptom_of", "asthma"), "declared", {"cough", "wheezing"}),
        (("asthma", "symptom_of", "?"), "inverse", {"cough", "wheezing"}),
        (("cough", "has_symptom", "?"), "inverse", {"asthma", "influenza"}),
        (("asthma", "treated_with", "?"), "declared", {"salbutamol"}),
        (("?", "treated_with", "asthma"), "inverse", {"salbutamol"}),
    ],
)
def test_the_declared_direction_comes_first(
    base: KnowledgeBase, triple: tuple[str, str, str], direction: str, things: set[str]
) -> None:
    found = base.query([Triple(*triple)])
    assert {match.direction for match in found.matches} == {direction}
    assert {thing.name() for thing in found.bindings["?"] if isinstance(thing, Entity)} == things


def test_a_triple_without_unknowns_is_looked_for(base: KnowledgeBase) -> None:
    there = base.query([Triple("asthma", "has_symptom", "cough")])
    assert (there.total, len(there.matches), there.bindings) == (1, 1, {})
    assert base.query([Triple("malaria", "has_symptom", "cough")]).total == 0


def test_names_that_nothing_bears_are_told(base: KnowledgeBase) -> None:
    found = base.query([Triple("glanders", "has_symptom", "?"), Triple("asthma", "?", "zorgs")])
    assert found.unknown == ("glanders", "zorgs")
    assert (found.total, found.bindings) == (0, {"?": []})


def test_an_empty_query_is_answered_with_nothing(base: KnowledgeBase) -> None:
    found = base.query(read_triples("[]"))
    assert (found.total, found.bindings, found.matches) == (0, {}, [])


@pytest.mark.parametrize("relation", ["has_symptoms", "symptoms", "Has Symptom", "症状"])
def test_a_relation_is_known_by_its_plural_and_in_any_language(
    base: KnowledgeBase, relation: str
) -> None:
    asked = base.query([Triple("asthma", relation, "?")])
    exact = base.query([Triple("asthma", "has_symptom", "?")])
    assert asked.bindings == exact.bindings
    assert asked.total == exact.total > 0


def test_a_relation_that_the_base_lacks_is_an_error_with_the_nearest(base: KnowledgeBase) -> None:
    with pytest.raises(QuestionError, match="no relation 'flare_after', the nearest is 'flares_af"):
        base.query([Triple("gout", "flare_after", "?")])
    with pytest.raises(QuestionError, match="no relation 'prevented_with'"):
        base.query([Triple("gout", "prevented_with", "?")])


@pytest.mark.parametrize(
    "text",
    ['["a", "b"]', '["a", "b", 3]', '["a", "", "?"]', "{}", "asthma", "[[", '[["a","b","c"], 1]',
     "[" * 100_000],
)  # fmt: skip
def test_what_is_no_query_is_refused(text: str) -> None:
    with pytest.raises(QuestionError):
        read_triples(text)


def test_limits_cut_and_say_so(base: KnowledgeBase) -> None:
    found = base.query([Triple("?x", "has_symptom", "?y")], limit=2)
    assert (len(found.bindings["?x"]), len(found.matches), found.total) == (2, 2, 5)
    assert found.truncated
    with pytest.raises(QuestionError, match="at most 8"):
        base.query([Triple("?", "has_symptom", "?")] * 9)
    with pytest.raises(QuestionError, match="too long"):
        base.query([Triple("?", "has_symptom", "?")], timeout=0.0)


def test_what_is_only_denied_fits_nothing(tmp_path: Path) -> None:
    source = tmp_path / "edges.csv"
    source.write_text(
        "subject,predicate,object,polarity\nmumps,has_symptom,cough,-1\nmumps,has_symptom,fever,1\n",
        "utf-8",
    )
    with KnowledgeBase.open(str(tmp_path / "denied.db")) as made:
        made.build([source])
        assert named(made, ("mumps", "has_symptom", "?")) == {"?": {"fever"}}


def test_it_says_the_same_over_a_store_of_eight_methods(base: KnowledgeBase, folder: Path) -> None:
    smallest = KnowledgeBase(view_of(SmallestStore()), load_vocabulary(shipped_texts()))
    with smallest:
        smallest.build([folder / "rows.csv"])
        for triple in (("?", "has_symptom", "cough"), ("asthma", "?", "?"), ("?x", "?r", "?x")):
            one, other = (each.query([Triple(*triple)]).to_json() for each in (smallest, base))
            assert {**one, "seconds": 0} == {**other, "seconds": 0}


THINGS = ("a", "b", "c", "d")
EDGES = st.frozensets(
    st.tuples(st.sampled_from(THINGS), st.sampled_from(THINGS)).filter(
        lambda edge: edge[0] != edge[1]
    ),
    max_size=8,
)
ENDS = st.sampled_from((*THINGS, "?x", "?y", "?z"))


@given(EDGES, st.lists(st.tuples(ENDS, ENDS), min_size=1, max_size=3))
def test_joins_are_those_of_logic(
    edges: frozenset[tuple[str, str]], asked: list[tuple[str, str]]
) -> None:
    """All ways in which all triples hold, as trying every way finds them; all one direction."""
    everything = {(f"thing {s}", f"thing {o}") for s, o in edges} | {("thing a", "thing b")}
    rows = "subject,predicate,object\n" + "".join(f"{s},leads_to,{o}\n" for s, o in everything)
    variables = sorted({end for pair in asked for end in pair if end.startswith("?")})
    names = [f"thing {thing}" for thing in THINGS]
    wanted = 0
    for values in product(names, repeat=len(variables)):
        chosen = dict(zip(variables, values, strict=True))
        pairs = {(chosen.get(s, f"thing {s}"), chosen.get(o, f"thing {o}")) for s, o in asked}
        wanted += pairs <= everything
    query = [
        Triple(s if s in variables else f"thing {s}", "leads_to",
               o if o in variables else f"thing {o}")
        for s, o in asked
    ]  # fmt: skip
    with KnowledgeBase(view_of(SmallestStore()), load_vocabulary(shipped_texts())) as made:
        _build(made, rows)
        found = made.query(query)
    if wanted:
        assert found.total == wanted
        assert {match.direction for match in found.matches} == {"declared"}
    elif found.total:
        assert "inverse" in {match.direction for match in found.matches}


def _build(made: KnowledgeBase, rows: str) -> None:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        source = Path(folder) / "rows.csv"
        source.write_text(rows, "utf-8")
        made.build([source])


def test_the_command(folder: Path) -> None:
    kb = str(folder / "kb.db")
    found = json.loads(medweave("query", "--kb", kb, '["?", "has_symptom", "cough"]', "--json").out)
    assert {thing["name"] for thing in found["bindings"]["?"]} == {"asthma", "influenza"}
    assert found["matches"][0] == {"triple": 0, "statement": "s1", "direction": "declared"}
    assert found["statements"]["s1"]["evidence"][0] in found["evidence"]
    shown = medweave("query", "--kb", kb, '["cough", "has_symptom", "?"]').out
    assert "asthma" in shown
    assert "the other way round" in shown
    schema = json.loads(medweave("query", "--kb", kb, "--schema", "--json").out)["predicates"]
    assert schema[0] == {
        "name": "has_symptom", "subject": ["disease"], "object": ["symptom"], "statements": 5,
    }  # fmt: skip
    lines = '["asthma", "has_symptom", "?"]\nnonsense\n[]\n'
    several = medweave("query", "--kb", kb, "--lines", "-", "--json", given=lines).out.splitlines()
    assert [("error" in json.loads(line)) for line in several] == [False, True, False]
    assert medweave("query", "--kb", kb).status == 1
    assert medweave("query", "--kb", kb, "asthma").status == 1
