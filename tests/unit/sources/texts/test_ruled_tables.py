"""Tables of PDF files whose cells are drawn: a cell is what stands between the same rules."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from medweave.sources.texts.reading import whole_file
from tests.made_documents import lines, pdf, said

pytest.importorskip("pypdfium2")

XS = (60, 170, 330, 520)
YS = (720, 700, 650, 600)
DOSE = ["100 mg twice a day for", "seven days, with plenty", "of water"]
NOTE = ["Not in pregnancy, and not", "below eight years"]
ROWS = (
    "Drug | Dose | Remarks\n"
    "Doxycycline | 100 mg twice a day for seven days, with plenty of water | "
    "Not in pregnancy, and not below eight years\n"
    "Amoxicillin | 500 mg | Not in pregnancy, and not below eight years"
)
BELOW = lines(["All of this is reviewed once a year."], y=540)


def stroke(x0: float, y0: float, x1: float, y1: float) -> str:
    return f"q 0.7 w {x0} {y0} m {x1} {y1} l S Q"


def box(x0: float, y0: float, x1: float, y1: float) -> str:
    return f"q {x0} {y0} {x1 - x0} {y1 - y0} re S Q"


def thin(x0: float, y0: float, x1: float, y1: float) -> str:
    return f"q {x0} {y0} {max(x1 - x0, 0.6)} {max(y1 - y0, 0.6)} re f Q"


def by_strokes() -> list[str]:
    across = [stroke(XS[0], y, XS[-1], y) for y in YS]
    return across + [stroke(x, YS[-1], x, YS[0]) for x in XS]


def by_sides_of_cells() -> list[str]:
    found = []
    for y0, y1 in pairwise(sorted(YS)):
        for x0, x1 in pairwise(XS):
            found += [thin(x0, y0, x1, y0), thin(x0, y1, x1, y1)]
            found += [thin(x0, y0, x0, y1), thin(x1, y0, x1, y1)]
    return found


def by_boxes() -> list[str]:
    return [box(a, y0, b, y1) for y0, y1 in pairwise(sorted(YS)) for a, b in pairwise(XS)]


def open_at_its_sides() -> list[str]:
    across = [stroke(XS[0], y, XS[-1], y) for y in YS]
    return across + [stroke(x, YS[-1], x, YS[0]) for x in XS[1:-1]]


def cells(middle: bool) -> list[str]:
    """Texts of the cells; the first column at the top of its cell, or at half its height."""
    low = 14 if middle else 0
    head = [
        said(text, x + 4, 706) for text, x in zip(("Drug", "Dose", "Remarks"), XS, strict=False)
    ]
    return [
        *head,
        said("Doxycycline", 64, 688 - low),
        *[said(text, 174, 688 - 14 * n) for n, text in enumerate(DOSE)],
        *[said(text, 334, 688 - 14 * n) for n, text in enumerate(NOTE)],
        said("Amoxicillin", 64, 638 - low),
        said("500 mg", 174, 638 - low),
        *[said(text, 334, 638 - 14 * n) for n, text in enumerate(NOTE)],
    ]


def read(tmp_path: Path, *drawn: str) -> str:
    return whole_file(pdf(tmp_path / "a.pdf", [[*drawn, *BELOW]])).text


@pytest.mark.parametrize("middle", [False, True])
@pytest.mark.parametrize("rules", [by_strokes, by_sides_of_cells, by_boxes, open_at_its_sides])
def test_lines_between_the_same_rules_are_one_cell(
    tmp_path: Path, rules: Callable[[], list[str]], middle: bool
) -> None:
    assert read(tmp_path, *rules(), *cells(middle)).startswith(f"{ROWS}\n\nAll of this")


def test_words_close_to_a_rule_on_both_sides_are_two_cells(tmp_path: Path) -> None:
    close = [said("Doxycycline daily", 64, 688), said("twice", 174 - 24, 688)]
    text = read(tmp_path, *[stroke(60, y, 330, y) for y in YS], *close,
                *[stroke(x, 600, x, 720) for x in (60, 148, 330)],
                said("Drug", 64, 706), said("How often", 174, 706))  # fmt: skip
    assert text.startswith("Drug | How often\nDoxycycline daily | twice\n\n")


def test_what_no_rule_parts_is_one_cell_over_rows_or_columns(tmp_path: Path) -> None:
    rules = [stroke(60, y, 520, y) for y in (720, 700, 600)] + [stroke(170, 650, 520, 650)]
    rules += [stroke(60, 600, 60, 720), stroke(520, 600, 520, 720), stroke(170, 600, 170, 700)]
    texts = [
        said("Treatment by age", 64, 706),
        said("Adults and", 64, 660),
        said("others", 64, 646),
    ]
    texts += [said("Doxycycline", 174, 680), said("Ceftriaxone", 174, 630)]
    text = read(tmp_path, *rules, *texts)
    assert text.startswith("Treatment by age\nAdults and others | Doxycycline\n| Ceftriaxone\n\n")


def test_rows_that_no_rule_parts_stay_rows(tmp_path: Path) -> None:
    rules = [stroke(60, y, 330, y) for y in (720, 700, 600)]
    rules += [stroke(x, 600, x, 720) for x in (60, 170, 330)]
    drugs = [("Drug", "Dose"), ("Doxycycline", "100 mg"), ("Amoxicillin", "500 mg"),
             ("Ceftriaxone", "1 g")]  # fmt: skip
    texts = [said(t, x, 706 - 24 * n) for n, row in enumerate(drugs)
             for t, x in zip(row, (64, 174), strict=True)]  # fmt: skip
    assert read(tmp_path, *rules, *texts).startswith("\n".join(map(" | ".join, drugs)) + "\n\n")


def test_a_frame_around_a_text_is_no_table(tmp_path: Path) -> None:
    told = ["Fever is a sign of many diseases", "and most of them pass by themselves."]
    text = read(tmp_path, box(50, 640, 400, 730), *lines(told))
    assert text == "Fever is a sign of many diseases and most of them pass by themselves.\n\n" + (
        "All of this is reviewed once a year."
    )
