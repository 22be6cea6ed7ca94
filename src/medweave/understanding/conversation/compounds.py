"""A text that asks several things which hang together, each as a question of its own.

"Which disease causes tophi and which drugs treat it?" asks of what it found: the second question is
read behind the first. "Which drugs treat gout but not pain, and what are its symptoms?" asks two
things, of which the first stays what it is and is no list of all drugs for both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from medweave.language.data import rule_in, rules_in
from medweave.language.folding import lower
from medweave.model.question import Question
from medweave.understanding.conversation.conversation import Conversation
from medweave.understanding.conversation.letter_parts import LetterPart
from medweave.understanding.conversation.letter_questions import Piece, heading_of, pieces_of
from medweave.understanding.conversation.several_questions import Wanted
from medweave.understanding.graph_question import read_graph_question
from medweave.understanding.graph_question_items import offers_options
from medweave.understanding.rule_files import GRAPH_RULES
from medweave.vocabulary.knowledge import Knowledge

_FEW, _MOST = 2, 4
_MARKS = "?？ "
Understand = Callable[[str], Question]


def compound_parts(
    whole: Question,
    conversation: Callable[[], Conversation],
    wanted: Wanted,
    understand: Understand,
    knowledge: Knowledge,
) -> tuple[LetterPart, ...]:
    """The questions of a text of which one hangs on another, or asks more than for a list of what
    is recorded; one alone where each asks on of the one before. Empty where there are none."""
    pieces = pieces_of(whole.text, whole.language)
    if not _FEW <= len(pieces) <= _MOST or not all(piece.asks for piece in pieces):
        return ()
    if offers_options(whole.text):
        return ()

    def reads_on(text: str) -> bool:
        read = read_graph_question(understand(text), knowledge)
        return read is not None and read.chained

    talk = conversation()
    texts: list[str] = []
    hosts: set[int] = set()
    chained: set[int] = set()
    questions: list[Question] = []
    for at, piece in enumerate(pieces):
        alone = wanted(talk.read(piece.text))
        host = _host(piece, texts, whole.language, reads_on)
        if host >= 0:
            hosts.add(host)
            chained.add(at)
            texts.append(_asked_on(texts[host], piece.text, whole.language))
            questions.append(wanted(understand(texts[at])))
        else:
            texts.append(piece.text)
            questions.append(alone)
    kept = [at for at in range(len(pieces)) if at not in hosts]
    if not chained and not _hangs_together([questions[at] for at in kept], knowledge):
        return ()
    return tuple(_part(pieces[at], questions[at], whole, alone=len(kept) == 1) for at in kept)


def _part(piece: Piece, question: Question, whole: Question, *, alone: bool) -> LetterPart:
    if alone:
        question = replace(question, as_written=whole.text)
    return LetterPart(heading_of(piece.text, whole.language), question, piece.start, piece.end)


def _host(piece: Piece, texts: list[str], language: str, reads_on: Callable[[str], bool]) -> int:
    """Which of the questions before seeks what a word of this one stands for; -1 where none."""
    if not rule_in(language, "asks_on_of", *GRAPH_RULES).search(lower(piece.text)):
        return -1
    found = (n for n, text in enumerate(texts) if reads_on(_asked_on(text, piece.text, language)))
    return next(found, -1)


def _asked_on(before: str, behind: str, language: str) -> str:
    joint = rules_in(language, *GRAPH_RULES)["asked_on"]
    return str(joint).format(before=before.rstrip(_MARKS), behind=behind[:1].lower() + behind[1:])


def _hangs_together(questions: list[Question], knowledge: Knowledge) -> bool:
    """Whether one of several questions seeks what has this but not that, or all of them ask for a
    yes: read in one, a part of it would be lost."""
    read = [read_graph_question(question, knowledge) for question in questions]
    if any(each and each.form == "list" and not each.simple for each in read):
        return True
    claims = [each is not None and each.form == "yes_no" for each in read]
    return any(claims) and all(map(_asks_for_a_yes, questions))


def _asks_for_a_yes(question: Question) -> bool:
    asks = rule_in(question.language, "yes_no", *GRAPH_RULES)
    return question.form.kind == "yes_no" or bool(asks.search(lower(question.text).strip()))
