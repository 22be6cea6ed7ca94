"""`medweave classify`: what a guideline says of a child, or of many, one a line."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated, Any

import typer

from medweave.errors import MedweaveError
from medweave.faces.cli.common import reading, show, tell
from medweave.faces.cli.options import Age, Json, Kb, Language, Sex, Weight
from medweave.language.text_file import read_text

if TYPE_CHECKING:
    from medweave.guideline.case_reader import CaseReader
    from medweave.knowledge_base import KnowledgeBase
    from medweave.model.assessment import Assessment
    from medweave.vocabulary.knowledge import Knowledge

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
    with ExitStack() as closing:
        classified = _Classifying(guideline, person, order, kb, language, closing=closing)
        bad = sum(not _is_printed(classified, line, n if several else 0, json=json)
                  for n, line in enumerate(lines, 1))  # fmt: skip
    if bad:
        sys.stderr.write(f"{bad} of {len(lines)} lines could not be classified\n")
        raise typer.Exit(1)


def _is_printed(classified: _Classifying, line: str, number: int, *, json: bool) -> bool:
    """Tell of one child; False where that was an error, which is told in its place.

    `number` is that of the line; 0 where it is the only one, whose error ends the command.
    """
    try:
        assessment, spoken = classified.of(line)
    except MedweaveError as error:
        if not number:
            raise
        told = type(error)(error.what, where=f"line {number}: {error.where}", remedy=error.remedy)
        tell({"error": told.to_json(), "line": number}, f"line {number}: {told}", json=json)
        return False
    show(assessment, "assessment:print_assessment", spoken, json=json)
    return True


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
    """The records of a file, or of stdin (`-`); one of nobody where none is named."""
    from medweave.guideline.findings_json import parted_records

    if not findings:
        return ["{}"]
    return parted_records(read_text(findings, remedy="check the path"), findings)


class _Classifying:
    """Classifies records; each guideline is compiled once."""

    def __init__(
        self,
        guideline: str,
        person: Mapping[str, Any],
        order: str,
        kb: str,
        language: str,
        *,
        closing: ExitStack,
    ) -> None:
        self._guideline = guideline
        self._person = person
        self._order = order
        self._kb = kb
        self._language = language
        self._readers: dict[str, CaseReader] = {}
        self._base: KnowledgeBase | None = None
        self._closing = closing

    def of(self, line: str) -> tuple[Assessment, str]:
        """An assessment in its language: that of the text, unless another is asked for."""
        from medweave.guideline.findings_json import read_record, whole_record, with_person
        from medweave.pipeline import classify

        record = whole_record(read_record(line, where="findings"))
        reader = self._reader(self._guideline or str(record.get("guideline") or "sample"))
        record = with_person(record, self._person)
        return classify(
            record, reader, order=self._order, language=self._language, knowledge=self._knowledge
        )

    def _knowledge(self) -> Knowledge:
        """What is known of drugs, opened where a treatment names one."""
        if self._base is None:
            self._base = self._closing.enter_context(reading(self._kb))
        return self._base.knowledge

    def _reader(self, name: str) -> CaseReader:
        if name not in self._readers:
            from medweave.faces.cli.guideline import graph_named
            from medweave.guideline.case_reader import CaseReader

            self._readers[name] = CaseReader(graph_named(name, self._kb))
        return self._readers[name]
