"""What was said of a child, in words."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from medweave.faces.texts import page_texts
from medweave.guideline.logic.explanations import age_in_words
from medweave.model.guideline import answers_of

if TYPE_CHECKING:
    from medweave.assessment.session import Session
    from medweave.guideline.logic.values import Known
    from medweave.guideline.wording import Words
    from medweave.model.assessment import UnderstoodFinding
    from medweave.model.guideline import Observation


_CELSIUS = re.compile(r"(?<=\d) Cel\b")
"""UCUM's sign for a degree of Celsius, behind a number."""


def with_degrees(text: str) -> str:
    """A text in which temperatures have the sign that people read.

    >>> with_degrees("38.5 Cel, 25 – 45 Cel")
    '38.5 °C, 25 – 45 °C'
    """
    return _CELSIUS.sub(" °C", text)


def finding_in_words(finding: UnderstoodFinding, language: str = "en") -> str:
    """What a text was understood to say, and where.

    >>> from medweave.model.assessment import UnderstoodFinding
    >>> finding = UnderstoodFinding("pain", False, 3, 11, "ear pain", "", label="Ear pain")
    >>> finding_in_words(finding)
    "Ear pain: no ('ear pain')"
    """
    texts = page_texts(language)["guideline"]
    note = texts["implied" if finding.implied else "from"].format(text=finding.text)
    note += "" if finding.used else texts["not_used"]
    label = finding.label or finding.observation
    return str(texts["finding"].format(label=label, value=finding.value_in_words(), told=note))


def person_in_words(session: Session, words: Words) -> list[str]:
    """Age, sex and weight, each known or not."""
    findings, texts = session.case.findings, page_texts(words.language)["referral_note"]["person"]
    age, weight = findings.age_days, findings.weight_kg
    return [
        texts["no_age"] if age is None else texts["age"].format(age=words(age_in_words(age))),
        texts[findings.sex or "no_sex"],
        texts["no_weight"] if weight is None else f"{weight:g} kg",
    ]


def findings_in_words(session: Session, words: Words) -> list[tuple[str, str]]:
    """(label, answer) of what was answered, in the order of the guideline."""
    state, texts = session.state, page_texts(words.language)["referral_note"]
    return [
        (words(observation.label), _answer(observation, state.known[name], words, texts))
        for name, observation in session.graph.observations.items()
        if name in session.case.findings.values and name in state.known
    ]


def _answer(observation: Observation, known: Known, words: Words, texts: dict[str, Any]) -> str:
    if known.unavailable:
        return str(texts["unavailable"])
    if known.number is not None:
        unit = "" if observation.unit in ("", "1") else f" {observation.unit}"
        return words(f"{known.number:g}{unit}")
    labels = {each.id: words(each.label) for each in answers_of(observation)}
    answers = page_texts(words.language)["separator"].join(
        labels.get(each, each) for each in sorted(known.answers)
    )
    return answers or str(texts["nothing"])


def overruled_in_words(session: Session, words: Words) -> list[tuple[str, str]]:
    """(id, words) of each classification that somebody refused or set, with the reason."""
    case, texts = session.case, page_texts(words.language)["assess"]

    def told(name: str, reason: str) -> str:
        form = texts["refused" if name in case.findings.refused else "set"]
        return str(form.format(name=words.classification(name), reason=reason))

    return [(name, told(name, reason)) for name, reason in case.reasons.items()]


def date_in_words(day: date, language: str = "en") -> str:
    """A date.

    >>> date_in_words(date(2026, 1, 30)), date_in_words(date(2026, 1, 30), "zh")
    ('30 January 2026', '2026年1月30日')
    """
    return str(page_texts(language)["assess"]["today"].format(**_slots(day)))


def follow_up_date(days: int | None, today: date, language: str = "en") -> str:
    """When to come back, as a date.

    >>> follow_up_date(3, date(2026, 1, 30))
    'Monday 2 February 2026 (in 3 days)'
    >>> follow_up_date(3, date(2026, 1, 30), "zh")
    '2026年2月2日（3天后）'
    """
    if days is None:
        return ""
    form = page_texts(language)["assess"]["date"]["one" if days == 1 else "many"]
    return str(form.format(n=days, **_slots(today + timedelta(days=days))))


def _slots(day: date) -> dict[str, object]:
    return {
        "weekday": f"{day:%A}",
        "day": day.day,
        "month": day.month,
        "month_name": f"{day:%B}",
        "year": day.year,
    }
