"""A text that asks several things of one person, as questions that stand for themselves.

"My son takes amoxicillin. What are its side effects? And may he have ibuprofen?" asks two things of
two medicines. Each question is read as a turn of a conversation, so that what stands for a thing is
named in it. What the whole tells of the person holds for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from medweave.language.folding import lower
from medweave.model.question import SUBSTANCES, Form, Intent, Question
from medweave.understanding.conversation.conversation import Conversation
from medweave.understanding.conversation.letter_questions import pieces_of
from medweave.understanding.conversation.wording import pattern, words
from medweave.understanding.graph_question_items import offers_options

_MOST = 4
"""A text that asks more than this asks for a conversation."""
Wanted = Callable[[Question], Question]


def questions_in(text: str, language: str) -> tuple[str, tuple[str, ...]]:
    """What a text tells, and the questions that it asks; no questions where it asks but one.

    >>> questions_in("I have gout. What causes it? And what may I eat?", "en")
    ('I have gout.', ('What causes it?', 'what may I eat?'))
    """
    pieces = pieces_of(text, language)
    asked = tuple(piece.text for piece in pieces if piece.asks)
    if not 1 < len(asked) <= _MOST:
        return "", ()
    return " ".join(piece.text for piece in pieces if not piece.asks), asked


def several(
    whole: Question, conversation: Callable[[], Conversation], wanted: Wanted
) -> tuple[Question, ...]:
    """The questions that a text asks, each read in full, and with what is `wanted` of it; empty
    where it asks but one, or where they ask the same of the same. `conversation` is what came
    before the text."""
    told, asked = questions_in(whole.text, whole.language)
    if not asked or offers_options(whole.text):
        return ()
    talk = conversation()
    if told:
        talk.read(told)
    found: dict[tuple[object, ...], Question] = {}
    for own in (*_left_open(whole, asked), *asked):
        question = wanted(talk.read(own))
        asks = question.mentions and (question.form != Form() or is_sure(question))
        if asks or question.aside:
            found.setdefault(_asks(question), question)
    answered_by_lists = any(map(_lists_drugs, found.values()))
    apart = [q for q in found.values() if not (answered_by_lists and _weighs_what_is_taken(q))]
    apart = [q for q in apart if not any(_asks_within(q, other) for other in apart)]
    of_records = any(question.aside not in OF_NO_RECORD for question in apart)
    return tuple(apart) if len(apart) > 1 and of_records else ()


def _left_open(whole: Question, asked: Sequence[str]) -> tuple[str, ...]:
    """Whether what is told to be at hand, or offered, may be taken, of which no question speaks:
    "my husband has some trimethoprim left, and his mother says just take that"; all of it where a
    question is about "each of the three"."""
    spoken_of = lower(" ".join(asked))
    of_all = pattern("all_of_those", whole.language).search(spoken_of)
    may = words(whole.language)["may"]
    return tuple(
        may.format(drug=mention.text)
        for mention in whole.of_concept("drug")
        if (mention.role, mention.experiencer) == ("asked", "patient")
        and mention.status != "absent"
        and lower(mention.text) not in spoken_of
        and (
            of_all or pattern("at_hand", whole.language).search(lower(whole.text[: mention.start]))
        )
    )


OF_NO_RECORD = ("service", "trade", "errand", "outlook", "decide")
"""What is asked beside illnesses and medicines: a text of nothing else is answered as one."""


def is_sure(question: Question) -> bool:
    """Whether anything is asked for in words."""
    return any(intent.sure for intent in question.intents)


def _lists_drugs(question: Question) -> bool:
    return any(intent.label in ("drug", "treatment") for intent in question.intents)


def _weighs_what_is_taken(question: Question) -> bool:
    """Whether it is asked how something goes with what is taken: "does it go with metformin?"."""
    substances = question.of_concept(*SUBSTANCES)
    weighs = {intent.label for intent in question.intents} <= {"interaction", "contraindication"}
    return weighs and bool(substances) and all(m.role == "taken" for m in substances)


def _asks(question: Question) -> tuple[object, ...]:
    """What tells a question from another: what is asked, and of what."""
    labels = frozenset(intent.label for intent in question.intents)
    return (
        labels,
        question.aside,
        question.form.kind,
        frozenset(m.entity for m in question.mentions),
    )


def _asks_within(one: Question, other: Question) -> bool:
    """Whether a question asks the same as another, of less: "where does the pen go, and how long do
    I hold it"."""
    what, of_which = _asks(one)[:-1], {m.entity for m in one.mentions}
    return what == _asks(other)[:-1] and of_which < {m.entity for m in other.mentions}


def joined(whole: Question, parts: Sequence[Question]) -> Question:
    """The whole text as asking what its parts do; what it tells of the person stays as it is."""
    if not parts:
        return whole
    intents: dict[str, Intent] = {}
    for part in parts:
        for intent in part.intents:
            intents.setdefault(intent.label, intent)
    forms = [part.form for part in parts if part.form != Form()]
    form = forms[0] if len(forms) == 1 else Form()
    return replace(whole, intents=tuple(intents.values()), form=form, aside="", bound=())
