"""A name in a question as features: the words around it, and which names stand where.

Names are their concepts alone, so that what is learned of one disease holds for all of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from medweave.model.question import FINDINGS
from medweave.understanding.intents.features import Name

CONCEPTS = ("drug", "drug_class", "disease", "symptom")
"""Of names that say what the others do in a question."""
VIEWS = {"<": 1.0, ">": 1.0, "|": 0.5, "b": 0.5, "a": 0.5, "#": 1.0, "%": 0.5}
"""The first signs of features, each with its share; see `role_features`."""
_NEAR = 6
"""Symbols before and behind a name of which each, and each pair, says where it stands."""
_ROW = 4
"""Symbols in a row beside a name, at most."""
_BETWEEN = 40
"""Characters, at most, of what stands between two names."""
_SYMBOL = re.compile(r"[a-z0-9']+|[\u4e00-\u9fff]|[.?!,;:，。？！；、+]")


def role_features(text: str, names: Sequence[Name]) -> dict[Name, Counter[str]]:
    """The features of each condition among the names of a question; no names may overlap.

    What stands right before it (<) and behind it (>), the words near it (b, a) and farther off
    (b~, a~), the names before and behind it (#), and what joins it to the next ones (%).

    >>> [found] = role_features("drugs for gout", [Name(10, 14, "disease")]).values()
    >>> sorted(feature for feature in found if feature[0] in "<#")
    ['#alone', '#disease', '#first', '#last', '<^ drugs for', '<drugs for', '<for']
    """
    row = _Row(*_symbols(text, names), [name.concept for name in names])
    return {name: row.features(at) for at, name in enumerate(names) if name.concept in FINDINGS}


def _symbols(text: str, names: Iterable[Name]) -> tuple[list[str], list[int]]:
    """Words, Chinese characters, signs and names of a text; and where among them each name is."""
    symbols: list[str] = []
    places: list[int] = []
    lowered, end = text.lower(), 0
    for name in names:
        symbols += _SYMBOL.findall(lowered[end : name.start])
        places.append(len(symbols))
        symbols.append(f"@{name.concept}")
        end = name.end
    return symbols + _SYMBOL.findall(lowered[end:]), places


class _Row:
    """The symbols of a text, and where among them its names stand."""

    def __init__(self, symbols: list[str], places: list[int], concepts: list[str]) -> None:
        self._symbols, self._places, self._concepts = symbols, places, concepts
        self._first, self._last = _ends(symbols)
        self._first_name, self._last_name = _ends(concepts)

    def features(self, at: int) -> Counter[str]:
        """Those of one name."""
        symbols, place, behind = self._symbols, self._places[at], self._places[at] + 1
        left, right = max(0, place - _NEAR), behind + _NEAR
        before = [*("^" if place < _NEAR else ""), *symbols[left:place]]
        after = [*symbols[behind:right], *("$" if len(symbols) - behind < _NEAR else "")]
        found = [f"|{before[-1]} | {after[0]}"]
        for length in range(1, _ROW + 1):
            found += ["<" + " ".join(before[-length:])] if len(before) >= length else []
            found += [">" + " ".join(after[:length])] if len(after) >= length else []
        for sign, near in (("b", before), ("a", after)):
            found += [f"{sign}:{symbol}" for symbol in near]
            found += [f"{sign}:{one} {other}" for one, other in pairwise(near)]
        found += [f"b~{symbol}" for symbol, first in self._first.items() if first < left]
        found += ["b~^"] if place >= _NEAR else []
        found += [f"a~{symbol}" for symbol, last in self._last.items() if last >= right]
        found += ["a~$"] if len(symbols) - behind >= _NEAR else []
        found += self._of_names(at)
        if at:
            between = " ".join(symbols[self._places[at - 1] : place])
            found.append(f"%{between[-_BETWEEN:]} X")
        if at + 1 < len(self._places):
            between = " ".join(symbols[behind : self._places[at + 1] + 1])
            found.append(f"%X {between[:_BETWEEN]}")
        return Counter(dict.fromkeys(found, 1))

    def _of_names(self, at: int) -> list[str]:
        """Which names stand where: the nearest two on each side, and any."""
        before, behind = self._concepts[max(0, at - 2) : at], self._concepts[at + 1 : at + 3]
        first, last = " ".join(before), " ".join(behind)
        return [
            f"#{self._concepts[at]}",
            f"#before {first}" if first else "#first",
            f"#behind {last}" if last else "#last",
            *(
                f"#any before {concept}"
                for concept, place in self._first_name.items()
                if place < at
            ),
            *(f"#any behind {concept}" for concept, place in self._last_name.items() if place > at),
            "#several" if before or behind else "#alone",
        ]


def _ends(symbols: Sequence[str]) -> tuple[dict[str, int], dict[str, int]]:
    """Where each symbol stands first, and where last."""
    last = {symbol: place for place, symbol in enumerate(symbols)}
    places = range(len(symbols) - 1, -1, -1)
    return {symbols[place]: place for place in places}, last
