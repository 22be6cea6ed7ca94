"""Families of words that say much the same in a question, so that one stands for all of them.

Few labelled questions say "afford" and none says "copay": what is learned of "price" holds for
them, because they are of one family. The families are data (`rules/word_families.yaml`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import chain

from medweave.language.data import shipped_yaml
from medweave.language.segmentation import is_han, symbol_runs

_ANY_ENDING = "*"


@dataclass(frozen=True, slots=True, eq=False)
class WordFamilies:
    """Which families a word is of."""

    phrases: Mapping[str, tuple[str, ...]]
    """Of a word, or of words with a space between them."""
    openings: frozenset[str]
    """The first words of phrases of several."""
    beginnings: Mapping[str, tuple[str, ...]]
    """Of the beginning of a word, whatever its ending."""
    chinese: Mapping[str, tuple[str, ...]]
    """Of characters, wherever they stand."""
    most_words: int
    """Of a phrase."""
    least_letters: int
    """Of a beginning."""
    most_characters: int

    def of(self, text: str) -> frozenset[str]:
        """The families of all words of a text.

        >>> sorted(word_families().of("How much does it cost?"))
        ['cost', 'dose', 'how', 'whether']
        >>> sorted(word_families().of("多少钱"))
        ['cost']
        """
        return self.of_runs(symbol_runs(text))

    def of_runs(self, runs: Sequence[str]) -> frozenset[str]:
        """The same of a text in runs; see `language.segmentation.symbol_runs`."""
        words = [run for run in runs if not is_han(run)]
        found = set(chain.from_iterable(map(partial(_of_word, self), words)))
        if len(words) < len(runs):
            found.update(*(self._of_characters(run) for run in runs if is_han(run)))
        if not self.openings.isdisjoint(words):
            for at, word in enumerate(words):
                for end in range(at + 2, at + self.most_words + 1) if word in self.openings else ():
                    found.update(self.phrases.get(" ".join(words[at:end]), ()))
        return frozenset(found)

    def _of_characters(self, text: str) -> Iterator[str]:
        for at in range(len(text)):
            for end in range(at + 1, min(at + self.most_characters, len(text)) + 1):
                yield from self.chinese.get(text[at:end], ())


@lru_cache(maxsize=1 << 12)  # the same words are met again and again
def _of_word(families: WordFamilies, word: str) -> tuple[str, ...]:
    lengths = range(families.least_letters, len(word) + 1)
    found = (families.beginnings.get(word[:length], ()) for length in lengths)
    return tuple(dict.fromkeys((*families.phrases.get(word, ()), *chain.from_iterable(found))))


@cache
def word_families() -> WordFamilies:
    """The families that ship."""
    phrases: dict[str, list[str]] = defaultdict(list)
    beginnings: dict[str, list[str]] = defaultdict(list)
    chinese: dict[str, list[str]] = defaultdict(list)
    content = shipped_yaml("understanding", "intents", "rules", "word_families.yaml")
    for family, held in content["families"].items():
        for word in held["en"].split(", "):
            if word.endswith(_ANY_ENDING):
                beginnings[word[:-1]].append(family)
            else:
                phrases[word].append(family)
        for word in held["zh"].split(", "):
            chinese[word].append(family)
    return WordFamilies(
        _fixed(phrases),
        frozenset(phrase.split(" ")[0] for phrase in phrases if " " in phrase),
        _fixed(beginnings),
        _fixed(chinese),
        most_words=max(phrase.count(" ") for phrase in phrases) + 1,
        least_letters=min(map(len, beginnings)),
        most_characters=max(map(len, chinese)),
    )


def _fixed(held: Mapping[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {word: tuple(families) for word, families in held.items()}
