"""What the observations of a guideline, and their answers, may be called in the text of a case."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal as OneOf

from medweave.language.folding import name_key
from medweave.language.segmentation import is_chinese
from medweave.model.entity import NameMention
from medweave.model.guideline import Guideline, Observation, answers_of
from medweave.model.identifiers import normalise_name
from medweave.understanding.case.places import without_place
from medweave.understanding.case.words import (
    CaseWord,
    case_rules,
    case_words,
    content,
    word_set,
)
from medweave.vocabulary.lexicon import Lexicon

Whose = OneOf["", "child", "mother"]
"""Whom a name itself speaks of; "" where it leaves that open, and the child is meant."""
Says = OneOf["name", "answer", "denial", "resource"]
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_LONGEST = 9
"""Names of more words that tell something are sentences, and nobody writes them."""
_FIRST_PART = 2


@dataclass(frozen=True, slots=True)
class CaseName:
    """One way to call an observation, or one of its answers; `stems` are all to be found."""

    stems: tuple[str, ...]
    observation: str
    says: Says
    whose: Whose
    written: str
    answer: str = ""
    joined: bool = False
    """It has "and", "or" or "with" itself."""


@dataclass(frozen=True)
class ObservationNames:
    """All names of a guideline's observations, by a stem of each."""

    observations: dict[str, Observation]
    by_stem: dict[str, tuple[CaseName, ...]]
    han: tuple[tuple[str, str, Says, str], ...]
    """Chinese names: the name, the observation, what it says, the answer; the longest first."""
    linked: dict[str, CaseName]
    """What the things are that the linker is given as `mentions`."""
    placed: dict[str, tuple[tuple[CaseName, str], ...]]
    """Names of signs without their place, with that place, by their first stem: "pus", "ear"."""
    place_of: dict[str, str]
    """The place of a sign that all its names with a place agree on."""

    def mentions(self) -> Iterator[tuple[NameMention, str]]:
        """All names as a base gives its own, for the linker to look in; see `GraphStore.names`."""
        for entity, name in self.linked.items():
            language = "zh" if is_chinese(name.written) else "en"
            yield NameMention(entity, name.written, language, "symptom"), ""


def observation_names(guideline: Guideline, lexicon: Lexicon) -> ObservationNames:
    """The names of a guideline's observations, with those the lexicon has for the same thing."""
    names: dict[CaseName, None] = {}
    han: list[tuple[str, str, Says, str]] = []
    keys: dict[str, dict[str, None]] = {}
    shared = _shared_answers(guideline.observations)
    for each in guideline.observations:
        if each.kind in ("text", "date"):
            continue
        whose = _whose(each)
        for called, says, answer in _called(each, shared):
            if is_chinese(called):
                han.append((called, each.id, says, answer))
                continue
            if says == "name":
                keys.setdefault(name_key(called), {})[each.id] = None
            names |= dict.fromkeys(
                _names(each.id, case_words(called), says, whose, (called, answer))
            )
        for called in _of_lexicon(each, lexicon):
            if is_chinese(called):
                han.append((called, each.id, "name", ""))
            else:
                keys.setdefault(name_key(called), {})[each.id] = None
                names |= dict.fromkeys(
                    _names(each.id, case_words(called), "name", whose, (called, ""))
                )
    names |= dict.fromkeys(_opposites(keys, guideline))
    by_stem: dict[str, list[CaseName]] = {}
    common = _frequencies(names)
    for name in names:
        by_stem.setdefault(min(name.stems, key=lambda stem: (common[stem], stem)), []).append(name)
    return ObservationNames(
        {each.id: each for each in guideline.observations},
        {stem: tuple(held) for stem, held in by_stem.items()},
        tuple(sorted(set(han), key=lambda entry: (-len(entry[0]), entry))),
        _linked(names, han),
        _placed(names, guideline),
        _place_of(names),
    )


def _linked(
    names: Iterable[CaseName], han: Iterable[tuple[str, str, Says, str]]
) -> dict[str, CaseName]:
    """The names that stand as they are written, each by an identifier of its own."""
    whole = [name for name in names if name.says != "resource" and _is_whole(name)]
    chinese = [
        CaseName((), observation, says, "", called, answer)
        for called, observation, says, answer in han
        if says != "resource"
    ]
    return {f"observation:{number}": name for number, name in enumerate([*whole, *chinese])}


def _is_whole(name: CaseName) -> bool:
    """Whether it is all that is written: "able to drink" is none where that is denied."""
    return name.stems == content(case_words(name.written))


def _place_of(names: Iterable[CaseName]) -> dict[str, str]:
    found: dict[str, set[str]] = {}
    for name in names:
        _, place = without_place(name.stems)
        if place:
            found.setdefault(name.observation, set()).add(place)
    return {observation: places.pop() for observation, places in found.items() if len(places) == 1}


def _placed(
    names: Iterable[CaseName], guideline: Guideline
) -> dict[str, tuple[tuple[CaseName, str], ...]]:
    signs = {each.id for each in guideline.observations if each.kind == "boolean"}
    found: dict[str, dict[tuple[CaseName, str], None]] = {}
    for name in names:
        if name.says == "name" and not name.joined and name.observation in signs:
            rest, place = without_place(name.stems)
            if rest:
                found.setdefault(rest[0], {})[replace(name, stems=rest), place] = None
    return {stem: tuple(held) for stem, held in found.items()}


def _frequencies(names: Iterable[CaseName]) -> dict[str, int]:
    found: dict[str, int] = {}
    for name in names:
        for stem in name.stems:
            found[stem] = found.get(stem, 0) + 1
    return found


def _whose(observation: Observation) -> Whose:
    words = {word.written for word in case_words(observation.label)}
    if words & word_set("mother"):
        return "mother"
    return "child" if words & word_set("child") else ""


def _called(each: Observation, shared: frozenset[str]) -> Iterator[tuple[str, Says, str]]:
    """What an observation and its answers are called: (name, what it says, the answer)."""
    for called in dict.fromkeys((each.label, *each.aliases)):
        for way in _ways(called) if each.derived is None else (called,):
            yield way, "name", ""
    for resource in each.resources:
        yield resource, "resource", ""
    for answer in answers_of(each):
        if each.kind == "choices":
            break  # a list of complaints or tests: to name one is not to choose it
        for called in dict.fromkeys((answer.label, *answer.aliases)):
            key = normalise_name(called)
            if key not in shared and not _general(called):
                yield called, "answer", answer.id


def _ways(called: str) -> Iterator[str]:
    """A name as it is, without what stands in brackets, and the first of what it joins by "or"."""
    yield called
    plain = _BRACKETS.sub(" ", called).strip()
    if plain != called and plain:
        yield plain
    first = re.split(r",| or | / ", plain)[0]
    if first != plain and len(content(case_words(first))) >= _FIRST_PART:
        yield first


def _general(called: str) -> bool:
    """Whether an answer says nothing without what it answers."""
    general = word_set("general_answers")
    words = [word.written for word in case_words(called)]
    specific = [word for word in words if word not in general and word not in word_set("fillers")]
    return not specific or called.lower() in general or all(word.isdigit() for word in specific)


def _shared_answers(observations: Iterable[Observation]) -> frozenset[str]:
    """Answers that several observations have."""
    seen: dict[str, set[str]] = {}
    for each in observations:
        for answer in answers_of(each):
            for called in (answer.label, *answer.aliases):
                seen.setdefault(normalise_name(called), set()).add(each.id)
    return frozenset(name for name, of in seen.items() if len(of) > 1)


def _names(
    observation: str, words: list[CaseWord], says: Says, whose: Whose, called: tuple[str, str]
) -> Iterator[CaseName]:
    written, answer = called
    found = content(words)
    joined = any(word.written in word_set("connectors") for word in words)
    if not found or len(found) > _LONGEST:
        return
    yield CaseName(found, observation, says, whose, written, answer, joined)
    denying = word_set("negations") | {"unable"}
    if says == "name" and words[0].written in denying:
        positive = tuple(stem for stem in found if stem not in denying)
        if words[0].written == "unable":
            positive = ("able", *positive)
        if len(positive) > 1:
            yield CaseName(positive, observation, "denial", whose, written, "", joined)


def _of_lexicon(each: Observation, lexicon: Lexicon) -> Iterator[str]:
    """The names of a term of the lexicon that bears the observation's own name."""
    own = dict.fromkeys(name_key(called) for called in (each.label, *each.aliases))
    terms = {
        term.id: term
        for key in own
        for term in lexicon.by_key.get(key, ())
        if term.concept in ("symptom", "disease")
    }
    for term in terms.values():
        for language in ("en", "zh"):
            yield from term.names.get(language, ())


def _opposites(keys: dict[str, dict[str, None]], guideline: Guideline) -> Iterator[CaseName]:
    """What says that another thing is not there: who drinks well is able to drink."""
    by_id = {each.id: each for each in guideline.observations}
    for entry in case_rules()["denies"]:
        denied = dict.fromkeys(
            observation
            for name in entry["denied"]
            for observation in keys.get(name_key(name), ())
            if by_id[observation].kind == "boolean"
        )
        for observation in denied:
            for wording in entry["said"]:
                yield CaseName(
                    content(case_words(wording)), observation, "denial", "", wording, "", False
                )
