"""What is said on the everyday use of a medicine: the words of sources, or that they have none."""

from __future__ import annotations

from medweave.answering.draft import Draft
from medweave.answering.practical import Advice, no_advice, say_practical
from medweave.language.data import rule_in_any
from medweave.model.material import BESIDE_A_HABIT, BESIDE_A_STATE, Looked, Material
from medweave.model.question import ALCOHOL, BY_HABIT, EVERYDAY, SUBSTANCES, Question
from medweave.model.statement import SupportedStatement

_MOST = 3
"""So many sentences of sources are told of one medicine."""
_ALWAYS = ("restart", "run_out", "ending", "doubled", "procedure", "switching", "vaccination",
           "conception", "weakened")  # fmt: skip
"""Where what to do is said beside what is recorded: it leaves open what hangs on the person."""
_WHERE_STOPPED = ("restart", "run_out", "ending", "doubled", "switching", "storage", "travel",
                  "procedure", "shared", "onset", "lasting", "monitoring", "mechanism",
                  "dependence", "conception", "weakened")  # fmt: skip
"""What is told of a medicine that is stopped for the person, too: it is no taking."""
_IN_WORDS = ("use_advice", "described_as", "practical_advice")
"""What sources say in sentences of a language."""
_OF_A_DRUG = ("use_advice", "used_for", "contraindicated_in", "interacts_with", "has_side_effect")
"""What may be recorded of a medicine."""


def say_everyday(
    draft: Draft, question: Question, material: Material, advice: Advice = no_advice
) -> None:
    """What is recorded of the part of its use that is asked about, other `advice` that answers it,
    or that there is none, and what to do then; not how to take what is stopped. What is recorded of
    a drink that is named beside a medicine is told whatever is asked: it says for how long it is
    left out."""
    kind = question.aside
    stopped = set() if kind in _WHERE_STOPPED else draft.stopped
    found = [item for item in material.everyday if _is_spoken(draft, item)]
    several = len({item.focus.entity for item in found}) > 1
    for item in found:
        if item.focus.entity in stopped and item.intent != BESIDE_A_HABIT:
            continue
        with draft.topic("dose", item.focus.entity):
            if item.predicate in _IN_WORDS:
                _quote(draft, item.statements, of=item.focus.entity if several else "")
            elif kind == "weakened":
                _say_what_weakens(draft, item.focus.entity, item.statements)
            else:
                _say_bearing(draft, item.focus.entity, item.predicate, item.statements)
    _say_when_behind_a_drink(draft, question, found)
    if kind not in EVERYDAY:
        return
    if all(item.intent == BESIDE_A_STATE for item in found):
        if say_practical(draft, question, advice(beside=False)):
            return
        draft.unmet += 1
        _say_that_nothing_is(draft, question)
    elif kind in _ALWAYS:
        draft.add_missing(f"aside_beside.{kind}")


def _say_when_behind_a_drink(draft: Draft, question: Question, found: list[Looked]) -> None:
    """That a medicine is not begun at once behind a drink that was had, where its source tells what
    comes of both."""
    words = rule_in_any("drunk", "answering", "drunk.yaml")
    had = any(m.entity == ALCOHOL and m.role == "taken" for m in question.mentions)
    if not had or not words.search(question.text.lower()):
        return
    asked = {m.entity for m in question.of_concept(*SUBSTANCES) if m.role == "asked"}
    beside = (i.focus.entity for i in found if i.intent == BESIDE_A_HABIT)
    if names := [draft.wording.name(drug) for drug in dict.fromkeys(beside) if drug in asked]:
        draft.add_missing("not_behind_a_drink", drugs=draft.wording.join(names))


def _is_spoken(draft: Draft, item: Looked) -> bool:
    """Whether it can be told in the language of the answer: sentences are quoted as they stand."""
    language = draft.wording.language
    return item.predicate not in _IN_WORDS or any(
        supported.statement.language == language for supported in item.statements
    )


def _quote(draft: Draft, statements: tuple[SupportedStatement, ...], *, of: str = "") -> None:
    """Sentences of sources as they stand, in the language of the answer; where several medicines
    are told of, with the name of the one that they are of."""
    language = draft.wording.language
    spoken = [s for s in statements if s.statement.language == language]
    once: dict[str, list[SupportedStatement]] = {}
    for supported in spoken:  # a medicine and its class may say the same
        once.setdefault(draft.wording.object_name(supported.statement), []).append(supported)
    told = {sentence.text for sentence in draft.sentences}  # of another medicine of the question
    for text, said in [pair for pair in once.items() if pair[0] not in told][:_MOST]:
        named = {"drug": draft.wording.name(of), "text": text}
        draft.add_sentence(draft.wording.say("in_practice", **named) if of else text, said)


def _say_bearing(
    draft: Draft, drug: str, predicate: str, statements: tuple[SupportedStatement, ...]
) -> None:
    """What else is recorded of a medicine that bears on it: drowsiness, on driving."""
    wording = draft.wording
    names = list(dict.fromkeys(wording.object_name(s.statement) for s in statements))
    label = wording.property_words(predicate, from_object=False)
    slots = {"subject": wording.name(drug), "property": label, "list": wording.join(names)}
    draft.add_sentence(wording.say("bears_on_it", **slots), statements)


def _say_what_weakens(draft: Draft, drug: str, statements: tuple[SupportedStatement, ...]) -> None:
    """The others that make a medicine work less."""
    wording = draft.wording
    names = [
        wording.name(s.statement.subject)
        if s.statement.object_entity == drug
        else wording.object_name(s.statement)
        for s in statements
    ]
    slots = {"subject": wording.name(drug), "n": len(names), "list": wording.join(names)}
    draft.add_sentence(wording.say("weakened_by", **slots), statements)


def _say_that_nothing_is(draft: Draft, question: Question) -> None:
    """That nothing is recorded of what was asked, and what can be asked of the medicine instead;
    where none was named, its name."""
    medicines = [m for m in question.of_concept(*SUBSTANCES) if m.entity not in BY_HABIT]
    named = medicines or [*question.of_concept("test")]
    wording = draft.wording
    names = wording.join([wording.name(e) for e in dict.fromkeys(m.entity for m in named)])
    draft.add_direct(f"aside.{question.aside}", subject=names or wording.say("missing.a_medicine"))
    for mention in named[:1]:
        if labels := recorded_of(draft, mention.entity):
            slots = {"drug": wording.name(mention.entity), "list": wording.join(labels)}
            draft.add_missing("recorded_instead", **slots)
    if not named:
        draft.add_missing("name_the_medicine")


def recorded_of(draft: Draft, drug: str) -> list[str]:
    """What is recorded of a medicine, by name: what can be asked of it."""
    match = draft.wording.knowledge.store.match
    found = [name for name in _OF_A_DRUG if match(drug, name, limit=1)]
    return [draft.wording.property_words(name, from_object=False) for name in found]
