"""Kleene evaluation of a compiled guideline over one child, and again after each further answer.

S. C. Kleene, Introduction to Metamathematics (1952), § 64: a part that is unknown leaves the whole
unknown unless the other parts settle it. So what is settled stays settled when more is known.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import cast

from medweave.errors import FindingsError
from medweave.guideline.logic.graph import (
    AGE,
    AND,
    FALSE,
    OR,
    SEX,
    TRUE,
    UNKNOWN,
    Graph,
)
from medweave.guideline.logic.resources import resource_named
from medweave.guideline.logic.values import (
    Known,
    age_number,
    bands_of,
    read_value,
    z_score,
    z_score_to_zero,
)
from medweave.language.arithmetic import calculated, names_in
from medweave.model.findings import UNAVAILABLE, Findings, FindingValue
from medweave.model.guideline import (
    AgeBand,
    AgeValue,
    FormulaValue,
    Observation,
    PersonValue,
    SameValue,
    TableValue,
)
from medweave.model.identifiers import normalise_name
from medweave.model.logic import Answered, Compared
from medweave.model.reached import reached

HOLDS: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "!=": operator.ne,
}
"""By the sign of a comparison, whether it holds of a number and a limit."""
OLDEST_DAYS = 45_657
"""125 years: older than anybody."""
HEAVIEST_KG = 350.0
_AGREED, _REFUSED = "agreed", "refused"


@dataclass(slots=True)
class Evaluated:
    """A guideline evaluated for one child: the truth of every node (0 false, 1 unknown, 2 true).

    It is not changed by further answers: `after` gives another one.
    """

    graph: Graph
    findings: Findings
    known: dict[str, Known]
    values: list[int]
    overruled: Mapping[str, str]
    """By classification, whether it was agreed or refused."""
    warnings: tuple[str, ...] = ()
    contradictions: tuple[str, ...] = ()
    unknown_is_false: bool = False
    """How rules are read that know no third value; only to compare with."""
    evaluated: int = 0
    """How many nodes were worked out to come here."""

    def after(self, observation: str, value: FindingValue) -> Evaluated:
        """The same with one more answer (or a changed one): only what it touches is worked out.

        >>> from medweave.model.guideline import Classification, Condition, Guideline, Observation
        >>> from medweave.guideline.logic.graph import compile_guideline
        >>> cold = Classification("cold", "Cold", "coughs", "none", Answered("cough", "yes"))
        >>> cough, table = Observation("cough", "Cough"), Condition("coughs", "Cough")
        >>> graph = compile_guideline(Guideline("g", "1", "G", (cough,), (table,), (cold,)))
        >>> state = evaluate(graph, Findings())
        >>> state.own("cold"), state.after("cough", True).own("cold")
        (1, 2)
        """
        name = self.graph.observation_names.find(observation)
        values = {
            each: stated
            for each, stated in self.findings.values.items()
            if self.graph.observation_names.find(each) != name
        }
        findings = replace(self.findings, values={**values, name: value})
        reading = read_value(self.graph.observations[name], value)
        known = dict(self.known)
        known.pop(name, None)
        if reading.known is not None:
            known[name] = reading.known
        changed = {name}
        _derive(self.graph, findings, known, [name, *_touched(self.graph, name)], changed)
        state = replace(
            self,
            findings=findings,
            known=known,
            values=self.values.copy(),
            warnings=_without(self.warnings, self.graph, name) + reading.warnings,
        )
        state.evaluated = _work_out_again(state, changed)
        return state

    def shown(self, observation: str) -> int:
        """Whether the form asks for an observation, by its own skip logic."""
        node = self.graph.asked_if.get(observation)
        return TRUE if node is None else self.values[node]

    def own(self, classification: str) -> int:
        """The truth of a classification's own rule."""
        return self.values[self.graph.rules[classification].strict]

    def standing(self, classification: str) -> int:
        """The truth of its rule where what could not be excluded does not speak against it."""
        return self.values[self.graph.rules[classification].standing]


def evaluate(graph: Graph, findings: Findings, *, unknown_is_false: bool = False) -> Evaluated:
    """What is true of one child, worked out from the beginning.

    `unknown_is_false` is how rules are read that know no third value: only to compare with.

    Raises `FindingsError` for what cannot be so (an age of −3 days, 400 kg, 52 °C), is named twice
    with two values, or is not known to the guideline.
    """
    check_person(findings)
    findings, questioned = _with_named_resources(graph, findings)
    known: dict[str, Known] = {}
    named: dict[str, tuple[str, FindingValue]] = {}
    warnings = list(questioned)
    for name, value in findings.values.items():
        observation = graph.observation_names.find(name)
        before = named.setdefault(observation, (name, value))
        reading = read_value(graph.observations[observation], value)
        if before[0] != name and reading.known != known.get(observation):
            raise FindingsError(
                f"'{before[0]}' and '{name}' are one observation, and have two values",
                where=observation,
                remedy="give one of them",
            )
        if reading.known is not None:
            known[observation] = reading.known
        warnings += reading.warnings
    _take_away(graph, findings, known)
    _check_weight(graph, findings, known)
    _derive(graph, findings, known, [*graph.computed, *graph.defaults], set())
    overruled = {graph.classification_names.find(n): _AGREED for n in findings.agreed}
    overruled |= {graph.classification_names.find(n): _REFUSED for n in findings.refused}
    state = Evaluated(
        graph,
        findings,
        known,
        [UNKNOWN] * len(graph.kinds),
        overruled,
        tuple(warnings),
        unknown_is_false=unknown_is_false,
        evaluated=len(graph.kinds),
    )
    _work_out(state)
    return state


def check_person(findings: Findings) -> None:
    """Refuse an age or a weight that nobody has."""
    age, weight = findings.age_days, findings.weight_kg
    if age is not None and not 0 <= age <= OLDEST_DAYS:
        raise FindingsError(
            f"an age of {age} days cannot be", where="age_days", remedy="check the age"
        )
    if weight is not None and not 0 < weight <= HEAVIEST_KG:
        raise FindingsError(
            f"a weight of {weight:g} kg cannot be", where="weight_kg", remedy="check the weight"
        )
    if findings.sex not in (None, "male", "female"):
        raise FindingsError(
            f"'{findings.sex}' is no sex that tables know",
            where="sex",
            remedy="give male or female, or leave it out",
        )


def _with_named_resources(graph: Graph, findings: Findings) -> tuple[Findings, list[str]]:
    """What is at hand or not, by the guideline's own names; what it does not need is told."""
    at_hand: dict[str, bool] = {}
    unknown: list[str] = []
    for name, there in findings.resources.items():
        try:
            at_hand[resource_named(graph, name)] = there
        except FindingsError as error:
            unknown.append(f"{error.what}: {error.remedy}")
    return (replace(findings, resources=at_hand) if findings.resources else findings), unknown


def _take_away(graph: Graph, findings: Findings, known: dict[str, Known]) -> None:
    """What needs something that is not at hand cannot be had, unless it was answered."""
    away = {normalise_name(name) for name, there in findings.resources.items() if not there}
    if not away:
        return
    for name, observation in graph.observations.items():
        if name not in known and away & {normalise_name(each) for each in observation.resources}:
            known[name] = read_value(observation, UNAVAILABLE).known or Known(unavailable=True)


def _check_weight(graph: Graph, findings: Findings, known: Mapping[str, Known]) -> None:
    for name, item in known.items():
        derived = graph.observations[name].derived
        weighed = isinstance(derived, PersonValue) and derived.what == "weight"
        twice = item.number is not None and findings.weight_kg is not None
        if weighed and twice and item.number != findings.weight_kg:
            raise FindingsError(
                f"the weight is given twice: {findings.weight_kg:g} and {item.number:g} kg",
                where=name,
                remedy="give one of them",
            )


def _touched(graph: Graph, name: str) -> list[str]:
    """What is computed from an observation, in an order in which it can be."""
    found = {*reached([name], lambda each: graph.touches.get(each, ()))}
    return [each for each in graph.computed if each in found]


def _derive(
    graph: Graph,
    findings: Findings,
    known: dict[str, Known],
    names: Iterable[str],
    changed: set[str],
) -> None:
    """Work out computed numbers and defaults, where nobody gave a value; into `known`."""
    for name in names:
        held = known.get(name)
        if held is not None and held.source == "given" and not held.unavailable:
            continue
        observation = graph.observations[name]
        computed = _computed(graph, findings, known, name) if name in graph.computed else None
        if computed is None and held is not None and held.source == "given":
            continue
        if computed is None and _has_default(observation, findings):
            read = read_value(observation, observation.default).known
            computed = replace(read, source="default") if read else None
        if computed != held:
            changed.add(name)
        if computed is None:
            known.pop(name, None)
        else:
            known[name] = computed


def _has_default(observation: Observation, findings: Findings) -> bool:
    """Whether it has an answer where nobody gave one: not while what it needs is said to be at
    hand, since then it is simply not known yet."""
    if not observation.default or _by_rules(observation.derived):
        return False
    if not observation.resources or not findings.resources:
        return True
    there = {normalise_name(name) for name, is_there in findings.resources.items() if is_there}
    resources = {normalise_name(name) for name in observation.resources}
    return not resources <= there


def answers_to(state: Evaluated, name: str) -> tuple[frozenset[str] | None, float | None]:
    """The answers that an observation has, given or computed, and its number; None: unknown."""
    known = state.known.get(name)
    if known is not None and (known.answers or known.number is not None):
        return known.answers, known.number
    true, unknown = set(), known is None
    for leaf in state.graph.leaves.get(name, ()):
        data = state.graph.data[leaf]
        if isinstance(data, Answered) and state.graph.kids[leaf]:
            unknown = state.values[leaf] == UNKNOWN
            if state.values[leaf] == TRUE:
                true.add(data.answer)
    return (frozenset(true) if true or not unknown else None), None


def computed_number(state: Evaluated, name: str) -> float | None:
    """What an observation would be by computation, whether or not it was answered."""
    if name not in state.graph.computed:
        return None
    computed = _computed(state.graph, state.findings, state.known, name)
    return computed.number if computed else None


def weight_of(state: Evaluated) -> float | None:
    """The weight in kg: as it is said of the person, or as the question for it was answered."""
    if state.findings.weight_kg is not None:
        return state.findings.weight_kg
    for name in state.graph.computed:
        known = state.known.get(name)
        if known and state.graph.observations[name].derived == PersonValue("weight"):
            return known.number
    return None


def _by_rules(derived: object) -> bool:
    return derived is not None and not isinstance(
        derived, AgeValue | SameValue | FormulaValue | TableValue | PersonValue
    )


def _computed(
    graph: Graph, findings: Findings, known: Mapping[str, Known], name: str
) -> Known | None:
    observation = graph.observations[name]
    number: float | None = None
    match observation.derived:
        case AgeValue(unit):
            number = None if findings.age_days is None else age_number(findings.age_days, unit)
        case PersonValue("weight"):
            number = findings.weight_kg
        case PersonValue("sex"):
            if findings.sex is None:
                return None
            read = read_value(observation, findings.sex).known
            return replace(read, source="computed") if read else None
        case SameValue(other, factor):
            held = known.get(other)
            number = None if held is None or held.number is None else held.number * factor
        case FormulaValue(formula):
            numbers = {other: known[other].number for other in names_in(formula) if other in known}
            given = {other: number for other, number in numbers.items() if number is not None}
            number = calculated(formula, given)
        case TableValue(_, _, x, y):
            away = any(known[each].unavailable for each in (x, y) if each in known)
            if away and observation.derived.rounding == "down":  # medAL-reader leaves it unknown
                return Known(unavailable=True, source="computed")
            number = _from_table(graph, findings, known, observation.derived)
    if number is None:
        return None
    return Known(bands_of(observation, number), number, source="computed")


def _from_table(
    graph: Graph, findings: Findings, known: Mapping[str, Known], derived: TableValue
) -> float | None:
    age = None if findings.age_days is None else float(findings.age_days)
    x = age if derived.x == AGE else _measured(known.get(derived.x))
    y, sex = _measured(known.get(derived.y)), _sex(graph, findings, known)
    if sex is None or x is None or y is None:
        return None
    table = graph.guideline.tables[derived.male if sex == "male" else derived.female]
    return (z_score_to_zero if derived.rounding == "to_zero" else z_score)(table, x, y)


def _measured(known: Known | None) -> float | None:
    """A number, unless it only stands for one that cannot be had."""
    return None if known is None or known.unavailable else known.number


def _sex(graph: Graph, findings: Findings, known: Mapping[str, Known]) -> str | None:
    """The sex: as the question for it was answered, or as it is said of the person."""
    for name, (first, *_) in graph.computed.items():
        if first == SEX and isinstance(graph.observations[name].derived, PersonValue):
            given = known.get(name)
            for answer in graph.observations[name].answers if given else ():
                called = {normalise_name(each) for each in (answer.label, *answer.aliases)}
                if given and answer.id in given.answers and called & {"male", "female"}:
                    return "male" if "male" in called else "female"
    return findings.sex


def _work_out(state: Evaluated) -> None:
    """The truth of every node, each after its parts. AND and OR, most of them, are worked out in
    place: calling a function for each takes as long again as all the rest."""
    graph, values = state.graph, state.values
    for node, (kind, kids, data) in enumerate(
        zip(graph.kinds, graph.kids, graph.data, strict=True)
    ):
        if kind in (AND, OR):
            value, settled = (TRUE, FALSE) if kind == AND else (FALSE, TRUE)
            for kid in kids:
                if values[kid] != value:
                    if values[kid] == settled:
                        value = settled
                        break
                    value = UNKNOWN
            values[node] = value
        else:
            values[node] = _TRUTH[kind](state, kids, data)


def _work_out_again(state: Evaluated, changed: Iterable[str]) -> int:
    """The leaves that read what changed, and upwards as far as anything changes; how many nodes.

    A parent has a greater number than its parts, so each node is worked out once.
    """
    graph, values = state.graph, state.values
    due = bytearray(len(values))
    for name in changed:
        for leaf in graph.leaves.get(name, ()):
            due[leaf] = 1
    count, node = 0, due.find(1)
    while node >= 0:
        count += 1
        value = _TRUTH[graph.kinds[node]](state, graph.kids[node], graph.data[node])
        if value != values[node]:
            values[node] = value
            for parent in graph.parents[node]:
                due[parent] = 1
        node = due.find(1, node + 1)
    return count


_Kids = tuple[int, ...]


def _and(state: Evaluated, kids: _Kids, _: object) -> int:
    return min([state.values[kid] for kid in kids])


def _or(state: Evaluated, kids: _Kids, _: object) -> int:
    return max([state.values[kid] for kid in kids])


def _not(state: Evaluated, kids: _Kids, _: object) -> int:
    return TRUE - state.values[kids[0]]


def _if(state: Evaluated, kids: _Kids, _: object) -> int:
    gate = state.values[kids[0]]
    return UNKNOWN if gate == UNKNOWN else state.values[kids[1] if gate == TRUE else kids[2]]


def _own(state: Evaluated, kids: _Kids, data: object) -> int:
    overruled = state.overruled.get(cast(str, data)) if state.overruled else None
    if overruled is None:
        return state.values[kids[0]]
    return FALSE if overruled == _REFUSED else state.values[kids[1]]


def _soft(state: Evaluated, kids: _Kids, _: object) -> int:
    return TRUE if state.values[kids[0]] == TRUE else FALSE


def _aged(state: Evaluated, _: _Kids, data: object) -> int:
    has = cast(AgeBand, data).has(state.findings.age_days)
    return UNKNOWN if has is None else TRUE if has else FALSE


def _constant(_: Evaluated, _kids: _Kids, data: object) -> int:
    return cast(int, data)


def _score(state: Evaluated, kids: _Kids, data: object) -> int:
    count, scores = cast(tuple[float, tuple[float, ...]], data)
    least = most = 0.0
    for kid, score in zip(kids, scores, strict=True):
        value = state.values[kid]
        low, high = (score, score) if value == TRUE else (0.0, 0.0)
        if value == UNKNOWN:
            low, high = min(0.0, score), max(0.0, score)
        least, most = least + low, most + high
    return TRUE if least >= count else FALSE if most < count else UNKNOWN


def _answer(state: Evaluated, kids: _Kids, data: object) -> int:
    leaf = cast(Answered, data)
    known = state.known.get(leaf.observation)
    if known is not None and (not known.unavailable or _settles(state, leaf, known)):
        return TRUE if leaf.answer in known.answers else FALSE
    if known is None and not kids and leaf.unanswered is not None:
        return TRUE if leaf.unanswered else FALSE
    computed = state.values[kids[0]] if kids else UNKNOWN
    if computed == UNKNOWN and known is not None and leaf.fallback is not None:
        return TRUE if leaf.fallback else FALSE
    return FALSE if computed == UNKNOWN and state.unknown_is_false else computed


def _settles(state: Evaluated, leaf: Answered, known: Known) -> bool:
    """Whether that it cannot be had says if this is the answer. It says nothing of the other
    answers, unless the guideline goes on from there, or has a number for it."""
    if leaf.answer in known.answers:
        return True
    if not known.answers:
        return False
    return known.number is not None or leaf.observation in state.graph.provided


def _compare(state: Evaluated, _: _Kids, data: object) -> int:
    leaf = cast(Compared, data)
    known = state.known.get(leaf.observation)
    if known is None and leaf.unanswered is not None:
        return TRUE if leaf.unanswered else FALSE
    if known is None:
        return FALSE if state.unknown_is_false else UNKNOWN
    if known.number is not None:
        return TRUE if HOLDS[leaf.comparator](known.number, leaf.limit) else FALSE
    if known.unavailable and leaf.fallback is not None:
        return TRUE if leaf.fallback else FALSE
    return UNKNOWN


_TRUTH: tuple[Callable[[Evaluated, _Kids, object], int], ...] = (
    _constant, _answer, _compare, _aged, _not, _and, _or, _if, _score, _own, _soft,
)  # fmt: skip
"""By the kind of a node, how its truth is worked out."""


def _without(warnings: tuple[str, ...], graph: Graph, name: str) -> tuple[str, ...]:
    label = graph.observations[name].label
    return tuple(each for each in warnings if not each.startswith(f"{label} of "))
