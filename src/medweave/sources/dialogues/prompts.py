"""What a language model is asked of a dialogue or a message, and what is believed of its reply.

LLMParse of document T: one question for each section of the template in one prompt, each answer a
node. An answer rests on quotes. Quotes that do not stand in the text are dropped, and with the last
of them the answer; so is a number that no quote has. Nothing but the schema can be filled, whatever
the text asks for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

from medweave.language.numbers import find_numbers
from medweave.language.segmentation import language_of
from medweave.model.dialogue import Dialogue, Part, Section, Turn
from medweave.model.identifiers import digest
from medweave.model.json_schema import TEXT, choice_schema, list_schema, object_schema
from medweave.model.prompt import Prompt
from medweave.model.record import Record
from medweave.model.statement import Place
from medweave.ports import LanguageModel
from medweave.sources.dialogues.tree import given_sections
from medweave.sources.kinds import Filled
from medweave.sources.names import Naming
from medweave.sources.quoted_text import QuotedText, long_enough
from medweave.vocabulary.dialogue_template import DialogueTemplate, SectionRule, shipped_template

REQUESTS = 2
"""For one dialogue, at most: a reply that does not keep to the schema is asked for once more."""
VERSION = "1"
"""Raise it when prompts are made, or replies read, differently."""
_DIGITS = re.compile(r"\d+(?:[.,]\d+)?")
_MARK = 8
_SMALL = 2


@dataclass(frozen=True, slots=True)
class Believed:
    """The sections of a reply, and how many of its answers were dropped."""

    sections: tuple[Section, ...]
    dropped: int


def reader_of(model: str, template: DialogueTemplate) -> str:
    """A model and everything that it is asked: what it reads depends on nothing else."""
    return f"{model} {VERSION}.{template.prompts.version}"


def dialogue_prompt(
    turns: Sequence[Turn], template: DialogueTemplate, *, without: Iterable[str] = ()
) -> Prompt:
    """The questions of all sections but those named, of a dialogue."""
    rules = {n: rule for n, rule in template.sections.items() if n not in frozenset(without)}
    form = {name: _form(rule) for name, rule in rules.items()}
    return Prompt(_instructions(template.prompts.dialogue, rules), _material(turns),
                  object_schema(form, "extract"))  # fmt: skip


def message_prompt(text: str, template: DialogueTemplate, intents: Sequence[str]) -> Prompt:
    """The sections of a message, quotes alone, and its intents of those given (equation 8)."""
    form: dict[str, Any] = {name: _quotes() for name in template.sections}
    form["intents"] = list_schema(choice_schema(intents))
    instructions = _instructions(template.prompts.message, template.sections)
    return Prompt(
        instructions, _material([Turn(1, "patient", text)]), object_schema(form, "extract")
    )


def believed(
    reply: Mapping[str, Any], turns: Sequence[Turn], template: DialogueTemplate
) -> Believed:
    """What a reply says of turns, as far as it rests on them, in the order of the template."""
    held = [QuotedTurn(turn) for turn in turns]
    found, dropped = [], 0
    for name, rule in template.sections.items():
        answer = reply.get(name)
        if not answer or not (answer["quotes"] or answer.get("text", "").strip()):
            continue
        section = _section(name, rule, answer, held, template.longest)
        if section is None:
            dropped += 1
        else:
            found.append(section)
    return Believed(tuple(found), dropped)


def message_sections(
    reply: Mapping[str, Any], text: str, template: DialogueTemplate
) -> dict[str, str]:
    """The sections of a message that a reply finds in it, in words of the message."""
    held = [QuotedTurn(Turn(1, "patient", text))]
    found = {
        name: "\n".join(part.text for part in quoted(reply[name]["quotes"], held, "quote"))
        for name in template.sections
    }
    return {name: summary for name, summary in found.items() if summary}


def reads_by_model(dialogue: Dialogue, template: DialogueTemplate) -> bool:
    """Whether a dialogue is one for a model: somebody says something, and not too much."""
    length = sum(len(turn.text) for turn in dialogue.turns)
    return 0 < length <= template.prompts.most


def _section(
    name: str,
    rule: SectionRule,
    answer: Mapping[str, Any],
    held: Sequence[QuotedTurn],
    longest: int,
) -> Section | None:
    parts: list[Part] = []
    length = 0
    for part in quoted(answer["quotes"], held, "written" if rule.written else "quote"):
        length += len(part.text)
        if not parts or length <= longest:
            parts.append(part)
    if not parts:
        return None
    if not rule.written:
        return Section(name, tuple(parts), "llm")
    written = " ".join(answer["text"].split())[:longest]
    quotes = " ".join(part.text for part in parts)
    if not _numbers(written) <= _numbers(quotes):
        return None
    return Section(name, tuple(parts), "llm", written)


def _numbers(text: str) -> frozenset[float]:
    """The numbers of a text; small ones in words are left out, as they often count nothing."""
    digits = {float(number.replace(",", ".")) for number in _DIGITS.findall(text)}
    language = language_of(text)
    words = find_numbers(text.lower(), language if language == "zh" else "en")
    return frozenset(digits | {n.value for n in words if not n.spelled or n.value > _SMALL})


def _form(rule: SectionRule) -> dict[str, Any]:
    return object_schema({"text": TEXT, "quotes": list_schema(TEXT)}) if rule.written else _quotes()


def _quotes() -> dict[str, Any]:
    return object_schema({"quotes": list_schema(TEXT)})


def _instructions(instructions: str, rules: Mapping[str, SectionRule]) -> str:
    return (
        instructions.strip()
        + "\n\n"
        + "\n".join(f"{name}: {rule.ask}" for name, rule in rules.items())
    )


def _material(turns: Sequence[Turn]) -> str:
    """Turns as JSON between two lines with a mark that no text can know beforehand."""
    listed = [{"turn": t.number, "speaker": t.speaker, "text": t.text} for t in turns]
    text = json.dumps(listed, ensure_ascii=False)
    mark = f"=== {digest(text, _MARK)} ==="
    return f"{mark}\n{text}\n{mark}"


def reader(model: str) -> str:
    """A model and everything that it is asked of a dialogue."""
    return reader_of(model, shipped_template())


def filled(record: Record, model: LanguageModel, _naming: Naming) -> Filled:
    """A record with the sections that the model finds. Raises `LanguageModelError`."""
    template = shipped_template()
    dialogue: Dialogue = record.content
    if not reads_by_model(dialogue, template):
        why = f"it has no turns, or more than {template.prompts.most:,} characters"
        return Filled(replace(record, reader=""), 0, why)
    given = [section.name for section in given_sections(dialogue, template)]
    reply = model.fill(dialogue_prompt(dialogue.turns, template, without=given))
    found = believed(reply.content, dialogue.turns, template)
    read = replace(record, content=replace(dialogue, sections=found.sections))
    return Filled(read, found.dropped)


@dataclass(frozen=True)
class QuotedTurn:
    """A turn in which quotes are looked for."""

    turn: Turn

    def find(self, quote: str) -> tuple[int, int] | None:
        """Where a quote begins and ends in the turn; None where it is not there.

        A word is not cut: "ear" is not in "heart".

        >>> QuotedTurn(Turn(1, "patient", "It’s  my EAR.")).find("it's my ear")
        (0, 12)
        """
        return next(self._text.places(quote), None) if long_enough(quote) else None

    @cached_property
    def _text(self) -> QuotedText:
        return QuotedText(self.turn.text)


def quoted(quotes: Sequence[str], turns: Sequence[QuotedTurn], how: str) -> list[Part]:
    """Those of the quotes that stand in a turn, each place once, in the order of the dialogue.

    What stands within another one is left out.
    """
    found: set[tuple[int, int, int]] = set()
    for quote in quotes:
        for number, held in enumerate(turns):
            place = held.find(quote)
            if place is not None:
                found.add((number, *place))
                break
    ordered = sorted(found, key=lambda one: (one[0], one[1], -one[2]))
    spans = ordered[:1]
    for _, one in pairwise(ordered):
        last = spans[-1]
        if one[0] != last[0] or one[1] >= last[2]:
            spans.append(one)
        elif one[2] > last[2]:  # they overlap: together they are one
            spans[-1] = (last[0], last[1], one[2])
    return [_part(turns[number].turn, start, end, how) for number, start, end in spans]


def _part(turn: Turn, start: int, end: int, how: str) -> Part:
    return Part(Place(turn.field, start, end), turn.text[start:end], how)
