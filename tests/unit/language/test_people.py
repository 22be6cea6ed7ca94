"""Who the people of a text are, and who of them is to be treated."""

from __future__ import annotations

import pytest

from medweave.language.passage import passage_of
from medweave.language.people import people_of


@pytest.mark.parametrize(
    ("text", "days", "sex"),
    [
        ("I am a 34 year old woman with asthma, can I take propranolol?", 12418, "female"),
        ("Can I take propranolol? I am a 34 year old woman with asthma", 12418, "female"),
        ("I'm a 15-year-old girl with a cold and asthma", 5478, "female"),
        ("is it ok for me, a man of 25 with asthma?", 9131, "male"),
        ("can I use it, male 30, asthma", 10957, "male"),
        ("我是一个34岁的女性，有asthma", 12418, "female"),
    ],
)
def test_what_the_writer_says_to_be_is_nobody_else(text: str, days: int, sex: str) -> None:
    people = people_of(passage_of(text))
    assert (people.age_days, people.sex) == ((days, days), sex)
    assert "asthma" not in text or people.is_patients(text.index("asthma"))


def test_whoever_looks_after_somebody_is_not_the_patient() -> None:
    text = "I am a nurse looking after a woman with asthma. Can she take propranolol?"
    assert people_of(passage_of(text)).is_patients(text.index("asthma"))


def test_a_relative_whom_a_text_begins_with_is_the_patient_where_nobody_else_is() -> None:
    text = "grandpa on digoxin, what is ok for his hay fever"
    assert people_of(passage_of(text)).is_patients(text.index("digoxin"))
    text = "Brother positive for tuberculosis, cough for 3 weeks"
    assert not people_of(passage_of(text)).is_patients(text.index("tuberculosis"))
