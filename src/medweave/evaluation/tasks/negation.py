"""The task `negation`: is what a sentence mentions there, absent or possible, and is it past?"""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache
from typing import Any

from medweave.errors import ConfigurationError
from medweave.evaluation.items import Item, Ranked, Trainer
from medweave.evaluation.measures.classification import Measure, f1_of
from medweave.evaluation.outcomes import Outcome
from medweave.evaluation.runner import OURS, Plan
from medweave.evaluation.systems.baselines import Majority
from medweave.evaluation.task import Request, register
from medweave.language.cues import Reading, read_mention
from medweave.language.data import shipped_yaml
from medweave.language.passage import passage_of

WITHIN = 5
_WORDS = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]|[^\W_]+(?:['’][^\W_]+)*")
NEGATED, HISTORICAL = "Negated", "Historical"
LABELS = ("Affirmed", NEGATED, "Possible")
_SHORTEST = 3
"""A concept and a sentence that share fewer characters in a run share nothing."""


class NegationWords:
    """The plainest rule: a mention is negated where a negation word stands shortly before it.

    Looks at five words (Chinese: characters) before the mention, across all punctuation.

    >>> NegationWords().rank(Item("1", (), "no fever, but a cough", span=(16, 21))).labels
    ('Negated',)
    """

    def rank(self, item: Item) -> Ranked:
        """One label; it does not tell the time."""
        start = item.span[0] if item.span else 0
        before = _WORDS.findall(item.text[:start].lower())[-WITHIN:]
        return Ranked(("Negated" if _negation_words() & set(before) else "Affirmed",), 1.0)


@cache
def _negation_words() -> frozenset[str]:
    return frozenset(shipped_yaml("evaluation", "tasks", "negation_words.yaml")["words"])


class CueReading:
    """Ours, as `medweave understand` reads a mention.

    Present, or said of nobody: affirmed; absent: negated; doubted or supposed: possible.

    >>> ranked = CueReading().rank(Item("1", (), "no fever", span=(3, 8)))
    >>> ranked.labels, ranked.temporality
    (('Negated',), 'Recent')
    """

    def rank(self, item: Item) -> Ranked:
        """One label, and the time."""
        start, end = item.span or (0, len(item.text))
        reading = read_mention(passage_of(item.text), start, end)
        return Ranked((_label(reading),), 1.0, temporality=reading.temporality.capitalize())


def _label(reading: Reading) -> str:
    if reading.status == "absent":
        return "Negated"
    return "Possible" if reading.doubted or reading.status == "hypothetical" else "Affirmed"


class MedspacyContext:
    """medspacy: ConText (Harkema et al. 2009) for spaCy, at its defaults.

    Raises `ConfigurationError` where it is not installed.
    """

    def __init__(self) -> None:
        self._mention = SpacyMention("medspacy", "medspacy.context", "medspacy_context")

    def rank(self, item: Item) -> Ranked:
        """One label, and the time."""
        read = self._mention.read(item)._
        label = "Negated" if read.is_negated else "Affirmed"
        label = "Possible" if label == "Affirmed" and read.is_uncertain else label
        return Ranked((label,), 1.0, temporality="Historical" if read.is_historical else "Recent")


class NegspacyNegex:
    """negspacy: NegEx (Chapman et al. 2001) for spaCy, at its defaults.

    Raises `ConfigurationError` where it is not installed.
    """

    def __init__(self) -> None:
        self._mention = SpacyMention("negspacy", "negspacy.negation", "negex")

    def rank(self, item: Item) -> Ranked:
        """One label; it does not tell the time."""
        read = self._mention.read(item)
        return Ranked(("Negated" if read._.negex else "Affirmed",), 1.0)


class SpacyMention:
    """An empty English pipeline with one component, which is asked about one marked span.

    Raises `ConfigurationError` where the package, or spaCy, is not installed.
    """

    def __init__(self, package: str, module: str, component: str) -> None:
        try:
            spacy = importlib.import_module("spacy")
            importlib.import_module(module)
        except ImportError as error:
            raise ConfigurationError(
                f"{package} is not installed", remedy=f"run `pip install {package}`"
            ) from error
        self._pipeline = spacy.blank("en")
        self._component = self._pipeline.add_pipe(component)

    def read(self, item: Item) -> Any:
        """The span of the mention, after the component has read the sentence."""
        start, end = item.span or (0, len(item.text))
        doc = self._pipeline.make_doc(item.text)
        for token in doc:
            token.is_sent_start = token.i == 0
        marked = doc.char_span(start, end, label="FINDING", alignment_mode="expand")
        doc.ents = [marked]
        return self._component(doc).ents[0]


def plan(request: Request) -> Plan:
    """What is run. Nothing learns here: the majority is that of the items themselves."""
    data, _ = request.read(negation_item)
    systems: dict[str, Trainer] = {
        OURS: lambda _: CueReading(),
        "majority": lambda _: Majority(data.items),
        "negation word before": lambda _: NegationWords(),
        "negspacy": lambda _: NegspacyNegex(),
        "medspacy": lambda _: MedspacyContext(),
    }
    return request.plan("negation", data, systems, measures_of)


def negation_item(record: Mapping[str, Any], identifier: str) -> Item | str:
    """A sentence, the place of a concept in it, and how that is meant.

    The concept may stand in capitals, which tells it from the same words elsewhere.

    >>> record = {"sentence": "No fever, FEVER denied.", "concept": "fever", "negation": "Negated"}
    >>> negation_item(record, "1").span
    (10, 15)
    """
    sentence, concept, label = (record.get(k) for k in ("sentence", "concept", "negation"))
    if not isinstance(sentence, str) or not isinstance(concept, str):
        return "no sentence, or no concept"
    if label not in LABELS:
        return f"no negation, or none of {', '.join(LABELS)}"
    span = _place(sentence, concept)
    if span is None:
        return "the sentence does not hold the concept"
    temporality = str(record.get("temporality") or "")
    return Item(identifier, (str(label),), sentence, span=span, temporality=temporality)


def _place(sentence: str, concept: str) -> tuple[int, int] | None:
    """Where a concept stands; as much of it as there is where the sentence was cut within it."""
    for within, phrase in ((sentence, concept.upper()), (sentence.lower(), concept.lower())):
        start = within.find(phrase) if phrase.strip() else -1
        if start >= 0:
            return start, start + len(concept)
    shared = SequenceMatcher(None, sentence.lower(), concept.lower(), autojunk=False)
    longest = shared.find_longest_match()
    whole = longest.size >= min(_SHORTEST, len(concept)) and longest.size > 0
    return (longest.a, longest.a + longest.size) if whole else None


def measures_of(items: Sequence[Item], outcomes: Sequence[Outcome]) -> dict[str, Measure]:
    """F1 of Negated, and of Historical where items and the system tell times."""
    gold = [item.expected[0] == NEGATED for item in items]
    measures = {"negation_f1": f1_of(gold, [outcome.got == NEGATED for outcome in outcomes])}
    if any(item.temporality for item in items) and any(o.temporality for o in outcomes):
        past = [item.temporality == HISTORICAL for item in items]
        # an item without a time is in neither count
        predicted = [
            bool(item.temporality) and outcome.temporality == HISTORICAL
            for item, outcome in zip(items, outcomes, strict=True)
        ]
        measures["temporality_f1"] = f1_of(past, predicted)
    return measures


register("negation", plan, "perturb")
