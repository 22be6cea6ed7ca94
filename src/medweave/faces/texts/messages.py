"""What went wrong, in the language of whoever reads it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from medweave.language.data import shipped_yaml
from medweave.language.patterns import Patterns


@cache
def _patterns() -> Patterns:
    return Patterns(shipped_yaml("faces", "texts", "messages.zh.yaml"))


def message(text: str, language: str, names: Callable[[str], str] = str) -> str:
    """What the program says went wrong; in English where it has no other words for it. `names`
    tells what is named in it.

    >>> message("this job is running", "zh"), message("'ten' is no age", "zh")
    ('此任务正在进行', '“ten”不是年龄')
    >>> message("this is new", "zh"), message("this is new", "en")
    ('this is new', 'this is new')
    """
    if language != "zh":
        return text
    found = _known(text, names)
    return names(text) if found is None else found


def _known(text: str, names: Callable[[str], str]) -> str | None:
    """A message, or what is wrong and what to do; None where no form is of it."""
    found = _patterns().of(text, lambda part: message(part, "zh", names))
    if found is not None or ", " not in text:
        return found
    what, _, remedy = text.partition(", ")
    while remedy:
        told = [_known(what, names), _patterns().of(remedy)]
        if None not in told:
            return "，".join(filter(None, told))
        more, _, remedy = remedy.partition(", ")
        what = f"{what}, {more}"
    return None


def with_reasons(value: Any, language: str) -> Any:
    """A form in which every `reason` is told in a language.

    >>> with_reasons({"errors": [{"line": 2, "reason": "no text"}]}, "zh")
    {'errors': [{'line': 2, 'reason': '没有文本'}]}
    """
    if language == "en":
        return value
    match value:
        case dict():
            return {
                key: message(each, language)
                if key == "reason" and isinstance(each, str)
                else with_reasons(each, language)
                for key, each in value.items()
            }
        case list() | tuple():
            return [with_reasons(each, language) for each in value]
        case _:
            return value
