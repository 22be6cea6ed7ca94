"""Training the readers of descriptions on what each state is said by.

The words' reader is a ridge regression: the solution of (X'X + r) W = X'Y by way of X X', which is
smaller. The reader of sentence vectors is a multinomial logistic regression, fitted by L-BFGS. The
same lists give the same weights; numpy and scipy are needed, and for the second an embedder.
What describes nothing: a list of near misses, questions of which no name is one of an illness or a
medicine, and ordinary complaints.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from medweave.language.data import read_yaml_file
from medweave.language.folding import blotted
from medweave.language.passage import passage_of
from medweave.language.typed import as_read
from medweave.model.vectors import Vectors
from medweave.understanding.descriptions.features import described_by
from medweave.understanding.descriptions.model import NOTHING, DescriptionModel
from medweave.understanding.descriptions.sentence_model import CALIBRATION, SentenceModel
from medweave.understanding.descriptions.stretches import AROUND, stretches
from medweave.understanding.training_files import training_file

PENALTY = 0.5
"""r of the regression."""
LEAST = 0.06
"""Weights below it are left out: they tell nothing."""
SPREAD = 8.0
"""Vectors of length 1 are stretched by it, so that the penalty below is of ordinary size."""
SENTENCE_PENALTY = 0.3
"""Of the sum of squares of the weights of the reader of sentence vectors; chosen on a third of the
phrases, kept apart: decision 385."""
_STEPS = 100
"""Of L-BFGS; by then what is found of phrases kept apart no longer moves."""
_LOT = 7
"""By which phrases are drawn apart, the same each time."""
_OF_COMPLAINTS = ("complaints", "before", "behind")
_HARMLESS = frozenset({"symptom", "body_part"})
_SHORTEST_FRAGMENT = 3
"""Words, or Chinese characters, of what is left of a clause without names."""
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
            bare = (clause.strip(AROUND) for clause in clauses)
            yield from (clause for clause in bare if len(clause) > _SHORTEST[language])


def fragments(language: str) -> list[LabelledPhrase]:
    """What is left of the clauses of questions without the names in them, as the reader meets it;
    but for those that do tell a state."""
    telling = training_file("descriptions", f"telling.{language}.txt").read_text("utf-8")
    found: dict[str, str] = {}
    for line in training_file("questions", f"{language}.jsonl").read_text("utf-8").splitlines():
        question = json.loads(line)
        passage = passage_of(question["text"], language)
        names = [name for name, kind in question.get("names", {}).items() if kind not in _HARMLESS]
        spans = sorted(
            m.span() for name in names for m in re.finditer(re.escape(name), passage.text)
        )
        unnamed = blotted(passage.text, spans, " ")
        for start, end, _ in stretches(passage):
            text = as_read(unnamed[start:end], language).strip(AROUND)
            if len(text if language == "zh" else text.split()) >= _SHORTEST_FRAGMENT:
                found.setdefault(text.casefold(), text)
    left = (text for folded, text in sorted(found.items()) if folded not in telling.splitlines())
    return [LabelledPhrase(NOTHING, text) for text in left]


def drawn_apart(
    said: Sequence[LabelledPhrase],
) -> tuple[list[LabelledPhrase], list[LabelledPhrase]]:
    """Phrases to learn from, and a third of those of each state, by lot."""
    chance = random.Random(_LOT)  # noqa: S311 - chance here decides nothing secret
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
    from scipy.linalg import solve
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
    weights = matrix.T @ solve(alike, wanted, assume_a="pos", overwrite_a=True)
    kept: dict[str, list[int]] = {}
    for feature, row in zip(features, weights, strict=True):
        found = [(int(at), round(100 * row[at])) for at in np.flatnonzero(abs(row) >= LEAST)]
        if found:
            kept[feature] = [number for pair in found for number in pair]
    return DescriptionModel(labels, heads(), kept, _origin(shown))


def train_sentences(
    said: Sequence[LabelledPhrase],
    language: str,
    embed: Callable[[Sequence[str]], Vectors],
    families: Mapping[str, str] | None = None,
) -> SentenceModel:
    """Fit a reader of sentence vectors, with the vectors that `embed` makes; the `families` of its
    labels are those of the states where none are given."""
    import numpy as np
    from scipy.optimize import minimize

    made = embed([one.text for one in said])
    vectors = np.asarray(made.data).reshape(len(made), -1)
    rows = np.hstack([SPREAD * vectors, np.ones((len(said), 1), "f4")])
    families = heads() if families is None else families
    labels = sorted({one.label for one in said} | set(families.values()))
    wanted = np.zeros((len(said), len(labels)), "f4")
    places = {label: at for at, label in enumerate(labels)}
    wanted[np.arange(len(said)), [places[one.label] for one in said]] = 1

    def loss(flat: Any) -> tuple[float, Any]:
        weights = flat.reshape(rows.shape[1], len(labels)).astype("f4")
        scores = rows @ weights
        scores -= scores.max(axis=1, keepdims=True)
        powers = np.exp(scores)
        shares = powers / powers.sum(axis=1, keepdims=True)
        missed = -np.log((shares * wanted).sum(axis=1) + 1e-12).sum()
        slope = rows.T @ (shares - wanted) + SENTENCE_PENALTY * weights
        penalty = SENTENCE_PENALTY * (weights**2).sum() / 2
        return float(missed + penalty), slope.ravel().astype(float)

    start = np.zeros(rows.shape[1] * len(labels))
    fitted = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _STEPS})
    weights = fitted.x.reshape(rows.shape[1], len(labels)).T.copy()
    weights[:, :-1] *= SPREAD
    return SentenceModel(
        made.model.id,
        labels,
        families,
        weights,
        _origin(said),
        CALIBRATION[language],
    )


def _origin(said: Sequence[LabelledPhrase]) -> dict[str, int]:
    """What a file says of the lists that it was learned from."""
    states = sum(one.label != NOTHING for one in said)
    return {"phrases": states, "near misses and ordinary clauses": len(said) - states}
