"""The task `answers`: what is said to a question, out of the texts of a base, and out of what.

ROUGE is that of the package `rouge-score`, with its stemmer; Chinese is taken by characters.
Source: Lin, "ROUGE: a package for automatic evaluation of summaries" (2004).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from medweave.errors import ConfigurationError
from medweave.evaluation.items import Item, Reply, System, Trainer
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
from medweave.language.segmentation import is_chinese, language_of
from medweave.language.stems import bare_stem

BUDGET = 1000
"""So many words of the passages are read for evidence."""
_WORD = re.compile(r"[a-z0-9]+|[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_EMPTY_WORDS = (
    "a an the of in on to for and or is are was were be been by with as at from that this these "
    "those it its it may can which who what when how does do did not have has had will would "
    "should could into than then also such if but their there your you"
)
_EMPTY = frozenset(_EMPTY_WORDS.split())
"""Words that are no evidence of anything."""
ROUGE = ("rouge_l", "rouge_l_precision", "rouge_l_recall")


class Rouge:
    """ROUGE-L of answers, each counted once. Raises `ConfigurationError` without the package."""

    def __init__(self) -> None:
        try:
            from rouge_score.rouge_scorer import RougeScorer
        except ImportError as error:
            raise ConfigurationError(
                "rouge-score is not installed",
                where="evaluate answers",
                remedy="pip install 'medweave[evaluate]'",
            ) from error
        self._make: Any = RougeScorer
        self._known: dict[tuple[tuple[str, ...], str], dict[str, float]] = {}

    def scores(self, references: tuple[str, ...], answer: str) -> Mapping[str, float]:
        """`ROUGE` against the reference that the answer comes nearest to; 0 for no answer.

        >>> found = Rouge().scores(("Gout is a kind of arthritis.",), "It is arthritis.")
        >>> round(found["rouge_l"], 2)
        0.44
        """
        key = (references, answer)
        if key not in self._known:
            each = (self._against(reference, answer) for reference in references)
            self._known[key] = max(each, key=lambda found: found["rouge_l"])
        return self._known[key]

    def _against(self, reference: str, answer: str) -> dict[str, float]:
        scorer = self._by_characters if is_chinese(reference) else self._by_words
        found = scorer.score(reference, answer)["rougeL"]
        return dict(zip(ROUGE, (found.fmeasure, found.precision, found.recall), strict=True))

    @cached_property
    def _by_words(self) -> Any:
        return self._make(["rougeL"], use_stemmer=True)

    @cached_property
    def _by_characters(self) -> Any:
        return self._make(["rougeL"], tokenizer=_Characters())


class _Characters:
    """Chinese by characters, other words whole, as `rouge-score` asks for it."""

    def tokenize(self, text: str) -> list[str]:
        """The characters and words of a text."""
        return _WORD.findall(text.lower())


def evidence_recall(evidence: Sequence[str], passages: Iterable[str]) -> float | None:
    """The share of the words of a piece of evidence that stand in the first 1,000 words of the
    passages, as the mean over pieces; None where there is no evidence to find.

    Words are compared by their stems, without those that say nothing; Chinese by characters.

    >>> evidence_recall(["Rest helps against colds"], ["A cold gets better with rest."])
    0.5
    """
    read = [word for text in passages for word in _words(text)][:BUDGET]
    found = _stems(read)
    wanted = [stems for piece in evidence if (stems := _stems(_words(piece)))]
    if not wanted:
        return None
    return sum(len(stems & found) / len(stems) for stems in wanted) / len(wanted)


def words_cited(answer: str, cited: Iterable[str]) -> float | None:
    """The share of an answer's words that stand in what it cites; None where it has none.

    >>> words_cited("Rest helps", ["Rest is best."])
    0.5
    """
    told = _words(answer)
    there = {word for text in cited for word in _words(text)}
    return sum(word in there for word in told) / len(told) if told else None


def mean_of_known(values: Sequence[float | None]) -> Measure:
    """The mean over the items of which something is known.

    >>> mean_of_known([0.5, None, 1.0])([0, 1, 2])
    0.75
    """
    known = [(0.0, 0) if value is None else (value, 1) for value in values]

    def measure(draw: Sequence[int]) -> float:
        drawn = [known[at] for at in draw]
        count = sum(one for _, one in drawn)
        return sum(value for value, _ in drawn) / count if count else 0.0

    return measure


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _stems(words: Iterable[str]) -> frozenset[str]:
    return frozenset(bare_stem(word) for word in words if word not in _EMPTY)


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
