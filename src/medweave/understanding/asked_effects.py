"""Findings that are asked about as what a medicine does: "will it put her potassium up?", "which is
likelier to send him low?". Nobody has them, and they speak against no medicine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from medweave.language.data import rules_in
from medweave.language.passage import Passage
from medweave.model.question import (
    BY_HABIT,
    FINDINGS,
    SUBSTANCES,
    WHICH_DRUGS_CAUSE,
    Asked,
    Mention,
)
from medweave.understanding.asked.deciding import findings_named
from medweave.understanding.asked.reading import answered, effect_scores
from medweave.understanding.intents.asking_part import names_medicine
from medweave.vocabulary.dictionary import Match
from medweave.vocabulary.knowledge import Knowledge

_CLAUSE = re.compile(r"[,;:，；：]| - ")
_LONGEST = 250
"""Longer texts tell more than they ask."""


@dataclass(frozen=True, slots=True)
class _Rules:
    of_medicines: re.Pattern[str]
    of_illnesses: re.Pattern[str]
    anywhere: bool
    """Whether words that ask may stand behind what is asked about, too."""
    asks: re.Pattern[str]
    likelier: re.Pattern[str]
    gives_more: re.Pattern[str]
    told: re.Pattern[str]
    befalls: re.Pattern[str]
    """Before a finding of which it is asked how it comes to people at all, with a medicine."""
    effects: tuple[tuple[str, re.Pattern[str]], ...]


def with_effects(
    passage: Passage, mentions: tuple[Mention, ...], knowledge: Knowledge, asked: Asked
) -> tuple[tuple[Mention, ...], tuple[Mention, ...]]:
    """The mentions with what is asked about as an effect, and that alone: what no name says, what
    is named where it is asked which of several medicines brings it on, and what is learned to be
    one where that is what is `asked`."""
    effects = _asked(passage, mentions, knowledge) or _learned(passage.text, mentions, asked)
    others = (m for m in mentions if not any(m.start < e.end and e.start < m.end for e in effects))
    return tuple(sorted((*others, *effects), key=lambda m: m.start)), effects


def _asked(
    passage: Passage, mentions: tuple[Mention, ...], knowledge: Knowledge
) -> tuple[Mention, ...]:
    rules = _rules(passage.language)
    drugs = {m.entity for m in mentions if m.concept == "drug" and m.entity not in BY_HABIT}
    several = len(drugs) > 1
    findings = [m for m in mentions if m.concept in FINDINGS and m.status != "absent"]
    of_which = [m for m in findings if several and _is_of_which(passage, m, rules)]
    if len(passage.text) > _LONGEST:
        return tuple(replace(m, status="hypothetical") for m in of_which)
    of_which = findings if several and rules.likelier.search(passage.plain) else of_which
    medicines = any(m.concept in SUBSTANCES for m in mentions)
    asked = [m for m in findings if m in of_which or (medicines and _befalls(passage, m, rules))]
    in_words = tuple(_in_words(passage, mentions, knowledge, rules))
    return (*in_words, *(replace(m, status="hypothetical") for m in asked))


def _is_of_which(passage: Passage, finding: Mention, rules: _Rules) -> bool:
    """Whether a finding stands in the very sentence that asks which of several does it more."""
    first, last = passage.sentence_at(finding.start)
    asked = rules.gives_more.search(passage.plain[first:last])
    return asked is not None


def _befalls(passage: Passage, finding: Mention, rules: _Rules) -> bool:
    """Whether it is asked how people come to have it: "how do you get gout on diuretics?"."""
    first, _ = passage.sentence_at(finding.start)
    return rules.befalls.search(passage.plain[first : finding.start]) is not None


def _learned(text: str, mentions: tuple[Mention, ...], asked: Asked) -> tuple[Mention, ...]:
    """What is asked about as an effect by what was learned. Where none of several is likely one,
    the likeliest; where one medicine is chosen, only what is likely. What somebody is said to have
    they have, whatever it comes from."""
    named = findings_named(mentions)
    medicines = [m for m in mentions if names_medicine(m)]
    certain = asked.surely(*answered().effects)
    listed = asked.label == WHICH_DRUGS_CAUSE
    fits = not any(m.concept == "drug" for m in medicines) if listed else bool(medicines)
    wanted = certain or asked.surely(*answered().chosen)
    if not (wanted and named and fits):
        return ()
    scores = effect_scores(text, mentions)
    likeliest = max(named, key=lambda m: scores.get(m, -1.0))
    effects = {m.entity for m in named if scores.get(m, -1.0) > 0}
    if certain:
        effects |= {likeliest.entity}
    else:
        effects &= {likeliest.entity}
    return tuple(
        m if m.status == "present" else replace(m, status="hypothetical")
        for m in named
        if m.entity in effects
    )


def _in_words(
    passage: Passage, mentions: tuple[Mention, ...], knowledge: Knowledge, rules: _Rules
) -> Iterator[Mention]:
    """Effects in words: a measure and where it goes, or what a medicine does to somebody."""
    named = [m for m in mentions if m.concept in (*FINDINGS, *SUBSTANCES)]
    medicines = any(m.concept in SUBSTANCES for m in named)
    asked = rules.of_medicines.search(passage.plain)
    if not (medicines or (asked and not rules.of_illnesses.search(passage.plain))):
        return
    apart = [m for m in named if m.concept in SUBSTANCES]
    for name, pattern in rules.effects:
        for match in pattern.finditer(passage.plain):
            start, end = match.span()
            if not _is_asked(passage, start, end, rules):
                continue
            if any(start < m.end and m.start < end for m in apart):
                continue
            meant = knowledge.dictionary.names(name)
            own = [m for m in named if start < m.end and m.start < end]
            if own and not (meant and all(_is_part(m, start, end) for m in own)):
                yield from (replace(m, status="hypothetical") for m in own)
                apart += own
            elif meant:
                apart.append(_effect(passage, Match(start, end, meant)))
                yield apart[-1]


def _is_part(mention: Mention, start: int, end: int) -> bool:
    """Whether a name is less than the words for an effect: "burn" in "burn in the sun"."""
    return (
        start <= mention.start and mention.end <= end and mention.end - mention.start < end - start
    )


def _is_asked(passage: Passage, start: int, end: int, rules: _Rules) -> bool:
    """Whether the clause at a place asks, and does not tell that it is so: of who says that their
    sugar is dropping, that is a state."""
    first, last = passage.sentence_at(start)
    before = passage.plain[first:start]
    begins = max((m.end() for m in _CLAUSE.finditer(before)), default=0)
    behind = _CLAUSE.search(passage.plain, end, last)
    clause = before[begins:]
    if rules.anywhere:
        clause += passage.plain[start : behind.start() if behind else last]
    return bool(rules.asks.search(clause)) and not rules.told.search(before)


def _effect(passage: Passage, match: Match) -> Mention:
    first = match.named[0]
    text = passage.text[match.start : match.end]
    found = Mention(match.start, match.end, text, first.entity, first.name, first.concept)
    return replace(found, status="hypothetical")


@cache
def _rules(language: str) -> _Rules:
    rules = rules_in(language, "understanding", "rules", "asked_effects.yaml")
    effects: list[tuple[str, re.Pattern[str]]] = []
    for measure in rules["measures"]:
        for way in ("up", "down"):
            if way in measure:
                goes = "too_far" if way == "down" and measure.get("lowered") else way
                words = {"measure": measure["words"], "way": rules[goes]}
                pattern = "|".join(form.format(**words) for form in rules["forms"])
                effects.append((measure[way], re.compile(pattern)))
    effects += [(e["name"], re.compile(e["words"])) for e in rules["effects"]]
    patterns = {
        key: re.compile(rules[key])
        for key in ("of_medicines", "of_illnesses", "asks", "likelier", "gives_more", "told",
                    "befalls")
    }  # fmt: skip
    return _Rules(**patterns, anywhere=rules["asking"] == "anywhere", effects=tuple(effects))
