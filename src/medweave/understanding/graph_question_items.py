"""The words of a question, one after the other: names, nouns for what is sought, relations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from medweave.language.data import rule_in
from medweave.language.folding import blotted, lower
from medweave.model.graph_question import Option
from medweave.model.question import Mention
from medweave.understanding.graph_question_rules import GraphRules, Word
from medweave.understanding.rule_files import GRAPH_RULES
from medweave.vocabulary.dictionary import Dictionary

_BLOT = "\x00"
_POSSESSIVE = re.compile(r"['’]s?(?![\w])")
_SKIPPED = re.compile(r"[^\w\x00,&]+")
_UNKNOWN = re.compile(r"\w+")
_LABEL = re.compile(
    r"(?:^|(?<=[\s?:,;\u3000？：，；、。])|(?<=[\u4e00-\u9fff])(?=[(（]?[A-H]))"
    r"[(（]?([A-Ha-h]|[1-9])[.):．、）：](?=\s*\S)"
)
"""A Chinese option may stand right behind the one before it."""
_LEAST_OPTIONS = 2
_EDGES = " \t\n,;.?，；。？、"
_COMMAS = re.compile("[,;，；、]")
_ASKED = re.compile("[?？]")
_ORDER = ("noun", "relation", "generic", "soft")


@dataclass(frozen=True, slots=True)
class Item:
    """One word, or a few that belong together, or a name."""

    kind: str
    start: int
    end: int
    text: str
    concepts: tuple[str, ...] = ()
    predicates: tuple[str, ...] = ()
    turned: bool = False
    mention: Mention | None = None
    otherwise: tuple[str, ...] = ()
    directed: bool = False
    of_state: bool = False
    with_denied: bool = False


def options_of(
    text: str, mentions: Sequence[Mention], dictionary: Dictionary, language: str = "en"
) -> tuple[str, tuple[Option, ...]]:
    """A question without the options that it offers at its end, and these.

    >>> from medweave.knowledge_base import KnowledgeBase
    >>> with KnowledgeBase.sample() as base:
    ...     stem, options = options_of("Which is a drug? a) gout b) aspirin", (),
    ...         base.knowledge.dictionary)
    >>> stem.strip(), [(option.label, option.text) for option in options]
    ('Which is a drug?', [('A', 'gout'), ('B', 'aspirin')])
    """
    marks = _marks(text)
    if not marks:
        return _named_options(text, dictionary, language)
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    options = []
    for mark, end in zip(marks, ends, strict=True):
        written = text[mark.end() : end].strip(_EDGES)
        exact = _called(written, dictionary)
        inside = [m for m in mentions if mark.end() <= m.start and m.end <= end]
        entities = exact or tuple(e for m in inside[:1] for e in m.entities)
        none = rule_in(language, "none_of_these", *GRAPH_RULES).fullmatch(written.lower())
        options.append(Option(mark[1].upper(), written, entities, none=none is not None))
    return text[: marks[0].start()], tuple(options)


def _called(written: str, dictionary: Dictionary) -> tuple[str, ...]:
    return tuple(named.entity for named in dictionary.names(written) if named.present)


def _named_options(
    text: str, dictionary: Dictionary, language: str
) -> tuple[str, tuple[Option, ...]]:
    """The options that a question names at its end without labels, behind a colon, or behind a
    comma and joined by "or": "which is a symptom of gout: cough, joint pain?"."""
    between = rule_in(language, "between_options", *GRAPH_RULES)
    for way in ("offered_behind_colon", "offered_behind_comma", "offered_in_front"):
        found = rule_in(language, way, *GRAPH_RULES).search(lower(text))
        offered = text[slice(*found.span("offered"))] if found else ""
        parts = list(_parts(offered, between, dictionary))
        known = sum(bool(entities) for _, entities in parts)
        enough = 2 * known >= len(parts) if way == "offered_behind_colon" else known == len(parts)
        if found and len(parts) >= _LEAST_OPTIONS and known and enough:
            options = tuple(Option("", written, entities) for written, entities in parts)
            if way == "offered_in_front":
                return blotted(text, [found.span("out")], " "), options
            return text[: found.start("offered")].rstrip(_EDGES + ":：-–—"), options
    return text, ()


def _parts(
    offered: str, between: re.Pattern[str], dictionary: Dictionary
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What is offered, one after the other; what joins two may be part of a name."""
    for part in filter(None, (each.strip(_EDGES) for each in _COMMAS.split(offered))):
        whole = _called(part, dictionary)
        joined = (part,) if whole else filter(None, between.split(part))
        for one in (each.strip(_EDGES) for each in joined):
            if one:
                yield one, _called(one, dictionary)


def outside_options(stem: str, mentions: Sequence[Mention]) -> list[Mention]:
    """The names of a question that are none of what it offers, which is no part of its stem."""
    return [m for m in mentions if m.end <= len(stem) and stem[m.start : m.end].strip()]


def offers_options(text: str) -> bool:
    """Whether a text is one question that offers answers, and no list of questions.

    >>> offers_options("Which drug treats gout: 1. metformin 2. colchicine?")
    True
    >>> offers_options("1. What causes gout? 2. What treats it?")
    False
    """
    marks = _marks(text)
    if not marks:
        return False
    stem, offered = text[: marks[0].start()].strip(), text[marks[0].start() :].strip()
    return stem.endswith(("?", ":", "？", "：")) and not _ASKED.search(offered[:-1])


def _marks(text: str) -> list[re.Match[str]]:
    """The labels of options, if they run on from the first one."""
    for first in ("a", "1"):
        found: list[re.Match[str]] = []
        for mark in _LABEL.finditer(text):
            if mark[1].lower() == chr(ord(first) + len(found)):
                found.append(mark)
        if len(found) >= _LEAST_OPTIONS:
            return found
    return []


def items_of(
    text: str, mentions: Sequence[Mention], rules: GraphRules, *, loosely: bool = False
) -> list[Item] | None:
    """All words of a text that weigh; None where one of them is none of the grammar, unless it is
    read loosely: then that one is passed over."""
    lowered = lower(text)
    named = without_words_of_relations(lowered, without_nouns(mentions, rules), rules)
    inside = sorted((m for m in named if m.end <= len(text)), key=lambda m: m.start)
    written = blotted(lowered, ((m.start, m.end) for m in inside), _BLOT)
    by_start = {m.start: m for m in inside}
    items: list[Item] = []
    place = 0
    while place < len(written):
        if place in by_start:
            mention = by_start[place]
            place = mention.end
            items.append(_named(mention))
            if possessive := _POSSESSIVE.match(written, place):
                place = possessive.end()
            continue
        if (skipped := _SKIPPED.match(written, place)) and skipped.end() > place:
            place = skipped.end()
            continue
        item = _longest(written, place, rules.words)
        if item is None:
            if not loosely:
                return None
            item = _unknown(written, place)
        items.append(item)
        place = item.end
    return items


def without_nouns(mentions: Sequence[Mention], rules: GraphRules) -> list[Mention]:
    """The names of a text that are no nouns of the grammar: a base may have a thing that is called
    "adverse reaction"."""
    nouns = [word.pattern for word in rules.words if word.kind == "noun"]
    return [m for m in mentions if not any(n.fullmatch(lower(m.text)) for n in nouns)]


def without_words_of_relations(
    text: str, mentions: Sequence[Mention], rules: GraphRules
) -> list[Mention]:
    """The names of a text that do not lie within words for a relation: "increases the gene
    expression of" names no process."""
    relations = [word.pattern for word in rules.words if word.kind == "relation"]
    places = [m.span() for each in relations for m in each.finditer(text)]
    return [
        m for m in mentions if not any(first < m.start and m.end < last for first, last in places)
    ]


def _unknown(written: str, place: int) -> Item:
    """A word that is none of the grammar, as one that tells nothing."""
    match = _UNKNOWN.match(written, place)
    end = match.end() if match else place + 1
    return Item("filler", place, end, written[place:end])


def _named(mention: Mention) -> Item:
    concepts = (mention.concept, *(meaning.concept for meaning in mention.alternatives))
    return Item(
        "name",
        mention.start,
        mention.end,
        mention.name,
        concepts=tuple(dict.fromkeys(concepts)),
        mention=mention,
    )


def _longest(written: str, place: int, words: Sequence[Word]) -> Item | None:
    """The longest stretch of the grammar that begins here; of several the first."""
    best: tuple[int, Word] | None = None
    for word in words:
        match = word.pattern.match(written, place)
        if match and match.end() > (best[0] if best else place):
            best = match.end(), word
    if best is None:
        return None
    end, word = best
    return Item(
        word.kind,
        place,
        end,
        written[place:end],
        word.concepts,
        word.predicates,
        word.turned,
        otherwise=word.otherwise,
        directed=word.directed,
    )
