"""Past dialogues like a message, in a terminal; and why a case was quoted, in lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from medweave.model.similar import MatchedSection, MatchedWhole, MatchedWords, Similar, Why
from medweave.presentation.texts import page_texts, section_name
from medweave.vocabulary.vocabulary import shipped_vocabulary

if TYPE_CHECKING:
    from rich.console import Console

    from medweave.model.answer import Answer

_SHOWN = 160
"""Characters of a section."""


def print_similar(found: Similar, console: Console) -> None:
    """Each dialogue with its score and why it was found; then what could not be done.

    What is quoted was said by others, to others: it is no advice.
    """
    texts = page_texts(found.language)["similar"]
    for place, one in enumerate(found.dialogues, 1):
        console.print(Text(f"{place}. ") + Text(f"#{one.id}", "bold") + Text(f"  {one.score:.4f}"))
        for why in one.why:
            console.print(Text(f"   {why_in_words(why, found.language)}"))
    if not found.dialogues:
        console.print(Text(texts["none"], "yellow"))
    for missing in found.missing:
        console.print(Text("? ", style="yellow") + Text(missing))
    console.print(Text(texts["ranked"].format(ranking=found.ranking), "dim"))


def print_cases(answer: Answer, console: Console) -> None:
    """Why each past dialogue is quoted; nothing where the question names it."""
    texts = page_texts(answer.question.language)["similar"]
    found = [case for case in answer.cases if case.why]
    if found:
        console.print(Text(texts["why"], style="dim"))
    for case in found:
        name = texts["case"].format(id=case.id)
        console.print(Text(f"  {name} ({texts['nearness'][case.nearness]})", style="dim"))
        for why in case.why:
            console.print(Text(f"    {why_in_words(why, answer.question.language)}", style="dim"))


def why_in_words(why: Why, language: str) -> str:
    """Why a dialogue was found, on one line: the words, the section, the link.

    >>> why_in_words(MatchedWords(("fever",), 1, (("symptom", ("fever",)),)), "en")
    'words (place 1): fever (symptoms: fever)'
    """
    texts = page_texts(language)["similar"]
    if isinstance(why, MatchedWhole):
        return str(texts["whole"].format(place=why.place, similarity=f"{why.similarity:.3f}"))
    if isinstance(why, MatchedWords):
        said = str(texts["words"].format(place=why.place, words=", ".join(why.words)))
        inside = "; ".join(_words_in(why, language))
        return f"{said} ({inside})" if inside else said
    return (
        f"{section_name(why.section, language)}: “{_short(why.query)}” ~ “{_short(why.text)}”"
        f"  {figures(why, language)}"
    )


def figures(why: MatchedSection, language: str) -> str:
    """How alike a section is, what it weighs, and through which link."""
    texts = page_texts(language)["similar"]
    said = texts["figures"].format(similarity=f"{why.similarity:.3f}", weight=f"{why.weight:.3f}")
    if not why.link:
        return str(said)
    known = shipped_vocabulary().predicates.get(why.link)
    link = known.labels.get(language, known.name) if known else why.link
    named = f"{link} #{why.linked}" if why.linked else link
    return f"{said}, {texts['through'].format(link=named)}"


def _words_in(why: MatchedWords, language: str) -> Iterator[str]:
    texts = page_texts(language)["similar"]
    for name, words in why.sections:
        section = section_name(name, language)
        yield str(texts["words_in"].format(section=section, words=", ".join(words)))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"
