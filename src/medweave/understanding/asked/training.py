"""Learning what texts ask: from questions with a label and a mark on each name, and from messages
as people send them, with the stretches that ask, in which names are found as in any text.

{"question": "Is [symptom effect:a cough] from [drug suspected:ramipril]?",
 "asked": ["effect_of_drug"]}
{"message": "Mum is 80, on ramipril. This dry cough of hers, could that be it?",
 "asks": [["effect_of_drug", "This dry cough of hers, could that be it?"]]}
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from medweave.errors import SourceError
from medweave.language.passage import Span, passage_of
from medweave.language.typed import as_read
from medweave.model.vectors import Vectors
from medweave.understanding.asked.asking import ASKS, TELLS
from medweave.understanding.asked.reading import (
    READ,
    stretch_of,
    unnamed,
    with_sentence_before,
)
from medweave.understanding.intents.features import QuestionText, intent_features
from medweave.understanding.roles.model import RoleModel
from medweave.understanding.roles.training import MarkedQuestion, marked_question, train_role
from medweave.understanding.text_fitting import Fitting, View, fit_text_model
from medweave.understanding.text_model import TextModel
from medweave.understanding.training_files import training_file

FITTING = Fitting(least=5, spread=3.0, penalty=0.1, sharper=(2.0, 1.2))
"""By hands left out in turn (decisions 520, 562, 565)."""
_END = 3
"""Characters: the mark of a question and what stands around it."""
_MORE = 6
"""Characters: what stands before a stretch in its sentence, and is less, tells nothing more."""
FITTING_OF_ASKING = Fitting(least=5, spread=1.0, penalty=0.1, sharper=(1.0, 1.0))
APART = "apart"
"""The folder of questions that are only measured by."""
Embed = Callable[[Sequence[str]], Vectors]
EFFECT = "effect"
"""The role of what is asked about as an effect of a medicine."""


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question, and what it asks."""

    language: str
    marked: MarkedQuestion
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Message:
    """A message, and each stretch of it that asks, with what it asks."""

    language: str
    text: QuestionText
    asks: tuple[tuple[str, Span], ...]


def asked_questions(language: str, *folder: str) -> list[AskedQuestion]:
    """The questions of a checkout; with `APART` those that nothing is learned from."""
    lines = training_file("asked", *folder, f"{language}.jsonl").read_text("utf-8").splitlines()
    return [
        AskedQuestion(language, marked_question(row["question"]), tuple(row["asked"]))
        for row in map(json.loads, lines)
    ]


def messages(language: str, named: Callable[[str], QuestionText]) -> list[Message]:
    """The messages of a checkout; `named` finds the names in a text. Raises `SourceError` where a
    stretch does not stand in its message."""
    name = f"{language}.jsonl"
    place = training_file("asked", "messages", name)
    found = list[Message]()
    for line, row in enumerate(map(json.loads, place.read_text("utf-8").splitlines()), 1):
        text = row["message"]
        starts = [(label, stretch, text.find(stretch)) for label, stretch in row["asks"]]
        if lacking := [stretch for _, stretch, start in starts if start < 0]:
            raise SourceError(
                f'"{lacking[0]}" does not stand in the message',
                where=f"{name}:{line}",
                remedy="write what asks as it stands in the message",
            )
        asks = tuple((label, (start, start + len(part))) for label, part, start in starts)
        found.append(Message(language, named(text), asks))
    return found


Labelled = tuple[QuestionText, str]


def labelled(questions: Sequence[AskedQuestion], of_messages: Sequence[Message]) -> list[Labelled]:
    """Texts with what they ask: questions, whole messages that ask one thing, and each stretch
    that asks and is not all of its message, as it stands and with the sentence before it."""
    found = [(QuestionText(q.marked.text, q.marked.names), q.labels[0]) for q in questions]
    for message in of_messages:
        if len(message.asks) == 1:
            found.append((message.text, message.asks[0][0]))
        found += [
            (stretch_of(message.text, start, end), label)
            for label, (start, end) in message.asks
            if len(message.asks) > 1 or end - start < len(message.text.text) - _END
        ]
        sentences = passage_of(message.text.text, message.language).sentences
        for label, (start, end) in message.asks:
            behind = with_sentence_before(message.text, sentences, start, end)
            if end - start + _MORE < len(behind.text) < len(message.text.text) - _END:
                found.append((behind, label))
    return found


def notes(language: str) -> list[str]:
    """What only tells though it begins as a question does: "does not drink"."""
    return training_file("asked", f"told.{language}.txt").read_text("utf-8").splitlines()


def train_asked(
    questions: Sequence[Labelled], language: str, embed: Embed, fitting: Fitting = FITTING
) -> TextModel:
    """Fit the model of one language, with the vectors that `embed` makes: of each text with names
    as what they are and as it is, for names that a base may not know; each with its vectors and
    without. It needs scikit-learn."""
    import numpy as np

    texts = [text for text, _ in questions]
    labels = [label for _, label in questions]
    features = [intent_features(text) for text in texts]
    named = embed([as_read(unnamed(t.text, language, t.names), language) for t in texts])
    as_it_is = embed([as_read(text.text, language) for text in texts])
    bare = [intent_features(QuestionText(text.text)) for text in texts]
    u, t = (np.asarray(made.data).reshape(len(made), -1) for made in (named, as_it_is))
    views = [View(features, np.hstack([u, t])), View(features), View(bare, np.hstack([t, t]))]
    return fit_text_model(views, labels, named.model.id, fitting)


def train_asking(of_messages: Sequence[Message], told: Sequence[str]) -> TextModel:
    """Fit the model that tells which sentences ask, by their words: of the sentences of messages,
    and of notes that only tell though they begin as questions do. It needs scikit-learn."""
    found = [pair for message in of_messages for pair in _sentences(message)]
    found += [(text, TELLS) for text in told]
    view = View([intent_features(QuestionText(text)) for text, _ in found])
    return fit_text_model([view], [label for _, label in found], "", FITTING_OF_ASKING)


def _sentences(message: Message) -> Iterator[tuple[str, str]]:
    """The sentences of a message and the stretches that ask, each with whether it asks."""
    text = message.text.text
    asks = [place for _, place in message.asks]
    yield from ((text[start:end], ASKS) for start, end in asks)
    for start, end in passage_of(text, message.language).sentences:
        meets = any(first < end - 1 and start < last - 1 for first, last in asks)
        yield text[start:end], ASKS if meets else TELLS


def train_effects(questions: Sequence[AskedQuestion]) -> RoleModel:
    """Fit the reader of which condition is asked about as an effect."""
    marked = [question.marked for question in questions]
    return train_role(marked, EFFECT, trained_on={"questions": len(marked)})


def all_questions() -> list[AskedQuestion]:
    """All that is learned from."""
    return [question for language in READ for question in asked_questions(language)]
