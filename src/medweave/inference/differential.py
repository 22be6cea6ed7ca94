"""Which diseases fit the findings: ranking, and what speaks against."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import nsmallest
from math import log, sqrt

from medweave.inference.befalls import UNTOLD, Prior
from medweave.inference.commonness import Commonness, commonness_in
from medweave.inference.kinds_of_diseases import behind_their_kinds
from medweave.inference.local_push import Reached, read
from medweave.inference.walk import Graph, walk
from medweave.inference.word_votes import NO_VOTES, WordVotes, word_votes
from medweave.model.edge import Edge, thing_number
from medweave.model.inferred import Differential, Ranked, Shared
from medweave.model.question import Likened, Word
from medweave.model.ranking import RANKING, Ranking
from medweave.vocabulary.knowledge import Knowledge
from medweave.vocabulary.vocabulary import Predicate

MARGIN = 0.03
"""How far the best must lead the second, as a share of the best, for an answer to name it."""
LEAST_FINDINGS = 2
"""Findings that must join the best to the question: one alone names nothing."""
LEAST_WORDS = 2
"""Words that must lead to a disease where no finding does: one alone is met by chance."""
ABSENT_PENALTY = 0.5
"""What remains of a score when a finding is denied that almost all have who have the disease."""
RANKED = 50
"""So many diseases are looked at more closely, the best by score."""
TELLING = 10
"""Of so many, the best by score, it counts how typical the findings are, and what is a kind of
what."""
LATE = 0.05
"""What a disease loses of its score at most where a source names the findings last of all: it
begins with what is typical."""
LIKENESS = (0.7, 0.7, 0.4, 0.1)
"""The part that the likeness of the whole has in a score where no finding is named, one, two, or
more: what is told by its names is ranked by them. And"""
NAMED_FROM = (0.5, 0.5, 0.6, 0.8)
"""the likeness from which it names a disease: decision 538."""
SUPPOSED_WEIGHT = 0.7
"""What a finding weighs that is only supposed, beside one that is named: decision 435."""


def differential(
    present: tuple[tuple[str, ...], ...],
    absent: tuple[tuple[str, ...], ...],
    knowledge: Knowledge,
    ranking: Ranking | None = RANKING,
    *,
    words: tuple[Word, ...] = (),
    loose: frozenset[str] = frozenset(),
    supposed: tuple[tuple[str, ...], ...] = (),
    likened: Sequence[Likened] = (),
    prior: Prior | None = None,
) -> Differential:
    """Diseases ranked by the findings that are present.

    A finding is given by all entities that it may be. A disease that is itself a finding is not
    offered as its own explanation. Findings that few diseases have weigh more (inverse document
    frequency). `words` are those of the question: what they share with the names of findings counts
    as well, but it names nothing by itself; nor do findings that are `loose`: heard in other words
    than their names. What is only `supposed` is as loose, and weighs less. Without a `ranking`
    nothing is walked: diseases that show all findings come first, then those that show most. A
    ranking that does not follow the question names nothing, and goes by no words. `prior` says what
    a disease weighs by whom it befalls; what weighs nothing is left out. The rarer a disease is
    said to be, the more must speak for it. A disease stands behind the best of its kinds. What the
    whole is `likened` to is ranked by that too.
    """
    findings = _Findings.of(present, absent, loose, supposed)
    graph = Graph(knowledge.store, walked(knowledge))
    reached = Reached()
    read(graph.edges_of, (*findings.present, *findings.absent), reached)
    shown = _shown(reached, findings)
    votes = _votes(words, knowledge, graph, ranking)
    seeds = _seeds(reached, findings, knowledge.mentioned_as("disease"))
    showing = {thing for finding in findings.present for thing in shown[finding]}
    common = commonness_in(knowledge)
    if ranking is None:
        fit = _by_lookup(findings, shown)
    else:
        fit, nat = _by_walk(graph, reached, seeds, votes, ranking)
        fit = common.weighing(fit, nat, showing) if ranking.follows_question else fit
    led_to = votes.by_at_least(1 if findings.present else LEAST_WORDS)
    alike = {
        thing_number(e): one.share * _told_otherwise(one, prior)
        for one in likened
        for e in one.entities
    }
    diseases = _diseases(fit, led_to | showing, alike, findings, knowledge)
    divisors = _divisors(diseases, graph, reached, ranking)
    weights = [1.0 if prior is None else prior(disease.entities) for disease in diseases]
    found = [
        _ranked(
            disease,
            weight * fit(disease.numbers) / divisor,
            shown,
            findings,
            votes,
            common=common,
        )
        for disease, divisor, weight in zip(diseases, divisors, weights, strict=True)
        if weight
    ]
    told = {findings.finding[f] for f in findings.told} - findings.loose
    named = min(len(told), len(LIKENESS) - 1)
    found = _with_likeness(found, diseases, alike, LIKENESS[named]) if alike else found
    ranked = _in_order(found)
    if ranking:
        ranked = behind_their_kinds(
            _in_order(_typical_first(ranked, diseases, knowledge)), knowledge
        )
    open_ = tuple(r for r in ranked if not (r.ruled_out or r.wider))
    scores = {one.entity: one.score for one in found}
    untold = tuple(replace(one, score=scores[one.entity]) for one in open_[:2])
    margin = min(_margin(open_), _margin(untold))  # what is typical names nothing by itself
    fits = ranking is None or ranking.follows_question
    enough = bool(open_) and open_[0].by_name >= LEAST_FINDINGS
    clear = fits and enough and margin >= MARGIN
    told_alike = bool(alike and open_ and open_[0].likeness)
    if told_alike:
        clear = open_[0].likeness >= NAMED_FROM[named]
    return Differential(ranked, margin, clear, likened=told_alike)


def _told_otherwise(one: Likened, prior: Prior | None) -> float:
    """What is left of a likeness where what was told speaks against the disease; what was not told
    the likeness goes without."""
    weight = 1.0 if prior is None else prior(one.entities)
    return weight if weight < UNTOLD else 1.0


@dataclass(frozen=True, slots=True)
class _Findings:
    """What is present and absent, by number; which numbers are one and the same finding."""

    present: tuple[int, ...]
    absent: tuple[int, ...]
    finding: Mapping[int, int]
    loose: frozenset[int]
    """Findings that were only heard in other words than their names."""
    supposed: frozenset[int]
    """Those of `present` that are only supposed."""

    @classmethod
    def of(
        cls,
        present: tuple[tuple[str, ...], ...],
        absent: tuple[tuple[str, ...], ...],
        loose: frozenset[str],
        supposed: tuple[tuple[str, ...], ...],
    ) -> _Findings:
        numbered = [
            [tuple(map(thing_number, names)) for names in some]
            for some in ((*present, *supposed), absent)
        ]
        finding: dict[int, int] = {}
        for names in (*numbered[0], *numbered[1]):
            known = next((finding[n] for n in names if n in finding), names[0])
            for n in names:
                finding.setdefault(n, known)
        flat = [tuple(dict.fromkeys(n for names in some for n in names)) for some in numbered]
        loosely = {finding[n] for n in map(thing_number, loose) if n in finding}
        told = {n for names in (*present, *absent) for n in map(thing_number, names)}
        only = {n for names in supposed for n in map(thing_number, names)} - told
        loosely |= {finding[n] for n in only}
        return cls(flat[0], flat[1], finding, frozenset(loosely), frozenset(only))

    @property
    def told(self) -> frozenset[int]:
        """Those that are present and more than supposed."""
        return frozenset(self.present) - self.supposed


def walked(knowledge: Knowledge) -> tuple[str, ...]:
    """The predicates that join diseases to what shows of them."""
    vocabulary = knowledge.vocabulary
    return tuple(
        name
        for name in vocabulary.of_valence(1)
        if _joins_diseases_to_findings(vocabulary.predicate(name))
    )


def _joins_diseases_to_findings(predicate: Predicate) -> bool:
    return "disease" in predicate.domain and not {"disease", "symptom"}.isdisjoint(predicate.range)


_Fit = Callable[[tuple[int, ...]], float]
"""How well a disease, by all its numbers, fits the findings."""


def _votes(
    words: tuple[Word, ...], knowledge: Knowledge, graph: Graph, ranking: Ranking | None
) -> WordVotes:
    """What the words say, where they are to be heard."""
    if ranking is None or not ranking.follows_question or not ranking.words or not words:
        return NO_VOTES
    return word_votes(words, knowledge, graph.edges_of)


def _by_walk(
    graph: Graph,
    reached: Reached,
    seeds: Mapping[int, float],
    votes: WordVotes,
    ranking: Ranking,
) -> tuple[_Fit, float]:
    """By the score that a walk from the findings gives it, and from the words of the question; and
    what a finding of weight 1 gives.

    A word is a seed as a finding is, of weight idf, whose edges are its votes. From words the walk
    goes this one step only: what they say is too weak to be spread further.
    """
    whole = sum(seeds.values()) + ranking.words * votes.whole
    weights = {finding: weight / whole for finding, weight in seeds.items()}
    scores = walk(graph, weights, ranking, reached).scores if weights else {}
    nat = ranking.damping * (1 - ranking.damping) / whole if whole else 0.0
    step = ranking.words * nat

    def fit(numbers: tuple[int, ...]) -> float:
        from_words = sum(vote.weight for vote in votes.of(numbers).values())
        return sum(scores.get(number, 0.0) for number in numbers) + step * from_words

    return fit, nat


def _by_lookup(findings: _Findings, shown: _Shown) -> _Fit:
    """By the share of the findings that it shows."""
    every = {findings.finding[f] for f in findings.present}

    def fit(numbers: tuple[int, ...]) -> float:
        mine = (f for f in findings.present if any(n in shown[f] for n in numbers))
        return len({findings.finding[f] for f in mine}) / len(every)

    return fit


def _divisors(
    diseases: list[_Disease], graph: Graph, reached: Reached, ranking: Ranking | None
) -> list[float]:
    """What the score of each disease is divided by: its size, to the power of the correction."""
    if ranking is None or not ranking.correction:
        return [1.0] * len(diseases)
    read(graph.edges_of, (number for d in diseases for number in d.numbers), reached)
    sizes = [sum(reached.around[number].size for number in d.numbers) for d in diseases]
    return [size**ranking.correction for size in sizes]


def _seeds(reached: Reached, findings: _Findings, total: int) -> dict[int, float]:
    """Restart weights: idf times size, because each step divides by the size again.

    So the first step gives every disease the idf votes of the findings it has.
    """
    weights = {}
    for finding in findings.present:
        edges = reached.edges(finding)
        having = {edge.subject for edge in edges if edge.object == finding}
        if having:
            idf = log(1 + max(total, len(having)) / len(having))
            sure = SUPPOSED_WEIGHT if finding in findings.supposed else 1.0
            weights[finding] = sure * idf * reached.around[finding].size
    return weights


@dataclass(frozen=True, slots=True)
class _Disease:
    """One disease, by whatever identifiers, the best-fitting first."""

    entities: tuple[str, ...]
    numbers: tuple[int, ...]


_Shown = Mapping[int, Mapping[int, list[Edge]]]
"""By finding and disease, the edges that say so."""


def _shown(reached: Reached, findings: _Findings) -> _Shown:
    shown: dict[int, dict[int, list[Edge]]] = {}
    for finding in (*findings.present, *findings.absent):
        by_disease = shown.setdefault(finding, {})
        for edge in reached.edges(finding):
            if edge.object == finding:
                by_disease.setdefault(edge.subject, []).append(edge)
    return shown


def _with_likeness(
    found: list[Ranked], diseases: Iterable[_Disease], alike: Mapping[int, float], part: float
) -> list[Ranked]:
    """Each with its share of all scores, and that of its likeness; this weighs less for what is
    rare, since what learned it was shown each disease as often."""
    numbers = {disease.entities[0]: disease.numbers for disease in diseases}
    whole = sum(one.score for one in found) or 1.0
    likeness = [max(alike.get(n, 0.0) for n in numbers[one.entity]) for one in found]
    return [
        replace(
            one,
            score=(1 - part) * one.score / whole + part * share / sqrt(1 + one.rarity),
            likeness=share,
        )
        for one, share in zip(found, likeness, strict=True)
    ]


def _diseases(
    fit: _Fit,
    showing: set[int],
    alike: Mapping[int, float],
    findings: _Findings,
    knowledge: Knowledge,
) -> list[_Disease]:
    """Those that are diseases and no findings themselves, the best-fitting first, each once."""
    things = (showing | set(alike)).difference(findings.told)
    # Twice as many as are wanted, because not all of them are diseases.
    best = nsmallest(
        2 * RANKED, things, key=lambda thing: (thing not in alike, -fit((thing,)), thing)
    )
    names = knowledge.store.identifiers(best)
    resolved = knowledge.entities.all([names[thing] for thing in best])
    diseases = [entity for entity in resolved if "disease" in resolved[entity].concepts]
    groups: list[list[str]] = []
    for entity, same in knowledge.alike(diseases[:RANKED]).items():
        group = next((g for g in groups if not set(g).isdisjoint(same)), None)
        if group is None:
            groups.append([entity])
        else:
            group.append(entity)
    return [_Disease(tuple(g), tuple(map(thing_number, g))) for g in groups]


def _shows(disease: _Disease, finding: int, shown: _Shown) -> list[Edge]:
    """The edges by which a disease shows a finding, the strongest first."""
    found = [edge for number in disease.numbers for edge in shown[finding].get(number, ())]
    return sorted(found, key=lambda edge: (-edge.weight, edge.statement))


def _ranked(
    disease: _Disease,
    score: float,
    shown: _Shown,
    findings: _Findings,
    votes: WordVotes,
    *,
    common: Commonness,
) -> Ranked:
    against = [edge for f in findings.absent for edge in _shows(disease, f, shown)[:1]]
    for edge in against:
        score *= _remaining(edge)
    why = [edge for f in findings.present for edge in _shows(disease, f, shown)]
    stated = {edge.statement for edge in why}
    matched = votes.of(disease.numbers).values()
    shared = {findings.finding[edge.object] for edge in why}
    return Ranked(
        disease.entities[0],
        score,
        tuple(edge.statement for edge in why),
        tuple(edge.statement for edge in against),
        findings=len(shared),
        by_name=len(shared - findings.loose),
        words=tuple(Shared(v.word, v.statement) for v in matched if v.statement not in stated),
        ruled_out=not set(disease.numbers).isdisjoint(findings.absent),
        rarity=common.rarity(disease.numbers),
        how_common=common.statements(disease.numbers),
    )


def _in_order(found: Iterable[Ranked]) -> tuple[Ranked, ...]:
    return tuple(
        sorted(found, key=lambda r: (r.ruled_out, -r.score, len(r.against), r.rarity, r.entity))
    )


def _typical_first(
    ranked: tuple[Ranked, ...], diseases: list[_Disease], knowledge: Knowledge
) -> Iterator[Ranked]:
    """The best with what is left of their scores by how late their sources name the findings."""
    by_entity = {disease.entities[0]: disease for disease in diseases}
    looked_at = [e for one in ranked[:TELLING] if one.why for e in by_entity[one.entity].entities]
    knowledge.store.expect([(entity, "has_symptom", None) for entity in looked_at])
    for place, one in enumerate(ranked):
        if place < TELLING and one.why:
            late = _lateness(one, _symptoms(by_entity[one.entity], knowledge), knowledge)
            yield replace(one, score=one.score * (1 - LATE * late))
        else:
            yield one


def _lateness(ranked: Ranked, symptoms: Mapping[str, int], knowledge: Knowledge) -> float:
    """Where its findings stand on average among all of a disease's: 0 the first, 1 the last."""
    in_order = sorted(symptoms, key=lambda symptom: (symptoms[symptom], symptom))
    place = {symptom: at for at, symptom in enumerate(in_order)}
    stated = knowledge.store.statements(ranked.why)
    found = {place[s.statement.object] for s in stated if s.statement.object in place}
    last = max(len(in_order) - 1, 1)
    return sum(found) / (len(found) * last) if found else 0.0


def _remaining(edge: Edge) -> float:
    """What a denied finding leaves of a score.

    A strength of 1 says nothing of how many have it: denying it only decides between equals.
    """
    return 1.0 if edge.weight >= 1 else 1 - (1 - ABSENT_PENALTY) * edge.weight


def _margin(ranked: tuple[Ranked, ...]) -> float:
    if not ranked or ranked[0].score <= 0:
        return 0.0
    second = ranked[1].score if len(ranked) > 1 else 0.0
    return max(0.0, (ranked[0].score - second) / ranked[0].score)


def _symptoms(disease: _Disease, knowledge: Knowledge) -> dict[str, int]:
    """What a disease shows, and how early its sources say so."""
    return {
        supported.statement.object_entity: min(item.place.start for item in supported.affirmed)
        for entity in disease.entities
        for supported in knowledge.store.match(entity, "has_symptom")
        if supported.affirmed and supported.statement.object_entity is not None
    }
