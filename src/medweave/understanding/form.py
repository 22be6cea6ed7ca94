"""How something is asked: a comparison, a yes/no question, or for what else there is.

The rules are data files, one a language (`rules/forms.*.yaml`). What is asked for is another matter
(`intents.py`); a question has one form and any number of intents.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from medweave.language.data import shipped_yaml
from medweave.language.segmentation import stop_names
from medweave.model.question import SUBSTANCES, Form, Intent, Mention
from medweave.understanding.patient import patient_rules, substance_role

_LANGUAGES = ("en", "zh")
_CONDITIONS = ("disease", "symptom")
_MAX_SENTENCE = 300
"""Longer sentences are stories: no form is looked for in them."""
_MAX_UNNAMED = 40
"""Longer stretches are no name."""
_AT_LEAST = 2
_RULE_SCORE = 0.9
_COMPARED_DISEASES = frozenset({"symptom", "description", "diagnosis"})
_COMPARED_DRUGS = frozenset({"indication", "contraindication", "description", "drug", "treatment"})
_GUESSES = frozenset({"description", "indication"})
_COVERED = {
    "symptom": frozenset({"symptom", "diagnosis"}),
    "cause": frozenset({"symptom", "cause", "complication", "side_effect", "diagnosis", "outlook"}),
    "risk": frozenset({"cause", "symptom"}),
    "complication": frozenset({"complication", "symptom"}),
    "side_effect": frozenset({"side_effect", "symptom", "diagnosis"}),
    "use": frozenset({"treatment", "drug", "indication", "prevention"}),
    "prevent": frozenset({"prevention", "indication", "treatment", "drug"}),
    "test": frozenset({"test", "symptom", "indication"}),
    "class": frozenset({"description", "indication"}),
    "kind": frozenset({"description", "symptom"}),
    "vaccine": frozenset({"prevention", "indication", "drug"}),
}
"""Which intents a checked claim answers: the list they would give is not asked for."""
_INTENTS = {
    "risk": "cause",
    "use": "indication",
    "prevent": "prevention",
    "class": "description",
    "kind": "description",
}
"""The intent of a relation, where it is called otherwise."""


@dataclass(frozen=True, slots=True)
class _Claim:
    """One rule for yes/no questions."""

    relation: str
    first: frozenset[str]
    second: frozenset[str]
    exists: bool
    both: bool
    """Whether it is a claim only where both ends are known."""
    words: tuple[str, ...]
    patterns: tuple[re.Pattern[str], ...]


@dataclass(frozen=True)
class _Joins:
    """How names of one kind are joined where they are compared."""

    drugs: bool
    alone: re.Pattern[str]
    commas: re.Pattern[str]
    lists: re.Pattern[str]
    told_from: re.Pattern[str]
    telling: re.Pattern[str]
    asking: re.Pattern[str]
    before: re.Pattern[str] | None


@dataclass(frozen=True)
class _Rules:
    """The compiled rules of one language."""

    substances: _Joins
    conditions: _Joins
    leave_out_before: re.Pattern[str]
    leave_out_after: re.Pattern[str] | None
    leave_out_joins: re.Pattern[str]
    something_else: re.Pattern[str]
    claims: tuple[_Claim, ...]
    opening: re.Pattern[str]
    pronouns: re.Pattern[str]
    trailing: re.Pattern[str]


@cache
def _form_rules(language: str) -> _Rules:
    """The rules that ship for a language; English where there are none for it."""
    name = language if language in _LANGUAGES else "en"
    content = shipped_yaml("understanding", "rules", f"forms.{name}.yaml")
    comparison, beyond = content["comparison"], content["what_else"]
    return _Rules(
        substances=_joins(comparison["substances"], comparison["article"], drugs=True),
        conditions=_joins(comparison["conditions"], comparison["article"], drugs=False),
        leave_out_before=_any_of(beyond["before"]),
        leave_out_after=_any_of(beyond["after"]) if beyond["after"] else None,
        leave_out_joins=_any_of(beyond["joins"]),
        something_else=_any_of(beyond["else"]),
        claims=tuple(
            _Claim(
                entry["relation"],
                frozenset(entry.get("first", ())),
                frozenset(entry["second"]),
                entry.get("exists", False),
                entry.get("both", False),
                tuple(entry.get("words", ())),
                tuple(re.compile(pattern) for pattern in entry["patterns"]),
            )
            for entry in content["claims"]
        ),
        opening=re.compile(content["opening"]),
        pronouns=re.compile(content["pronouns"]),
        trailing=re.compile(content["trailing"]),
    )


def _any_of(patterns: list[str], then: str = "") -> re.Pattern[str]:
    return re.compile("(?:" + "|".join(patterns) + ")" + then)


def _joins(entry: dict[str, list[str]], article: str, *, drugs: bool) -> _Joins:
    return _Joins(
        drugs=drugs,
        alone=_any_of(entry["joins"], article),
        commas=_any_of(entry["commas"], article),
        lists=_any_of([*entry["joins"], *entry["commas"], *entry["lists"]], article),
        told_from=_any_of(entry["told_from"], article),
        telling=_any_of(entry["telling"]),
        asking=_any_of(entry["asking"]),
        before=_any_of(entry["before"]) if entry["before"] else None,
    )


def find_form(text: str, language: str, mentions: tuple[Mention, ...]) -> Form:
    """The form of a question; `plain` where none of the rules fits.

    >>> find_form("What are the symptoms of a cold?", "en", ()).kind
    'plain'
    """
    lowered = _lowered(text)
    rules = _form_rules(language)
    left_out = _left_out(lowered, language, mentions)
    named = tuple(m for m in mentions if m not in left_out)
    compared, claimed = _comparison(lowered, language, named), _claimed(lowered, rules, named)
    form = compared or claimed
    if claimed and not claimed.unnamed and not rules.substances.asking.search(lowered):
        form = claimed if compared is None or compared.compares_drugs else compared
    if form is not None:
        return replace(form, left_out=left_out)
    beyond = bool(left_out) or rules.something_else.search(lowered)
    return Form("what_else", left_out=left_out) if beyond else Form()


def with_form(
    intents: tuple[Intent, ...], form: Form, mentions: tuple[Mention, ...]
) -> tuple[Intent, ...]:
    """Intents that know of the form: who asks whether there is any test asks for tests.

    What is only guessed gives way to a claim that can be checked. "What else?" of nothing but what
    is left out asks nothing that could be guessed.
    """
    if form.kind == "what_else":
        beyond = [m for m in mentions if m not in form.left_out]
        return intents if beyond or any(i.sure for i in intents) else ()
    if form.kind != "yes_no" or form.words or (form.unnamed and not form.exists):
        return intents
    guessed = _COVERED.get(form.relation, frozenset()) | _GUESSES
    kept = tuple(i for i in intents if i.sure or i.label not in guessed)
    asked = _INTENTS.get(form.relation, form.relation)
    told = {asked} if form.exists else guessed | {asked}
    if any(intent.label in told for intent in kept):
        return kept
    return (Intent(asked, _RULE_SCORE), *kept)


def _lowered(text: str) -> str:
    lowered = text.lower().replace("’", "'")
    return lowered if len(lowered) == len(text) else text


# Comparisons


def _comparison(text: str, language: str, mentions: tuple[Mention, ...]) -> Form | None:
    """Two or more of a kind that are held against each other; drugs before diseases.

    A list of what the person takes or is allergic to is none.
    """
    rules = _form_rules(language)
    kinds = (
        (SUBSTANCES, rules.substances, _COMPARED_DRUGS),
        (_CONDITIONS, rules.conditions, _COMPARED_DISEASES),
    )
    for concepts, joins, covers in kinds:
        for run in _runs(text, joins, concepts, mentions):
            compared = _asked(text, language, joins, run, mentions) if joins.drugs else run
            if len(compared) >= _AT_LEAST:
                return Form("comparison", compared=compared, covers=covers)
    return None


def _asked(
    text: str,
    language: str,
    joins: _Joins,
    run: tuple[Mention, ...],
    mentions: tuple[Mention, ...],
) -> tuple[Mention, ...]:
    """The drugs of a run that are compared; none where the run lists what the person takes.

    In "which is safer with warfarin, A or B?" the first is taken. In "can someone on A or B take C"
    nothing is compared: without a word that asks for it, nothing else may be asked about.
    """
    asking = joins.asking.search(text)
    if _role(text, language, run[0], mentions) != "asked":
        told = asking and asking.end() <= run[0].start
        cut = told and joins.commas.fullmatch(text[run[0].end : run[1].start])
        return run[1:] if cut else ()
    if any(_role(text, language, m, mentions) == "allergy" for m in run):
        return ()
    others = [m for m in mentions if m.concept in SUBSTANCES and m not in run]
    if not asking and any(_role(text, language, m, mentions) == "asked" for m in others):
        return ()
    return run


def _runs(
    text: str, joins: _Joins, concepts: tuple[str, ...], mentions: tuple[Mention, ...]
) -> Iterator[tuple[Mention, ...]]:
    """Stretches of names that compare at least two different things."""
    run: list[Mention] = []
    waiting = False  # names with only commas between them: "A, B or C" compares all three
    for mention in mentions:
        if mention.concept not in concepts:
            continue
        beginning = text[: run[0].start] if run else ""
        between = text[run[-1].end : mention.start] if run else ""
        if run and _joined(between, joins, text, beginning, first=len(run) == 1):
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


def _joined(between: str, joins: _Joins, text: str, before: str, *, first: bool) -> bool:
    """Whether what stands between two names compares them.

    "with" does so between the first two only: in "compare A and B with C", C may be what is taken.
    """
    if joins.alone.fullmatch(between):
        return True
    if first and joins.telling.search(text) and joins.told_from.fullmatch(between):
        return True
    asked = joins.asking.search(text) or (joins.before and joins.before.search(before))
    return bool(asked and joins.lists.fullmatch(between))


def _role(text: str, language: str, mention: Mention, mentions: tuple[Mention, ...]) -> str:
    """What a substance is to the person; "with asthma, ibuprofen" is no list of what is taken."""
    for other in mentions:
        if other.concept not in SUBSTANCES:
            blank = "~" * (other.end - other.start)
            text = text[: other.start] + blank + text[other.end :]
    substances = tuple(m for m in mentions if m.concept in SUBSTANCES)
    return substance_role(text, patient_rules(language), mention, substances)


def word_beside(text: str, language: str, mentions: tuple[Mention, ...]) -> tuple[int, int] | None:
    """A word that is compared with the only name known, as in "cold vs flu": its span.

    English only: Chinese does not say where a word ends.
    """
    joins = _form_rules(language).conditions
    lowered = _lowered(text)
    for mention in mentions if language == "en" and len(mentions) == 1 else ():
        if mention.concept not in (*_CONDITIONS, *SUBSTANCES):
            continue
        for match in re.finditer(r"[a-z]+", lowered):
            if match.group() in stop_names():
                continue
            first, second = sorted([match.span(), (mention.start, mention.end)])
            between, before = lowered[first[1] : second[0]], lowered[: first[0]]
            if first[1] < second[0] and _joined(between, joins, lowered, before, first=True):
                return match.span()
    return None


# What else


def _left_out(text: str, language: str, mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
    """What is named only to say that something else is wanted.

    Where nothing stands behind a word for it, "what else" means: else than what the person takes,
    and than the symptoms the person has.
    """
    rules = _form_rules(language)
    found: list[Mention] = []
    for mention in mentions:
        if _is_left_out(text, rules, mention) or _goes_on(text, rules, mention, found):
            found.append(mention)
    if not found and rules.something_else.search(text):
        return tuple(
            m
            for m in mentions
            if (m.concept == "symptom" and m.status == "present" and m.experiencer == "patient")
            or (m.concept in SUBSTANCES and _role(text, language, m, mentions) == "current")
        )
    return tuple(found)


def _is_left_out(text: str, rules: _Rules, mention: Mention) -> bool:
    before, after = text[: mention.start], text[mention.end :]
    if any(m.end() == len(before) for m in rules.leave_out_before.finditer(before)):
        return True
    return rules.leave_out_after is not None and bool(rules.leave_out_after.search(after))


def _goes_on(text: str, rules: _Rules, mention: Mention, found: list[Mention]) -> bool:
    """Whether a name goes on a list of what is left out ("besides fever and cough")."""
    if not found or found[-1].concept != mention.concept:
        return False
    return bool(rules.leave_out_joins.fullmatch(text[found[-1].end : mention.start]))


# Yes/no questions


def _claimed(text: str, rules: _Rules, mentions: tuple[Mention, ...]) -> Form | None:
    """The first claim both of whose ends are known; else the first with one known end."""
    partial: Form | None = None
    for start, sentence in _clauses(text, rules):
        for claim in rules.claims:
            for pattern in claim.patterns:
                match = pattern.match(sentence)
                form = _claim_form(match, start, claim, rules, mentions) if match else None
                if form is not None and not form.unnamed:
                    return form
                partial = partial or form
    return partial


def _clauses(text: str, rules: _Rules) -> Iterator[tuple[int, str]]:
    """Sentences and what follows a comma in them, with their places; openings are cut off."""
    for found in re.finditer(r"[^.?!;。？！；\n]+", text):
        if len(found.group()) > _MAX_SENTENCE:
            continue
        starts = [0, *(m.end() for m in re.finditer(r"[,，]\s*", found.group()))]
        for start in starts:
            clause = found.group()[start:]
            opening = rules.opening.match(clause)
            skipped = opening.end() if opening else len(clause) - len(clause.lstrip())
            yield found.start() + start + skipped, clause[skipped:].rstrip()


def _claim_form(
    match: re.Match[str],
    offset: int,
    claim: _Claim,
    rules: _Rules,
    mentions: tuple[Mention, ...],
) -> Form | None:
    """The claim a match makes, where at least one of its ends is a thing that can have it."""
    ends: dict[str, tuple[Mention, ...]] = {"a": ()}
    unnamed: list[str] = []
    for group, concepts in (("a", claim.first), ("b", claim.second)):
        if group not in match.re.groupindex:
            continue
        start, end = (offset + place for place in match.span(group))
        inside = [m for m in mentions if start <= m.start and m.end <= end]
        ends[group] = tuple(m for m in inside if m.concept in concepts)
        if not ends[group]:
            said = match[group].strip()
            if claim.both or inside or rules.pronouns.match(said) or len(said) > _MAX_UNNAMED:
                return None
            unnamed.append(rules.trailing.sub("", said))
    if not (ends["a"] or ends["b"]):
        return None
    known = _COVERED.get(claim.relation, frozenset())
    covers = frozenset() if claim.exists and not claim.words else known | _GUESSES
    return Form(
        "yes_no",
        relation=claim.relation,
        first=ends["a"],
        second=ends["b"],
        exists=claim.exists,
        words=claim.words,
        unnamed=tuple(unnamed),
        covers=covers,
    )
