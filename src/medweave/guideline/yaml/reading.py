"""The YAML form of a guideline, read. What is wrong in it is told with file and line."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast, get_args

from medweave.errors import GuidelineError, VocabularyError
from medweave.guideline.yaml.parts import Fields, Part, parse
from medweave.guideline.yaml.rules import RuleReader
from medweave.guideline.yaml.spans import read_ages
from medweave.guideline.yaml.tables import read_table
from medweave.guideline.yaml.treatments import read_step
from medweave.language.arithmetic import names_in, read_formula
from medweave.model.guideline import (
    ANY_AGE,
    NO,
    UNSOURCED,
    YES,
    AgeValue,
    AnswerOption,
    ChosenValue,
    Classification,
    Colour,
    Condition,
    Derivation,
    FormulaValue,
    Guideline,
    Means,
    Observation,
    ObservationKind,
    PersonValue,
    RuleValue,
    SameValue,
    Severity,
    TableValue,
    Unasked,
)
from medweave.model.logic import Expression

COLOURS: Mapping[str, Colour] = {
    "severe": "pink",
    "moderate": "yellow",
    "mild": "green",
    "none": "green",
}
"""The colour of a severity, where the guideline says no other."""
_GUIDELINE = (
    "guideline", "version", "title", "sample", "danger_signs_first", "measurable_doses",
    "country", "language", "citation", "developer", "released", "limits", "ages", "observations",
    "groups", "conditions", "tables",
)  # fmt: skip
_OBSERVATION = (
    "label", "kind", "aliases", "question", "help", "unit", "range", "warn", "answers", "ages",
    "danger_sign", "main_symptom", "routine", "group", "asked_if", "unasked", "resources",
    "derived", "default", "implies", "concept", "source",
)  # fmt: skip
_ANSWER = ("label", "aliases", "means", "from", "below", "value", "implies")
_CLASSIFICATION = (
    "label", "severity", "colour", "aliases", "ages", "when", "yields_to", "treatments", "refer",
    "follow_up_days", "urgency", "source",
)  # fmt: skip
Line = tuple[str, ...]
"""What stands in a line: ("observation", id), ("group", id), ("classification", id),
("step", classification, id), ("condition", id)."""


@dataclass(frozen=True, slots=True)
class WrittenGuideline:
    """A guideline, the file it was read from, and in which line each part of it begins."""

    guideline: Guideline
    file: str
    lines: Mapping[Line, int]

    def where(self, *line: str) -> str:
        """File and line of a part; the file alone where it is not written in it."""
        found = self.lines.get(line)
        return f"{self.file}:{found}" if found else self.file


def read_guideline_file(path: Path) -> WrittenGuideline:
    """A guideline in a YAML file, which may be compressed with gzip."""
    try:
        held = path.read_bytes()
        text = (gzip.decompress(held) if held[:2] == b"\x1f\x8b" else held).decode("utf-8-sig")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise GuidelineError(
            "this file cannot be read", where=str(path), remedy="give a UTF-8 YAML file"
        ) from error
    return read_guideline(text, file=str(path))


def read_guideline(text: str, *, file: str = "guideline") -> WrittenGuideline:
    """A guideline from its YAML form.

    Raises `GuidelineError` with file and line for what cannot be read, is named and not there,
    or is written in units that do not convert.

    >>> read = read_guideline('''
    ... guideline: tiny
    ... version: "1"
    ... title: A tiny guideline
    ... observations: {cough: {label: Cough}}
    ... conditions:
    ...   coughs: {label: Cough, classifications: {cold: {label: Cold, when: cough}}}
    ... ''')
    >>> read.guideline.classifications[0].rule
    Answered(observation='cough', answer='yes', fallback=None, unanswered=None)
    """
    try:
        return _Reading(parse(text, file=file), file).guideline()
    except RecursionError as error:
        raise GuidelineError(
            "this file is nested too deeply", where=file, remedy="name parts of it as groups"
        ) from error


class _Reading:
    """Reads one file: first what there is, then the rules that name it."""

    def __init__(self, part: Part, file: str) -> None:
        self._file = file
        self._fields = part.fields(_GUIDELINE)
        self._lines: dict[Line, int] = {}
        self._observations = self._entries("observations")
        self._groups = self._entries("groups")
        self._conditions = {
            name: each.fields(("label", "aliases", "classifications"))
            for name, each in self._entries("conditions").items()
        }
        self._classes = self._classifications()
        found = {name: self._observation(name, each) for name, each in self._observations.items()}
        self._rules = RuleReader(found, self._groups, self._classes)
        self._found = found

    def guideline(self) -> WrittenGuideline:
        fields, rules = self._fields, self._rules
        ages = fields.get("ages")
        guideline = Guideline(
            id=fields.need("guideline").text(),
            version=fields.need("version").text(),
            title=fields.text("title"),
            observations=tuple(self._with_rules(name, each) for name, each in self._found.items()),
            conditions=tuple(
                Condition(name, each.text("label", name), each.texts("aliases"))
                for name, each in self._conditions.items()
            ),
            classifications=tuple(
                self._classification(name, condition, part)
                for name, (condition, part) in self._classes.items()
            ),
            groups={name: rules.read(part) for name, part in self._groups.items()},
            ages=read_ages(ages) if ages else ANY_AGE,
            country=fields.text("country"),
            language=fields.text("language", "en"),
            citation=fields.text("citation"),
            developer=fields.text("developer"),
            released=fields.text("released"),
            limits=fields.text("limits"),
            sample=fields.flag("sample"),
            danger_signs_first=fields.flag("danger_signs_first"),
            measurable_doses=fields.flag("measurable_doses"),
            tables=self._tables(),
        )
        for name in ("guideline", "version"):
            if not fields.entries[name].text().strip() or "@" in fields.entries[name].text():
                fields.entries[name].refuse("this is no name", "write one without '@'")
        return WrittenGuideline(guideline, self._file, self._lines)

    def _entries(self, name: str) -> dict[str, Part]:
        part = self._fields.get(name)
        found = part.entries() if part else {}
        for key, value in found.items():
            self._lines[name.removesuffix("s"), key] = value.line
        return found

    def _classifications(self) -> dict[str, tuple[str, Part]]:
        found: dict[str, tuple[str, Part]] = {}
        for condition, fields in self._conditions.items():
            part = fields.get("classifications")
            for name, each in (part.entries() if part else {}).items():
                if name in found:
                    each.refuse(
                        f"there are two classifications '{name}'", "give one of them another id"
                    )
                found[name] = (condition, each)
                self._lines["classification", name] = each.line
        return found

    def _observation(self, name: str, part: Part) -> Observation:
        """Without its rules: those may name what has not been read yet."""
        fields = part.fields(_OBSERVATION)
        kind = cast(ObservationKind, fields.one_of("kind", get_args(ObservationKind), "boolean"))
        ages = fields.get("ages")
        return Observation(
            id=name,
            label=fields.text("label", name),
            kind=kind,
            aliases=fields.texts("aliases"),
            question=fields.text("question"),
            help=fields.text("help"),
            unit=fields.text("unit"),
            range=fields.span("range"),
            warn=fields.span("warn"),
            answers=_answers(fields, kind),
            ages=read_ages(ages) if ages else ANY_AGE,
            danger_sign=fields.flag("danger_sign"),
            main_symptom=fields.flag("main_symptom"),
            routine=fields.flag("routine"),
            group=fields.text("group"),
            unasked=cast(Unasked, fields.one_of("unasked", get_args(Unasked), "impossible")),
            resources=fields.texts("resources"),
            default=fields.text("default"),
            concept=fields.text("concept"),
            source=fields.text("source", UNSOURCED),
        )

    def _with_rules(self, name: str, observation: Observation) -> Observation:
        fields = self._observations[name].fields(_OBSERVATION)
        asked, derived = fields.get("asked_if"), fields.get("derived")
        if asked is None and derived is None:
            return observation
        return replace(
            observation,
            asked_if=self._rules.read(asked) if asked else None,
            derived=self._derivation(observation, derived) if derived else None,
        )

    def _derivation(  # noqa: PLR0911 - one for each
        self, observation: Observation, part: Part
    ) -> Derivation:
        known = ("rule", "age", "person", "same", "times", "formula", "choose", "table")
        fields = part.fields(known)
        if "rule" in fields:
            return RuleValue(self._rules.read(fields.entries["rule"]))
        if "age" in fields:
            return AgeValue("d" if fields.entries["age"].one_of(("d", "mo")) == "d" else "mo")
        if "person" in fields:
            what = fields.entries["person"].one_of(("weight", "sex"))
            return PersonValue("sex" if what == "sex" else "weight")
        if "same" in fields:
            factor = fields.number("times")
            return SameValue(self._named(fields.entries["same"]), 1.0 if factor is None else factor)
        if "formula" in fields:
            return self._formula(fields.entries["formula"])
        if "choose" in fields:
            rows = [row.fields(("answer", "when")) for row in fields.entries["choose"].items()]
            return ChosenValue(tuple(self._chosen(observation, row) for row in rows))
        if "table" in fields:
            return self._table_value(fields.entries["table"])
        return part.refuse(
            "this is no derivation", "one of rule, choose, age, same, formula, table, person"
        )

    def _formula(self, part: Part) -> FormulaValue:
        formula = part.text()
        try:
            read_formula(formula)
        except VocabularyError as error:
            part.refuse(error.what, error.remedy)
        for name in names_in(formula):
            if name not in self._observations:
                part.refuse(f"there is no observation '{name}'", "define it, or mend the name")
        return FormulaValue(formula)

    def _chosen(self, observation: Observation, row: Fields) -> tuple[str, Expression]:
        answer = row.need("answer")
        known = [each.id for each in observation.answers]
        return answer.one_of(known), self._rules.read(row.need("when"))

    def _table_value(self, part: Part) -> TableValue:
        fields = part.fields(("male", "female", "x", "y", "rounding"))
        x, rounding = fields.need("x"), fields.one_of("rounding", ("down", "to_zero"), "down")
        return TableValue(
            fields.need("male").text(),
            fields.need("female").text(),
            "age" if x.text() == "age" else self._named(x),
            self._named(fields.need("y")),
            "to_zero" if rounding == "to_zero" else "down",
        )

    def _named(self, part: Part) -> str:
        if part.text() not in self._observations:
            part.refuse(f"there is no observation '{part.text()}'", "define it, or mend the name")
        return part.text()

    def _classification(self, name: str, condition: str, part: Part) -> Classification:
        fields = part.fields(_CLASSIFICATION)
        severity = cast(Severity, fields.one_of("severity", get_args(Severity), "none"))
        colours = (*get_args(Colour), "none")
        colour = fields.one_of("colour", colours, COLOURS[severity])
        ages, follow_up, urgency = map(fields.get, ("ages", "follow_up_days", "urgency"))
        for each in fields.entries["yields_to"].items() if "yields_to" in fields else ():
            if each.text() not in self._classes:
                each.refuse(f"there is no classification '{each.text()}'", "mend the name")
        steps = fields.entries["treatments"].entries() if "treatments" in fields else {}
        for step, held in steps.items():
            self._lines["step", name, step] = held.line
        return Classification(
            id=name,
            label=fields.text("label", name),
            condition=condition,
            severity=severity,
            rule=self._rules.read(fields.need("when")),
            colour=None if colour == "none" else cast(Colour, colour),
            aliases=fields.texts("aliases"),
            ages=read_ages(ages) if ages else ANY_AGE,
            yields_to=fields.texts("yields_to") if "yields_to" in fields else None,
            treatments=tuple(read_step(step, held, self._rules) for step, held in steps.items()),
            refer=fields.flag("refer"),
            follow_up_days=follow_up.whole() if follow_up else None,
            urgency=urgency.whole() if urgency else 0,
            source=fields.text("source", UNSOURCED),
        )

    def _tables(self) -> dict[str, dict[str, dict[str, float]]]:
        part = self._fields.get("tables")
        return {name: read_table(each) for name, each in (part.entries() if part else {}).items()}


def _answers(fields: Fields, kind: ObservationKind) -> tuple[AnswerOption, ...]:
    part, implied = fields.get("answers"), fields.get("implies")
    if implied is not None and (part is not None or kind != "boolean"):
        implied.refuse(
            "only a yes without `answers` implies something here",
            "write `implies:` beside the answer that does",
        )
    if part is None:
        if kind in ("choice", "choices"):
            fields.part.refuse("a choice needs answers", "write `answers: {…}`")
        return (replace(YES, implies=fields.texts("implies")), NO) if kind == "boolean" else ()
    found = tuple(_answer(name, each, kind) for name, each in part.entries().items())
    if kind == "boolean" and not {"true", "false"} <= {answer.means for answer in found}:
        part.refuse(
            "one answer must mean true, and one false", "write `means: true` and `means: false`"
        )
    return found


def _answer(name: str, part: Part, kind: ObservationKind) -> AnswerOption:
    own = {"yes": "true", "no": "false"}.get(name, "") if kind == "boolean" else ""
    if not part.is_map:
        return AnswerOption(name, part.text() or name, means=cast(Means, own))
    fields = part.fields(_ANSWER)
    low, high = fields.number("from"), fields.number("below")
    if (low, high) != (None, None) and kind != "number":
        part.refuse("only numbers have bands", "write `kind: number`")
    means = fields.one_of("means", ("true", "false", "unavailable"), own)
    return AnswerOption(
        name,
        fields.text("label", name),
        fields.texts("aliases"),
        cast(Means, means),
        low,
        high,
        fields.number("value"),
        fields.texts("implies"),
    )
