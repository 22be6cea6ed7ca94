"""The words of a model as they come: cut into sentences, and nothing left in them but words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from medweave.language.sentences import sentences

_IMAGE = re.compile(r"!\[[^\]]*\]\s*(?:\([^)]*\)?|\[[^\]]*\])")
_LINK = re.compile(r"\[([^\]]*)\]\s*\([^)]*\)?")
_REFERRED = re.compile(r"\[([^\]]+)\]\s*\[[^\]]*\]")
_DEFINED = re.compile(r"^\s*\[[^\]]+\]:\s*\S.*$", re.MULTILINE)
_TAG = re.compile(r"<[/!?]?[a-z][^>\n]{0,500}>", re.IGNORECASE)
_ADDRESS = re.compile(
    r"\b(?:[a-z][a-z0-9+.-]{1,20}:/{0,2}(?=[^\s/])|www\.)[^\s)\]>，。；]+(?<![.,;:!?])"
    r"|\b(?:[a-z0-9-]+\.)+[a-z]{2,}/[^\s)\]>，。；]*(?<![.,;:!?])"
    r"|\b[\w.+-]+@[\w-]+\.[\w.-]*\w",
    re.IGNORECASE,
)
_SCHEME = re.compile(r"\b(?:https?|ftp|file|data|javascript|mailto|vbscript)\b:?", re.IGNORECASE)
_MARK = re.compile(r"\s*[\[［【(]\s*s\d+(?:\s*[,;，、]\s*s\d+)*\s*[\]］】)]", re.IGNORECASE)
_MARKDOWN = re.compile(r"(?<!\w)(?:\*{1,3}|_{1,3}|`{1,3}|~~)|(?:\*{1,3}|_{1,3}|`{1,3}|~~)(?!\w)")
_BULLET = re.compile(r"^\s*(?:[-*+•>#|]+|\d+[.)])\s+", re.MULTILINE)
_UNSEEN = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]")
_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)?")
_LONGEST = 1_500
"""Characters of a sentence; no more are held back for its end."""
_MOST = 20_000
"""Characters of an answer."""


def plain_words(text: str) -> str:
    """A text without links, images, marks of citations, markup, and what is not seen.

    >>> plain_words("**Gout** [s1] causes [pain](http://x.org/y). ![a](http://x.org/p.png)")
    'Gout causes pain.'
    """
    text = _UNSEEN.sub("", _ESCAPE.sub("", text))
    text = _IMAGE.sub("", _DEFINED.sub("", text))
    text = _REFERRED.sub(r"\1", _LINK.sub(r"\1", _MARK.sub("", text)))
    text = _SCHEME.sub("", _ADDRESS.sub("", _TAG.sub("", text)))
    text = _MARKDOWN.sub("", _BULLET.sub("", text))
    return re.sub(r"\s+([.,;:!?])", r"\1", " ".join(text.split())).strip()


class SentenceStream:
    """Takes pieces, and gives the sentences that are whole.

    >>> stream = SentenceStream()
    >>> [list(stream.take(piece)) for piece in ("Gout hurts. [s", "1] It re", "turns.")]
    [[], ['Gout hurts.'], []]
    >>> list(stream.rest())
    ['It returns.']
    """

    def __init__(self) -> None:
        self._held = ""
        self._taken = 0

    def take(self, piece: str) -> Iterator[str]:
        """The sentences that end with a piece, as plain words."""
        piece = piece[: max(0, _MOST - self._taken)]
        self._taken += len(piece)
        self._held = _marks_before_ends(self._held + piece)
        found = list(sentences(self._held))
        if not found:
            return
        *whole, (start, _, last) = found
        if self._held.endswith(("\n", "。", "！", "？")) or len(last) > _LONGEST:
            whole, start = found, len(self._held)
        elif _begun_mark(last) and whole:  # a mark may belong to the sentence before
            start = whole.pop()[0]
        self._held = self._held[start:]
        yield from _plain(said for _, _, said in whole)

    def rest(self) -> Iterator[str]:
        """The last sentences, at the end."""
        held, self._held = _marks_before_ends(self._held), ""
        yield from _plain(said for _, _, said in sentences(held))


def _plain(found: Iterator[str]) -> Iterator[str]:
    for each in found:
        said = plain_words(each)
        if re.search(r"\w", said):
            yield said


def _marks_before_ends(text: str) -> str:
    """Marks behind the end of a sentence are put before it."""
    return re.sub(
        r"([.!?。！？])((?:\s*\[\s*s\d+(?:\s*[,;]\s*s\d+)*\s*\])+)",
        lambda match: match[2] + match[1],
        text,
        flags=re.IGNORECASE,
    )


def _begun_mark(text: str) -> bool:
    return re.fullmatch(r"\[(?:s[\d,;\ss]*)?", text, re.IGNORECASE) is not None
