"""Make the weights of the reader of descriptions; with `--measure`, measure it.

`python scripts/train_descriptions.py [--measure]`. The readers of sentence vectors need
`medweave weights install` before.

The same lists give the same weights. Measured is what is found of a third of the phrases of each
state, drawn by lot and not learned from, and what is raised of a quarter of the clauses that
describe nothing, at several limits of certainty.
"""

import sys

from medweave.embedding.choosing import reader_of
from medweave.language.data import LANGUAGES
from medweave.understanding.descriptions.model import NOTHING, Recognised
from medweave.understanding.descriptions.training import (
    LabelledPhrase,
    drawn_apart,
    fragments,
    heads,
    near_misses,
    ordinary,
    phrases,
    train_descriptions,
    train_sentences,
)
from medweave.understanding.training_files import write_weights

LIMITS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


def main() -> None:
    """Write the weights, or print what is measured."""
    for language in LANGUAGES:
        nothing = [*near_misses(language), *ordinary(language)]
        if "--measure" in sys.argv:
            learned, apart = drawn_apart(phrases(language))
            shown, unseen = [*learned, *nothing[::2], *nothing[1::4]], nothing[3::4]
            model = train_descriptions(shown, language)
            by_words = [model.read(one.text, language) for one in (*apart, *unseen)]
            report("words", by_words, apart, unseen)
            by_meaning = _by_meaning([*shown, *fragments(language)], [*apart, *unseen], language)
            report("meaning", by_meaning, apart, unseen)
            continue
        said = [*phrases(language), *nothing]
        model = train_descriptions(said, language)
        write_weights("descriptions", f"weights.{language}.json", model.to_text())
        embed = reader_of(language).embed
        meaning = train_sentences([*said, *fragments(language)], language, embed)
        write_weights("descriptions", f"sentences.{language}.json", meaning.to_text())


def _by_meaning(
    shown: list[LabelledPhrase], unseen: list[LabelledPhrase], language: str
) -> list[Recognised | None]:
    embed = reader_of(language).embed
    model = train_sentences(shown, language, embed)
    return [
        found and Recognised(*found, 0, 0) for found in model.read(embed([u.text for u in unseen]))
    ]


def report(
    reader: str,
    found: list[Recognised | None],
    apart: list[LabelledPhrase],
    nothing: list[LabelledPhrase],
) -> None:
    """Print what is found, rightly or wrongly, from each limit of certainty on."""
    family = heads()
    labels = [one.label for one in (*apart, *nothing)]
    for limit in LIMITS:
        raised = [
            (label, one)
            for label, one in zip(labels, found, strict=True)
            if one is not None and one.confidence >= limit
        ]
        right = sum(family.get(label, label) == family.get(r.label, r.label) for label, r in raised)
        false = sum(label == NOTHING for label, _ in raised)
        sys.stdout.write(
            f"{reader} from {limit}: {right / len(apart):.3f} of {len(apart)} found,"
            f" {right / max(len(raised), 1):.2f} of what is raised is right,"
            f" {100 * false / len(nothing):.1f} in 100 of {len(nothing)} clauses that tell none\n"
        )


if __name__ == "__main__":
    main()
