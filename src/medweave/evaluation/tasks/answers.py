"""The task `answers`: what is said to a question, out of the texts of a base, and out of what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from medweave.errors import ConfigurationError
from medweave.evaluation.items import Item, Reply, System, Trainer
from medweave.evaluation.measures.answers import (
    ROUGE,
    Rouge,
    evidence_recall,
    mean_of_known,
    words_cited,
)
from medweave.evaluation.measures.classification import Measure, mean
from medweave.evaluation.outcomes import Outcome
from medweave.evaluation.result import Tables
from medweave.evaluation.runner import OURS, Plan
from medweave.evaluation.systems.embedding import Embedding
from medweave.evaluation.systems.passage_answers import (
    BestSentence,
    FirstPassage,
    MedweaveAnswers,
    Oracle,
    PassageShelf,
)
from medweave.evaluation.task import Request, register
from medweave.language.segmentation import language_of


def answer_item(record: Mapping[str, Any], identifier: str) -> Item | str:
    """A question with its right answer, or several of which any is right, and where it stands.

    >>> record = {"question": "What is gout?", "answer": "A kind of arthritis.", "type": "fact"}
    >>> answer_item(record, "1").groups
    ('type=fact', 'language=en')
    """
    question = record.get("question")
    if not isinstance(question, str) or not question.strip():
        return "no question"
    answers = _texts(record.get("answer")) or _texts(record.get("answers"))
    if not answers:
        return "no answer"
    kind = record.get("question_type", record.get("type"))
    typed = (f"type={kind}",) if isinstance(kind, str) and kind else ()
    return Item(
        identifier,
        answers,
        question.strip(),
        evidence=_texts(record.get("evidence")),
        groups=(*typed, f"language={language_of(question)}"),
    )


def _texts(value: Any) -> tuple[str, ...]:
    given = value if isinstance(value, list) else [value]
    return tuple(text for text in given if isinstance(text, str) and text.strip())


def plan(request: Request) -> Plan:
    """What is run: ours, the best sentence by words, by meaning and by both, the first passage by
    words, and the sentence that is nearest to the right answer among the first five.

    Raises `ConfigurationError` where the base has no passages, or ROUGE cannot be counted.
    """
    data, _ = request.read(answer_item)
    shelf = PassageShelf(request.base, request.embedding)
    if not shelf.passages:
        raise ConfigurationError(
            "this base has no passages of texts",
            where="--kb",
            remedy="build one from texts, or name these with --sources",
        )
    scores = Scores(shelf)
    return request.plan(
        "answers",
        data,
        _systems(request, shelf, scores.rouge),
        scores.measures,
        settings={
            "embedder": request.embedding.name,
            "passages": len(shelf.passages),
            "passages_digest": shelf.digest,
        },
        tables=unanswered,
        case_rows=scores.cases,
    )


def _systems(request: Request, shelf: PassageShelf, rouge: Rouge) -> Mapping[str, Trainer]:
    def near(make: Any) -> Trainer:
        def made(_: Sequence[Item]) -> System:
            _check(request.embedding)
            system: System = make()
            return system

        return made

    def score(references: tuple[str, ...], answer: str) -> float:
        return rouge.scores(references, answer)["rouge_l"]

    return {
        OURS: lambda _: MedweaveAnswers(request.base),
        "bm25": lambda _: BestSentence(shelf, shelf.by_words, shelf.sentences_by_words),
        "bm25 passage": lambda _: FirstPassage(shelf, shelf.by_words),
        "dense": near(lambda: BestSentence(shelf, shelf.by_meaning, shelf.sentences_by_meaning)),
        "hybrid": near(lambda: BestSentence(shelf, shelf.by_both, shelf.sentences_by_both)),
        "oracle": near(lambda: Oracle(shelf, shelf.by_both, shelf.sentences_by_both, score)),
    }


def _check(embedding: Embedding) -> None:
    if embedding.embedder is None:
        raise ConfigurationError(embedding.reason, where="embedder")


class Scores:
    """What is measured of replies, and the replies one by one."""

    def __init__(self, shelf: PassageShelf) -> None:
        self.rouge = Rouge()
        self._passages = shelf.by_id

    def measures(self, items: Sequence[Item], outcomes: Sequence[Outcome]) -> dict[str, Measure]:
        """ROUGE-L, whether the first passages hold the evidence, how many are answered, and how
        many words of an answer stand in what it cites."""
        rows = [self._of_one(item, outcome) for item, outcome in zip(items, outcomes, strict=True)]
        known = ("evidence_recall@5", "words_cited")
        return {
            name: (mean_of_known if name in known else mean)([row[name] for row in rows])
            for name in (*ROUGE, "evidence_recall@5", "answered", "words_cited")
        }

    def _of_one(self, item: Item, outcome: Outcome) -> dict[str, Any]:
        reply = outcome.reply or Reply()
        found = self._texts(reply.passages)
        cited = self._texts(name for each in reply.sentences for name in each.passages)
        return {
            **self.rouge.scores(item.expected, reply.text),
            "evidence_recall@5": evidence_recall(item.evidence, found),
            "answered": float(bool(reply.sentences)),
            "words_cited": words_cited(reply.text, cited),
        }

    def _texts(self, identifiers: Iterable[str]) -> Iterator[str]:
        return (self._passages[each].text for each in identifiers if each in self._passages)

    def cases(
        self, items: Sequence[Item], outcomes: Mapping[str, Sequence[Outcome]]
    ) -> list[dict[str, Any]]:
        """A row for each system and question."""
        return [
            self._case(system, item, outcome)
            for system, some in outcomes.items()
            for item, outcome in zip(items, some, strict=True)
        ]

    def _case(self, system: str, item: Item, outcome: Outcome) -> dict[str, Any]:
        reply = outcome.reply or Reply()
        measured = self._of_one(item, outcome)
        return {
            "task": "answers",
            "system": system,
            "id": item.id,
            "question": item.text,
            "answer": reply.text,
            "sentences": [
                {"text": each.text, "passages": list(each.passages)} for each in reply.sentences
            ],
            "passages": [self._place(name) for name in reply.passages],
            "ranking": [],
            "gold": {"answer": list(item.expected), "evidence": list(item.evidence)},
            "slices": dict(group.split("=", 1) for group in item.groups),
            "measures": {k: round(v, 4) for k, v in measured.items() if v is not None},
            "error": reply.error or None,
        }

    def _place(self, identifier: str) -> dict[str, Any]:
        held = self._passages[identifier]
        return {
            "id": identifier,
            "document": held.whole,
            "start": held.start,
            "end": held.end,
            "text": held.text,
        }


def unanswered(items: Sequence[Item], outcomes: Mapping[str, Sequence[Outcome]]) -> Tables:
    """The questions to which ours says nothing, with what it gives as the reason."""
    rows = []
    for item, outcome in zip(items, outcomes[OURS], strict=True):
        reply = outcome.reply or Reply()
        if not reply.sentences:
            rows.append({"id": item.id, "question": item.text, "why": reply.error or reply.why})
    return {"unanswered": rows}


register("answers", plan, embeds=True)
