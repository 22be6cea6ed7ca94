"""Learns the weights of `medweave.retrieval.answer_weights` from judged answers.

    python scripts/train_answer_ranking.py --medquad DIR --folders DIR…

From MedQuAD come information questions of `train`, and questions of other kinds about the same
things, all put to the answers of both. Folders are as `medweave evaluate retrieval` reads them.
Decision 28 says which were used.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from pathlib import Path

from medweave.app import open_cached_embedder
from medweave.evaluation.beir import read_collection
from medweave.evaluation.conversion import medquad_teaching_folder
from medweave.evaluation.retrieval import EmbedTools, graded_features
from medweave.retrieval.answer_features import FEATURES, LEXICAL
from medweave.retrieval.answer_weights import Graded, learn_weights

PLACE = Path(__file__).parents[1] / "src" / "medweave" / "retrieval" / "answer_weights.json"
MOST = 400
"""Questions of each folder."""


def learned(folders: list[Path], tools: EmbedTools) -> dict[str, float]:
    """Weights by the names of features."""
    graded: list[Graded] = []
    for folder in folders:
        graded += graded_features(read_collection(folder), tools, most=MOST)
    names = FEATURES if tools.embedder else LEXICAL
    return dict(zip(names, learn_weights(graded), strict=True))


def main() -> None:
    """Read what teaches, learn, write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--medquad", type=Path, required=True)
    parser.add_argument("--folders", nargs="+", type=Path, required=True)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as made, open_cached_embedder() as chosen:
        medquad_teaching_folder(given.medquad, random.Random(3)).write(Path(made))  # noqa: S311
        folders = [Path(made), *given.folders]
        weights = {
            "dense": learned(folders, EmbedTools(chosen.embedder, chosen.reason)),
            "lexical": learned(folders, EmbedTools(None)),
        }
    PLACE.write_text(json.dumps(weights, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
