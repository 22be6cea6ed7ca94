"""What texts of the base say, sentence by sentence, where statements do not say it, or not why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from medweave.answering.draft import Draft
from medweave.contributors.contributor import QuestionState
from medweave.model.question import EVERYDAY, OF_NO_KIND, SUBSTANCES, Patient, Question
from medweave.retrieval.passages.question_kinds import (
    asks_leave,
    content_terms,
    without_asking,
)
from medweave.retrieval.passages.ranking import question_stems

if TYPE_CHECKING:
    from medweave.retrieval.passages.other_names import NamesOf
    from medweave.retrieval.passages.ranking import FoundPassages
    from medweave.retrieval.passages.sentences import Extract

_CANDIDATES = 12
"""So many passages whose sentences are ranked."""
_LOOKED_AT = 8
"""So many of the best sentences are looked at for what they speak of."""
_OF_ANOTHER, _OF_KIN = 1.0, 2.0
"""What a sentence loses that names another disease; and one that is called alike, as another cancer
is. See decision 551."""
_OF_USE = frozenset({"dose", "contraindication", "interaction", "avoid"})
"""What is asked before somebody takes something: a passage alone is no answer."""

_TEXTS_KNOW = ("outlook", "history", "prevalence", *OF_NO_KIND, "grade", *EVERYDAY)
"""What records do not hold, and texts may."""


@dataclass(frozen=True, slots=True)
class Passages:
    """The passages of a base: `found` are so many for a question, with its things' other names."""

    found: Callable[[str, int, NamesOf], FoundPassages]

    def find(self, asked: QuestionState) -> None:
        """Nothing is shared: they are looked for where all others have nothing to say."""

    def say(self, draft: Draft, asked: QuestionState) -> None:
        """The sentences that answer; what was missing for want of statements is then not told.

        Where statements answer, and it is asked how or why, they are told beside these.
        """
        question = asked.question
        beside = _has_answer(draft)
        if not _wanted(question) or (beside and not _wants_more(draft, question)):
            return
        from medweave.contributors.extracts import say_extracts, say_where_texts_differ, to_say
        from medweave.contributors.named_drugs import hold_against
        from medweave.retrieval.passages.sentences import ranked_extracts

        names = _names(asked)
        found = self.found(question.text, _CANDIDATES, names)
        unnamed = [name for name in names if not found.speaks_of(name)]
        neighbours: tuple[str, ...] = ()
        if unnamed and len(unnamed) == len(names):
            neighbours = _neighbours(draft, asked)
            found = self.found(question.text, _CANDIDATES, dict.fromkeys(names, neighbours))
            if not any(found.speaks_of(name) for name in unnamed):
                return
        ranked = ranked_extracts(found)
        each = [(name, *others) for name, others in names.items()]
        ranked = _disease_of_question_first(ranked, asked)
        own = [extract for extract in ranked if extract.language == question.language]
        chosen = to_say(own, found, each, _properties(question))
        if not chosen:  # other languages may have what its own has not
            chosen = to_say(ranked, found, each, _properties(question))
        if not chosen:
            return
        quoted = (extract.text for extract in chosen)
        hold_against(quoted, draft, asked.inferred.facts, asked.knowledge)
        if draft.stops:
            return  # what stops a drug that the texts name is told, and not that they name it
        if not beside:
            draft.missing.clear()
            draft.direct.clear()
            draft.unmet = 0
        say_extracts(draft, chosen, found)
        say_where_texts_differ(draft, chosen, ranked)
        if unnamed:
            draft.add_missing("not_in_texts", list=draft.wording.join(unnamed))
        near = [name for name in neighbours if _named(name, chosen)]
        if near:
            draft.add_missing("recorded_beside", list=draft.wording.join(near))


def _names(asked: QuestionState) -> dict[str, tuple[str, ...]]:
    """The things of a question as it calls them, with all their names: but for those that say less
    than the question does, as "celiac" does of celiac disease."""
    found = {}
    for mention in asked.question.mentions:
        own = set(content_terms(mention.text))
        names = asked.knowledge.entities.get(mention.entity).all_names()
        found[mention.text] = tuple(name for name in names if not own > set(content_terms(name)))
    return found


def _neighbours(draft: Draft, asked: QuestionState) -> tuple[str, ...]:
    """What statements have answered with: in the graph it stands beside what is asked about."""
    ends = {end for one in draft.statements.values() for end in one.statement.entities}
    ends -= {mention.entity for mention in asked.question.mentions}
    held = asked.knowledge.entities.all(sorted(ends)).values()
    return tuple(dict.fromkeys(each.name(asked.question.language) for each in held))


def _disease_of_question_first(ranked: Sequence[Extract], asked: QuestionState) -> list[Extract]:
    """The best sentences in order; those count less that name another disease, and not the one
    asked about by any of its names.

    What holds of the colon is no answer about the breast, however alike the words are. Where all
    others are far worse, it is said: it names what it speaks of.
    """
    from medweave.retrieval.passages.sentences import in_order

    diseases = asked.question.of_concept("disease")
    if not diseases:
        return list(ranked)
    names = [
        frozenset(content_terms(name))
        for mention in diseases
        for name in (mention.text, *asked.knowledge.entities.get(mention.entity).all_names())
    ]
    own = frozenset(stem for name in names for stem in name)

    def less(extract: Extract) -> float:
        if any(name and name.issubset(extract.terms) for name in names):
            return 0.0
        found = asked.knowledge.dictionary.find(extract.text)
        named = (extract.text[m.start : m.end] for m in found if m.named[0].concept == "disease")
        others = [stems for each in named if not (stems := set(content_terms(each))) <= own]
        if any(stems & own for stems in others):
            return _OF_KIN
        return _OF_ANOTHER if others else 0.0

    best = [replace(each, score=each.score - less(each)) for each in ranked[:_LOOKED_AT]]
    return in_order([*best, *ranked[_LOOKED_AT:]])


def _named(name: str, extracts: Sequence[Extract]) -> bool:
    stems = set(content_terms(name))
    return any(stems.issubset(content_terms(extract.text)) for extract in extracts)


def _wants_more(draft: Draft, question: Question) -> bool:
    """Whether more than statements is asked for, in general and not for one person."""
    from medweave.retrieval.passages.fitting import asks_to_explain

    of_one = draft.stops or draft.candidates or draft.assessment or draft.weighing
    told_of_one = draft.drugs and question.patient != Patient()
    return not (of_one or told_of_one) and asks_to_explain(question.text)


def _has_answer(draft: Draft) -> bool:
    parts = (draft.sentences, draft.stops, draft.drugs, draft.candidates, draft.rows)
    return any(parts) or draft.weighing is not None or draft.assessment is not None


def _properties(question: Question) -> frozenset[str]:
    """The stems of the words that ask for a property ("diet"), where one is asked for; reasons are
    told in many words."""
    from medweave.retrieval.passages.fitting import asks_to_explain

    if asks_to_explain(question.text) or not question.sure_labels:
        return frozenset()
    every = content_terms(without_asking(question.text))
    return frozenset(every).difference(question_stems(question.text))


def _wanted(question: Question) -> bool:
    """Whether a text may answer: not where help comes first, nor where leave is asked to take
    something, nor of what is no question about medicine."""
    if question.in_danger or question.aside not in ("", *_TEXTS_KNOW):
        return False
    if not question.asks or question.form.weighs_drugs:
        return False
    labels = question.sure_labels
    substances = question.of_concept(*SUBSTANCES)
    of_use = substances and labels & _OF_USE
    return not (of_use or asks_leave(question.text))
