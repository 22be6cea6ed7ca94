"""What a question of a conversation says in full: "and ibuprofen?" after "is paracetamol ok?".

A question in its context is rewritten so that it can be read alone (Elgohary et al., "Can you
unpack that?", EMNLP 2019), here by rules: what stands for a thing is named, a question that goes on
is joined to the one before, and who wants something, and says not for what, wants it for what they
told. Words are data: rules/follow_up.yaml.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import cache

from medweave.language.data import language_with_rules, shipped_yaml
from medweave.language.folding import blotted, lower
from medweave.model.question import FINDINGS, SUBSTANCES, Mention, Question

_THINGS = (*SUBSTANCES, *FINDINGS)
_BESIDE_NAMES = 1
"""A text with no more words than this beside names goes on with what was asked before."""
_WORD = re.compile(r"[^\W\d_\u4e00-\u9fff]+|[\u4e00-\u9fff]")
_ENDS = " ?？.。!！"
_MOST_TOPICS = 2
"""So many things of one question may be what the next one speaks of."""

Understand = Callable[[str], Question]


def in_full(question: Question, earlier: Sequence[Question], understand: Understand) -> Question:
    """The question with what it takes up from those before it, oldest first, in its text.

    `understand` reads a text alone. A question that needs nothing is given back as it is.
    """
    if not earlier or corrects(question) or begins_anew(question):
        return question
    if turns_to_oneself(question) and question.of_concept(*SUBSTANCES) and _asks(question):
        return question  # what was asked for another is not asked again
    for text in _readings(question, earlier):
        whole = understand(text)
        if _asks(whole):
            return replace(whole, as_written=question.text)
    return question


def _asks(question: Question) -> bool:
    return any(intent.sure for intent in question.intents) or question.form.kind != "plain"


def _readings(question: Question, earlier: Sequence[Question]) -> Iterator[str]:
    """What the question may say in full, the likeliest first."""
    named, text = _things(question), lower(question.text)
    if more := _pattern("goes_on", question.language).search(text):
        yield from _gone_on(question, named, more.span("more"), earlier)
    elif named and not _asks(question) and _is_bare(text, named):
        yield from _gone_on(question, named, (named[0].start, named[-1].end), earlier)
    if not any(map(_reported, named)):
        yield from _with_names(question, text, earlier)
    complaints = _complaints(earlier)
    if _pattern("says_for_what", question.language).search(text):
        complaints = [name for name in complaints if set(name.lower().split()) & set(text.split())]
    if complaints and not named and _pattern("needs", question.language).search(text):
        words, asked = _words(question.language), question.text.rstrip(_ENDS)
        yield words["for"].format(text=asked, names=words["and"].join(complaints))


def _is_bare(text: str, named: list[Mention]) -> bool:
    outside = blotted(text, ((m.start, m.end) for m in named), " ")
    return len(_WORD.findall(outside)) <= _BESIDE_NAMES


def _with_names(question: Question, text: str, earlier: Sequence[Question]) -> Iterator[str]:
    """The question with a name in place of the word that stands for it."""
    language = question.language
    place = _pattern("stands_for", language).search(text)
    if place is None or _pattern("stands_for_nothing", language).search(text):
        return
    start, end = place.span(0 if place["thing"] is None else "thing")
    left_out = start == end  # 还能继续吃吗 does not say what
    if left_out and _things(question):
        return
    owner = _words(language)["possessive"] if text[start:end] == "its" else ""
    for name in _topics(earlier, SUBSTANCES if left_out and start else _THINGS):
        yield question.text[:start] + name + owner + question.text[end:]


def _gone_on(
    question: Question,
    named: list[Mention],
    span: tuple[int, int],
    earlier: Sequence[Question],
) -> Iterator[str]:
    """The last question that asked something, with another thing in it, or with more behind it."""
    before = next((turn for turn in reversed(earlier) if _asks(turn)), None)
    if before is None:
        return
    more = question.text[slice(*span)].strip()
    if named and not _pattern("goes_on_with", question.language).search(lower(more)):
        same = [m for m in before.mentions if _alike(m, named[0])]
        for replaced in same[:1]:
            yield before.text[: replaced.start] + named[0].text + before.text[replaced.end :]
            return
    yield before.text.rstrip(_ENDS) + _words(question.language)["joint"] + more


def _alike(one: Mention, other: Mention) -> bool:
    if one.concept in SUBSTANCES:
        return other.concept in SUBSTANCES and one.role == "asked"
    return one.concept in FINDINGS and other.concept in FINDINGS


def _topics(earlier: Sequence[Question], concepts: Collection[str]) -> Iterator[str]:
    """Names of what was last spoken of: what was asked about before what somebody has or takes."""
    for turn in reversed(earlier):
        if things := [m for m in _things(turn) if m.concept in concepts]:
            things.sort(key=lambda m: (m.role != "asked", m.concept == "symptom"))
            yield from list(dict.fromkeys(m.link.read_as or m.text for m in things))[:_MOST_TOPICS]
            return


def _complaints(earlier: Sequence[Question]) -> list[str]:
    """What somebody was last said to have, in the words in which it was."""
    for turn in reversed(earlier):
        if reported := [m for m in turn.mentions if _reported(m)]:
            return list(dict.fromkeys(m.text for m in reported))
    return []


def _reported(mention: Mention) -> bool:
    present = mention.status == "present" and mention.experiencer == "patient"
    return present and mention.concept in FINDINGS


def _things(question: Question) -> list[Mention]:
    return [m for m in question.mentions if m.concept in _THINGS and m.status != "absent"]


def as_told(question: Question) -> str:
    """What was written, in lower case, and not what it says in full."""
    return lower(question.as_written or question.text)


def turns_to_oneself(question: Question) -> bool:
    """Whether somebody goes on to ask for themselves: "and what about me?"."""
    return _pattern("turns_to_oneself", question.language).search(as_told(question)) is not None


def begins_anew(question: Question) -> bool:
    """Whether a question says that nothing before it is to count."""
    return _pattern("begins_anew", question.language).search(as_told(question)) is not None


def takes_nothing(question: Question) -> bool:
    """Whether a question says that no medicine is taken at all."""
    return _pattern("takes_nothing", question.language).search(as_told(question)) is not None


def corrects(question: Question) -> bool:
    """Whether a question begins by taking back something that was said before it."""
    return _pattern("corrects", question.language).search(lower(question.text)) is not None


def _words(language: str) -> dict[str, str]:
    found = shipped_yaml("understanding", "rules", "follow_up.yaml")
    words: dict[str, str] = found[language_with_rules(language)]["words"]
    return words


@cache
def _pattern(rule: str, language: str) -> re.Pattern[str]:
    found = shipped_yaml("understanding", "rules", "follow_up.yaml")
    return re.compile(found[language_with_rules(language)][rule])
