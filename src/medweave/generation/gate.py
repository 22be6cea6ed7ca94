"""Each sentence of a model is held against the base, and against what is known of the person."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from medweave.generation.asking import Asker
from medweave.generation.context import Context
from medweave.generation.prompts import judge_prompt
from medweave.generation.unread import unread_words
from medweave.language.sentences import sentences
from medweave.model.answer import Answer
from medweave.model.claim import Reason, Verdict, Verified
from medweave.model.question import SUBSTANCES
from medweave.model.statement import Literal, SupportedStatement

Verify = Callable[[str], Verified]
_AGAINST = frozenset({"contraindicated_in", "caution_in", "interacts_with", "has_side_effect"})
"""What may be said of a drug that is stopped."""
_USES = frozenset({"used_for", "used_to_prevent", "protects_from", "improves"})
_NEVER_SHOWN: tuple[Reason, ...] = ("dose",)
"""Such a sentence is taken out also where others are only marked."""
_NOT_WORDS = re.compile(r"\W+")


@dataclass(frozen=True, slots=True)
class Judged:
    """A sentence, and what it rests on."""

    text: str
    verdict: Verdict
    statements: tuple[str, ...] = ()
    reason: Reason | None = None
    is_unsafe: bool = False
    """Whether it may not even be shown as unsupported."""


class Gate:
    """Holds sentences against a base by `verify`; it can only be made stricter."""

    def __init__(self, verify: Verify, context: Context, answer: Answer, asker: Asker) -> None:
        self._verify = verify
        self._context = context
        self._asker = asker
        self._topic = {*context.entities, *(m.entity for m in answer.question.mentions)}
        self._stopped = {
            stop.entity.id for stop in context.stops if stop.status == "applies" and stop.hard
        }
        self._doubtful = {stop.entity.id for stop in context.stops if stop.hard}
        question = answer.question
        self._of_a_person = bool(answer.taken or question.patient != type(question.patient)())
        self._before_medicines = bool(question.to_rule_out)

    def judged(self, text: str) -> Judged:
        """A sentence with its verdict."""
        checked = self._verify(text)
        found: dict[str, SupportedStatement] = {}
        wrong: Reason | None = None
        good = 0
        for claim in checked.claims:
            own = {each: checked.statements[each] for each in claim.statements}
            reason = claim.reason if not claim.supported else self._off_topic(own)
            if reason in ("unknown", "entity"):
                quoted = self._quoted(claim.text)
                own, reason = (quoted, None) if quoted else (own, reason)
            if reason is None:
                good += 1
                found.update(own)
            else:
                wrong = wrong or reason
        if not checked.claims:
            wrong = "unknown"
        if unsafe := self._unsafe(text, tuple(found.values())):
            return Judged(text, "unsupported", (), unsafe, is_unsafe=True)
        self._context.name(found.values())
        if wrong is not None:
            verdict: Verdict = "partly" if good else "unsupported"
            return Judged(text, verdict, (), wrong, is_unsafe=wrong in _NEVER_SHOWN)
        if unread_words(text, checked.language, found.values(), self._context.entities):
            return Judged(text, "partly", (), "unknown")
        if self._judge_denies(text, tuple(found.values())):
            return Judged(text, "unsupported", (), "unknown")
        self._context.take(found.values())
        return Judged(text, "supported", tuple(found))

    def _off_topic(self, own: dict[str, SupportedStatement]) -> Reason | None:
        """What is true, and of something that nobody asked about, is no answer."""
        named = {entity for each in own.values() for entity in each.statement.entities}
        return None if named & self._topic else "entity"

    def _quoted(self, text: str) -> dict[str, SupportedStatement]:
        """The statements that hold a sentence word for word, as a whole sentence of theirs."""
        wanted = _bare(text)
        for identifier, each in self._context.statements.items():
            value = each.statement.object
            classes = {item.evidence_class for item in each.affirmed}
            if isinstance(value, Literal) and classes - {"dialogue", "model"} and not each.denied:
                said = (sentence for _, _, sentence in sentences(str(value.value)))
                if any(_bare(one) == wanted for one in said):
                    return {identifier: each}
        return {}

    def _unsafe(self, text: str, rests: Sequence[SupportedStatement]) -> Reason | None:
        """Why a sentence may not be said of this person, whatever the base has."""
        named = self._named(text)
        drugs = {e for e in named if self._is_substance(e)}
        against = bool(rests) and all(
            each.statement.predicate in _AGAINST or (each.denied and not each.affirmed)
            for each in rests
        )
        if drugs & self._stopped and not against:
            return "negation"
        used = {
            entity
            for each in rests
            if each.statement.predicate in _USES
            for entity in each.statement.entities
            if self._is_substance(entity)
        }
        if used and self._before_medicines:
            return "negation"
        if self._of_a_person and used & self._doubtful:
            return "negation"  # what would have to be asked first is no part of the sentence
        if self._of_a_person and used - self._context.reviewed:
            return "entity"  # nobody has held it against the person
        return None

    def _named(self, text: str) -> set[str]:
        matches = self._context.knowledge.dictionary.find(text)
        return {same for each in matches for n in each.named for same in self._same(n.entity)}

    def _same(self, entity: str) -> frozenset[str]:
        return frozenset({entity, *self._context.knowledge.same(entity)})

    def _is_substance(self, entity: str) -> bool:
        held = self._context.entities.get(entity)
        concept = held.concept if held else self._context.knowledge.entities.get(entity).concept
        return concept in SUBSTANCES

    def _judge_denies(self, text: str, rests: Sequence[SupportedStatement]) -> bool:
        """Whether a model that judges, where there is one, finds that a sentence says more."""
        if self._asker.model_of("judge") is None:
            return False
        context = Context(self._context.knowledge, self._context.language)
        context.take(rests)
        reply = self._asker.fill("judge", judge_prompt(text, list(context.listed())))
        return reply is not None and reply["answer"] == "unsupported"


def _bare(text: str) -> str:
    return _NOT_WORDS.sub(" ", text).strip().casefold()
