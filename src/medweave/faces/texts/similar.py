"""Why a past dialogue was found, in words."""

from __future__ import annotations

from collections.abc import Iterator

from medweave.faces.texts import page_texts, section_name
from medweave.model.similar import MatchedSection, MatchedWhole, MatchedWords, Why
from medweave.vocabulary.vocabulary import shipped_vocabulary

_SHOWN = 160
"""Characters of a section."""


def why_in_words(why: Why, language: str) -> str:
    """Why a dialogue was found, on one line: the words, the section, the link.

    >>> why_in_words(MatchedWords(("fever",), 1, (("symptom", ("fever",)),)), "en")
    'words (place 1): fever (symptoms: fever)'
    """
    texts = page_texts(language)["similar"]
    if isinstance(why, MatchedWhole):
        return str(texts["whole"].format(place=why.place, similarity=f"{why.similarity:.3f}"))
    if isinstance(why, MatchedWords):
        words = str(texts["words"].format(place=why.place, words=", ".join(why.words)))
        inside = "; ".join(_words_in(why, language))
        return f"{words} ({inside})" if inside else words
    return (
        f"{section_name(why.section, language)}: “{_short(why.query)}” ~ “{_short(why.text)}”"
        f"  {figures(why, language)}"
    )


def figures(why: MatchedSection, language: str) -> str:
    """How alike a section is, what it weighs, and through which link."""
    texts = page_texts(language)["similar"]
    line = texts["figures"].format(similarity=f"{why.similarity:.3f}", weight=f"{why.weight:.3f}")
    if not why.link:
        return str(line)
    known = shipped_vocabulary().predicates.get(why.link)
    link = known.labels.get(language, known.name) if known else why.link
    named = f"{link} #{why.linked}" if why.linked else link
    return f"{line}, {texts['through'].format(link=named)}"


def _words_in(why: MatchedWords, language: str) -> Iterator[str]:
    texts = page_texts(language)["similar"]
    for name, words in why.sections:
        section = section_name(name, language)
        yield str(texts["words_in"].format(section=section, words=", ".join(words)))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"
