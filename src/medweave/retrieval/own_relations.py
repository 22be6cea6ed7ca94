"""What a base records in relations of its own, that no vocabulary names and no intent asks for.

"How is neurofibromatosis inherited?" of a base whose rows say `inherited_as`: stretches of the
question are tried as the names of relations, so nothing has to be known of a base beforehand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from medweave.language.data import rule_in_any, rules_in
from medweave.language.folding import blotted, lower
from medweave.language.segmentation import is_han
from medweave.model.material import OWN, Focus, Looked
from medweave.model.question import Question
from medweave.retrieval.lookup import Property, look_up
from medweave.vocabulary.knowledge import Knowledge

_LONGEST = 200
"""Longer texts are stories: none asks for a relation by its name."""
_MOST_WORDS = 3
_ALL = 1 << 40
"""More statements than a thing can have."""


def own_relations(
    question: Question, knowledge: Knowledge, *, answered: bool
) -> tuple[Looked, ...]:
    """Statements of the things that a question names, by relations that its words name.

    Where it is `answered` otherwise only relations count that stand there to the letter.
    """
    things = dict.fromkeys(Focus(m.entities) for m in question.mentions if m.status != "absent")
    if not things or len(question.text) > _LONGEST:
        return ()
    spans = ((m.start, m.end) for m in question.mentions)
    words = _words(blotted(lower(question.text), spans, "."))
    names = dict.fromkeys(_names(words, to_the_letter=answered))
    own = [name for name in names if knowledge.vocabulary.find(name) is None]
    entities = {entity for focus in things for entity in focus.entities}
    held = knowledge.store.neighbours(entities, own, cap=_ALL) if own else ()
    recorded = {supported.statement.predicate for supported in held}
    own = [name for name in own if name in recorded]  # mostly none: nothing else is asked
    found = (
        Looked(OWN, focus, name, turned, tuple(look_up(focus.entities, relation, knowledge)))
        for name, focus, turned in product(own, things, (False, True))
        for relation in [Property(name, from_object=turned)]
    )
    return tuple(item for item in found if item.statements)


def _words(text: str) -> list[list[str]]:
    """The words of each stretch between names and marks."""
    stretches = re.split(
        r"[.,;:?!()\"“”，。；？！]+", rule_in_any("frame", "retrieval", "cues.yaml").sub(".", text)
    )
    return [stretch.replace("_", " ").split() for stretch in stretches if stretch.strip()]


def _names(stretches: list[list[str]], *, to_the_letter: bool) -> Iterator[str]:
    """What relations may be called that a question speaks of, the longest first."""
    tails = rules_in("en", "retrieval", "cues.yaml")["tails"]
    for size in range(_MOST_WORDS, 0, -1):
        for words in stretches:
            for start in range(len(words) - size + 1):
                some = words[start : start + size]
                name = "_".join(some).replace("-", "_")
                if size > 1 and some[-1] in tails:
                    yield name
                elif not to_the_letter:
                    yield name
                    if not is_han(some[-1]):
                        yield from (f"{name}_{tail}" for tail in tails if size == 1)
