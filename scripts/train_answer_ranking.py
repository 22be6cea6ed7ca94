"""Learns the weights of `medweave.retrieval.answer_weights` from folders of judged answers.

    python scripts/train_answer_ranking.py --search DIR… --candidates DIR…

Folders are as `medweave evaluate retrieval` reads them; each counts as many questions as it has,
1,000 at most. Decision 28 says which were used.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from medweave.app import open_cached_embedder
from medweave.evaluation.beir import read_collection
from medweave.evaluation.retrieval import EmbedTools, graded_features
from medweave.retrieval.answer_features import FEATURES, LEXICAL
from medweave.retrieval.answer_weights import Graded, learn_weights

PLACE = Path(__file__).parents[1] / "src" / "medweave" / "retrieval" / "answer_weights.json"


def learned(folders: list[Path], tools: EmbedTools) -> dict[str, float]:
    """Weights by the names of features."""
    graded: list[Graded] = []
    for folder in folders:
        graded += graded_features(read_collection(folder), tools)
    names = FEATURES if tools.embedder else LEXICAL
    return dict(zip(names, learn_weights(graded), strict=True))


def main() -> None:
    """Read the folders, learn, write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--search", nargs="+", type=Path, required=True)
    parser.add_argument("--candidates", nargs="+", type=Path, required=True)
    given = parser.parse_args()
    with open_cached_embedder() as chosen:
        kinds = {"dense": EmbedTools(chosen.embedder, chosen.reason), "lexical": EmbedTools(None)}
        made = {
            kind: {
                "search": learned(given.search, tools),
                "candidates": learned(given.candidates, tools),
            }
            for kind, tools in kinds.items()
        }
    PLACE.write_text(json.dumps(made, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
