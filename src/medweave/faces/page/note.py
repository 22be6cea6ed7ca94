"""A note to go with the child: what was found, what stands, what was begun, and why it is sent.

As Markdown, or as one page that loads nothing. What people typed is escaped in both.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from html import escape
from typing import TYPE_CHECKING, Any

from medweave.faces.page.answer import style_digest
from medweave.faces.texts import page_texts
from medweave.faces.texts.session import (
    date_in_words,
    findings_in_words,
    follow_up_date,
    person_in_words,
    with_degrees,
)
from medweave.faces.texts.treatment import (
    follow_ups_in_words,
    treatments_in_words,
)
from medweave.model.assessment import STANDS, Assessment, ClassificationResult

if TYPE_CHECKING:
    from medweave.assessment.session import Session
    from medweave.guideline.wording import Words

_SIGNS = re.compile(r"([\\`*_{}\[\]<>#|!~&])")
_STYLE = """:root{color-scheme:light dark;--paper:#fff;--ink:#222;--rule:#999}
@media (prefers-color-scheme:dark){:root{--paper:#14181a;--ink:#e6e8e6;--rule:#4a5559}}
*{box-sizing:border-box}
body{font:11pt/1.45 system-ui,sans-serif;max-width:48em;margin:1.5em auto;padding:0 1em;
background:var(--paper);color:var(--ink);overflow-wrap:break-word}
h1{font-size:1.4em}h2{font-size:1.1em;border-bottom:1px solid var(--rule);margin-top:1.4em}
ul{padding-left:1.2em}li{margin:.25em 0}
.pink,.yellow,.green{border-left:.6em solid;padding-left:.5em}
.pink{border-color:#cc79a7}.yellow{border-color:#e69f00}.green{border-color:#009e73}
@media print{:root{--paper:#fff;--ink:#000;--rule:#999}body{margin:0}}"""

POLICY = f"default-src 'none'; style-src '{style_digest(_STYLE)}'"
"""What a browser may do with a note as a page."""


@dataclass(frozen=True, slots=True)
class Note:
    """What a note tells. `person` and `findings` are in words, in order."""

    assessment: Assessment
    title: str
    """That of the guideline."""
    date: str
    person: Sequence[str]
    findings: Sequence[tuple[str, str]]
    follow_up: str = ""
    reasons: Mapping[str, str] = field(default_factory=dict)
    """By classification that the health worker refused or set, why."""
    agreed: Collection[str] = ()
    not_known: Sequence[str] = ()
    language: str = "en"

    @property
    def texts(self) -> dict[str, Any]:
        """The words of a note in its language."""
        texts: dict[str, Any] = page_texts(self.language)["referral_note"]
        return texts

    @property
    def guideline_texts(self) -> dict[str, Any]:
        """The words of assessments in its language."""
        texts: dict[str, Any] = page_texts(self.language)["guideline"]
        return texts


def note_of(session: Session, words: Words, today: date) -> Note:
    """The note of an assessment as it stands."""
    assessment, observations = words.told(session.assessment()), session.graph.observations
    not_known = (n for n in session.unknown_at_the_end() if n in observations)
    return Note(
        assessment,
        words(session.graph.guideline.title),
        date_in_words(today, words.language),
        person_in_words(session, words),
        findings_in_words(session, words),
        follow_up_date(assessment.follow_up_days, today, words.language),
        session.case.reasons,
        session.case.agreed,
        [words(observations[name].label) for name in not_known],
        words.language,
    )


def note_markdown(note: Note) -> str:
    """The note as Markdown."""
    lines: list[str] = []
    for level, text, colour in _lines(note):
        mark = {0: "# ", 1: "\n## ", 2: "- ", 3: "  - ", 4: ""}[level]
        lines.append(f"{mark}{_coloured(_plain(text), colour, note)}")
    return "\n".join(lines) + "\n"


def note_html(note: Note) -> str:
    """The note as one page, to be printed."""
    body: list[str] = []
    depth = 0
    for level, text, colour in _lines(note):
        wanted = max(0, level - 1) if level in (2, 3) else 0
        body += ["<ul>"] * (wanted - depth) + ["</ul>"] * (depth - wanted)
        depth = wanted
        line = escape(with_degrees(_coloured(text, colour, note)))
        kind = f' class="{colour}"' if colour else ""
        tag = {0: "h1", 1: "h2", 2: "li", 3: "li", 4: "p"}[level]
        body.append(f"<{tag}{kind}>{line}</{tag}>")
    body += ["</ul>"] * depth
    return (
        f'<!doctype html>\n<html lang="{note.language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f"<title>{escape(_title(note))}</title><style>{_STYLE}</style></head><body>\n"
        + "\n".join(body)
        + "\n</body></html>\n"
    )


def _coloured(text: str, colour: str, note: Note) -> str:
    """A text behind the word for its colour."""
    return f"{note.guideline_texts['colours'][colour]}: {text}" if colour else text


def _plain(text: str) -> str:
    r"""A text in which nothing is Markdown.

    >>> _plain("<b> *x*")
    '\\<b\\> \\*x\\*'
    """
    return _SIGNS.sub(r"\\\1", " ".join(text.split()))


def _title(note: Note) -> str:
    return str(note.texts["title"].format(title=note.title))


def _lines(note: Note) -> Iterator[tuple[int, str, str]]:
    """(level, text, colour): 0 title, 1 heading, 2 item, 3 item below it, 4 plain."""
    found, texts = note.assessment, note.texts
    yield 0, _title(note), ""
    line = texts["guideline"].format(date=note.date, name=found.guideline, version=found.version)
    yield 4, line, ""
    yield 4, "; ".join(note.person), ""
    if found.refer:
        yield 1, texts["refer"], ""
        for reason in re.split("; |；", found.refer):
            yield 2, reason, ""
    for line in (*found.warnings, *found.contradictions):
        yield 2, f"{note.guideline_texts['check']} {line}", ""
    yield from _standing(note)
    yield from _open(note)
    yield from _paragraphs(note)
    yield 4, texts["disclaimer"], ""


def _standing(note: Note) -> Iterator[tuple[int, str, str]]:
    texts, language = note.texts, note.language
    yield 1, texts["standing"], ""
    results = [each for each in note.assessment.classifications if each.status in STANDS]
    if not results:
        yield 2, texts["none"], ""
    for each in results:
        status, why = texts["status"][each.status], _why(each, note)
        line = texts["stands"].format(label=each.label, status=status, why=why)
        yield 2, line, each.colour or ""
        rows = (row for row in note.assessment.treatments if row.classification == each.id)
        for line in treatments_in_words(rows, language):
            yield 3, line, ""
    if any(row.drug for row in note.assessment.treatments):
        yield 2, note.guideline_texts["before_drugs"], ""
    if note.follow_up:
        yield 2, texts["back"].format(date=note.follow_up), ""
    for line in follow_ups_in_words(note.assessment, language):
        yield 3 if note.follow_up else 2, texts["back_for"].format(told=line), ""


def _why(each: ClassificationResult, note: Note) -> str:
    agreed = note.texts["agrees"] if each.id in note.agreed else ""
    return f"{each.why}{agreed}"


def _open(note: Note) -> Iterator[tuple[int, str, str]]:
    texts = note.texts
    open_ = [each for each in note.assessment.classifications if each.status == "possible"]
    if open_:
        yield 1, texts["open"], ""
        for each in open_:
            yield 2, texts["item"].format(label=each.label, told=each.why), ""
    if note.not_known:
        yield 2, texts["not_known"].format(names=", ".join(note.not_known)), ""
    labels = {each.id: each.label for each in note.assessment.classifications}
    if note.reasons:
        yield 1, texts["overruled"], ""
        for name, reason in note.reasons.items():
            yield 2, texts["item"].format(label=labels.get(name, name), told=reason), ""


def _paragraphs(note: Note) -> Iterator[tuple[int, str, str]]:
    yield 1, note.texts["found"], ""
    for label, answer in note.findings:
        yield 2, note.texts["item"].format(label=label, told=answer), ""
