"""The YAML form: what is written reads as the same, and what is wrong is told with its line."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from medweave.errors import GuidelineError
from medweave.guideline.yaml.reading import read_guideline, read_guideline_file
from medweave.guideline.yaml.writing import write_guideline
from medweave.model.guideline import AgeBand
from medweave.model.logic import (
    Aged,
    AllOf,
    Answered,
    AnyOf,
    AtLeast,
    Classified,
    Compared,
    GroupReference,
    Guarded,
    Negation,
)
from tests.guideline_strategies import guidelines

TEXT = """\
guideline: small
version: "1"
title: A small one
ages: 2 mo to 60 mo
observations:
  cough: {label: Cough}
  drinking:
    label: Drinking
    kind: choice
    answers: {well: Drinks well, poorly: {label: Drinks poorly, aliases: [hardly drinks]}}
  temperature: {label: Temperature, kind: number, unit: Cel, range: [25, 45]}
groups:
  dry: {at_least: 2, of: [cough, drinking is poorly, {score: 2, of: temperature >= 38}]}
conditions:
  coughs:
    label: Cough
    classifications:
      bad: {label: Bad, severity: severe, when: RULE}
      cold: {label: Cold, when: cough}
"""


def rule(written):
    found = read_guideline(TEXT.replace("RULE", written), file="g.yaml")
    return found.guideline.classifications[0].rule


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("cough", Answered("cough", "yes")),
        ("not cough", Negation(Answered("cough", "yes"))),
        ("cough is no", Answered("cough", "no")),
        ("drinking is hardly drinks", Answered("drinking", "poorly")),
        ("drinking is not well", Negation(Answered("drinking", "well"))),
        ("temperature >= 38.5", Compared("temperature", ">=", 38.5)),
        ('"temperature >= 100.4 [degF]"', Compared("temperature", ">=", 38.0)),
        ("age < 12 mo", Aged(None, 365)),
        ("age >= 2 mo", Aged(60)),
        ("{age: 2 mo to 12 mo}", Aged(60, 365)),
        ("cold holds", Classified("cold")),
        ("group dry", GroupReference("dry")),
        ("{all: [cough, not cough]}",
         AllOf((Answered("cough", "yes"), Negation(Answered("cough", "yes"))))),
        ("{any: []}", AnyOf(())),
        ("{if: cough, then: drinking is well, material: true}",
         Guarded(Answered("cough", "yes"), Answered("drinking", "well"), material=True)),
        ("{observation: drinking, is: poorly, if_unavailable: true}",
         Answered("drinking", "poorly", fallback=True)),
        ("{compare: temperature < 36, if_unavailable: false}",
         Compared("temperature", "<", 36.0, fallback=False)),
        ("{observation: temperature, is_at_least: 38}", Compared("temperature", ">=", 38.0)),
    ],
)  # fmt: skip
def test_a_rule_is_read(written, expected):
    assert rule(written) == expected


def test_scores_and_ages_are_read():
    found = read_guideline(TEXT.replace("RULE", "never")).guideline
    assert found.ages == AgeBand(60, 1826)
    assert found.groups["dry"] == AtLeast(
        2.0,
        (Answered("cough", "yes"), Answered("drinking", "poorly"),
         Compared("temperature", ">=", 38.0)),
        (1.0, 1.0, 2.0),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("before", "after", "line", "told"),
    [
        ("RULE", "caugh", 18, "no observation 'caugh'"),
        ("RULE", "drinking", 18, "not a question of yes or no"),
        ("RULE", "drinking is much", 18, "no answer 'much'"),
        ("RULE", "temperature < 5 mmol/L", 18, "does not convert"),
        ("RULE", "cough < 5", 18, "'cough' is no number"),
        ("RULE", "group wet", 18, "no group 'wet'"),
        ("RULE", "warm holds", 18, "no classification 'warm'"),
        ("RULE", "what is this?", 18, "no observation 'what'"),
        ("RULE", "5 + 5", 18, "cannot be understood"),
        ("RULE", "{all: [cough], any: [cough]}", 18, "do not go together"),
        ("RULE", "{some: [cough]}", 18, "no rule"),
        ("RULE", "[cough]", 18, "a rule is expected"),
        ("{label: Cough}\n  drinking", "{label: Cough, lable: x}\n  drinking", 6, "'lable'"),
        ("2 mo to 60 mo", "60 mo to 2 mo", 4, "nobody is of the ages"),
        ("2 mo to 60 mo", "2 kg to 60 kg", 4, "no unit of age"),
        ("range: [25, 45]", "range: [45, 25]", 11, "more than"),
        ("kind: number", "kind: figure", 11, "'figure'"),
        ("cold: {label: Cold, when: cough}", "bad: {when: cough}", 19, "'bad' is here twice"),
        ("cold: {label: Cold, when: cough}", "cold: {label: Cold}", 19, "'when' is missing"),
        ("cold: {label: Cold, when: cough}", "cold: {when: [", 20, "cannot be read"),
        ("cold: {label: Cold, when: cough}", "cold: {when: cough, yields_to: [hot]}", 19, "'hot'"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(before, after, line, told):
    text = TEXT.replace(before, after).replace("RULE", "cough")
    with pytest.raises(GuidelineError, match=told) as error:
        read_guideline(text, file="g.yaml")
    assert error.value.where == f"g.yaml:{line}"
    assert error.value.remedy


@pytest.mark.parametrize("text", ["", "- a", "a", "a: 1", "[" * 5000, "guideline: &a [*a]"])
def test_what_is_no_guideline_is_a_clear_error(text):
    with pytest.raises(GuidelineError):
        read_guideline(text)


def test_a_file_that_is_no_text_is_a_clear_error(tmp_path):
    (tmp_path / "g.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(GuidelineError, match="not UTF-8"):
        read_guideline_file(tmp_path / "g.yaml")
    with pytest.raises(GuidelineError, match="cannot be read"):
        read_guideline_file(tmp_path / "none.yaml")


@pytest.mark.thorough
@given(guidelines())
@settings(max_examples=30, deadline=None)
def test_what_is_written_reads_as_the_same(guideline):
    assert read_guideline(write_guideline(guideline)).guideline == guideline
