"""Passages of texts that answer a question: by words, by meaning, and together by what they cover.

Words of the text index and vectors each name candidates. Among these, BM25 over stems and the
cosine are added up; then passages are taken one by one, each for its own score and for what of the
question it holds that those before it do not, so that the first few together hold as much of it as
any few can. Source of the choice one by one: Nemhauser, Wolsey and Fisher, "An analysis of
approximations for maximizing submodular set functions" (1978).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import log
from operator import mul

from medweave.language.segmentation import index_terms, stop_names
from medweave.model.document import Document
from medweave.model.passage import HEADING, TEXT, Passage, passage_of
from medweave.model.statement import EvidenceClass
from medweave.model.vectors import Vectors
from medweave.ports import SentenceVectors, StoreView, VectorView
from medweave.retrieval.passages.other_names import (
    NamesOf,
    OtherNames,
    defined_names,
    in_full,
    short_names,
)
from medweave.retrieval.passages.question_kinds import (
    content_terms,
    frame_stems,
    without_asking,
)

EmbedTexts = Callable[[Sequence[str]], Vectors]
"""Texts → their vectors, by the model of the base."""
POOL = 60
"""So many candidates by words, and so many by meaning."""
_FREQUENT = 10_000
"""Words of more documents than this take most of the time and choose none, where there are others.
"""
FIRST = 5
"""So many passages are looked at together."""
_K1, _B = 1.2, 0.75
_MEANING, _COVERS = 2.0, 3.0
"""What a cosine counts beside words, and what the whole question does, where it is covered anew.
Measured, see decision 175."""
_OTHERS: tuple[EvidenceClass, ...] = ("dialogue", "model")
"""Classes that hold no passages."""
_SHORT = 3
"""Shorter words have no other number: "as", "gas"."""


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage that was found, and why."""

    document: Document
    passage: Passage
    score: float
    """By words and meaning; it ranks passages of one question and means nothing else."""
    words: float
    """BM25, as a share of the best."""
    meaning: float | None
    """The cosine with the question; None where there are no vectors."""
    by_words: int = 1
    by_meaning: int | None = None
    """Its places among the candidates, from 1."""
    adds: tuple[str, ...] = ()
    """Stems of the question that no passage before it holds."""
    holds: frozenset[str] = frozenset()
    """Stems of the question that it holds."""


@dataclass(frozen=True, slots=True)
class FoundPassages:
    """What was found for a question: the best passages first, in the order they were taken."""

    question: str = ""
    terms: tuple[str, ...] = ()
    """The stems that the question is about."""
    rarity: Mapping[str, float] = field(default_factory=dict)
    """How telling each is among the candidates."""
    passages: tuple[FoundPassage, ...] = ()
    asked: Vectors | None = None
    """The vector of the question."""
    names: OtherNames = field(default_factory=OtherNames)
    """What stands for the names of the question."""
    compared: SentenceVectors | None = field(default=None, repr=False, compare=False)
    """By what its sentences are compared with it; None where nobody reads its language."""

    def speaks_of(self, name: str) -> bool:
        """Whether a passage holds a name of the question, or what stands for it."""
        stems = frozenset(content_terms(name)).intersection(self.terms)
        return any(stems <= one.holds for one in self.passages)


class PassageSearch:
    """Finds the passages of a base; `embed` is None where it has no vectors of them."""

    def __init__(
        self, store: StoreView, index: VectorView | None, embed: EmbedTexts | None
    ) -> None:
        self._store, self._index, self._embed = store, index, embed

    def find(self, question: str, *, k: int = FIRST, also: NamesOf | None = None) -> FoundPassages:
        """The `k` best passages for a question.

        `also` has further names of what the question names, by the name in the question: a passage
        that holds all words of any of them is taken to hold that name. So is what the texts
        themselves say that an abbreviation stands for.
        """
        held = self._by_words(_searched(question, also or {}))
        told = self._defined(question, held, also or {})
        if told:
            held |= self._by_words(_searched(question, told))
        names = {**(also or {}), **told}
        asked = self._embed([in_full(question, told)]) if self._embed else None
        near = self._near(asked)
        missing = [name for name in near if name not in held]
        held |= {each.id: each for each in self._store.documents(missing)}
        pool = [(d, p) for d in held.values() if (p := passage_of(d))]
        if not pool:
            return FoundPassages(question, asked=asked)
        near |= self._cosines([d.id for d, _ in pool if d.id not in near], asked)
        others = OtherNames.of(names)
        chosen = _chosen(_Pool(question, pool, others), near if asked else None, k)
        return replace(chosen, asked=asked, names=others)

    def _by_words(self, words: Sequence[str]) -> dict[str, Document]:
        """The documents that hold words best, the best first."""
        hits = self._store.search_text(
            " ".join(words), limit=POOL, without=_OTHERS, frequent=_FREQUENT
        )
        found = {each.id: each for each in self._store.documents(hit.document for hit in hits)}
        return {hit.document: found[hit.document] for hit in hits if hit.document in found}

    def _defined(
        self, question: str, held: Mapping[str, Document], also: NamesOf
    ) -> dict[str, list[str]]:
        """What the texts say that abbreviations of a question stand for, and the reverse."""
        told = defined_names(question, (each.text(TEXT) for each in held.values()))
        open_ = short_names(question).difference(told, also)
        if open_:
            others = self._by_words(sorted(open_)).values()
            told |= defined_names(" ".join(sorted(open_)), (each.text(TEXT) for each in others))
        return {name: others for name, others in told.items() if name not in also}

    def _near(self, asked: Vectors | None) -> dict[str, float]:
        if asked is None or self._index is None:
            return {}
        [near] = self._index.search("passage", asked, POOL)
        return {each.key: each.score for each in near}

    def _cosines(self, keys: Sequence[str], asked: Vectors | None) -> dict[str, float]:
        if asked is None or self._index is None or not keys:
            return {}
        row = asked[0]
        return {
            key: sum(map(mul, row, table.vectors[at]))
            for table in self._index.fetch("passage", keys)
            for key, at in zip(table.keys, table.rows, strict=True)
        }


def _searched(question: str, also: NamesOf) -> list[str]:
    """The words to look for: those the question is about, in both numbers, and further names."""
    every = index_terms(without_asking(question))
    words = [word for word in every if _tells(word)] or every
    named = (w for names in also.values() for name in names for w in index_terms(name))
    return list(dict.fromkeys((*words, *map(_other_number, words), *named)))


def _tells(word: str) -> bool:
    return not (word in stop_names() or frame_stems().issuperset(content_terms(word)))


def _other_number(word: str) -> str:
    """An English word in the other number, or what would be."""
    if len(word) <= _SHORT or not (word.isascii() and word.isalpha()) or word.endswith("ss"):
        return word
    return word[:-1] if word.endswith("s") else f"{word}s"


def question_stems(question: str) -> list[str]:
    """The stems that a question is about, in order, each once.

    >>> question_stems("What are the risk factors of skin cancer?")
    ['factor', 'skin', 'cancer']
    """
    every = list(dict.fromkeys(content_terms(without_asking(question))))
    return [term for term in every if _tells(term)] or every


class _Pool:
    """The candidates of a question, with what is counted over all of them."""

    def __init__(
        self, question: str, pool: Sequence[tuple[Document, Passage]], names: OtherNames
    ) -> None:
        self.question, self.documents = question, pool
        self.terms = tuple(question_stems(question))
        texts = [f"{d.title} {d.text(HEADING)} {p.text}" for d, p in pool]
        self._counts = [Counter(names.filled(content_terms(text))) for text in texts]
        self._mean = sum(counts.total() for counts in self._counts) / len(pool)
        self.rarity = rarities(self.terms, self._counts)
        self.holds = [frozenset(t for t in self.terms if t in c) for c in self._counts]
        self._whole = sum(self.rarity.values()) or 1.0

    def bm25(self, number: int) -> float:
        """The score of one candidate; statistics are those of the candidates."""
        counts = self._counts[number]
        norm = _K1 * (1 - _B + _B * counts.total() / self._mean)
        return sum(
            self.rarity[term] * counts[term] * (_K1 + 1) / (counts[term] + norm)
            for term in self.terms
            if counts[term]
        )

    def adds(self, number: int, covered: Collection[str]) -> float:
        """How much of the question a candidate holds beside what is covered."""
        anew = self.holds[number].difference(covered)
        return sum(self.rarity[term] for term in self.terms if term in anew) / self._whole


def _place(score: float, scores: Iterable[float]) -> int:
    return 1 + sum(other > score for other in scores)


def rarities(terms: Iterable[str], texts: Sequence[Collection[str]]) -> dict[str, float]:
    """How telling terms are: the fewer of the texts hold them the more; 0 where none does."""
    wanted = dict.fromkeys(terms, 0)
    for text in texts:
        for term in wanted.keys() & text:
            wanted[term] += 1
    return {
        term: log(1 + (len(texts) - holding + 0.5) / (holding + 0.5)) if holding else 0.0
        for term, holding in wanted.items()
    }


def _chosen(pool: _Pool, near: Mapping[str, float] | None, k: int) -> FoundPassages:
    """Score all candidates, and take the best one by one."""
    words = [pool.bm25(number) for number in range(len(pool.documents))]
    most = max(words) or 1.0
    scores = [
        score / most + _MEANING * (near.get(document.id, 0.0) if near else 0.0)
        for score, (document, _) in zip(words, pool.documents, strict=True)
    ]
    left = sorted(range(len(words)), key=lambda n: (-scores[n], pool.documents[n][0].id))
    covered: frozenset[str] = frozenset()
    taken: list[FoundPassage] = []
    while left and len(taken) < k:
        worth = {n: scores[n] + _COVERS * pool.adds(n, covered) for n in left}
        best = max(left, key=worth.__getitem__)
        left.remove(best)
        document, passage = pool.documents[best]
        anew = tuple(term for term in pool.terms if term in pool.holds[best] - covered)
        covered |= pool.holds[best]
        cosine = near.get(document.id) if near is not None else None
        taken.append(
            FoundPassage(
                document,
                passage,
                scores[best],
                words[best] / most,
                cosine,
                _place(words[best], words),
                None if near is None or cosine is None else _place(cosine, near.values()),
                anew,
                pool.holds[best],
            )
        )
    return FoundPassages(pool.question, pool.terms, pool.rarity, tuple(taken))
