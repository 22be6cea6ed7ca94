"""A child in danger, at any age and in any of many wordings: never GREEN, and never nothing."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml
from hypothesis import given
from hypothesis import strategies as st

from medweave.guideline.case_reader import CaseReader
from medweave.guideline.danger import GUIDELINE_SIGNS
from medweave.guideline.loading import graph_in
from medweave.model.assessment import STANDS
from medweave.model.findings import Findings

TOLD = yaml.safe_load((Path(__file__).parent / "children_in_danger.yaml").read_text("utf-8"))


@cache
def reader() -> CaseReader:
    return CaseReader(graph_in("sample"))


@st.composite
def children(draw: st.DrawFn) -> str:
    told = TOLD[draw(st.sampled_from(("en", "en", "zh")))]
    parts = {name: draw(st.sampled_from(told[f"{name}s"])) for name in ("age", "sign")}
    besides = draw(st.sampled_from(told["besides"]))
    form: str = draw(st.sampled_from(told["forms"]))
    return form.format(besides=besides, **parts)


@given(text=children())
def test_a_child_in_danger_is_never_green_and_never_nothing(text: str) -> None:
    found = reader().assess(Findings(text=text))
    standing = [each for each in found.classifications if each.status in STANDS]
    assert not [each.id for each in standing if each.colour == "green"]
    named = [sign for sign in found.danger or () if sign.sign != GUIDELINE_SIGNS]
    assert named or found.refer or any(each.severity == "severe" for each in standing)
