"""What an EmCare guideline observes: its questions, their answers, and numbers with units."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field, replace

from medweave.guideline.emcare.files import EmCareFiles
from medweave.guideline.emcare.workbook import SheetRow
from medweave.model.guideline import NO, YES, AnswerOption, Observation, ObservationKind

NOT_MEASURED = AnswerOption("not_measured", "Not measured", means="unavailable")
_UNITS = {
    "{breaths}/min": "/min", "breaths/min": "/min", "bpm": "/min", "kg": "kg", "cm": "cm",
    "mm": "mm", "cel": "Cel", "°c": "Cel", "%": "%", "g/dl": "g/dL", "d": "d", "mo": "mo",
}  # fmt: skip
_UNIT_IN_LABEL = re.compile(
    r"\((kg|cm|mm|%|degrees cel[sc]ius|breaths per minute)\)|(g/dL)", re.IGNORECASE
)
_LABEL_UNITS = {"degrees celsius": "Cel", "degrees celcius": "Cel", "breaths per minute": "/min"}
_BOUNDS = re.compile(r"MinMax::(-?[\d.]+)::(-?[\d.]+)")
_CHOSEN = re.compile(r""",\s*["']([^"']+)["']\s*(?=[,)])""")
_NO_ANSWER = re.compile(r"\{\{.*\}\}")


@dataclass
class Observed:
    """Observations by id, and the ways rules call them and their answers."""

    by_id: dict[str, Observation] = field(default_factory=dict)
    rows: dict[str, SheetRow] = field(default_factory=dict)
    """The row of the workbook an observation was read from."""
    called: dict[str, str] = field(default_factory=dict)
    """A label, folded → the observation."""
    boxes: set[str] = field(default_factory=set)
    """Those that are boxes to tick: there where they are ticked."""
    asides: set[str] = field(default_factory=set)
    """Questions of the form that record no observation: kept where a rule asks for them."""
    part_of: dict[str, str] = field(default_factory=dict)
    """The code of an answer → the only question with several answers that has it."""
    answers: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """A label of an answer, folded → its codes."""

    def add(self, observation: Observation) -> None:
        """Keep an observation; the first of an id stays."""
        if observation.id not in self.by_id:
            self.by_id[observation.id] = observation
            self.called.setdefault(folded(observation.label), observation.id)

    def with_answer(self, identifier: str, answer: AnswerOption) -> None:
        """Let an observation have one more answer."""
        known = self.by_id[identifier]
        if all(answer.id != other.id for other in known.answers):
            self.by_id[identifier] = replace(known, answers=(*known.answers, answer))


def folded(label: str) -> str:
    """A label without differences that mean nothing.

    >>> folded("Axillary Temperature  (degrees Celsius)")
    'axillary temperature (degrees celsius)'
    """
    return " ".join(label.casefold().split())


def read_observations(files: EmCareFiles) -> Observed:
    """All observations: those of the workbook first, then codes that only libraries name."""
    observed = Observed()
    sets = _sets_of_values(files)
    for row in files.workbook.questions() if files.workbook else ():
        _ask(row, sets, observed)
    observed.part_of = _parts(observed)
    for values in sets.values():
        for answer in values:
            if answer.id not in observed.answers[folded(answer.label)]:
                observed.answers[folded(answer.label)].append(answer.id)
    for library in files.libraries.values():
        for code in library.codes.values():
            _code(library.name, code.name, code.code, observed)
    return observed


def _ask(row: SheetRow, sets: dict[str, tuple[AnswerOption, ...]], observed: Observed) -> None:
    """Keep what a row asks for, if it asks for anything."""
    observation = _observation(row, sets)
    if observation is None:
        return
    observed.rows.setdefault(observation.id, row)
    observed.add(observation)
    if row["type"].startswith("select_boolean"):
        observed.boxes.add(observation.id)
    if not row["map_resource"].startswith("SetObservation"):
        observed.asides.add(observation.id)


def _parts(observed: Observed) -> dict[str, str]:
    """The code of an answer → the only question with several answers that has it."""
    questions: dict[str, set[str]] = defaultdict(set)
    for observation in observed.by_id.values():
        for answer in observation.answers if observation.kind == "choices" else ():
            questions[answer.id].add(observation.id)
    return {code: next(iter(ids)) for code, ids in questions.items() if len(ids) == 1}


def _code(library: str, name: str, code: str, observed: Observed) -> None:
    """What only a library names: an observation, or an answer."""
    if library.lower().endswith("valueset"):
        if code not in observed.answers[folded(name)]:
            observed.answers[folded(name)].append(code)
    elif library.lower().endswith("observation") and code not in observed.part_of:
        observed.add(Observation(code, name, answers=(YES, NO), source=f"{library}: {code}"))


def _sets_of_values(files: EmCareFiles) -> dict[str, tuple[AnswerOption, ...]]:
    found: dict[str, list[AnswerOption]] = defaultdict(list)
    for row in files.workbook.values() if files.workbook else ():
        code, label = row["code"], row["display"]
        if code and label and not _NO_ANSWER.fullmatch(code):
            found[bare_name(row["valueSet"])].append(AnswerOption(code, label))
    return {name: tuple(answers) for name, answers in found.items()}


def bare_name(name: str) -> str:
    """A name by its letters and digits alone, as the sheets spell it in several ways."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _observation(row: SheetRow, sets: dict[str, tuple[AnswerOption, ...]]) -> Observation | None:
    identifier, mapped = row["id"], row["map_resource"]
    is_shown = row["label"] and not row["initialExpression"] and "hidden" not in row["display"]
    if not identifier or "SetCondition" in mapped:
        return None
    if not mapped.startswith("SetObservation") and not is_shown:
        return None
    words = row["type"].split()
    kind, answers = _kind(words[0] if words else "", words[1:], mapped, sets)
    if kind is None and row["type"] == "string":
        kind, answers = _worked_out(row["calculatedExpression"], sets)
    if kind is None:
        return None
    bounds = _BOUNDS.search(row["constraintExpression"])
    label = row["label"] or row["description"] or identifier
    return Observation(
        identifier,
        label,
        kind=kind,
        question=label,
        help=row["help"] or row["description"],
        unit=_unit(row) if kind == "number" else "",
        range=(float(bounds.group(1)), float(bounds.group(2))) if bounds else (None, None),
        answers=answers,
        group=row.sheet.removeprefix("q."),
        source=f"EmCare {identifier}",
    )


def _kind(
    kind: str, names: list[str], mapped: str, sets: dict[str, tuple[AnswerOption, ...]]
) -> tuple[ObservationKind | None, tuple[AnswerOption, ...]]:
    set_name = names[0] if names else next(iter(mapped.split("::")[1:2]), "")
    answers = sets.get(bare_name(set_name), ())
    several = kind == "select_multiple" or mapped.startswith("SetObservationMultiple")
    if kind in {"boolean", "select_boolean"}:
        return "boolean", (YES, NO)
    if kind in {"quantity", "integer", "decimal"}:
        return "number", ()
    if several and answers:
        return "choices", answers
    if kind in {"select_one", "string", "choice"} and answers:
        return "choice", answers
    return None, ()


def _worked_out(
    text: str, sets: dict[str, tuple[AnswerOption, ...]]
) -> tuple[ObservationKind | None, tuple[AnswerOption, ...]]:
    """The set of values that a chain of iif(…) chooses from."""
    labels = {folded(match) for match in _CHOSEN.findall(text)} if text.startswith("iif") else set()
    for answers in sets.values():
        if labels and labels <= {folded(answer.label) for answer in answers}:
            return "choice", answers
    return None, ()


def _unit(row: SheetRow) -> str:
    for part in row["display"].split("||"):
        if part.startswith("unit::"):
            unit = part.removeprefix("unit::").split("::")[0].strip()
            return _UNITS.get(unit.lower(), unit)
    match = _UNIT_IN_LABEL.search(row["label"])
    if match:
        word = (match.group(1) or match.group(2)).lower()
        return _LABEL_UNITS.get(word, _UNITS.get(word, word))
    return "" if row["type"] != "integer" else "1"
