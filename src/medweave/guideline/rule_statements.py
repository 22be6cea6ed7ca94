"""The rules of a guideline as statements with qualifiers, and back.

A rule is a logic group. What belongs to a group says so in a statement of its own, which carries
its place (`order`), whether it is denied (`negated`), what it counts (`score`), and of an
observation the answer, or the comparator and the value, that the rule looks for. What the members
of a group make of each other is the group's `logic_operator`. So the logic of a base can be asked,
drawn and compared like everything else in it, and rules are compiled from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from medweave.errors import GuidelineError
from medweave.model import logic
from medweave.model.statement import Literal, Statement, qualifiers_of
from medweave.ports import GraphStore

MEMBER = "belongs_to_logic_group"
OPERATOR = "logic_operator"
Value = str | int | float | bool | None
_SAME = "IS"
"""A group of one: a rule that is one observation, or one group that is shared."""


@dataclass(frozen=True, slots=True)
class RuleWriter:
    """Writes rules as statements. `id_of` names parts of the guideline by kind and identifier;
    `say` takes statements, and `name_group` a group with its operator."""

    id_of: Callable[[str, str], str]
    say: Callable[[Statement], None]
    name_group: Callable[[str, str], None]

    def write(self, rule: logic.Expression, group: str) -> None:
        """A rule as the logic group of this name, with all groups within it."""
        operator = _operator(rule)
        parts = logic.parts_of(rule) if operator != _SAME else (rule,)
        count = rule.count if isinstance(rule, logic.AtLeast) else None
        self.name_group(group, operator)
        self.say(Statement(group, OPERATOR, Literal(operator), qualifiers_of({"at_least": count})))
        scores = rule.scores if isinstance(rule, logic.AtLeast) else ()
        for order, part in enumerate(parts):
            score = scores[order] if scores else None
            self._member(part, group, {"order": order, "score": score})

    def _member(self, part: logic.Expression, group: str, place: Mapping[str, Value]) -> None:
        inner = part.part if isinstance(part, logic.Negation) else part
        negated = True if isinstance(part, logic.Negation) else None
        node, about = self._leaf(inner)
        if not node:
            node = f"{group}/{place['order']}"
            self.write(inner, node)
        qualifiers = qualifiers_of({**place, **about, "negated": negated})
        self.say(Statement(node, MEMBER, group, qualifiers))

    def _leaf(  # noqa: PLR0911 - one for each kind
        self, part: logic.Expression
    ) -> tuple[str, Mapping[str, Value]]:
        """What a member is, and what is looked for in it; '' for a group of its own."""
        match part:
            case logic.Answered(name, answer, away, unanswered):
                return self.id_of("observation", name), {
                    "answer": answer, "if_unavailable": away, "if_unanswered": unanswered,
                }  # fmt: skip
            case logic.Compared(name, comparator, limit, away, unanswered):
                return self.id_of("observation", name), {
                    "comparator": comparator, "value": limit,
                    "if_unavailable": away, "if_unanswered": unanswered,
                }  # fmt: skip
            case logic.Aged(low, high):
                ages = self.id_of("ages", f"{low}-{high}")
                return ages, {"age_min_days": low, "age_max_days": high}
            case logic.Classified(name):
                return self.id_of("classification", name), {}
            case logic.GroupReference(name):
                return self.id_of("group", name), {}
            case logic.Constant(value):
                return self.id_of("guideline", ""), {"value": value}
            case _:
                return "", {}


def _operator(rule: logic.Expression) -> str:
    match rule:
        case logic.AllOf():
            return "AND"
        case logic.AnyOf():
            return "OR"
        case logic.AtLeast():
            return "AT_LEAST"
        case logic.Guarded(_, _, material):
            return "IMPLIES" if material else "IF"
        case _:
            return _SAME


@dataclass(slots=True)
class RuleReader:
    """Reads the rules of one guideline from a base. `names` are its parts by the identifier of
    each: what kind of part it is, and how the guideline calls it."""

    names: Mapping[str, tuple[str, str]]
    _operators: dict[str, Statement] = field(default_factory=dict)
    _members: dict[str, list[Statement]] = field(default_factory=dict)

    @classmethod
    def of(cls, store: GraphStore, prefix: str, names: Mapping[str, tuple[str, str]]) -> RuleReader:
        """All rules of a guideline (`prefix`: how its identifiers begin)."""
        reader = cls(names)
        for each in _statements(store, OPERATOR, prefix):
            reader._operators[each.subject] = each
        for each in _statements(store, MEMBER, prefix):
            reader._members.setdefault(str(each.object), []).append(each)
        for held in reader._members.values():
            held.sort(key=lambda each: int(each.qualifier("order") or 0))
        return reader

    def read(self, group: str) -> logic.Expression:
        """The rule that a logic group is; `GuidelineError` where the base has no such group."""
        operator_statement = self._operators.get(group)
        if operator_statement is None:
            raise GuidelineError(
                "a rule of the guideline is not in the base",
                where=group,
                remedy="add the guideline again",
            )
        members = self._members.get(group, [])
        parts = tuple(self._member(each) for each in members)
        operator = (
            operator_statement.object.value
            if isinstance(operator_statement.object, Literal)
            else ""
        )
        match operator:
            case "AND":
                return logic.AllOf(parts)
            case "OR":
                return logic.AnyOf(parts)
            case "AT_LEAST":
                scores = [each.qualifier("score") for each in members]
                counted = tuple(float(each) for each in scores if each is not None)
                return logic.AtLeast(
                    float(operator_statement.qualifier("at_least") or 0), parts, counted
                )
            case "IF" | "IMPLIES":
                return logic.Guarded(parts[0], parts[1], operator == "IMPLIES")
            case _:
                return parts[0]

    def _member(self, statement: Statement) -> logic.Expression:
        found = self._positive(statement)
        return logic.Negation(found) if statement.qualifier("negated") else found

    def _positive(self, statement: Statement) -> logic.Expression:  # noqa: PLR0911 - one for each kind
        kind, name = self.names.get(statement.subject, ("", ""))
        away, unanswered = _flag(statement, "if_unavailable"), _flag(statement, "if_unanswered")
        if not kind and statement.subject in self._operators:
            return self.read(statement.subject)
        match kind:
            case "observation" if (answer := statement.qualifier("answer")) is not None:
                return logic.Answered(name, str(answer), away, unanswered)
            case "observation":
                comparator, limit = statement.qualifier("comparator"), statement.qualifier("value")
                return logic.Compared(name, comparator, float(limit or 0), away, unanswered)  # type: ignore[arg-type]
            case "classification":
                return logic.Classified(name)
            case "group":
                return logic.GroupReference(name)
            case "guideline":
                return logic.Constant(bool(statement.qualifier("value")))
            case _:
                return logic.Aged(
                    _days(statement, "age_min_days"), _days(statement, "age_max_days")
                )


def _statements(store: GraphStore, predicate: str, prefix: str) -> Iterator[Statement]:
    for supported in store.match(None, predicate):
        if supported.statement.subject.startswith(prefix):
            yield supported.statement


def _flag(statement: Statement, name: str) -> bool | None:
    value = statement.qualifier(name)
    return None if value is None else bool(value)


def _days(statement: Statement, name: str) -> int | None:
    value = statement.qualifier(name)
    return None if value is None else int(value)
