"""What is said of an observation that a text names: which answer, or that nobody knows."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from medweave.language.folding import lower
from medweave.model.guideline import AnswerOption, Observation, answers_of
from medweave.model.identifiers import normalise_name
from medweave.understanding.case.words import (
    CaseWord,
    case_rules,
    case_words,
    content,
    word_set,
)


@cache
def _patterns(rule: str) -> re.Pattern[str]:
    return re.compile("|".join(case_rules()[rule]))


def is_open(text: str) -> str:
    """The words that say that something is not settled; '' where none do."""
    found = _patterns("open").search(lower(text))
    return found.group() if found else ""


def is_unavailable(text: str) -> str:
    """The words that say that something cannot be had here; '' where none do."""
    found = _patterns("unavailable").search(lower(text))
    return found.group() if found else ""


def is_earlier(text: str) -> bool:
    """Whether the words behind a name tell of an earlier time."""
    return _patterns("earlier").search(lower(text)) is not None


def is_after_earlier(before: str) -> bool:
    """Whether the words right before a name tell of an earlier time."""
    return _patterns("earlier_before").search(lower(before)) is not None


def is_taken_back(before: str) -> bool:
    """Whether what stands before a name keeps it from being said: "too sleepy to play"."""
    return _patterns("takes_back").search(lower(before)) is not None


@cache
def _called(written: str) -> tuple[str, ...]:
    return content(case_words(written))


def _wordings(answer: AnswerOption) -> Iterable[tuple[str, ...]]:
    more = case_rules()["answers"].get(normalise_name(answer.label), ())
    for written in (answer.label, *answer.aliases, *more):
        found = _called(written)
        if found and not set(found) <= word_set("negations"):  # cues tell a mere no
            yield found


def answer_within(
    observation: Observation, words: Iterable[CaseWord], *, whole: bool = False
) -> tuple[AnswerOption, CaseWord] | None:
    """The answer that words around an observation's name tell, and the word that tells it.

    An answer all of whose words stand there wins, the longest first; else a word that only one
    answer has ("passed" of "pass", "normal" of "goes back normally"), unless `whole`.
    """
    around = list(words)
    stems = [word.stem for word in around]
    own = set(_called(observation.label))
    full: list[tuple[int, AnswerOption, str]] = []
    answers_by_stem: dict[str, set[str]] = {}
    options = answers_of(observation)
    for answer in options:
        for wording in _wordings(answer):
            wording_left = tuple(stem for stem in wording if stem not in own) or wording
            tells = set(wording_left) - word_set("negations")
            if set(wording) <= set(stems) or (tells and set(wording_left) <= set(stems)):
                full.append((len(wording), answer, wording_left[-1]))
            for stem in wording_left:
                answers_by_stem.setdefault(stem, set()).add(answer.id)
    if full:
        _, best, stem = max(full, key=lambda entry: entry[0])
        if not _denied(around, stems.index(stem), _wordings(best)):
            return best, around[stems.index(stem)]
        return None
    if whole:
        return None
    idle = word_set("negations") | word_set("fillers")
    by_id = {answer.id: answer for answer in options}
    for place, word in enumerate(around):
        of = answers_by_stem.get(word.stem, set())
        if len(of) == 1 and word.written not in idle and not word.written.isdigit():
            found = by_id[next(iter(of))]
            if not _denied(around, place, ()):
                return found, word
    return None


def _denied(words: list[CaseWord], place: int, wordings: Iterable[tuple[str, ...]]) -> bool:
    """Whether a denial stands right before a word, and does not belong to the answer."""
    no = word_set("negations")
    if any(set(wording) & no for wording in wordings):
        return False
    before = words[max(0, place - 2) : place]
    return any(word.written in no for word in before)


def has_denial(answer: AnswerOption) -> bool:
    """Whether an answer is a denial itself ("not tested", "negative", "none")."""
    no = word_set("negations")
    plain = {normalise_name(answer.id), normalise_name(answer.label)}
    return bool(plain & {"none", "no"}) or any(set(wording) & no for wording in _wordings(answer))


def absent_answer(observation: Observation) -> AnswerOption | None:
    """The answer that a denial stands for: no, none, or that it was not tested."""
    return _by_name(observation, ("no", "none", "absent", "no risk"), "false") or _by_name(
        observation, ("not tested", "not done", "never tested"), ""
    )


def present_answer(observation: Observation) -> AnswerOption | None:
    """The answer that stands for its being there, where there is just one."""
    return _by_name(observation, ("yes", "present"), "true")


def _by_name(observation: Observation, names: tuple[str, ...], meaning: str) -> AnswerOption | None:
    options = answers_of(observation)
    by_meaning = next((each for each in options if meaning and each.means == meaning), None)
    if by_meaning is not None:
        return by_meaning
    wanted = set(names)
    return next(
        (
            each
            for each in options
            if wanted & {normalise_name(n) for n in (each.id, each.label, *each.aliases)}
        ),
        None,
    )
