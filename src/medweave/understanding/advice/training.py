"""Learning which aspect of advice is asked for: from messages, each with the text that answers it.

{"message": "Asthma since school. Can I go diving?", "asks": "Can I go diving?",
 "of": "asthma", "text": "Diving with asthma …"}

`beside` says that the message asks something else, too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from medweave.language.passage import Span, passage_of
from medweave.understanding.asked.reading import stretch_of, with_sentence_before
from medweave.understanding.asked.training import Embed, Labelled, train_asked
from medweave.understanding.intents.features import QuestionText
from medweave.understanding.text_fitting import Fitting
from medweave.understanding.text_model import TextModel
from medweave.understanding.training_files import training_file

FITTING = Fitting(least=3, spread=3.0, penalty=0.5, sharper=(1.0, 1.0))
"""By authors left out in turn."""


@dataclass(frozen=True, slots=True)
class AdvisedMessage:
    """A message, the stretch of it that asks, and the text of advice that answers it."""

    message: QuestionText
    asks: Span
    alone: bool
    """Whether it asks nothing else."""
    answer: str
    author: int
    """Who wrote it: what is learned is tried on those of others."""

    @property
    def asking(self) -> QuestionText:
        """What is read: the message, or where it asks more, the stretch."""
        return self.message if self.alone else stretch_of(self.message, *self.asks)


def advised_messages(
    language: str, named: Callable[[str], QuestionText]
) -> Iterator[AdvisedMessage]:
    """The messages of a checkout; `named` finds the names in a text."""
    lines = training_file("advice", f"{language}.jsonl").read_text("utf-8").splitlines()
    for row in map(json.loads, lines):
        start = row["message"].index(row["asks"])
        yield AdvisedMessage(
            named(row["message"]),
            (start, start + len(row["asks"])),
            not row.get("beside", False),
            row["text"],
            row["author"],
        )


def labelled(
    messages: Sequence[AdvisedMessage], aspects: Mapping[str, str], language: str
) -> list[Labelled]:
    """What is learned from: each stretch that asks, also with the sentence before it, and each
    message that asks nothing else; with the aspect of its answer, by the words of that."""
    found: list[Labelled] = []
    for one in messages:
        whole, (start, end) = one.message, one.asks
        sentences = passage_of(whole.text, language).sentences
        texts = [stretch_of(whole, start, end), with_sentence_before(whole, sentences, start, end)]
        if one.alone:
            texts.append(whole)
        aspect = aspects.get(one.answer)
        found += [(text, aspect) for text in dict.fromkeys(texts) if aspect is not None]
    return found


def train_aspects(learned_from: Sequence[Labelled], language: str, embed: Embed) -> TextModel:
    """Fit the model of one language. It needs scikit-learn."""
    return train_asked(learned_from, language, embed, FITTING)
