"""What a question of a conversation says in full: "and ibuprofen?" after "is paracetamol ok?".

A question in its context is rewritten so that it can be read alone (Elgohary et al., "Can you
unpack that?", EMNLP 2019), here by rules: what stands for a thing is named, a question that goes on
is joined to the one before, and who wants something, and says not for what, wants it for what they
told.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from medweave.language.folding import blotted, lower
from medweave.language.passage import passage_of
from medweave.language.people_asked import QUESTION_MARKS
from medweave.model.question import ALLERGY, FINDINGS, IMPLIED, SUBSTANCES, Mention, Question
from medweave.understanding.conversation.wording import (
    asking,
    asks_in_words,
    pattern,
    says,
    words,
)
from medweave.understanding.intents.find import about
from medweave.understanding.told_and_asked import in_one_sentence

_THINGS = (*SUBSTANCES, *FINDINGS)
_BESIDE_NAMES = 1
"""A text with no more words than this beside names goes on with what was asked before."""
_WORD = re.compile(r"[^\W\d_\u4e00-\u9fff]+|[\u4e00-\u9fff]")
_ENDS = " ?？.。!！"
_NAME = "~"
"""Stands for each character of a name in a rule."""
_MOST_TOPICS = 2
"""So many things of one question may be what the next one speaks of."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What a question may say in full, and what of the question before it no longer holds."""

    text: str
    replaces: str = ""
    """The entity in whose place another is named."""
    names: str = ""
    """What was spoken of before, where a word of this turn stands for it."""
    gives_up: str = ""
    """The entity that is taken no longer as far as this question supposes."""


def completions(
    question: Question, last: Question | None, earlier: Sequence[Question], own: Sequence[Question]
) -> Iterator[Completion]:
    """What a question may say in full, the likeliest first; `last` is the last that asked, and
    `own` are those of `earlier` that are of the same person."""
    named, text = things(question), lower(question.text)
    yield from _instead(question, named, last, own)
    if last is not None:
        yield from _put_in_its_place(question, named, last, own)
    if named and says("compares", question):
        family = SUBSTANCES if named[0].concept in SUBSTANCES else FINDINGS
        yield from (Completion(f"{name} {question.text}") for name in _topics(earlier, family))
    yield from _taken_together(question, earlier)
    if asks_in_words(question):
        yield from _with_names(question, text, earlier)
    if last is not None:
        if more := _more(text, question.language):
            yield from _gone_on(question, named, more, last)
        elif named and is_bare(question):
            yield from _gone_on(question, named, (named[0].start, named[-1].end), last)
    if not any(map(_reported, named)):
        yield from _with_names(question, text, earlier)
    of_food = "diet" in question.worded and _complaints(own, of=("disease",))  # of no pain
    complaints = of_food or _complaints(own) or list(_topics(own, FINDINGS))
    if says("says_for_what", question):
        complaints = [name for name in complaints if set(name.lower().split()) & set(text.split())]
    if complaints and says("would_do", question) and _asks_of_substances(named):
        asked, held = question.text.rstrip(_ENDS), words(question.language)
        yield Completion(held["for"].format(text=asked, names=held["and"].join(complaints)))
    of_a_class = bool(named) and all(m.concept == "drug_class" for m in named)
    if says("may_have", question) or says("avoids", question):
        of_a_class = False  # "which painkillers are safe", or must be avoided: for whatever
    if (
        complaints
        and (not named or of_a_class)
        and pattern("needs", question.language).search(text)
    ):
        asked, held = question.text.rstrip(_ENDS), words(question.language)
        yield Completion(held["for"].format(text=asked, names=held["and"].join(complaints)))
    if not named and asks_in_words(question):
        yield from _of_what_was_named(question, earlier, own)
    yield from _of_an_amount(question, named, own)


def _instead(
    question: Question, named: Sequence[Mention], last: Question | None, own: Sequence[Question]
) -> Iterator[Completion]:
    """What a turn puts in the place of another medicine: the last question with it, where it asks
    of a third ("what if it were valproate instead of the lithium?"), or else whether it may be
    taken."""
    place = pattern("instead_of", question.language).search(lower(question.text))
    substances = [m for m in named if m.concept in SUBSTANCES]
    if place is None:
        return
    for new in [m for m in substances if not place.start("old") <= m.start < place.end("old")][:1]:
        old = next((m.entity for m in substances if m.start >= place.start("old")), "")
        may = words(question.language)["may"].format(drug=new.text).rstrip(_ENDS)
        with_it = {m.entity for m in substances if m.start > place.end("old")}
        asked = {m.entity for m in last.mentions if _asks_of_another(m, new, old)} if last else ()
        if last is not None and asked and with_it <= {*asked}:
            yield from _of_what_is_taken(new, last, own, of=old)
        if with_it:  # "…, with allopurinol"
            yield Completion(f"{may} {question.text[place.start() :]}", old, gives_up=old)
        yield Completion(f"{may}?", old, gives_up=old)


def _asks_of_another(mention: Mention, new: Mention, old: str) -> bool:
    """Whether a medicine is asked about that is neither the new one nor the old one."""
    asked = mention.concept in SUBSTANCES and mention.role == "asked"
    return asked and mention.entity not in (new.entity, old)


def _put_in_its_place(
    question: Question, named: Sequence[Mention], last: Question, own: Sequence[Question]
) -> Iterator[Completion]:
    """The last question with another medicine in place of the one it asks about ("what if it was
    azithromycin instead?"), or of the one that is taken ("what if he was on apixaban?")."""
    if len(named) != 1 or named[0].concept not in SUBSTANCES:
        return
    new = named[0]
    text = blotted(lower(question.text), [(new.start, new.end)], _NAME)
    found = pattern("in_its_place", question.language).match(text)
    if found is None:
        return
    if found["taken"] is None:
        for old in _slots(new, "", last)[:1]:
            yield Completion(_with_another(last.text, old, new), old.entity)
        return
    yield from _of_what_is_taken(new, last, own)


def _of_what_is_taken(
    new: Mention, last: Question, own: Sequence[Question], *, of: str = ""
) -> Iterator[Completion]:
    """The last question, of who takes another medicine in place of the one they take (`of`, where
    that is named)."""
    turns = (last, *reversed(own))
    taken = [m for turn in turns for m in turn.mentions if m.role == "taken"]
    for old in [m for m in taken if of in ("", m.entity)][:1]:
        if old in last.mentions:
            yield Completion(_with_another(last.text, old, new), gives_up=old.entity)
        else:
            form = words(last.language)["taken_now"]
            yield Completion(form.format(drug=new.text, text=last.text), gives_up=old.entity)


def _with_another(text: str, old: Mention, new: Mention) -> str:
    return text[: old.start] + new.text + text[old.end :]


def _asks_of_substances(named: Sequence[Mention]) -> bool:
    """Whether a question names what is taken, and nothing that it would be for."""
    return bool(named) and all(mention.concept in SUBSTANCES for mention in named)


def _of_what_was_named(
    question: Question, earlier: Sequence[Question], own: Sequence[Question]
) -> Iterator[Completion]:
    """A question for a property that names nothing which has it, of what was last named: "which
    side effects should I know?" of the drug, "what are the signs?" of the illness."""
    family = _family(question)
    asked, held = question.text.rstrip(_ENDS), words(question.language)
    if family == SUBSTANCES:
        for name in _topics(earlier, SUBSTANCES):
            yield Completion(held["of"].format(text=asked, name=name))
    elif family == FINDINGS:
        names = _complaints(own, of=("disease",)) or list(_topics(earlier, ("disease",)))
        if names:
            yield Completion(held["for"].format(text=asked, names=held["and"].join(names)))


def _taken_together(question: Question, earlier: Sequence[Question]) -> Iterator[Completion]:
    """Whether the medicine last spoken of goes with the one that a turn names: "and together with
    spironolactone?" joins it, and "can I take ibuprofen with it?", "do they go together?" ask in
    words of their own, in which its name is put."""
    own = [m for m in things(question) if m.concept in SUBSTANCES and m.link.how != IMPLIED]
    if len({m.entity for m in own}) != 1:
        return
    text = blotted(lower(question.text), [(m.start, m.end) for m in own], _NAME)
    names = {lower(m.text) for m in own} | {lower(m.name) for m in own}
    other = next((n for n in _topics(earlier, SUBSTANCES) if lower(n) not in names), "")
    if not other:
        return
    held = words(question.language)
    if pattern("joined", question.language).fullmatch(text):
        yield Completion(held["together"].format(drug=other, other=own[0].text))
    if place := pattern("with_it", question.language).search(text):
        start, end = place.span("it" if place["it"] else "both")
        form = "{name}" if place["it"] else held["together_with"]
        form = f" {form}" if start == end else form
        text = question.text[:start] + form.format(name=other) + question.text[end:]
        yield Completion(text, names=other)


def list_for(question: Question, earlier: Sequence[Question], *, of_class: str = "") -> str:
    """A question for drugs, or for those of a class, for what was last spoken of; where that was no
    condition, what the drug is for that was: for which of it another is wanted, is not said."""
    names = _conditions(question) or _complaints(earlier)
    held = words(question.language)
    form = held["list_of"] if of_class else held["list"]
    drug = next(_topics((question,), ("drug",)), "")
    if drug and not (names or of_class):
        return held["for_what"].format(drug=drug)
    return form.format(names=held["and"].join(names), kind=of_class) if names else ""


def listed_and_harmed(question: Question, last: Question) -> str:
    """Which of the drugs for what the last question names must not be taken with what this one
    names: "which of them are contraindicated in pregnancy?"; "" where it asks something else. Read
    as what is told of somebody, it would list those that may be taken."""
    question = in_one_sentence(question)
    found = pattern("which_are_harmed", question.language).match(lower(question.text))
    names = _conditions(last)
    if found is None or not (names and question.mentions) or last.of_concept(*SUBSTANCES):
        return ""
    held, told = words(question.language), question.text[slice(*found.span("told"))]
    return held["list_told"].format(names=held["and"].join(names), told=told)


def things(question: Question) -> list[Mention]:
    """The names of what can be taken or had, unless denied."""
    return [m for m in question.mentions if m.concept in _THINGS and m.status != "absent"]


def begins_with_more(question: Question, mention: Mention) -> bool:
    """Whether a turn begins with one more thing: "and codeine, my mother swears by it"."""
    before = question.text.lower()[: mention.start]
    return pattern("one_more", question.language).fullmatch(before) is not None


def is_bare(question: Question, *, but_for: str = "") -> bool:
    """Whether a question has hardly more than names, denied or not, but for the words of a rule."""
    named = [m for m in question.mentions if m.concept in _THINGS]
    outside = blotted(lower(question.text), ((m.start, m.end) for m in named), " ")
    if but_for:
        outside = pattern(but_for, question.language).sub(" ", outside)
    return len(_WORD.findall(outside)) <= _BESIDE_NAMES


def goes_on_in_words(question: Question) -> bool:
    """Whether a text adds a circumstance to the question before: "and in pregnancy?"."""
    text = lower(question.text)
    span = _more(text, question.language)
    return span is not None and bool(_preposition(text[slice(*span)], question.language))


def goes_on_with_a_noun(question: Question) -> bool:
    """Whether a text goes on with the question before, and asks nothing itself: "and the gel?"."""
    text = lower(question.text)
    span = _more(text, question.language)
    more = text[slice(*span)].rstrip(_ENDS) if span else ""
    return bool(more) and asking(question.language).search(more) is None


def _more(text: str, language: str) -> tuple[int, int] | None:
    """Where a text says what goes on with the question before: "and in pregnancy?"."""
    if found := pattern("goes_on", language).search(text):
        return found.span("more")
    start = len(text) - len(text.lstrip())
    return (start, len(text)) if pattern("goes_on_with", language).match(text, start) else None


def _with_names(question: Question, text: str, earlier: Sequence[Question]) -> Iterator[Completion]:
    """The question with a name in place of the word that stands for it."""
    language = question.language
    place = pattern("stands_for", language).search(text)
    if place is None or pattern("stands_for_nothing", language).search(text):
        return
    start, end = place.span(0 if place["thing"] is None else "thing")
    if says("for_it", question) and any(m.end <= start for m in things(question)):
        return  # "I had a TIA, is aspirin used for it?"
    asked = [m.end for m in things(question) if _is_in_question(m, question) and m.end <= start]
    of_finding = start < end and bool(asked)
    if of_finding and passage_of(question.text, language).sentence_at(start)[0] >= max(asked):
        return  # "when do I take my sildenafil? Does a meal slow it up?"
    left_out = start == end  # 还能继续吃吗 does not say what
    if left_out and things(question):
        return
    owner = words(language)["possessive"] if text[start:end] == "its" else ""
    family = SUBSTANCES if left_out and start else _family(question)
    family = ("disease",) if says("of_an_illness", question) else family
    family = FINDINGS if of_finding else family  # "propranolol to prevent it?"
    every = FINDINGS if of_finding else _THINGS
    names = (*_topics(earlier, family), *(() if left_out and start else _topics(earlier, every)))
    if not of_finding and says("whether_to_take", question):
        names = (*_offered(earlier), *names)
    for name in dict.fromkeys(names):
        text = question.text[:start] + name + owner + question.text[end:]
        yield Completion(text, names=name)


def _offered(earlier: Sequence[Question]) -> Iterator[str]:
    """What was offered or asked about last, where what was named since is only taken: "they offered
    me naproxen. I'm on lithium. Should I take it?"."""
    for turn in reversed(earlier):
        named = [m for m in things(turn) if m.concept in SUBSTANCES]
        asked = [m for m in named if m.role == "asked" and m.experiencer == "patient"]
        if asked:
            yield asked[-1].text
        if asked or any(m.role != "taken" for m in named):
            return


def _of_an_amount(
    question: Question, named: Sequence[Mention], own: Sequence[Question]
) -> Iterator[Completion]:
    """How much of the medicine that was last spoken of, where an amount alone is asked for: "2.5
    ml or 5 ml?"."""
    if not says("asks_amount", question) or any(m.concept in SUBSTANCES for m in named):
        return
    for name in _topics(own, SUBSTANCES):
        asked = words(question.language)["dose_of"].format(name=name)
        yield Completion(f"{question.text} {asked}")


def _is_in_question(mention: Mention, question: Question) -> bool:
    """Whether a turn asks about a medicine itself: a word behind it may stand for that."""
    if mention.concept not in SUBSTANCES:
        return False
    first, last = passage_of(question.text, question.language).sentence_at(mention.start)
    asks = any(mark in question.text[first : last + 1] for mark in QUESTION_MARKS)
    return mention.role == "asked" or asks


def _family(question: Question) -> Collection[str]:
    """What can have what a question asks for in words: side effects are of a drug, and a test or a
    cause of an illness."""
    of = [about(label, question.language) & {*_THINGS} for label in question.worded]
    fitting = [family for family in (SUBSTANCES, FINDINGS) if any({*family} >= some for some in of)]
    return fitting[0] if len(fitting) == 1 else _THINGS


def _gone_on(
    question: Question, named: list[Mention], span: tuple[int, int], last: Question
) -> Iterator[Completion]:
    """The last question that asked something, with another thing in it, or with more behind it."""
    held, more = words(question.language), question.text[slice(*span)].strip(" ?？")
    preposition = _preposition(more, question.language)
    if preposition == "for" and named and named[0].concept in FINDINGS and _is_listed(last):
        yield Completion(held["list"].format(names=more.removeprefix(preposition).strip()))
        return
    circumstances = bool(_preposition(last.as_written, question.language)) and not preposition
    if named and not (circumstances and named[0].concept in FINDINGS):
        for replaced in _slots(named[0], preposition, last)[:1]:
            purpose = more[len(named[0].text) :] if more.startswith(named[0].text) else ""
            if not _states_purpose(purpose, question.language):
                purpose = last.text[replaced.end :]
            yield Completion(last.text[: replaced.start] + named[0].text + purpose, replaced.entity)
            return
    if named and named[0].concept in SUBSTANCES and not preposition:
        names = held["and"].join(_conditions(last))
        form = held["may_for" if names else "may"]
        yield Completion(form.format(drug=named[0].text, names=names))
    if not (named or preposition):
        return  # "what about the gel?": it says nothing that could be put into a question
    joint = held["and"] if circumstances else held["joint"]
    yield Completion(last.text.rstrip(_ENDS) + joint + more)


def _is_listed(question: Question) -> bool:
    """Whether a question asks for drugs, and for none by its name."""
    substances = [m for m in question.of_concept(*SUBSTANCES) if m.role == "asked"]
    listed = any(intent.label in ("drug", "treatment") for intent in question.intents)
    classes = bool(substances) and all(m.concept == "drug_class" for m in substances)
    return (listed and not substances) or classes


def _preposition(text: str, language: str) -> str:
    """With which preposition a text begins, if any."""
    found = pattern("goes_on_with", language).match(lower(text).strip())
    return found.group() if found else ""


def _states_purpose(text: str, language: str) -> bool:
    """Whether what stands behind a name says what it is for: "and amitriptyline to sleep?"."""
    return pattern("states_purpose", language).match(text) is not None


def _slots(mention: Mention, preposition: str, last: Question) -> list[Mention]:
    """What of the last question a name may take the place of: what stands behind the same
    preposition, where the name stands behind one."""
    alike = [each for each in last.mentions if _alike(each, mention)]
    if not preposition:
        asked = [each for each in alike if each.role == "asked"]
        return asked or alike
    text = lower(last.text)
    return [each for each in alike if text[: each.start].rstrip().endswith(preposition)]


def _alike(one: Mention, other: Mention) -> bool:
    if one.concept in SUBSTANCES:
        return other.concept in SUBSTANCES and one.role in ("asked", "taken")
    return one.concept in FINDINGS and other.concept in FINDINGS


def _topics(earlier: Sequence[Question], concepts: Collection[str]) -> Iterator[str]:
    """Names of what was last spoken of: what was asked about before what somebody has or takes."""
    for turn in reversed(earlier):
        if found := [m for m in things(turn) if m.concept in concepts and m.link.how != "value"]:
            end = passage_of(turn.text, turn.language).sentences[-1][0]
            asks = asking(turn.language).search(lower(turn.text), end) is not None
            told = end if asks else 0  # what it asks about comes before what it tells
            found.sort(key=lambda m: (m.role != "asked", m.start < told, m.concept == "symptom"))
            yield from list(dict.fromkeys(m.link.read_as or m.text for m in found))[:_MOST_TOPICS]
            return


def _complaints(earlier: Sequence[Question], *, of: Collection[str] = FINDINGS) -> list[str]:
    """What somebody was last said to have, in the words in which it was."""
    for turn in reversed(earlier):
        if reported := [m for m in turn.mentions if _reported(m) and m.concept in of]:
            return list(dict.fromkeys(m.text for m in reported))
    return []


def _conditions(question: Question) -> list[str]:
    """The conditions that a question names."""
    found = (m for m in things(question) if m.concept in FINDINGS and m.experiencer == "patient")
    return list(dict.fromkeys(m.link.read_as or m.text for m in found))


def _reported(mention: Mention) -> bool:
    present = mention.status == "present" and mention.experiencer == "patient"
    return present and mention.concept in FINDINGS and mention.entity != ALLERGY
