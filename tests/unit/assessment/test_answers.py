"""What is typed, as an answer."""

from functools import cache

import pytest

from medweave.assessment.answers import choices, read_answer, read_list
from medweave.errors import FindingsError
from medweave.guideline.loading import graph_in
from medweave.guideline.logic.graph import Graph
from medweave.model.findings import Measured


@cache
def graph() -> Graph:
    return graph_in("sample")


@pytest.mark.parametrize(
    ("about", "typed", "value"),
    [
        ("cough", "y", "yes"),
        ("cough", "2", "no"),
        ("cough", "NO", "no"),
        ("palmar_pallor", "3", "severe"),
        ("palmar_pallor", "Some", "Some"),
        ("temperature", "38,5", 38.5),
        ("temperature", "101 degF", Measured(101.0, "degF")),
        ("age", "10", 304),
        ("age", "3 d", 3),
        ("weight", "8,2", 8.2),
        ("sex", "1", "female"),
        ("sex", "boy", "male"),
    ],
)
def test_an_answer_is_read(about: str, typed: str, value: object) -> None:
    assert read_answer(graph(), about, typed) == value


def test_a_number_that_is_not_on_the_list_is_refused() -> None:
    with pytest.raises(FindingsError, match="there is no answer 9"):
        read_answer(graph(), "palmar_pallor", "9")


def test_what_cannot_be_had_is_no_answer_to_choose() -> None:
    listed = [each.label for each in choices(graph(), "second_temperature")]
    assert listed
    assert all(each.means != "unavailable" or each.label not in listed
               for each in graph().observations["second_temperature"].answers)  # fmt: skip


@pytest.mark.parametrize("typed", ["4", "1 0", "1-2", "no 1", "girl", "38.5"])
def test_what_is_no_answer_to_a_list_of_signs_is_refused(typed: str) -> None:
    with pytest.raises(FindingsError, match="no answer to a list"):
        read_list(["convulsions", "lethargic", "vomits"], typed)


@pytest.mark.parametrize("typed", ["1 3", "1,3", "3, 1", "1、3", "1 3 3"])
def test_signs_of_a_list_are_told_by_their_numbers(typed: str) -> None:
    found = read_list(["convulsions", "lethargic", "vomits"], typed)
    assert found == {"convulsions": True, "lethargic": False, "vomits": True}
