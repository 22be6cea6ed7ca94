"""Training the reader of aspects by their meaning.

It learns each aspect from the questions in `training/aspects`, and that none is asked from the
questions on medicines in `training/questions` in which the rules read none.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from medweave.language.data import read_yaml_file
from medweave.language.passage import passage_of
from medweave.model.question import SUBSTANCES, Mention
from medweave.model.vectors import Vectors
from medweave.understanding.conversation.wording import words
from medweave.understanding.descriptions.model import NOTHING
from medweave.understanding.descriptions.sentence_model import SentenceModel
from medweave.understanding.descriptions.training import LabelledPhrase, train_sentences
from medweave.understanding.everyday import everyday_use
from medweave.understanding.training_files import training_file

_EACH = 3
"""Of so many questions that ask for no aspect one is learned from: of all of them, they outweigh
what asks for one."""


def asked(language: str) -> list[LabelledPhrase]:
    """The questions of a checkout that ask for an aspect."""
    held = read_yaml_file(training_file("aspects", f"{language}.yaml"))
    return [LabelledPhrase(label, text) for label, texts in held.items() for text in texts]


def of_no_aspect(language: str) -> Iterator[LabelledPhrase]:
    """Questions on medicines that ask for no aspect."""
    held = training_file("questions", f"{language}.jsonl").read_text("utf-8").splitlines()
    for row in map(json.loads, held):
        text, names = row["text"], row.get("names", {})
        drugs = [name for name, concept in names.items() if concept in SUBSTANCES]
        places = [(text.find(name), name) for name in drugs]
        named = [Mention(at, at + len(name), name, name, name, "drug") for at, name in places]
        if drugs and not everyday_use(passage_of(text, language), named):
            for name in drugs:
                text = text.replace(name, words(language)["this_medicine"])
            yield LabelledPhrase(NOTHING, text)


def train_aspects(language: str, embed: Callable[[Sequence[str]], Vectors]) -> SentenceModel:
    """Fit the weights, with the vectors that `embed` makes."""
    said = [*asked(language), *islice(of_no_aspect(language), 0, None, _EACH)]
    return replace(train_sentences(said, language, embed, families={}), calibration=1)
