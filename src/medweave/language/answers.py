"""Questions whether somebody has something, and what the answer says of it. Rules are data files.

"Any fever? – No." does not tell of a fever: the answer does. A question that nobody answers leaves
open what it asks for. Turns are parted by speakers, dashes or lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal as OneOf

from medweave.language.data import any_of, rules_in
from medweave.language.passage import Passage
from medweave.language.prefilter import Expression
from medweave.language.segmentation import SENTENCE_END

Reply = OneOf["yes", "no", "unsure"]
_MARKS = re.compile(r"[?？吗]|\n")
_TURN = r"[\s\"'”“»>*•·–—-]*"
"""What may stand between a question and the turn behind it."""
_REACH = 400
"""Characters behind a name in which its question ends and is answered."""
_QUESTIONS = 8
"""So many questions in a row may have one answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said of something that was asked for; `unsure` also where nothing is said."""

    reply: Reply
    past: bool = False
    """It was so long ago, or is over."""


@dataclass(frozen=True)
class AnswerRules:
    """The rules of one language; see answers.en.yaml."""

    patterns: dict[str, Expression]
    echoes: frozenset[str]
    """Characters that answer by themselves when they are part of what was asked for."""

    def fits(self, rule: str, text: str) -> bool:
        """Whether a rule matches somewhere."""
        return self.patterns[rule].search(text) is not None

    def starts(self, rule: str, text: str) -> bool:
        """Whether a rule matches where a text begins."""
        return self.patterns[rule].match(text) is not None


@cache
def answer_rules(language: str) -> AnswerRules:
    """The rules that ship for a language; English where there are none for it."""
    content = rules_in(language, "language", "rules", "answers.*.yaml")
    speaker = rf"{_TURN}(?:(?:{content['speaker']}|{content['anyone']})\s*)"
    border = rf"(?:^|[\s.!?。！？；;]){content['speaker']}"
    patterns = {
        rule: any_of(held) for rule, held in content.items() if rule not in ("echoes", "anyone")
    } | {"turn": speaker, "border": border}
    echoes = frozenset(content.get("echoes", ""))
    return AnswerRules({rule: Expression(held) for rule, held in patterns.items()}, echoes)


def read_answer(passage: Passage, start: int, end: int, *, denied: bool) -> Answer | None:
    """What is answered where a passage asks whether there is what stands at a span.

    None where it does not ask that. `denied`: the question itself denies it ("No fever?").

    >>> from medweave.language.passage import passage_of
    >>> read_answer(passage_of("Any fever? – No."), 4, 9, denied=False)
    Answer(reply='no', past=False)
    >>> read_answer(passage_of("I have a fever. Why?"), 9, 14, denied=False) is None
    True
    """
    text = passage.hidden
    if not _MARKS.search(text, end, end + _REACH):
        return None
    rules = answer_rules(passage.language)
    ends = rules.patterns["ends"].match(text, end, end + _REACH)
    if ends is None:
        return None
    sentence, question = _sentence(text, start, rules)
    rest, behind = text[end : ends.end()], text[ends.end() : end + _REACH]
    if not _asks(sentence, rest, rules):
        return None
    reply, answered = _reply(behind, rules, passage.plain[start:end], denied=denied)
    if reply is None:
        asked = question or answered or rules.fits("asks_anyway", sentence)
        return Answer("unsure") if asked else None
    return Answer("unsure") if _leaves_open(reply, sentence, rest, behind, rules) else reply


def in_an_answer(text: str, start: int, language: str) -> bool:
    """Whether what stands in a text in lower case is said in answer to a question.

    >>> in_an_answer("any fever? – no, but a cough", 23, "en")
    True
    """
    seen = max(0, start - _REACH)
    asked = max(text.rfind("?", seen, start), text.rfind("？", seen, start))
    if asked < 0:
        return False
    rules = answer_rules(language)
    behind = text[asked + 1 : start]
    turn, _ = _turn(behind, rules)
    return any(rules.starts(rule, turn) for rule in ("yes", "no", "unsure"))


def _asks(sentence: str, rest: str, rules: AnswerRules) -> bool:
    """Whether a question, of which these parts stand before and behind a name, asks for it."""
    if rules.fits("asks_other", sentence):
        return False
    if rules.fits("asks", sentence) or rules.fits("asks_anyway", sentence):
        return True
    return not any(map(str.isalnum, rest)) and rules.fits("asks_to_end", sentence)


def _leaves_open(answer: Answer, sentence: str, rest: str, behind: str, rules: AnswerRules) -> bool:
    """Whether it is not this thing of which an answer speaks, or not of it as a whole.

    No to "any pain when you walk?" denies no pain, and yes to "fever or chills?" may be either.
    """
    if answer.reply == "no":
        return rules.fits("condition", rest)
    several = rules.fits("either", sentence) or rules.fits("either", rest)
    return answer.reply == "yes" and several and not rules.starts("all", _turn(behind, rules)[0])


def _sentence(text: str, start: int, rules: AnswerRules) -> tuple[str, bool]:
    """The sentence before a place, from who says it on; and whether somebody is named there."""
    seen = text[max(0, start - _REACH) : start]
    sentence = SENTENCE_END.split(seen)[-1]
    labels = [label.end() for label in rules.patterns["border"].finditer(seen)]
    if labels and labels[-1] >= len(seen) - len(sentence):
        return seen[labels[-1] :].lstrip(), True
    return " ".join(sentence.split()) + " " * sentence.endswith(" "), False


def _turn(behind: str, rules: AnswerRules) -> tuple[str, bool]:
    """What follows a question without who says it; and whether that is told."""
    label = rules.patterns["turn"].match(behind)
    rest = behind[label.end() :] if label else re.sub(f"^{_TURN}", "", behind)
    filler = rules.patterns["fillers"].match(rest)
    return (rest[filler.end() :] if filler else rest), label is not None


def _reply(
    behind: str, rules: AnswerRules, name: str, *, denied: bool
) -> tuple[Answer | None, bool]:
    """The answer behind a question, or behind those that follow it; whether there is any."""
    for _ in range(_QUESTIONS):
        turn, labelled = _turn(behind, rules)
        if answer := _answer(turn, rules, name, denied=denied):
            return answer, True
        another = None if labelled else rules.patterns["next"].match(behind)
        if another is None or rules.fits("asks_other", another.group().strip()):
            return None, labelled or rules.starts("some", turn)
        behind = behind[another.end() :]
    return None, False


def _answer(turn: str, rules: AnswerRules, name: str, *, denied: bool) -> Answer | None:
    """What the beginning of a turn answers."""
    if rules.starts("unsure", turn):
        return Answer("unsure")
    if rules.starts("gone", turn):
        return Answer("no", past=True)
    answer = _denied(turn, rules) if denied else None
    answer = answer or _plain(turn, rules) or _echo(turn, rules, name)
    if answer is None:
        return None
    if answer == "yes" and rules.fits("over", turn):
        return Answer("no", past=True)
    return Answer(answer, past=answer == "yes" and rules.fits("past", turn))


def _denied(turn: str, rules: AnswerRules) -> Reply | None:
    """The answer to a question that denies: a bare yes may mean either."""
    if rules.starts("yes_indeed", turn):
        return "yes"
    if rules.starts("agrees", turn):
        return "no"
    return "unsure" if rules.starts("yes", turn) else None


def _plain(turn: str, rules: AnswerRules) -> Reply | None:
    if rules.starts("no", turn) and not rules.starts("yes", turn):
        return "no"
    return "yes" if rules.starts("yes", turn) else None


def _echo(turn: str, rules: AnswerRules, name: str) -> Reply | None:
    """痛不痛？痛: what was asked for is said again, in part."""
    if not rules.echoes:
        return None
    for word in ("no", "yes"):
        before = rules.patterns[f"echo_{word}"].match(turn)
        at = before.end() if before else len(turn)
        if turn[at : at + 1] in rules.echoes & set(name):
            return word
    return None
