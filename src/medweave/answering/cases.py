"""Past dialogues in words: what was advised in them, as history, never as a prescription.

Every sentence quotes. A dose is said to have been that person's; advice that names what is stopped
for the one who asks is not quoted at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from medweave.answering.draft import Draft
from medweave.language.values import read_values
from medweave.model.answer import Conflict
from medweave.model.cases import TOPIC, Case, CaseConflict, Cases, SectionOfCase
from medweave.model.statement import Evidence

_LONGEST = 480
"""Characters of a quote; its first part is quoted whole up to twice as many."""
_ABOUT = 240


def say_cases(draft: Draft, found: Cases) -> None:
    """Quote the cases that were found, show where they disagree, and say what was not found."""
    stopped = _stopped(draft)
    with draft.topic(TOPIC):
        for case in found.cases:
            _say_case(draft, case, stopped)
        for conflict in found.conflicts:
            _say_conflict(draft, conflict, stopped)
    draft.cases += [case for case in found.cases if draft.says_of(case.sections, case.about)]
    _say_missing(draft, found)


def _say_case(draft: Draft, case: Case, stopped: tuple[str, ...]) -> None:
    date = f" ({case.date})" if case.date else ""
    if case.about:
        quote = _quote(case.about.parts, _ABOUT)
        key = "about_somewhat" if case.nearness == "somewhat" else "about"
        text = draft.wording.say(f"cases.{key}", id=case.id, date=date, quote=quote)
        draft.add_sentence(text, [case.about.supported])
        date = ""
    for section in case.sections:
        parts = [part for part in section.parts if not _names(part.quote, stopped)]
        if len(parts) < len(section.parts):
            draft.add_missing("case_stopped", id=case.id)
        if parts:
            text = _section_in_words(draft, case, section, parts) + (f"{date}" if date else "")
            draft.add_sentence(text, [section.supported])
            date = ""


def _section_in_words(
    draft: Draft, case: Case, section: SectionOfCase, parts: list[Evidence]
) -> str:
    """One section in words: who said it, of what, and whether there is a dose in it."""
    wording, quote = draft.wording, _quote(parts, _LONGEST)
    dose = _has_dose(draft, quote)
    if section.section in ("advice", "follow_up"):
        who = "doctor" if section.by_doctor else "case"
        key = f"cases.{section.section}.{who}" + ("_dose" if dose else "")
        return wording.say(key, id=case.id, quote=quote)
    name = wording.say(f"cases.sections.{section.section}")
    key = "cases.section_dose" if dose else "cases.section"
    return wording.say(key, id=case.id, section=name, quote=quote)


def _has_dose(draft: Draft, quote: str) -> bool:
    language = draft.wording.language
    if any(value.quantity == "dose" for value in read_values(quote, language)):
        return True
    return re.search(draft.wording.say("cases.dose_like"), quote.lower()) is not None


def _quote(parts: Iterable[Evidence], longest: int) -> str:
    """The words of some parts, one behind the other, cut where they are too long."""
    quote = ""
    for part in parts:
        words = " ".join(part.quote.split())
        if quote and len(quote) + len(words) > longest:
            return f"{quote} …"
        quote = f"{quote} {words}".strip()
    return quote if len(quote) <= 2 * longest else quote[: 2 * longest].rstrip() + " …"


def _say_conflict(draft: Draft, found: CaseConflict, stopped: tuple[str, ...]) -> None:
    """Both pieces of advice side by side; none is said to be right."""
    if any(_names(quote, stopped) for quote in found.quotes):
        return
    words = draft.wording.join([f"“{word}”" for word in found.words])
    first, second = found.ids
    slots = {"first": first, "second": second, "words": words}
    sides = tuple(draft.rest_on([side.supported]) for side in found.sides)
    about = draft.wording.say("cases.conflict_about", **slots)
    draft.conflicts.append(Conflict(about, (sides[0], sides[1])))
    quotes = {"one": _short(found.quotes[0]), "other": _short(found.quotes[1])}
    text = draft.wording.say("cases.conflict", **slots, **quotes)
    draft.add_sentence(text, [side.supported for side in found.sides])


def _short(quote: str) -> str:
    words = " ".join(quote.split())
    return words if len(words) <= _LONGEST else words[:_LONGEST].rstrip() + " …"


def _say_missing(draft: Draft, found: Cases) -> None:
    if draft.cases:
        draft.add_missing("cases_are_history")
    if any(_has_dose(draft, part.quote) for part in _parts(found.cases)):
        draft.add_missing("cases_doses")
    for identifier in found.unknown:
        draft.add_missing("case_unknown", id=identifier)
    for case in found.cases:
        names = [draft.wording.say(f"cases.sections.{name}") for name in case.lacking]
        if names:
            draft.add_missing("case_lacks", id=case.id, list=draft.wording.join(names))
    if found.withheld:
        draft.add_missing("cases_withheld")
    if found.alone and not found.cases and not found.withheld and not found.unknown:
        key = "no_case_near" if found.nearest else "no_case"
        draft.add_missing(key, id=found.nearest)
    draft.missing += [notice for notice in found.missing if notice not in draft.missing]


def _parts(cases: Iterable[Case]) -> Iterator[Evidence]:
    for case in cases:
        for section in case.sections:
            yield from section.parts


def _stopped(draft: Draft) -> tuple[str, ...]:
    """All names of what is stopped for the one who asks, in lower case."""
    found = draft.wording.knowledge.entities
    names = {
        name.lower()
        for stop in draft.stops
        if stop.status == "applies"
        for some in found.get(stop.entity.id).names.values()
        for name in some
    }
    return tuple(sorted(names))


def _names(text: str, names: tuple[str, ...]) -> bool:
    """Whether a text names any of these things."""
    lowered = text.lower()
    return any(
        re.search(rf"(?<![a-z]){re.escape(name)}(?![a-rt-z])", lowered) for name in names if name
    )
