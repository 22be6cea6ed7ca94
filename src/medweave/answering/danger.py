"""Danger signs before the answer: what is there, what to do at once, and what to ask for first."""

from __future__ import annotations

from dataclasses import replace

from medweave.answering.wording import Wording
from medweave.model.answer import Answer, Danger
from medweave.model.question import DangerSign


def say_danger(answer: Answer, wording: Wording, emergency: str = "") -> Answer:
    """An answer with the danger signs of its question in words, and those to ask for first.

    `emergency` takes the place of the text that ships, which names no number.
    """
    signs = answer.question.danger
    if signs is None:
        return answer
    present = answer.question.in_danger
    asked = [sign.name for sign in signs if sign.status == "ask"]
    missing = answer.missing
    if asked:
        listed = wording.say("danger.separator").join(asked)
        missing = (wording.say("missing.danger", list=listed), *missing)
    return replace(
        answer,
        danger=tuple(_in_words(sign, wording) for sign in signs),
        emergency=(emergency or wording.say("danger.emergency")) if present else "",
        missing=missing,
    )


def _in_words(sign: DangerSign, wording: Wording) -> Danger:
    words = " … ".join(sign.words)
    said = "learned" if sign.how == "learned" else sign.status
    text = wording.say(f"danger.{said}", sign=sign.name, words=words)
    return Danger(sign.sign, sign.status, text, sign.sources, sign.how, sign.confidence)
