"""Runs systems over items: trained on cases or in folds, timed, resumable, then measured."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from statistics import median
from time import perf_counter
from typing import Any

from medweave.errors import ConfigurationError
from medweave.evaluation.data.perturbations import perturbed
from medweave.evaluation.items import Data, Item, System, Trainer
from medweave.evaluation.measures.bootstrap import Drawn, draw_all
from medweave.evaluation.measures.classification import Measure, mean_of, per_class, risk_coverage
from medweave.evaluation.outcomes import Checkpoint, Outcome, Training, outcome_of
from medweave.evaluation.result import Evaluation, SystemResult, Tables
from medweave.language.folding import name_key
from medweave.ports import Progress, no_progress

MeasuresOf = Callable[[Sequence[Item], Sequence[Outcome]], dict[str, Measure]]
"""The measures of a task, for the outcomes of one system."""
Repeats = list[list[Outcome]]
"""For each repeat, what a system said of each item."""
TablesOf = Callable[[Sequence[Item], Mapping[str, Sequence[Outcome]]], Tables]
"""What a task counts beside its measures, for the outcomes of all systems, ours first."""
ErrorsOf = Callable[[Sequence[Item], Sequence[Outcome]], list[dict[str, Any]]]
"""What ours got wrong, one row for each error."""
CasesOf = Callable[[Sequence[Item], Mapping[str, Sequence[Outcome]]], list[dict[str, Any]]]
"""What every system said of every item, a row for each, ours first."""
OURS = "medweave"
MOST_TRAINING_CASES = 1000
"""Of more cases than these, evenly spread ones tell how a system does on what it has learned."""


@dataclass(frozen=True, slots=True)
class Plan:
    """One run: what is ranked, by whom, after which training."""

    task: str
    data: Data
    systems: Mapping[str, Trainer]
    measures: MeasuresOf
    train: tuple[Item, ...] = ()
    folds: int = 0
    seed: int = 0
    settings: Mapping[str, Any] = field(default_factory=dict)
    name_of: Callable[[str], str] = str
    """How a label is shown."""
    repeats: int = 1
    """So many times the items are shuffled into folds anew; figures are means over all."""
    tables: TablesOf | None = None
    """Where what is found is counted, and not items: there are no classes and no errors then."""
    qrels: Mapping[str, MeasuresOf] = field(default_factory=dict)
    """Where documents are ranked: the measures by each file of judgements. Documents are no
    classes."""
    case_rows: CasesOf | None = None
    """Where answers are to be read one by one: the rows of `cases.jsonl`."""
    errors: ErrorsOf | None = None
    """Where what is wrong of an item is told by its system; then there are no classes either."""

    @property
    def by_class(self) -> bool:
        """Whether every item has a label, which is a class of its own."""
        return not (self.tables or self.qrels or self.errors)


def with_perturbed(plan: Plan, kinds: Sequence[str], *, without: Collection[str] = ()) -> Plan:
    """A plan in which every item also stands as each kind of perturbation makes it.

    The copies are slices of their own, and nothing is trained on them. `without` are systems that
    are left out, to save time.
    """
    numbers = plan.data.numbers_of()
    originals = [plan.data.items[number] for number in numbers]
    copies = tuple(
        replace(copy, copy_of=number)
        for kind in kinds
        for number, copy in zip(numbers, perturbed(originals, kind, seed=plan.seed), strict=True)
    )
    return replace(
        plan,
        data=replace(plan.data, items=(*plan.data.items, *copies)),
        systems={name: make for name, make in plan.systems.items() if name not in without},
        settings={**plan.settings, "perturb": ",".join(kinds)},
    )


def evaluate(plan: Plan, checkpoint: Checkpoint, *, progress: Progress = no_progress) -> Evaluation:
    """Run every system over every item, and measure. What an earlier run left is not run again.

    Items of a slice are told apart; all other figures are of the items in none. Where there are
    several repeats, classes, curves and errors are those of the first.

    Raises `ConfigurationError` where ours cannot run, there are not enough items for the folds, or
    something is to be repeated that has none.
    """
    if plan.repeats > 1 and not plan.folds:
        raise ConfigurationError(
            "there are no folds to repeat", where="--repeats", remedy="give --folds 5 as well"
        )
    count = sum(item.copy_of is None for item in plan.data.items)
    if plan.folds and not 1 < plan.folds <= count:
        raise ConfigurationError(
            f"{count} items cannot be parted into {plan.folds} folds",
            where="--folds",
            remedy="take at least 2 folds, and no more than there are items",
        )
    outcomes: dict[str, Repeats] = {}
    not_run: dict[str, str] = {}
    with closing(checkpoint):
        for name, trainer in plan.systems.items():
            try:
                outcomes[name] = _ranked(name, trainer, plan, checkpoint, progress)
            except ConfigurationError as error:
                if name == OURS:
                    raise
                not_run[name] = str(error)
    checkpoint.finish()
    names = _names(plan, outcomes)
    slices = _slices(plan, outcomes)
    items, outcomes = _part(plan, outcomes, "")
    firsts = {name: repeats[0] for name, repeats in outcomes.items()}
    drawn = _drawn(plan, items, outcomes)
    return Evaluation(
        task=plan.task,
        data=plan.data,
        seed=plan.seed,
        settings=plan.settings,
        systems=[
            _result(
                name,
                plan,
                some,
                items,
                drawn=drawn[name],
                names=names,
                training=checkpoint.training(name),
            )
            for name, some in outcomes.items()
        ],
        slices=slices,
        classes=_classes(items, names) if plan.by_class else {},
        errors=_errors_of(plan, items, firsts[OURS], names),
        differences=_differences(drawn) if items else {},
        not_run=not_run,
        qrels=_by_qrels(plan, items, outcomes),
        tables=plan.tables(items, firsts) if plan.tables else {},
        cases=plan.case_rows(items, firsts) if plan.case_rows else (),
    )


def _ranked(
    name: str, trainer: Trainer, plan: Plan, checkpoint: Checkpoint, progress: Progress
) -> Repeats:
    """Outcomes are kept by their number over all repeats."""
    items = plan.data.items
    whole = plan.repeats * len(items)
    done = 0
    for repeat in range(plan.repeats):
        for fold, (train, held) in enumerate(_splits(plan, plan.seed + repeat)):
            numbers = {repeat * len(items) + at: at for at in held}
            waiting = [number for number in numbers if (name, number) not in checkpoint.outcomes]
            done += len(held) - len(waiting)
            if not waiting:
                continue
            system, training = _trained(trainer, train)
            checkpoint.add_training(name, repeat * plan.folds + fold, training)
            for number in waiting:
                item = items[numbers[number]]
                started = perf_counter()
                ranked = system.rank(item)
                spent = (perf_counter() - started) * 1000
                checkpoint.add(name, number, outcome_of(item, ranked, spent))
                done += 1
                progress(done, whole, name)
    found = [checkpoint.outcomes[name, number] for number in range(whole)]
    return [found[at : at + len(items)] for at in range(0, whole, len(items))]


def _trained(trainer: Trainer, cases: Sequence[Item]) -> tuple[System, Training]:
    """A system, and what it makes of the cases it has learned from, or of some of them."""
    started = perf_counter()
    system = trainer(cases)
    seconds = perf_counter() - started
    step = max(1, len(cases) // MOST_TRAINING_CASES)
    sample = [case for case in cases[::step] if case.expected]
    right = sum(outcome_of(case, system.rank(case), 0.0).place == 1 for case in sample)
    return system, Training(seconds, len(sample), right)


def _splits(plan: Plan, seed: int) -> list[tuple[Sequence[Item], list[int]]]:
    """Training cases, and the numbers of the items that are ranked after them."""
    items = plan.data.items
    if not plan.folds:
        return [(plan.train, list(range(len(items))))]
    originals = [item for item in items if item.copy_of is None]
    folds = stratified(originals, plan.folds, seed=seed)
    copies: dict[int | None, list[int]] = defaultdict(list)
    for number, item in enumerate(items):
        copies[item.copy_of].append(number)
    return [
        (
            [*plan.train, *_others(items, fold, folds)],
            [*fold, *(copy for at in fold for copy in copies[at])],
        )
        for fold in folds
    ]


def _others(
    items: Sequence[Item], fold: Sequence[int], folds: Sequence[Sequence[int]]
) -> list[Item]:
    """The items of the other folds; a text that two people labelled is in one fold only."""
    held = {name_key(items[at].text) for at in fold if items[at].mentions}
    others = [items[at] for other in folds if other is not fold for at in other]
    return [item for item in others if not item.mentions or name_key(item.text) not in held]


def stratified(items: Sequence[Item], folds: int, *, seed: int) -> list[list[int]]:
    """Item numbers in folds of about equal size, each with its share of every class.

    >>> some = [Item(str(at), ("flu" if at % 2 else "cold",)) for at in range(8)]
    >>> [sorted(some[at].expected[0] for at in fold) for fold in stratified(some, 2, seed=0)]
    [['cold', 'cold', 'flu', 'flu'], ['cold', 'cold', 'flu', 'flu']]
    """
    of_class: dict[str, list[int]] = defaultdict(list)
    for at, item in enumerate(items):
        of_class[item.expected[0] if item.expected else ""].append(at)
    chance = random.Random(seed)  # noqa: S311 - chance here decides nothing secret
    order = []
    for label in sorted(of_class):
        chance.shuffle(of_class[label])
        order += of_class[label]
    return [sorted(order[fold::folds]) for fold in range(folds)]


def _names(plan: Plan, outcomes: Mapping[str, Repeats]) -> dict[str, str]:
    """How each label is shown: labels of one name are told apart by what they are."""
    labels = {label for item in plan.data.items for label in item.expected}
    labels |= {
        outcome.got
        for some in outcomes.values()
        for each in some
        for outcome in each
        if outcome.got
    }
    names = {label: plan.name_of(label) for label in sorted(labels)}
    often = Counter(names.values())
    return {
        label: name if often[name] == 1 else f"{name} ({label})" for label, name in names.items()
    }


def _classes(items: Sequence[Item], names: Mapping[str, str]) -> dict[str, int]:
    """How many items each class has, the largest first; several right labels are one class."""
    counted = Counter(_expected(item, names) for item in items)
    return dict(sorted(counted.items(), key=lambda pair: (-pair[1], pair[0])))


def _expected(item: Item, names: Mapping[str, str]) -> str:
    return " | ".join(names[label] for label in item.expected)


_Measured = dict[str, dict[str, Drawn]]
"""By system and measure: what was measured."""


def _drawn(plan: Plan, items: Sequence[Item], outcomes: Mapping[str, Repeats]) -> _Measured:
    """The measures of all systems, over one and the same draws."""
    measured = {name: _means(plan, items, some) for name, some in outcomes.items()}
    every = {(name, key): m for name, some in measured.items() for key, m in some.items()}
    drawn = draw_all(every, len(items), seed=plan.seed)
    return {name: {key: drawn[name, key] for key in some} for name, some in measured.items()}


def _means(plan: Plan, items: Sequence[Item], repeats: Repeats) -> dict[str, Measure]:
    """Each measure as its mean over all repeats."""
    measured = [plan.measures(items, some) for some in repeats]
    common = [key for key in measured[0] if all(key in some for some in measured)]
    return {key: mean_of([some[key] for some in measured]) for key in common}


def _by_repeat(plan: Plan, items: Sequence[Item], repeats: Repeats) -> dict[str, list[float]]:
    """What each measure was in each repeat; nothing where there is one."""
    if len(repeats) == 1:
        return {}
    every = range(len(items))
    measured = [plan.measures(items, some) for some in repeats]
    return {key: [round(some[key](every), 4) for some in measured] for key in measured[0]}


def _result(
    name: str,
    plan: Plan,
    repeats: Repeats,
    items: Sequence[Item],
    *,
    drawn: Mapping[str, Drawn],
    names: Mapping[str, str],
    training: Training,
) -> SystemResult:
    """The measures of a system and its times, and what it makes of each class."""
    spent = [outcome.milliseconds for some in repeats for outcome in some]
    result = SystemResult(
        name,
        {key: measured.figure() for key, measured in drawn.items()},
        sum(spent) / 1000,
        median(spent) if spent else 0.0,
        training=training,
    )
    if not plan.by_class:
        return result
    first = repeats[0]
    return replace(
        result,
        classes=[{**row, "class": names[row["class"]]} for row in per_class(items, first)],
        risk_coverage=risk_coverage(first),
        repeats=_by_repeat(plan, items, repeats),
    )


def _slices(plan: Plan, outcomes: Mapping[str, Repeats]) -> dict[str, dict[str, Any]]:
    """The measures of each slice, for every system; of perturbed items, what each loses."""
    found: dict[str, dict[str, Any]] = {}
    clean = _drawn(plan, *_part(plan, outcomes, ""))
    for name in plan.data.apart:
        some, of_some = _part(plan, outcomes, name)
        drawn = _drawn(plan, some, of_some)
        found[name] = {"n": len(some), "systems": _figures(drawn)}
        if some[0].copy_of is not None:
            found[name] |= _perturbation(plan, some, clean, drawn)
    for name, numbers in plan.data.groups.items():
        drawn = _drawn(plan, *_at(plan, outcomes, numbers))
        found[name] = {"n": len(numbers), "systems": _figures(drawn)}
        found[name]["differences"] = _differences(drawn)
    return found


def _perturbation(
    plan: Plan, copies: Sequence[Item], clean: _Measured, drawn: _Measured
) -> dict[str, Any]:
    """How many texts are changed, and perturbed minus clean of the first measure, draw by draw."""
    changed = sum(copy.text != plan.data.items[copy.copy_of or 0].text for copy in copies)
    first = next(iter(clean[OURS]))
    lost = {
        system: measured[first].less(clean[system][first]).to_json()
        for system, measured in drawn.items()
    }
    return {"changed": changed, "differences": {first: lost}}


def _by_qrels(
    plan: Plan, items: Sequence[Item], outcomes: Mapping[str, Repeats]
) -> dict[str, dict[str, Any]]:
    """The measures of every system by each file of judgements, and ours minus theirs."""
    found: dict[str, dict[str, Any]] = {}
    for name, measures in plan.qrels.items():
        drawn = _drawn(replace(plan, measures=measures), items, outcomes)
        found[name] = {"systems": _figures(drawn), "differences": _differences(drawn)}
    return found


def _figures(drawn: _Measured) -> list[dict[str, Any]]:
    """All systems with their measures, as they stand in the JSON of a part."""
    return [
        {"name": system, "measures": {k: d.figure().to_json() for k, d in measured.items()}}
        for system, measured in drawn.items()
    ]


def _part(
    plan: Plan, outcomes: Mapping[str, Repeats], slice_: str
) -> tuple[list[Item], dict[str, Repeats]]:
    """The items of a slice with what every system said of them; of '', those in none."""
    return _at(plan, outcomes, plan.data.numbers_of(slice_))


def _at(
    plan: Plan, outcomes: Mapping[str, Repeats], at: Sequence[int]
) -> tuple[list[Item], dict[str, Repeats]]:
    """The items of these numbers, likewise."""
    some = {
        name: [[repeat[number] for number in at] for repeat in repeats]
        for name, repeats in outcomes.items()
    }
    return [plan.data.items[number] for number in at], some


def _errors_of(
    plan: Plan, items: Sequence[Item], outcomes: Sequence[Outcome], names: Mapping[str, str]
) -> list[dict[str, Any]]:
    if plan.tables:
        return []
    if plan.errors:
        return plan.errors(items, outcomes)
    return [
        {
            "id": item.id,
            "expected": _expected(item, names),
            "got": names.get(outcome.got, ""),
            "place": outcome.place,
            "recognised": outcome.recognised,
            "answered": outcome.answered,
            "text": item.text[:300],
        }
        for item, outcome in zip(items, outcomes, strict=True)
        if outcome.place != 1
    ]


def _differences(drawn: _Measured) -> dict[str, dict[str, Any]]:
    """Ours minus each other system, on the same draws: an interval without 0 tells them apart."""
    first, ours = next(iter(drawn[OURS].items()))
    others = {name: measured[first] for name, measured in drawn.items() if name != OURS}
    return {first: {name: ours.less(theirs).to_json() for name, theirs in others.items()}}
