"""How an open base answers: by rule, with who contributes beside its statements, and by a model."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from medweave.answering.compose import CANDIDATES
from medweave.answering.stores import with_stores
from medweave.app import cached_replies
from medweave.errors import ConfigurationError
from medweave.language.segmentation import language_of
from medweave.model.answer import Answer
from medweave.model.configuration import ROLES
from medweave.model.passage import NOTED
from medweave.opened_base import OpenedBase
from medweave.pipeline import ask, message, message_by_rules, of_one
from medweave.understanding.question import models_of, understand

if TYPE_CHECKING:
    from medweave.contributors.contributor import Contributor
    from medweave.generation.generate import Generation, Rules
    from medweave.model.claim import Verified
    from medweave.model.generated import ModelUse
    from medweave.model.question import Question
    from medweave.model.similar import Message, Similar, SimilarHow
    from medweave.model.statement import SupportedStatement
    from medweave.model.steps import Subgraph
    from medweave.retrieval.graph.pruning import Found
    from medweave.retrieval.literature.semantic_context import SemanticContext
    from medweave.retrieval.passages.other_names import NamesOf
    from medweave.retrieval.passages.ranking import FoundPassages


@dataclass(frozen=True)
class AskRequest:
    """A question as it was put: its words, what was said before, the guideline that is named."""

    text: str
    guideline: str = ""
    candidates: int = CANDIDATES
    history: Sequence[str] = ()
    use: ModelUse | None = None

    @property
    def turns(self) -> tuple[str, ...]:
        """All that was said, the question last."""
        return (*self.history, self.text)


def by_rule(base: OpenedBase, request: AskRequest) -> Answer:
    """The answer by rule, or with what another strategy finds, where one is named; of several
    stores, with what became of each."""
    answer = ask(
        request.text,
        base.knowledge,
        candidates=request.candidates,
        configuration=base.configuration,
        nearness=base.nearness,
        vectors=base.sentence_vectors,
        history=request.history,
        beside_statements=list(contributors_of(base, request.guideline)),
    )
    answer = _by_strategy(base, answer, request.use)
    return with_stores(answer, base.several.outcomes()) if base.several else answer


def generated(
    base: OpenedBase, answer: Answer, request: AskRequest, *, as_it_comes: bool = False
) -> Generation:
    """An answer by rule as a language model says it, as far as that is supported."""
    from medweave.app import models_of_question
    from medweave.generation.generate import generate
    from medweave.model.generated import MODEL_USE

    use = request.use or MODEL_USE
    models = models_of_question(base.language_model, base.configuration, use)
    return generate(answer, _rules(base, request), models, use, as_it_comes=as_it_comes)


def plan_of(base: OpenedBase, request: AskRequest) -> dict[str, object]:
    """What the language models would be asked, at most; none is."""
    from medweave.generation.plan import planned
    from medweave.model.generated import MODEL_USE

    names = {role: base.configuration.model_of(role) for role in ROLES}
    replies = {
        role: cached_replies(name.id, name.url) for role, name in names.items() if name.provider
    }
    if own := base.language_model:
        replies = dict.fromkeys(("decompose", "answer"), cached_replies(own.id))
    return planned(by_rule(base, request), _rules(base, request), replies, request.use or MODEL_USE)


def understood(base: OpenedBase, text: str) -> Question:
    """What a text mentions, of whom, and what it asks."""
    alone = partial(
        understand,
        knowledge=base.knowledge,
        models=models_of(base.configuration),
        nearness=base.nearness,
        vectors=base.sentence_vectors,
    )
    return alone(text, about=of_one(text, alone).about)


def verified(base: OpenedBase, text: str) -> Verified:
    """What a text claims, and what of the base and its guidelines says or denies it."""
    from medweave.claims.verify import verify

    opened = base.guidelines_for(base.guideline_beside)
    guidelines = [(each.reader.graph.guideline, each.supports()) for each in opened]
    checked = verify(text, base.knowledge, guidelines)
    return replace(checked, heard=base.heard(checked.language))


def message_of(base: OpenedBase, text: str) -> Message:
    """What a message says by sections, and what it asks for."""
    return message(text, base.knowledge, configuration=base.configuration, model=base.model())


def similar_to(base: OpenedBase, text: str, k: int, how: SimilarHow | None) -> Similar:
    """The past dialogues most like a message. Signs of danger are told first; in a crisis there
    is nothing else."""
    from medweave.answering.danger import sign_in_words, whom_to_call
    from medweave.model.similar import SIMILAR_HOW, Similar
    from medweave.understanding.danger.find import danger_signs_alone

    asked, how_answered = message_of(base, text), base.configuration
    text = asked.text  # as it was read
    signs = danger_signs_alone(text, asked.language, how_answered)
    danger = tuple(sign_in_words(sign, asked.language) for sign in signs)
    call = whom_to_call(signs, asked.language, how_answered.emergency, how_answered.crisis)
    if any(sign.kind == "crisis" for sign in signs):
        return Similar((), "text", language=asked.language, danger=danger, emergency=call)
    found = base.past_dialogues().like(asked, k, how or SIMILAR_HOW)
    safety = _stops_in(base, text, found)
    missing = (*base.heard(asked.language).missing, *asked.missing, *found.missing)
    return replace(found, missing=missing, danger=danger, emergency=call, safety=safety)


def near_context(base: OpenedBase, text: str, language: str, k: int) -> SemanticContext:
    """What papers of the base say that is near to a text in meaning."""
    from medweave.retrieval.literature.semantic_context import NOTHING_NEAR, semantic_context

    embedder, index = base.embedder_of("relation", language), base.store.vectors()
    if embedder is None or index is None:
        return NOTHING_NEAR
    return semantic_context(embedder.embed([text]), index, base.store, k=k)


def passages_for(
    base: OpenedBase, text: str, k: int, names: NamesOf | None = None
) -> FoundPassages:
    """The passages of the base's texts that answer a question best."""
    from medweave.retrieval.passages.ranking import PassageSearch

    embedder = base.embedder_of("passage", language_of(text))
    index = base.store.vectors() if embedder else None
    embed = embedder.embed if embedder else None
    found = PassageSearch(base.store, index, embed).find(text, k=k, also=names)
    return replace(found, compared=base.sentence_vectors)


def contributors_of(base: OpenedBase, guideline: str) -> Iterator[Contributor]:
    """What answers beside statements: past dialogues and papers that are near, passages, and
    guidelines, where there are any."""
    if base.has_dialogues:
        from medweave.contributors.past_cases import PastCases

        yield PastCases(base.past_dialogues, message_by_rules)
    if base.has_relation_vectors:
        from medweave.contributors.near_papers import NearPapers

        yield NearPapers(lambda text, language: near_context(base, text, language, CANDIDATES))
    if base.store.note(NOTED):
        from medweave.contributors.passages import Passages

        yield Passages(lambda text, k, names: passages_for(base, text, k, names))
    named = bool(guideline)
    beside = not named and not base.has_guidelines
    name = base.guideline_beside if beside else guideline
    if name or not beside:
        from medweave.contributors.guidelines import Guidelines

        yield Guidelines(
            lambda: base.guidelines_for(name), named=named, beside=beside, nearness=base.nearness
        )


def _by_strategy(base: OpenedBase, answer: Answer, use: ModelUse | None) -> Answer:
    """An answer by rule, with what another strategy finds in place of ours, where one is named.

    Raises `ConfigurationError` where there is no such strategy, or it needs what is not there.
    """
    if use is None or use.strategy == answer.strategy:
        return answer
    from medweave.generation.strategies.answer import answer_of
    from medweave.generation.strategies.strategy import ALONE, Search, checked_name, retrieved

    name = checked_name(use.strategy)
    if name == ALONE and not base.answers_by_model:
        raise ConfigurationError(
            "there is no language model that could answer alone",
            where="strategy model",
            remedy="name one with --model, or in medweave.toml",
        )
    question = answer.question
    search = Search(
        question,
        base.knowledge,
        lambda k: _near_relations(base, question.text, question.language, k),
        base.nearness,
        lambda k: _dialogues_like(base, question.text, k),
    )
    found = retrieved(name, search)
    return answer_of(name, found, answer, search, lambda text: verified(base, text))


def _near_relations(
    base: OpenedBase, text: str, language: str, k: int
) -> list[SupportedStatement] | None:
    """The relations that are nearest to a text; None where there are no vectors of any."""
    embedder, index = base.embedder_of("relation", language), base.store.vectors()
    if embedder is None or index is None:
        return None
    [near] = index.search("relation", embedder.embed([text]), k)
    found = {each.statement.id: each for each in base.store.statements(n.key for n in near)}
    return [found[each.key] for each in near if each.key in found]


def _dialogues_like(base: OpenedBase, text: str, k: int) -> list[str]:
    """The documents of the past dialogues that are most like a message."""
    from medweave.model.similar import SIMILAR_HOW

    if not base.has_dialogues:
        return []
    found = base.past_dialogues().like(message_of(base, text), k, SIMILAR_HOW)
    return [each.document for each in found.dialogues]


def _rules(base: OpenedBase, request: AskRequest) -> Rules:
    """What rules can do for a question, behind what was said before and in it."""
    from medweave.generation.finding import Reading
    from medweave.generation.generate import Rules

    def answer(text: str, before: Sequence[str]) -> Answer:
        return by_rule(
            base, AskRequest(text, request.guideline, CANDIDATES, (*request.turns, *before))
        )

    def around(
        text: str, fed: Sequence[str], unrelated: Callable[[Found], Collection[str]]
    ) -> Subgraph | None:
        return _around(base, text, fed, unrelated)

    return Rules(base.knowledge, lambda text: verified(base, text), Reading(answer, around))


def _around(
    base: OpenedBase,
    text: str,
    fed: Sequence[str],
    unrelated: Callable[[Found], Collection[str]],
) -> Subgraph | None:
    """What lies around a question and some things, pruned."""
    from medweave.contributors.question_subgraph import loose_reading, subgraph_of_question

    question = understood(base, text)
    read = loose_reading(question, base.knowledge)
    return subgraph_of_question(
        question, read, base.knowledge, cosines=base.nearness, fed=fed, unrelated=unrelated
    )


def _stops_in(base: OpenedBase, text: str, found: Similar) -> Answer | None:
    """What stops drugs that dialogues name, for whoever writes a text."""
    from medweave.contributors.named_drugs import stops_of

    quoted = base.store.documents({one.document for one in found.dialogues})
    named = (said for document in quoted for _, said in document.fields)
    return stops_of(named, understand(text, base.knowledge), base.knowledge)
