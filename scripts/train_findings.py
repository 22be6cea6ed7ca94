"""Make the weights of the reader of findings that clauses tell in words of their own.

`python scripts/train_findings.py`. It needs `medweave weights install` before, and takes minutes.
The same lists give the same weights.
"""

from medweave.embedding.choosing import reader_of
from medweave.understanding.descriptions.supposed import READ
from medweave.understanding.descriptions.supposed_training import train_findings
from medweave.understanding.training_files import write_weights


def main() -> None:
    """Write the weights."""
    for language in READ:
        made = train_findings(language, reader_of(language).embed)
        told = str(dict(made.trained_on))
        write_weights("descriptions", f"findings.{language}.json", made.to_text(), told)


if __name__ == "__main__":
    main()
