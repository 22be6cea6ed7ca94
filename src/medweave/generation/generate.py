"""An answer by rule, said by a language model as far as the base supports its words.

Danger, stops, and every statement of the answer by rule stay as they are. The model is asked last,
each of its sentences is held against the base before anybody sees it, and whatever goes wrong, the
answer by rule stands.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from medweave.generation.asking import ANSWER, Asker
from medweave.generation.context import Context
from medweave.generation.finding import Reading, add_things, find_more, sub_questions
from medweave.generation.gate import Gate, Judged, Verify
from medweave.generation.prompts import words_prompt
from medweave.generation.strategies.strategy import ALONE, OURS
from medweave.generation.words import SentenceStream
from medweave.model.answer import RETRIEVED, SAID_BY_MODEL, Answer, Sentence, Term
from medweave.model.answer_json import AnswerForm
from medweave.model.configuration import Role
from medweave.model.generated import CheckedClaim, Generated, ModelUse
from medweave.model.json_form import plain
from medweave.model.steps import Step
from medweave.ports import LanguageModel
from medweave.sources.dialogues.masking import Masking
from medweave.vocabulary.knowledge import Knowledge

_FIRST = ("stop", "yes_no")
"""What rules say before a model says anything."""
_MAY_BE_RETOLD = frozenset(
    {"symptom", "cause", "complication", "test", "description", "shown_by", "indication", "class",
     "prevention", "side_effect", "side_effect_of"}
)  # fmt: skip
"""What a model may say in place of rules, once it has said all of it."""
_NO_QUESTION = ("animal", "picture", "file", "ambulance")


@dataclass(frozen=True, slots=True)
class Rules:
    """What rules can do for a question: the rest of the program, as far as a model needs it."""

    knowledge: Knowledge
    verify: Verify
    reading: Reading


Generation = Generator[tuple[Sentence, Answer], None, Answer]
"""The sentences of an answer in order, each with the answer so far; at the end, all of it."""


def generate(
    by_rules: Answer,
    rules: Rules,
    models: Mapping[Role, LanguageModel],
    use: ModelUse,
    *,
    as_it_comes: bool = False,
) -> Generation:
    """An answer by rule as models say it. No sentence is taken back; `as_it_comes` gives them while
    the model still speaks."""
    asker = Asker(_models_in_use(models, by_rules), use)
    made = _Making(by_rules, Context(rules.knowledge, by_rules.question.language))
    for sentence in by_rules.sentences:
        if sentence.intent in _FIRST:
            yield made.say(sentence)
    if alone := _rules_alone(by_rules):
        asker.fell_back(ANSWER, alone)
    else:
        yield from _by_model(made, rules, asker, as_it_comes=as_it_comes)
    for sentence in by_rules.sentences:
        retrieved = sentence.intent == RETRIEVED and made.is_answered
        if sentence.intent not in _FIRST and not retrieved and not made.has_retold(sentence):
            yield made.say(sentence)
    return made.finished(asker)


def whole(said: Generation) -> Answer:
    """The answer that comes of it, once all is said."""
    while True:
        try:
            next(said)
        except StopIteration as end:
            answer: Answer = end.value
            return answer


@dataclass(frozen=True, slots=True)
class Piece:
    """Of an answer what has come so far: the answer by rule at first, without a `sentence`; then
    each sentence as it is said; at the end all of it, `whole`."""

    answer: Answer
    sentence: Sentence | None = None
    whole: bool = False
    steps: tuple[Step, ...] = ()
    """The steps that no piece before had: a model may ask in between."""


def in_pieces(by_rules: Answer, said: Generation | None) -> Iterator[Piece]:
    """An answer as it comes; without a model, the answer by rule."""
    yield Piece(by_rules, steps=by_rules.steps if said is None else ())
    answer = by_rules
    before = by_rules if said is None else replace(by_rules, steps=())  # a model may ask others
    if said is None:
        yield from (Piece(by_rules, sentence) for sentence in by_rules.sentences)
    else:
        while True:
            try:
                sentence, so_far = next(said)
            except StopIteration as end:
                answer = end.value
                break
            yield Piece(so_far, sentence, steps=_new_steps(so_far, before))
            before = so_far
    yield Piece(answer, whole=True, steps=_new_steps(answer, before))


def _new_steps(answer: Answer, before: Answer) -> tuple[Step, ...]:
    return tuple(step for step in answer.steps if step not in before.steps)


def events_of(piece: Piece) -> Iterator[tuple[str, Any]]:
    """What has come of an answer, as the events that are told of it: (event, value)."""
    form = AnswerForm(piece.answer)
    if piece.sentence is None and not piece.whole:
        yield "danger", plain(piece.answer.danger)
    yield from (("step", form.step(step)) for step in piece.steps)
    if piece.sentence is not None:
        yield "sentence", form.sentence(piece.sentence)
    if piece.whole:
        yield "answer", form.to_json()


def parts_that_ask(
    models: Mapping[Role, LanguageModel], by_rules: Answer, use: ModelUse
) -> list[str]:
    """The parts for which a model may be asked, in their order."""
    if _rules_alone(by_rules) or use.calls == 0:
        return []
    models = _models_in_use(models, by_rules)
    helps = ["decompose", "triples", "prune", *(["supplement"] if use.supplement else [])]
    has = [*(helps if "decompose" in models else []), *([ANSWER] if ANSWER in models else [])]
    return [*has, *(["judge"] if "judge" in models and ANSWER in models else [])]


def _models_in_use(
    models: Mapping[Role, LanguageModel], by_rules: Answer
) -> Mapping[Role, LanguageModel]:
    """The models without that which helps to find, where another strategy than ours has found."""
    if by_rules.strategy == OURS:
        return models
    return {role: model for role, model in models.items() if role != "decompose"}


def _rules_alone(answer: Answer) -> str:
    """Why no model is asked; '' where one may be."""
    question = answer.question
    if question.in_crisis or question.helps_first:
        return "help comes first: that is said by rules alone"
    if question.aside in _NO_QUESTION:
        return "nothing is asked that a record could answer"
    return "a letter on several persons is answered by rules alone" if answer.others else ""


def _by_model(
    made: _Making, rules: Rules, asker: Asker, *, as_it_comes: bool
) -> Generator[tuple[Sentence, Answer], None, None]:
    by_rules, context = made.by_rules, made.context
    question = Masking([by_rules.question.text]).masked(by_rules.question.text)
    made.parts = sub_questions(question, asker) if asker.model_of("decompose") else (question,)
    if asker.model_of("decompose"):
        made.steps = find_more(made.parts, by_rules, rules.reading, context, asker)
        if asker.use.supplement:
            add_things(question, by_rules, context, asker)
    if asker.model_of(ANSWER) is None:
        return
    if not context.statements and by_rules.strategy != ALONE:
        asker.fell_back(ANSWER, "the base has nothing on this that could be cited")
        return
    told = [fact.text for fact in by_rules.taken]
    stops = [stop.to_json(context.language)["name"] for stop in context.stops]
    records = list(context.listed()) if by_rules.strategy != ALONE else []
    prompt = words_prompt(question, context.language, records, told, list(dict.fromkeys(stops)))
    gate = Gate(rules.verify, context, by_rules, asker)
    stream = SentenceStream()
    for piece in asker.say(prompt, as_it_comes=as_it_comes):
        for text in stream.take(piece):
            yield from made.judge(gate.judged(text), asker.use)
    if any(each.role == ANSWER for each in asker.fallback):
        return  # what is left is no whole sentence
    for text in stream.rest():
        yield from made.judge(gate.judged(text), asker.use)
    if not made.is_answered:
        said = "nothing that it said is in the base" if made.claims else "it said nothing"
        asker.fell_back(ANSWER, said)


class _Making:
    """An answer in the making: it only grows."""

    def __init__(self, by_rules: Answer, context: Context) -> None:
        self.by_rules = by_rules
        self.context = context
        self.parts: tuple[str, ...] = ()
        self.steps = by_rules.steps
        self.sentences: list[Sentence] = []
        self.claims: list[CheckedClaim] = []
        self._retold: set[str] = set()
        context.take_answer(by_rules)

    def say(self, sentence: Sentence) -> tuple[Sentence, Answer]:
        """One more sentence, and the answer so far."""
        self.sentences.append(sentence)
        return sentence, self._so_far()

    def judge(
        self, judged: Judged, use: ModelUse
    ) -> Generator[tuple[Sentence, Answer], None, None]:
        """Say a sentence of a model, mark it, or leave it out."""
        supported = judged.verdict == "supported"
        shown = supported or (use.gate == "mark" and not judged.is_unsafe)
        said = {each.text for each in self.sentences}
        shown = shown and judged.text not in said
        place = len(self.sentences) if shown else None
        self.claims.append(
            CheckedClaim(judged.text, place, judged.verdict, judged.statements, judged.reason)
        )
        if not shown:
            return
        self._retold.update(judged.statements)
        yield self.say(
            Sentence(
                judged.text,
                judged.statements,
                SAID_BY_MODEL,
                unsupported=not supported,
                added=tuple(Term(thing, name) for thing, name in self.context.added.items()),
            )
        )

    @property
    def is_answered(self) -> bool:
        """Whether a model said anything that is supported."""
        return any(claim.verdict == "supported" for claim in self.claims)

    def has_retold(self, sentence: Sentence) -> bool:
        """Whether a model has said all that a sentence of rules rests on."""
        retold = sentence.statements and self._retold.issuperset(sentence.statements)
        return bool(retold) and sentence.intent in _MAY_BE_RETOLD

    def finished(self, asker: Asker) -> Answer:
        """The whole answer, with what became of the model's part in it."""
        made = Generated(
            next(
                (model.id for part in (ANSWER, "decompose") if (model := asker.model_of(part))), ""
            ),
            self.parts,
            tuple(self.claims),
            tuple(asker.fallback),
            asker.usage,
            asker.seconds,
            "\n".join(asker.thoughts),
        )
        answer = replace(self._so_far(), generated=made)
        if answer.status == "abstained" and self.is_answered:
            return replace(answer, status="partial")
        return answer

    @property
    def _is_said_by_model(self) -> bool:
        return any(sentence.intent == SAID_BY_MODEL for sentence in self.sentences)

    def _so_far(self) -> Answer:
        context = self.context
        return replace(
            self.by_rules,
            steps=self.steps,
            sentences=tuple(self.sentences),
            parts=() if self._is_said_by_model else self.by_rules.parts,
            statements=dict(context.statements),
            beliefs=dict(context.beliefs),
            entities=dict(context.entities),
            documents=dict(context.documents),
        )
