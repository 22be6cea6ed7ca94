"""What two medicines have in common: taken together, its dose adds up."""

from __future__ import annotations

from collections.abc import Iterator

from medweave.answering.draft import Draft
from medweave.model.inferred import Inferred
from medweave.model.question import BY_HABIT, Mention, Question


def say_what_adds_up(draft: Draft, question: Question, inferred: Inferred) -> bool:
    """Whether medicines that are to be taken together hold the same, and so it is said.

    "Tylenol with NyQuil" is paracetamol twice, and "Advil and Nurofen" one medicine by two names.
    """
    wording = draft.wording
    contents = {name: _contents(draft, entity) for name, entity in _named(question)}
    for entity in inferred.facts.entities("drug"):
        if not any(entity in held for held in contents.values()):
            contents[wording.name(entity)] = _contents(draft, entity)
    by_drugs: dict[tuple[str, ...], dict[str, None]] = {}
    for entity in sorted(set[str]().union(*contents.values())):
        drugs = tuple(name for name, held in contents.items() if entity in held)
        if len(drugs) > 1:
            by_drugs.setdefault(drugs, {})[wording.name(entity)] = None
    for drugs, shared in by_drugs.items():
        draft.add_direct("adds_up", drugs=wording.join(drugs), list=wording.join(list(shared)))
    return bool(by_drugs)


def _named(question: Question) -> Iterator[tuple[str, str]]:
    """The medicines that are asked about or taken, as written; neither a name that only explains
    the one before it, "Tylenol (paracetamol)", nor one that is written otherwise or misspelt."""
    last: Mention | None = None
    seen = set[str]()
    for mention in question.of_concept("drug"):
        explains = last is not None and not any(
            character.isalnum() for character in question.text[last.end : mention.start]
        )
        last = mention
        again = mention.text.casefold() in seen or (mention.link.slips and mention.entity in seen)
        seen |= {mention.text.casefold(), mention.entity}
        counts = mention.role in ("asked", "taken") and mention.experiencer == "patient"
        if counts and not (explains or again) and mention.entity not in BY_HABIT:
            yield mention.text, mention.entity


def _contents(draft: Draft, entity: str) -> set[str]:
    """A medicine with all that it holds, by the lexicon and by the base."""
    knowledge = draft.wording.knowledge
    held, waiting = set[str](), [*knowledge.same(entity)]
    while waiting:
        one = waiting.pop()
        if one in held:
            continue
        held.add(one)
        term = knowledge.lexicon.terms.get(one)
        waiting += term.ingredients if term else ()
        recorded = knowledge.store.match(one, "has_ingredient")
        waiting += [s.statement.object_entity or one for s in recorded if s.affirmed]
    return held
