"""Make the weights by which practical advice is found, or say how often they are right.

`python scripts/train_advice.py`; with `--measure` nothing is written, and the messages of each
author are answered by what was learned from the others alone. It needs scikit-learn and
`medweave weights install` before, and takes some minutes. The same lists give the same weights.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from medweave.embedding.choosing import reader_of
from medweave.knowledge_base import KnowledgeBase
from medweave.language.data import shipped
from medweave.language.typed import as_read
from medweave.model.vectors import Vectors
from medweave.retrieval.advice.ranking import (
    BY_ALL,
    BY_WORDS,
    COMPARED,
    Row,
    Weights,
    compared_words,
    rows_by_meaning,
    rows_by_words,
)
from medweave.retrieval.advice.texts import (
    ADVICE,
    ADVISED,
    NO_ASPECT,
    AdviceText,
    aspect_of,
    texts_on,
)
from medweave.understanding.advice.training import (
    AdvisedMessage,
    advised_messages,
    labelled,
    train_aspects,
)
from medweave.understanding.asked.reading import READ, chances_by
from medweave.understanding.text_model import TextModel
from medweave.understanding.training_files import write_weights
from medweave.vocabulary.knowledge import Knowledge

SAID = (0.5, 0.35, 0.25, 0.15)


@dataclass(frozen=True)
class Example:
    """A message, the texts that may answer it, and which does; None where none of them does."""

    message: AdvisedMessage
    texts: Sequence[AdviceText]
    answer: int | None


def main() -> None:
    """Write the weights, or measure by authors left out."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--measure", action="store_true")
    measure = options.parse_args().measure
    made: dict[str, dict[str, Any]] = {}
    with KnowledgeBase.sample() as base:
        for language in READ:
            of_texts = aspects_of(base.knowledge, language)
            messages = list(advised_messages(language, base.question_text))
            examples = [example(one, language, base.knowledge) for one in messages]
            near = nearness(language, examples)
            wanted = out_of_fold(messages, of_texts, language)
            if measure:
                _measure(examples, wanted, near, language)
                continue
            whole = train_aspects(
                labelled(messages, of_texts, language), language, reader_of(language).embed
            )
            write_weights("advice", f"aspects.{language}.json", whole.to_text())
            made[language] = weights(examples, wanted, near)
    if made:
        place = Path(str(shipped("retrieval", "advice", "weights.json")))
        place.write_text(json.dumps(made, indent=1) + "\n", "utf-8")


def aspects_of(knowledge: Knowledge, language: str) -> dict[str, str]:
    """The aspect of every text of advice of a base."""
    return {
        supported.statement.text: aspect_of(supported) or NO_ASPECT
        for predicate in ADVICE
        for supported in knowledge.store.match(None, predicate)
        if supported.statement.language == language
    }


def example(message: AdvisedMessage, language: str, knowledge: Knowledge) -> Example:
    """The texts that a message names, as a question would find them."""
    start, end = (0, len(message.message.text)) if message.alone else message.asks
    named, told = dict[str, str](), dict[str, str]()
    for match in knowledge.dictionary.find(message.message.text):
        inside = start <= match.start and match.end <= end
        for one in match.named:
            if one.concept in ADVISED:
                called = message.message.text[match.start : match.end]
                (named if inside else told).setdefault(one.entity, called)
    told = {entity: called for entity, called in told.items() if entity not in named}
    found = texts_on(named, language, knowledge)
    found += texts_on(told, language, knowledge, told_before=True)
    texts = list({text.words: text for text in reversed(found)}.values())[::-1]
    answer = next((n for n, text in enumerate(texts) if text.words == message.answer), None)
    return Example(message, texts, answer)


def nearness(language: str, examples: Iterable[Example]) -> Any:
    """A vector of each text that is compared, embedded once."""
    embed = reader_of(language).embed
    held: dict[str, Any] = {}

    def vectors(texts: Iterable[str]) -> Mapping[str, Any]:
        new = sorted({text for text in texts if text not in held}, key=lambda t: (len(t), t))
        for at in range(0, len(new), 256):
            held.update(zip(new[at : at + 256], embed(new[at : at + 256]), strict=True))
        return held

    vectors(as_read(one.message.asking.text, language) for one in examples)
    return vectors


def out_of_fold(
    messages: Sequence[AdvisedMessage], of_texts: Mapping[str, str], language: str
) -> list[dict[str, float]]:
    """The chance of every aspect for each message, by a model that learned from other authors."""
    embed = reader_of(language).embed
    found = list[dict[str, float]]([{}] * len(messages))
    for author in sorted({one.author for one in messages}):
        others = labelled([m for m in messages if m.author != author], of_texts, language)
        model = train_aspects(others, language, embed)
        for at, one in enumerate(messages):
            if one.author == author:
                found[at] = _chances(model, one, language)
    return found


def _chances(model: TextModel, message: AdvisedMessage, language: str) -> dict[str, float]:
    def vectors(texts: Sequence[str], language: str) -> Vectors:
        return reader_of(language).embed(texts)

    return chances_by(model, message.asking, language, vectors)


def weights(
    examples: Sequence[Example], wanted: Sequence[Mapping[str, float]], near: Any
) -> dict[str, Any]:
    """The weights of one language: by words, and by meaning too, of the best by words."""
    pairs = list(zip(examples, wanted, strict=True))
    by_words = _fitted([(_by_words(e, w), e.answer) for e, w in pairs if e.texts], BY_WORDS)
    by_all = _fitted([_by_all(e, w, by_words, near) for e, w in pairs if e.texts], BY_ALL)
    return {"words": _held(by_words), "all": _held(by_all)}


def _by_words(example: Example, wanted: Mapping[str, float]) -> list[Row]:
    return rows_by_words(example.message.asking.text, wanted, example.texts)


def _by_all(
    example: Example, wanted: Mapping[str, float], by_words: Weights, near: Any
) -> tuple[list[Row], int | None]:
    """The rows of the best by words, and which of them is the answer."""
    language = example.texts[0].supported.statement.language
    rows = _by_words(example, wanted)
    order = sorted(range(len(rows)), key=lambda n: -by_words.chance(rows[n]))[:COMPARED]
    asked = as_read(example.message.asking.text, language)
    read = [compared_words(example.texts[n], language) for n in order]
    held = near([asked, *read])
    cosines = [sum(a * b for a, b in zip(held[asked], held[text], strict=True)) for text in read]
    more = rows_by_meaning(cosines)
    answer = order.index(example.answer) if example.answer in order else None
    return [rows[n] | own for n, own in zip(order, more, strict=True)], answer


def _fitted(found: Sequence[tuple[Sequence[Row], int | None]], names: Sequence[str]) -> Weights:
    """A logistic regression of whether a text is the answer."""
    from sklearn.linear_model import LogisticRegression

    rows = [[row[name] for name in names] for some, _ in found for row in some]
    right = [n == answer for some, answer in found for n in range(len(some))]
    made = LogisticRegression(max_iter=3000).fit(rows, right)
    return Weights(
        float(made.intercept_[0]), dict(zip(names, map(float, made.coef_[0]), strict=True))
    )


def _held(weights: Weights) -> dict[str, Any]:
    return {
        "bias": round(weights.bias, 4),
        "of": {name: round(weight, 4) for name, weight in weights.of.items()},
    }


def _measure(
    examples: Sequence[Example], wanted: Sequence[Mapping[str, float]], near: Any, language: str
) -> None:
    """Of each author: how often the answer is the first text, or one of two; and how often both
    are right where the first is at least so likely."""
    pairs = list(zip(examples, wanted, strict=True))
    for author in sorted({one.message.author for one in examples}):
        others = [(e, w) for e, w in pairs if e.message.author != author]
        own = [(e, w) for e, w in pairs if e.message.author == author]
        made = weights(*map(list, zip(*others, strict=True)), near)
        by_words, by_all = (Weights(made[by]["bias"], made[by]["of"]) for by in ("words", "all"))
        for name, weights_used in (("words", by_words), ("all", by_all)):
            found = Counter[str]()
            for one, chances in own:
                found["all"] += 1
                if not one.texts:
                    continue
                rows, answer = (
                    (_by_words(one, chances), one.answer)
                    if name == "words"
                    else _by_all(one, chances, by_words, near)
                )
                likely = [weights_used.chance(row) for row in rows]
                best = sorted(range(len(rows)), key=lambda n: -likely[n])
                found["first"] += answer is not None and best[0] == answer
                found["two"] += answer is not None and answer in best[:2]
                for least in SAID:
                    if likely[best[0]] >= least:
                        found[f"said {least}"] += 1
                        found[f"right {least}"] += answer in best[:2] and answer is not None
            sys.stdout.write(
                f"{language}, author {author}, {name}: of {found['all']} first {found['first']}, "
                f"of two {found['two']}; "
                + "; ".join(f"at {p} {found[f'right {p}']} of {found[f'said {p}']}" for p in SAID)
                + "\n"
            )


if __name__ == "__main__":
    main()
