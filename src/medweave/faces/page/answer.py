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
from medweave.faces.texts import Words
from medweave.faces.texts.person import known, unknown
from medweave.faces.texts.similar import why_in_words
from medweave.faces.texts.sources import source_numbers
from medweave.faces.texts.visible import visible
from medweave.language.data import shipped
from medweave.model.answer import Answer, Candidate, Conflict, Sentence, Stop
from medweave.model.cases import TOPIC, Case
from medweave.model.document import Document
from medweave.model.question import Mention
from medweave.model.statement import Evidence, SupportedStatement

if TYPE_CHECKING:
    from jinja2 import Environment

AROUND = 150
"""How many characters of a passage are shown on either side of a quote."""
MAX_EVIDENCE = 12
"""How many passages of one statement are shown for, and how many against."""
MAX_LINKS = 12
"""How many numbered links follow a sentence."""


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


def answer_page(answer: Answer) -> str:
    """One self-contained HTML page for an answer, in the language of its question."""
    template = _environment().get_template("answer.html.jinja")
    return visible(template.render(_Page(answer).context()).lstrip())


def passage_of(evidence: Evidence, document: Document) -> Passage:
    """The quote in its place; alone, where the document does not hold it there."""
    text = document.text(evidence.place.field)
    start, end = evidence.place.start, evidence.place.end
    if text[start:end] != evidence.quote:
        return Passage("", evidence.quote, "")
    before, after = text[max(0, start - AROUND) : start], text[end : end + AROUND]
    return Passage(
        ("…" if start > AROUND else "") + before,
        evidence.quote,
        after + ("…" if end + AROUND < len(text) else ""),
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
def _environment() -> Environment:
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
        "stop_kind": stop_kind,
        "max_links": MAX_LINKS,
    }
    return environment


class _Page:
    """Answers what the template asks about one answer."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.words = Words(answer.question, answer.entities)
        self.texts = self.words.texts
        self.numbers = source_numbers(answer)

    def context(self) -> dict[str, Any]:
        """Everything the template names."""
        answer = self.answer
        edges = answer_edges(answer)
        drawn = edges[:MAX_EDGES]
        return {
            "page": self,
            "answer": answer,
            "question": answer.question,
            "words": self.words,
            "texts": self.texts,
            "sample": any(document.sample for document in answer.documents.values()),
            "applying": [stop for stop in answer.stops if stop.status == "applies"],
            "open_stops": self.open_stops(),
            "best": max((item.score for item in answer.candidates), default=0.0) or 1.0,
            "edges": drawn,
            "edges_left_out": len(edges) - len(drawn),
            "pictures": [(name, draw(answer, drawn, width)) for name, width in _CANVASES],
            "explained": [case for case in answer.cases if case.why],
            "mentions": self.mentions(),
            "patient_known": list(known(answer.question.patient, self.words)),
            "patient_unknown": list(unknown(answer.question.patient, self.texts["topics"])),
        }

    def mentions(self) -> list[Mention]:
        """The mentions, without those that say the same again."""
        first = {
            (m.text.casefold(), m.entity, m.status, m.experiencer, m.temporality): m
            for m in reversed(self.answer.question.mentions)
        }
        return sorted(first.values(), key=lambda mention: mention.start)

    def open_stops(self) -> list[tuple[str, list[Stop]]]:
        """What must be asked first, by thing, hard ones before cautions."""
        found = [stop for stop in self.answer.stops if stop.status == "ask"]
        groups = {self.stop_name(stop): None for stop in found}
        return [
            (name, sorted((s for s in found if self.stop_name(s) == name), key=stop_kind))
            for name in groups
        ]

    def begins_part(self, place: int) -> bool:
        """Whether the sentence at this place is the first to answer another part of a question."""
        intents = [sentence.intent for sentence in self.answer.sentences]
        if len(set(intents)) == 1 and TOPIC not in intents:
            return False
        return place == 0 or intents[place - 1] != intents[place]

    def why(self, case: Case) -> list[str]:
        """Why a past dialogue is quoted, in lines."""
        return [why_in_words(one, self.words.language) for one in case.why]

    def stop_name(self, stop: Stop) -> str:
        return stop.name or stop.entity.name(self.words.language)

    def candidate_name(self, candidate: Candidate) -> str:
        return candidate.name or candidate.entity.name(self.words.language)

    def by_words(self, candidate: Candidate) -> str:
        """Words of the question with the findings that have them in their names."""
        words: dict[str, list[str]] = {}
        for text, statement in candidate.words:
            words.setdefault(self.object_name(statement), []).append(f"“{text}”")
        found = [f"{' '.join(texts)} – {name}" for name, texts in words.items()]
        return str(self.texts["by_words"]).format(list=self.texts["separator"].join(found))

    def object_name(self, statement: str) -> str:
        """What the object of a statement is called."""
        entity = self.answer.statements[statement].statement.object_entity or ""
        return self.answer.entities[entity].name(self.words.language)

    def count(self, what: str, number: int) -> str:
        forms = self.texts[what]
        return str(forms["one"] if number == 1 else forms["many"].format(n=number))

    def shown(self, statements: tuple[str, ...]) -> list[Shown]:
        """Statements with their evidence, what speaks for them first."""
        return [self._shown_one(identifier) for identifier in dict.fromkeys(statements)]

    def _shown_one(self, identifier: str) -> Shown:
        found = self.answer.statements[identifier]
        evidence = (*found.affirmed[:MAX_EVIDENCE], *found.denied[:MAX_EVIDENCE])
        return Shown(found, evidence, len(found.evidence) - len(evidence))

    def links(self, sentence: Sentence) -> list[int]:
        """The numbers of the passages that a sentence leads to."""
        every = (item for shown in self.shown(sentence.statements) for item in shown.evidence)
        return sorted({self.numbers[item.id] for item in every})

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
            said = self.words.said(shown.supported.statement)
            for item in shown.evidence:
                if not polarity or (item.polarity > 0) == (polarity > 0):
                    yield said, item


_CANVASES = (("wide", WIDE), ("narrow", NARROW))
_KINDS = ("applies", "ask", "caution")


def stop_kind(stop: Stop) -> str:
    """'applies', 'ask', or 'caution' for what must be asked but excludes nothing."""
    return "caution" if stop.status == "ask" and not stop.hard else stop.status
