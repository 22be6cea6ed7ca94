"""Labelled documents in any of their forms, as texts with spans and relations between things.

Forms: PubTator, two columns of words and tags, records with `spans` or `mentions` and `relations`
(ends by place, or by what they are called), sentences with one `drug` and one `effect`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from medweave.errors import SourceError
from medweave.model.document import Skipped
from medweave.model.ontology import term
from medweave.sources.abstracts.entities.spans import Span
from medweave.sources.abstracts.entities.tokens import name_key
from medweave.sources.abstracts.labelled.iob import iob_rows, is_iob
from medweave.sources.abstracts.labelled.pubtator import is_pubtator, pubtator_rows
from medweave.sources.abstracts.relations.learner import LabelledRelations, Relation
from medweave.sources.abstracts.relations.things import ReadText, keys_in
from medweave.sources.files.row import Row
from medweave.sources.files.rows import read_rows

ADVERSE = "cause"
"""How a drug and its effect are related in sentences labelled with one of each."""
_UNKNOWN = frozenset({"", "-1", "-"})
_PAIR = frozenset({"sentence", "drug", "effect"})
"""What a record of a sentence with one drug and one effect has."""


@dataclass(frozen=True)
class LabelledDocument:
    """A text with all that somebody labelled in it."""

    id: str
    text: str
    spans: tuple[Span, ...]
    keys: Mapping[Span, str] = field(default_factory=dict)
    """What makes a span the same thing as others, where that is labelled; else its name does."""
    relations: frozenset[Relation] = frozenset()
    """Between the keys of things."""
    directed: bool = True
    """Whether its relations keep to one direction."""
    unreadable: int = 0
    """Labels of it that have no place in its text, or no two ends."""

    def key(self, span: Span) -> str:
        """What makes a span the same thing as others."""
        return self.keys.get(span) or name_key(self.text[span.start : span.end])

    def related(self) -> LabelledRelations:
        """The same for a learner of relations."""
        return LabelledRelations(ReadText.of(self.text, self.spans, self.key), self.relations)


class LabelledFile(NamedTuple):
    """The documents of a file, and its records of which none could be made."""

    documents: tuple[LabelledDocument, ...]
    skipped: tuple[Skipped, ...]


def labelled_documents(path: Path) -> LabelledFile:
    """The documents of a file, in any form. Raises `SourceError` where there is none in it."""
    reader = pubtator_rows if is_pubtator(path) else iob_rows if is_iob(path) else read_rows
    read = list(reader(path))
    rows = [row for row in read if isinstance(row, Row)]
    pairs = bool(rows) and set(rows[0].values) >= _PAIR
    made = list(_of_sentences(rows) if pairs else ((row, _of_record(row.values)) for row in rows))
    documents = tuple(each for _, each in made if isinstance(each, LabelledDocument))
    if not documents:
        raise SourceError(
            "no labelled document in it",
            where=str(path),
            remedy="give PubTator, words with tags, or records with `text` and `spans`",
        )
    skipped = [each if isinstance(each, Skipped) else each.skipped
               for each in read if not isinstance(each, Row)]  # fmt: skip
    skipped += [Skipped(str(path), row.line, each) for row, each in made if isinstance(each, str)]
    return LabelledFile(documents, tuple(skipped))


def _of_record(record: Mapping[str, Any]) -> LabelledDocument | str:
    """A document, or why the record is none."""
    text = record.get("text")
    labelled = record.get("spans", record.get("mentions", record.get("entities")))
    if not isinstance(text, str) or not text.strip():
        return "no text"
    if not isinstance(labelled, list):
        return "no list of spans"
    keys: dict[Span, str] = {}
    without_place = 0
    for one in labelled:
        span = _span(one, text)
        if span:
            identifier = str(one.get("identifier", ""))
            keys[span] = "" if identifier in _UNKNOWN else identifier
        without_place += span is None
    given = record.get("relations")
    listed = given if isinstance(given, list) else []
    relations = [each for each in listed if isinstance(each, dict)]
    made = LabelledDocument(str(record.get("id", "")), text, tuple(sorted(keys)), keys)
    found = list(_relations(relations, made))
    return replace(
        made,
        relations=frozenset(found),
        directed=not any("head" in each for each in relations),
        unreadable=without_place + len(listed) - len(found),
    )


def _span(one: Any, text: str) -> Span | None:
    if not isinstance(one, dict):
        return None
    start, end = one.get("start"), one.get("end")
    type_ = one.get("type", one.get("concept", one.get("label", "")))
    if not (isinstance(start, int) and isinstance(end, int) and 0 <= start < end <= len(text)):
        return None
    return Span(start, end, label_of(str(type_))) if type_ else None


def label_of(written: str) -> str:
    """A label as triples write it.

    >>> label_of("RISK-FACTOR")
    'risk_factor'
    """
    return term(written.replace("-", "_"))


def _relations(
    relations: Iterable[Mapping[str, Any]], document: LabelledDocument
) -> Iterator[Relation]:
    for one in relations:
        ends = one.get("head", one.get("subject")), one.get("child", one.get("object"))
        label = one.get("label", one.get("predicate", one.get("type", "")))
        keys = [_key_of(end, document) for end in ends]
        if label and keys[0] and keys[1] and keys[0] != keys[1]:
            yield Relation(keys[0], label_of(str(label)), keys[1])


def _key_of(end: Any, document: LabelledDocument) -> str:
    """The thing at one end of a relation: by place, by its number, by identifier or by name."""
    if isinstance(end, int) and 0 <= end < len(document.spans):
        return document.key(document.spans[end])
    if isinstance(end, dict):
        span = _span({"type": "_", **end}, document.text)
        found = [s for s in document.spans if span and s[:2] == span[:2]]
        return document.key(found[0]) if found else ""
    if isinstance(end, str):
        known = {key for span in document.spans for key in keys_in(document.key(span))}
        # What has identifiers may relate one that stands nowhere in its text.
        return end if end in known or any(document.keys.values()) else name_key(end)
    return ""


def _of_sentences(rows: Iterable[Row]) -> Iterator[tuple[Row, LabelledDocument | str]]:
    """Sentences with one drug and one effect a row; all rows of one sentence are one document."""
    by_sentence: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if set(row.values) >= _PAIR:
            by_sentence[str(row.values["sentence"])].append(row)
        else:
            yield row, "no sentence with a drug and an effect"
    for number, (text, some) in enumerate(by_sentence.items(), 1):
        spans: set[Span] = set()
        relations: set[Relation] = set()
        for row in some:
            drug, effect = str(row.values["drug"]), str(row.values["effect"])
            ends = [_first(text, drug, "drug"), _first(text, effect, "effect")]
            if all(ends):
                spans.update(end for end in ends if end)
                relations.add(Relation(name_key(drug), ADVERSE, name_key(effect)))
            else:
                yield row, "its drug or its effect does not stand in its sentence"
        if spans:
            made = LabelledDocument(str(number), text, tuple(sorted(spans)))
            yield some[0], replace(made, relations=frozenset(relations))


def _first(text: str, name: str, type_: str) -> Span | None:
    at = text.lower().find(name.lower())
    return Span(at, at + len(name), type_) if name and at >= 0 else None
