"""WHO EmCare: its workbook and CQL libraries → a guideline.

A classification is a row of a sheet that sets a condition; its rule is what the library of that
sheet defines for it, or, where the library lost a name, what the sheet itself says. Nothing of a
rule is guessed: one that cannot be read is reported, and is not in the guideline.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path

from medweave.errors import SourceError
from medweave.guideline.emcare.classifications import (
    OLDEST,
    ages_and_rest,
    at_either_age,
    in_tables,
    severity_by_name,
)
from medweave.guideline.emcare.cql import Call, Library, Name, Operation, Term, UnreadError, Value
from medweave.guideline.emcare.cql import read_term as _read
from medweave.guideline.emcare.files import EmCareFiles, read_files
from medweave.guideline.emcare.observations import bare_name, folded, read_observations
from medweave.guideline.emcare.rules import Rules, Scope
from medweave.guideline.emcare.scopes import Classes, LibraryScope, SheetScope
from medweave.guideline.emcare.workbook import SheetRow
from medweave.guideline.import_report import Imported, NotMapped
from medweave.guideline.return_days import follow_ups_in
from medweave.model.guideline import (
    ANY_AGE,
    AgeBand,
    ChosenValue,
    Classification,
    Colour,
    Derivation,
    Guideline,
    Observation,
    RuleValue,
    Severity,
    TreatmentStep,
    rules_of,
)
from medweave.model.logic import (
    AllOf,
    Answered,
    Classified,
    Compared,
    Expression,
    GroupReference,
    walk,
    walk_on,
)

_COLOUR = re.compile(r"background-color::?\s*(pink|yellow|green)")
_SEVERITY: dict[str, Severity] = {"pink": "severe", "yellow": "moderate", "green": "mild"}
_REFER = re.compile(r"\brefer\b", re.IGNORECASE)
_MARKS = re.compile(r"\*\*|^h\d\.\s*", re.MULTILINE)


def import_emcare(path: Path) -> Imported:
    """The guideline in a folder or archive of EmCare. Raises `SourceError`."""
    return _Import(read_files(path)).run()


@dataclass
class _Import:
    files: EmCareFiles
    classes: Classes = field(default_factory=Classes)
    not_mapped: list[NotMapped] = field(default_factory=list)
    found: dict[str, Classification] = field(default_factory=dict)

    def run(self) -> Imported:
        self._need_workbook()
        self._observed = read_observations(self.files)
        self._rules = Rules(self._observed)
        for name, why in self.files.unreadable:
            self._report(name, name, why)
        rows = list(self._class_rows())
        for row, place in rows:
            self._register(row, place)
        for row, place in rows:
            self._classification(row, place)
        if not self.found:
            seen = f"{len(rows)} rows set a condition" if rows else "no row sets a condition"
            raise SourceError(
                f"no classification could be read: {seen} in the sheets 'q.…' of its workbook",
                where=self.files.name,
                remedy="; ".join(f"{each.where}: {each.why}" for each in self.not_mapped[:3])
                or "give a workbook whose 'map_resource' column has 'SetCondition'",
            )
        self._drop_unknown()
        self._derive()
        self._break_circles()
        self._treat()
        for name, found in self.found.items():
            self.found[name] = replace(found, follow_up_days=_days_back(found.treatments))
        return Imported(self._guideline(), tuple(self.not_mapped))

    def _need_workbook(self) -> None:
        """Libraries name classifications, and define some; how a question is answered, in which
        unit, and how grave a classification is, they do not say."""
        if self.files.workbook is not None:
            return
        broken = [f"{name} ({why})" for name, why in self.files.unreadable if ".xlsx" in name]
        lists = [library for name, library in self.files.libraries.items()
                 if name.lower().endswith("condition")]  # fmt: skip
        named = {code.code for library in lists for code in library.codes.values()}
        raise SourceError(
            f"the workbook {'cannot be read: ' + broken[0] if broken else 'is missing'}: its "
            f"{len(self.files.libraries)} CQL libraries name {len(named)} classifications, but not "
            "which answers and units their questions have, nor how severe they are",
            where=self.files.name,
            remedy="put the .xlsx of the same release beside them (sheets 'q.…' and 'valueSet'; "
            "EmCare keeps it in 'input/l2')",
        )

    def _report(self, what: str, where: str, why: str) -> None:
        item = NotMapped(what, where, why)
        if item not in self.not_mapped:
            self.not_mapped.append(item)

    def _class_rows(self) -> Iterator[tuple[SheetRow, str]]:
        """(row, name of its rule) of all classifications; '' where the rule has no name."""
        workbook = self.files.workbook
        for row in workbook.questions() if workbook else ():
            sets = "SetCondition" in row["map_resource"] and "Multiple" not in row["map_resource"]
            if sets and row["type"].startswith("select_one") and row["id"]:
                yield row, _only_name(row["enableWhenExpression"])

    def _library(self, row: SheetRow) -> Library | None:
        """The library that was made of a row's sheet: it is called alike, but for what the names
        of all sheets begin with (that of the guideline)."""
        sheet = bare_name(row.sheet).removeprefix("q")
        for name, library in self.files.libraries.items():
            if bare_name(name) == sheet:
                return library
        ending = bare_name("".join(row.sheet.split(".")[2:]))
        alike = [
            lib
            for name, lib in self.files.libraries.items()
            if ending and bare_name(name).endswith(ending)
        ]
        return alike[0] if len(alike) == 1 else None

    def _register(self, row: SheetRow, rule: str) -> None:
        identifier = row["id"]
        self.classes.ids.add(identifier)
        self.classes.called.setdefault(folded(row["label"]), identifier)
        library = self._library(row)
        for name in (rule, row["label"]) if rule else ():
            self.classes.by_rule.setdefault((row.sheet, folded(name)), identifier)
        if library is not None and rule in library.definitions:
            self.classes.by_rule.setdefault((library.name, folded(rule)), identifier)

    def _classification(self, row: SheetRow, rule: str) -> None:
        expression, source = self._rule(row, rule)
        if expression is None:
            return
        ages, expression = ages_and_rest(expression)
        colour = _COLOUR.search(row["display"])
        named: Colour | None = colour.group(1) if colour else None  # type: ignore[assignment]
        label = row["label"] or row["description"] or row["id"]
        severity = _SEVERITY[named] if named else severity_by_name(label)
        if named is None and row["id"] not in self.found:
            self._report(label, row.where, f"it has no colour: taken as {severity} by its name")
        classification = Classification(
            row["id"],
            label,
            condition="",
            severity=severity,
            rule=expression,
            colour=named,
            aliases=(rule,) if rule else (),
            ages=ages,
            yields_to=(),
            source=source,
        )
        known = self.found.get(row["id"])
        self.found[row["id"]] = at_either_age(known, classification) if known else classification

    def _rule(self, row: SheetRow, rule: str) -> tuple[Expression | None, str]:
        """The rule of a classification and where it was read; None where it cannot be read."""
        library, sheet = self._library(row), self._sheet(row.sheet)
        tries: list[tuple[str, Callable[[], Expression]]] = []
        if library is not None and rule in library.definitions:
            definition = library.definitions[rule]
            scope = LibraryScope(library, self.files, self._observed, self.classes)
            tries.append((f"EmCare CQL {rule}", lambda: self._rules.truth(definition.term, scope)))
        defining = sheet.row(rule) if rule else None
        if defining is not None:
            tries.append((f"EmCare {rule}", lambda: self._rules.truth(sheet.term(defining), sheet)))
        elif row["enableWhenExpression"] and not rule:
            text = row["enableWhenExpression"]
            tries.append((f"EmCare {row['id']}", lambda: self._rules.truth(_read(text), sheet)))
        why = "it has no rule"
        for source, read in tries:
            try:
                return read(), source
            except UnreadError as error:
                why = str(error)
        self._report(row["label"] or row["id"], row.where, why)
        return None, ""

    def _sheet(self, name: str) -> SheetScope:
        return SheetScope(name, self.files, self._observed, self.classes)

    def _drop_unknown(self) -> None:
        """Take out classifications whose rule asks for one that could not be read."""
        while True:
            lost = {
                name: missing
                for name, found in self.found.items()
                if (missing := self._missing(found.rule))
            }
            if not lost:
                return
            for name, missing in lost.items():
                found = self.found.pop(name)
                self._report(found.label, found.source, f"it asks for {missing}, which is not read")

    def _missing(self, rule: Expression) -> str:
        """A classification that a rule asks for, and that could not be read; '' for none."""
        named = (
            part.classification
            for part in walk_on([rule], self._group)
            if isinstance(part, Classified)
        )
        return next((each for each in named if each not in self.found), "")

    def _group(self, part: Expression) -> list[Expression]:
        return [self._rules.groups[part.group]] if isinstance(part, GroupReference) else []

    def _behind(self, part: Expression) -> list[Expression]:
        """The rule of a group, or of another classification."""
        if isinstance(part, Classified):
            return [self.found[part.classification].rule]
        return self._group(part)

    def _derive(self) -> None:
        """What the form works out or asks only sometimes, where its expression can be read."""
        for identifier, row in self._observed.rows.items():
            known, sheet = self._observed.by_id[identifier], self._sheet(row.sheet)
            asked_if = self._tried(row, row["enableWhenExpression"], sheet, "asked only if")
            derived = self._derivation(row, known, sheet)
            known = self._observed.by_id[identifier]  # it may have got an answer meanwhile
            symptoms = "symptom" in row.sheet.lower()
            self._observed.by_id[identifier] = replace(
                known,
                asked_if=asked_if,
                derived=derived,
                danger_sign="danger" in row.sheet.lower() and known.kind == "boolean",
                main_symptom=symptoms and known.kind == "boolean" and asked_if is None,
            )

    def _break_circles(self) -> None:
        """What is worked out from itself is asked for instead."""
        known, done = self._observed.by_id, set[str]()

        def visit(name: str, above: tuple[str, ...]) -> bool:
            """Whether it, or what it is worked out from, leads back to what is above it."""
            if name in above:
                return True
            if name not in done and known[name].derived is not None:
                inputs = self._inputs_of(known[name])
                if any(visit(each, (*above, name)) for each in sorted(inputs)):
                    known[name] = replace(known[name], derived=None)
                    why = "it is worked out from itself, and is asked for instead"
                    self._report(known[name].label, self._observed.rows[name].where, why)
                done.add(name)
            return False

        for name in list(known):
            visit(name, ())

    def _inputs_of(self, observation: Observation) -> set[str]:
        """The observations that one is worked out from, through groups and classifications."""
        rules = [rule for _, rule in rules_of(observation.derived)]
        return _observations_in(walk_on(rules, self._behind))

    def _tried(self, row: SheetRow, text: str, sheet: SheetScope, what: str) -> Expression | None:
        if not text or text == "{{cql}}":
            return None
        try:
            expression = self._rules.truth(_read(text), sheet)
        except UnreadError as error:
            self._report(f"{row['label'] or row['id']}: {what} …", row.where, str(error))
            return None
        return None if self._missing(expression) else expression

    def _derivation(
        self, row: SheetRow, known: Observation, sheet: SheetScope
    ) -> Derivation | None:
        text = row["calculatedExpression"]
        if not text or known.kind not in {"boolean", "choice"}:
            return None
        if known.kind == "boolean":
            rule = self._tried(row, text, sheet, "worked out as")
            return RuleValue(rule) if rule is not None else None
        try:
            return ChosenValue(tuple(self._choices(_read(text), known, sheet)))
        except UnreadError as error:
            self._report(f"{known.label}: worked out as …", row.where, str(error))
            return None

    def _choices(
        self, term: Term, known: Observation, sheet: Scope
    ) -> Iterator[tuple[str, Expression]]:
        """iif(a, "High", iif(b, "Low", …)) → (answer, rule), in order."""
        match term:
            case Call("iif", (test, then, otherwise)):
                yield self._option(then, known), self._rules.truth(test, sheet)
                yield from self._choices(otherwise, known, sheet)
            case Value(None):
                return
            case _:
                yield self._option(term, known), AllOf(())

    def _option(self, term: Term, known: Observation) -> str:
        label = term.name if isinstance(term, Name) else getattr(term, "value", None)
        for option in known.answers:
            if isinstance(label, str) and folded(label) in {folded(option.label), option.id}:
                return option.id
        raise UnreadError(f"'{label}' is no answer to '{known.label}'")

    def _treat(self) -> None:
        """Texts of the treatment sheets, each to the classification it is shown for."""
        workbook = self.files.workbook
        for row in workbook.questions() if workbook else ():
            text, shown = _MARKS.sub("", row["label"]).strip(), row["enableWhenExpression"]
            if "treatment" not in row.sheet.lower() or row["type"] != "display" or not text:
                continue
            named = self._shown_for(row, shown)
            if not named:
                why = "it is shown for no single classification"
                self._report(text.splitlines()[0][:80], row.where, why)
            for identifier in named:
                self._step(identifier, row, text)

    def _shown_for(self, row: SheetRow, shown: str) -> list[str]:
        sheet = self._sheet(row.sheet)
        rule = _only_name(shown)
        defining = sheet.row(rule) if rule else None
        text = defining["initialExpression"] if defining else shown
        match = re.fullmatch(r"\s*(?:Base\.)?HasCond\(cond\.\"([^\"]+)\"\)\s*", text)
        condition = folded(match.group(1)) if match else ""
        first = folded(_MARKS.sub("", row["label"]).strip().splitlines()[0])
        identifier = self.classes.called.get(condition) or self.classes.called.get(first)
        library = next(
            (lib for name, lib in self.files.libraries.items() if name.lower().endswith("condition")
             and match and match.group(1) in lib.codes), None,
        )  # fmt: skip
        if library is not None and match:
            identifier = library.codes[match.group(1)].code
        return [identifier] if identifier in self.found else []

    def _step(self, identifier: str, row: SheetRow, text: str) -> None:
        found = self.found[identifier]
        refers = bool(_REFER.search(text)) and found.severity == "severe"
        back = follow_ups_in(text)
        label = text.splitlines()[0].strip()
        ages, when = self._shown_where(row)
        step = TreatmentStep(
            row["id"] or f"{identifier}.treatment", label, "management", text=text, when=when,
            ages=ages, follow_ups=back, source=f"EmCare {row['id']}",
        )  # fmt: skip
        self.found[identifier] = replace(
            found,
            treatments=(*found.treatments, step),
            refer=found.refer or refers,
        )

    def _shown_where(self, row: SheetRow) -> tuple[AgeBand, Expression | None]:
        """The ages, and else the condition, under which the groups are shown that a row is in."""
        sheet, above = self._sheet(row.sheet), row["parentId"]
        groups = {each["id"]: each for each in sheet.rows if each["type"] == "group"}
        shown: list[Expression] = []
        seen = {""}
        while above not in seen:
            seen.add(above)
            group = groups.get(above)
            if group is None:
                break
            rule = self._tried(group, group["enableWhenExpression"], sheet, "shown only if")
            shown += [rule] if rule is not None else []
            above = group["parentId"]
        if not shown:
            return ANY_AGE, None
        ages, rest = ages_and_rest(shown[0] if len(shown) == 1 else AllOf(tuple(shown)))
        return (ages, None) if rest == AllOf(()) else (ages, rest)

    def _retained(self, classifications: tuple[Classification, ...]) -> tuple[Observation, ...]:
        """All that is observed, and of what else the form asks what rules need."""
        known = self._observed.by_id
        own = [known[name] for name in known if name not in self._observed.asides]
        rules = [*(found.rule for found in classifications), *self._rules.groups.values()]
        required = _required_observations(own, rules)
        return tuple(
            known[name] for name in known if name in required or name not in self._observed.asides
        )

    def _guideline(self) -> Guideline:
        conditions, classifications = in_tables(self.found)
        versions = {library.version for library in self.files.libraries.values() if library.version}
        rules = [found.rule for found in classifications]
        rules += chain.from_iterable(map(_rules_of, self._observed.by_id.values()))
        parts = walk_on(rules, self._group)
        used = sorted({part.group for part in parts if isinstance(part, GroupReference)})
        return Guideline(
            id=re.sub(r"[^a-z0-9]+", "-", self.files.name.lower()).strip("-") or "emcare",
            version=max(versions, default="0", key=lambda v: (len(v), v)),
            title=f"WHO EmCare ({self.files.name})",
            observations=self._retained(classifications),
            conditions=conditions,
            classifications=classifications,
            groups={name: self._rules.groups[name] for name in used},
            ages=AgeBand(0, OLDEST),
            citation="WHO SMART guidelines, EmCare",
            developer="World Health Organization",
        )


def _required_observations(
    observations: Iterable[Observation], rules: Iterable[Expression]
) -> set[str]:
    every = (*rules, *chain.from_iterable(map(_rules_of, observations)))
    return _observations_in(chain.from_iterable(map(walk, every)))


def _observations_in(parts: Iterable[Expression]) -> set[str]:
    return {part.observation for part in parts if isinstance(part, Answered | Compared)}


def _only_name(text: str) -> str:
    """The name in `"NAME" = true`, or ''."""
    try:
        term = _read(text) if text else None
    except UnreadError:
        return ""
    match term:
        case Operation("=", (Name(name, ""), Value(True))) | Name(name, ""):
            return name
    return ""


def _rules_of(observation: Observation) -> Iterator[Expression]:
    if observation.asked_if is not None:
        yield observation.asked_if
    yield from (rule for _, rule in rules_of(observation.derived))


def _days_back(steps: Iterable[TreatmentStep]) -> int | None:
    """The earliest day to come back; None where treatments differ in whom they are for."""
    listed = list(steps)
    if len({(step.ages, step.when) for step in listed}) != 1:
        return None
    return min((each.days for step in listed for each in step.follow_ups), default=None)
