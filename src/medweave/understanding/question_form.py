"""How something is asked: a comparison, a yes/no question, or for what else there is.

The rules are data files, one a language (`rules/forms.*.yaml`). What is asked for is another matter
(`intents.py`); a question has one form and any number of intents.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from medweave.language.folding import lower
from medweave.language.segmentation import SENTENCE_END
from medweave.model.question import NOT_NOW, SUBSTANCES, Form, Intent, Mention
from medweave.understanding.comparisons import find_comparison
from medweave.understanding.question_form_rules import ClaimRule, FormRules, form_rules

_MAX_TEXT = 1500
"""Forms are looked for in this many characters at the end of a text."""
_MAX_BEFORE = 80
_MAX_SENTENCE = 300
"""Longer sentences are stories: no form is looked for in them."""
_COMMA = re.compile(r"[,，]\s*")
_MAX_UNNAMED = 40
"""Longer stretches are no name."""
_RULE_SCORE = 0.9
_OF_ILLNESSES = frozenset({"symptom", "cause", "complication", "outlook"})
"""What only an illness has that is named."""
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
    "contagion": frozenset(
        {"outlook", "cause", "prevention", "symptom", "diagnosis", "complication"}
    ),
    "heredity": frozenset({"outlook", "cause", "symptom", "diagnosis"}),
}
"""Which intents a checked claim answers: the list they would give is not asked for."""
_INTENTS = {
    "risk": "cause",
    "use": "indication",
    "prevent": "prevention",
    "class": "description",
    "kind": "description",
    "same": "description",
}
"""The intent of a relation, where it is called otherwise."""


def find_form(text: str, language: str, mentions: tuple[Mention, ...]) -> Form:
    """The form of a question; `plain` where none of the rules fits.

    >>> find_form("What are the symptoms of a cold?", "en", ()).kind
    'plain'
    """
    lowered = _end_of(lower(text))
    rules = form_rules(language)
    mentions = tuple(m for m in mentions if m.start >= len(text) - _MAX_TEXT)
    left_out = _left_out(lowered, language, mentions)
    named = tuple(m for m in mentions if m not in left_out)
    compared, claimed = find_comparison(lowered, language, named), _claimed(lowered, rules, named)
    if left_out and compared is None:  # "how do I see that it is A rather than B?"
        apart = find_comparison(lowered, language, mentions)
        if apart is not None and not apart.compares_drugs:
            return apart
    form = compared or claimed
    if claimed and not claimed.unnamed and not rules.substances.asking.search(lowered):
        form = claimed if compared is None or compared.compares_drugs else compared
    if form is not None:
        return replace(form, left_out=left_out)
    beyond = bool(left_out) or rules.something_else.search(lowered)
    return Form("what_else", left_out=left_out) if beyond else Form()


ANY_RELATION = "associate"
"""Whether two things have to do with each other, however."""


def with_form(
    intents: tuple[Intent, ...], form: Form, mentions: tuple[Mention, ...]
) -> tuple[Intent, ...]:
    """Intents that know of the form: who asks whether there is any test asks for tests.

    What is only guessed gives way to a claim that can be checked. "What else?" of nothing but what
    is left out asks nothing that could be guessed.
    """
    intents = _of_what_is_taken(intents, mentions)
    if form.kind == "comparison" and not form.compares_drugs:  # which it is hangs on the two
        return tuple(i for i in intents if i.sure or i.label != "diagnosis")
    if form.kind == "what_else":
        beyond = [m for m in mentions if m not in form.left_out]
        sure = any(i.sure and i.label not in _OF_ILLNESSES for i in intents)
        return intents if beyond or sure else ()
    if form.relation == ANY_RELATION:
        return ()  # what relates the two is all that is asked
    if form.kind != "yes_no" or form.words or (form.unnamed and not form.exists):
        return intents
    guessed = _COVERED.get(form.relation, frozenset()) | _GUESSES
    retained = tuple(i for i in intents if i.sure or i.label not in guessed)
    asked = _INTENTS.get(form.relation, form.relation)
    labels = {asked} if form.exists else guessed | {asked}
    if any(intent.label in labels for intent in retained):
        return retained
    return (Intent(asked, _RULE_SCORE), *retained)


def _of_what_is_taken(
    intents: tuple[Intent, ...], mentions: tuple[Mention, ...]
) -> tuple[Intent, ...]:
    """Two drugs of which one is not taken do not meet: the other is asked about alone."""
    roles = [mention.role for mention in mentions if mention.concept in SUBSTANCES]
    now = [role for role in roles if role not in NOT_NOW]
    if len(now) != 1 or len(now) == len(roles):
        return intents
    of_one = {"interaction": "contraindication"}
    return tuple(replace(each, label=of_one.get(each.label, each.label)) for each in intents)


def _end_of(text: str) -> str:
    """The text with all but its end blanked: the beginning of a long story is no question."""
    return " " * max(0, len(text) - _MAX_TEXT) + text[-_MAX_TEXT:]


# What else


def _left_out(text: str, language: str, mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
    """What is named only to say that something else is wanted.

    Where nothing stands behind a word for it, "what else" means: else than what the person takes,
    and than the symptoms the person has; beside a medicine that is in question, else than that one:
    "they offered me naproxen. I'm on lithium. What else could I have?".
    """
    rules = form_rules(language)
    found: list[Mention] = []
    for mention in mentions:
        if _is_left_out(text, rules, mention) or _goes_on(text, rules, mention, found):
            found.append(mention)
    if not found and rules.something_else.search(text):
        is_offered = any(m.concept == "drug" and m.role == "asked" for m in mentions)
        return tuple(
            m
            for m in mentions
            if (m.concept == "symptom" and m.status == "present" and m.experiencer == "patient")
            or (m.concept in SUBSTANCES and m.role == "taken" and not is_offered)
        )
    return tuple(found)


def _is_left_out(text: str, rules: FormRules, mention: Mention) -> bool:
    before = text[max(0, mention.start - _MAX_BEFORE) : mention.start]
    after = text[mention.end : mention.end + _MAX_BEFORE]
    if any(m.end() == len(before) for m in rules.leave_out_before.finditer(before)):
        return True
    return rules.leave_out_after is not None and bool(rules.leave_out_after.search(after))


def _goes_on(text: str, rules: FormRules, mention: Mention, found: list[Mention]) -> bool:
    """Whether a name goes on a list of what is left out ("besides fever and cough")."""
    if not found or found[-1].concept != mention.concept:
        return False
    return bool(rules.leave_out_joins.fullmatch(text[found[-1].end : mention.start]))


# Yes/no questions


def _claimed(text: str, rules: FormRules, mentions: tuple[Mention, ...]) -> Form | None:
    """The first claim both of whose ends are known; else the first with one known end."""
    partial: Form | None = None
    claims = rules.claims.of(text)
    for start, sentence in _clauses(text, rules) if claims else ():
        for claim, pattern in claims:
            match = pattern.compiled.match(sentence)
            form = _claim_form(match, start, claim, rules, mentions) if match else None
            if form is not None and not form.unnamed:
                return form
            partial = partial or form
    return partial


def _clauses(text: str, rules: FormRules) -> Iterator[tuple[int, str]]:
    """Sentences and what follows a comma in them, with their places; openings are cut off."""
    ends = [0, *(place for end in SENTENCE_END.finditer(text) for place in end.span()), len(text)]
    for first, last in zip(ends[::2], ends[1::2], strict=True):
        if last - first > _MAX_SENTENCE:
            continue
        for start in [first, *(m.end() for m in _COMMA.finditer(text, first, last))]:
            clause = text[start:last]
            opening = rules.opening.match(clause)
            skipped = opening.end() if opening else len(clause) - len(clause.lstrip())
            yield start + skipped, clause[skipped:].rstrip()


def _claim_form(
    match: re.Match[str],
    offset: int,
    claim: ClaimRule,
    rules: FormRules,
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
            wording = match[group].strip()
            if claim.both or inside or rules.pronouns.match(wording) or len(wording) > _MAX_UNNAMED:
                return None
            unnamed.append(rules.trailing.sub("", wording))
    if not (ends["a"] or ends["b"]):
        return None
    return _form_of(claim, ends["a"], ends["b"], tuple(unnamed))


def contagion_of(illnesses: tuple[Mention, ...], language: str) -> Form:
    """The form of asking whether illnesses are catching."""
    return _form_of(form_rules(language).contagion, (), illnesses)


def _form_of(
    claim: ClaimRule,
    first: tuple[Mention, ...],
    second: tuple[Mention, ...],
    unnamed: tuple[str, ...] = (),
) -> Form:
    known = _COVERED.get(claim.relation, frozenset())
    labels = frozenset() if claim.exists and not claim.words else known | _GUESSES
    return Form(
        "yes_no",
        relation=claim.relation,
        first=first,
        second=second,
        exists=claim.exists,
        words=claim.words,
        unnamed=unnamed,
        answered_intents=labels,
    )
