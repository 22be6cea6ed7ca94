"""Make the weights of the reader of descriptions; with `--measure`, measure it.

`python scripts/train_descriptions.py [--measure]`.

The same lists give the same weights. Measured is what is found of a third of the phrases of each
state, drawn by lot and not learned from, and what is raised of a quarter of the clauses that
describe nothing, at several limits of certainty.
"""

import sys
from pathlib import Path

from medweave.language.data import LANGUAGES, shipped
from medweave.understanding.descriptions.model import NOTHING, DescriptionModel
from medweave.understanding.descriptions.training import (
    LabelledPhrase,
    drawn_apart,
    heads,
    near_misses,
    ordinary,
    phrases,
    train_descriptions,
)

LIMITS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


def main() -> None:
    """Write the weights, or print what is measured."""
    for language in LANGUAGES:
        nothing = [*near_misses(language), *ordinary(language)]
        if "--measure" in sys.argv:
            learned, apart = drawn_apart(phrases(language))
            model = train_descriptions([*learned, *nothing[::2], *nothing[1::4]], language)
            report(model, apart, nothing[3::4], language)
            continue
        model = train_descriptions([*phrases(language), *nothing], language)
        name = f"weights.{language}.json"
        Path(str(shipped("understanding", "descriptions", name))).write_text(
            model.to_text(), "utf-8"
        )
        sys.stdout.write(f"{name}: {len(model.weights)} features\n")


def report(
    model: DescriptionModel,
    apart: list[LabelledPhrase],
    nothing: list[LabelledPhrase],
    language: str,
) -> None:
    """Print what is found, rightly or wrongly, from each limit of certainty on."""
    family = heads()
    read = [(one.label, model.read(one.text, language)) for one in (*apart, *nothing)]
    for limit in LIMITS:
        raised = [(label, r) for label, r in read if r is not None and r.confidence >= limit]
        right = sum(family.get(label, label) == family.get(r.label, r.label) for label, r in raised)
        false = sum(label == NOTHING for label, _ in raised)
        sys.stdout.write(
            f"{language} from {limit}: {right / len(apart):.3f} of {len(apart)} found,"
            f" {right / max(len(raised), 1):.2f} of what is raised is right,"
            f" {100 * false / len(nothing):.1f} in 100 of {len(nothing)} clauses that tell none\n"
        )


if __name__ == "__main__":
    main()
