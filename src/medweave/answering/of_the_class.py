"""What is recorded of others of a drug's class, where nothing is of the drug itself.

That two drugs are not recorded as interacting is no comfort where their kin are: a statin that the
base hardly knows, beside an antibiotic that other statins do not go with.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import permutations

from medweave.answering.draft import Draft
from medweave.answering.pairs import Pair
from medweave.model.statement import SupportedStatement
from medweave.vocabulary.act_alike import act_alike
from medweave.vocabulary.knowledge import Knowledge

_SHOWN = 3
"""So many of a class are named."""


def say_of_the_class(draft: Draft, drugs: Sequence[str], known: Collection[Pair]) -> bool:
    """Of every two drugs between which nothing is recorded, what is recorded of kin of either;
    whether anything is of kin that act alike: ginkgo says little of turmeric."""
    knowledge, wording = draft.wording.knowledge, draft.wording
    alike = False
    for drug, other in permutations(dict.fromkeys(drugs), 2):
        if {drug, other} in known:
            continue
        found = list(_kin_against(drug, other, knowledge))[:_SHOWN]
        if found:
            kin = dict.fromkeys(name for name, _ in found)
            text = wording.say(
                "asks.of_the_class",
                drug=wording.name(drug),
                other=wording.name(other),
                kin=wording.join([wording.name(name) for name in kin]),
            )
            draft.add_sentence(text, [supported for _, supported in found])
            alike |= not act_alike().isdisjoint({*classes_of(drug, knowledge), drug})
    return alike


def _kin_against(
    drug: str, other: str, knowledge: Knowledge
) -> Iterator[tuple[str, SupportedStatement]]:
    """The drugs of a class of the drug, or of the class that it is, that interact with another."""
    own = {*classes_of(drug, knowledge), drug}
    for name in knowledge.same(other):
        match = knowledge.store.match
        found = (*match(name, "interacts_with"), *match(None, "interacts_with", name))
        for supported in found:
            statement = supported.statement
            ends = (statement.subject, str(statement.object))
            kin = ends[0] if ends[1] == name else ends[1]
            if supported.affirmed and kin != drug and own & classes_of(kin, knowledge):
                yield kin, supported


def classes_of(drug: str, knowledge: Knowledge) -> set[str]:
    """The classes that a drug belongs to directly."""
    found = {str(s.statement.object) for s in knowledge.store.match(drug, "in_class") if s.affirmed}
    term = knowledge.lexicon.terms.get(drug)
    return found.union(term.classes if term else ())
