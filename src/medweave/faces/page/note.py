"""A note to go with the child: what was found, what stands, what was begun, and why it is sent.

As Markdown, or as one page that loads nothing. What people typed is escaped in both.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from medweave.faces.texts import page_texts
from medweave.faces.texts.treatment import (
    follow_ups_in_words,
    treatments_in_words,
)
from medweave.model.assessment import STANDS, Assessment, ClassificationResult

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
_DISCLAIMER = (
    "Made with medweave from the guideline named above; decision support, not a medical device. "
    "The health worker decides."
)


@dataclass(frozen=True, slots=True)
class Note:
    """What a note tells. `person` and `findings` are in words, in order."""

    assessment: Assessment
    title: str
    date: str
    person: Sequence[str]
    findings: Sequence[tuple[str, str]]
    follow_up: str = ""
    reasons: Mapping[str, str] = field(default_factory=dict)
    """By classification that the health worker refused or set, why."""
    agreed: Collection[str] = ()
    not_known: Sequence[str] = ()


def note_markdown(note: Note) -> str:
    """The note as Markdown."""
    lines: list[str] = []
    for level, text, colour in _lines(note):
        mark = {0: "# ", 1: "\n## ", 2: "- ", 3: "  - ", 4: ""}[level]
        lines.append(f"{mark}{colour.upper() + ': ' if colour else ''}{_plain(text)}")
    return "\n".join(lines) + "\n"


def note_html(note: Note) -> str:
    """The note as one page, to be printed."""
    body: list[str] = []
    depth = 0
    for level, text, colour in _lines(note):
        wanted = max(0, level - 1) if level in (2, 3) else 0
        body += ["<ul>"] * (wanted - depth) + ["</ul>"] * (depth - wanted)
        depth = wanted
        told = escape(f"{colour.upper()}: {text}" if colour else text)
        kind = f' class="{colour}"' if colour else ""
        tag = {0: "h1", 1: "h2", 2: "li", 3: "li", 4: "p"}[level]
        body.append(f"<{tag}{kind}>{told}</{tag}>")
    body += ["</ul>"] * depth
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"<title>{escape(note.title)}</title><style>{_STYLE}</style></head><body>\n"
        + "\n".join(body)
        + "\n</body></html>\n"
    )


def _plain(text: str) -> str:
    r"""A text in which nothing is Markdown.

    >>> _plain("<b> *x*")
    '\\<b\\> \\*x\\*'
    """
    return _SIGNS.sub(r"\\\1", " ".join(text.split()))


def _lines(note: Note) -> Iterator[tuple[int, str, str]]:
    """(level, text, colour): 0 title, 1 heading, 2 item, 3 item below it, 4 plain."""
    found = note.assessment
    yield 0, note.title, ""
    yield 4, f"{note.date}; guideline {found.guideline} {found.version}", ""
    yield 4, "; ".join(note.person), ""
    if found.refer:
        yield 1, "REFER", ""
        for reason in found.refer.split("; "):
            yield 2, reason, ""
    for told in (*found.warnings, *found.contradictions):
        yield 2, f"check: {told}", ""
    yield from _standing(note)
    yield from _open(note)
    yield from _said(note)
    yield 4, _DISCLAIMER, ""


def _standing(note: Note) -> Iterator[tuple[int, str, str]]:
    yield 1, "Classifications, and what to do", ""
    results = [each for each in note.assessment.classifications if each.status in STANDS]
    if not results:
        yield 2, "none stands", ""
    for each in results:
        yield 2, f"{each.label} ({each.status}): {_why(each, note)}", each.colour or ""
        rows = (row for row in note.assessment.treatments if row.classification == each.id)
        for told in treatments_in_words(rows):
            yield 3, told, ""
    if any(row.drug for row in note.assessment.treatments):
        yield 2, page_texts("en")["guideline"]["before_drugs"], ""
    if note.follow_up:
        yield 2, f"Come back: {note.follow_up}", ""
    for told in follow_ups_in_words(note.assessment):
        yield 3 if note.follow_up else 2, f"Come back {told}", ""


def _why(each: ClassificationResult, note: Note) -> str:
    agreed = "; the health worker agrees" if each.id in note.agreed else ""
    return f"{each.why}{agreed}"


def _open(note: Note) -> Iterator[tuple[int, str, str]]:
    open_ = [each for each in note.assessment.classifications if each.status == "possible"]
    if open_:
        yield 1, "Not settled", ""
        for each in open_:
            yield 2, f"{each.label}: {each.why}", ""
    if note.not_known:
        yield 2, f"asked, and not known: {', '.join(note.not_known)}", ""
    labels = {each.id: each.label for each in note.assessment.classifications}
    if note.reasons:
        yield 1, "Refused or set by the health worker", ""
        for name, reason in note.reasons.items():
            yield 2, f"{labels.get(name, name)}: {reason}", ""


def _said(note: Note) -> Iterator[tuple[int, str, str]]:
    yield 1, "What was found", ""
    for label, answer in note.findings:
        yield 2, f"{label}: {answer}", ""
