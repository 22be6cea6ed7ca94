"""What to ask next: danger signs, main symptoms, then whatever tells most about what is grave."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log2

from medweave.guideline.logic.evaluation import Evaluated
from medweave.guideline.logic.graph import AGE, FALSE, SEX, UNKNOWN, WEIGHT, Graph
from medweave.guideline.logic.probabilities import Probabilities
from medweave.model.assessment import ClassificationResult, NextQuestion
from medweave.model.guideline import SEVERITIES, Observation, Severity

_WEIGHT: Mapping[Severity, float] = {"severe": 4.0, "moderate": 2.0, "mild": 1.0, "none": 1.0}
"""How much it matters to settle a classification."""
_COST_OF_A_RESOURCE = 2.0
"""A question costs 1, and this for everything that must be at hand to answer it."""
_NAMED = 2
_LISTED = 6
"""So many signs or symptoms are asked as one list, as in a box of the charts' form."""
_PERSON = {
    "age": "How old is the child?",
    "sex": "Is the child a girl or a boy?",
    "weight": "How much does the child weigh?",
}


def next_question(
    state: Evaluated,
    results: Sequence[ClassificationResult],
    *,
    form: bool = False,
    passed: Collection[str] = (),
    defaults_count: bool = True,
    thorough: bool = True,
) -> NextQuestion | None:
    """The next question; None where everything is settled as far as it can be.

    All danger signs come first, then the signs of the main symptoms that are there, then the other
    main symptoms, in the order of the guideline, and as lists where they are yes or no, then the
    question of which the answer is expected to settle most: the entropy of what is still open,
    weighted by how severe it is, over what asking costs.

    `form`: in the order of the guideline instead, by its own skip logic. `passed` were asked, and
    could not be answered. An answer that is only the guideline's default counts as one unless
    `defaults_count` is false. What is checked in every child, whatever the complaint, is only asked
    for where `thorough`.
    """
    if not thorough:
        passed = {*passed, *_left_for_later(state)}
    waiting: dict[str, ClassificationResult] = {}
    for result in sorted(results, key=lambda each: SEVERITIES.index(each.severity)):
        for name in result.missing:
            if name not in passed:
                waiting.setdefault(name, result)
    first = None if form else _first(state, passed, waiting, defaults_count=defaults_count)
    for name, text in _PERSON.items():
        if name in waiting and (name == AGE or first is None):
            return NextQuestion(name, text, f"{waiting[name].label} depends on it")
    if first is not None:
        return first
    if form:
        taken = frozenset() if defaults_count else _taken_by_default(state, passed)
        return _as_the_form(state, passed, taken) if waiting or taken else None
    if not waiting:
        return None
    return _most_telling(state, waiting, results)


def _first(
    state: Evaluated,
    passed: Collection[str],
    waiting: Collection[str],
    *,
    defaults_count: bool,
) -> NextQuestion | None:
    """The next danger sign or main symptom that nobody has asked for: signs that every child is
    asked for, the main symptoms, and then signs that belong to those which are there."""
    askable = [
        each
        for each in state.graph.observations.values()
        if (each.danger_sign or each.main_symptom) and each.id not in passed
        if _can_ask(state, each)
        if not _is_known(state, each.id, defaults_count=defaults_count)
        if is_read(state.graph, each.id)
    ]  # fmt: skip
    sure = [each for each in askable if state.shown(each.id) != UNKNOWN]
    signs = [each for each in sure if each.danger_sign]
    if signs:
        return _as_a_list(signs, "it is a danger sign: all of them are asked")
    sign = _sign_of_the_complaint(state, {*_sure(state, waiting), *_told_only(state, passed)})
    if sign is not None:
        return sign
    symptoms = [each for each in sure if each.id in waiting or not _is_needless(state, each)]
    if symptoms:
        return _as_a_list(symptoms, "it is a main symptom: all of them are asked")
    return None


def _told_only(state: Evaluated, passed: Collection[str]) -> Iterator[str]:
    """What can be measured behind a sign that was told: who is said to breathe fast is counted."""
    graph = state.graph
    for name, known in state.known.items():
        if known.source == "given":
            for each in graph.measured_for(name) - state.known.keys() - set(passed):
                if _can_ask(state, graph.observations[each]):
                    yield each


def _as_a_list(asked_of: Sequence[Observation], why: str) -> NextQuestion:
    """The first of them, and with it those that can be answered in the same list."""
    first, *others = asked_of
    question = NextQuestion.about(first, why)
    if first.kind != "boolean":
        return question
    listed = [each.id for each in others if each.kind == "boolean"]
    return replace(question, together=tuple(listed[: _LISTED - 1]))


def _left_for_later(state: Evaluated) -> Iterator[str]:
    """What is checked in every child, and what is asked only where that shows something."""
    for each in state.graph.observations.values():
        first = each.danger_sign or each.main_symptom
        if each.routine or (state.shown(each.id) == UNKNOWN and not first):
            yield each.id
    for stated, name in ((SEX, "sex"), (WEIGHT, "weight")):
        # where they only make scores that are checked in every child
        read = [state.graph.observations[other] for other in _computed_from(state.graph, stated)]
        if read and all(each.routine or not state.graph.leaves.get(each.id) for each in read):
            yield name


def _computed_from(graph: Graph, name: str) -> Iterator[str]:
    """All that is computed from something said of the person, by itself or through others."""
    for other in graph.computed:
        waiting, seen = [other], {other}
        while waiting:
            for each in graph.computed.get(waiting.pop(), ()):
                if each not in seen:
                    seen.add(each)
                    waiting.append(each)
        if name in seen:
            yield other


def _is_needless(state: Evaluated, symptom: Observation) -> bool:
    """Whether another main symptom of its group is there: cough, for difficult breathing."""
    return not symptom.default and any(
        other.main_symptom and other.group == symptom.group and is_present(state, other)
        for other in state.graph.observations.values()
        if other.id != symptom.id
    )


def is_present(state: Evaluated, symptom: Observation) -> bool:
    """Whether a symptom was answered with yes."""
    known = state.known.get(symptom.id)
    yes = symptom.option("true")
    return known is not None and yes is not None and yes.id in known.answers


def is_read(graph: Graph, name: str) -> bool:
    """Whether any rule reads an observation, by itself or through what is worked out from it."""
    return bool(graph.leaves.get(name)) or any(
        graph.leaves.get(other) for other in graph.touches.get(name, ())
    )


def _is_known(state: Evaluated, name: str, *, defaults_count: bool) -> bool:
    known = state.known.get(name)
    return known is not None and (defaults_count or known.source != "default")


def _can_ask(state: Evaluated, observation: Observation) -> bool:
    """Whether an answer to it can be so. What is only needless by the form may be asked before the
    form comes to it: whether anything rests on it, the rules say."""
    if observation.derived is not None:
        return False
    if observation.ages.has(state.findings.age_days) is False:
        return False
    return observation.unasked == "needless" or state.shown(observation.id) != FALSE


def _shows(state: Evaluated, observation: Observation) -> bool:
    return _can_ask(state, observation) and state.shown(observation.id) != FALSE


@dataclass(frozen=True, slots=True)
class _Open:
    """A classification that is not settled: its rule's node and what settling it is worth."""

    label: str
    node: int
    weight: float


def _most_telling(
    state: Evaluated,
    waiting: Mapping[str, ClassificationResult],
    results: Sequence[ClassificationResult],
) -> NextQuestion | None:
    observations = state.graph.observations
    observed = [name for name in waiting if name in observations]
    ready = [name for name in observed if _can_ask(state, observations[name])]
    candidates = _sure(state, waiting) or ready or observed
    if not candidates:
        return None
    chances, opens = Probabilities(state), list(_opens(state, results))
    order = {name: at for at, name in enumerate(observations)}
    gains = {name: _gain(state, chances, opens, name) for name in candidates}
    best = min(
        candidates,
        key=lambda name: (
            -gains[name][0] / _cost(observations[name]),
            SEVERITIES.index(waiting[name].severity),
            order[name],
        ),
    )
    labels = gains[best][1] or (waiting[best].label,)
    return NextQuestion.about(observations[best], "it tells most about " + " and ".join(labels))


def _sure(state: Evaluated, waiting: Collection[str]) -> list[str]:
    """What can be asked now, and does not hang on something that is open."""
    observations = state.graph.observations
    return [
        name
        for name in waiting
        if name in observations and _can_ask(state, observations[name])
        if not _depends(state, name)
    ]


def _sign_of_the_complaint(state: Evaluated, names: Collection[str]) -> NextQuestion | None:
    """The next sign of a main symptom that is there, in the order of its examination: of a cough,
    breathing comes first, counted while the child is calm."""
    observations = state.graph.observations
    present = {
        each.group
        for each in observations.values()
        if each.main_symptom and each.group and is_present(state, each)
    }
    signs = (name for name, each in observations.items() if each.group in present)
    sign = next((name for name in signs if name in names), None)
    if sign is None:
        return None
    return NextQuestion.about(observations[sign], "it is a sign of what the child has")


def _depends(state: Evaluated, name: str) -> bool:
    """Whether it can be so only by something that is not known yet."""
    possible = state.graph.observations[name].unasked == "needless"
    return not possible and _depends_on_open(state, name)


def _depends_on_open(state: Evaluated, name: str) -> bool:
    return state.shown(name) == UNKNOWN


def _cost(observation: Observation) -> float:
    return 1 + _COST_OF_A_RESOURCE * len(observation.resources)


def _opens(state: Evaluated, results: Sequence[ClassificationResult]) -> Iterator[_Open]:
    rules, classifications = state.graph.rules, state.graph.classifications
    seen: set[int] = set()
    for result in results:
        named = [result.id] if result.status == "possible" else list(result.open)
        for name in named:
            each = classifications[name]
            node = rules[name].standing if result.status == "possible" else rules[name].strict
            if node not in seen:
                seen.add(node)
                yield _Open(each.label, node, _WEIGHT[each.severity])


def _gain(
    state: Evaluated, chances: Probabilities, opens: Sequence[_Open], name: str
) -> tuple[float, tuple[str, ...]]:
    """How much an answer is expected to settle, and what above all."""
    best: tuple[float, tuple[str, ...]] = (0.0, ())
    for each in (name, *state.graph.touches.get(name, ())):
        leaves = state.graph.leaves.get(each)
        if not leaves:
            continue
        above = chances.open_above(leaves)
        reached = set(above) | set(leaves)
        touched = [open_ for open_ in opens if open_.node in reached]
        outcomes = chances.outcomes(each)
        if not touched or not outcomes:
            continue
        afters = [(outcome.chance, chances.after(outcome, above)) for outcome in outcomes]
        gains = {
            open_.label: open_.weight
            * (
                _entropy(chances.of(open_.node))
                - sum(chance * _entropy(after[open_.node]) for chance, after in afters)
            )
            for open_ in touched
        }
        count = len(state.graph.computed.get(each, ())) if each != name else 1
        total = sum(gains.values()) / max(1, count)
        if total > best[0]:
            labels = sorted(gains, key=lambda label: -gains[label])[:_NAMED]
            best = total, tuple(labels)
    return best


def _entropy(chance: float) -> float:
    """Bits that it takes to settle something of this chance.

    >>> _entropy(0.5), _entropy(1.0)
    (1.0, 0.0)
    """
    if chance <= 0 or chance >= 1:
        return 0.0
    return -chance * log2(chance) - (1 - chance) * log2(1 - chance)


def _taken_by_default(state: Evaluated, passed: Collection[str]) -> frozenset[str]:
    """Danger signs and main symptoms that have an answer though nobody asked for them."""
    return frozenset(
        each.id
        for each in state.graph.observations.values()
        if (each.danger_sign or each.main_symptom) and each.id not in passed
        if _is_known(state, each.id, defaults_count=True)
        if not _is_known(state, each.id, defaults_count=False)
        if _can_ask(state, each)
    )  # fmt: skip


def _as_the_form(
    state: Evaluated, passed: Collection[str], taken: Collection[str]
) -> NextQuestion | None:
    """The first question that the form shows; where it is not known whether it shows one that may
    be needless, those that it surely shows go before."""
    left = [
        each
        for name, each in state.graph.observations.items()
        if (name not in state.known or name in taken) and name not in passed
        if _shows(state, each)
    ]
    sure = (e for e in left if e.unasked == "impossible" or not _depends_on_open(state, e.id))
    first = next(sure, None) or next(iter(left), None)
    return NextQuestion.about(first, "it is next in the form") if first else None
