"""An answer as Markdown: the same parts in the same order, each line with links to its sources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Literal
from urllib.parse import quote

from medweave.faces.texts import page_texts
from medweave.faces.texts.layout import MARKS, Layout, Row
from medweave.faces.texts.standing import what_stands
from medweave.model.answer import Answer, Sentence
from medweave.model.cases import TOPIC
from medweave.model.document import Document
from medweave.sources.publications import publication_id

Links = Literal["registry", "dimensions", "numbers"]
"""Where a trial is shown: by its registry, or at Dimensions; or sources by number, listed last."""
NO_REFERENCE = "(no public reference)"
_DIMENSIONS = "https://app.dimensions.ai/details/clinical_trial/{}"
_NO_TRIAL = ("pub.", "PMID:", "DOI:")
_OF_ADDRESSES = ":/?#@!$&*+,;=%~"
_MARKED = re.compile(r"([\\`*_\[\]<>|#])")


def answer_markdown(answer: Answer, links: Links = "registry") -> str:
    """An answer as Markdown; a line whose evidence nobody else can open says so."""
    lines: list[str] = []
    for each in (answer, *answer.others):
        lines += _Written(each, links).lines(named=bool(answer.others))
        if answer.question.in_crisis:
            return "\n\n".join(lines)
    return "\n\n".join([*lines, f"*{_plain(Layout(answer).limits)}*"])


def markdown_so_far(answer: Answer, said: Iterable[Sentence]) -> str:
    """How `answer_markdown` by numbers begins, while more sentences may come: danger, stops, these.

    What is told only where nothing else is waits for the whole.
    """
    sure = tuple(sentence for sentence in said if sentence.intent != TOPIC)
    written = _Written(replace(answer, sentences=sure), "numbers")
    return "\n\n".join(written.beginning(named=bool(answer.others)))


class _Written:
    def __init__(
        self,
        answer: Answer,
        links: Links,
        layout: Layout | None = None,
        marked: set[int] | None = None,
    ) -> None:
        self._answer = answer
        self._layout = layout or Layout(answer)
        self._links = links
        self._marked = set() if marked is None else marked
        """The numbers that lines lead to so far: what no line leads to is not listed."""

    def beginning(self, *, named: bool) -> Iterator[str]:
        """The parts for one person down to the sentences, '' for none of them."""
        if named:
            yield f"## {_plain(self._layout.heading)}"
        yield from self._danger()
        if self._layout.within is None:
            yield from map(_plain, self._layout.words.read_as())
        yield from map(_plain, self._unread(first=True))
        for stop in self._layout.stops:
            label = str(self._layout.texts[stop.label]).strip()
            said = self._layout.texts["because"].format(names=stop.name, reason=stop.text)
            yield f"**{_plain(label)}** {self._cited(said, stop.statements)}"
        if self._answer.question.in_crisis:
            return
        yield from self._guideline()
        yield from map(_plain, self._layout.direct)
        for sentence in self._layout.sentences:
            yield self._cited(sentence.text, sentence.statements)

    def lines(self, *, named: bool) -> Iterator[str]:
        """All parts of the answer for one person, '' for none of them."""
        yield from self.beginning(named=named)
        if self._answer.question.in_crisis:
            return
        for part in self._layout.parts:
            written = _Written(part.answer, self._links, part, self._marked)
            yield from written.lines(named=True)
        for table in self._layout.tables:
            if table.heading:
                yield _plain(table.heading)
            yield "\n".join(self._row(row) for row in table.rows)
        if self._layout.says_nothing:
            yield _plain(self._layout.nothing)
        yield from map(_plain, self._notes())
        if (
            self._links == "numbers"
            and not self._answer.heading
            and (listed := "\n".join(self._sources()))
        ):
            yield listed

    def _sources(self) -> Iterator[str]:
        """The documents that lines lead to, by number."""
        for document, number in self._layout.numbers.items():
            if number not in self._marked:
                continue
            found = self._answer.documents[document]
            link = self._link(found)
            title = _plain(found.title or found.name)
            yield f"{number}. {title}{' ' if link else ''}{link}"

    def _danger(self) -> Iterator[str]:
        labels = page_texts(self._layout.words.language)["urgency"]
        for sign in self._answer.danger or ():
            if sign.status == "present":
                told = (labels.get(sign.head, ""), sign.text, sign.advice)
                yield f"**{_plain(' '.join(told))}**"
        if self._answer.emergency:
            yield f"**{_plain(self._answer.emergency)}**"
        yield from (f"**{_plain(told)}**" for told in self._layout.first_make_sure)

    def _guideline(self) -> Iterator[str]:
        """What a guideline says of the child, and what to do, a line each."""
        if self._answer.assessment and self._layout.within is None:
            for told in what_stands(self._answer.assessment, self._layout.words.language):
                head = f"**{_plain(told.head)}** " if told.head else ""
                yield f"{'- ' if told.step else ''}{head}{_plain(told.text)}"

    def _unread(self, *, first: bool) -> list[str]:
        """What is not known, where it belongs: before what stops a drug, or among the notes."""
        told = self._layout.not_understood
        return [told] if told and self._layout.begins_unknown == first else []

    def _notes(self) -> Iterator[str]:
        layout = self._layout
        told = (*self._unread(first=False), layout.taken, *layout.missing, layout.find_out())
        yield from (note for note in told if note)
        disagree = str(layout.texts["disagree"])
        yield from (disagree.format(about=each.about) for each in self._answer.conflicts)

    def _row(self, row: Row) -> str:
        items = [self._cited(line.text, line.statements) for line in row.lines]
        items += [_plain(self._layout.texts["more"].format(n=row.left_out))] if row.left_out else []
        return f"- **{_plain(row.label)}**: {' · '.join(items)}"

    def _cited(self, text: str, statements: tuple[str, ...]) -> str:
        """Words with the sources that they rest on."""
        found = (i.document for s in statements for i in self._answer.evidence_of(s))
        documents = [self._answer.documents[each] for each in dict.fromkeys(found)]
        if not documents:
            return _plain(text)
        if self._links == "numbers":
            numbers = self._layout.marks(statements)
            self._marked.update(numbers)
            return f"{_plain(text)} {''.join(f'[{n}]' for n in numbers)}"
        linked = [link for each in documents if (link := self._link(each))]
        more = f" +{len(linked) - MARKS}" if len(linked) > MARKS else ""
        shown = " ".join(linked[:MARKS]) + more if linked else NO_REFERENCE
        return f"{_plain(text)} {shown}"

    def _link(self, document: Document) -> str:
        """A document by its name, where it has an address; '' where nobody else can open it."""
        known = publication_id(document.name)
        trial = known.url and not known.id.startswith(_NO_TRIAL)
        url = document.url or known.url
        if trial and self._links == "dimensions":
            url = _DIMENSIONS.format(known.id)
        if not url.startswith(("https://", "http://")):
            return ""
        return f"[{_plain(document.name)}]({quote(url, safe=_OF_ADDRESSES)})"


def _plain(text: str) -> str:
    """A text in which nothing is a mark of Markdown, on one line.

    >>> _plain("IL_6 [high]")
    'IL\\\\_6 \\\\[high\\\\]'
    """
    return _MARKED.sub(r"\\\1", " ".join(text.split()))
