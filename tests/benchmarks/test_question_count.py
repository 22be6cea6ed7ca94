"""Questions until a simulated child is settled: guided, and by the form."""

from functools import cache

from benchmarks.question_count import Counted, count_questions, summary
from benchmarks.simulated_children import children
from medweave.guideline.logic.graph import Graph
from medweave.guideline.opening import graph_in


@cache
def graph() -> Graph:
    return graph_in("sample")


@cache
def counted() -> tuple[Counted, ...]:
    return tuple(count_questions(graph(), 14, seed=3, every=7))


def test_every_classification_of_the_sample_occurs() -> None:
    drawn = list(children(graph(), len(graph().classifications), seed=1))
    assert {each.target for each in drawn if each.stands} == set(graph().classifications)


def test_nothing_comes_out_otherwise_than_when_everything_is_known() -> None:
    assert [each.guided.differs for each in counted() if each.guided.differs] == []


def test_the_first_questions_are_all_asked_guided() -> None:
    for each in counted():
        age = each.child.findings.age_days
        signs = {
            name
            for name, one in graph().observations.items()
            if one.danger_sign and one.ages.has(age) and one.derived is None
        }
        used = {name for name in signs if graph().leaves.get(name)}
        assert used <= set(each.guided.asked)


def test_guided_takes_fewer_questions_and_the_same_figures_come_again() -> None:
    told = summary(counted())
    assert told["guided"] < told["form"] <= told["whole_form"]
    assert told == summary(count_questions(graph(), 14, seed=3, every=7))
