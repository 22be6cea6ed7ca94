"""Make the weights by which a message in danger is given the name of a sign of the table.

`python scripts/train_danger_signs.py`; with `--measure` nothing is written, and the messages of
each author are read by a model that learned from the others alone. It needs scipy and
`medweave weights install` before, and takes some minutes. The same lists give the same weights.
"""

import argparse
import sys
from collections.abc import Sequence

from medweave.embedding.choosing import reader_of
from medweave.understanding.danger.sign_training import (
    SignMessage,
    messages_of_signs,
    train_signs,
)
from medweave.understanding.danger.told_like import READ, SURE, chances_of_signs
from medweave.understanding.training_files import write_weights


def main() -> None:
    """Write the weights, or measure by authors left out."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--measure", action="store_true")
    measure = options.parse_args().measure
    for language in READ:
        told = messages_of_signs(language)
        if measure:
            _measure(told, language)
        else:
            made = train_signs(told, language, reader_of(language).embed).to_text()
            write_weights("danger", f"signs.{language}.json", made, f"{len(told)} messages")


def _measure(told: Sequence[SignMessage], language: str) -> None:
    """Of each author's messages, how many are named, and how many of these rightly."""
    embed = reader_of(language).embed
    for author in sorted({one.author for one in told} - {""}):
        model = train_signs([one for one in told if one.author != author], language, embed)
        own = [one for one in told if one.author == author]
        for name, vectors in (("words", None), ("words and vectors", lambda t, _: embed(t))):
            best = []
            for one in own:
                chances = chances_of_signs(model, one.text, language, vectors)
                likeliest = max(chances, key=lambda sign: (chances[sign], sign))
                best.append((chances[likeliest], likeliest == one.sign))
            sure = [right for chance, right in best if chance >= SURE]
            sys.stdout.write(
                f"{language}, {author}, {name}: right {sum(right for _, right in best)} of "
                f"{len(own)}; named {len(sure)}, of these rightly {sum(sure)}\n"
            )


if __name__ == "__main__":
    main()
