"""Training the reader of descriptions: a ridge regression on what each state is said by.

Weights are the solution of (X'X + r) W = X'Y by way of X X', which is smaller; numpy and scipy are
needed for training alone, and the same lists give the same weights. What describes nothing: a list
of near misses, questions of which no name is one of an illness or a medicine, and ordinary
complaints.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from medweave.language.data import read_yaml_file
from medweave.language.passage import passage_of
from medweave.understanding.descriptions.features import described_by
from medweave.understanding.descriptions.model import NOTHING, DescriptionModel
from medweave.understanding.training_files import training_file

PENALTY = 0.5
"""r of the regression."""
LEAST = 0.04
"""Weights below it are left out: they tell nothing."""
_OF_COMPLAINTS = ("complaints", "before", "behind")
_HARMLESS = frozenset({"symptom", "body_part"})
_SHORTEST = {"en": 8, "zh": 3}
"""Characters of a clause of a question that tells something."""


@dataclass(frozen=True, slots=True)
class LabelledPhrase:
    """A phrase and the state it describes: `has`, `takes` or `allergy`, and an entity."""

    label: str
    text: str


def phrases(language: str) -> list[LabelledPhrase]:
    """The phrases of a checkout that describe a state."""
    held = read_yaml_file(training_file("descriptions", f"{language}.yaml"))
    return [LabelledPhrase(label, text) for label, texts in held.items() for text in texts]


def near_misses(language: str) -> list[LabelledPhrase]:
    """What has the words of a state and describes none."""
    held = training_file("descriptions", f"none.{language}.txt").read_text("utf-8")
    return [LabelledPhrase(NOTHING, text) for text in held.splitlines()]


def ordinary(language: str) -> list[LabelledPhrase]:
    """Clauses of questions, and complaints, in which no state is told."""
    held = read_yaml_file(training_file("danger", f"ordinary.{language}.yaml"))
    complaints = {text for kind in _OF_COMPLAINTS for text in held[kind]}
    return [
        LabelledPhrase(NOTHING, text) for text in sorted(complaints.union(_of_questions(language)))
    ]


def _of_questions(language: str) -> Iterator[str]:
    held = training_file("questions", f"{language}.jsonl").read_text("utf-8")
    for question in map(json.loads, held.splitlines()):
        if set(question.get("names", {}).values()) <= _HARMLESS:
            passage = passage_of(question["text"], language)
            clauses = (passage.text[slice(*span)] for span in passage.clauses)
            bare = (clause.strip(" ,.;:?!，。？！；、") for clause in clauses)
            yield from (clause for clause in bare if len(clause) > _SHORTEST[language])


def drawn_apart(
    said: Sequence[LabelledPhrase], seed: int = 7
) -> tuple[list[LabelledPhrase], list[LabelledPhrase]]:
    """Phrases to learn from, and a third of those of each state, by lot."""
    chance = random.Random(seed)  # noqa: S311 - chance here decides nothing secret
    by_label: dict[str, list[LabelledPhrase]] = {}
    for one in said:
        by_label.setdefault(one.label, []).append(one)
    learned, apart = list[LabelledPhrase](), list[LabelledPhrase]()
    for some in by_label.values():
        chance.shuffle(some)
        cut = len(some) // 3
        apart += some[:cut]
        learned += some[cut:]
    return learned, apart


def heads() -> Mapping[str, str]:
    """The family of each label that has one."""
    held = read_yaml_file(training_file("descriptions", "families.yaml"))["families"]
    return {member: head for head, members in held.items() for member in members}


def train_descriptions(said: Iterable[LabelledPhrase], language: str) -> DescriptionModel:
    """Fit the weights of a language."""
    import numpy as np
    from scipy.sparse import csr_matrix

    shown = list(said)
    blocks = [described_by(one.text, language) for one in shown]
    features = sorted({feature for block in blocks for feature in block})
    labels = sorted({one.label for one in shown} | set(heads().values()))
    columns = {feature: at for at, feature in enumerate(features)}
    rows = [at for at, block in enumerate(blocks) for _ in block]
    places = [columns[feature] for block in blocks for feature in block]
    values = [value for block in blocks for value in block.values()]
    matrix = csr_matrix((values, (rows, places)), shape=(len(shown), len(features)))
    wanted = np.zeros((len(shown), len(labels)))
    for at, one in enumerate(shown):
        wanted[at, labels.index(one.label)] = 1
    alike = (matrix @ matrix.T).toarray() + PENALTY * np.eye(len(shown))
    weights = matrix.T @ np.linalg.solve(alike, wanted)
    kept: dict[str, list[int]] = {}
    for feature, row in zip(features, weights, strict=True):
        found = [(int(at), round(100 * row[at])) for at in np.flatnonzero(abs(row) >= LEAST)]
        if found:
            kept[feature] = [number for pair in found for number in pair]
    states = sum(one.label != NOTHING for one in shown)
    origin = {"phrases": states, "near misses and ordinary clauses": len(shown) - states}
    return DescriptionModel(labels, heads(), kept, origin)
