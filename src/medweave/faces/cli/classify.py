"""`medweave classify`: what a guideline says of a child, or of many, one a line."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from medweave.errors import FindingsError, MedweaveError, SourceError
from medweave.faces.cli.common import console, print_json
from medweave.faces.cli.options import Age, Json, Kb, Language, Sex, Weight

if TYPE_CHECKING:
    from medweave.guideline.case_reader import CaseReader
    from medweave.model.assessment import Assessment

GuidelineName = Annotated[
    str,
    typer.Option(
        "--guideline", help="sample, a file, or id@version of one in the base.", show_default=False
    ),
]


def classify(
    guideline: GuidelineName = "",
    age: Age = "",
    weight: Weight = "",
    sex: Sex = "",
    findings: Annotated[
        str, typer.Option("--findings", help="JSON or JSONL: a file, or - for stdin.")
    ] = "",
    text: Annotated[str, typer.Option("--text", help="Findings in free text.")] = "",
    order: Annotated[
        str, typer.Option("--order", help="Next question: best, or form (the form's own order).")
    ] = "best",
    language: Language = "",
    kb: Kb = "",
    json: Json = False,
) -> None:
    """Classify a child by a guideline: what stands, what is still possible, what to ask and do.

    Of a file with several lines, each is one child; a bad line gives an error in its place.
    """
    if order not in ("best", "form"):
        raise typer.BadParameter("--order is best or form")
    person = _person(age, weight, sex, text)
    lines = record_lines(findings)
    several = len(lines) > 1
    classified = _Classifying(guideline, person, order, kb, language)
    bad = 0
    for number, line in enumerate(lines, 1):
        try:
            assessment, spoken = classified.of(line)
        except MedweaveError as error:
            if not several:
                raise
            bad += 1
            located = type(error)(
                error.what, where=f"line {number}: {error.where}", remedy=error.remedy
            )
            if json:
                print_json({"error": located.to_json(), "line": number})
            else:
                sys.stdout.write(f"line {number}: {located}\n")
            continue
        if json:
            print_json(assessment.to_json())
        else:
            from medweave.faces.terminal.assessment import print_assessment

            print_assessment(assessment, console(), spoken)
    if bad:
        sys.stderr.write(f"{bad} of {len(lines)} lines could not be classified\n")
        raise typer.Exit(1)


def _person(age: str, weight: str, sex: str, text: str) -> dict[str, Any]:
    from medweave.guideline.findings_json import read_age, read_weight

    given: dict[str, Any] = {}
    if age:
        given["age_days"] = read_age(age)
    if weight:
        given["weight_kg"] = read_weight(weight)
    if sex:
        given["sex"] = sex
    if text:
        given["text"] = text
    return given


def record_lines(findings: str) -> list[str]:
    """The records: one JSON over several lines, or one a line."""
    import json

    if not findings:
        return ["{}"]
    held = _read(findings)
    lines = [line for line in held.split("\n") if line.strip()]
    if not lines:
        raise SourceError("there are no findings in it", where=findings, remedy="write {…}")
    if len(lines) > 1:
        try:
            json.loads(lines[0])
        except (ValueError, RecursionError):
            if held.lstrip()[:1] == "{" and lines[0].rstrip()[-1:] in "{,[:":
                return [held]
    return lines


def _read(findings: str) -> str:
    import gzip

    try:
        held = sys.stdin.buffer.read() if findings == "-" else Path(findings).read_bytes()
        return (gzip.decompress(held) if held[:2] == b"\x1f\x8b" else held).decode("utf-8-sig")
    except (OSError, EOFError) as error:
        raise SourceError(
            "this file cannot be read", where=findings, remedy="check the path"
        ) from error
    except UnicodeDecodeError as error:
        raise SourceError(
            "this file is not UTF-8", where=findings, remedy="save it as UTF-8"
        ) from error


class _Classifying:
    """Classifies records; each guideline is compiled once."""

    def __init__(
        self, guideline: str, person: Mapping[str, Any], order: str, kb: str, language: str
    ) -> None:
        self._guideline = guideline
        self._person = person
        self._order = order
        self._kb = kb
        self._language = language
        self._readers: dict[str, CaseReader] = {}

    def of(self, line: str) -> tuple[Assessment, str]:
        """An assessment in its language: that of the text, unless another is asked for."""
        from medweave.guideline.findings_json import read_record, whole_record
        from medweave.pipeline import classify

        record = whole_record(read_record(line, where="findings"))
        reader = self._reader(self._guideline or str(record.get("guideline") or "sample"))
        record = self._with_person(record)
        return classify(record, reader, order=self._order, language=self._language)

    def _with_person(self, record: dict[str, Any]) -> dict[str, Any]:
        for name, value in self._person.items():
            held = record.get(name)
            if name != "text" and held is not None and held != value:
                raise FindingsError(
                    f"{name} is {held} in the findings, and {value} among the options",
                    where=name,
                    remedy="give one of them",
                )
        texts = [str(each["text"]) for each in (record, self._person) if each.get("text")]
        return {**record, **self._person, "text": " ".join(texts)}

    def _reader(self, name: str) -> CaseReader:
        if name not in self._readers:
            from medweave.faces.cli.guideline import graph_named
            from medweave.guideline.case_reader import CaseReader

            self._readers[name] = CaseReader(graph_named(name, self._kb))
        return self._readers[name]
