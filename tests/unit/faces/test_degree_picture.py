"""The picture of degrees: whole by itself, readable without colour, true to the numbers."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from medweave.faces.pictures.degree_picture import degree_picture
from medweave.model.topology import Topology

SVG = "{http://www.w3.org/2000/svg}"


def drawn(topology: Topology) -> ElementTree.Element:
    return ElementTree.fromstring(degree_picture(topology.to_json()))


def texts(picture: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in picture.iter(f"{SVG}text")]


HUBS = Topology(edges=15_050, degrees={0: 20, 1: 60, 2: 15, 300: 4, 29_000: 1})


def test_it_stands_alone_in_light_and_in_dark() -> None:
    text = degree_picture(HUBS.to_json())
    assert "prefers-color-scheme: dark" in text
    assert "href" not in text
    assert "url(" not in text
    assert text.count("http") == 1  # the name of the format


def test_it_says_in_words_what_it_shows() -> None:
    picture = drawn(HUBS)
    said = texts(picture)
    assert "100 things, 15,050 edges, 20 things that no edge touches" in said
    assert {"1", "10", "100,000", "100 %", "1 %"} <= set(said)
    assert any("the most are 29,000" in text for text in said)
    assert "100 things" in picture.attrib["aria-label"]


def test_every_point_is_the_share_that_has_at_least_so_many() -> None:
    told = [element.text for element in drawn(HUBS).iter(f"{SVG}title")]
    assert told[:3] == ["1 or more: 80 %", "2 or more: 20 %", "4 or more: 5 %"]
    assert told[-1] == "16,384 or more: 1 %"


def test_the_line_falls_and_stays_inside() -> None:
    (line,) = drawn(HUBS).iter(f"{SVG}polyline")
    points = [tuple(map(float, pair.split(","))) for pair in line.attrib["points"].split()]
    assert [x for x, _ in points] == sorted({x for x, _ in points})
    assert [y for _, y in points] == sorted(y for _, y in points)
    assert all(0 <= x <= 760 and 0 <= y <= 440 for x, y in points)


@pytest.mark.parametrize("topology", [Topology(), Topology(degrees={0: 3})])
def test_without_edges_it_says_so(topology: Topology) -> None:
    picture = drawn(topology)
    assert "no edges" in texts(picture)
    assert not list(picture.iter(f"{SVG}polyline"))


def test_one_edge_is_enough() -> None:
    assert len(list(drawn(Topology(edges=1, degrees={1: 2})).iter(f"{SVG}circle"))) == 1
