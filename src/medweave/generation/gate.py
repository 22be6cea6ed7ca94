"""Each sentence of a model is held against the base, and against what is known of the person.

Words that neither its claims nor what they rest on account for were held against nothing:
"because vampires bite".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from medweave.claims.rules import rules_of
from medweave.generation.asking import Asker
from medweave.generation.context import Context
from medweave.generation.prompts import judge_prompt
from medweave.language.segmentation import stop_keys
from medweave.language.sentences import sentences
from medweave.language.stems import stem_of
from medweave.model.answer import Answer
from medweave.model.claim import Reason, Verdict, Verified
from medweave.model.entity import Entity
from medweave.model.question import SUBSTANCES
from medweave.model.statement import Literal, SupportedStatement

Verify = Callable[[str], Verified]
_AGAINST = frozenset({"contraindicated_in", "caution_in", "interacts_with"})
"""Where a source denies this, that speaks for a drug."""
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
        self._topic = {
            *context.entities.keys() - context.beside,
            *(m.entity for m in answer.question.mentions),
        }
        self._asked = {mention.entity for mention in answer.question.mentions}
        self._stopped = {
            stop.entity.id for stop in context.stops if stop.status == "applies" and stop.hard
        }
        self._doubtful = {stop.entity.id for stop in context.stops if stop.hard}
        question = answer.question
        told = any(each.how != "supposed" for each in answer.taken)
        self._of_a_person = told or question.patient != type(question.patient)()
        self._before_medicines = bool(question.to_rule_out)

    def judged(self, text: str) -> Judged:
        """A sentence with its verdict."""
        checked = self._verify(text)
        quoted = self._quoted(text)
        if quoted and not any(claim.reason == "dose" for claim in checked.claims):
            return self._let_through(text, quoted, checked)
        found: dict[str, SupportedStatement] = {}
        wrong: Reason | None = None
        good = 0
        for claim in checked.claims:
            own = {each: checked.statements[each] for each in claim.statements}
            reason = claim.reason if not claim.supported else self._off_topic(own, text)
            if reason is None:
                good += 1
                found.update(own)
            else:
                wrong = wrong or reason
        if not checked.claims:
            wrong = "unknown"
        self._context.entities.update(checked.entities)
        if wrong is not None:
            verdict: Verdict = "partly" if good else "unsupported"
            unsafe = self._unsafe(text, tuple(found.values()))
            is_unsafe = wrong in _NEVER_SHOWN or unsafe is not None
            return Judged(text, verdict, (), wrong, is_unsafe)
        if self._says_more(text, checked.language, tuple(found.values())):
            return Judged(text, "partly", (), "unknown")
        return self._let_through(text, found, checked)

    def is_allowed(self, text: str, rests: SupportedStatement) -> bool:
        """Whether a statement in words may be said of this person."""
        return self._unsafe(text, (rests,)) is None

    def _let_through(
        self, text: str, found: dict[str, SupportedStatement], checked: Verified
    ) -> Judged:
        """What the base has is said, unless it is not for this person, or a judge denies it."""
        if unsafe := self._unsafe(text, tuple(found.values())):
            return Judged(text, "unsupported", (), unsafe, is_unsafe=True)
        if self._judge_denies(text, tuple(found.values())):
            return Judged(text, "unsupported", (), "unknown")
        self._context.take(found.values(), checked.documents)
        return Judged(text, "supported", tuple(found))

    def _says_more(self, text: str, language: str, rests: Sequence[SupportedStatement]) -> bool:
        """Whether a sentence has words that were held against nothing."""
        things = {same for each in rests for e in each.statement.entities for same in self._same(e)}
        if any(map(_is_step, rests)):
            things |= self._topic
        names = [
            text[match.start : match.end]
            for match in self._context.knowledge.dictionary.find(text)
            if any(named.entity in things for named in match.named)
        ]
        return bool(unread_words(text, language, rests, self._context.entities, names))

    def _off_topic(self, own: dict[str, SupportedStatement], text: str) -> Reason | None:
        """What is true, and of something that nobody asked about, is no answer."""
        named = {entity for each in own.values() for entity in each.statement.entities}
        if any(map(_is_step, own.values())):
            named |= self._named(text) & self._asked
        return None if named & self._topic else "entity"

    def _quoted(self, text: str) -> dict[str, SupportedStatement]:
        """The statement that holds a sentence word for word, as a whole sentence of its own; one
        that does not name its subject only where the question is about nothing else."""
        wanted, named = _bare(text), self._named(text)
        for identifier, each in self._context.statements.items():
            value = each.statement.object
            classes = {item.evidence_class for item in each.affirmed}
            if isinstance(value, Literal) and classes - {"dialogue", "model"} and not each.denied:
                same = self._same(each.statement.subject)
                if not (named & same or self._asked <= same):
                    continue
                said = (sentence for _, _, sentence in sentences(str(value.value)))
                if any(_bare(one) == wanted for one in said):
                    return {identifier: each}
        return {}

    def _unsafe(self, text: str, rests: Sequence[SupportedStatement]) -> Reason | None:
        """Why a sentence may not be said of this person, whatever the base has."""
        named = self._named(text)
        drugs = {e for e in named if self._is_substance(e)}
        favours = any(
            _is_step(each) or each.statement.predicate in (_AGAINST if each.denied else _USES)
            for each in rests
        )
        if drugs & self._stopped and (favours or not rests):
            return "negation"
        used = {
            entity
            for each in rests
            if each.statement.predicate in _USES
            for entity in each.statement.entities
            if self._is_substance(entity)
        }
        used |= drugs if any(map(_is_step, rests)) else set()
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


def _is_step(each: SupportedStatement) -> bool:
    """Whether it is of a guideline: what gives a dose names the classification that it is for."""
    return each.statement.predicate == "has_classification"


def _bare(text: str) -> str:
    return _NOT_WORDS.sub(" ", text).strip().casefold()


_HAN = re.compile(r"[\u4e00-\u9fff]")
_WORD = re.compile(r"[^\W_]+(?:['’]\w+)?")
_OF_DOSES = frozenset({"per", "given", "mg", "kg", "ml", "daily"})
"""Doses are read by their own rules."""
_IN_PATTERN = re.compile(r"(?<!\\)(?<!\?P<)[a-z]{2,}")


def unread_words(
    sentence: str,
    language: str,
    statements: Iterable[SupportedStatement],
    entities: Mapping[str, Entity],
    names: Iterable[str] = (),
) -> list[str]:
    """Words that no name, no form of a claim and no text of its statements has. In Chinese, which
    is written without blanks, they are signs. `names` are those by which it calls its things.

    >>> unread_words("It is a symptom because vampires bite.", "en", (), {})
    ['vampires', 'bite']
    """
    texts = [*_texts(statements, entities), *names]
    if language == "zh":
        read = _signs_of_forms() | set("".join(texts))
        return [sign for sign in sentence if _HAN.match(sign) and sign not in read]
    known = _words_of_forms(language) | set(_stems(texts))
    words = _WORD.findall(sentence.lower())
    known |= _OF_DOSES
    return [word for word in words if word not in stop_keys() and not _is_known(word, known)]


def _is_known(word: str, known: frozenset[str] | set[str]) -> bool:
    return word in known or stem_of(word) in known or word.isdigit()


def _texts(
    statements: Iterable[SupportedStatement], entities: Mapping[str, Entity]
) -> Iterable[str]:
    for each in statements:
        for thing in each.statement.entities:
            yield from entities[thing].all_names() if thing in entities else ()
        if isinstance(each.statement.object, Literal):
            yield str(each.statement.object.value)
        yield from (str(value) for _, value in each.statement.qualifiers)
        yield from (item.quote for item in each.evidence)


def _stems(texts: Iterable[str]) -> Iterable[str]:
    for text in texts:
        for word in _WORD.findall(text.lower()):
            yield word
            yield stem_of(word)


@cache
def _words_of_forms(language: str) -> frozenset[str]:
    """Words by which the rules read a claim, and those that they pass over."""
    return frozenset(_stems(" ".join(_IN_PATTERN.findall(each)) for each in _patterns(language)))


@cache
def _signs_of_forms() -> frozenset[str]:
    return frozenset("".join(_patterns("zh")))


def _patterns(language: str) -> list[str]:
    rules = rules_of(language)
    patterns = [form.pattern.pattern for form in rules.forms]
    others = (rules.filler, rules.denying, rules.absolute, rules.first_line, rules.allergy,
              *rules.severity.values(), *rules.age.values())  # fmt: skip
    return [*patterns, *(each.pattern for each in others)]
