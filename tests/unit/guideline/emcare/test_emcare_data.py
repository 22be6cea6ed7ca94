"""The published EmCare of Iraq: each classification holds exactly where its own CQL says so."""

from __future__ import annotations

import os
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from medweave.guideline.emcare.cql import Call, Library, Name, Operation, Term, Value
from medweave.guideline.emcare.files import read_files
from medweave.guideline.emcare.importing import import_emcare
from medweave.guideline.import_report import Imported
from medweave.guideline.logic.evaluation import evaluate
from medweave.guideline.logic.graph import TRUE, Graph, compile_guideline
from medweave.model.findings import UNAVAILABLE, Findings
from medweave.model.guideline import Observation
from medweave.model.logic import Compared, walk

DATA = Path(os.environ.get("MEDWEAVE_DATA", Path(__file__).parents[4].parent / "shared" / "data"))
IRAQ = DATA / "guidelines" / "who_emcare_iraq.tar.gz"
GLOBAL = DATA / "guidelines" / "who_emcare_global.tar.gz"
ASKED_WHETHER_NULL = "EmCare.B6.DE06"
"""The weight, the only observation whose absence a rule asks for; all others are complete."""
_UNITS = {("cm", "mm"): 10.0, ("mm", "cm"): 0.1}


@dataclass
class Oracle:
    """CQL evaluated as CQL: null where nothing is known, and straight over the libraries.

    It knows nothing of guidelines or expressions. `answers` are by code: True, False, a code of an
    answer, a set of them, a number, None.
    """

    libraries: Mapping[str, Library]
    answers: Mapping[str, Any]
    units: Mapping[str, str]
    age_days: int
    _known: dict[tuple[str, str], Any] = field(default_factory=dict)

    def value(self, library: Library, name: str) -> Any:
        """What a definition comes to; worked out once."""
        key = (library.name, name)
        if key not in self._known:
            self._known[key] = self._term(library.definitions[name].term, library)
        return self._known[key]

    def _term(self, term: Term, here: Library) -> Any:  # noqa: PLR0911, PLR0912
        match term:
            case Value(value, _):
                return value
            case Name(name, ""):
                if name in here.definitions:
                    return self.value(here, name)
                return here.codes[name].code
            case Name(name, prefix):
                target = self.libraries[here.includes[prefix]]
                if "zscore" in target.name:
                    return self.answers.get(f"zscore.{name}")
                return self._term(Name(name), target)
            case Operation("and", (left, right)):
                one, other = self._term(left, here), self._term(right, here)
                return False if one is False or other is False else (
                    None if one is None or other is None else True)  # fmt: skip
            case Operation("or", (left, right)):
                one, other = self._term(left, here), self._term(right, here)
                return True if one is True or other is True else (
                    None if one is None or other is None else False)  # fmt: skip
            case Operation("is null", (inner,)):
                return self._term(inner, here) is None
            case Operation(sign, (left, right)):
                return self._operation(sign, left, right, here)
            case Call("Coalesce", (inner, default)):
                found = self._term(inner, here)
                return self._term(default, here) if found is None else found
            case Call("ToInteger", (inner,)):
                found = self._term(inner, here)
                return None if found is None else int(found)
            case Call("AgeInMonths", ()):
                return max(n for n in range(200) if int(n * 30.4375) <= self.age_days)
            case Call("AgeInDays", ()):
                return self.age_days
            case Call("GetObsValue", (Value(code), *_)):
                return self._observed(str(code))
            case Call("HasCondHistory", (Value(code), _)):
                return self.answers.get(f"history.{code}")
        raise NotImplementedError(repr(term))

    def _observed(self, code: str) -> Any:
        question, _, answer = code.partition("&")
        if answer:
            chosen = self.answers.get(question)
            return None if chosen is None else answer in chosen
        if code in self.answers:
            return self.answers[code]
        for chosen in self.answers.values():
            if isinstance(chosen, frozenset) and code in {c.lstrip("-") for c in chosen}:
                return code in chosen
        return None

    def _operation(self, sign: str, left: Term, right: Term, here: Library) -> Any:
        one, other = self._term(left, here), self._term(right, here)
        if one is None or other is None:
            return None
        for term, literal in ((left, right), (right, left)):
            if isinstance(literal, Value) and literal.unit and not isinstance(term, Value):
                unit = self.units.get(self._code(term, here), literal.unit)
                factor = _UNITS.get((literal.unit, unit), 1.0)
                if literal is right:
                    other *= factor
                else:
                    one *= factor
        operations = {
            "=": lambda: one == other, "~": lambda: one == other, "!=": lambda: one != other,
            "<": lambda: one < other, "<=": lambda: one <= other, ">": lambda: one > other,
            ">=": lambda: one >= other, "+": lambda: one + other, "-": lambda: one - other,
        }  # fmt: skip
        return operations[sign]()

    def _code(self, term: Term, here: Library) -> str:
        match term:
            case Name(name, "") if name in here.definitions:
                return self._code(here.definitions[name].term, here)
            case Call("GetObsValue", (Value(code), *_)):
                return str(code)
            case Call("Coalesce", (inner, *_)):
                return self._code(inner, here)
        return ""


needs_iraq = pytest.mark.skipif(
    not IRAQ.is_file(), reason=f"no data at {IRAQ}; name the folder with MEDWEAVE_DATA"
)


@cache
def iraq() -> tuple[Imported, Graph]:
    imported = import_emcare(IRAQ)
    return imported, compile_guideline(imported.guideline)


def child(
    observations: tuple[Observation, ...], limits: dict[str, list[float]], chance: random.Random
) -> dict[str, object]:
    """Everything observed; numbers lie around the limits of rules."""
    answers: dict[str, object] = {}
    for each in observations:
        options = [option for option in each.answers if not option.means]
        if each.kind == "boolean":
            answers[each.id] = chance.random() < 0.5
        elif each.kind == "choice":
            answers[each.id] = chance.choice(options).id
        elif each.kind == "choices":
            answers[each.id] = frozenset(o.id for o in options if chance.random() < 0.4)
        elif each.kind == "number":
            limit = chance.choice(limits.get(each.id, [1.0]))
            answers[each.id] = round(max(limit + chance.choice([-1.0, -0.1, 0.0, 0.1, 1.0]), -9), 3)
            if each.id == ASKED_WHETHER_NULL:
                answers[each.id] = chance.choice([answers[each.id], None])
    return answers


@needs_iraq
def test_each_classification_holds_where_its_cql_says_so() -> None:
    imported, graph = iraq()
    files = read_files(IRAQ)
    units = {o.id: o.unit for o in imported.guideline.observations}
    limits: dict[str, list[float]] = {}
    for rule in [
        *(c.rule for c in imported.guideline.classifications),
        *imported.guideline.groups.values(),
    ]:
        for part in walk(rule):
            if isinstance(part, Compared):
                limits.setdefault(part.observation, []).append(part.limit)
    libraries = [files.libraries[f"emcareb23classification{end}"] for end in ("", "m")]
    chance = random.Random(7)
    held = compared = 0
    for _ in range(200):
        age = chance.choice([0, 1, 3, 6, 7, 8, 20, 21, 27, 28, 45, 59, 60, 61, 200, 213, 700, 1825])
        answers = child(imported.guideline.observations, limits, chance)
        values = {name: _given(value) for name, value in answers.items()}
        state = evaluate(graph, Findings(age_days=age, values=values))
        oracle = Oracle(files.libraries, answers, units, age)
        for found in imported.guideline.classifications:
            expected = False
            for library in libraries:
                for alias in found.aliases:
                    if alias in library.definitions:
                        expected |= oracle.value(library, alias) is True
            compared += 1
            held += expected
            assert (state.own(found.id) == TRUE) == expected, (found.id, found.label, age)
    assert held > compared / 50


def _given(value: Any) -> Any:
    """An answer as findings give it."""
    if value is None:
        return UNAVAILABLE
    return tuple(sorted(value)) if isinstance(value, frozenset) else value


@needs_iraq
def test_all_classifications_of_iraq_are_read() -> None:
    imported, _ = iraq()
    assert len(imported.guideline.classifications) >= 55
    unread = [item for item in imported.not_mapped if "Classification" in item.where]
    assert [item for item in unread if "no colour" not in item.why] == []


@pytest.mark.skipif(not GLOBAL.is_file(), reason=f"no data at {GLOBAL}")
def test_where_libraries_lost_names_the_sheets_are_read() -> None:
    imported = import_emcare(GLOBAL)
    labels = {found.label for found in imported.guideline.classifications}
    assert {"Severe Pneumonia or Very Severe Disease", "Severe Dehydration"} <= labels
    compile_guideline(imported.guideline)
