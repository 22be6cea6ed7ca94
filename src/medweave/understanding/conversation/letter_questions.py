"""What a text tells and what it asks, in its own order: sentences, items of a list, clauses.

A question need not end in a mark: "also whether she may drink", "第二，能不能喝酒". Items of a list
are marked ("1)", "b.", "- ", "第三，"); where a text announces questions, an item that only names
what is wanted is one, too.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from medweave.language.data import any_of, rule_in, rules_in
from medweave.language.folding import lower
from medweave.language.numbers import counting_from_one
from medweave.language.passage import passage_of
from medweave.language.segmentation import language_of
from medweave.understanding.asked.asking import surely_asks
from medweave.understanding.rule_files import GRAPH_RULES, LETTER_RULES

_LONGEST_HEADING = {"en": 80, "zh": 36}
_LONG = {"en": 240, "zh": 70}
"""From here on two questions are answered one below the other."""
_FEW, _SEVERAL, _MOST = 2, 3, 10
_SHORTEST_QUESTION = {"en": 12, "zh": 5}
_CLOSES_QUOTE = ("'", '"', "’", "”")
_BEFORE_A_LIST = ".:;?!。：；？！\n"
_DASHES = ("-", "–")
_ENDS = " \t\n,;.:，；。："


_Sentence = tuple[int, int, bool]
"""Where it begins and ends, and whether with the mark of a list."""
_AROUND = " \t\n,;:，；：、-–"


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text: something that is told, or one question; and where it stands."""

    text: str
    asks: bool
    start: int
    end: int


def pieces_of(text: str, language: str) -> tuple[Piece, ...]:
    """What a text tells and asks, piece by piece.

    >>> text = "I have gout. What causes it, and is it grave? Also may I run"
    >>> for piece in pieces_of(text, "en"):
    ...     print("asks " if piece.asks else "tells", piece.text)
    tells I have gout.
    asks  What causes it?
    asks  is it grave?
    asks  may I run?
    """
    found: list[Piece] = []
    sentences = list(_sentences(text, language))
    in_list = _is_list_of_questions(text, sentences, language)
    for at, (start, end, _) in enumerate(sentences):
        wanted = in_list and _is_whole_item(text, sentences[at:], language)
        if not _asks(text[start:end], language) and not wanted:
            found.append(Piece(text[start:end].strip(_AROUND), False, start, end))
            continue
        for first, last in _clauses(text, start, end, language):
            question, begins = _without_lead(text[first:last], language), first
            if not question.strip(_ENDS + "?？") and found and not found[-1].asks:
                told = found.pop()  # "they gave me tramadol. OK?"
                question, begins = f"{told.text} {text[first:last].strip()}", told.start
            found.append(Piece(_marked(question, language), True, begins, last))
    return tuple(piece for piece in found if piece.text.strip(_ENDS + "?？"))


def _is_list_of_questions(text: str, sentences: Sequence[_Sentence], language: str) -> bool:
    """Whether an item of a list is a question though it does not ask: most of the others do, or one
    does and the text announces questions."""
    items = [_asks(text[start:end], language) for start, end, marked in sentences if marked]
    announced = letter_rule("announces_questions", language).search(lower(text)) is not None
    return sum(items) * 2 >= max(len(items), _FEW * 2) or (any(items) and announced)


def _is_whole_item(text: str, following: Sequence[_Sentence], language: str) -> bool:
    """Whether a sentence begins an item of a list in which no other sentence asks."""
    (_, _, marked), *others = following
    own = itertools.takewhile(lambda sentence: not sentence[2], others)
    return marked and not any(_asks(text[start:end], language) for start, end, _ in own)


def is_letter(text: str, pieces: Sequence[Piece]) -> bool:
    """Whether a text asks so much that each question is answered by itself."""
    asked = sum(piece.asks for piece in pieces)
    fewest = _FEW if len(text) >= _LONG[language_of(text)] else _SEVERAL
    return fewest <= asked <= _MOST


def heading_of(question: str, language: str) -> str:
    """A question in few words, for the line above its answer: its last clauses where it is long.

    >>> heading_of("my old tablets were Claritin, are those alright while feeding?", "en")
    'My old tablets were Claritin, are those alright while feeding?'
    """
    most = _LONGEST_HEADING[language]
    heading = whole = question.strip(_ENDS + "?？")
    for joint in letter_rule("clause_joint", language).finditer(lower(whole)):
        rest = whole[joint.end() :]
        if len(heading) > most and _asks_in_form(rest, language):
            heading = _without_lead(rest, language)
    if len(heading) > most:
        heading = heading[: most - 1].rstrip(_ENDS) + "…"
    else:
        heading += "？" if language == "zh" else "?"
    return heading[:1].upper() + heading[1:]


def _sentences(text: str, language: str) -> Iterator[_Sentence]:
    """The sentences of a text, cut at the marks of a list; whether each begins with such a mark."""
    marks = {found.start(): found.end() for found in _marks(text, language)}
    for start, end in _whole_sentences(text, language):
        at, marked = start, False
        for mark in sorted(each for each in marks if start <= each < end):
            if text[at:mark].strip(_ENDS):
                yield at, mark, marked
            at, marked = marks[mark], True
        if at < end:
            yield at, end, marked


def _whole_sentences(text: str, language: str) -> Iterator[tuple[int, int]]:
    """The sentences of a text; a mark of question within quotation marks ends none."""
    start = 0
    for first, end in passage_of(text, language).sentences:
        start = first if start < 0 else start
        if not text[end:].lstrip().startswith(_CLOSES_QUOTE) or text[end - 1] not in "?!？！":
            yield start, end
            start = -1
    if start >= 0:
        yield start, len(text)


def _marks(text: str, language: str) -> list[re.Match[str]]:
    """The marks of a list, where there are at least two."""
    every = letter_rule("item_mark", language).finditer(lower(text))
    found = [mark for mark in every if not _closes_aside(text, mark)]
    found = _counted_on(text, language) or found
    dashes = [mark for mark in found if mark.group().strip() in _DASHES]
    if len(dashes) < _FEW:  # "he has asthma - may he have it?"
        found = [mark for mark in found if mark not in dashes]
    return found if len(found) >= _FEW else []


def _counted_on(text: str, language: str) -> list[re.Match[str]]:
    """The numbers of a list that counts from one and is typed without stops: "1 … 2 … 3 …"."""
    found = counting_from_one(letter_rule("counted_mark", language).finditer(lower(text)))
    if len(found) < _FEW:
        return []
    before = text[: found[0].start()].rstrip()
    announced = letter_rule("announces_questions", language).search(lower(before))
    alone = not before or before[-1] in _BEFORE_A_LIST or len(found) > _FEW
    return found if alone or announced else []


def _closes_aside(text: str, mark: re.Match[str]) -> bool:
    """Whether what looks like a mark ends words in brackets: "(CKD 3) and gout"."""
    before, is_open = text[: mark.start()], text[mark.start() : mark.end()].count("(")
    return not is_open and before.rfind("(") > before.rfind(")")


def _clauses(text: str, start: int, end: int, language: str) -> Iterator[tuple[int, int]]:
    """A sentence, cut where another question begins in it: "what causes it, and is it grave?"."""
    for joint in letter_rule("asks_on", language).finditer(lower(text), start, end):
        before, behind = text[start : joint.start()], text[joint.end() : end]
        long_enough = len(before.strip()) >= _SHORTEST_QUESTION[language]
        asks = _asks_in_form(before, language) or _opens_a_question(before, text[start:end])
        if long_enough and asks and _asks_in_form(behind, language):
            yield start, joint.start()
            start = joint.end()
    yield start, end


def _opens_a_question(clause: str, sentence: str) -> bool:
    """Whether a clause begins as questions do, and its sentence is one: "is X for Y, and …?"."""
    opens = rule_in("en", "yes_no", *GRAPH_RULES).match(lower(clause))
    return opens is not None and sentence.rstrip().endswith("?")


def _asks(sentence: str, language: str) -> bool:
    """Whether a sentence asks: in its form, or as it was learned."""
    if _is_no_question(sentence, language):
        return False
    return _has_form(sentence, language) or surely_asks(sentence, language)


def _asks_in_form(clause: str, language: str) -> bool:
    """Whether a clause asks by a mark, or by words that tell nothing."""
    return not _is_no_question(clause, language) and _has_form(clause, language)


def _is_no_question(clause: str, language: str) -> bool:
    return letter_rule("no_question", language).search(lower(clause).strip()) is not None


def _has_form(clause: str, language: str) -> bool:
    """Whether a clause has the mark of a question, or its words."""
    plain = lower(clause).strip()
    return plain.endswith(("?", "？")) or bool(letter_rule("asks_plainly", language).search(plain))


def _marked(question: str, language: str) -> str:
    """A question with its mark, as readers of questions look for one."""
    return question.rstrip(_ENDS + "?？!！") + ("？" if language == "zh" else "?")


def _without_lead(clause: str, language: str) -> str:
    """A clause without the words that only lead to it: "and also", "last thing,", "tell me"."""
    while lead := letter_rule("lead", language).match(lower(clause)):
        clause = clause[lead.end() :]
    return clause.strip(_AROUND)


@cache
def letter_rule(name: str, language: str) -> re.Pattern[str]:
    """A rule of `letter_questions.yaml` in a language."""
    return re.compile(any_of(rules_in(language, *LETTER_RULES)[name]), re.MULTILINE)
