"""Make the weights of the readers of what is asked, or say how often those that ship are right.

`python scripts/train_asked.py`; with `--measure` nothing is written, and the questions that nothing
was learned from are read with their names marked. It needs scikit-learn and `medweave weights
install` before, and takes some minutes. The same lists give the same weights.
"""

import argparse
import sys
from collections.abc import Sequence

from medweave.embedding.choosing import reader_of
from medweave.knowledge_base import KnowledgeBase
from medweave.model.question import Mention
from medweave.model.vectors import Vectors
from medweave.ports import SentenceVectors
from medweave.understanding.asked.reading import READ, what_is_asked
from medweave.understanding.asked.training import (
    APART,
    AskedQuestion,
    all_questions,
    asked_questions,
    labelled,
    messages,
    notes,
    train_asked,
    train_asking,
    train_effects,
)
from medweave.understanding.training_files import write_weights


def main() -> None:
    """Write the weights, or measure those that ship."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--measure", action="store_true")
    if options.parse_args().measure:
        _measure()
    else:
        _train()


def _train() -> None:
    questions = all_questions()
    write_weights("asked", "effects.json", train_effects(questions).to_text())
    with KnowledgeBase.sample() as base:
        sent = [message for language in READ for message in messages(language, base.question_text)]
    for language in READ:
        own = [q for q in questions if q.language == language]
        of_messages = [message for message in sent if message.language == language]
        texts = labelled(own, of_messages)
        made = train_asked(texts, language, reader_of(language).embed)
        write_weights("asked", f"asked.{language}.json", made.to_text())
        made = train_asking(of_messages, notes(language))
        write_weights("asked", f"asking.{language}.json", made.to_text())


def _measure() -> None:
    for language in READ:
        questions = asked_questions(language, APART)
        for name, vectors in (("words", None), ("words and vectors", _vectors)):
            right = sum(_is_read(question, vectors) for question in questions)
            sys.stdout.write(f"{language}, {name}: {right} of {len(questions)}\n")


def _vectors(texts: Sequence[str], language: str) -> Vectors:
    return reader_of(language).embed(texts)


def _is_read(question: AskedQuestion, vectors: SentenceVectors | None) -> bool:
    names = [Mention(n.start, n.end, "", "", "", n.concept) for n in question.marked.names]
    asked = what_is_asked(question.marked.text, question.language, names, vectors)
    return asked.label in question.labels


if __name__ == "__main__":
    main()
