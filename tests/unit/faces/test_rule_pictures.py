"""The logic of a guideline as Mermaid text and as a picture."""

# ruff: noqa: E501 - texts as they are printed

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from xml.etree import ElementTree

import pytest
from hypothesis import given

from medweave.errors import FindingsError, GuidelineError
from medweave.faces.pictures.rule_mermaid import mermaid
from medweave.faces.pictures.rule_picture import rule_picture
from medweave.guideline.drawing import boxes_of, drawing_of
from medweave.guideline.yaml.reading import read_guideline
from medweave.model.logic import GroupReference
from tests.guideline_strategies import rules

TEXT = """\
guideline: drawn
version: "1"
title: "Drawn <b>\\"so\\"</b>"
observations:
  a: {label: 'A "quoted" <sign> #1'}
  b: {label: B}
  c: {label: C, derived: {rule: {all: [a, spo2 < 90]}}}
  B10S1.DE05: {label: D}
  drinking: {label: Drinking, kind: choice, answers: {well: Drinks well, poorly: Drinks poorly, "yes": "Yes"}}
  spo2: {label: Oxygen, kind: number, unit: "%"}
groups:
  some: {at_least: 2, of: [a, {score: 2, of: not b}]}
conditions:
  one:
    label: One
    classifications:
      x: {label: X, severity: severe, ages: 2 mo to 60 mo, when: {all: [group some, c, {if: b, then: group some}]}}
      y: {label: Y, severity: mild, when: {not: {any: [a, drinking is poorly]}}}
"""
DRAWN = """\
flowchart LR
  accTitle: X: Drawn <b>"so"</b> 1
  accDescr: X holds where all of (at least 2 points of (A "quoted" <sign> 1 [1], not B [2]), C, if B then at least 2 points of (A "quoted" <sign> 1 [1], not B [2]))
  n0_0["X<br/>severe, pink<br/>age from 2 months to below 5 years"]:::pink
  n0_1(["ALL of these"]):::joint
  n0_0 --> n0_1
  n0_2(["AT LEAST 2 POINTS OF these<br/>group some"]):::joint
  n0_1 --> n0_2
  n0_3["A #quot;quoted#quot; #lt;sign#gt; #35;1"]:::leaf
  n0_2 -->|"1 point"| n0_3
  n0_4[/"NOT B"/]:::not
  n0_2 -->|"2 points"| n0_4
  n0_5[["C<br/>worked out"]]:::derived
  n0_1 --> n0_5
  n0_6(["IF … THEN"]):::joint
  n0_1 --> n0_6
  n0_7["B"]:::leaf
  n0_6 -->|"if"| n0_7
  n0_8["group some<br/>drawn above"]:::leaf
  n0_6 -->|"then"| n0_8
  n1_0[["C<br/>worked out"]]:::derived
  n1_1(["ALL of these"]):::joint
  n1_0 --> n1_1
  n1_2["A #quot;quoted#quot; #lt;sign#gt; #35;1"]:::leaf
  n1_1 --> n1_2
  n1_3["Oxygen below 90 %"]:::leaf
  n1_1 --> n1_3
"""


def small():
    return read_guideline(TEXT, file="g.yaml").guideline


def test_a_rule_is_drawn_with_its_groups_and_what_is_worked_out():
    found = mermaid(drawing_of(small(), "x"))
    assert found.split("  classDef")[0] == DRAWN


def test_all_classifications_are_drawn_where_none_is_named():
    drawing = drawing_of(small())
    assert [tree.words for tree in drawing.trees] == ["X", "Y"]
    assert drawing.trees[1].notes == ("mild, green", "not beside: X")


def rectangles(svg):
    """(left, top, right, bottom) of each box of a picture."""
    space = "{http://www.w3.org/2000/svg}"
    for each in ElementTree.fromstring(svg):
        if each.tag == f"{space}rect" and each.get("class") != "page":
            left, top, width, height = (
                float(each.attrib[k]) for k in ("x", "y", "width", "height")
            )
            yield left, top, left + width, top + height
        elif each.tag == f"{space}polygon":
            points = [tuple(map(float, p.split(","))) for p in each.attrib["points"].split()]
            xs, ys = zip(*points, strict=True)
            yield min(xs), min(ys), max(xs), max(ys)


def overlap(one, other):
    return (
        one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
    )  # fmt: skip


@given(rules())
def test_boxes_are_all_there_and_never_lie_on_one_another(rule):
    guideline = small()
    first = replace(guideline.classifications[0], rule=rule)
    drawing = drawing_of(replace(guideline, classifications=(first,)))
    picture = rule_picture(drawing)
    boxes = list(rectangles(picture))
    assert len(boxes) == sum(1 for tree in drawing.trees for _ in boxes_of(tree))
    assert not any(overlap(one, other) for one, other in combinations(boxes, 2))
    root = ElementTree.fromstring(picture)
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    assert all(box[2] <= width and box[3] <= height for box in boxes)


def test_a_picture_says_in_words_what_it_shows_and_loads_nothing():
    picture = rule_picture(drawing_of(small(), "x"))
    root = ElementTree.fromstring(picture)
    named = {each.get("id"): each.text for each in root if each.get("id")}
    assert named["title"] == 'X: Drawn <b>"so"</b> 1'
    assert str(named["words"]).startswith("X holds where all of (at least 2 points of (A")
    assert "prefers-color-scheme: dark" in picture
    assert "href" not in picture
    assert "<script" not in picture
    texts = [each.text for each in root if each.tag.endswith("text")]
    assert {"severe, pink", 'A "quoted" <sign> #1', "worked out", "2 points"} <= set(texts)


def test_what_is_not_there_is_a_typed_error():
    with pytest.raises(FindingsError):
        drawing_of(small(), "nothing")
    with pytest.raises(GuidelineError, match="circles"):
        drawing_of(replace(small(), groups={"some": GroupReference("some")}))
