"""The trees of the dialogues that a base holds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from medweave.language.folding import name_key
from medweave.model.dialogue_tree import HAS_SECTION, Tree, TreeKey
from medweave.model.statement import Literal
from medweave.ports import StoreView
from medweave.vocabulary.dialogue_template import shipped_template

AT_ONCE = 64
"""So many roots are read at one time."""


def dialogue_roots(store: StoreView) -> list[str]:
    """The roots of all dialogues, also of those that are only referred to, in order."""
    return sorted(thing for thing, concepts in store.concept_votes() if "dialogue" in concepts)


def roots_called(store: StoreView, names: Iterable[str]) -> list[str]:
    """The roots of the dialogues of these ids, whatever collection they are of, in order."""
    keys = {name_key(f"dialogue {name}") for name in names}
    return sorted({found.mention.entity for found in store.named(keys)
                   if found.mention.concept == "dialogue"})  # fmt: skip


def trees_of(store: StoreView, roots: Iterable[str]) -> Iterator[list[Tree]]:
    """The trees of some roots, a list for every `AT_ONCE` of them; without sections there is none.

    A tree is what one document says of its root, so two files with one id give two trees.
    """
    waiting = iter(roots)
    while some := list(islice(waiting, AT_ONCE)):
        yield _trees(store, some)


def _trees(store: StoreView, roots: Sequence[str]) -> list[Tree]:
    found: defaultdict[TreeKey, dict[str, str]] = defaultdict(dict)
    for supported in store.neighbours(roots, [HAS_SECTION]):
        statement = supported.statement
        if not isinstance(statement.object, Literal):
            continue
        name = str(statement.qualifier("section"))
        for item in supported.affirmed:
            key = TreeKey(statement.subject, item.document)
            found[key][name] = str(statement.object.value)
    order = {name: place for place, name in enumerate(shipped_template().sections)}
    last = len(order)
    return [
        Tree(key, {name: texts[name] for name in sorted(texts, key=lambda n: order.get(n, last))})
        for key, texts in sorted(found.items())
    ]
