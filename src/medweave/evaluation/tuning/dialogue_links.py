"""Choosing theta (T5) and lambda (T6) by nDCG@K on held-out messages, in steps of 0.1.

What is told as the figure of the chosen setting is cross-validated: each fold of messages is scored
with the setting that was best on the other folds. The curve is over all messages, and flatters.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from medweave.errors import ConfigurationError
from medweave.evaluation.data.message_file import JudgedMessage, read_messages
from medweave.evaluation.measures.bootstrap import Drawn, Figure, draw_all
from medweave.evaluation.measures.classification import mean
from medweave.evaluation.measures.ranking import ndcg
from medweave.evaluation.systems.dialogue_pool import (
    UNWEIGHTED,
    DialoguePool,
    PreparedMessage,
    Ranker,
    dialogue_pool,
)
from medweave.evaluation.systems.embedding import Embedding
from medweave.knowledge_base import KnowledgeBase
from medweave.model.json_form import json_of
from medweave.model.link_weight import LinkWeight
from medweave.model.similar import ScoreNorm, SimilarHow
from medweave.ports import Progress, no_progress

THETAS: tuple[float | None, ...] = (None, 0.9, 0.8, 0.7, 0.6, 0.5)
"""Least cosines of links; None is without links by likeness."""
LAMBDAS = tuple(round(step / 10, 1) for step in range(11))
TUNED = "equation 9, tuned"
_LEAST_MESSAGES = 10
_EXAMPLES = 5
_FIRST_PATIENT = "description"
_SHOWN = 120


@dataclass(frozen=True, slots=True)
class Setting:
    """What is chosen."""

    theta: float | None
    lambda_: float

    def to_json(self) -> dict[str, Any]:
        """As it is printed."""
        return json_of(self, "theta lambda=lambda_")


@dataclass(frozen=True, slots=True)
class Point:
    """A setting, and its mean nDCG over all messages."""

    setting: Setting
    ndcg: float


@dataclass(frozen=True, slots=True)
class Against:
    """How a ranking stands to the tuned one: message by message."""

    figure: Figure
    difference: Figure
    """Tuned minus this; an interval without 0 tells them apart."""
    better: int
    """Messages for which this is better than the tuned one."""
    worse: int
    examples: tuple[dict[str, Any], ...]
    """Where this is better by most."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """All that came of it."""

    dialogues: int
    messages: int
    source: str
    k: int
    score_norm: str
    folds: int
    seed: int
    embedder: str
    model: str
    """The language model that read the messages; '' for rules."""
    chosen: Setting
    tuned: Figure
    by_fold: tuple[Setting, ...]
    others: Mapping[str, Against]
    curve: tuple[Point, ...]

    @property
    def winners(self) -> list[str]:
        """The rankings with a greater figure than the tuned one."""
        return [n for n, other in self.others.items() if other.figure.value > self.tuned.value]

    def to_json(self) -> dict[str, Any]:
        """The stable JSON form."""
        against = "tuned_minus_this=difference better worse examples"
        return {
            "dialogues": self.dialogues,
            "messages": json_of(self, "n=messages source"),
            "measure": f"ndcg@{self.k}",
            "settings": json_of(self, "score_norm folds seed embedder model"),
            "chosen": self.chosen.to_json(),
            "cross_validated": self.tuned.to_json() | json_of(self, "folds=by_fold"),
            "others": {
                name: other.figure.to_json() | json_of(other, against)
                for name, other in self.others.items()
            },
            "better_than_tuned": self.winners,
            "curve": [{**p.setting.to_json(), "ndcg": round(p.ndcg, 4)} for p in self.curve],
        }


def messages_of(pool: DialoguePool) -> list[JudgedMessage]:
    """Messages out of the dialogues themselves: what a patient says first in each.

    Right are the other dialogues that share a tag with it, by how many they share.
    """
    tags = [pool.tags(number) for number in range(len(pool))]
    found = []
    for number, tree in enumerate(pool.trees):
        text = tree.sections.get(_FIRST_PATIENT, "")
        grades = {
            pool.names[other]: len(tags[number] & tags[other])
            for other in range(len(pool))
            if other != number and tags[number] & tags[other]
        }
        if text and grades:
            found.append(JudgedMessage(pool.names[number], text, grades))
    return found


def tune_base(
    base: KnowledgeBase,
    embedding: Embedding,
    queries: Path | None = None,
    *,
    k: int = 10,
    norm: str = "none",
    folds: int = 5,
    seed: int = 0,
) -> Tuning:
    """Tune on the messages of a file or folder, or on the first words of each dialogue.

    Raises what `read_messages` and `tune` raise, and `NotFoundError` where there are no dialogues.
    """
    known: Any = norm
    checked = SimilarHow(score_norm=known).score_norm
    pool = dialogue_pool(base, embedding)
    messages = read_messages(queries) if queries else messages_of(pool)
    source = queries.name if queries else "the first words of each dialogue, by tags"
    return tune(
        pool, messages, source=source, own=queries is None, k=k, norm=checked, folds=folds,
        seed=seed, progress=embedding.progress,
    )  # fmt: skip


def tune(
    pool: DialoguePool,
    messages: Sequence[JudgedMessage],
    *,
    source: str,
    own: bool = False,
    k: int = 10,
    norm: ScoreNorm = "none",
    folds: int = 5,
    seed: int = 0,
    progress: Progress = no_progress,
) -> Tuning:
    """Choose theta and lambda, and say how the choice stands beside rankings without a graph.

    `own`: a message is out of the dialogue of its own id, which is then not ranked.
    Raises `ConfigurationError` where there are too few messages, no embedder or no numpy.
    """
    known = frozenset(pool.names)
    judged = [one for one in messages if known & one.grades.keys()]
    if len(judged) < max(folds, _LEAST_MESSAGES):
        raise ConfigurationError(
            f"{len(judged)} messages have a dialogue of this base that is right for them",
            where="queries",
            remedy=f"give {max(folds, _LEAST_MESSAGES)} at least with --queries FILE",
        )
    prepared = [pool.prepare(one.text) for one in judged]
    score = _Scores(pool, judged, prepared, k, own)
    depth = k + own
    others: dict[str, list[float]] = {
        "best (bm25 and whole dialogues)": score.of(pool.by_both),
        "bm25": score.of(pool.by_words),
        "whole dialogues": score.of(pool.by_whole),
    }
    plain = pool.graph(UNWEIGHTED)
    others["equation 9, unweighted"] = score.of(lambda a: pool.by_graph(plain, a, depth, norm))
    grid: dict[Setting, list[float]] = {}
    settings = [Setting(theta, lambda_) for theta in THETAS for lambda_ in LAMBDAS]
    links = pool.links(min(theta for theta in THETAS if theta is not None))
    for number, setting in enumerate(settings, 1):
        near = [link for link in links if setting.theta and link.cosine >= setting.theta]
        graph = pool.graph(LinkWeight("convex", setting.lambda_), near)
        grid[setting] = score.of(_by(pool, graph, depth, norm))
        progress(number, len(settings), "settings")
    others["equation 9, equation 7, no links"] = grid[Setting(None, 0.0)]
    parts = _parts(len(judged), folds, seed)
    choices = [_best(grid, _without(parts, part)) for part in parts]
    held_out = [0.0] * len(judged)
    for part, choice in zip(parts, choices, strict=True):
        for at in part:
            held_out[at] = grid[choice][at]
    every = range(len(judged))
    drawn = draw_all(
        {name: mean(rows) for name, rows in {TUNED: held_out, **others}.items()},
        len(judged),
        seed=seed,
    )
    return Tuning(
        dialogues=len(pool),
        messages=len(judged),
        source=source,
        k=k,
        score_norm=norm,
        folds=folds,
        seed=seed,
        embedder=pool.embedding.embedder.model.id if pool.embedding.embedder else "",
        model=pool.base.reader,
        chosen=_best(grid, every),
        tuned=drawn[TUNED].figure(),
        by_fold=tuple(choices),
        others={
            name: _against(name, rows, held_out, judged, drawn) for name, rows in others.items()
        },
        curve=tuple(Point(setting, mean(rows)(every)) for setting, rows in grid.items()),
    )


@dataclass(frozen=True, slots=True)
class _Scores:
    """nDCG of each message under a ranking."""

    pool: DialoguePool
    judged: Sequence[JudgedMessage]
    prepared: Sequence[PreparedMessage]
    k: int
    own: bool

    def of(self, ranker: Ranker) -> list[float]:
        return [
            self._of(one, ranker(prepared))
            for one, prepared in zip(self.judged, self.prepared, strict=True)
        ]

    def _of(self, one: JudgedMessage, ranked: Sequence[int]) -> float:
        names = [self.pool.names[number] for number in ranked]
        if self.own:
            names = [name for name in names if name != one.id]
        places: dict[str, int] = {}
        for place, name in enumerate(names[: self.k], 1):
            places.setdefault(name, place)
        return ndcg(one.grades, places, self.k)


def _by(pool: DialoguePool, graph: Any, depth: int, norm: ScoreNorm) -> Ranker:
    return lambda prepared: pool.by_graph(graph, prepared, depth, norm)


def _parts(count: int, folds: int, seed: int) -> list[list[int]]:
    """Numbers of messages in folds of about equal size."""
    order = list(range(count))
    random.Random(seed).shuffle(order)  # noqa: S311 - chance here decides nothing secret
    return [sorted(order[fold::folds]) for fold in range(folds)]


def _without(parts: Sequence[Sequence[int]], one: Sequence[int]) -> list[int]:
    return [at for part in parts if part is not one for at in part]


def _best(grid: Mapping[Setting, Sequence[float]], over: Iterable[int]) -> Setting:
    """The setting of the greatest mean; of equal ones the first, which has the fewest links."""
    among = list(over)
    return max(grid, key=lambda setting: round(mean(grid[setting])(among), 9))


def _against(
    name: str,
    rows: Sequence[float],
    tuned: Sequence[float],
    judged: Sequence[JudgedMessage],
    drawn: Mapping[str, Drawn],
) -> Against:
    gains = [theirs - ours for theirs, ours in zip(rows, tuned, strict=True)]
    most = sorted(range(len(gains)), key=lambda at: (-gains[at], at))[:_EXAMPLES]
    return Against(
        figure=drawn[name].figure(),
        difference=drawn[TUNED].less(drawn[name]),
        better=sum(gain > 0 for gain in gains),
        worse=sum(gain < 0 for gain in gains),
        examples=tuple(
            {
                "id": judged[at].id,
                "text": judged[at].text[:_SHOWN],
                "this": round(rows[at], 4),
                "tuned": round(tuned[at], 4),
            }
            for at in most
            if gains[at] > 0
        ),
    )
