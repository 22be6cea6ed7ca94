"""The YAML form of a guideline, read. What is wrong in it is told with file and line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast, get_args

from medweave.errors import GuidelineError
from medweave.guideline.yaml.forms import Form, Way, named
from medweave.guideline.yaml.observations import read_observation, with_rules
from medweave.guideline.yaml.parts import Part, parse
from medweave.guideline.yaml.rules import Rules
from medweave.guideline.yaml.tables import read_table
from medweave.guideline.yaml.treatments import STEP
from medweave.language.text_file import read_text
from medweave.model.guideline import (
    Classification,
    Colour,
    Condition,
    Guideline,
    Observation,
    Severity,
)

COLOURS: Mapping[Severity, Colour] = {
    "severe": "pink",
    "moderate": "yellow",
    "mild": "green",
    "none": "green",
}
"""The colour of a severity, where the guideline says no other."""
_NO_COLOUR = "none"
_APART = ("observations", "groups", "conditions", "tables")
GUIDELINE = Form(
    Guideline,
    "guideline=id version title sample danger_signs_first measurable_doses country language "
    "citation developer released limits ages observations groups conditions tables",
    usual={"title": ""},
    apart=_APART,
)
CONDITION = Form(Condition, "label aliases classifications", apart=("classifications",))


def _read_colour(part: Part, _: Rules) -> str:
    return part.one_of((*get_args(Colour), _NO_COLOUR))


def _read_yields(part: Part, rules: Rules) -> tuple[str, ...]:
    for each in part.items() if part.is_list else ():
        if each.text() not in rules.classifications:
            each.refuse(f"there is no classification '{each.text()}'", "mend the name")
    return part.texts()


CLASSIFICATION = Form(
    Classification,
    "label severity colour aliases ages when=rule refer yields_to follow_up_days urgency "
    "treatments source",
    ways={
        "colour": Way(_read_colour),
        "treatments": named(STEP),
        "yields_to": Way(_read_yields, lambda names, _: list(names)),
    },
    usual={"severity": "none", "colour": ""},
)
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
    text = read_text(path, remedy="give a YAML file", error=GuidelineError)
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
        self._part, self._file = part, file
        self._lines: dict[Line, int] = {}
        self._held = {name: self._entries(name) for name in _APART}
        self._classes = self._classifications()
        self._observations: dict[str, Observation] = {}
        self._rules = Rules(self._observations, self._held["groups"], self._classes)

    def guideline(self) -> WrittenGuideline:
        part, rules, held = self._part, self._rules, self._held
        read = [(name, each) for name, each in held["observations"].items()]
        for name, each in read:
            self._observations[name] = read_observation(name, each, rules)
        found = self._observations
        guideline = GUIDELINE.read(
            part,
            rules,
            observations=tuple(with_rules(found[name], each, rules) for name, each in read),
            conditions=tuple(
                CONDITION.read(each, rules, id=name) for name, each in held["conditions"].items()
            ),
            classifications=tuple(
                self._classification(name, condition, each)
                for name, (condition, each) in self._classes.items()
            ),
            groups={name: rules.read(each) for name, each in held["groups"].items()},
            tables={name: read_table(each) for name, each in held["tables"].items()},
        )
        for key in ("guideline", "version"):
            given = part.entries()[key]
            if not given.text().strip() or "@" in given.text():
                given.refuse("this is no name", "write one without '@'")
        return WrittenGuideline(guideline, self._file, self._lines)

    def _entries(self, name: str) -> dict[str, Part]:
        part = self._part.present().get(name)
        found = part.entries() if part else {}
        for key, value in found.items():
            self._lines[name.removesuffix("s"), key] = value.line
        return found

    def _classifications(self) -> dict[str, tuple[str, Part]]:
        found: dict[str, tuple[str, Part]] = {}
        for condition, held in self._held["conditions"].items():
            part = held.present().get("classifications")
            for name, each in (part.entries() if part else {}).items():
                if name in found:
                    each.refuse(
                        f"there are two classifications '{name}'", "give one of them another id"
                    )
                found[name] = (condition, each)
                self._lines["classification", name] = each.line
        return found

    def _classification(self, name: str, condition: str, part: Part) -> Classification:
        steps = part.present().get("treatments")
        for step, held in (steps.entries() if steps else {}).items():
            self._lines["step", name, step] = held.line
        found = CLASSIFICATION.read(part, self._rules, id=name, condition=condition)
        colour: Any = found.colour or COLOURS[found.severity]
        return replace(found, colour=None if colour == _NO_COLOUR else cast(Colour, colour))
