"""Comparisons: "aspirin or paracetamol in pregnancy", "difference between a cold and the flu"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from medweave.language.data import rule_in
from medweave.language.folding import lower
from medweave.language.segmentation import stop_names
from medweave.model.question import SUBSTANCES, Form, Mention
from medweave.understanding.question_form_rules import Joins, form_rules
from medweave.understanding.rule_files import FORM_RULES

_CONDITIONS = ("disease", "symptom")
_AT_LEAST = 2
_MAX_BETWEEN = 60
"""Two names further apart than this are not compared."""
COMPARED_DISEASES = frozenset({"symptom", "description", "diagnosis"})
"""Intents that are answered by comparing illnesses."""
_TOLD_APART = COMPARED_DISEASES | {"drug", "treatment"}
"""Who asks what tells illnesses apart wants no medicine for them."""
COMPARED_DRUGS = frozenset({"indication", "contraindication", "description", "drug", "treatment"})
"""Intents that are answered by comparing medicines."""


def find_comparison(text: str, language: str, mentions: tuple[Mention, ...]) -> Form | None:
    """Two or more of a kind that are held against each other; drugs before diseases.

    A list of what the person takes or is allergic to is none.
    """
    rules = form_rules(language)
    kinds = (
        (SUBSTANCES, rules.substances, COMPARED_DRUGS),
        (_CONDITIONS, rules.conditions, COMPARED_DISEASES),
    )
    for concepts, joins, labels in kinds:
        for run in _runs(text, joins, concepts, mentions):
            compared = _compared(text, joins, run, mentions) if joins.drugs else run
            if len(compared) >= _AT_LEAST:
                tells_apart = not joins.drugs and joins.asking.search(text)
                answered = labels | (_TOLD_APART if tells_apart else frozenset())
                return Form("comparison", compared=compared, answered_intents=answered)
    return None


def _compared(
    text: str,
    joins: Joins,
    run: tuple[Mention, ...],
    mentions: tuple[Mention, ...],
) -> tuple[Mention, ...]:
    """The drugs of a run that are compared; none where the run lists what the person takes.

    In "which is safer with warfarin, A or B?" the first is taken. In "can someone on A or B take C"
    nothing is compared: without a word that asks for it, nothing else may be asked about.
    """
    asking = joins.asking.search(text)
    if run[0].role != "asked":
        asked_before = asking and asking.end() <= run[0].start
        cut = asked_before and joins.commas.fullmatch(text[run[0].end : run[1].start])
        return run[1:] if cut else ()
    if any(m.role == "allergy" for m in run):
        return ()
    others = [m for m in mentions if m.concept in SUBSTANCES and m not in run]
    if not asking and any(m.role == "asked" for m in others):
        return ()
    return run


def _runs(
    text: str, joins: Joins, concepts: tuple[str, ...], mentions: tuple[Mention, ...]
) -> Iterator[tuple[Mention, ...]]:
    """Stretches of names that compare at least two different things."""
    run: list[Mention] = []
    waiting = False  # names with only commas between them: "A, B or C" compares all three
    asks, tells = (each.search(text) is not None for each in (joins.asking, joins.telling))
    for mention in mentions:
        if mention.concept not in concepts:
            continue
        beginning = text[: run[0].start] if run else ""
        between = text[run[-1].end : mention.start] if run else ""
        tells_apart = tells and len(run) == 1
        if run and _joined(between, joins, beginning, asks=asks, tells_apart=tells_apart):
            waiting = False
        elif run and joins.commas.fullmatch(between) and (waiting or len(run) == 1):
            waiting = True
        else:
            yield from _settled(run, waiting=waiting)
            run, waiting = [], False
        run.append(mention)
    yield from _settled(run, waiting=waiting)


def _settled(run: list[Mention], *, waiting: bool) -> Iterator[tuple[Mention, ...]]:
    """A stretch with each thing once, if it compares anything."""
    once = tuple({mention.entity: mention for mention in reversed(run)}.values())[::-1]
    if len(once) >= _AT_LEAST and not waiting:
        yield once


def _joined(between: str, joins: Joins, before: str, *, asks: bool, tells_apart: bool) -> bool:
    """Whether what stands between two names compares them.

    "with" does so between the first two only: in "compare A and B with C", C may be what is taken.
    """
    if joins.alone.fullmatch(between):
        return True
    if tells_apart and joins.told_from.fullmatch(between):
        return True
    picks = joins.before and joins.picks and joins.before.search(before)
    if picks and joins.picks and joins.picks.fullmatch(between):
        return True
    return bool(asks and joins.lists.fullmatch(between))


_SHARED = 80
"""Characters before a name in which the first of two that share an end may stand."""
_SHARED_ENDS = ("before_a_shared_end", "first_of_a_shared_end", "shared_end")


def shared_heads(
    text: str, language: str, mentions: tuple[Mention, ...]
) -> Iterator[tuple[int, int, str]]:
    """Names of which the end is said only once ("type 1 vs type 2 diabetes"): their spans, whole.

    >>> diabetes = Mention(10, 25, "type 2 diabetes", "T2D", "type 2 diabetes", "disease")
    >>> list(shared_heads("type 1 vs type 2 diabetes", "en", (diabetes,)))[0]
    (0, 6, 'type 1 diabetes')
    """
    joined, first, end_of = (rule_in(language, rule, *FORM_RULES) for rule in _SHARED_ENDS)
    for mention in mentions:
        beside = lower(text[max(0, mention.start - _SHARED) : mention.start])
        if mention.concept not in _CONDITIONS or not joined.search(beside):
            continue
        before = first.search(beside)
        head = end_of.search(mention.text)
        words = before[1] if before and head else ""
        while before and head and words:
            end = mention.start - len(beside) + before.end(1)
            yield end - len(words), end, words + head.group()
            words = words.partition(" ")[2]


def word_beside(text: str, language: str, mentions: tuple[Mention, ...]) -> tuple[int, int] | None:
    """A word that is compared with the only name known, as in "cold vs flu": its span.

    English only: Chinese does not say where a word ends.
    """
    joins = form_rules(language).conditions
    lowered = lower(text)
    asks, tells = (each.search(lowered) is not None for each in (joins.asking, joins.telling))
    for mention in mentions if language == "en" and len(mentions) == 1 else ():
        if mention.concept not in (*_CONDITIONS, *SUBSTANCES):
            continue
        for match in re.finditer(r"[a-z]+", lowered):
            if match.group() in stop_names():
                continue
            first, second = sorted([match.span(), (mention.start, mention.end)])
            between, before = lowered[first[1] : second[0]], lowered[: first[0]]
            if 0 < second[0] - first[1] <= _MAX_BETWEEN and _joined(
                between, joins, before, asks=asks, tells_apart=tells
            ):
                return match.span()
    return None
