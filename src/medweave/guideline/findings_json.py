"""Findings as they come: the record of a case, and ages and weights as one types them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from medweave.errors import FindingsError, SourceError
from medweave.guideline.yaml.spans import days_of
from medweave.language import text_file
from medweave.language.numbers import find_numbers
from medweave.model.findings import Findings, FindingValue, Measured

_AGE = re.compile(r"(-?\d+(?:\.\d+)?)\s*([a-z]+)", re.IGNORECASE)
_UNITS = {"w": "wk", "m": "mo", "yr": "y", "yrs": "y", "a": "y", "mos": "mo", "wks": "wk"}
_CHINESE_UNITS = {
    "个半月": ("mo", 0.5), "岁半": ("y", 0.5), "年半": ("y", 0.5), "周岁": ("y", 0), "岁": ("y", 0),
    "年": ("y", 0), "个月": ("mo", 0), "月": ("mo", 0), "星期": ("wk", 0), "礼拜": ("wk", 0),
    "周": ("wk", 0), "天": ("d", 0), "日": ("d", 0),
}  # fmt: skip
"""The unit, and what more is said with it."""
_CHINESE_AGE = re.compile(rf"(\d+(?:\.\d+)?)\s*({'|'.join(_CHINESE_UNITS)})")
_WEIGHT = re.compile(r"(-?\d+(?:\.\d+)?)\s*(kg|g|公斤|千克|斤|克)?", re.IGNORECASE)
_GRAMS = {"g": 1, "克": 1, "斤": 500}
_SEXES = {"f": "female", "girl": "female", "m": "male", "boy": "male"}
KNOWN = (
    "id", "guideline", "age_days", "age_months", "weight_kg", "sex", "findings", "text", "refused",
    "agreed", "given", "allergies", "resources", "expected",
)  # fmt: skip
"""What a record may have."""
_REMARKS = ("name", "title", "note", "notes", "comment", "description", "source", "tags")
"""What it may have beside, for people to read; nothing else is passed over, since it could be a
finding in the wrong place."""


def read_age(text: str) -> int:
    """An age as days: "10mo", "3 d", "2 weeks", "4y", "10个月", "一岁半".

    >>> read_age("10mo"), read_age("3 days"), read_age("2 wk")
    (304, 3, 14)
    >>> read_age("十个月"), read_age("1岁3个月"), read_age("3周岁"), read_age("一岁半")
    (304, 456, 1095, 547)
    """
    if (chinese := _chinese_age(text)) is not None:
        return chinese
    found = _AGE.fullmatch(text.strip())
    unit = found[2].lower() if found else ""
    days = days_of(abs(float(found[1])), _UNITS.get(unit, unit)) if found else None
    if found is None or days is None:
        raise FindingsError(
            f"'{text}' is no age", where="--age", remedy="write it like 10mo, 3d, 5wk or 2y"
        )
    if float(found[1]) < 0:
        raise FindingsError(f"an age of {text} cannot be", where="--age", remedy="check the age")
    return days


def _chinese_age(text: str) -> int | None:
    """Years, then months, weeks and days, as they are said in Chinese; else None."""
    said = text.strip().removesuffix("大").removesuffix("龄")
    for number in reversed([*find_numbers(said, "zh")]):
        if number.spelled and (number.start == 0 or said[number.start : number.end] != "半"):
            said = f"{said[: number.start]}{number.value:g}{said[number.end :]}"
    if _CHINESE_AGE.sub("", said) or not said:
        return None
    days = 0
    for number, unit in _CHINESE_AGE.findall(said):
        named, more = _CHINESE_UNITS[unit]
        days += days_of(float(number) + more, named) or 0
    return days


def read_weight(text: str) -> float:
    """A weight in kg: "8.2kg", "3100 g", "8.2", "16斤".

    >>> read_weight("8.2kg"), read_weight("3100 g"), read_weight("16斤")
    (8.2, 3.1, 8.0)
    """
    found = _WEIGHT.fullmatch(text.strip())
    if found is None:
        raise FindingsError(
            f"'{text}' is no weight", where="--weight", remedy="write it like 8.2kg"
        )
    grams = _GRAMS.get((found[2] or "kg").lower(), 1000)
    return round(float(found[1]) * grams / 1000, 6)


def findings_of(record: Mapping[str, Any]) -> Findings:
    """The findings of a record; `FindingsError` for what is not as it must be.

    >>> findings_of({"age_days": 304, "findings": {"cough": True}}).values
    {'cough': True}
    """
    unknown = [name for name in record if name not in (*KNOWN, *_REMARKS)]
    if unknown:
        raise FindingsError(
            f"'{unknown[0]}' is not known in a record of findings",
            where=unknown[0],
            remedy=f"one of {', '.join(KNOWN)}",
        )
    values = record.get("findings")
    if values is not None and not isinstance(values, dict):
        raise FindingsError(
            "findings are names with their values", where="findings", remedy="write {…}"
        )
    return Findings(
        age_days=_age(record),
        weight_kg=_number(record, "weight_kg"),
        sex=_sex(record.get("sex")),
        values={str(name): read_finding(str(name), each) for name, each in (values or {}).items()},
        text=str(record.get("text") or ""),
        refused=_names(record, "refused"),
        agreed=_names(record, "agreed"),
        given=_names(record, "given"),
        allergies=_names(record, "allergies"),
        resources=_resources(record.get("resources")),
    )


def read_record(line: str, *, where: str) -> dict[str, Any]:
    """A record of one line; the same observation with two values is refused, even by one name."""
    form = 'write {"findings": {…}}'
    return text_file.read_record(line, where=where, remedy=form, error=FindingsError, pairs=_pairs)


def parted_records(text: str, where: str) -> list[str]:
    """The records of a text: one over several lines, or one a line.

    >>> parted_records('{"age_days": 9}\\n\\n{"age_days": 8}\\n', "x"), parted_records("{\\n}", "x")
    (['{"age_days": 9}', '{"age_days": 8}'], ['{\\n}'])
    """
    lines = [line for _, line in text_file.lines_of(text)]
    if not lines:
        raise SourceError("there are no findings in it", where=where, remedy="write {…}")
    if len(lines) > 1:
        try:
            json.loads(lines[0])
        except (ValueError, RecursionError):
            if text.lstrip()[:1] == "{" and lines[0].rstrip()[-1:] in "{,[:":
                return [text]
    return lines


def with_person(record: Mapping[str, Any], person: Mapping[str, Any]) -> dict[str, Any]:
    """A record with what is stated of the person beside it; texts of both are read.

    Raises `FindingsError` where both state another age, weight or sex.
    """
    for name, value in person.items():
        held = record.get(name)
        if name != "text" and held is not None and held != value:
            raise FindingsError(
                f"{name} is {held} in the findings, and {value} among the options",
                where=name,
                remedy="give one of them",
            )
    texts = [str(each["text"]) for each in (record, person) if each.get("text")]
    return {**record, **person, "text": " ".join(texts)}


def whole_record(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record; findings alone are those of a record that has nothing else.

    >>> whole_record({"cough": True})
    {'findings': {'cough': True}}
    """
    return {**record} if not record or set(record) & {*KNOWN} else {"findings": {**record}}


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found and found[name] != value:
            raise FindingsError(
                f"'{name}' has two values: {found[name]} and {value}",
                where=name,
                remedy="give one of them",
            )
        found[name] = value
    return found


def _age(record: Mapping[str, Any]) -> int | None:
    days, months = _number(record, "age_days"), _number(record, "age_months")
    if days is None and months is None:
        return None
    found = days if days is not None else days_of(months or 0, "mo")
    if found is None or not float(found).is_integer():
        raise FindingsError(
            f"an age of {found} days is no whole number", where="age_days", remedy="round it"
        )
    return int(found)


def _number(record: Mapping[str, Any], name: str) -> float | None:
    value = record.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise FindingsError(f"'{value}' is no number", where=name, remedy="give a number, or null")
    return value


def _sex(value: Any) -> str | None:
    if value is None or value == "":
        return None
    sex = str(value).strip().lower()
    return _SEXES.get(sex, sex)


def read_finding(name: str, value: Any) -> FindingValue:
    """The value of an observation as JSON has it; `FindingsError` where it can be none.

    >>> read_finding("temperature", {"value": 101, "unit": "[degF]"})
    Measured(value=101.0, unit='[degF]')
    """
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list) and all(isinstance(each, str | int) for each in value):
        return tuple(str(each) for each in value)
    if isinstance(value, dict) and set(value) == {"value", "unit"}:
        number, unit = value["value"], value["unit"]
        if isinstance(number, int | float) and not isinstance(number, bool):
            return Measured(float(number), str(unit))
    raise FindingsError(
        f"the value of '{name}' cannot be understood",
        where=name,
        remedy="give true, false, null, a number, an answer, answers in a list, or "
        '{"value": 38, "unit": "Cel"}',
    )


def _names(record: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = record.get(name) or []
    if not isinstance(value, list):
        raise FindingsError(f"'{name}' is a list of names", where=name, remedy="write […]")
    return tuple(str(each) for each in value)


def _resources(value: Any) -> dict[str, bool]:
    if value is None:
        return {}
    if not isinstance(value, dict) or not all(isinstance(each, bool) for each in value.values()):
        raise FindingsError(
            "resources are names with true or false", where="resources", remedy="write {…}"
        )
    return {str(name): there for name, there in value.items()}
