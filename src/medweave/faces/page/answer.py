"""One answer as one self-contained page: `ask --html`.

The page loads nothing and runs no script; its policy forbids both. All texts are escaped by the
template engine. What the page says is in `texts/`, how it looks in `templates/`.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from medweave.faces.pictures.paths import MAX_EDGES, NARROW, WIDE, answer_edges, draw
from medweave.faces.texts.layout import NAMES, Layout, Line
from medweave.faces.texts.person import known, unknown
from medweave.faces.texts.similar import why_in_words
from medweave.faces.texts.treatment import (
    follow_ups_in_words,
    treatments_in_words,
)
from medweave.faces.texts.visible import visible
from medweave.language.data import shipped
from medweave.model.answer import Answer, Conflict
from medweave.model.assessment import STANDS, ClassificationResult, TreatmentRow
from medweave.model.cases import Case
from medweave.model.document import Document
from medweave.model.passage import SAID_BY_TEXT
from medweave.model.question import Mention
from medweave.model.statement import Evidence, SupportedStatement

if TYPE_CHECKING:
    from jinja2 import Environment

AROUND = 150
"""How many characters of a passage are shown on either side of a quote."""
MAX_EVIDENCE = 12
"""How many passages of one statement are shown for, and how many against."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A quote with what stands around it in its document."""

    before: str
    quote: str
    after: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A statement with the evidence that is shown of it."""

    supported: SupportedStatement
    evidence: tuple[Evidence, ...]
    left_out: int
    anchors: tuple[str, ...]
    """What a link leads to, for each piece of evidence; '' where none does."""


def answer_page(answer: Answer) -> str:
    """One self-contained HTML page for an answer, in the language of its question."""
    template = environment().get_template("answer.html.jinja")
    return visible(template.render(_Page(answer).context()).lstrip())


def answer_parts(answer: Answer, at: str) -> str:
    """The parts of an answer as HTML within another page; `at` begins every identifier in it."""
    template = environment().get_template("answer_parts.html.jinja")
    return visible(template.render(_Page(answer).context() | {"at": at}).strip())


def passage_of(evidence: Evidence, document: Document) -> Passage:
    """The quote in its place; alone, where the document does not hold it there.

    A passage of a text is shown whole.
    """
    text = document.text(evidence.place.field)
    start, end = evidence.place.start, evidence.place.end
    if text[start:end] != evidence.quote:
        return Passage("", evidence.quote, "")
    around = len(text) if evidence.method == SAID_BY_TEXT else AROUND
    before, after = text[max(0, start - around) : start], text[end : end + around]
    return Passage(
        ("…" if start > around else "") + before,
        evidence.quote,
        after + ("…" if end + around < len(text) else ""),
    )


def web_link(url: str) -> str:
    """The address if it is one of the web, '' for anything else.

    >>> web_link("https://example.org/a"), web_link("javascript:alert(1)")
    ('https://example.org/a', '')
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return url if parts.scheme in ("http", "https") and parts.netloc else ""


def style_digest(style: str) -> str:
    """What a content security policy must name for a browser to accept this style."""
    return "sha256-" + b64encode(sha256(style.encode()).digest()).decode()


@cache
def environment() -> Environment:
    """What fills the templates of pages; all texts are escaped."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    def source(name: str) -> str:
        return shipped("faces", "page", "templates", name).read_text("utf-8")

    environment = Environment(
        loader=FunctionLoader(source),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {
        "passage_of": passage_of,
        "web_link": web_link,
        "style_digest": style_digest,
        "names": NAMES,
        "treatments_in_words": treatments_in_words,
        "follow_ups_in_words": follow_ups_in_words,
    }
    return environment


class _Page:
    """Answers what the template asks about one answer."""

    def __init__(self, answer: Answer, layout: Layout | None = None) -> None:
        self.answer = answer
        self.layout = layout or Layout(answer)
        within = None if layout is None else layout.within
        self.unfolded = Layout(answer, unfolded=True, within=within)
        self.tables = self.unfolded.tables
        self.words = self.layout.words
        self.texts = self.words.texts
        self.numbers = self.layout.numbers
        self._shown_fields: set[tuple[str, str]] = set()

    def context(self) -> dict[str, Any]:
        """Everything the template names."""
        answer = self.answer
        edges = answer_edges(answer)
        drawn = edges[:MAX_EDGES]
        return {
            "page": self,
            "at": "",
            "layout": self.layout,
            "answer": answer,
            "question": answer.question,
            "asked": self._question_text(),
            "words": self.words,
            "texts": self.texts,
            "says": self.texts["layout"],
            "edges": drawn,
            "edges_left_out": len(edges) - len(drawn),
            "pictures": [(name, draw(answer, drawn, width)) for name, width in _CANVASES],
            "quoted": [
                s for s in answer.sentences if s not in self.layout.sentences and s.statements
            ],
            "others": [_Page(other) for other in answer.others],
            "parts": [_Page(part.answer, part) for part in self.layout.parts],
            "mentions": self.mentions(),
            "patient_known": list(known(answer.question.patient, self.words)),
            "patient_unknown": list(unknown(answer.question.patient, self.texts["topics"])),
        }

    @property
    def folded(self) -> list[Line]:
        """What the answer to one question of a letter leaves out until it is unfolded."""
        said = [s for s in self.unfolded.sentences if s not in self.layout.sentences]
        missing = [m for m in self.unfolded.missing if m not in self.layout.missing]
        return [*(Line(s.text, s.statements) for s in said), *map(Line, missing)]

    def _question_text(self) -> str:
        """The question; of a letter what it says of each for whom it asks."""
        if not self.answer.others:
            return self.answer.question.text
        asked = (each.question for each in (self.answer, *self.answer.others))
        return " ".join(question.as_written or question.text for question in asked)

    def standing(self) -> list[tuple[ClassificationResult, list[TreatmentRow]]]:
        """What stands by a guideline, each with what is to be done."""
        if self.answer.assessment is None:
            return []
        found = self.answer.assessment.assessment
        return [
            (each, [row for row in found.treatments if row.classification == each.id])
            for each in found.classifications
            if each.status in STANDS
        ]

    def mentions(self) -> list[Mention]:
        """The mentions, without those that say the same again."""
        first = {
            (m.text.casefold(), m.entity, m.status, m.experiencer, m.temporality): m
            for m in reversed(self.answer.question.mentions)
        }
        return sorted(first.values(), key=lambda mention: mention.start)

    def why(self, case: Case) -> list[str]:
        """Why a past dialogue is quoted, in lines."""
        return [why_in_words(one, self.words.language) for one in case.why]

    def count(self, what: str, number: int) -> str:
        """A number of things in words."""
        forms = self.texts[what]
        return str(forms["one"] if number == 1 else forms["many"].format(n=number))

    def shown(self, statements: tuple[str, ...], prefix: str = "") -> list[Shown]:
        """Statements with their evidence, what speaks for them first."""
        linked: set[int] = set()
        return [self._shown(s, prefix, linked) for s in dict.fromkeys(statements)]

    def _shown(self, identifier: str, prefix: str, linked: set[int]) -> Shown:
        """One statement; the first passage of each source is what its number leads to."""
        found, every = self.answer.statements[identifier], self.answer.evidence_of(identifier)
        affirmed = [item for item in every if item.polarity > 0][:MAX_EVIDENCE]
        denied = [item for item in every if item.polarity < 0][:MAX_EVIDENCE]
        evidence = (*affirmed, *denied)
        anchors = []
        for item in evidence:
            number = self.numbers[item.document]
            anchors.append(f"{prefix}-{number}" if number not in linked else "")
            linked.add(number)
        return Shown(found, evidence, len(found.evidence) - len(evidence), tuple(anchors))

    def again(self, evidence: Evidence) -> bool:
        """Whether the page has shown this field of this document before; paper says it once."""
        field = (evidence.document, evidence.place.field)
        before = field in self._shown_fields
        self._shown_fields.add(field)
        return before

    def links(self, statements: tuple[str, ...], prefix: str) -> list[tuple[int, str]]:
        """The numbers of a line's sources, and what they lead to."""
        there = {anchor for shown in self.shown(statements, prefix) for anchor in shown.anchors}
        marks = ((number, f"{prefix}-{number}") for number in self.layout.marks(statements))
        return [(number, anchor if anchor in there else prefix) for number, anchor in marks]

    def sides(self, conflict: Conflict) -> list[tuple[str, list[tuple[str, Evidence]]]]:
        """Both sides of a conflict: a heading, and (statement in words, evidence) pairs."""
        first, second = conflict.sides
        same = first == second
        headings = self.texts["sides"]["same" if same else "different"]
        polarities = (1, -1) if same else (0, 0)
        return [
            (heading, list(self._side(side, polarity=polarity)))
            for heading, side, polarity in zip(headings, (first, second), polarities, strict=True)
        ]

    def _side(
        self, statements: tuple[str, ...], *, polarity: int
    ) -> Iterator[tuple[str, Evidence]]:
        """The evidence of one side; of one polarity where both sides are about one statement."""
        for shown in self.shown(statements):
            wording = self.words.said(shown.supported.statement)
            for item in shown.evidence:
                if not polarity or (item.polarity > 0) == (polarity > 0):
                    yield wording, item


_CANVASES = (("wide", WIDE), ("narrow", NARROW))
