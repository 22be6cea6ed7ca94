"""Make the weights of the reader of whole complaints, or say how often it is right of other hands.

`python scripts/train_complaints.py`; with `--measure` nothing is written, and the complaints of
each hand are read by a model that learned from the others alone. It needs scikit-learn and
`medweave weights install` before, and takes some minutes. The same lists give the same weights.
"""

import argparse
import sys
from collections.abc import Sequence

from medweave.embedding.choosing import reader_of
from medweave.language.typed import as_read
from medweave.model.vectors import Vectors
from medweave.understanding.complaints.reading import NONE, READ
from medweave.understanding.complaints.training import (
    NOBODY,
    Complaint,
    complaints,
    train_complaints,
)
from medweave.understanding.intents.features import QuestionText
from medweave.understanding.text_model import TextModel
from medweave.understanding.training_files import write_weights

RANKS = (1, 3, 5)


def main() -> None:
    """Write the weights, or measure by hands left out."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--measure", action="store_true")
    measure = options.parse_args().measure
    for language in READ:
        told = complaints(language)
        if measure:
            _measure(told, language)
        else:
            made = train_complaints(told, language, reader_of(language).embed).to_text()
            write_weights("complaints", f"complaints.{language}.json", made)


def _measure(told: Sequence[Complaint], language: str) -> None:
    """Of each hand, how often the disease is among the first one, three and five; and what is no
    complaint and is told like one none the less."""
    embed = reader_of(language).embed
    for hand in sorted({one.hand for one in told} - {NOBODY}):
        model = train_complaints([one for one in told if one.hand != hand], language, embed)
        own = [one for one in told if one.hand == hand]
        made = [embed([as_read(one.text, language)]) for one in own]
        for name, vectors in (("words", [None] * len(own)), ("words and vectors", made)):
            ranked = [_ranked(model, *of) for of in zip(own, vectors, strict=True)]
            complaints_of = [(o, r) for o, r in zip(own, ranked, strict=True) if o.disease != NONE]
            hits = [
                sum(
                    o.disease in [label for label in r if label != NONE][:k]
                    for o, r in complaints_of
                )
                for k in RANKS
            ]
            none = [r[0] != NONE for o, r in zip(own, ranked, strict=True) if o.disease == NONE]
            sys.stdout.write(
                f"{language}, {hand}, {name}: among the first {RANKS} {hits} of "
                f"{len(complaints_of)}; of {len(none)} that tell none {sum(none)} are raised\n"
            )


def _ranked(model: TextModel, one: Complaint, made: Vectors | None) -> list[str]:
    chances = model.chances(QuestionText(one.text), made)
    return sorted(chances, key=lambda label: (-chances[label], label))


if __name__ == "__main__":
    main()
