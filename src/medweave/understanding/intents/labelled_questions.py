"""Questions with what they ask for: the records that a classifier of intents is trained on.

    {"text": "How is asthma treated?", "label": "treatment"}
    {"text": "...", "labels": ["symptom", "treatment"], "names": {"asthma": "disease"}}

`names` says which names stand in the text, by concept; without it they are looked up. The
questions that ship were written by the authors for this purpose and are of no other source.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from medweave.language.data import LANGUAGES
from medweave.understanding.intents.features import Name, QuestionText
from medweave.understanding.intents.model import LabelledQuestion
from medweave.understanding.training_files import training_file


def labelled_question(
    record: Mapping[str, Any], read: Callable[[str], QuestionText]
) -> LabelledQuestion | str:
    """The question of a record, or why it is none; `query` and `type` are names of public sets.

    A `message` with parts in `sub`, each of a `type`, asks for all of these.

    >>> labelled_question({"text": "What helps?", "label": "treatment"}, QuestionText).labels
    ('treatment',)
    """
    if isinstance(record.get("sub"), list) and "text" not in record:
        record = _whole(record)
    text = next((record[k] for k in ("text", "query", "question") if record.get(k)), "")
    named = next((record[k] for k in ("labels", "label", "type", "intent") if record.get(k)), None)
    listed = named if isinstance(named, list) else [named]
    labels = tuple(dict.fromkeys(str(label) for label in listed if label))
    if not isinstance(text, str) or not text.strip():
        return "no text"
    if not labels:
        return "no label"
    names = record.get("names")
    if isinstance(names, dict):
        return LabelledQuestion(question_with_names(text, names), labels, names_given=True)
    return LabelledQuestion(read(text), labels)


def _whole(message: Mapping[str, Any]) -> dict[str, Any]:
    """A message with its subject as one text, and the types of all that it asks."""
    parts = (message.get(part) for part in ("subject", "message"))
    text = "\n".join(part.strip() for part in parts if isinstance(part, str) and part.strip())
    types = [part.get("type") for part in message["sub"] if isinstance(part, dict)]
    return {"text": text, "labels": [name for name in types if isinstance(name, str)]}


def question_with_names(text: str, names: Mapping[str, Any]) -> QuestionText:
    """A text with these names wherever they stand in it, the longest first.

    >>> question_with_names("asthma, or no asthma?", {"asthma": "disease"}).names[1]
    Name(start=14, end=20, concept='disease')
    """
    found: list[Name] = []
    for name, concept in sorted(names.items(), key=lambda pair: (-len(pair[0]), pair[0])):
        start = text.find(name) if name else -1
        while start >= 0:
            end = start + len(name)
            if all(end <= other.start or start >= other.end for other in found):
                found.append(Name(start, end, str(concept)))
            start = text.find(name, end)
    return QuestionText(text, tuple(sorted(found, key=lambda n: n.start)))


@cache
def shipped_questions() -> tuple[LabelledQuestion, ...]:
    """The questions that the model that ships was trained on."""
    places = (training_file("questions", f"{language}.jsonl") for language in LANGUAGES)
    lines = (line for place in places for line in place.read_text("utf-8").splitlines())
    made = (labelled_question(json.loads(line), QuestionText) for line in lines)
    return tuple(question for question in made if isinstance(question, LabelledQuestion))
