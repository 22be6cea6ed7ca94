"""What a question only offers to choose from is nobody's complaint: no danger of anybody.

"Which one is a symptom of cleft lip? 1. Purpura 2. Stuttering" tells of no rash. It must be a
question of nothing but relations: of each of its words it is known that it tells of no person.
"""

from __future__ import annotations

from dataclasses import replace

from medweave.language.folding import lower
from medweave.model.question import Question
from medweave.vocabulary.knowledge import Knowledge


def without_danger_offered(question: Question, knowledge: Knowledge) -> Question:
    """The question without signs of danger that are read in what it offers alone."""
    if not question.danger:
        return question
    from medweave.understanding.graph_question import read_graph_question
    from medweave.understanding.graph_question_items import options_of

    text, named = question.text, knowledge.dictionary
    stem, options = options_of(text, question.mentions, named, question.language)
    if not options:
        return question
    told = lower(stem)
    kept = tuple(
        sign for sign in question.danger
        if not sign.words or any(lower(words) in told for words in sign.words)
    )  # fmt: skip
    if kept == question.danger:
        return question
    read = read_graph_question(question, knowledge)
    return replace(question, danger=kept) if read and read.form == "choice" else question
