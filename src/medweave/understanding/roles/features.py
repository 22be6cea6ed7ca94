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
    symbols, places = _symbols(text, names)
    concepts = [name.concept for name in names]
    return {
        name: _of(symbols, places, concepts, at)
        for at, name in enumerate(names)
        if name.concept in FINDINGS
    }


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


def _of(symbols: list[str], places: list[int], concepts: list[str], at: int) -> Counter[str]:
    place = places[at]
    before, behind = ["^", *symbols[:place]], [*symbols[place + 1 :], "$"]
    found = [f"|{before[-1]} | {behind[0]}"]
    for length in range(1, _ROW + 1):
        found += ["<" + " ".join(before[-length:])] if len(before) >= length else []
        found += [">" + " ".join(behind[:length])] if len(behind) >= length else []
    for sign, near, far in (
        ("b", before[-_NEAR:], before[:-_NEAR]),
        ("a", behind[:_NEAR], behind[_NEAR:]),
    ):
        found += [f"{sign}:{symbol}" for symbol in near]
        found += [f"{sign}:{one} {other}" for one, other in pairwise(near)]
        found += [f"{sign}~{symbol}" for symbol in far]
    found += _of_names(concepts[:at], concepts[at], concepts[at + 1 :])
    if at:
        between = " ".join(symbols[places[at - 1] : place])
        found.append(f"%{between[-_BETWEEN:]} X")
    if at + 1 < len(places):
        between = " ".join(symbols[place + 1 : places[at + 1] + 1])
        found.append(f"%X {between[:_BETWEEN]}")
    return Counter(dict.fromkeys(found, 1))


def _of_names(before: list[str], own: str, behind: list[str]) -> list[str]:
    """Which names stand where: the nearest two on each side, and any."""
    first, last = " ".join(before[-2:]), " ".join(behind[:2])
    return [
        f"#{own}",
        f"#before {first}" if first else "#first",
        f"#behind {last}" if last else "#last",
        *(f"#any before {concept}" for concept in set(before)),
        *(f"#any behind {concept}" for concept in set(behind)),
        "#several" if before or behind else "#alone",
    ]
