"""The task `diagnosis`: which disease does a patient have?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache

from medweave.evaluation.data.cases import FindingsReader
from medweave.evaluation.data.labels import Labels
from medweave.evaluation.items import Item, System, Trainer
from medweave.evaluation.measures.classification import (
    Measure,
    coverage,
    macro_f1,
    right,
    share,
    share_of,
)
from medweave.evaluation.outcomes import Outcome
from medweave.evaluation.runner import OURS, Plan
from medweave.evaluation.systems.base_cases import BaseCases, OnBase, facts_of
from medweave.evaluation.systems.bm25 import Bm25
from medweave.evaluation.systems.graph_diagnosis import GraphDiagnosis
from medweave.evaluation.systems.idf_vote import IdfVote
from medweave.evaluation.systems.learned_diagnosis import LearnedDiagnosis
from medweave.evaluation.systems.majority import Majority
from medweave.evaluation.systems.naive_bayes import NaiveBayes
from medweave.evaluation.systems.nearest_case import NearestCase
from medweave.evaluation.systems.tfidf_regression import TfidfRegression
from medweave.evaluation.task import Request, register
from medweave.language.segmentation import words
from medweave.model.ranking import Ranking
from medweave.vocabulary.knowledge import Knowledge

VARIANTS = {
    "medweave without words": Ranking(words=0),
    "medweave words 0.5": Ranking(words=0.5),
    "medweave words 2": Ranking(words=2),
    "medweave uncorrected": Ranking(correction=0),
    "medweave corrected 0.5": Ranking(correction=0.5),
    "medweave damping 0.1": Ranking(damping=0.1),
    "medweave damping 0.85 uncorrected": Ranking(damping=0.85, correction=0),
    "medweave textrank": Ranking(mode="textrank", damping=0.85, correction=0),
    "medweave verbatim": Ranking(mode="verbatim", damping=0.85, correction=0),
}
"""What is compared with the default: restarts, corrections, and the equation as printed."""


def plan(request: Request) -> Plan:
    """What is run: over the base alone, or trained on cases (and the base, where one is named)."""
    knowledge = request.base.knowledge
    reader = FindingsReader(knowledge)
    data, cases = request.read(reader.maker())
    systems = _trained(reader) if request.learns else {}
    if request.base_named or not systems:
        systems |= _on_base(knowledge, reader, trained=bool(systems))
    name_of = Labels(knowledge).name
    return request.plan("diagnosis", data, systems, measures_of, cases=cases, name_of=name_of)


def _trained(reader: FindingsReader) -> dict[str, Trainer]:
    """Systems that learn from cases: all of them from the same."""

    def recognised(item: Item) -> Iterable[str]:
        found = reader.findings(item)
        yield from (f"present {group[0]}" for group in found.present)
        yield from (f"absent {group[0]}" for group in found.absent)

    def features(item: Item) -> Iterable[str]:
        return (*item.facts, *(() if item.facts and not item.text else words(item.text)))

    def regression(cases: Sequence[Item]) -> System:
        coded = all(case.facts and not case.text for case in cases)
        return TfidfRegression(cases, features if coded else None)

    return {
        OURS: lambda cases: LearnedDiagnosis(cases, recognised),
        "majority": Majority,
        "naive bayes": lambda cases: NaiveBayes(cases, features),
        "nearest case": lambda cases: NearestCase(cases, features),
        "bm25": lambda cases: Bm25(
            (label, c.text or " ".join(c.facts)) for c in cases for label in c.expected
        ),
        "tf-idf + logistic regression": regression,
    }


def _on_base(knowledge: Knowledge, reader: FindingsReader, *, trained: bool) -> dict[str, Trainer]:
    """Systems that have no cases but the monographs of the base."""
    ours = "medweave graph" if trained else OURS
    systems: dict[str, Trainer] = {
        ours: lambda _: GraphDiagnosis(knowledge, reader),
        "idf vote": lambda _: IdfVote(knowledge, reader),
    }
    if trained:
        return systems

    @cache
    def base() -> BaseCases:
        return BaseCases(knowledge)

    def on_base(make: Callable[[], System]) -> Trainer:
        return lambda _: OnBase(make(), knowledge, reader)

    def bayes() -> System:
        return NaiveBayes(base().items(), facts_of, weight_of=base().strength)

    def variant(ranking: Ranking) -> Trainer:
        return lambda _: GraphDiagnosis(knowledge, reader, ranking)

    return {
        **systems,
        **{name: variant(ranking) for name, ranking in VARIANTS.items()},
        "majority": on_base(lambda: Majority(base().by_size())),
        "naive bayes": on_base(bayes),
        "nearest case": on_base(lambda: NearestCase(base().items(), facts_of)),
        "bm25": on_base(lambda: Bm25(base().texts(), base().said)),
    }


def measures_of(items: Sequence[Item], outcomes: Sequence[Outcome]) -> dict[str, Measure]:
    """Hits count whether or not a system abstains."""
    answered = [outcome.answered for outcome in outcomes]
    return {
        "hits@1": share(right(outcomes)),
        "hits@3": share(right(outcomes, 3)),
        "hits@5": share(right(outcomes, 5)),
        "macro_f1": macro_f1(items, outcomes),
        "coverage": coverage(items, outcomes),
        "no_entity": share([not outcome.recognised for outcome in outcomes]),
        "answered": share(answered),
        "accuracy_when_answered": share_of(right(outcomes), answered),
    }


register("diagnosis", plan, "train", "folds", "perturb", variants=VARIANTS)
