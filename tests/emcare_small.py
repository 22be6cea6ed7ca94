"""A small guideline in the layout of EmCare, written for tests."""

from __future__ import annotations

from pathlib import Path

VALUES = ("valueSet", "code", "display")
QUESTION = ("type", "parentId", "id", "label", "initialExpression", "calculatedExpression",
            "enableWhenExpression", "display", "map_resource")  # fmt: skip


def row(kind: str, **cells: str) -> dict[str, str]:
    return {"type": kind, **cells}


def hidden(identifier: str, label: str, rule: str) -> dict[str, str]:
    return row("boolean", id=identifier, label=label, initialExpression=rule, display="hidden")


def classification(identifier: str, label: str, rule: str, colour: str = "") -> dict[str, str]:
    return row(
        "select_one agree", id=identifier, label=label, map_resource="SetCondition",
        enableWhenExpression=f'"{rule}" = true',
        display=f"background-color::{colour}" if colour else "",
    )  # fmt: skip


def number(identifier: str, label: str, unit: str) -> dict[str, str]:
    return row("quantity", id=identifier, label=label, display=f"unit::{unit}",
               map_resource="SetObservationQuantity")  # fmt: skip


SHEETS: dict[str, list[dict[str, str]]] = {
    "valueSet": [
        {"valueSet": "skin_parts", "code": "T.all", "display": "All over"},
        {"valueSet": "skin_parts", "code": "T.some", "display": "In places"},
        {"valueSet": "warmth", "code": "High", "display": "High"},
        {"valueSet": "warmth", "code": "Normal", "display": "Normal"},
    ],
    "l.Combined": [
        hidden("T.warm", "Warm", '"Heat" = "High"'),
        hidden("T.itself", "Itself", '"Itself" = true'),
    ],
    "q.Signs": [
        row("boolean", id="T.cough", label="Cough", map_resource="SetObservationBoolean"),
        number("T.spo2", "Saturation", "%"),
        number("T.muac", "Arm (mm)", "mm"),
        number("T.temp", "Degrees", "Cel"),
        row("string", id="T.heat", label="Heat", map_resource="SetObservationValueSetStr::warmth",
            calculatedExpression="iif(\"Degrees\" >= 37.5 'Cel', \"High\", \"Normal\")"),
        row("select_multiple skin_parts", id="T.skin", label="Rash",
            enableWhenExpression='"Cough" = true',
            map_resource="SetObservationMultiple::skin_parts"),
    ],
    "q.Classification": [
        hidden("R.1", "Very bad", "AgeInMonths() >= 2 and \"Cough\" = true"
               " and Coalesce(o\"Saturation\", 95 '%') < 90 '%'"),
        classification("T.C1", "Very bad", "R.1", "pink"),
        hidden("R.2", "Bad", 'AgeInMonths() >= 2 and C."Warm" = true and "Very bad" != true'),
        row("{{cql}}", parentId="R.2", initialExpression='"All over" = true'),
        row("{{cql}}", parentId="R.2", initialExpression="\"Arm (mm)\" < 11.5 'cm'"),
        classification("T.C2", "Bad", "R.2", "yellow"),
        hidden("R.3", "Lost", '"Nobody knows this" = true'),
        classification("T.C3", "Lost", "R.3"),
        hidden("R.4", "Needs the lost one", '"Lost" != true'),
        classification("T.C4", "Needs the lost one", "R.4"),
        hidden("R.5", "By itself", 'C."Itself"'),
        classification("T.C5", "By itself", "R.5"),
    ],
    "q.Treatment": [
        row("display", id="T.T1", label="h1. Very bad\n\n**Refer** at once",
            enableWhenExpression='"load" = true'),
    ],
}  # fmt: skip


def folder(tmp_path: Path) -> Path:
    """Writes it; needs openpyxl."""
    import openpyxl

    book = openpyxl.Workbook()
    for sheet in book.worksheets:
        book.remove(sheet)
    for name, rows in SHEETS.items():
        sheet = book.create_sheet(name)
        headings = VALUES if name == "valueSet" else QUESTION
        sheet.append(headings)
        for cells in rows:
            sheet.append([cells.get(heading) or None for heading in headings])
    target = tmp_path / "small" / "input" / "l2"
    target.mkdir(parents=True)
    book.save(target / "form.xlsx")
    return tmp_path / "small"
