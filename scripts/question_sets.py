"""Public sets of questions and answers, written as folders for `medweave evaluate retrieval`.

    python -m scripts.question_sets medquad DIR FOLDER [--split val] [--pool 0] [--title]
    python -m scripts.question_sets mediqa2019|liveqa FILE FOLDER
    python -m scripts.question_sets messages FILE FOLDER --kb BASE

What a document is: the words of an answer, and its page's title where that is asked for. Questions,
synonyms, identifiers of concepts and addresses never become part of one.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from medweave.errors import ConfigurationError, MedweaveError, NotFoundError, SourceError
from medweave.evaluation.data.message_file import read_messages
from medweave.evaluation.systems.dialogue_pool import dialogue_pool
from medweave.knowledge_base import KnowledgeBase
from medweave.sources.files.rows import Cut, Row, read_rows

_WORD = re.compile(r"\w+")
_EXTRA = "unused"
"""Questions of the kind that the split parts, but in none of its parts."""
_LEAST_SCORE = 1
"""Of a judged answer: wrong. Grades count from nought."""


@dataclass(slots=True)
class Folder:
    """What is going to be written."""

    documents: dict[str, dict[str, str]] = field(default_factory=dict)
    questions: dict[str, str] = field(default_factory=dict)
    qrels: dict[str, list[tuple[str, str, int]]] = field(default_factory=dict)
    candidates: list[tuple[str, str]] = field(default_factory=list)

    def add(self, identifier: str, text: str, title: str = "") -> bool:
        """One more document; one without words is left out."""
        words = " ".join(text.split())
        if words:
            self.documents[identifier] = {"_id": identifier, "title": title, "text": words}
        return bool(words)

    def judge(self, name: str, question: str, document: str, grade: int) -> None:
        """One more judgement, in the file of this name."""
        self.qrels.setdefault(name, []).append((question, document, grade))

    def write(self, folder: Path) -> dict[str, Any]:
        """Write all files; what an earlier conversion left there is replaced. What was written."""
        try:
            _write(folder / "corpus.jsonl", map(_json, self.documents.values()))
            asked = ({"_id": number, "text": text} for number, text in self.questions.items())
            _write(folder / "queries.jsonl", map(_json, asked))
            for name, judged in self.qrels.items():
                rows = [("query-id", "corpus-id", "score"), *judged]
                _write(folder / "qrels" / f"{name}.tsv", map(_row, rows))
            if self.candidates:
                rows_of = [("query-id", "corpus-id"), *self.candidates]
                _write(folder / "candidates" / "test.tsv", map(_row, rows_of))
        except OSError as error:
            raise ConfigurationError(
                f"the folder cannot be written ({error.strerror})",
                where=str(folder),
                remedy="name another folder",
            ) from error
        judgements = {name: len(judged) for name, judged in self.qrels.items()}
        return {
            "documents": len(self.documents),
            "questions": len(self.questions),
            "qrels": judgements,
            "candidates": len(self.candidates),
        }


def _json(record: Mapping[str, str]) -> str:
    return json.dumps(record, ensure_ascii=False)


def _row(values: Sequence[object]) -> str:
    return "\t".join(str(value) for value in values)


def _write(path: Path, lines: Iterable[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        stream.writelines(f"{line}\n" for line in lines)


def medquad_folder(
    source: Path, *, split: str = "val", pool: int = 0, title: bool = False, seed: int = 0
) -> Folder:
    """The information questions of a split (`train`, `val`, `test`), over a pool of answers.

    Documents are the answers of the questions first, then those of the other splits, then all
    others; `pool` cuts this order (0: all), in which the last two are shuffled by `seed`.
    `qrels/test` has every right answer: all to the same question of the same kind, and those of the
    same words. `qrels/one` has the answer that was given to the very record.
    """
    records, splits = _medquad(source)
    asked = [row for row in records if splits.get(str(row["id"])) == split]
    if not asked:
        raise ConfigurationError(
            f"there are no questions of the split '{split}'",
            where=str(source),
            remedy=f"use one of {', '.join(sorted(set(splits.values()) - {_EXTRA}))}",
        )
    chosen = _pool(records, splits, split, pool, seed)
    folder = Folder()
    for row in chosen:
        folder.add(str(row["id"]), row["answer"], str(row.get("focus", "")) if title else "")
    _judge_medquad(folder, asked, chosen)
    return folder


def medquad_teaching_folder(
    source: Path, chance: random.Random, *, pool: int, information: int, others: int = 0
) -> Folder:
    """Questions to learn from: so many of the split `train`, and so many of other kinds.

    They are put to the pool of the split `val` without what answers a question of that split.
    """
    records, splits = _medquad(source)
    held_back = {
        key for row in records if splits.get(str(row["id"])) == "val" for key in _keys(row)
    }
    shown = [
        row for row in _pool(records, splits, "val", pool, 0) if held_back.isdisjoint(_keys(row))
    ]
    train = [row for row in shown if splits.get(str(row["id"])) == "train"]
    beside = [row for row in shown if str(row["id"]) not in splits]
    asked = chance.sample(train, min(information, len(train)))
    asked += chance.sample(beside, min(others, len(beside)))
    folder = Folder()
    for row in shown:
        folder.add(str(row["id"]), row["answer"])
    _judge_medquad(folder, asked, shown)
    return folder


def _medquad(source: Path) -> tuple[list[Mapping[str, Any]], dict[str, str]]:
    """Records with an answer, and the split of those that are parted."""
    with _of_this_set(source, "id, question, answer and split"):
        records = [row for row in _records(source, "answered") if row["answer"].strip()]
        parted = _records(source, "information_split")
        return records, {str(row["id"]): str(row["split"]) for row in parted}


def _pool(
    records: list[Mapping[str, Any]], splits: Mapping[str, str], split: str, size: int, seed: int
) -> list[Mapping[str, Any]]:
    """The records whose answers are ranked."""
    own: list[Mapping[str, Any]] = []
    parted: list[Mapping[str, Any]] = []
    others: list[Mapping[str, Any]] = []
    for row in records:
        which = splits.get(str(row["id"]), _EXTRA)
        (own if which == split else others if which == _EXTRA else parted).append(row)
    if size and size < len(own):
        raise ConfigurationError(
            f"a pool of {size} cannot hold the {len(own)} answers of the questions",
            where="--pool",
            remedy="ask for a larger one",
        )
    chance = random.Random(seed)  # noqa: S311 - chance here decides nothing secret
    for some in (parted, others):
        chance.shuffle(some)
    ordered = [*own, *parted, *others]
    return ordered[:size] if size else ordered


def _judge_medquad(
    folder: Folder, asked: list[Mapping[str, Any]], chosen: list[Mapping[str, Any]]
) -> None:
    same: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for row in chosen:
        for key in _keys(row):
            same[key].add(str(row["id"]))
    for row in asked:
        identifier = str(row["id"])
        folder.questions[identifier] = str(row["question"])
        right = {identifier}.union(*(same[key] for key in _keys(row)))
        for document in sorted(right & folder.documents.keys()):
            folder.judge("test", identifier, document, 1)
        folder.judge("one", identifier, identifier, 1)


def _keys(row: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """What makes an answer equal to another: question and kind, or its words."""
    question = " ".join(_WORD.findall(str(row["question"]).lower()))
    answer = " ".join(str(row["answer"]).split())
    return [("question", str(row.get("qtype", "")), question), ("answer", answer)]


def mediqa_folder(source: Path) -> Folder:
    """Questions with answers that were judged; each question ranks its own answers only.

    The scores 1 (incorrect) to 4 (excellent) become the grades 0 to 3.
    """
    folder = Folder()
    with _of_this_set(source, "qid, question and answers with aid, text and score"):
        for row in _file_records(source):
            question = str(row["qid"])
            folder.questions[question] = str(row["question"])
            for answer in row["answers"]:
                document = f"{question}:{answer['aid']}"
                if folder.add(document, str(answer["text"])):
                    folder.judge("test", question, document, int(answer["score"]) - _LEAST_SCORE)
                    folder.candidates.append((question, document))
    return folder


def liveqa_folder(source: Path) -> Folder:
    """Messages as they were sent, and the answers to each; answers of the same words are one."""
    folder = Folder()
    of_words: dict[str, str] = {}
    with _of_this_set(source, "id, message and sub with answers"):
        for row in _file_records(source):
            question = str(row["id"])
            folder.questions[question] = str(row["message"]).strip() or str(row.get("subject", ""))
            texts = [" ".join(str(text).split()) for part in row["sub"] for text in part["answers"]]
            for number, text in enumerate(dict.fromkeys(texts)):
                document = of_words.setdefault(text, f"{question}:{number}")
                if document in folder.documents or folder.add(document, text):
                    folder.judge("test", question, document, 1)
    return folder


def messages_folder(source: Path, base: KnowledgeBase) -> Folder:
    """Messages over the dialogues of a base, whose documents are all that was said in each.

    Raises what `read_messages` raises, and `NotFoundError` where the base has no dialogues.
    """
    pool = dialogue_pool(base)
    folder = Folder()
    for number, name in enumerate(pool.names):
        folder.add(name, pool.transcript(number))
    for message in read_messages(source):
        folder.questions[message.id] = message.text
        for name, grade in message.grades.items():
            folder.judge("test", message.id, name, grade)
    return folder


CONVERTERS: Mapping[str, Callable[[Path], Folder]] = {
    "mediqa2019": mediqa_folder,
    "liveqa": liveqa_folder,
}
"""Sets that are one file; MedQuAD is a folder, and is parted."""


def _records(source: Path, stem: str) -> list[Mapping[str, Any]]:
    """The records of a file of a folder, compressed or not."""
    for name in (f"{stem}.jsonl", f"{stem}.jsonl.gz"):
        if (source / name).is_file():
            return _file_records(source / name)
    raise NotFoundError(
        "this file is not there",
        where=str(source / f"{stem}.jsonl"),
        remedy="give the folder that holds answered.jsonl and information_split.jsonl",
    )


def _file_records(path: Path) -> list[Mapping[str, Any]]:
    """All records of a file; a line that is none is an error, as a part of a set is another set."""
    found: list[Mapping[str, Any]] = []
    for row in read_rows(path):
        if not isinstance(row, Row):
            skipped = row.skipped if isinstance(row, Cut) else row
            raise SourceError(
                skipped.reason, where=f"{skipped.file} line {skipped.line}", remedy="mend the file"
            )
        found.append(row.values)
    return found


@contextmanager
def _of_this_set(path: Path, columns: str) -> Iterator[None]:
    """Records of another set than was named are a typed error."""
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SourceError(
            f"not all records have {columns}", where=str(path), remedy="check which set this is"
        ) from error


def folder_of(options: argparse.Namespace) -> Folder:
    """The folder that a command asks for."""
    if options.layout == "medquad":
        return medquad_folder(
            options.source, split=options.split, pool=options.pool, title=options.title
        )
    if options.layout == "messages":
        with KnowledgeBase.open(options.kb, create=False, read_only=True) as base:
            return messages_folder(options.source, base)
    return CONVERTERS[options.layout](options.source)


def main() -> None:
    """Read the command line, and write a folder."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("layout", choices=["medquad", *CONVERTERS, "messages"])
    parser.add_argument("source", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--split", default="val", help="of medquad: train, val or test")
    parser.add_argument("--pool", type=int, default=0, help="of medquad: so many answers (0: all)")
    parser.add_argument("--title", action="store_true", help="of medquad: with their page's title")
    parser.add_argument("--kb", default="", help="of messages: the base with their dialogues")
    options = parser.parse_args()
    try:
        written = folder_of(options).write(options.folder)
    except MedweaveError as error:
        sys.exit(f"error: {error}")
    sys.stdout.write(json.dumps(written) + "\n")


if __name__ == "__main__":
    main()
