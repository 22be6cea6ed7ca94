"""Which disease the whole of a complaint is told like, by complaints that were learned from.

A complaint in pictures names no finding, and its findings one by one are guessed at: "three in the
morning, the big toe like a beetroot, not even the sheet on it" is told as gout is. What is read is
a likeness and no finding: diseases are ranked by it beside what is recorded for them, the answer
says so, and no medicine is held against it. A base is asked for the diseases by their names; one
that has none of them hears nothing (decision 538).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache

from medweave.language.data import rule_in, shipped
from medweave.language.folding import blotted
from medweave.language.passage import passage_of
from medweave.model.question import SUBSTANCES, Intent, Likened, Question
from medweave.ports import SentenceVectors
from medweave.understanding.intents.features import QuestionText
from medweave.understanding.rule_files import CLAUSE_RULES
from medweave.understanding.sentence_vectors import vectors_by
from medweave.understanding.text_model import TextModel
from medweave.vocabulary.knowledge import Knowledge

READ = ("en", "zh")
"""The languages in which complaints were written for it."""
NONE = ""
"""The label of what is no complaint."""
BETWEEN = "|"
"""What stands between the names of a disease in a label."""
LEAST = 0.04
"""What is less likely is left out, and"""
LIKE_NOTHING = 0.2
"""where nothing is likelier, all is; and where it is told so surely like no complaint:"""
NO_COMPLAINT = 0.98
UNREAD = {"en": 12, "zh": 14}
"""Words, or Chinese characters, that tell something and in which nothing was read. A text that
names what is there is told by that: "I have a headache" is like many."""
TELLS = 0.5
"""From this certainty on, whoever names neither medicine nor disease asks what it is."""
_LONGEST = 1200
"""Characters: longer texts tell more than one complaint."""


def with_likened(
    question: Question, knowledge: Knowledge, vectors: SentenceVectors | None
) -> Question:
    """A question with the diseases that it is told like; and that asks for a diagnosis where it
    tells a complaint and asks for nothing else."""
    if question.language not in READ or len(question.text) > _LONGEST:
        return question
    wanted = "diagnosis" in question.labels
    if not wanted and not _leaves_room(question):
        return question
    if _unread(question) < UNREAD[question.language]:
        return question
    shares = _shares(question.text, question.language, vectors)
    none = shares.pop(NONE, 0.0)
    likeliest = max(shares.values())
    if not wanted and question.asked.label != "diagnosis" and likeliest < TELLS:
        return question
    if not wanted:
        told = Intent("diagnosis", round(max(likeliest, TELLS), 3))
        question = replace(question, intents=(told,), aside="")
    if none > NO_COMPLAINT or likeliest < LIKE_NOTHING * (1 - none):
        return question
    of_complaints = {label: share / (1 - none) for label, share in shares.items()}
    return replace(question, likened=tuple(_likened(of_complaints, knowledge)))


def _unread(question: Question) -> int:
    """How many words tell something and stand in nothing that was read."""
    language = question.language
    passage = passage_of(question.text, language)
    read = [(mention.start, mention.end) for mention in question.mentions]
    left = blotted(passage.text, read, " ")
    asks = rule_in(language, "asks", *CLAUSE_RULES)
    telling = (left[start:end] for start, end in passage.clauses)
    told = [text for text in telling if not asks.match(text)]
    if language == "zh":
        return sum(len("".join(text.split())) for text in told)
    return sum(len(text.split()) for text in told)


def _leaves_room(question: Question) -> bool:
    """Whether no medicine and no disease is named that anything else could be asked about."""
    return not any(m.concept in (*SUBSTANCES, "disease") for m in question.mentions)


def _shares(text: str, language: str, vectors: SentenceVectors | None) -> dict[str, float]:
    model = shipped_complaints(language)
    scores = model.scores(QuestionText(text))
    made = vectors_by(lambda: model.embedder, [text], language, vectors)
    return model.by_words(scores) if made is None else model.by_all(scores, made)


def _likened(shares: Mapping[str, float], knowledge: Knowledge) -> Iterator[Likened]:
    """The diseases of the base, the likeliest first."""
    for label in sorted(shares, key=lambda name: (-shares[name], name)):
        if shares[label] < LEAST:
            return
        called = (n for name in label.split(BETWEEN) for n in knowledge.dictionary.names(name))
        present = dict.fromkeys(n.entity for n in called if n.present)
        entities = tuple(e for e in present if "disease" in knowledge.entities.get(e).concepts)
        if entities:
            yield Likened(entities, round(shares[label], 3))


@cache
def shipped_complaints(language: str) -> TextModel:
    """The weights that ship for a language, read when they are first needed."""
    name = f"complaints.{language}.json"
    place = shipped("understanding", "complaints", name)
    return TextModel.from_text(place.read_text("utf-8"), where=name)
