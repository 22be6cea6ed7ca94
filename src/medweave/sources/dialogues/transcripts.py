"""Transcripts: who said what in a text with labels ("Patient: …  Doctor: …", "患者：… 医生：…")."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from medweave.language.data import shipped_yaml
from medweave.model.dialogue import Speaker

_FEWEST = 2
"""A text of fewer labelled turns is no transcript."""
_LOOK = 20_000
"""Characters in which a transcript shows itself."""
_CLOCK = r"(?:[\[(]?\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?[\])]?[ \t]*[-–]?[ \t]*)?"
_BEFORE = rf"^[ \t>*_#-]*{_CLOCK}"
_COLON = r"[*_]*[ \t]?[:：][*_]*"
_UNKNOWN = re.compile(
    rf"{_BEFORE}(?P<label>[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){{0,2}}){_COLON}", re.M
)
_WORD = re.compile(r"[^\W\d_]+(?:_[^\W\d_]+)*", re.UNICODE)


@dataclass(frozen=True, slots=True)
class Utterance:
    """What one speaker says at a time, as it stands in the source."""

    speaker: Speaker
    text: str
    label: str = ""
    """How the source calls the speaker, where that may be a name."""


@cache
def _words() -> dict[str, Speaker]:
    content = shipped_yaml("sources", "dialogues", "speakers.yaml")
    sides: tuple[Speaker, ...] = ("patient", "doctor", "other")
    return {word: side for side in sides for word in content[side]}


@cache
def _careful() -> frozenset[str]:
    return frozenset(shipped_yaml("sources", "dialogues", "speakers.yaml")["careful"])


def speaker_of(label: str) -> Speaker | None:
    """The side a label stands for, None where it says nothing of it.

    >>> speaker_of("Dr. Ng"), speaker_of("PATIENT 2"), speaker_of("Anna"), speaker_of("李医生")
    ('doctor', 'patient', None, 'doctor')
    """
    words = [word.lower() for word in _WORD.findall(label.replace("’s", "").replace("'s", ""))]
    known = _words()
    whole = "_".join(words)
    if whole in known:
        return known[whole]
    ends = [word for word in (*words[:1], *words[-1:]) if word in known and len(word) > 1]
    if ends:
        return known[ends[-1]]
    chinese = (word for word in known if not word.isascii() and len(word) > 1)
    return next((known[word] for word in chinese if words and words[-1].endswith(word)), None)


def is_name(label: str) -> bool:
    """Whether a label has more than the words for a side: it may be somebody's name.

    >>> is_name("Dr. Ng"), is_name("Doctor 2"), is_name("guest_family")
    (True, False, False)
    """
    words = [word.lower() for word in _WORD.findall(label)]
    return bool(words) and "_".join(words) not in _words()


@cache
def _labels() -> re.Pattern[str]:
    """Labels that are known: at the beginning of a line, or within one where that is clear."""
    known = sorted(_words(), key=lambda word: (-len(word), word))
    careful = _careful()
    latin = "|".join(re.escape(w).replace("_", "[ _]") for w in known if w.isascii())
    han = "|".join(w for w in known if not w.isascii())
    clear = [w for w in known if w not in careful]
    inside = "|".join(re.escape(w).replace("_", "[ _]").capitalize() for w in clear if w.isascii())
    inside_han = "|".join(w for w in clear if not w.isascii())
    short = "|".join(w.upper() if len(w) == 1 else w.capitalize() for w in known if w in careful)
    more = r"(?:[ \t]?\d{1,2}|[ \t]*\([^()\n]{1,30}\)|[’']s [a-z]+|\.?(?: [A-Z][\w.'’-]*){1,3})?"
    return re.compile(
        rf"{_BEFORE}(?P<line>(?i:{latin}){more}|[\u4e00-\u9fff]{{0,3}}(?:{han})\d{{0,2}}){_COLON}"
        rf"|(?<=[\s.!?。！？；”\"])(?P<inside>(?:{inside}){more}|(?:{inside_han}))[:：]"
        rf"|(?<=[.!?。！？])[ \t]*(?P<short>{short})[:：]",
        re.MULTILINE,
    )


def turns_in(text: str) -> list[Utterance]:
    """The turns of a transcript in their order; what stands before the first label is nobody's.

    A name that stands again and again as a label ("Anna:") is a speaker too: the other side, where
    only one side is called by a word that is known.

    >>> [(said.speaker, said.text) for said in turns_in("Patient: It hurts. Doctor: Where?")]
    [('patient', 'It hurts.'), ('doctor', 'Where?')]
    """
    labels = _known_labels(text)
    if not labels:
        return []
    labels = sorted({*labels, *_unknown_labels(text, labels)})
    taken = _sides([label for _, _, label in labels])
    found = [Utterance("other", text[: labels[0][0]].strip())]
    ends = [start for start, _, _ in labels[1:]] + [len(text)]
    for (_, start, label), end in zip(labels, ends, strict=True):
        found.append(Utterance(taken[label], text[start:end].strip(), label))
    return found if found[0].text else found[1:]


def is_transcript(text: str) -> bool:
    """Whether a text is a transcript: two turns at least, and a side that is known.

    One turn will do where the text begins with a label that is nothing else.

    >>> is_transcript("Q: Is it safe?\\nA: Yes."), is_transcript("Note: eat less salt.")
    (True, False)
    >>> is_transcript("Patient: My knee hurts."), is_transcript("Problem: it hurts")
    (True, False)
    """
    beginning = text[:_LOOK]
    turns = turns_in(beginning)
    if len(turns) < _FEWEST:
        first = _labels().match(beginning.lstrip())
        label = first["line"] if first else None
        return bool(label and label.lower() in _alone() and turns[0].text)
    return any(turn.speaker != "other" for turn in turns)


@cache
def _alone() -> frozenset[str]:
    """Labels of patients and doctors that stand before a colon in no other way."""
    return frozenset(shipped_yaml("sources", "dialogues", "speakers.yaml")["alone"])


_Label = tuple[int, int, str]
"""Where a label begins, where it ends, and what it is."""


def _known_labels(text: str) -> list[_Label]:
    return [
        (match.start(), match.end(), next(filter(None, match.groups())).strip(" *_\t"))
        for match in _labels().finditer(text)
    ]


def _unknown_labels(text: str, known: list[_Label]) -> Iterator[_Label]:
    """Names at the beginning of lines that come back, as speakers do and headings do not."""
    places = {start for start, _, _ in known}
    found = [m for m in _UNKNOWN.finditer(text) if m.start() not in places]
    often = Counter(match["label"] for match in found)
    for match in found:
        if often[match["label"]] >= _FEWEST and speaker_of(match["label"]) is None:
            yield match.start(), match.end(), match["label"]


def _sides(labels: list[str]) -> dict[str, Speaker]:
    sides = {label: speaker_of(label) for label in labels}
    unknown = [label for label, side in sides.items() if side is None]
    known = {side for side in sides.values() if side is not None} - {"other"}
    if len(unknown) == 1 and len(known) == 1:
        sides[unknown[0]] = "patient" if known == {"doctor"} else "doctor"
    return {label: side or "other" for label, side in sides.items()}
