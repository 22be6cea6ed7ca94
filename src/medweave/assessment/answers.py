"""What somebody typed, as the answer to a question."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from medweave.assessment.case import PERSON
from medweave.assessment.events import Event, EventKind
from medweave.errors import FindingsError
from medweave.guideline.findings_json import read_age, read_weight
from medweave.guideline.logic.graph import Graph
from medweave.model.findings import FindingValue, Measured
from medweave.model.guideline import AnswerOption, answers_of

_NUMBER = re.compile(r"([-+−]?\d+(?:[.,]\d+)?)\s*(\S.*)?")
_SEXES = {"1": "female", "2": "male", "girl": "female", "boy": "male", "f": "female", "m": "male"}
_EACH_ALONE = ("y", "yes", "有", "是", "u", "unknown", "x", "unavailable")
_TRUTH_WORDS = {"y": "true", "yes": "true", "n": "false", "no": "false"}
_EVENTS: Mapping[str, EventKind] = {
    "no": "away",
    "without": "away",
    "allergy": "allergic",
    "have": "there",
}
_NONE = ("0", "none", "no", "n", "没有", "都没有", "无", "否")


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer that can be chosen by its number."""

    value: str
    label: str


def choices(graph: Graph, about: str) -> tuple[Choice, ...]:
    """The answers to choose from, in order; none for a number that is measured or a text."""
    if about == "sex":
        return Choice("female", "Girl"), Choice("male", "Boy")
    if about in PERSON:
        return ()
    return tuple(Choice(each.id, each.label) for each in _options(graph, about))


def _options(graph: Graph, about: str) -> tuple[AnswerOption, ...]:
    observation = graph.observations[about]
    measured = observation.kind == "number"
    return tuple(
        each
        for each in answers_of(observation)
        if each.means != "unavailable" and not (measured and each.is_band)
    )


def read_answer(graph: Graph, about: str, typed: str) -> FindingValue:
    """The answer that was typed: a number of the list, yes or no, a value with or without a unit.

    Raises `FindingsError` where it is none; whether a value can be is checked where it is taken.
    """
    text = typed.strip()
    if about in PERSON:
        return _of_person(about, text)
    observation = graph.observations[about]
    if observation.kind == "number":
        return _measured(graph, about, text)
    if observation.kind == "choices":
        return _several(graph, about, text)
    if observation.kind in ("text", "date") and not observation.answers:
        return text
    return _one(graph, about, text)


def read_list(signs: Sequence[str], typed: str) -> dict[str, bool] | None:
    """Which of the signs of a list are there, by their numbers; all others are not.

    None where the answer does not say it of each ("yes", "not known"): then they are asked one by
    one. Raises `FindingsError` for what is no answer to a list.

    >>> read_list(["convulsions", "lethargic"], "2")
    {'convulsions': False, 'lethargic': True}
    >>> read_list(["convulsions", "lethargic"], "none")
    {'convulsions': False, 'lethargic': False}
    >>> read_list(["convulsions", "lethargic"], "yes")
    """
    text = typed.strip().lower()
    if text in _NONE:
        return dict.fromkeys(signs, False)
    if text in _EACH_ALONE:
        return None
    present = {int(each) if each.isdigit() else 0 for each in re.split(r"[ ,;，、]+", text)}
    if not present <= set(range(1, len(signs) + 1)):
        raise FindingsError(
            f"'{typed.strip()}' is no answer to a list",
            remedy=f"give numbers from 1 to {len(signs)}, or 0 for none of them",
        )
    return {name: at in present for at, name in enumerate(signs, 1)}


def _of_person(about: str, text: str) -> FindingValue:
    if about == "age":
        return read_age(text if re.search("[a-z]", text, re.IGNORECASE) else f"{text} mo")
    if about == "weight":
        return read_weight(text.replace(",", "."))
    return _SEXES.get(text.lower(), text.lower())


def _one(graph: Graph, about: str, text: str) -> str:
    options = _options(graph, about)
    meaning = _TRUTH_WORDS.get(text.lower())
    if meaning:
        option = next((each for each in options if each.means == meaning), None)
        if option:
            return option.id
    word = {"y": "yes", "n": "no"}.get(text.lower(), text.lower())
    called = next((each for each in options if word in map(str.lower, each.aliases)), None)
    if called:
        return called.id
    if text.isdigit():
        if 1 <= int(text) <= len(options):
            return options[int(text) - 1].id
        exact = {name for each in options for name in (each.id, each.label)}
        if text not in exact:
            raise FindingsError(
                f"there is no answer {text}", where=about, remedy=f"give 1 to {len(options)}"
            )
    return text


def _several(graph: Graph, about: str, text: str) -> tuple[str, ...]:
    if text.lower() in _NONE:
        return ()
    parts = [part for part in re.split(r"\s*[,;]\s*", text) if part]
    if all(re.fullmatch(r"[\d ]+", part) for part in parts):
        parts = [number for part in parts for number in part.split()]
    return tuple(dict.fromkeys(_one(graph, about, part) for part in parts))


def _measured(graph: Graph, about: str, text: str) -> FindingValue:
    found = _NUMBER.fullmatch(text)
    if found is None:
        return _one(graph, about, text)
    number = float(found[1].replace(",", ".").replace("−", "-"))
    unit = (found[2] or "").strip()
    return Measured(number, unit) if unit and unit != graph.observations[about].unit else number


def read_event(typed: str) -> Event | None:
    """What may be said of the child and the place at any time; None where it is none of these.

    >>> read_event("allergy penicillin"), read_event("cough")
    (Event(kind='allergic', about='penicillin', value=None, reason='', at=''), None)
    """
    word, _, rest = typed.partition(" ")
    kind = _EVENTS.get(word.lower())
    return Event(kind, rest.strip()) if kind and rest.strip() else None


def read_verdict(typed: str, standing: Sequence[str]) -> tuple[Event, ...]:
    """What is thought of the outcome: agreement with all that stands or one of it, a refusal,
    another classification set, or what was given. Nothing where it is none of these.

    >>> [each.about for each in read_verdict("agree", ["cold", "fever"])]
    ['cold', 'fever']
    """
    word, _, rest = typed.partition(" ")
    match word.lower():
        case "a" | "agree":
            names = [standing[_number(rest, standing)]] if rest else standing
            return tuple(Event("agreed", name) for name in names)
        case "o" | "override":
            number, _, reason = rest.partition(" ")
            return (Event("refused", standing[_number(number, standing)], reason=reason),)
        case "s" | "set" if rest:
            name, _, reason = rest.partition(" ")
            return (Event("set", name, reason=reason),)
        case "g" | "given" if rest:
            return (Event("given", rest),)
        case _:
            return ()


def _number(typed: str, among: Sequence[str]) -> int:
    if typed.isdigit() and 1 <= int(typed) <= len(among):
        return int(typed) - 1
    raise FindingsError(
        f"'{typed}' is no number of what stands",
        where="agree or override",
        remedy=f"give 1 to {len(among)}",
    )
