"""Is what a text mentions there, absent, unknown or only supposed? Rules are data files.

A small relative of ConText (Harkema et al. 2009): cues before or behind a mention act within a
stretch of text that breaks end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Literal as OneOf

from medweave.language.answers import Reply, in_an_answer, read_answer
from medweave.language.data import language_with_rules, shipped_yaml
from medweave.language.headings import Heading, heading_of
from medweave.language.passage import Passage, Span, read_once, read_once_of_a_text
from medweave.language.people import People, people_of
from medweave.language.people_rules import WRITER
from medweave.language.person import Person
from medweave.language.prefilter import Expression, Prefilter, first_matches, grouped
from medweave.model.question import Status

_BLANKS = re.compile(r"[ \t]{2,}")
_ANSWERED: dict[Reply, Status] = {"yes": "present", "no": "absent", "unsure": "unknown"}
_SEEN = {"en": 400, "zh": 150}
"""Characters of a sentence before a mention that are read; some sentences have no end."""
_REACH = 120
"""Characters behind a mention in which cues are looked for."""
_COMMA_BEFORE = re.compile(r",\s*$")
_UNCERTAIN = ("historical_before", "unknown_before", "hypothetical_before")
"""Cues that act from before a mention, and over no break."""
_COMMA = re.compile(r",(?!\d)")
_A_VERB = 24
"""In so many characters of a mention it may be a verb that tells something anew, or a name that is
asked about."""
_A_LIST = 3
"""So many short names between commas are a list, of which one denial denies all."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How one mention is meant. `said_of_person` tells a report from a general question."""

    status: Status
    experiencer: OneOf["patient", "other"]
    temporality: OneOf["recent", "historical"]
    doubted: bool = False
    """Unknown because the text says so, and not because it says nothing of anybody."""
    asked: bool = False
    """It is asked whether it is there: what the status rests on is the answer, if there is one."""
    family: bool = False
    """It runs in a family, or a relative once had it."""
    reaction: bool = False
    """It is what a medicine did, and over, as far as can be told."""
    suspected: bool = False
    """Doubted in words of doubt, and not by a denial that may reach so far, or not."""


@dataclass(frozen=True, slots=True)
class Cue:
    """One cue, and whether it is only looked for where a text begins."""

    expression: Expression
    at_start: bool

    def search(self, text: str) -> re.Match[str] | None:
        """The first of it in a text; what begins a text is not tried at every other place."""
        compiled = self.expression.compiled
        return compiled.match(text) if self.at_start else compiled.search(text)


@dataclass(frozen=True, slots=True)
class Cues:
    """The cues, by group, of which there may be any in one text or in parts of it."""

    groups: Mapping[str, Sequence[Cue]]

    def has(self, *groups: str) -> bool:
        """Whether there may be a cue of one of these groups anywhere."""
        return not self.groups.keys().isdisjoint(groups)

    def find(self, group: str, text: str) -> bool:
        """Whether a cue of a group occurs."""
        for cue in self.groups.get(group, ()):  # noqa: SIM110 - any() takes longer
            if cue.search(text) is not None:
                return True
        return False

    def matches(self, group: str, text: str) -> Iterator[re.Match[str]]:
        """Where cues of a group stand, one behind the other."""
        return first_matches([cue.expression.compiled for cue in self.groups.get(group, ())], text)

    def without(self, group: str, text: str) -> str:
        """The text with the cues of a group blanked out."""
        found = [match.span() for match in self.matches(group, text)] if self.has(group) else []
        for start, end in reversed(found):
            text = f"{text[:start]} ~ {text[end:]}"
        return text

    def after_last(self, group: str, text: str) -> str:
        """What follows the last cue of a group."""
        if group not in self.groups:
            return text
        ends = [match.end() for match in self.matches(group, text)]
        return text[ends[-1] :] if ends else text


@cache
def _rules(language: str) -> Prefilter[tuple[str, Cue]]:
    """The cues that ship for a language, each with its group."""
    content = shipped_yaml("language", "rules", f"cues.{language_with_rules(language)}.yaml")
    cues = [
        (group, Cue(Expression(pattern), pattern.startswith("^")))
        for group, patterns in content.items()
        for pattern in patterns or ()
    ]
    return Prefilter((one, one[1].expression.needs) for one in cues)


class _CuesOfAText:
    """The cues that a text may have, and each sentence of it, whichever names it has."""

    def __init__(self, passage: Passage) -> None:
        self._plain = passage.plain
        self._found = _rules(passage.language).of(_blanks_taken_together(passage.plain))
        self.all = Cues(grouped(self._found))
        self._by_sentence = {} if len(passage.sentences) > 1 else {passage.sentences[0]: self.all}

    def within(self, sentence: Span) -> Cues:
        """The cues that a sentence may have, or any part of it."""
        cues = self._by_sentence.get(sentence)
        if cues is None:
            text = _blanks_taken_together(self._plain[slice(*sentence)])
            found = (one for one in self._found if one[1].expression.may_be_in(text))
            cues = self._by_sentence[sentence] = Cues(grouped(found))
        return cues


_cues_of = read_once_of_a_text(_CuesOfAText)


def read_mention(
    passage: Passage, start: int, end: int, *, since: int = 0, of_a_list: bool = True
) -> Reading:
    """How the mention at a span of a passage is meant; the names of the passage say nothing of it.

    What stands before the place `since` says nothing of it either. `of_a_list`: whether under a
    heading of the past ("PMH:") it is one of the things that once were.

    >>> from medweave.language.passage import passage_of
    >>> passage = passage_of("I have a cough but no fever")
    >>> read_mention(passage, 9, 14).status, read_mention(passage, 22, 27).status
    ('present', 'absent')
    """
    text, language = passage.hidden, passage.language
    first = max(since, start - _SEEN[passage.language], passage.sentence_at(start)[0])
    sentence = _blanks_taken_together(text[first:start])
    after = _blanks_taken_together(text[end : end + _REACH])
    whole = passage.sentence_at(start)
    cues = _cues_of(passage)
    rules, behind = cues.within(whole), cues.all
    uncertain = rules.after_last("breaks", sentence) if rules.has(*_UNCERTAIN) else sentence
    denied = _absent(rules, behind, _denying(passage, first, start, rules), after)
    denied = denied and not _happened_anew(passage, start, end)
    denied = denied and not _stands_alone(passage, start, end, rules)
    denied = denied and (behind.find("absent_after", after) or not rules.find("owned", sentence))
    not_so = not denied and _is_not_so(passage, start, end, behind, after)
    denied = denied or not_so
    heading = _heading(rules, text, start, sentence, language)
    historical = (
        (_past(rules, uncertain) and not behind.find("recent_after", after))
        or rules.find("historical_in_front", sentence)
        or behind.find("historical_after", after)
        or (heading == "past" and of_a_list)
    )
    reaction = rules.find("reaction_before", sentence) or (
        rules.find("was_before", sentence) and behind.find("from_after", after)
    )
    reaction = reaction and _is_over(passage, whole)
    reaction = reaction and not historical
    historical = historical or reaction
    answer = read_answer(passage, start, end, denied=denied)
    doubted = False
    status: Status
    if answer is not None:
        status, doubted = _ANSWERED[answer.reply], answer.reply == "unsure"
        historical = historical or answer.past
    elif denied:
        sure = not_so or behind.find("absent_after", after)
        sure = sure or _denial_reaches(passage, start, end, rules)
        status, doubted = ("absent", False) if sure else ("unknown", True)
    elif behind.find("confirmed_after", after):
        status = "present"
    elif _is_doubted(rules, behind, uncertain, after):
        status, doubted = "unknown", True
    elif rules.find("hypothetical_before", uncertain):
        status = "hypothetical"
    else:
        topic = rules.find("topic_before", sentence) or behind.find("topic_after", after)
        status = "present" if not topic and _tells_of_somebody(passage) else "unknown"
        if status == "unknown" and in_an_answer(text, start, language):
            status = "present"
    people = people_of(passage)
    bearer = people.bearer(start, end)
    family = heading == "family" or _of_family(passage, start, end, rules, behind)
    named_here = bearer is not None and bearer.start >= passage.clause_at(start)[0]
    family = family or (named_here and people.only_had(bearer))
    patients = not family and _is_of_patient(people, bearer, named_here=named_here)
    patients = patients or behind.find("shared_after", after)
    return Reading(
        status,
        "patient" if patients else "other",
        "historical" if historical else "recent",
        doubted,
        answer is not None,
        family,
        reaction,
        suspected=doubted and not denied and answer is None,
    )


def _is_of_patient(people: People, bearer: Person | None, *, named_here: bool) -> bool:
    """Whether what somebody bears is the patient's: theirs, or that of two of whom they are one."""
    joined = people.joined_to(bearer) if named_here else None
    return people.is_patient(bearer) or (joined is not None and people.is_patient(joined))


def _is_not_so(passage: Passage, start: int, end: int, behind: Cues, after: str) -> bool:
    """Whether whoever writes says behind it that they do not have what was said of them: "I never
    said I had asthma, I don't"; not of another: "my husband has asthma, I don't"."""
    if not behind.find("not_so_after", after):
        return False
    bearer = people_of(passage).bearer(start, end)
    return bearer is None or bearer.role == WRITER


def _is_doubted(rules: Cues, behind: Cues, before: str, after: str) -> bool:
    """Whether it is doubted that it is there, and not what becomes of it, or what may be taken
    with it: "I worry about my asthma", "is aspirin fine with asthma?"."""
    if behind.find("unknown_after", after):
        return True
    had = rules.find("had_anyway", before) and not behind.find("or_another_after", after)
    return rules.find("unknown_before", before) and not had


def _denying(passage: Passage, first: int, start: int, rules: Cues) -> str:
    """What stands before a mention and may deny it: of its own clause, and behind a break."""
    if not rules.has("absent_before", "awaited_before"):
        return ""
    own = max(first, people_of(passage).own_clause(start))
    before = rules.without("pseudo", _blanks_taken_together(passage.hidden[own:start]))
    before = rules.after_last("breaks", before)
    if not rules.has("told_anew"):
        return before
    ahead = passage.hidden[start : start + _A_VERB].split(",")[0]
    anew = rules.after_last("told_anew", before + ahead)
    behind = len(anew) < len(ahead)  # what begins anew stands behind the mention
    return before if behind else anew[: len(anew) - len(ahead)]


def denied_of(passage: Passage, places: Iterable[Span]) -> frozenset[Span]:
    """Those of some places of which it is said that it is not there; as `read_mention` reads it.

    >>> from medweave.language.passage import passage_of
    >>> denied_of(passage_of("No fever, but a cough"), [(3, 8), (16, 21)])
    frozenset({(3, 8)})
    """
    text, language = passage.hidden, passage.language
    cues = _cues_of(passage)
    behind = cues.all
    found = []
    for sentence, some in groupby(places, lambda place: passage.sentence_at(place[0])):
        rules = cues.within(sentence)
        if not (rules.has("absent_before") or behind.has("absent_after")):
            continue
        for start, end in some:
            first = max(start - _SEEN[language], sentence[0])
            after = _blanks_taken_together(text[end : end + _REACH])
            denied = _absent(rules, behind, _denying(passage, first, start, rules), after)
            if _stands_alone(passage, start, end, rules):
                continue
            if denied and _denial_reaches(passage, start, end, rules):
                found.append((start, end))
    return frozenset(found)


def _of_family(passage: Passage, start: int, end: int, rules: Cues, behind: Cues) -> bool:
    """Whether it is said to be what a family has."""
    first = max(passage.sentence_at(start)[0], start - _SEEN[passage.language])
    before = passage.hidden[first:start]
    if rules.has("other_before") and rules.find(
        "other_before", rules.after_last("other_breaks", before)
    ):
        return True
    return behind.find("other_after", passage.hidden[end : end + _REACH])


def _happened_anew(passage: Passage, start: int, end: int) -> bool:
    """Whether something that happened is told anew behind a comma: "no cough, swallowed a coin"."""
    if not _COMMA_BEFORE.search(passage.plain[:start]):
        return False
    named = passage.plain[start:end]
    return _cues_of(passage).all.find("happened", named)


def _stands_alone(passage: Passage, start: int, end: int, rules: Cues) -> bool:
    """Whether a name has no denial of its own behind names that have one each: the fever of "no
    cough, no diarrhoea, fever". Joined by "or", one denial reaches over both."""
    if not rules.has("denied_each"):
        return False
    first, last = passage.sentence_at(start)
    before = passage.plain[max(first, start - _SEEN[passage.language]) : start]
    behind = passage.plain[end : min(last, end + _REACH)]
    return rules.find("denied_each", before) and not rules.find("joined_after", behind)


def _denial_reaches(passage: Passage, start: int, end: int, rules: Cues) -> bool:
    """Whether a denial before a comma surely reaches over it, to what stands behind.

    "No fever, cough or rash", "denies fever, cough" and "no murmurs, rubs, gallops" deny all;
    "no blood in the stool, sunken eyes" may be read either way.
    """
    first, last = passage.sentence_at(start)
    first, last = (
        max(first, start - _SEEN[passage.language]),
        min(last, end + _SEEN[passage.language]),
    )
    sentence = passage.hidden[first:start]
    denials = list(rules.matches("absent_before", sentence))
    if not denials:
        return True
    listed = passage.plain[first + denials[-1].end() : start]
    if not _COMMA.search(listed):
        return True
    behind = passage.plain[end:last]
    if rules.find("denies_all", sentence) or rules.find("list_closed", listed + "~" + behind):
        return True
    items = _COMMA.split(listed + passage.plain[start:end] + behind)
    items = [item.strip(" .;!") for item in items]
    return len(items) >= _A_LIST and not any(rules.find("no_item", item) for item in items)


def _blanks_taken_together(text: str) -> str:
    return _BLANKS.sub(" ", text) if "  " in text else text


def _heading(rules: Cues, text: str, start: int, sentence: str, language: str) -> Heading:
    """The heading above a mention, unless its sentence speaks of somebody or of now."""
    if rules.find("person", sentence) or rules.find("historical_breaks", sentence):
        return ""
    return heading_of(text, start, language)


def _past(rules: Cues, before: str) -> bool:
    group = "historical_before"
    if not rules.has(group):
        return False
    before = rules.after_last("historical_breaks", before)
    return rules.find(group, before) and rules.find(group, rules.without("not_past", before))


def _absent(rules: Cues, behind: Cues, before: str, after: str) -> bool:
    if behind.find("absent_after", after) and not rules.find("awaited_before", before):
        return True
    if not rules.find("absent_before", before) or behind.find("present_after", after):
        return False
    reached = rules.after_last("denial_breaks", before)
    return reached == before or rules.find("absent_before", reached)


def _is_over(passage: Passage, told: Span) -> bool:
    """Whether what a medicine did, as a sentence tells it, is over: it was long ago, or another
    medicine is asked for and nothing began just now."""
    cues = _cues_of(passage).all
    if cues.find("long_ago", passage.hidden[slice(*told)]):
        return True
    asks = cues.find("wants_another", passage.hidden)
    return asks and not cues.find("began_now", passage.hidden)


@read_once
def _tells_of_somebody(passage: Passage) -> bool:
    """Whether a text has a word for a person anywhere."""
    return _cues_of(passage).all.find("person", passage.hidden)
