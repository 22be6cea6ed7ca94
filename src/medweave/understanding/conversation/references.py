"""What a question of a letter means that names no medicine: "the tablets", "if I forget one"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from medweave.language.folding import lower
from medweave.language.passage import passage_of
from medweave.language.people_rules import people_rules
from medweave.model.question import BY_HABIT, FINDINGS, SUBSTANCES, Mention, Question
from medweave.understanding.conversation.letter_questions import Piece, letter_rule
from medweave.understanding.conversation.wording import pattern, words

_NAME = "~"
"""Stands for a medicine in a question without its names."""
_PAIR, _MOST = 2, 6
"""More medicines are not meant by a word for all of them."""


def with_medicines_named(
    piece: Piece, lead: Sequence[Piece], whole: Question, understand: Callable[[str], Question]
) -> str:
    """A question in which the medicines are named for which it has a word alone: "these three",
    "my tablets", "may he have it?".

    His or her tablets are those that are taken; what is asked about "the tablets" or "it" is asked
    of what was told of right before it.
    """
    before = [m for m in _before(piece, whole) if m.entity not in BY_HABIT]
    language = whole.language
    text = _put(piece.text, "those_named", _those(piece.text, before, language), language)
    taken = _names(m for m in before if m.role == "taken") or _names(before)
    if not 0 < len(taken) <= _MOST:
        return text
    text = _with_member(text, taken, language, understand)
    found = letter_rule("the_medicines", language).search(lower(text))
    new = _in_question(before, lead) if _may_be_had(text, language) else []
    if found and new and not letter_rule("owned", language).search(found.group()):
        return _put(text, "the_medicines", new, language)
    if not found and new and not understand(text).of_concept(*SUBSTANCES):
        place = pattern("stands_for", language).search(lower(text))
        if place and place.group():
            start, end = place.span(0 if place["thing"] is None else "thing")
            return text[:start] + new[0] + text[end:]
    return _put(text, "the_medicines", taken, language)


def _may_be_had(text: str, language: str) -> bool:
    """Whether a question is whether something may be had, and not what it did, or its end."""
    plain = lower(text)
    other = any(
        letter_rule(rule, language).search(plain) for rule in ("brought_on", "goes_on_with")
    )
    return not other and people_rules(language).weighs.search(plain) is not None


def _in_question(before: Sequence[Mention], lead: Sequence[Piece]) -> list[str]:
    """The medicine in question that was named last before a question: right before it, if any."""
    asked = [m for m in before if m.role == "asked"]
    near = [m for m in asked if lead and m.start >= lead[-1].start]
    return [m.text for m in (near or asked)[-1:]]


def blamed(text: str, language: str, understand: Callable[[str], Question]) -> Question | None:
    """Whether medicines brought on what a question tells, or which of them did: "my ankles swell,
    is that from my tablets?"; None where it does not ask that."""
    brought = letter_rule("brought_on", language).search(lower(text))
    if brought is None:
        return None
    told = [m for m in understand(text).mentions
            if m.concept in FINDINGS and m.end <= brought.start()]  # fmt: skip
    start, end = next(brought.span(n) for n, by in enumerate(brought.groups(), 1) if by)
    by = text[start:end].strip()
    medicines = {e for m in understand(by).of_concept(*SUBSTANCES) for e in m.entities}
    if not (told and medicines):
        return None
    finding, held = told[-1].text, words(language)
    if len(medicines) == 1:
        return understand(held["brings_on"].format(drugs=by, finding=finding))
    which = understand(held["suspects"].format(finding=finding))
    return replace(which, form=replace(which.form, among=tuple(sorted(medicines))))


def _names(mentions: Iterable[Mention]) -> list[str]:
    """Each medicine once, as it is called first."""
    found: dict[str, str] = {}
    for mention in mentions:
        found.setdefault(mention.entity, mention.text)
    return list(found.values())


def _those(text: str, before: Sequence[Mention], language: str) -> list[str]:
    """Which of the medicines that were named are meant: as many as a word says, the last ones;
    else those that are offered, else all."""
    offered, every = _names(m for m in before if m.role == "asked"), _names(before)
    numbers = letter_rule("number", language)
    found = letter_rule("those_named", language).search(lower(text))
    said = numbers.search(found.group()) if found else None
    if said is None:
        return offered if len(offered) > 1 else every
    number = next(n for n, group in enumerate(said.groups(), _PAIR) if group)
    return offered if len(offered) == number else every[-number:]


def _put(text: str, rule: str, names: Sequence[str], language: str) -> str:
    """A question with medicines in the place of a word for all of them."""
    found = letter_rule(rule, language).search(lower(text))
    if found is None or not 0 < len(names) <= _MOST:
        return text
    return text[: found.start()] + words(language)["and"].join(names) + text[found.end() :]


def _with_member(
    text: str, names: Sequence[str], language: str, understand: Callable[[str], Question]
) -> str:
    """A question in which "the statin" is the one that is taken."""
    classes = understand(text).of_concept("drug_class")
    for name in names if classes else ():
        told = words(language)["taking"].format(drug=name, text=text)
        remaining = {m.text for m in understand(told).of_concept("drug_class")}
        for named in classes:
            if named.text not in remaining:
                begins = letter_rule("somebodys", language).search(lower(text[: named.start]))
                start = begins.start() if begins else named.start
                return text[:start] + name + text[named.end :]
    return text


def of_a_medicine(text: str, piece: Piece, lead: Sequence[Piece], whole: Question) -> Iterator[str]:
    """A question that names nothing, as asked of each medicine of which it may be: of what was
    named right before it, then of what is taken."""
    asked, language = text.rstrip(" .?？。"), whole.language
    if letter_rule("of_no_medicine", language).search(lower(asked)):
        return
    near = lead[-1].start if lead else piece.start
    drugs = sorted(_before(piece, whole), key=lambda m: (m.start < near, m.role != "taken"))
    goes_on = letter_rule("goes_on_with", language).search(lower(asked))
    for name in dict.fromkeys(mention.text for mention in drugs):
        if goes_on:
            at = goes_on.end()
            yield f"{asked[:at]} {name}{asked[at:]}?"
        yield words(language)["of"].format(text=asked, name=name)


def taken_together(text: str, named: Sequence[Mention], piece: Piece, whole: Question) -> str:
    """Whether the medicine that a question names goes with the one named before it, or the last
    two do: "can I take the two together?"; "" where it is not asked."""
    if letter_rule("together", whole.language).search(lower(text)) is None:
        return ""
    own = {entity for mention in named for entity in mention.entities}
    others = [m for m in reversed(_before(piece, whole)) if own.isdisjoint(m.entities)]
    both = list({m.text: m for m in (*named, *others)}.values())[:_PAIR]
    if len(own) > 1 or len(both) < _PAIR:
        return ""
    first, second = sorted(both, key=lambda m: m.concept == "drug_class")
    return words(whole.language)["together"].format(drug=first.text, other=second.text)


def beside_the_medicine(text: str, alone: Question, piece: Piece, whole: Question) -> str:
    """A question that names no medicine, but what goes with one, as asked by somebody who takes the
    medicine that was named before: "can I drink on it?", "and grapefruit juice?", "do I stop it for
    a scan with contrast?"; "" for any other, and where it is of none or of several."""
    own = alone.of_concept(*SUBSTANCES)
    goes_with = alone.asked.label == "procedure" or all(m.entity in BY_HABIT for m in own)
    medicines = _names(m for m in _before(piece, whole) if m.entity not in BY_HABIT)
    if not own or not goes_with or len(medicines) != 1:
        return ""
    return words(whole.language)["taking"].format(drug=medicines[0], text=text)


def instead_for(text: str, piece: Piece, alone: Question, whole: Question) -> str:
    """A question for another medicine ("what else could he take?") as one for what the medicine is
    for that was asked about last: the complaint that stands in one sentence with it; "" where none
    does, or where it names something itself."""
    medicine = next((m for m in reversed(_before(piece, whole)) if m.role == "asked"), None)
    asks = pattern("what_else", whole.language).search(lower(text))
    if asks is None or medicine is None or alone.of_concept(*SUBSTANCES, *FINDINGS):
        return ""
    start, end = passage_of(whole.text, whole.language).sentence_at(medicine.start)
    complaints = _names(
        m
        for m in whole.of_concept(*FINDINGS)
        if start <= m.start < end and m.status != "absent" and m.experiencer != "other"
    )
    held = words(whole.language)
    return held["list"].format(names=held["and"].join(complaints)) if complaints else ""


def verdict_asked(
    piece: Piece, lead: Sequence[Piece], whole: Question, understand: Callable[[str], Question]
) -> Question | None:
    """A question that names nothing and asks but for a verdict ("yes or no?", "which then?"), as
    one of each medicine that it is about; None where it asks more, or of none.

    It is about those in question in the sentences right before it, then in the sentence that asks
    before it, then in the whole letter.
    """
    options = in_the_balance(piece, lead, whole)
    names, held = _names(options), words(whole.language)
    if not 0 < len(names) <= _MOST:
        return None
    asked = understand(held["may"].format(drug=held["or"].join(names)))
    chosen = one_is_chosen(piece, options, whole.language)
    candidates = asked.candidates if chosen else frozenset()
    return replace(asked, candidates=candidates, judges=len(names) > 1)


def one_is_chosen(piece: Piece, options: Sequence[Mention], language: str) -> bool:
    """Whether one of several medicines that are offered is to be chosen: of those that are taken,
    and where it is not asked which, each is held against the others."""
    text, _ = _without_names(piece, options, language)
    offered = len(_names(options)) > 1 and all(mention.role == "asked" for mention in options)
    return offered and letter_rule("one_is_chosen", language).search(text) is not None


def in_the_balance(piece: Piece, lead: Sequence[Piece], whole: Question) -> list[Mention]:
    """The medicines that a question of small words is about; none where it has other words. Names
    are no words of it, nor a part of a name that is told before ("the wort?")."""
    language = whole.language
    every = [m for m in whole.of_concept(*SUBSTANCES) if _may_be_meant(m)]
    text, own = _without_names(piece, every, language)
    if letter_rule("small_words", language).search(text) is None:
        return []
    near = lead[0].start if lead else piece.start
    beside = letter_rule("beside_what_is_taken", language).search(text)
    if own and beside and all(mention.role == "taken" for mention in own):
        before = [m for m in every if m.start < piece.start and m.role == "asked"]
        if offered := _offered(before, near, several=is_of_several(piece, language)):
            return offered
    if own:
        return [] if letter_rule("beside_another", language).search(text) else own
    return _not_named(every, near, text, piece, whole)


def _not_named(
    every: list[Mention], near: int, text: str, piece: Piece, whole: Question
) -> list[Mention]:
    """The medicines that a question of small words is about and names none of, `every` of those
    that a letter names; `near` is where the sentences right before it begin."""
    language = whole.language
    if form := letter_rule("form_of_medicine", language).search(text):
        behind = [m for m in every if lower(whole.text[m.end :]).lstrip().startswith(form.group())]
        return behind[-1:]
    told = [m for m in every if near <= m.start < piece.start]
    several = is_of_several(piece, language)
    if told and (not several or len({m.entity for m in told}) > 1):
        return [m for m in told if m.role == "asked"] or told
    earlier = [m for m in every if m.start < near] or every
    options = [m for m in earlier if m.role == "asked"]
    if several:
        return options or earlier
    complaint = any(near <= m.start < piece.start for m in whole.of_concept(*FINDINGS))
    return [] if complaint else options[-1:]


def _offered(before: list[Mention], near: int, *, several: bool) -> list[Mention]:
    """What was offered before a question that names but what is taken: "is that ok with lithium?",
    "are these?"; `near` is where the sentences right before it begin."""
    right_before = [mention for mention in before if near <= mention.start]
    if several:
        return right_before if len(_names(right_before)) > 1 else before
    return (right_before or before)[-1:]


def is_of_several(piece: Piece, language: str) -> bool:
    """Whether a question has a word for more than one medicine: "which then?"."""
    return letter_rule("of_several_options", language).search(lower(piece.text)) is not None


def _without_names(
    piece: Piece, every: Sequence[Mention], language: str
) -> tuple[str, list[Mention]]:
    """The words of a question without its medicines, in small letters, and these."""
    text = lower(piece.text)
    own: list[Mention] = []
    for mention in every:
        if piece.start <= mention.start < piece.end:
            text = text.replace(lower(mention.text), _NAME)
            own.append(mention)
        elif mention.start < piece.start:
            for word in set(re.findall(r"[a-z]{4,}", lower(mention.text))):
                shorter = re.sub(rf"\bthe {word}\b", _NAME, text)
                own += [mention] if shorter != text else []
                text = shorter
    return letter_rule("any_form", language).sub(_NAME, text), own


def _may_be_meant(mention: Mention) -> bool:
    """Whether somebody may take a medicine, or took it once, and nothing says that they do not."""
    own = mention.entity not in BY_HABIT and mention.experiencer != "other"
    return own and mention.role not in ("allergy", "denied")


def asks_which(text: str, language: str) -> bool:
    """Whether a question wants a list: "what can she take?"."""
    return letter_rule("which", language).search(lower(text)) is not None


def _before(piece: Piece, whole: Question) -> list[Mention]:
    """The medicines of the patient that a letter names before a question."""
    return [
        m
        for m in whole.of_concept(*SUBSTANCES)
        if m.start < piece.start and m.status != "absent" and m.experiencer != "other"
    ]
