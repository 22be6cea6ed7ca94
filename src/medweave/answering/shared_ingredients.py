"""What two medicines have in common: taken together, its dose adds up."""

from __future__ import annotations

from collections.abc import Iterator

from medweave.answering.draft import Draft
from medweave.inference.safety.lineage import lineages_in
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
    by_drugs: dict[tuple[str, ...], list[str]] = {}
    for entity in sorted(set[str]().union(*contents.values())):
        drugs = tuple(name for name, held in contents.items() if entity in held)
        if len(drugs) > 1:
            by_drugs.setdefault(drugs, []).append(wording.name(entity))
    for drugs, shared in by_drugs.items():
        draft.add_direct("adds_up", drugs=wording.join(drugs), list=wording.join(shared))
    return bool(by_drugs)


def _named(question: Question) -> Iterator[tuple[str, str]]:
    """The medicines that are asked about or taken, as written; not a name that only explains the
    one before it: "Tylenol (paracetamol)"."""
    last: Mention | None = None
    for mention in question.of_concept("drug"):
        explains = last is not None and not any(
            character.isalnum() for character in question.text[last.end : mention.start]
        )
        last = mention
        counts = mention.role in ("asked", "taken") and mention.experiencer == "patient"
        if counts and not explains and mention.entity not in BY_HABIT:
            yield mention.text, mention.entity


def _contents(draft: Draft, entity: str) -> set[str]:
    """A medicine and what it holds, but for the classes that it is in."""
    knowledge = draft.wording.knowledge
    above = lineages_in(knowledge).of_drug(entity)
    return {one for one in above if knowledge.entities.get(one).concept == "drug"}
