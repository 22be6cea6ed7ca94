"""The task `linking`: which things of a base does a text mention?

Where records say at which place (`mentions`), links are counted: is what is linked at a place what
the text says there? Where they only say which (`entities`), all things of a text together are its
label, so an item is right where exactly they are found; precision and recall count things.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from medweave.errors import ConfigurationError, SourceError
from medweave.evaluation.data.bearers import bearers_of
from medweave.evaluation.data.gold_mentions import mention_item
from medweave.evaluation.data.labels import Labels
from medweave.evaluation.items import Found, Item, Ranked
from medweave.evaluation.measures import mentions
from medweave.evaluation.measures.classification import Measure, ratio, right, share
from medweave.evaluation.measures.mentions import tables_of
from medweave.evaluation.outcomes import Outcome
from medweave.evaluation.runner import OURS, Plan
from medweave.evaluation.task import Maker, Request, register
from medweave.language.folding import name_key
from medweave.sources.files.rows import SUFFIXES, Row, read_rows
from medweave.vocabulary.knowledge import Knowledge

FIELDS = ("text", "input", "message", "question")
"""Where a record has its text: the first of these that it has."""
_SHORTEST_SUM = 8
EXACT = "exact dictionary"
_BETWEEN = " | "


class Texts:
    """The texts of labelled records; files of data sets are read once, when they are needed.

    Labels may be shared where texts may not. Such a record names its text: `source` is a file in
    the folder of the data sets, without its suffix, and `id` a record there (by its `id`; where
    records have none, by line from 1). `sha256` holds the first digits of the sum of the text, so
    that a text that was changed since is not measured against labels that are of another.
    """

    def __init__(self, labels: Path, folder: Path | None = None) -> None:
        """`labels` is the file of the labels, for errors; `folder` holds the data sets.

        Raises `ConfigurationError` where the folder is not there.
        """
        if folder is not None and not folder.is_dir():
            raise ConfigurationError(
                "there is no such folder of texts",
                where=str(folder),
                remedy="give the folder of the data sets with --texts",
            )
        self._labels, self._folder = labels, folder
        self._sources: dict[str, dict[str, str]] = {}

    def complete(self, record: Mapping[str, Any]) -> Mapping[str, Any] | str:
        """A record with its `text`, or why it has none.

        Raises `ConfigurationError` where its text is in a data set and no folder was given, and
        `SourceError` where the folder has no such data set.
        """
        if "source" not in record or "text" in record:
            return record
        source, identifier = str(record["source"]), str(record.get("id", ""))
        text = self._source(source).get(identifier)
        if text is None:
            return f"{source} has no text of this id"
        if not _is_of(text, record.get("sha256")):
            return "the text is not the one that was labelled"
        return {**record, "text": text}

    def _source(self, name: str) -> dict[str, str]:
        if name not in self._sources:
            self._sources[name] = _read(self._path(name))
        return self._sources[name]

    def _path(self, name: str) -> Path:
        if self._folder is None:
            raise ConfigurationError(
                f"the texts of these labels are not in the file, but in {name}",
                where=str(self._labels),
                remedy="give the folder of the data sets with --texts",
            )
        inside = PurePosixPath(name)
        if not inside.is_absolute() and ".." not in inside.parts:
            for suffix in SUFFIXES:
                for ending in (suffix, f"{suffix}.gz"):
                    path = self._folder / f"{inside}{ending}"
                    if path.is_file():
                        return path
        raise SourceError(
            f"there is no data set {name} in the folder of texts",
            where=str(self._folder),
            remedy=f"put {name}.jsonl or {name}.jsonl.gz there, or give another one with --texts",
        )


def _is_of(text: str, labelled: Any) -> bool:
    """Whether a sum is that of a text; without one, any text is taken."""
    if labelled is None:
        return True
    whole = hashlib.sha256(text.encode()).hexdigest()
    return len(str(labelled)) >= _SHORTEST_SUM and whole.startswith(str(labelled).lower())


def _read(path: Path) -> dict[str, str]:
    texts: dict[str, str] = {}
    for row in read_rows(path):
        if isinstance(row, Row):
            held = next((row.values[name] for name in FIELDS if name in row.values), None)
            if isinstance(held, str):
                texts[str(row.values.get("id", row.line))] = held
    return texts


class DictionaryLinks:
    """The links of a text; `exactly`: only names as they are written."""

    def __init__(self, knowledge: Knowledge, *, exactly: bool = False) -> None:
        self._dictionary, self._exactly = knowledge.dictionary, exactly

    def rank(self, item: Item) -> Ranked:
        """No labels, but what stands where."""
        found = tuple(
            Found(
                match.start,
                match.end,
                match.named[0].concept,
                match.link.how,
                tuple(dict.fromkeys(named.entity for named in match.named)),
            )
            for match in self._dictionary.find(item.text, exactly=self._exactly)
        )
        return Ranked(recognised=bool(found), found=found)


def plan(request: Request) -> Plan:
    """What is run: ours, and names as they are written.

    Raises `ConfigurationError` and `SourceError` where the texts of labels are not there; see
    `Texts`.
    """
    return _of_places(request) if _says_where(request.data) else _of_things(request)


def _says_where(path: Path) -> bool:
    """Whether the first record has places."""
    first = next((row for row in read_rows(path) if isinstance(row, Row)), None)
    return first is not None and "mentions" in first.values


# Labels with places


def _of_places(request: Request) -> Plan:
    knowledge, texts = request.base.knowledge, request.texts
    data, _ = request.read(_text_maker(Texts(request.data, texts)))
    names = (n for item in data.items for m in item.mentions for n in (*m.names, *m.wider))
    bearers = bearers_of(names, knowledge)

    def measures(items: Sequence[Item], outcomes: Sequence[Outcome]) -> dict[str, Measure]:
        return mentions.measures_of(mentions.counted_all(items, outcomes, bearers))

    return request.plan(
        "linking",
        data,
        {
            OURS: lambda _: DictionaryLinks(knowledge),
            EXACT: lambda _: DictionaryLinks(knowledge, exactly=True),
        },
        measures,
        settings={"texts": texts.name if texts else None},
        tables=tables_of(bearers, lambda thing: knowledge.entities.get(thing).name("en")),
    )


def _text_maker(texts: Texts) -> Maker:
    """Makes items of records; one with a source is called by it too."""

    def item(record: Mapping[str, Any], identifier: str) -> Item | str:
        whole = texts.complete(record)
        if isinstance(whole, str):
            return whole
        source = record.get("source")
        made = mention_item(whole, f"{source} {identifier}" if source else identifier)
        if isinstance(made, Item) and not all(mention.names for mention in made.mentions):
            return "a mention without names"
        return made

    return item


# Labels without places


class Linking:
    """The things that the dictionary finds in a text; `exactly`: only by names as written."""

    def __init__(self, knowledge: Knowledge, *, exactly: bool = False) -> None:
        self._links = DictionaryLinks(knowledge, exactly=exactly)
        self._labels = Labels(knowledge)

    def rank(self, item: Item) -> Ranked:
        """One label: all things of the text."""
        things = [_one(self._labels, link.things) for link in self._links.rank(item).found]
        return Ranked((_joined(things),), recognised=bool(things))


def _of_things(request: Request) -> Plan:
    knowledge = request.base.knowledge
    labels = Labels(knowledge)
    data, _ = request.read(_thing_maker(knowledge, labels))
    return request.plan(
        "linking",
        data,
        {
            OURS: lambda _: Linking(knowledge),
            EXACT: lambda _: Linking(knowledge, exactly=True),
        },
        measures_of,
        name_of=lambda label: _BETWEEN.join(labels.name(thing) for thing in _apart(label)),
    )


def _thing_maker(knowledge: Knowledge, labels: Labels) -> Maker:
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
    both = [len(of_gold & found) for of_gold, found in zip(gold, got, strict=True)]
    of_gold, found = list(map(len, gold)), list(map(len, got))
    twice = [2 * count for count in both]
    either = [w + f for w, f in zip(of_gold, found, strict=True)]
    return {
        "f1": ratio(twice, either),
        "precision": ratio(both, found),
        "recall": ratio(both, of_gold),
        "exact": share(right(outcomes)),
    }


def _one(labels: Labels, entities: Iterable[str]) -> str:
    """One label for all that a name may mean, whatever comes first."""
    return min(labels.of_entities(entities))


def _joined(things: Iterable[str]) -> str:
    return _BETWEEN.join(sorted(set(things)))


def _apart(label: str) -> set[str]:
    return set(label.split(_BETWEEN)) - {""}


register("linking", plan, "texts", "perturb")
