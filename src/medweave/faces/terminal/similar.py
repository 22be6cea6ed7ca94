"""Past dialogues like a message, in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from medweave.faces.terminal.urgent_signs import print_urgent_signs
from medweave.faces.texts import page_texts
from medweave.faces.texts.similar import why_in_words
from medweave.model.cases import TOPIC
from medweave.model.similar import MatchedWords

if TYPE_CHECKING:
    from rich.console import Console

    from medweave.model.answer import Answer
    from medweave.model.similar import Similar


def print_similar(found: Similar, console: Console) -> None:
    """Each dialogue with its score and why it was found; then what could not be done.

    What is quoted was said by others, to others: it is no advice.
    """
    texts = page_texts(found.language)["similar"]
    print_urgent_signs(found.danger, found.emergency, console)
    if any(sign.kind == "crisis" for sign in found.danger):
        return  # nothing stands below it
    if found.safety is not None:
        from medweave.faces.terminal.answer import print_stops

        print_stops(found.safety, console)
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
    """What is quoted of past cases, why each was found, and how to open it."""
    texts = page_texts(answer.question.language)["similar"]
    for sentence in answer.sentences:
        if sentence.intent == TOPIC:
            console.print(Text(sentence.text))
    for case in answer.cases:
        name = texts["case"].format(id=case.id)
        console.print(Text(f"{name}: {texts['nearness'][case.nearness]}  (show {case.id})"))
        shared = dict.fromkeys(
            w for why in case.why if isinstance(why, MatchedWords) for w in why.words
        )
        if shared:
            console.print(Text(texts["shared"].format(words=", ".join(shared)), style="dim"))
    console.print(Text(texts["none"] if not answer.cases else texts["no_advice"], style="dim"))
