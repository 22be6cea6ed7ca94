"""The task `diagnosis`: which disease does a patient have?"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from math import log

from medweave.errors import ConfigurationError
from medweave.evaluation.data.cases import FindingsReader
from medweave.evaluation.data.labels import Labels
from medweave.evaluation.items import Item, Ranked, System, Trainer
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
from medweave.evaluation.systems.baselines import (
    Bm25,
    Majority,
    NaiveBayes,
    NearestCase,
    TfidfRegression,
)
from medweave.evaluation.task import Request, register
from medweave.inference.differential import differential, walked
from medweave.language.segmentation import words
from medweave.model.edge import thing_number
from medweave.model.ranking import Ranking
from medweave.understanding.intents.calibration import Calibration
from medweave.understanding.intents.features import QuestionText, gram_features
from medweave.understanding.intents.linear import train_linear
from medweave.vocabulary.knowledge import Knowledge

_RANKED = 50
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


class BaseCases:
    """Every disease of a base as one case of itself: its findings, their strengths, all its words.

    So naive Bayes, the nearest case and BM25 can be run where there are no patients to learn from.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        strengths: dict[int, dict[int, float]] = defaultdict(dict)
        for edge in knowledge.store.all_edges(walked(knowledge)):
            if edge.weight > 0:
                held = strengths[edge.subject]
                held[edge.object] = max(held.get(edge.object, 0.0), edge.weight)
        names: dict[int, str] = {}
        identifiers: dict[int, str] = {}
        for count in knowledge.store.all_names():
            number = thing_number(count.mention.entity)
            names.setdefault(number, count.mention.name)
            identifiers[number] = count.mention.entity
        diseases = {
            entity for entity, votes in knowledge.store.concept_votes() if "disease" in votes
        }
        self._strengths = {
            n: held for n, held in strengths.items() if identifiers.get(n) in diseases
        }
        self._names, self._identifiers = names, identifiers

    def items(self) -> list[Item]:
        """A case for each disease; its facts are its findings by number."""
        return [
            Item(str(number), (self._identifiers[number],), facts=tuple(map(str, sorted(held))))
            for number, held in sorted(self._strengths.items())
        ]

    def strength(self, item: Item, finding: str) -> float:
        """How strongly a disease shows a finding."""
        return self._strengths[int(item.id)][int(finding)]

    def texts(self) -> list[tuple[str, str]]:
        """Each disease with its name and the names of its findings."""
        return [
            (
                self._identifiers[number],
                " ".join(self._names.get(n, "") for n in (number, *sorted(held))),
            )
            for number, held in sorted(self._strengths.items())
        ]

    def said(self, case: Item) -> str:
        """The words of a case: its text, or the names of its findings."""
        return case.text or " ".join(self._names.get(int(n), "") for n in case.facts)

    def by_size(self) -> list[Item]:
        """Cases whose numbers are the sizes of the diseases: the majority names the largest."""
        return [
            Item(f"{number}/{at}", (self._identifiers[number],))
            for number, held in sorted(self._strengths.items())
            for at in range(len(held))
        ]


class OnBase:
    """A system trained on a base's cases: items go in as such cases, labels come out."""

    def __init__(self, system: System, knowledge: Knowledge, reader: FindingsReader) -> None:
        self._system, self._labels, self._reader = system, Labels(knowledge), reader

    def rank(self, item: Item) -> Ranked:
        """The same ranking with labels in place of identifiers."""
        present = self._reader.findings(item).present
        numbers = dict.fromkeys(str(thing_number(e)) for group in present for e in group)
        found = self._system.rank(replace(item, facts=tuple(numbers)))
        labels = self._labels.of_entities(found.labels[:_RANKED])
        return Ranked(labels, found.confidence, found.answered, found.recognised)


def facts_of(case: Item) -> tuple[str, ...]:
    """The findings of a case of a base, by number."""
    return case.facts


class GraphDiagnosis:
    """The differential of `medweave ask`; it answers where one disease leads clearly."""

    def __init__(
        self, knowledge: Knowledge, reader: FindingsReader, ranking: Ranking | None = None
    ) -> None:
        self._knowledge, self._reader = knowledge, reader
        self._ranking = ranking or Ranking()
        self._labels = Labels(knowledge)

    def rank(self, item: Item) -> Ranked:
        """Labels of the diseases, the best first; those ruled out last."""
        found = self._reader.findings(item)
        ranked = differential(
            found.present,
            found.absent,
            self._knowledge,
            self._ranking,
            words=found.words,
            loose=found.loose,
        )
        if not found.present and not ranked.ranked:
            return Ranked(answered=False, recognised=False)
        labels = self._labels.of_entities(disease.entity for disease in ranked.ranked)
        joined = ranked.ranked[0].findings if ranked.ranked else 0
        return Ranked(labels, joined + ranked.margin, answered=ranked.clear)


class LearnedDiagnosis:
    """Ours where there are cases to learn from: the linear model of intents, with the n-grams of a
    text, what `findings` recognises in it, present or absent, and all coded facts as features."""

    def __init__(self, cases: Sequence[Item], findings: Callable[[Item], Iterable[str]]) -> None:
        if not cases:
            raise ConfigurationError("no training cases", remedy="give them with --train FILE")
        self._findings = findings
        self._model = train_linear([([self._grams(case)], case.expected) for case in cases])

    def _grams(self, item: Item) -> Counter[str]:
        grams = gram_features(QuestionText(item.text)) if item.text else Counter[str]()
        grams.update(f"= {fact}" for fact in sorted((*item.facts, *self._findings(item))))
        return grams

    def rank(self, item: Item) -> Ranked:
        """Labels by score; how sure it is, is the logistic of the best."""
        scores = self._model.scores(self._grams(item))
        pairs = sorted(zip(scores, self._model.labels, strict=True), key=lambda p: (-p[0], p[1]))
        sure = Calibration().probabilities([pairs[0][0]])[0]
        return Ranked(tuple(label for _, label in pairs), sure)


class IdfVote:
    """Every finding votes for the diseases that show it, the rarer the louder.

        score(d) = sum over findings f of  ln(1 + D / D(f)) * strength(d, f)

    One step over the graph and no walk: the baseline that a walk has to beat.
    """

    def __init__(self, knowledge: Knowledge, reader: FindingsReader) -> None:
        self._knowledge, self._reader = knowledge, reader
        self._labels = Labels(knowledge)
        self._diseases = knowledge.mentioned_as("disease")
        self._predicates = walked(knowledge)

    def rank(self, item: Item) -> Ranked:
        """Diseases by votes."""
        present = self._reader.findings(item).present
        if not present:
            return Ranked(answered=False, recognised=False)
        own = {thing_number(entity) for group in present for entity in group}
        votes: dict[int, float] = defaultdict(float)
        for group in present:
            for disease, vote in self._votes({thing_number(e) for e in group}).items():
                if disease not in own:
                    votes[disease] += vote
        order = sorted(votes, key=lambda disease: (-votes[disease], disease))[:_RANKED]
        names = self._knowledge.store.identifiers(order)
        resolved = self._knowledge.entities.all(names.values())
        diseases = [names[n] for n in order if "disease" in resolved[names[n]].concepts]
        labels = self._labels.of_entities(diseases)
        return Ranked(labels, votes[order[0]] if order else 0.0)

    def _votes(self, finding: set[int]) -> dict[int, float]:
        strengths: dict[int, float] = {}
        for edge in self._knowledge.store.edges(finding, self._predicates, cap=10_000):
            if edge.object in finding and edge.weight > 0:
                strengths[edge.subject] = max(strengths.get(edge.subject, 0.0), edge.weight)
        if not strengths:
            return {}
        idf = log(1 + max(self._diseases, len(strengths)) / len(strengths))
        return {disease: idf * strength for disease, strength in strengths.items()}


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
