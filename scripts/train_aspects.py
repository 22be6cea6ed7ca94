"""Make the weights of the reader of aspects of a medicine by their meaning.

`python scripts/train_aspects.py`. It needs `medweave weights install` before, and takes minutes.
The same lists give the same weights.
"""

import sys
from pathlib import Path

from medweave.embedding.choosing import reader_of
from medweave.language.data import shipped
from medweave.understanding.aspects_by_meaning import READ
from medweave.understanding.aspects_training import train_aspects


def main() -> None:
    """Write the weights."""
    for language in READ:
        made = train_aspects(language, reader_of(language).embed)
        place = Path(str(shipped("understanding", f"aspects.{language}.json")))
        place.write_text(made.to_text(), "utf-8")
        sys.stdout.write(f"{place.name}: {dict(made.trained_on)}\n")


if __name__ == "__main__":
    main()
