"""What is evaluated: items with their gold labels, and what a system says of one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from medweave.model.json_form import json_of
from medweave.sources.abstracts.labelled.documents import LabelledDocument


@dataclass(frozen=True, slots=True)
class GoldMention:
    """A stretch of a text that says one thing, as it was labelled."""

    start: int
    end: int
    concept: str
    names: tuple[str, ...] = ()
    """What exactly this thing is called."""
    wider: tuple[str, ...] = ()
    """Names of wider things, which are right as well, but less so."""


@dataclass(frozen=True, slots=True)
class Found:
    """A stretch of a text in which a system finds something."""

    start: int
    end: int
    concept: str
    how: str = ""
    """How the text was linked."""
    things: tuple[str, ...] = ()
    """Identifiers of all that it may be, the first choice first."""


Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Related:
    """Two things of a text in a relation: what each is known by, and where it is named."""

    subject: str
    predicate: str
    object: str
    subject_places: tuple[Place, ...] = ()
    object_places: tuple[Place, ...] = ()
    identified: bool = True
    """Whether both are known by an identifier, where a text is labelled with such."""


@dataclass(frozen=True, slots=True)
class Item:
    """One question or case. Labels are texts; any of `expected` is right."""

    id: str
    expected: tuple[str, ...]
    text: str = ""
    present: tuple[str, ...] = ()
    """Findings that are there, by name or identifier, where a case lists them."""
    absent: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    """What is known of a case as features of its own: coded answers, age, sex."""
    candidates: tuple[str, ...] = ()
    """Where a case names its candidates: only these are ranked."""
    span: tuple[int, int] | None = None
    """Where in the text the one mention stands that is asked about."""
    temporality: str = ""
    """Gold beside the label where a mention's time is asked for too; '' where it is not given."""
    mentions: tuple[GoldMention, ...] = ()
    """What the text says at which place, where that is asked for."""
    document: LabelledDocument | None = None
    """The text with its things and their relations, where these are asked for."""
    slice: str = ""
    """A group whose figures are told apart, and not among those of all others."""
    labels_to_place: tuple[str, ...] = ()
    """Labels whose places are kept, whether right or not: documents that were judged."""
    copy_of: int | None = None
    """The number of the item of which this is a perturbed copy."""
    evidence: tuple[str, ...] = ()
    """Stretches of a text that hold the answer, where one is asked for in words."""
    groups: tuple[str, ...] = ()
    """Groups whose figures are told as well, as `type=fact`; it counts among all others, too."""


@dataclass(frozen=True, slots=True)
class Data:
    """A file of items: what it is, and what was left out of it."""

    name: str
    sha256: str
    n: int
    """All records given."""
    items: tuple[Item, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Records that were not used, by reason."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """What else there is, by name: how many documents are ranked."""

    def numbers_of(self, slice_: str = "") -> list[int]:
        """The numbers of the items of a slice; of '', of those in none."""
        return [number for number, item in enumerate(self.items) if item.slice == slice_]

    @property
    def evaluated(self) -> int:
        """How many items the figures are of: those in no slice."""
        return len(self.numbers_of())

    @property
    def groups(self) -> dict[str, list[int]]:
        """The numbers of the items of each group."""
        found: dict[str, list[int]] = {}
        for number in self.numbers_of():
            for group in self.items[number].groups:
                found.setdefault(group, []).append(number)
        return dict(sorted(found.items()))

    @property
    def apart(self) -> dict[str, int]:
        """How many items each slice has."""
        counted = Counter(item.slice for item in self.items if item.slice)
        return dict(sorted(counted.items()))

    def to_json(self) -> dict[str, Any]:
        """The form of `data` in an Evaluation."""
        form = "path=name sha256 n evaluated apart left_out"
        return json_of(self, form) | dict(self.counts)


@dataclass(frozen=True, slots=True)
class Cited:
    """A sentence of an answer, and the passages that it names as its source."""

    text: str
    passages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """What a system answers in words, and the passages that it found for that, best first."""

    sentences: tuple[Cited, ...] = ()
    passages: tuple[str, ...] = ()
    why: str = ""
    """Why it says nothing, where it tells that."""
    error: str = ""
    """What went wrong; then the answer counts nothing."""

    @property
    def text(self) -> str:
        """The whole answer."""
        return " ".join(sentence.text for sentence in self.sentences)


@dataclass(frozen=True, slots=True)
class Ranked:
    """What a system says of an item: labels, the best first."""

    labels: tuple[str, ...] = ()
    confidence: float = 0.0
    """How sure it is of the first; any scale, higher is surer."""
    answered: bool = True
    """False where it abstains."""
    recognised: bool = True
    """False where nothing in the item was recognised."""
    temporality: str = ""
    """Of the mention asked about; '' from systems that do not tell."""
    found: tuple[Found, ...] = ()
    """What stands where, from systems that are asked for it."""
    related: tuple[Related, ...] = ()
    """What stands in which relation, from systems that are asked for it."""
    wrong: tuple[Mapping[str, Any], ...] = ()
    """What came out otherwise than expected, from systems that are asked for many things."""
    flags: tuple[str, ...] = ()
    """Names of what is true of the whole answer: measures count them."""
    reply: Reply | None = None
    """What it answers in words, from systems that are asked for that."""
    counts: Mapping[str, float] = field(default_factory=dict)
    """Numbers of the whole answer, by name: measures take shares of them."""
    milliseconds: float | None = None
    """What it took, where a system tells it apart from being judged."""

    @classmethod
    def by_score(cls, scores: Mapping[str, float]) -> Ranked:
        """The labels by their scores, ties by name; no answer where nothing was recognised.

        >>> Ranked.by_score({"flu": 1.0, "cold": 2.0}).labels, Ranked.by_score({}).answered
        (('cold', 'flu'), False)
        """
        order = sorted(scores, key=lambda label: (-scores[label], label))
        if not order:
            return cls(recognised=False, answered=False)
        return cls(tuple(order), scores[order[0]])


class System(Protocol):
    """Anything that ranks labels for an item."""

    def rank(self, item: Item) -> Ranked:
        """The labels for an item, the best first."""


Trainer = Callable[[Sequence[Item]], System]
"""Makes a system from training cases, of which there may be none."""
