"""Reading the rule and vocabulary files that ship with medweave, and those users bring."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from medweave.errors import VocabularyError
from medweave.language.parsed_rules import parsed_rules, safe_loader

_MEDWEAVE = Path(__file__).parents[1]
LANGUAGES = ("en", "zh")
"""The languages whose rules, words and texts ship."""


def shipped(package: str, *names: str) -> Path:
    """A file or folder of data inside a medweave package.

    `importlib.resources` could also look into archives, and takes longer to load than all of it
    takes to be read.
    """
    return _MEDWEAVE.joinpath(package, *names)


@cache
def shipped_yaml(package: str, *names: str) -> dict[str, Any]:
    """A YAML file that ships, as a mapping that nobody changes."""
    place = shipped(package, *names)
    return read_yaml(place.read_text("utf-8"), where=place.name)


def language_with_rules(language: str) -> str:
    """A language whose rules ship: this one, or English where there are none for it.

    >>> language_with_rules("zh"), language_with_rules("fr")
    ('zh', 'en')
    """
    return language if language in LANGUAGES else "en"


def rules_in(language: str, *names: str) -> dict[str, Any]:
    """The rules of a language, or the English ones where none ship for it: the file that has its
    name at the `*` ("patient.*.yaml"), or of a file for all languages the part under its name.

    >>> rules_in("zh", "understanding", "rules", "conversation.yaml")["gives"]
    '(?:我|我们)(?:可以|能|该|应该)?给'
    """
    *folders, file = names
    name = language_with_rules(language)
    if "*" in file:
        return shipped_yaml(*folders, file.replace("*", name))
    found: dict[str, Any] = shipped_yaml(*names)[name]
    return found


@cache
def rule_in(language: str, rule: str, *names: str) -> re.Pattern[str]:
    """One of `rules_in`, as the expression that it is."""
    return re.compile(rules_in(language, *names)[rule])


@cache
def rule_in_any(rule: str, *names: str) -> re.Pattern[str]:
    """A rule in all languages together: for a text that may mix them."""
    return re.compile("|".join(rules_in(each, *names)[rule] for each in LANGUAGES))


def any_of(rule: str | list[str]) -> str:
    """A rule that may be written as several expressions, as one.

    >>> any_of(["gout", "podagra"]), any_of("gout")
    ('(?:gout)|(?:podagra)', 'gout')
    """
    return rule if isinstance(rule, str) else "|".join(f"(?:{one})" for one in rule)


def read_yaml(text: str, *, where: str) -> dict[str, Any]:
    """A YAML mapping; anything else raises `VocabularyError` with the line."""
    value = parsed_rules(text) or _parsed(text, where)
    if not isinstance(value, dict):
        raise VocabularyError(
            "a mapping was expected", where=where, remedy="see the files that ship as examples"
        )
    return value


def _parsed(text: str, where: str) -> Any:
    import yaml  # not for rules that are parsed

    try:
        return yaml.load(text, Loader=safe_loader())  # noqa: S506 - a safe loader in either case
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f" line {mark.line + 1}" if mark else ""
        raise VocabularyError(
            "this YAML cannot be read", where=f"{where}{line}", remedy="mend the file"
        ) from error


def read_yaml_file(path: Path) -> dict[str, Any]:
    """A YAML file of the user's."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise VocabularyError(
            "this file cannot be read", where=str(path), remedy="give a UTF-8 YAML file"
        ) from error
    return read_yaml(text, where=str(path))


def line_at(text: str, *path: str | int) -> int:
    """The line (from 1) of the value that a path leads to in a YAML text that can be read.

    >>> line_at("terms:\\n  - said: [a,\\n      b]", "terms", 0, "said", 1)
    3
    """
    import yaml

    node: Any = yaml.compose(text, Loader=safe_loader())
    for step in path:
        if isinstance(step, int):
            node = node.value[step]
        else:
            node = next(value for key, value in node.value if key.value == step)
    line: int = node.start_mark.line + 1
    return line
