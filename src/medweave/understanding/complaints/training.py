"""Learning which disease complaints are told of, from complaints with their findings marked.

{"hand": "a", "complaint": "me [swollen joints: big toe's like a beetroot] since the wedding",
 "disease": "gout"}

Without a disease it is no complaint. `hand` is who wrote it: what is read of a hand is measured by
a model that learned nothing from it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from medweave.language.data import read_yaml_file, shipped
from medweave.language.typed import as_read
from medweave.model.vectors import Vectors
from medweave.understanding.asked.training import asked_questions
from medweave.understanding.complaints.reading import BETWEEN, NONE
from medweave.understanding.intents.features import QuestionText, intent_features
from medweave.understanding.text_fitting import Fitting, View, fit_text_model
from medweave.understanding.text_model import TextModel
from medweave.understanding.training_files import training_file

NOBODY = ""
"""The hand of what was written for something else."""
FITTING = Fitting(least=8, spread=8.0, penalty=0.1, sharper=(2.0, 1.2))
"""By hands left out in turn (decision 538)."""
_EACH = 8
"""Of the questions that ask for something else every so many is no complaint."""
_COMPLAINTS = frozenset(("diagnosis", "report", "urgent_care"))
"""Labels of questions that may be complaints."""
_NAMED = 3
"""At every so many findings a complaint begins that names them, and one more."""
_MARK = re.compile(r"\[(?P<denied>-?)(?P<finding>[^:\[\]]+): (?P<words>[^\[\]]+)\]")


@dataclass(frozen=True, slots=True)
class Marked:
    """Words of a complaint that tell a finding, or deny it."""

    start: int
    end: int
    finding: str
    denied: bool


@dataclass(frozen=True, slots=True)
class Complaint:
    """A complaint, the findings in it, and the disease it is told of; without one it is none."""

    hand: str
    text: str
    marks: tuple[Marked, ...]
    disease: str


def complaints(language: str) -> list[Complaint]:
    """The complaints of a checkout, and questions of it that are none."""
    lines = training_file("complaints", f"{language}.jsonl").read_text("utf-8").splitlines()
    names = _names(language)
    told = [
        Complaint(
            row["hand"],
            *unmarked(row["complaint"]),
            names[row["disease"]] if row["disease"] else NONE,
        )
        for row in map(json.loads, lines)
    ]
    told += _by_names(language, names)
    others = [q.marked.text for q in asked_questions(language) if q.labels[0] not in _COMPLAINTS]
    return told + [Complaint(NOBODY, text, (), NONE) for text in others[::_EACH]]


def _by_names(language: str, names: Mapping[str, str]) -> Iterator[Complaint]:
    """What people say who have the findings' names: a few of a disease's in turn, of the sample."""
    labels = {name: label for label in names.values() for name in label.split(BETWEEN)}
    form = read_yaml_file(training_file("complaints", "by_names.yaml"))[language]
    for disease in json.loads(shipped("samples", f"diseases.{language}.json").read_text("utf-8")):
        found = [s if isinstance(s, str) else s["text"] for s in disease.get("symptoms", ())]
        if disease["name"] in labels:
            for at in range(0, len(found), _NAMED):
                text = form["text"].format(form["joint"].join(found[at : at + _NAMED + 1]))
                yield Complaint(NOBODY, text, (), labels[disease["name"]])


def _names(language: str) -> Mapping[str, str]:
    """By the name that complaints bear, the label of a disease: its names in a base."""
    held: dict[str, list[str]] = read_yaml_file(training_file("complaints", "diseases.yaml"))
    return {
        name: BETWEEN.join((name,) if language == "en" else (*held[name], name)) for name in held
    }


def unmarked(text: str) -> tuple[str, tuple[Marked, ...]]:
    """A text without its marks, and where they stood.

    >>> unmarked("I [-fever: am not hot].")
    ('I am not hot.', (Marked(start=2, end=12, finding='fever', denied=True),))
    """
    bare, marks, place = "", list[Marked](), 0
    for found in _MARK.finditer(text):
        bare += text[place : found.start()]
        end = len(bare) + len(found["words"])
        marks.append(Marked(len(bare), end, found["finding"], bool(found["denied"])))
        bare += found["words"]
        place = found.end()
    return bare + text[place:], tuple(marks)


def train_complaints(
    told: Sequence[Complaint], language: str, embed: Callable[[Sequence[str]], Vectors]
) -> TextModel:
    """Fit the model of one language, with the vectors that `embed` makes; each complaint with its
    vector and without. It needs scikit-learn."""
    import numpy as np

    features = [intent_features(QuestionText(one.text)) for one in told]
    made = embed([as_read(one.text, language) for one in told])
    vectors = np.asarray(made.data).reshape(len(made), -1)
    labels = [one.disease for one in told]
    return fit_text_model([View(features, vectors), View(features)], labels, made.model.id, FITTING)
