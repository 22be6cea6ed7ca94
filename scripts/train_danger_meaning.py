"""Make the weights by which the meaning of a message counts for danger and for a crisis.

`python scripts/train_danger_meaning.py [danger|crisis]`. It needs `medweave weights install`
before, and scikit-learn; it embeds some ten thousand messages, which takes minutes. The same lists
give the same weights.
"""

import sys
from itertools import product
from pathlib import Path
from typing import get_args

from medweave.embedding.choosing import reader_of
from medweave.language.data import LANGUAGES, shipped
from medweave.understanding.danger.meaning import MeaningOf
from medweave.understanding.danger.meaning_training import train_meaning


def main() -> None:
    """Write the weights."""
    for of, language in product(get_args(MeaningOf), LANGUAGES):
        if of in (sys.argv[1:] or get_args(MeaningOf)):
            made = train_meaning(of, language, reader_of(language).embed)
            place = Path(str(shipped("understanding", "danger", f"{of}_meaning.{language}.json")))
            place.write_text(made.to_text(), "utf-8")
            sys.stdout.write(f"{place.name}: {dict(made.trained_on)}\n")


if __name__ == "__main__":
    main()
