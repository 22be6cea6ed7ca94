"""Danger signs before the answer: what is there, what to do at once, and what to ask for first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from medweave.answering.draft import Draft
from medweave.answering.wording import phrases
from medweave.model.answer import Answer, Danger
from medweave.model.question import SUBSTANCES, DangerSign, Question


def say_danger(answer: Answer, draft: Draft, emergency: str = "", crisis: str = "") -> Answer:
    """An answer with the danger signs of its question in words, those to ask for among them; what
    is only a little like danger is asked about below the answer.

    `emergency` and `crisis` take the place of the texts that ship, which name no number. Where no
    sign has a name, it is asked mildly, and nobody is told to call.
    """
    wording, signs = draft.wording, answer.question.danger
    missing = (*(sign.text for sign in draft.signs), *answer.missing)
    if signs is None:
        return replace(answer, danger=tuple(draft.signs) or None, missing=missing)
    below = [sign for sign in signs if sign.status == "ask" and not sign.has_name]
    missing = (*missing, *(sign_in_words(sign, wording.language).text for sign in below))
    signs = tuple(sign for sign in signs if sign not in below)
    return replace(
        answer,
        danger=(*(sign_in_words(sign, wording.language) for sign in signs), *draft.signs),
        emergency=whom_to_call(signs, wording.language, emergency, crisis)
        + _wait_for_none(answer.question, draft),
        missing=missing,
    )


_FEW = 2


def _wait_for_none(question: Question, draft: Draft) -> str:
    """That no medicine is waited for that was asked about where help comes first, nothing speaks
    against, and the advice says nothing of. What was taken, and is the danger itself, was not asked
    about; in a crisis none is named."""
    if question.in_crisis or not any(sign.has_name for sign in question.in_danger):
        return ""
    wording = draft.wording
    stopped = {stop.entity.id for stop in draft.stops if stop.status == "applies"}
    told = " ".join(text for sign in question.in_danger for text in (sign.advice, *sign.words))
    asked = (m for m in question.of_concept(*SUBSTANCES) if m.role == "asked")
    names = (
        wording.name(m.entity) for m in asked if m.entity not in stopped and m.text not in told
    )
    named = [name for name in dict.fromkeys(names) if name not in told]
    listed = wording.join(named) if len(named) <= _FEW else ""  # a list to choose from is no relief
    words = phrases(wording.language)["danger"]
    return f"{words['between']}{words['wait_for_none'].format(names=listed)}" if listed else ""


def whom_to_call(
    signs: Iterable[DangerSign], language: str, emergency: str = "", crisis: str = ""
) -> str:
    """Whom to turn to at once; '' where no sign with a name is there that cannot wait.

    >>> whom_to_call((), "en")
    ''
    """
    words = phrases(language)["danger"]
    present = [sign for sign in signs if sign.status == "present" and sign.has_name]
    kinds = {sign.kind for sign in present if sign.grade == "now"}
    calls = [crisis or crisis_contact(language)] if "crisis" in kinds else []
    calls += [emergency or words["emergency"]] if "emergency" in kinds else []
    return str(words["between"]).join(calls)


def crisis_contact(language: str) -> str:
    """Whom somebody in a crisis is to turn to, where the settings name nobody."""
    return str(phrases(language)["danger"]["crisis_contact"])


def sign_in_words(sign: DangerSign, language: str) -> Danger:
    """One danger sign as it is told in a language."""
    words = " … ".join(sign.words)
    text = phrases(language)["danger"][_wording_of(sign)].format(sign=sign.name, words=words)
    return Danger(
        sign.sign,
        sign.status,
        text,
        sign.sources,
        sign.how,
        sign.confidence,
        kind=sign.kind,
        advice=sign.advice,
        grade=sign.grade,
    )


def _wording_of(sign: DangerSign) -> str:
    if not sign.has_name:
        return "learned"
    if sign.kind == "crisis":
        of_whom = "crisis_of_another" if sign.of_another else "crisis"
        return of_whom if sign.status == "present" else f"ask_{of_whom}"
    if sign.status == "ask":
        return "ask"
    return "emergency_sign" if sign.grade == "now" else "to_be_seen"
