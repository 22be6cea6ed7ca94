"""Learning the models of intents, danger, crises and roles from files of labelled texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

from medweave.errors import SourceError
from medweave.evaluation.data.reading import digest_of
from medweave.knowledge_base import KnowledgeBase
from medweave.sources.files.rows import Row, read_rows
from medweave.understanding.danger.crisis_training import CrisisMessage, train_crisis
from medweave.understanding.danger.training import DangerMessage, train_danger
from medweave.understanding.intents.labelled_questions import labelled_question, shipped_questions
from medweave.understanding.intents.model import LabelledQuestion, train_intents
from medweave.understanding.roles.training import MarkedQuestion, marked_question, train_roles
from medweave.understanding.training_files import training_file

SAMPLE = "sample"
"""Names the lists that the models that ship were learned from; they lie in a checkout."""
Case = TypeVar("Case")
Method = Literal["linear", "information_gain", "information_gain_paper"]


@dataclass(frozen=True, slots=True)
class Learned:
    """A model as the text of a file, and what is said of it."""

    text: str
    origin: Mapping[str, Any]
    """The files with their sums, how many cases they hold, and the seed."""
    size: Mapping[str, Any]
    """Its labels, or how many weights it has."""
    skipped: int
    """Records that are no labelled case."""


def learn_intents(
    names: Sequence[str], base: KnowledgeBase, *, method: Method = "linear", seed: int = 0
) -> Learned:
    """A classifier of intents. The same files and seed give the same text.

    Names of things in questions are read by the base, those of `sample` as they are written.
    Raises `SourceError` where the files hold no labelled question.
    """

    def question(record: Mapping[str, Any]) -> LabelledQuestion | None:
        made = labelled_question(record, base.question_text)
        return made if isinstance(made, LabelledQuestion) else None

    own = [Path(name) for name in names if name != SAMPLE]
    found, skipped = _read(own, question)
    if len(own) < len(names):
        found += shipped_questions()
    _check(found, names, 'give records with "text" and "label"')
    origin = {"files": _sums(own), "questions": len(found), "seed": seed}
    model = train_intents(found, method=method, seed=seed, trained_on=origin)
    return Learned(model.to_text(), origin, {"labels": list(model.labels)}, skipped)


def learn_danger(names: Sequence[str]) -> Learned:
    """A learned reader of danger. The same files give the same text.

    Raises `SourceError` where the files hold no labelled message.
    """
    remedy = 'give records with "text" and "danger", a list'
    return _learned(names, "danger", _message, train_danger, remedy)


def learn_roles(names: Sequence[str]) -> Learned:
    """A model of what conditions do in questions. The same files give the same text.

    Raises `SourceError` where the files hold no question with marks.
    """
    remedy = 'give records with "question", its names marked'
    return _learned(names, "roles", _marked, train_roles, remedy, cases="questions")


def _marked(record: Mapping[str, Any]) -> MarkedQuestion | None:
    written = record.get("question")
    made = marked_question(written) if isinstance(written, str) else None
    return made if made and made.names else None


def learn_crisis(names: Sequence[str]) -> Learned:
    """A learned reader of crises. The same files give the same text.

    Raises `SourceError` where the files hold no labelled message.
    """
    remedy = 'give records with "text" and "crisis", true or false'
    return _learned(names, "crisis", _crisis_message, train_crisis, remedy)


def _crisis_message(record: Mapping[str, Any]) -> CrisisMessage | None:
    text, in_crisis = record.get("text"), record.get("crisis")
    if not isinstance(text, str) or not text.strip() or not isinstance(in_crisis, bool):
        return None
    return CrisisMessage(text.strip(), in_crisis)


def _message(record: Mapping[str, Any]) -> DangerMessage | None:
    text, signs = record.get("text"), record.get("danger")
    if not isinstance(text, str) or not text.strip() or not isinstance(signs, list):
        return None
    return DangerMessage(text.strip(), bool(signs))


def _learned(
    names: Sequence[str],
    of: str,
    make: Callable[[Mapping[str, Any]], Case | None],
    train: Callable[..., Any],
    remedy: str,
    *,
    cases: str = "messages",
) -> Learned:
    """A model that is trained on the cases of all files that are named."""
    paths = [path for name in names for path in _places(name, of)]
    found, skipped = _read(paths, make)
    _check(found, names, remedy)
    origin = {"files": _sums(paths), cases: len(found)}
    model = train(found, trained_on=origin)
    weights = getattr(model, "classifier", model).weights
    return Learned(model.to_text(), origin, {"features": len(weights)}, skipped)


def _places(name: str, of: str) -> list[Path]:
    """The files that a name stands for."""
    return sorted(training_file(of).glob("*.jsonl")) if name == SAMPLE else [Path(name)]


def _sums(paths: Sequence[Path]) -> list[dict[str, str]]:
    return [{"name": path.name, "sha256": digest_of(path)} for path in paths]


def _read(
    paths: Sequence[Path], make: Callable[[Mapping[str, Any]], Case | None]
) -> tuple[list[Case], int]:
    """What is made of the records of all files, and of how many nothing is."""
    rows = [row for path in paths for row in read_rows(path)]
    made = [make(row.values) if isinstance(row, Row) else None for row in rows]
    found = [case for case in made if case is not None]
    return found, len(rows) - len(found)


def _check(found: Sequence[object], names: Sequence[str], remedy: str) -> None:
    if not found:
        where = ", ".join(names)
        raise SourceError("no labelled case was found", where=where, remedy=remedy)
