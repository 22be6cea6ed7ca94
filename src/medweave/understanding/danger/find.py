"""Danger in a text, by all readers: the checked table of signs, and what is learned from messages.

The table names what it sees, and is told as it is. Where it sees nothing present, a text that is
like messages in danger is told as one that may describe an emergency. Where the table sees a sign
in a text that is unlike all of these, the sign is asked about and not told (decision 25). What is
like messages of people in a crisis is met as one, or asked about (decision 330).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from medweave.language.data import shipped_yaml
from medweave.language.folding import blotted
from medweave.language.numbers import find_numbers
from medweave.language.passage import Passage, Span, passage_of
from medweave.language.people import people_of
from medweave.language.segmentation import symbol_runs
from medweave.model.configuration import Configuration
from medweave.model.question import UNNAMED_DANGER, DangerGrade, DangerSign, Patient
from medweave.model.value import Value
from medweave.ports import SentenceVectors
from medweave.understanding.danger.crisis import (
    UNHEARD,
    Heaviest,
    hear_crisis,
    is_long,
    shipped_crisis_model,
)
from medweave.understanding.danger.features import sentences
from medweave.understanding.danger.model import (
    LIKE_ALONE,
    LIKE_ENOUGH,
    MANY,
    RAISED,
    STORY_LET_BE,
    STORY_RAISED,
    UNLIKE_ALL,
    DangerModel,
    Weighed,
    danger_model_for,
    is_story,
    shipped_danger_model,
    with_meaning,
)
from medweave.understanding.danger.table import (
    danger_sign,
    literal,
    not_weighed,
    reading_rule,
    unless_told,
)
from medweave.understanding.danger.table_reader import (
    assertion_at,
    comes_again,
    read_danger,
    sign_of,
)
from medweave.understanding.danger.told_like import told_like
from medweave.understanding.danger.weights import confidence_of
from medweave.understanding.danger.word_classes import heard, setting
from medweave.understanding.patient import read_patient

_SUICIDE, _SELF_HARM = "suicidal_intent", "self_harm"
"""The signs of the table that the learned reader of crises knows; the first is told of a crisis in
other words."""
_SAID_BESIDE = (12, 4)
"""So many characters beside the words of a crisis may tell what they are a figure of; of Chinese,
the second."""
SHOWN = 3
"""So many places of a text are shown, those that weigh most."""
ENOUGH = 0.2
"""The share of what weighs that must be told as there: cues of status err in hurried messages."""
SURE_OF_DANGER, SURE_OF_SIGN = 2.0, 0.6
"""From this weight, and this chance of its sign, on what is only told like a danger is one of now,
before which no answer stands; below, it is told as one to be seen today."""
_ANSWER = 12
"""Characters of an answer of a few words."""
_THERE = ("present", "doubted")
_GRADES: dict[DangerGrade, int] = {"now": 0, "today": 1, "soon": 2}
_PART = re.compile(r"[^.?!;,:\n。！？；，：]+(?:[.,:]\d+[^.?!;,:\n。！？；，：]*)*")
_LONGEST_PART = 60
_AROUND = 24
"""Characters around a word that are shown of a longer part of a sentence."""
_QUESTION_MARKS = ("?", "？")


def find_danger(
    text: str,
    language: str,
    patient: Patient,
    model: DangerModel | None = None,
    values: Sequence[Value] | None = None,
    *,
    medicines: Sequence[tuple[int, int]] = (),
    vectors: SentenceVectors | None = None,
) -> tuple[DangerSign, ...]:
    """The danger signs of a text: those present first, the gravest before others, then those to ask
    for; empty for none.

    `model` is the learned reader; without one, that which ships. `values` are those of the text;
    without them they are read. `medicines` are the places of what is taken, or may be: their names
    are no signs, and what the learned reader hears by them alone is not raised. With `vectors` the
    learned readers weigh what a message means, too; what is little like danger beside a medicine is
    asked about. Beside an emergency with a name nothing is told that would wait until today, and no
    sign that another one tells more of.

    >>> [s.how for s in find_danger("His lips are blue", "en", Patient())]
    ['rule']
    >>> [s.how for s in find_danger("He went all grey and clammy at lunch", "en", Patient())]
    ['learned']
    >>> find_danger("I don't have chest pain", "en", Patient())
    ()
    """
    signs = _found(text, language, patient, model, values, medicines=medicines, vectors=vectors)
    present = sorted((s for s in signs if s.status == "present"), key=lambda s: _GRADES[s.grade])
    if any(s.kind == "emergency" and s.grade == "now" and s.has_name for s in present):
        present = [sign for sign in present if sign.grade == "now"]
    told = {sign.sign for sign in present}
    present = [s for s in present if not s.has_name or told.isdisjoint(unless_told(s.sign))]
    return (*present, *(sign for sign in signs if sign.status == "ask"))


def _found(
    text: str,
    language: str,
    patient: Patient,
    model: DangerModel | None,
    values: Sequence[Value] | None,
    *,
    medicines: Sequence[tuple[int, int]],
    vectors: SentenceVectors | None,
) -> tuple[DangerSign, ...]:
    """The danger signs of a text by all readers, in the order of the table."""
    signs = _but_for_words_of_a_crisis(read_danger(text, language, patient, values))
    signs = _with_crisis_in_other_words(text, language, signs, vectors)
    if any(sign.how == "learned" and sign.status == "present" for sign in signs):
        return signs
    reader = model or shipped_danger_model()
    vectors = vectors if reader is shipped_danger_model() else None
    seen, signs = signs, tuple(_by_both(text, language, s, reader, vectors) for s in signs)
    if any(sign.status == "present" for sign in signs):
        return _but_one_of_no_name(signs)
    weighed, hidden = _weighed(text, language, reader, medicines, vectors)
    told = _reported_now(text, language, weighed) if weighed.raised else ()
    if told and any(sign.status == "present" for sign in seen):
        return _but_one_of_no_name(seen)  # what it tells besides is like danger
    signs = _but_one_of_no_name(signs)
    if not told or _tell_nothing(text, language, told, signs, beside_medicines=hidden):
        return signs
    if hidden and weighed.slight:
        like_danger = _learned(weighed, _in_context(text, told), language)
        return _with_it(signs, replace(like_danger, status="ask"))
    return _with_it(
        signs, _like_danger(text, language, weighed, told, patient=patient, vectors=vectors)
    )


def _weighed(
    text: str,
    language: str,
    reader: DangerModel,
    medicines: Sequence[tuple[int, int]],
    vectors: SentenceVectors | None,
) -> tuple[Weighed, bool]:
    """What a text weighs by words and meaning, and whether medicines were left out of it."""
    weighed = _weighed_in_full(literal(text, language), reader, vectors)
    hidden = bool(
        weighed.raised and medicines and not reading_rule("taken_at_once").search(text.lower())
    )
    if hidden:
        without = literal(blotted(text, medicines, " "), language)
        weighed = _weighed_in_full(without, reader, vectors)
    return weighed, hidden


def _weighed_in_full(
    passage: Passage, reader: DangerModel, vectors: SentenceVectors | None
) -> Weighed:
    """What a text weighs by the sentence that weighs most, or as a whole where that is raised; a
    story that is none of danger as a whole is not raised for one sentence."""
    weighed = with_meaning(reader.weigh(passage), passage, vectors)
    story = reader.weigh_story(passage, vectors)
    if story is None:
        return weighed
    if story.score <= STORY_LET_BE:
        return replace(weighed, score=min(weighed.score, RAISED))
    if weighed.raised or story.score <= STORY_RAISED:
        return weighed
    return replace(story, score=story.score - STORY_RAISED + RAISED)


def _like_danger(
    text: str,
    language: str,
    weighed: Weighed,
    told: Sequence[Span],
    *,
    patient: Patient,
    vectors: SentenceVectors | None,
) -> DangerSign:
    """What is like danger: with the name of the sign that it is told like, where that is sure."""
    words = _in_context(text, told)
    passage = literal(text, language)
    named = told_like(text, language, patient, vectors) if is_story(passage) else None
    if named is None or _has_gone_on_for_months(text):
        return _learned(weighed, words, language)
    sign, chance = named
    sign_told = sign_of(sign, "present", words, passage, [at for at, _ in told])
    sign_told = replace(sign_told, how="learned", confidence=chance)
    if weighed.score >= SURE_OF_DANGER and chance >= SURE_OF_SIGN:
        return sign_told
    if sign_told.kind == "crisis":
        return replace(sign_told, status="ask")
    return replace(sign_told, grade=max(sign_told.grade, "today", key=lambda g: _GRADES[g]))


def _has_gone_on_for_months(text: str) -> bool:
    """Whether a text tells of months, and of nothing that is new: a voice that has gone croaky
    since the autumn is no stroke."""
    plain = text.lower()
    months, now = reading_rule("of_months").search(plain), reading_rule("of_now").search(plain)
    return months is not None and now is None


def _asks_after_no_crisis(text: str) -> bool:
    """Whether a text denies a crisis, or asks by what it is seen that somebody had too much of a
    medicine: then what is only heard perhaps is not asked about."""
    rules = (reading_rule(name) for name in ("denies_suicide", "signs_of_too_much"))
    return any(rule.search(text.lower()) for rule in rules)


def _with_it(signs: tuple[DangerSign, ...], like_danger: DangerSign) -> tuple[DangerSign, ...]:
    """The signs with what is like danger."""
    is_another = like_danger.has_name and like_danger.kind != "crisis"
    if any(sign.kind == "crisis" for sign in signs) and not is_another:
        return _there(signs)  # both readers hear it: a crisis is met, not asked about
    if like_danger.status == "ask":
        return (*signs, like_danger)
    return (like_danger, *(sign for sign in signs if sign.sign != like_danger.sign))


def danger_signs_alone(text: str, language: str, how: Configuration) -> tuple[DangerSign, ...]:
    """The signs with a name that are there in a text of which nothing else is understood.

    >>> from medweave.model.configuration import CONFIGURATION
    >>> [sign.kind for sign in danger_signs_alone("I want to die", "en", CONFIGURATION)]
    ['crisis']
    """
    patient = read_patient(passage_of(text, language))
    signs = find_danger(text, language, patient, danger_model_for(how.danger))
    return tuple(sign for sign in signs if sign.status == "present" and sign.has_name)


def _reported_now(text: str, language: str, weighed: Weighed) -> tuple[Span, ...]:
    """The places of the words that weigh most, each word once and where it is told as there; none
    where too little is."""
    passage = literal(text, language)
    reported = [
        (start, end, weight, assertion_at(passage, (start, end)))
        for start, end, weight in weighed.places
        if not comes_again(passage, (start, _end_of_part(text, end)))
    ]
    answered_no = [
        (first, last)
        for first, last in sentences(text)
        if text[first:last].rstrip().endswith(_QUESTION_MARKS)
        and any(how == "absent" and first <= start < last for start, _, _, how in reported)
    ]
    there = [
        (start, end, weight)
        for start, end, weight, how in reported
        if how in _THERE and not any(first <= start < last for first, last in answered_no)
    ]
    weight_there = sum(weight for _, _, weight in there)
    if weight_there < ENOUGH * sum(weight for _, _, weight in weighed.places):
        return ()
    places: dict[str, Span] = {}
    for start, end in sorted((start, end) for start, end, _ in there[:SHOWN]):
        places.setdefault(text[start:end], (start, end))
    return tuple(places.values())


def _end_of_part(text: str, at: int) -> int:
    """Where the part of a sentence ends in which a place is."""
    part = _PART.match(text, at)
    return part.end() if part else at


def _tell_nothing(
    text: str,
    language: str,
    told: Sequence[Span],
    signs: Sequence[DangerSign],
    *,
    beside_medicines: bool,
) -> bool:
    """Whether the words by which the learned reader hears danger tell of none, or of no more than
    the table."""
    if not _tells_of_a_state(literal(text, language), told):
        return True  # a hand, a newborn, a box of tablets: nothing is wrong with any of them
    if len(told) == 1 and (beside_medicines or not people_of(passage_of(text, language)).all):
        return True  # one word of nobody: "who won the world cup"
    return _only_doubted(text, language, told, signs)  # the table saw the same, and asks about it


def _tells_of_a_state(passage: Passage, told: Sequence[Span]) -> bool:
    """Whether one of these places tells what is wrong, and not only with whom, where, or when."""
    return any(
        one.name not in setting()
        for one in heard(passage)
        for start, end in told
        if one.start < end and start < one.end
    )


def _only_doubted(
    text: str, language: str, told: Sequence[Span], signs: Sequence[DangerSign]
) -> bool:
    """Whether all of the words stand in signs that are asked about, and are told with a doubt."""
    asked = [word for sign in signs if sign.status == "ask" for word in sign.words]
    passage = literal(text, language)
    return all(
        any(text[slice(*place)] in each for each in asked)
        and assertion_at(passage, place) == "doubted"
        for place in told
    )


def _in_context(text: str, told: Sequence[Span]) -> tuple[str, ...]:
    """The parts of sentences in which words stand, as whoever writes put them; of a long one what
    stands around them."""
    places: dict[Span, list[Span]] = {}
    parts = [match.span() for match in _PART.finditer(text)]
    for place in told:
        own = next((p for p in parts if p[0] <= place[0] < p[1]), place)
        places.setdefault(own, []).append(place)
    return tuple(_cut(text, part, places[part]) for part in sorted(places))


def _cut(text: str, part: Span, places: Sequence[Span]) -> str:
    if part[1] - part[0] <= _LONGEST_PART:
        return text[slice(*part)].strip()
    first = max(part[0], min(start for start, _ in places) - _AROUND)
    last = min(part[1], max(end for _, end in places) + _AROUND)
    if " " in text[slice(*part)]:  # whole words
        first = text.find(" ", first, last) if first > part[0] else first
        last = text.rfind(" ", first, last) if last < part[1] else last
    before, behind = ("…" if first > part[0] else ""), ("…" if last < part[1] else "")
    return f"{before}{text[first:last].strip()}{behind}"


def _with_crisis_in_other_words(
    text: str,
    language: str,
    signs: tuple[DangerSign, ...],
    vectors: SentenceVectors | None,
) -> tuple[DangerSign, ...]:
    """The signs with a crisis that is heard in words which the table does not hold; one that it
    sees in a short message of which the rest tells of none is asked about: "how do I end it",
    "the rope burn on his hand".

    Who is sure to be in one is met, and nothing is asked about; beside an emergency, and where it
    is less sure, it is asked about.
    """
    passage = literal(text, language)
    heaviest, heard = hear_crisis(passage, vectors)
    met = [sign for sign in signs if sign.kind == "crisis" and sign.status == "present"]
    if met:
        figures = () if heard else [s for s in met if _is_a_figure(text, language, s, heaviest)]
        return tuple(replace(s, status="ask") if s in figures else s for s in signs)
    if not heard or (heard == "ask" and _asks_after_no_crisis(text)):
        return signs  # what would be asked was said
    if len(symbol_runs(text)) == 1 and text.isascii():
        return signs  # one English word tells nothing in other words
    emergency = any(sign.status == "present" for sign in signs)
    status = "ask" if emergency else heard
    words = (_cut(text, heaviest.place, (heaviest.place,)),)
    crisis = replace(
        sign_of(danger_sign(_SUICIDE), status, words, passage, heaviest.place[1:]),
        how="learned",
        confidence=heaviest.confidence,
    )
    if status == "present":
        return (crisis,)
    return signs if any(sign.kind == "crisis" for sign in signs) else (*signs, crisis)


def _is_a_figure(text: str, language: str, sign: DangerSign, whole: Heaviest) -> bool:
    """Whether words of a crisis stand in a short message that is unlike one as a whole, and in
    sentences and parts of these that are so by themselves: "I want to die. Which painkiller?" is
    told in one alone, "我想死，能吃布洛芬吗" in a part."""
    passage = literal(text, language)
    if sign.sign not in (_SUICIDE, _SELF_HARM) or whole.score >= UNHEARD or is_long(passage):
        return False
    if sign.sign == _SELF_HARM and len(sign.words) > 1:
        return False  # an arm is named that was cut
    if (
        len("".join(passage.text.split())) - sum(map(len, sign.words))
        < _SAID_BESIDE[language == "zh"]
    ):
        return False  # there is nothing that it could be a figure of
    reader = shipped_crisis_model()
    parts = (*(text[slice(*s)] for s in sentences(text)), *_PART.findall(text))
    telling = (part for part in parts if _holds(part, sign.words))
    return all(reader.weigh(literal(each, language)).score < UNHEARD for each in telling)


def _holds(sentence: str, words: Sequence[str]) -> bool:
    return any(word in sentence for word in words)


def _but_for_words_of_a_crisis(signs: tuple[DangerSign, ...]) -> tuple[DangerSign, ...]:
    """The signs without those that are seen in the words of a crisis alone: who wants "to go to
    sleep and not wake up" is not unconscious."""
    told = [w for s in signs if s.kind == "crisis" and s.status == "present" for w in s.words]

    def within(sign: DangerSign) -> bool:
        return all(any(word in words for words in told) for word in sign.words)

    return tuple(s for s in signs if s.kind == "crisis" or not (told and s.words and within(s)))


def _by_both(
    text: str,
    language: str,
    sign: DangerSign,
    reader: DangerModel,
    vectors: SentenceVectors | None,
) -> DangerSign:
    """A sign that the table sees, as the learned reader of its sentences takes it: what is unlike
    messages in danger is asked about, and what is far from all of them in one line below the answer
    that gives it no name: it is an idiom, a habit, the past, or a question about an effect.

    A value is no way of speaking, and what is beyond a limit stays; a crisis has its own reader.
    """
    measured = any(_is_measured(word, language) for word in sign.words)
    spoken = sign.status == "present" and sign.kind == "emergency" and not measured
    if sign.grade == "soon" or sign.sign in not_weighed():
        return sign  # what is learned is what help is needed for now or today
    if not spoken or _is_answered(text, sign.words):
        return sign
    alone, whole = (
        max(reader.likeness(literal(each, language), vectors) for each in some)
        for some in (_parts_with(text, sign.words), _telling(text, language, sign.words))
    )
    whole += len(sign.words) - 1  # the more is told of a sign, the surer it is
    if alone >= LIKE_ALONE:
        return sign
    if whole >= LIKE_ENOUGH:
        another = reader.is_another_story(literal(text, language), vectors)
        return replace(sign, status="ask") if another else sign
    if whole >= UNLIKE_ALL:
        return replace(sign, status="ask")
    words = _in_context(text, [(at, at + len(w)) for w in sign.words if (at := text.find(w)) >= 0])
    unnamed = _unnamed(words or sign.words, language)
    return replace(unnamed, status="ask", confidence=confidence_of(whole))


def _is_measured(word: str, language: str) -> bool:
    """Whether a word of a sign is a number, in digits or in words: 血氧八十五."""
    if any(character.isdigit() for character in word):
        return True
    numbers = find_numbers(word.lower(), language, about=True)
    return any(number.start == 0 and number.end >= len(word) - 1 for number in numbers)


def _is_answered(text: str, words: Sequence[str]) -> bool:
    """Whether the words stand in a question that a few words answer: 呼吸困难吗？有。"""
    parts = [text[slice(*span)].strip() for span in sentences(text)]
    return any(
        asked.endswith(("?", "？")) and _holds(asked, words) and len(answer) <= _ANSWER
        for asked, answer in pairwise(parts)
    )


def _telling(text: str, language: str, words: Sequence[str]) -> list[str]:
    """The sentences of a text that hold some of the words, and a short text as a whole too: a long
    story must not drown "He cannot breathe."."""
    spans = sentences(literal(text, language).text)
    telling = [text[slice(*span)] for span in spans if _holds(text[slice(*span)], words)]
    return telling if len(spans) >= MANY and telling else [*telling, text]


def _parts_with(text: str, words: Sequence[str]) -> list[str]:
    """The part of a text, between stops and commas, in which the first of the words stands, to that
    of the last: what else is asked in the sentence does not drown it."""
    parts = [part.span() for part in _PART.finditer(text) if _holds(part.group(), words)]
    return [text[parts[0][0] : parts[-1][1]]] if parts else [text]


def _but_one_of_no_name(signs: tuple[DangerSign, ...]) -> tuple[DangerSign, ...]:
    """The signs, and of those that are given no name the first, where none is present."""
    if any(sign.status == "present" for sign in signs):
        return tuple(sign for sign in signs if sign.has_name)
    unnamed = [sign for sign in signs if not sign.has_name][1:]
    return tuple(sign for sign in signs if sign not in unnamed)


def _there(signs: tuple[DangerSign, ...]) -> tuple[DangerSign, ...]:
    """The signs, those of a crisis as present and first."""
    told = [replace(sign, status="present") for sign in signs if sign.kind == "crisis"]
    return (*told, *(sign for sign in signs if sign.kind != "crisis"))


def _learned(weighed: Weighed, words: tuple[str, ...], language: str) -> DangerSign:
    return replace(_unnamed(words, language), confidence=weighed.confidence)


def _unnamed(words: tuple[str, ...], language: str) -> DangerSign:
    names = shipped_yaml("understanding", "danger", "rules", "signs.yaml")["learned"]
    name = names.get(language, names["en"])
    return DangerSign(UNNAMED_DANGER, "present", name, words, how="learned", grade="today")
