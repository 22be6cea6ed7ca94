"""The kind of texts: handbooks, leaflets and pages, parted into passages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from medweave.language.data import shipped_yaml
from medweave.model.identifiers import normalise_name
from medweave.model.mapping import Mapping
from medweave.model.passage import TEXT, Passage, passage_of
from medweave.model.record import Record
from medweave.sources.kinds import Extracted, Kind, register
from medweave.sources.names import Naming, Thing, clean_name
from medweave.sources.prose.templates import templates_version
from medweave.sources.statements import Provenance, StatementReader
from medweave.sources.texts.reading import texts
from medweave.sources.texts.recognised import COLUMNS, NAME, file_mapping, table_mapping
from medweave.vocabulary.vocabulary import Predicate

VERSION = "1"
"""Raise it when this code reads the same passage differently: texts are then read again."""
_SURE = 0.9
"""How sure a reading by a heading is: a convention, as for templates."""
_NUMBERING = re.compile(
    r"^\s*(?:\d+(?:\.\d+)*[.)、]?|[(（]?[一二三四五六七八九十]{1,3}[)）、.])\s*"
)
_ITEM = re.compile(
    r"^[ \t]*(?:[-*+•·●○▪◦‣∙–—]|\d{1,2}[.)、]|[①-⑳])[ \t]*(?P<said>\S.*?)[ \t]*$", re.M
)
_BETWEEN = re.compile(r"[,;，；、和及或\n]|\b(?:and|or)\b", re.I)
_LINE = re.compile(r"^[^\S\n]*(?P<bracketed>【[^】\n]*】)?.*$", re.M)
_ENDING = re.compile(r"\.\w{1,5}$")
_PAIR = 2
_NOT_PLAIN = re.compile(r"[()（）:：]")


class _Entry(NamedTuple):
    start: int
    end: int
    text: str


def key(_record: Record, naming: Naming) -> list[object]:
    """All that decides what is read in a passage, besides its text."""
    return [VERSION, naming.lexicon.version, templates_version()]


def extract(record: Record, naming: Naming, activity: str) -> Extracted:
    """What the lists of a passage say of the drug that it is about; nothing where it is none's.

    Only entries that name something known, and nothing else, are read: what a text says in
    sentences is quoted as a passage, not made into statements.
    """
    reader = _Sections(record, naming, activity)
    passage = passage_of(record.document)
    if passage:
        reader.read(passage)
    return reader.extracted()


class _Sections(StatementReader):
    """Reads one passage."""

    def read(self, passage: Passage) -> None:
        """Its statements, where its heading tells what its lists are, and of which drug."""
        predicate = _sections().get(_plain(passage.headings[-1])) if passage.headings else None
        drug = self._drug(passage) if predicate else None
        if predicate is None or drug is None:
            return
        use = self.use(predicate)
        for entry in self._entries(passage):
            said = Provenance(
                TEXT,
                entry.start,
                entry.end,
                entry.text,
                f"heading {passage.headings[-1][:40]}",
                confidence=_SURE,
            )
            self._say(drug, use.predicate, entry, said)

    def _drug(self, passage: Passage) -> Thing | None:
        """The drug whose name is the heading above, or that of the file."""
        above = passage.headings[-2] if len(passage.headings) >= _PAIR else passage.whole
        name = clean_name(_NUMBERING.sub("", _ENDING.sub("", above)))
        found = self.naming.lexicon.find(name, [self.vocabulary.family("drug")])
        return self.thing(name, "drug") if found and found.concept == "drug" else None

    def _entries(self, passage: Passage) -> Iterator[_Entry]:
        """The entries of the lists; or the parts of a line, where each is something known."""
        found = [
            _Entry(m.start("said"), m.end("said"), m["said"]) for m in _ITEM.finditer(passage.text)
        ]
        if found:
            yield from found
            return
        body = _body(passage)
        parts = [part for part in _parts(passage.text, body) if part.text]
        if len(parts) >= _PAIR and all(self._is_known(part.text, "condition") for part in parts):
            yield from parts

    def _say(self, drug: Thing, predicate: Predicate, entry: _Entry, said: Provenance) -> None:
        text = entry.text.strip(" .。;；,，")
        if _NOT_PLAIN.search(text):
            return
        if predicate.valence < 0:
            phrases = self.phrases(text, predicate)
            if len(phrases) == 1 and self._is_computed(phrases[0].kind, phrases[0].name):
                self.relate_phrase(drug, predicate, phrases[0], said)
        elif self._is_known(text, "condition"):
            other = self.named(text, "disease", predicate.range)
            if other is not None:
                self.relate(drug, predicate, other, said)

    def _is_computed(self, kind: str, name: str) -> bool:
        return kind == "population" or (kind != "in_words" and self._is_known(name, kind))


def _body(passage: Passage) -> int:
    """Where the text of a passage begins behind its headings: those above may stand in it, too."""
    title = _plain(passage.headings[-1])
    for line in _LINE.finditer(passage.text):
        if _plain(line["bracketed"] or line[0]) == title:
            return line.end("bracketed") if line["bracketed"] else line.end()
    return 0


def _parts(text: str, start: int) -> Iterator[_Entry]:
    """What stands between commas and their like, without the marks around it."""
    ends = [(m.start(), m.end()) for m in _BETWEEN.finditer(text, start)]
    for end, following in [*ends, (len(text), len(text))]:
        bare = text[start:end].rstrip(" .。\t")
        lead = len(bare) - len(bare.lstrip())
        yield _Entry(start + lead, start + len(bare), bare[lead:])
        start = following


def _plain(heading: str) -> str:
    return normalise_name(_NUMBERING.sub("", heading).strip(" :：#*【】"))


@cache
def _sections() -> dict[str, str]:
    """What each heading says, by its name."""
    words: dict[str, dict[str, Sequence[str]]] = shipped_yaml(
        "sources", "texts", "section_words.yaml"
    )
    return {
        normalise_name(heading): predicate
        for predicate, names in words.items()
        for headings in names.values()
        for heading in headings
    }


def _columns(_mapping: Mapping) -> Iterable[str]:
    return COLUMNS


register(
    Kind(
        name=NAME,
        read=texts,
        extract=extract,
        key=key,
        columns=_columns,
        layout=table_mapping,
        file=file_mapping,
        last=True,
    )
)
