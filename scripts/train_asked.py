"""Make the weights of the readers of what is asked, and say how often they are right.

`python scripts/train_asked.py`; with `--measure` nothing is written. It needs scikit-learn and
`medweave weights install` before, and takes a minute. The same lists give the same weights.
"""

import argparse
import sys
from pathlib import Path

from medweave.embedding.choosing import reader_of
from medweave.language.data import shipped
from medweave.understanding.asked.reading import READ
from medweave.understanding.asked.training import (
    all_questions,
    train_effects,
    train_vectors,
    train_words,
)


def main() -> None:
    """Write the weights."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    questions = all_questions()
    _write("words.json", train_words(questions).to_text())
    _write("effects.json", train_effects(questions).to_text())
    for language in READ:
        own = [q for q in questions if q.language == language]
        made = train_vectors(own, reader_of(language).embed)
        _write(f"sentences.{language}.json", made.to_text())


def _write(name: str, text: str) -> None:
    Path(str(shipped("understanding", "asked", name))).write_text(text, "utf-8")
    sys.stdout.write(f"{name}: {len(text)} characters\n")


if __name__ == "__main__":
    main()
