"""Folders in the layout of BEIR: documents, questions, and which answers which.

`corpus.jsonl`, `queries.jsonl`, `qrels/NAME.tsv`, and perhaps `candidates/NAME.tsv`; each may be
gzip-compressed. Source of the layout: Thakur et al., "BEIR" (2021), arXiv:2104.08663.
"""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from medweave.errors import NotFoundError, SourceError
from medweave.language.text_file import read_record

_SEE = "see docs/how-to/retrieval.md for the layout"
_COLUMNS_OF_TREC = 4
_COLUMNS = 3
_PAIR = 2


@dataclass(frozen=True, slots=True)
class Passage:
    """One document that may answer."""

    id: str
    title: str
    text: str

    @property
    def whole(self) -> str:
        """What every system reads of it."""
        return f"{self.title} {self.text}".strip()


@dataclass(frozen=True, slots=True)
class Collection:
    """Documents and questions with judgements, by the names of their files."""

    name: str
    sha256: str
    passages: tuple[Passage, ...]
    questions: Mapping[str, str]
    qrels: Mapping[str, Mapping[str, Mapping[str, int]]]
    """By file and question: the grades of documents."""
    candidates: Mapping[str, tuple[str, ...]]
    """By question: the only documents to rank; a question without is ranked over all."""
    left_out: Mapping[str, int]


def read_collection(folder: Path, names: tuple[str, ...] = ("test",)) -> Collection:
    """Everything in a folder, with the judgements called `names`.

    Raises `NotFoundError` where a file is not there, and `SourceError`, with file and line, where
    one cannot be read. Judgements of documents that are not in the corpus are left out and counted.
    """
    if not folder.is_dir():
        raise NotFoundError("there is no such folder", where=str(folder), remedy=_SEE)
    files = [_file(folder, "corpus.jsonl"), _file(folder, "queries.jsonl")]
    judged_in = [_file(folder, f"qrels/{name}.tsv") for name in names]
    limited = _there(folder, f"candidates/{names[0]}.tsv")
    passages = tuple(_passages(files[0]))
    known = {passage.id for passage in passages}
    questions = dict(_questions(files[1]))
    left_out = {"judgements of documents that are not there": 0}
    qrels = {}
    for name, path in zip(names, judged_in, strict=True):
        qrels[name] = _qrels(path, known, questions, left_out)
    candidates = _candidates(limited, known, questions) if limited else {}
    every = [*files, *judged_in, *([limited] if limited else [])]
    return Collection(
        folder.resolve().name,
        _digest(every),
        passages,
        questions,
        qrels,
        candidates,
        {reason: count for reason, count in left_out.items() if count},
    )


def _there(folder: Path, name: str) -> Path | None:
    return next((p for p in (folder / name, folder / f"{name}.gz") if p.is_file()), None)


def _file(folder: Path, name: str) -> Path:
    found = _there(folder, name)
    if found is None:
        raise NotFoundError("this file is not there", where=str(folder / name), remedy=_SEE)
    return found


def _wrong(what: str, path: Path, line: int) -> SourceError:
    return SourceError(what, where=f"{path} line {line}", remedy=_SEE)


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines that say something, with their numbers."""
    number = 0
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as stream:
            for number, raw in enumerate(stream, 1):
                line = raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
                if line.strip():
                    yield number, line
    except UnicodeDecodeError as error:
        raise _wrong("not text in UTF-8", path, number) from error
    except (OSError, EOFError, zlib.error) as error:
        raise _wrong(f"the file cannot be read ({error})", path, number + 1) from error


def _records(path: Path) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Line, identifier and fields of records, each of another identifier."""
    seen: set[str] = set()
    for number, line in _lines(path):
        record = read_record(line, where=f"{path} line {number}", remedy=_SEE)
        if not isinstance(record.get("_id"), str | int):
            raise _wrong('a record without "_id"', path, number)
        identifier = str(record["_id"])
        if identifier in seen:
            raise _wrong(f"the _id {identifier[:80]!r} stands twice", path, number)
        if not isinstance(record.get("text"), str):
            raise _wrong('a record without "text"', path, number)
        seen.add(identifier)
        yield number, identifier, record
    if not seen:
        raise _wrong("a file without records", path, 1)


def _passages(path: Path) -> Iterator[Passage]:
    for number, identifier, record in _records(path):
        title = record.get("title")
        title = "" if title is None else title
        if not isinstance(title, str):
            raise _wrong("a title that is no text", path, number)
        yield Passage(identifier, _flat(title), _flat(record["text"]))


def _questions(path: Path) -> Iterator[tuple[str, str]]:
    for number, identifier, record in _records(path):
        text = _flat(record["text"])
        if not text:
            raise _wrong("a question without words", path, number)
        yield identifier, text


def _flat(text: str) -> str:
    """A text without line ends and runs of spaces; half a character becomes a mark."""
    return " ".join(text.encode("utf-8", "replace").decode().split())


def _qrels(
    path: Path, known: set[str], questions: Mapping[str, str], left_out: dict[str, int]
) -> dict[str, dict[str, int]]:
    """Grades by question and document, from three columns, or the four of TREC."""
    found: dict[str, dict[str, int]] = {}
    for place, (number, line) in enumerate(_lines(path)):
        parts = line.split("\t") if "\t" in line else line.split()
        if len(parts) == _COLUMNS_OF_TREC:
            del parts[1]
        grade = _whole_number(parts[2]) if len(parts) == _COLUMNS else None
        if grade is None:
            if place == 0 and len(parts) == _COLUMNS:
                continue  # names of columns
            raise _wrong("not question, document and grade (a whole number)", path, number)
        question, document = parts[0].strip(), parts[1].strip()
        if question not in questions:
            raise _wrong(f"there is no question {question[:80]!r}", path, number)
        if document not in known:
            left_out["judgements of documents that are not there"] += 1
            continue
        if found.setdefault(question, {}).setdefault(document, grade) != grade:
            raise _wrong(f"a second grade for {question[:80]} and {document[:80]}", path, number)
    if not found:
        raise _wrong("no judgement of a document that is there", path, 1)
    return found


def _whole_number(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None


def _candidates(
    path: Path, known: set[str], questions: Mapping[str, str]
) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for place, (number, line) in enumerate(_lines(path)):
        parts = [part.strip() for part in (line.split("\t") if "\t" in line else line.split())]
        if len(parts) < _PAIR:
            raise _wrong("not question and document", path, number)
        question, document = parts[:2]
        if question in questions and document in known:
            found.setdefault(question, {})[document] = None
        elif place > 0:
            what = "question" if question not in questions else "document"
            raise _wrong(f"there is no such {what} as this names", path, number)
    return {question: tuple(documents) for question, documents in found.items()}


def _digest(paths: list[Path]) -> str:
    """One sum over all files, each with its name."""
    held = hashlib.sha256()
    for path in paths:
        held.update(path.name.encode() + b"\0")
        with path.open("rb") as stream:
            while block := stream.read(1 << 20):
                held.update(block)
    return held.hexdigest()
