"""The task `linking`: which things of a base does a text mention?

Where records say at which place (`mentions`), see `evaluation.tasks.mention_linking`. Where they
only say which (`entities`), all things of a text together are its label, so an item is right where
exactly they are found; precision and recall count things.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from medweave.evaluation.data.labels import Labels
from medweave.evaluation.data.reading import read_data
from medweave.evaluation.items import Item, Ranked
from medweave.evaluation.measures.classification import Measure, ratio, right, share
from medweave.evaluation.outcomes import Outcome
from medweave.evaluation.runner import OURS, Plan, refuse_training
from medweave.evaluation.tasks.mention_linking import plan_mentions
from medweave.language.folding import name_key
from medweave.sources.files.rows import Row, read_rows
from medweave.vocabulary.knowledge import Knowledge

_BETWEEN = " | "


class Linking:
    """The things that the dictionary finds in a text; `exactly`: only by names as written."""

    def __init__(self, knowledge: Knowledge, *, exactly: bool = False) -> None:
        self._dictionary, self._exactly = knowledge.dictionary, exactly
        self._labels = Labels(knowledge)

    def rank(self, item: Item) -> Ranked:
        """One label: all things of the text."""
        found = self._dictionary.find(item.text, exactly=self._exactly)
        things = [_one(self._labels, (n.entity for n in match.named)) for match in found]
        return Ranked((_joined(things),), recognised=bool(things))


def plan_linking(
    path: Path,
    knowledge: Knowledge,
    *,
    texts: Path | None = None,
    train: Path | None = None,
    folds: int = 0,
    seed: int = 0,
    sample: int = 0,
) -> Plan:
    """What is run: ours, and names as they are written.

    `texts` is the folder with the texts of labels that have none; see `evaluation.data.texts`.
    Raises `ConfigurationError` where training is asked for: nothing of it learns.
    """
    refuse_training("linking", train, folds)
    if _says_where(path):
        return plan_mentions(path, knowledge, texts=texts, seed=seed, sample=sample)
    labels = Labels(knowledge)
    return Plan(
        "linking",
        read_data(path, _maker(knowledge, labels), sample=sample),
        {
            OURS: lambda _: Linking(knowledge),
            "exact dictionary": lambda _: Linking(knowledge, exactly=True),
        },
        measures_of,
        seed=seed,
        settings={"sample": sample},
        name_of=lambda label: _BETWEEN.join(labels.name(thing) for thing in _apart(label)),
    )


def _says_where(path: Path) -> bool:
    """Whether the first record has places."""
    first = next((row for row in read_rows(path) if isinstance(row, Row)), None)
    return first is not None and "mentions" in first.values


def _maker(knowledge: Knowledge, labels: Labels) -> Callable[[Mapping[str, Any], str], Item | str]:
    """Makes items of records; a gold thing that nothing is called stays one that is not found."""

    def thing(name: str) -> str:
        if knowledge.holds([name]):
            return _one(labels, [name])
        named = [named.entity for named in knowledge.dictionary.names(name)]
        return _one(labels, named) if named else f"name:{name_key(name)}"

    def item(record: Mapping[str, Any], identifier: str) -> Item | str:
        text, gold = _text_and_entities(record)
        if not isinstance(text, str) or not text.strip():
            return "no text"
        if not isinstance(gold, list) or not all(isinstance(name, str) for name in gold):
            return "no list of entities"
        return Item(identifier, (_joined(map(thing, gold)),), text)

    return item


def _text_and_entities(record: Mapping[str, Any]) -> tuple[Any, Any]:
    """Both as in our own form, or as in EMCKG's linked questions, where names are joined."""
    joined = record.get("input_KG")
    if isinstance(joined, str):
        return record.get("input"), [name.replace("_", " ") for name in joined.split(",") if name]
    return record.get("text"), record.get("entities")


def measures_of(items: Sequence[Item], outcomes: Sequence[Outcome]) -> dict[str, Measure]:
    """Over all things of all items: those found that are right, and those there that are found.

    `exact` is the share of items in which all things are found, and nothing else.
    """
    gold = [_apart(item.expected[0]) for item in items]
    got = [_apart(outcome.got) for outcome in outcomes]
    both = [len(wanted & found) for wanted, found in zip(gold, got, strict=True)]
    wanted, found = list(map(len, gold)), list(map(len, got))
    twice = [2 * count for count in both]
    either = [w + f for w, f in zip(wanted, found, strict=True)]
    return {
        "f1": ratio(twice, either),
        "precision": ratio(both, found),
        "recall": ratio(both, wanted),
        "exact": share(right(outcomes)),
    }


def _one(labels: Labels, entities: Iterable[str]) -> str:
    """One label for all that a name may mean, whatever comes first."""
    return min(labels.of_entities(entities))


def _joined(things: Iterable[str]) -> str:
    return _BETWEEN.join(sorted(set(things)))


def _apart(label: str) -> set[str]:
    return set(label.split(_BETWEEN)) - {""}
