"""Learns the weights of `medweave.retrieval.passages.answer_weights` from judged answers.

    python -m scripts.train_answer_ranking --medquad DIR --folders DIR…

From MedQuAD come information questions of `train`, put to answers to such questions alone, and put,
with questions of other kinds, to answers of all kinds. Folders are as `medweave evaluate retrieval`
reads them. Decision 28 says which were used.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from pathlib import Path

from medweave.app import open_cached_embedder
from medweave.evaluation.data.beir import read_collection
from medweave.evaluation.systems.embedding import Embedding
from medweave.evaluation.tasks.retrieval import judged_questions
from medweave.retrieval.passages.answer_features import FEATURES, LEXICAL
from medweave.retrieval.passages.answer_weights import TRAITS, Judged, learn_weights
from scripts.question_sets import medquad_teaching_folder

PLACE = (
    Path(__file__).parents[1]
    / "src"
    / "medweave"
    / "retrieval"
    / "passages"
    / "answer_weights.json"
)
MEDQUAD = {
    "of one kind": {"pool": 4200, "information": 900},
    "of all kinds": {"pool": 8000, "information": 600, "others": 400},
}
"""What is asked, and of how many answers."""


def learned(folders: list[Path], tools: Embedding) -> dict[str, dict[str, float]]:
    """Weights by traits, and by the names of features."""
    judged: list[Judged] = []
    for folder in folders:
        judged += judged_questions(read_collection(folder), tools)
    names = FEATURES if tools.embedder else LEXICAL
    by_trait = zip(TRAITS, learn_weights(judged), strict=True)
    return {trait: dict(zip(names, weights, strict=True)) for trait, weights in by_trait}


def main() -> None:
    """Read what teaches, learn, write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--medquad", type=Path, required=True)
    parser.add_argument("--folders", nargs="+", type=Path, required=True)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as made, open_cached_embedder() as chosen:
        folders = list(given.folders)
        for name, sizes in MEDQUAD.items():
            folder = Path(made) / name
            chance = random.Random(3)  # noqa: S311 - nothing secret
            medquad_teaching_folder(given.medquad, chance, **sizes).write(folder)
            folders.append(folder)
        weights = {
            "dense": learned(folders, Embedding(chosen.embedder, chosen.reason)),
            "lexical": learned(folders, Embedding(None)),
        }
    PLACE.write_text(json.dumps(weights, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
