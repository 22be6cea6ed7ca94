"""Training the reader of findings that clauses tell in words of their own.

It learns from the clauses in `training/findings`, from the names of the findings in these and from
what is marked in whole complaints (`training/complaints`), and that nothing is told from clauses
that lie beside. The lay wordings that ship are left out, and so
is what the readers of descriptions learn as describing nothing: the ones are no clauses, and among
the others are many that tell a finding (decision 435).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from medweave.language.data import read_yaml_file
from medweave.language.passage import passage_of
from medweave.model.vectors import Vectors
from medweave.understanding.complaints.reading import NONE
from medweave.understanding.complaints.training import NOBODY, Complaint, complaints
from medweave.understanding.descriptions.model import NOTHING
from medweave.understanding.descriptions.sentence_model import SentenceModel
from medweave.understanding.descriptions.stretches import AROUND, stretches
from medweave.understanding.descriptions.supposed import BETWEEN
from medweave.understanding.descriptions.training import (
    LabelledPhrase,
    train_sentences,
)
from medweave.understanding.training_files import training_file


def clauses_of_findings(language: str) -> list[LabelledPhrase]:
    """The clauses of a checkout that tell a finding, and its names."""
    held = read_yaml_file(training_file("findings", f"{language}.yaml"))
    entries = [(entry["names"], entry["said"]) for entry in held["findings"]]
    bearers = Counter(name for names, _ in entries for name in names)
    return [
        LabelledPhrase(BETWEEN.join(names), text)
        for names, said in entries
        for text in (names[0], *(name for name in names[1:] if bearers[name] == 1), *said)
    ]


def clauses_of_no_finding(language: str) -> list[LabelledPhrase]:
    """Clauses that tell no finding."""
    held = training_file("findings", f"none.{language}.txt").read_text("utf-8").splitlines()
    return [LabelledPhrase(NOTHING, text) for text in held]


def marked_in_complaints(language: str, told: Iterable[Complaint]) -> Iterator[LabelledPhrase]:
    """What complaints tell of the findings that are learned, and the clauses of what is none."""
    held = read_yaml_file(training_file("findings", f"{language}.yaml"))
    labels = {
        name: BETWEEN.join(entry["names"])
        for entry in reversed(held["findings"])
        for name in reversed(entry["names"])
    }
    for one in told:
        for mark in one.marks:
            if mark.finding in labels and not mark.denied:
                yield LabelledPhrase(labels[mark.finding], one.text[mark.start : mark.end])
        if one.hand != NOBODY and one.disease == NONE:
            passage = passage_of(one.text, language)
            for start, end, _ in stretches(passage):
                yield LabelledPhrase(NOTHING, one.text[start:end].strip(AROUND))


def train_findings(language: str, embed: Callable[[Sequence[str]], Vectors]) -> SentenceModel:
    """Fit the weights, with the vectors that `embed` makes."""
    marked = marked_in_complaints(language, complaints(language))
    said = [*clauses_of_findings(language), *clauses_of_no_finding(language), *marked]
    made = train_sentences(said, language, embed, families={})
    return replace(made, trained_on={**made.trained_on, "of": digest_of(said)})


def digest_of(said: Sequence[LabelledPhrase]) -> str:
    """What tells one set of lists from another, whatever their order."""
    lines = sorted(f"{one.label}\t{one.text}" for one in said)
    return hashlib.blake2b("\n".join(lines).encode(), digest_size=8).hexdigest()
