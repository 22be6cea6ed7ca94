"""Make the weights of the reader of findings that clauses tell in words of their own.

`python scripts/train_findings.py`. It needs `medweave weights install` before, and takes minutes.
The same lists give the same weights.
"""

import sys
from pathlib import Path

from medweave.embedding.choosing import reader_of
from medweave.language.data import shipped
from medweave.understanding.descriptions.supposed import READ
from medweave.understanding.descriptions.supposed_training import train_findings


def main() -> None:
    """Write the weights."""
    for language in READ:
        made = train_findings(language, reader_of(language).embed)
        place = Path(str(shipped("understanding", "descriptions", f"findings.{language}.json")))
        place.write_text(made.to_text(), "utf-8")
        sys.stdout.write(f"{place.name}: {dict(made.trained_on)}\n")


if __name__ == "__main__":
    main()
