"""The three readings of document K's equation 3, and what each makes of a question."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medweave import KnowledgeBase
from medweave.errors import ConfigurationError
from medweave.inference.differential import differential
from medweave.inference.local_push import EPSILON, PER_EDGE
from medweave.inference.sweeps import TOLERANCE, rank
from medweave.inference.walk import neighbourhood
from medweave.model.edge import Edge
from medweave.model.inferred import Differential
from medweave.model.ranking import MODES, Mode, Ranking

FLU, COLD, FEVER, COUGH, SNEEZING = range(5)


def edge(subject: int, object_: int, statement: int, strength: float = 1.0) -> Edge:
    return Edge(subject, object_, statement, strength, denied=False)


EDGES = [edge(FLU, FEVER, 1), edge(FLU, COUGH, 2), edge(COLD, COUGH, 3), edge(COLD, SNEEZING, 4)]


# verbatim: (1 - a) a at every sweep


@pytest.mark.parametrize("alpha", [0.85, 0.3])
def test_as_printed_every_sweep_takes_the_same_share_of_what_is_left(alpha: float) -> None:
    left = [
        sum(rank(EDGES, {FEVER: 1.0}, "verbatim", alpha=alpha, tolerance=0, max_sweeps=n).values())
        for n in range(5)
    ]
    expected = [((1 - alpha) * alpha) ** n for n in range(5)]
    assert left == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("alpha", [0.85, 0.5, 0.3])
def test_as_printed_nothing_is_left_after_a_hundred_sweeps(alpha: float) -> None:
    scores = rank(EDGES, {FEVER: 1.0, COUGH: 1.0}, "verbatim", alpha=alpha, tolerance=0)
    assert max(scores.values()) < 1e-12


def test_as_printed_less_than_the_tolerance_is_left_when_the_sweeps_end() -> None:
    assert sum(rank(EDGES, {FEVER: 1.0}, "verbatim").values()) < TOLERANCE


def test_as_printed_the_order_depends_on_when_one_stops() -> None:
    after = [
        rank(EDGES, {FEVER: 1.0}, "verbatim", tolerance=0, max_sweeps=sweeps) for sweeps in (2, 3)
    ]
    assert after[0][FLU] == 0 < after[0][COUGH]
    assert after[1][COUGH] == 0 < after[1][FLU]


# textrank: (1 - a) for everyone


@given(st.dictionaries(st.integers(0, 4), st.floats(0.1, 10), min_size=1))
def test_textrank_comes_to_the_same_scores_from_any_question(seeds: dict[int, float]) -> None:
    one = rank(EDGES, {FEVER: 1.0}, "textrank", tolerance=1e-12, max_sweeps=1000)
    other = rank(EDGES, seeds, "textrank", tolerance=1e-12, max_sweeps=1000)
    assert all(one[thing] == pytest.approx(other[thing], abs=1e-9) for thing in one)


def test_textrank_scores_alike_what_is_placed_alike_though_only_one_is_asked_about() -> None:
    scores = rank(EDGES, {SNEEZING: 1.0}, "textrank")
    assert scores[FLU] == pytest.approx(scores[COLD], abs=1e-5)
    assert scores[COUGH] > scores[SNEEZING]


# signs


@pytest.mark.parametrize("mode", MODES)
def test_a_positive_and_a_negative_edge_make_no_sum_of_nought(mode: Mode) -> None:
    tetracycline, acne, pregnancy = range(3)
    edges = [edge(tetracycline, acne, 1, 1.0), edge(tetracycline, pregnancy, 2, -1.0)]
    scores = rank(edges, {tetracycline: 1.0}, mode, max_sweeps=1)
    assert pregnancy not in scores
    assert scores[acne] > 0


@pytest.mark.parametrize("mode", MODES)
def test_nothing_but_negative_edges_hands_on_nothing(mode: Mode) -> None:
    scores = rank([edge(0, 1, 1, -1.0)], {0: 1.0}, mode)
    assert 1 not in scores


# the part of the graph that is loaded


def around(*things: int, hub: int = 0) -> list[int]:
    """The statements within reach of some things, in a chain that hangs on a hub."""
    edges = [edge(n, n + 1, n) for n in range(10)]
    edges += [edge(5, 100 + n, 100 + n) for n in range(hub)]

    def edges_of(wanted: Iterable[int]) -> list[Edge]:
        return [e for e in edges if {e.subject, e.object} & set(wanted)]

    def degrees_of(wanted: Iterable[int]) -> dict[int, int]:
        return {t: len(edges_of([t])) for t in wanted}

    seeds = dict.fromkeys(things, 1.0)
    return [e.statement for e in neighbourhood(edges_of, seeds, degrees_of=degrees_of)]


def test_two_steps_are_loaded_and_no_more() -> None:
    assert around(4) == [2, 3, 4, 5]


def test_a_hub_is_not_opened_but_one_that_is_asked_about_is() -> None:
    many = int(1 / PER_EDGE)
    assert around(4, hub=many) == [2, 3, 4]
    assert len(around(5, hub=many)) > many


def test_what_is_handed_next_to_nothing_is_not_opened() -> None:
    edges = [edge(0, n, n) for n in range(1, int(1 / EPSILON) + 10)] + [edge(1, 99_999, 99_999)]

    def edges_of(wanted: Iterable[int]) -> list[Edge]:
        return [e for e in edges if {e.subject, e.object} & set(wanted)]

    loaded = neighbourhood(edges_of, {0: 1.0}, degrees_of=lambda _: {})
    assert 99_999 not in {e.statement for e in loaded}


# the differential


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    diseases = {
        "zorn fever": ["fever", "blue spots"],
        "marsh cough": ["cough", "fever", "hiccups"],
        "common ache": ["fever", "cough", "headache", "nausea", "fatigue", "dizziness"],
        "toe gout": ["toe pain"],
    }
    records = [{"name": n, "concept": "disease", "symptoms": s} for n, s in diseases.items()]
    path = tmp_path_factory.mktemp("ranking") / "diseases.json"
    path.write_text(json.dumps(records), "utf-8")
    with KnowledgeBase.open("memory:") as opened:
        opened.build([path])
        yield opened


def asked(
    base: KnowledgeBase, *names: str, ranking: Ranking | None, absent: str = ""
) -> Differential:
    found = [base.show(name).entity.id for name in names]
    without = ((base.show(absent).entity.id,),) if absent else ()
    return differential(tuple((f,) for f in found), without, base.knowledge, ranking)


def order(base: KnowledgeBase, found: Differential) -> list[str]:
    return [base.knowledge.entities.get(ranked.entity).name() for ranked in found.ranked]


def test_personalized_follows_the_question(base: KnowledgeBase) -> None:
    ranking = Ranking()
    first = [
        order(base, asked(base, *names, ranking=ranking))[0]
        for names in (("fever", "blue spots"), ("fever", "hiccups"), ("fever", "nausea"))
    ]
    assert first == ["zorn fever", "marsh cough", "common ache"]
    assert asked(base, "fever", "blue spots", ranking=ranking).clear


def test_textrank_puts_the_largest_disease_first_whatever_is_asked(base: KnowledgeBase) -> None:
    ranking = Ranking("textrank", damping=0.85)
    for names in (("fever", "blue spots"), ("fever", "hiccups"), ("fever", "nausea")):
        found = asked(base, *names, ranking=ranking)
        assert order(base, found)[0] == "common ache"
        assert found.margin > 0.03
        assert not found.clear  # what is central is never named as what fits


def test_verbatim_gives_nothing_and_names_nothing(base: KnowledgeBase) -> None:
    found = asked(base, "fever", "blue spots", ranking=Ranking("verbatim", damping=0.85))
    assert max(ranked.score for ranked in found.ranked) < 1e-12
    assert (found.margin, found.clear) == (0.0, False)


def test_a_correction_takes_from_the_large_what_it_has_for_being_large(base: KnowledgeBase) -> None:
    def ratio(correction: float) -> float:
        found = asked(base, "fever", "cough", ranking=Ranking(correction=correction))
        scores = dict(zip(order(base, found), (r.score for r in found.ranked), strict=True))
        return scores["common ache"] / scores["marsh cough"]

    assert ratio(0.5) == pytest.approx(ratio(0.0) * (3 / 6) ** 0.5)
    assert ratio(1.0) == pytest.approx(ratio(0.0) * (3 / 6))


def test_looked_up_those_that_show_all_come_before_those_that_show_most(
    base: KnowledgeBase,
) -> None:
    found = asked(base, "fever", "cough", "hiccups", ranking=None)
    assert order(base, found) == ["marsh cough", "common ache", "zorn fever"]
    assert [ranked.score for ranked in found.ranked] == pytest.approx([1, 2 / 3, 1 / 3])
    assert found.clear


def test_looked_up_a_tie_is_no_lead(base: KnowledgeBase) -> None:
    assert not asked(base, "fever", "cough", ranking=None).clear


def test_looked_up_an_absent_finding_still_counts_against(base: KnowledgeBase) -> None:
    found = asked(base, "fever", "cough", ranking=None, absent="hiccups")
    assert order(base, found)[0] == "common ache"


@pytest.mark.parametrize("ranking", [*(Ranking(mode) for mode in MODES), None])
def test_no_way_of_ranking_offers_what_shows_no_finding(
    base: KnowledgeBase, ranking: Ranking | None
) -> None:
    found = asked(base, "fever", "cough", ranking=ranking)
    assert "toe gout" not in order(base, found)
    assert not differential((), (), base.knowledge, ranking).ranked


# the value


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("ranking", {"mode": "pagerank"}),
        ("damping", {"damping": 0}),
        ("damping", {"damping": 1}),
        ("damping", {"damping": float("nan")}),
        ("damping", {"damping": "0.3"}),
        ("damping", {"damping": True}),
        ("correction", {"correction": -0.1}),
        ("correction", {"correction": 1.5}),
        ("words", {"words": -1}),
        ("words", {"words": float("inf")}),
    ],
)
def test_a_ranking_that_makes_no_sense_is_refused(field: str, values: dict[str, object]) -> None:
    with pytest.raises(ConfigurationError) as raised:
        Ranking(**values)  # type: ignore[arg-type]
    assert raised.value.where == field
    assert raised.value.remedy


def test_a_base_on_disk_ranks_as_one_in_memory(base: KnowledgeBase, tmp_path: Path) -> None:
    records = [{"name": "zorn fever", "concept": "disease", "symptoms": ["fever", "blue spots"]}]
    path = tmp_path / "one.json"
    path.write_text(json.dumps(records), "utf-8")
    found = []
    for url in ("memory:", str(tmp_path / "one.db")):
        with KnowledgeBase.open(url) as opened:
            opened.build([path])
            found += [asked(opened, "fever", "blue spots", ranking=Ranking(mode)) for mode in MODES]
    assert found[:3] == found[3:]
