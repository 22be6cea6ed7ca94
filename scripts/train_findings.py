"""Make the weights of the reader of findings that clauses tell in words of their own.

`python scripts/train_findings.py`. It needs `medweave weights install` before, and takes minutes.
The same lists give the same weights.
"""

import sys
from pathlib import Path

from medweave.embedding.minilm import MiniLM
from medweave.embedding.weights import weights_folder
from medweave.language.data import shipped
from medweave.understanding.descriptions.supposed_training import train_findings


def main() -> None:
    """Write the weights."""
    made = train_findings(MiniLM(weights_folder()).embed)
    place = Path(str(shipped("understanding", "descriptions", "findings.en.json")))
    place.write_text(made.to_text(), "utf-8")
    sys.stdout.write(f"{place.name}: {dict(made.trained_on)}\n")


if __name__ == "__main__":
    main()
