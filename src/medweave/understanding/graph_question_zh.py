"""Reading a question in Chinese as a graph: "治疗哮喘的药物会引起哪些副作用？".

What tells of a thing stands before it, so words are not joined to what is nearest: the question is
taken apart as a sentence. Of several ways to do that the first counts in which each relation can
join its two things. A question of which any word is not read is not read at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

from medweave.language.data import rule_in, rules_in
from medweave.language.folding import blotted
from medweave.model.graph_question import GraphForm, GraphQuestion, Node, Option, Relation, Side
from medweave.model.question import FINDINGS, Mention, Question
from medweave.understanding.graph_question import (
    finished,
    of_some_only,
    offers_what_is_sought,
    only_some,
)
from medweave.understanding.graph_question_items import Item, options_of, outside_options
from medweave.understanding.graph_question_rules import Word, graph_rules
from medweave.understanding.rule_files import GRAPH_RULES
from medweave.vocabulary.knowledge import Knowledge
from medweave.vocabulary.vocabulary import Vocabulary

_BLOT = "\x00"
_GOES_WITH = ("has_symptom",)
_USES = (("used_for",), ("used_to_prevent",))
_AGAINST = frozenset(("contraindicated_in", "caution_in", "interacts_with"))
_STATES = frozenset((*FINDINGS, "population"))
"""What a drug may be contraindicated in, one beside the other: "癫痫和妊娠"."""
_CUT_OFF = 3
"""So many characters of a name may stand before the name of a class that takes its end."""
_First = Literal["own", "other", ""]
_MOST_WORDS = 30
"""Longer sentences have too many ways to be taken apart."""


@dataclass(frozen=True, slots=True)
class _Thing:
    """What is named or sought, and what is told of it; several names that stand together."""

    nodes: tuple[Node, ...]
    links: tuple[_Link, ...] = ()
    any: bool = False
    asked: bool = False

    @property
    def concepts(self) -> tuple[str, ...]:
        return self.nodes[0].concepts

    @property
    def sought(self) -> bool:
        return self.nodes[0].sought


@dataclass(frozen=True, slots=True)
class _Link:
    """That a thing stands in one of some relations to another; of no relation the usual one."""

    predicates: tuple[str, ...]
    other: _Thing
    denied: bool = False
    by_verb: bool = False
    """A verb means what it says; a noun ("基因") may stand in any usual relation."""
    first: Literal["own", "other", ""] = ""
    """Which of the two is the subject, where the words say so."""


def read_chinese_graph_question(question: Question, knowledge: Knowledge) -> GraphQuestion | None:
    """The question as a graph; None where it is not all of relations between things.

    >>> from medweave.knowledge_base import KnowledgeBase
    >>> with KnowledgeBase.sample() as base:
    ...     asked = base.understand("哪些药物能治疗引起喘息的疾病？")
    ...     read = read_chinese_graph_question(asked, base.knowledge)
    >>> read.form, [relation.predicates for relation in read.relations]
    ('list', [('used_for',), ('has_symptom', 'has_complication')])
    """
    text, names = question.text, knowledge.dictionary
    stem, options = options_of(text, question.mentions, names, "zh")
    read = _read(question, stem, options, knowledge)
    if options and not (read and offers_what_is_sought(read, knowledge)):
        if any(option.label for option in options):
            return read
        read = _read(question, text, (), knowledge)
    return read


def _read(
    question: Question, stem: str, options: tuple[Option, ...], knowledge: Knowledge
) -> GraphQuestion | None:
    stem, apart = only_some(stem, "zh")
    asks: str = rules_in("zh", *GRAPH_RULES)["asks_of_a_claim"]
    stem = rule_in("zh", "claim_tag", *GRAPH_RULES).sub(asks, stem)
    read = _read_items(_items_of(stem, question), stem, options, knowledge, apart=apart)
    if read is None and (cut := _with_what_for(question, knowledge)) != question.mentions:
        items = _items_of(stem, replace(question, mentions=cut))
        read = _read_items(items, stem, options, knowledge, apart=apart)
        against = (each.predicates for each in read.relations) if read else ()
        return read if any(_AGAINST.intersection(each) for each in against) else None
    return read


def _with_what_for(question: Question, knowledge: Knowledge) -> tuple[Mention, ...]:
    """The names of a question, with what drugs are for where they are called by that: "高血压的药"
    is read as a class, of which nobody says what speaks against it."""
    return tuple(
        (_what_for(mention, question.text, knowledge) or mention)
        if mention.concept == "drug_class"
        else mention
        for mention in question.mentions
    )


def _what_for(mention: Mention, text: str, knowledge: Knowledge) -> Mention | None:
    found = rule_in("zh", "drugs_of_a_class", *GRAPH_RULES).search(mention.text)
    end = mention.start + found.start() if found else mention.start
    for start in range(max(mention.start - _CUT_OFF, 0), end):
        named = knowledge.dictionary.names(text[start:end])
        if named and named[0].concept in FINDINGS:
            first = named[0]
            return Mention(start, end, text[start:end], first.entity, first.name, first.concept)
    return None


def _read_items(
    items: list[Item] | None,
    stem: str,
    options: tuple[Option, ...],
    knowledge: Knowledge,
    *,
    apart: bool,
) -> GraphQuestion | None:
    if items is None or len(items) > _MOST_WORDS:
        return None
    sentence = _Sentence([item for item in items if item.kind != "filler"], knowledge.vocabulary)
    for thing, claims in sentence.readings():
        if read := _Graph(knowledge.vocabulary).of(thing, claims=claims, options=options):
            read = of_some_only(read) if apart else read
            return None if read is None or _may_say_what_to_avoid(stem, read) else read
    return None


def _may_say_what_to_avoid(stem: str, read: GraphQuestion) -> bool:
    """Whether nothing is told but what something is not used for, by words that may mean that it
    must not be: "哪些药物不能用于哮喘"."""
    uses = all(each.denied and each.predicates in _USES for each in read.relations)
    return read.form == "list" and uses and not rule_in("zh", "acts", *GRAPH_RULES).search(stem)


@cache
def _words() -> tuple[Word, ...]:
    rules: dict[str, Any] = rules_in("zh", *GRAPH_RULES)
    words = [
        Word("noun", re.compile(each["words"]), tuple(each["concepts"]),
             tuple(each.get("implies", ())))
        for each in rules["nouns"]
    ]  # fmt: skip
    words += [
        Word("verb", re.compile(each["words"]), (), tuple(each["predicates"]),
             directed=each.get("directed", False), of_state=each.get("of_state", False),
             with_denied=each.get("with_denied", False))
        for each in rules["verbs"]
    ]  # fmt: skip
    return (*words, *(Word(kind, re.compile(text)) for kind, text in rules["words"].items()))


def _items_of(text: str, question: Question) -> list[Item] | None:
    """All words of a text; None where one is none of the grammar."""
    inside = {m.start: m for m in outside_options(text, question.mentions)}
    written = blotted(text, ((m.start, m.end) for m in inside.values()), _BLOT)
    items: list[Item] = []
    place = 0
    while place < len(written):
        if mention := inside.get(place):
            kinds = (mention.concept, *(other.concept for other in mention.alternatives))
            item = Item("name", place, mention.end, mention.text,
                        concepts=tuple(dict.fromkeys(kinds)), mention=mention)  # fmt: skip
        else:
            found = [(m.end(), w) for w in _words() if (m := w.pattern.match(written, place))]
            end, word = max(found, key=lambda each: each[0], default=(place, None))
            if word is None or end == place:
                return None
            item = Item(word.kind, place, end, written[place:end], word.concepts, word.predicates,
                        directed=word.directed, of_state=word.of_state,
                        with_denied=word.with_denied)  # fmt: skip
        items.append(item)
        place = item.end
    return items


class _Sentence:
    """The ways to take a sentence apart. Each part yields what it may be, and where it ends."""

    def __init__(self, items: Sequence[Item], vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._denies = any(item.kind == "not" for item in items)
        self.claims = any(item.kind in ("claims", "claims_to_be") for item in items)
        kinds = {"claims_to_be": "be"}
        self._items = [
            replace(item, kind=kinds.get(item.kind, item.kind))
            for item in items
            if item.kind != "claims"
        ]
        if self._kind(0) == "listed":  # "有哪些药物能…"
            self._items[0] = replace(self._items[0], kind="ask")

    def readings(self) -> Iterator[tuple[_Thing, bool]]:
        """What the sentence is about, with all that is told of it; and whether it only claims."""
        end = len(self._items)
        for whole, behind in self._thing(self._skip(0, "have")):
            thing, place = self._asked_among(whole, self._skip(behind, "expression"))
            if place == end or (self._kind(place) == "listed" and place + 1 == end):
                yield replace(thing, asked=thing.asked or not self.claims), self.claims
            for told, last in self._clauses(place, thing):
                if last == end:
                    yield replace(thing, links=(*thing.links, *told)), self.claims
            yield from ((each, self.claims) for each in self._being(place, thing))
            yield from ((each, self.claims) for each in self._including(place, thing))
        yield from ((each, self.claims) for each in self._turned())

    def _asked_among(self, thing: _Thing, place: int) -> tuple[_Thing, int]:
        """Which of what is told of before are asked for: "治疗痛风的药物中哪些…"."""
        asks = self._skip(place, "inside", "also", "be", "have")
        if asks == place or self._kind(asks) not in ("ask", "listed") or not thing.sought:
            return thing, place
        asks += 1
        again = self._kind(asks) == "noun" and set(self._items[asks].concepts) & {*thing.concepts}
        return replace(thing, asked=True), asks + bool(again)

    def _kind(self, place: int) -> str:
        return self._items[place].kind if place < len(self._items) else ""

    def _skip(self, place: int, *kinds: str) -> int:
        while self._kind(place) in kinds:
            place += 1
        return place

    # Things

    def _thing(self, place: int) -> Iterator[tuple[_Thing, int]]:
        """A thing with what is told before it, the longest first."""
        found = [*self._bare(place), *self._related(place)]
        while found:
            longer = [each for one in found for each in self._of(*one)]
            yield from sorted(found, key=lambda each: -each[1])
            found = longer

    def _bare(self, place: int) -> Iterator[tuple[_Thing, int]]:
        if self._kind(place) == "name":
            yield from self._names(place)
            return
        offered = self._kind(place) == "offered"
        start = self._skip(place, "offered")
        asked = self._kind(start) == "ask"
        start = self._skip(start, "ask")
        if self._kind(start) == "noun":
            item, end = self._items[start], start + 1
            if offered and self._kind(end) == "inside":  # "下列药物中，哪一个"
                end = self._skip(end, "inside", "also", "ask")
                asked = True
            yield _Thing((_sought(item),), asked=asked), end
        elif offered and self._kind(start) in ("inside", "also"):  # "下列选项中，哪个"
            end = self._skip(start, "inside", "also")
            if self._kind(end) == "ask":
                yield from self._bare(end)
        elif asked:
            yield _Thing((Node((), self._items[start - 1].text),), asked=True), start

    def _names(self, place: int) -> Iterator[tuple[_Thing, int]]:
        """A name, and further ones of its kind."""
        nodes, either = [_named(self._items[place])], False
        end = place + 1
        ways = [(_Thing(tuple(nodes)), end)]
        while self._kind(end) in ("with", "or") and self._kind(end + 1) == "name":
            either = either or self._kind(end) == "or"
            nodes.append(_named(self._items[end + 1]))
            kinds = (set(nodes[0].concepts), set(nodes[-1].concepts))
            if not (kinds[0] & kinds[1] or all(each & _STATES for each in kinds)):
                break
            end += 2
            ways.append((_Thing(tuple(nodes), any=either), end))
        yield from reversed(ways)

    def _related(self, place: int) -> Iterator[tuple[_Thing, int]]:
        """What is told of a thing, "的", and the thing: "治疗哮喘的药物"."""
        asked = self._kind(place) in ("ask", "listed")
        for told, end in self._clauses(self._skip(place, "ask", "listed"), None):
            if self._kind(end) == "of":
                for thing, last in self._told_of(self._skip(end, "of")):
                    if thing.sought:
                        whole = replace(thing, links=(*thing.links, *told))
                        yield replace(whole, asked=thing.asked or asked), last
        if asked and self._kind(named := self._skip(place, "ask", "listed")) == "name":
            for thing, last in self._told_of(named):  # "哪些高血压药"
                if thing.sought:
                    yield replace(thing, asked=True), last
        for owners, end in self._owners(self._skip(place, "ask", "listed")):
            if self._kind(end) == "of" and self._kind(end + 1) == "noun":
                predicates = self._items[end + 1].predicates
                links = (
                    _Link(predicates, owner, lacks, by_verb=True, first="other")
                    for owner, lacks in owners
                )
                node = _sought(self._items[end + 1])
                yield _Thing((node,), tuple(links), asked=asked), end + 2

    def _owners(self, place: int) -> Iterator[tuple[list[tuple[_Thing, bool]], int]]:
        """Who has what follows, and who has not: "肺结核有而肺炎没有"."""
        if self._kind(place) != "name":
            return
        for owner, end in self._names(place):
            verb = self._skip(end, "also", "but")
            lacks = self._kind(verb) == "not"
            behind = self._skip(verb, "not") if lacks else verb
            if self._kind(behind) == "have":
                behind += 1
            elif not (lacks and _lacks(self._items[verb])):
                continue
            yield [(owner, lacks)], behind
            for more, last in self._owners(self._skip(behind, "also", "but")):
                yield [(owner, lacks), *more], last

    def _bare_or_related(self, place: int) -> Iterator[tuple[_Thing, int]]:
        yield from self._bare(place)
        yield from self._related(place)

    def _told_of(self, place: int) -> Iterator[tuple[_Thing, int]]:
        """What more is told of: "药物", and "高血压药" with the thing that stands in the noun."""
        yield from self._bare_or_related(place)
        if self._kind(place) == "name":
            for name, end in self._names(place):
                yield from self._of(name, end)

    def _of(self, thing: _Thing, place: int) -> Iterator[tuple[_Thing, int]]:
        """A thing of a thing: "哮喘的症状", and what it does: "沙丁胺醇结合的基因"."""
        start = self._skip(place, "of", "expression")
        verb = self._items[start] if self._kind(start) == "verb" else None
        behind = self._skip(start + 1, "of") if verb else start
        if verb and behind == start + 1:
            return  # "X结合基因" is a sentence
        for head, end in self._bare(behind):
            if head.sought and head.concepts:
                predicates = verb.predicates if verb else self._implied(end)
                first: _First = "" if verb else self._first_of(end)
                told = _Link(predicates, thing, by_verb=bool(verb), first=first)
                yield replace(head, links=(told,)), end

    def _implied(self, end: int) -> tuple[str, ...]:
        """The relation of the noun that ends here."""
        return self._items[end - 1].predicates

    def _first_of(self, end: int) -> Literal["own", "other", ""]:
        """What the noun that ends here is of has it, where the noun may be had."""
        noun = self._items[end - 1]
        ranges = (self._vocabulary.predicate(each).range for each in noun.predicates)
        return "other" if any(set(noun.concepts) & set(allowed) for allowed in ranges) else ""

    # Clauses

    def _clauses(self, place: int, subject: _Thing | None) -> Iterator[tuple[list[_Link], int]]:
        """What is told of a thing, in one clause or several."""
        for told, end in self._clause(place, subject):
            yield [told], end
            joined = self._skip(end, "also", "but")
            if joined > end:
                for more, last in self._clauses(joined, subject):
                    yield [told, *more], last

    def _clause(self, place: int, subject: _Thing | None) -> Iterator[tuple[_Link, int]]:
        denied = self._kind(place) == "not"
        start = self._skip(place, "not")
        kind = self._kind(start)
        if kind == "verb" and not self._items[start].with_denied:
            for other, end in self._thing(start + 1):
                verb = self._items[start]
                first: _First = "own" if verb.directed else ""
                told = _Link(verb.predicates, other, denied, by_verb=True, first=first)
                yield told, self._skip(end, "expression")
        elif kind == "name":
            yield from self._complaints(place, start, subject, denied=denied)
            yield from self._of_states(start)
        elif kind in ("with", "by", "in", "use"):
            for other, end in self._thing(start + 1):
                last = self._skip(end, "inside")
                denied_here = denied or self._kind(last) == "not"
                last = self._skip(last, "not")
                if self._kind(last) == "verb":
                    verb = self._items[last]
                    if verb.with_denied and not denied_here:
                        continue
                    denied_here = denied_here and not verb.with_denied
                    first = "other" if verb.directed and kind == "by" else ""
                    told = _Link(verb.predicates, other, denied_here, by_verb=True, first=first)
                    yield told, last + 1
                elif kind == "with" and self._kind(last) in ("related", "unrelated"):
                    denied_here = denied_here != (self._kind(last) == "unrelated")
                    yield _Link((), other, denied_here), last + 1
        else:
            yield from self._having(place, start, subject, denied=denied)

    def _having(
        self, place: int, start: int, subject: _Thing | None, *, denied: bool
    ) -> Iterator[tuple[_Link, int]]:
        """What a thing has: "有症状", "有哪些症状", "肺结核有哪些肺炎没有的症状"."""
        kind = self._kind(start)
        if kind == "have":
            if self._kind(start + 1) == "name":
                yield from self._complaints(place, start + 1, subject, denied=denied, has=True)
            for other, end in self._thing(start + 1) if subject is not None else ():
                if other.sought:
                    yield _Link(self._implied(end), other, denied), end
        elif kind == "listed" and subject is not None and self._kind(start + 1) == "noun":
            item = self._items[start + 1]
            other = _Thing((_sought(item),), asked=True)
            yield _Link(item.predicates, other, denied), start + 2
        if kind == "listed" and subject is not None:  # "肺结核有哪些肺炎没有的症状"
            for other, end in self._related(start):
                yield _Link(self._implied(end), other, denied, by_verb=True, first="own"), end

    def _of_states(self, name: int) -> Iterator[tuple[_Link, int]]:
        """What must not, or may, be taken by whom or in which state, told before the verb:
        "妊娠期禁用但哺乳期不禁用的药物"."""
        for other, end in self._names(name):
            verb = self._skip(end, "inside", "also", "not")
            denied = any(item.kind == "not" for item in self._items[end:verb])
            if self._kind(verb) == "verb" and self._items[verb].of_state:
                predicates = self._items[verb].predicates
                yield _Link(predicates, other, denied, by_verb=True, first="own"), verb + 1

    def _complaints(
        self, place: int, name: int, subject: _Thing | None, *, denied: bool, has: bool = False
    ) -> Iterator[tuple[_Link, int]]:
        """What an illness goes with, without a verb or behind "有": "咳嗽但不发热的疾病"."""
        lacks = denied and _lacks(self._items[place])
        told = has or lacks or (self._denies and (denied or subject is None))
        if not told or (subject is not None and "disease" not in subject.concepts):
            return
        for other, end in self._names(name):
            if "symptom" in other.concepts:
                yield _Link(_GOES_WITH, other, denied, by_verb=True, first="own"), end

    def _including(self, place: int, thing: _Thing) -> Iterator[_Thing]:
        """Who has what is named, told of a noun that they have: "哪些疾病的危险因素包括X"."""
        if self._kind(place) not in ("includes", "have") or len(thing.links) != 1:
            return
        [had] = thing.links
        if not had.other.sought or self._kind(place + 1) != "name":
            return
        for other, end in self._names(place + 1):
            if end == len(self._items):
                told = _Link(had.predicates, other, by_verb=True, first="own")
                yield replace(had.other, links=(*had.other.links, told), asked=True)

    def _being(self, place: int, thing: _Thing) -> Iterator[_Thing]:
        """What is told of a noun is told of what stands before it: "X是Y的靶点"."""
        is_not = self._kind(place) == "not" and _says_that_it_is_not(self._items[place])
        if self._kind(place) not in ("be", "listed") and not is_not:
            return
        denied = is_not or self._kind(place - 1) == "not"
        if self._kind(place) == "be":  # "哪些是孕妇禁用的"
            for told_all, end in self._clauses(place + 1, None):
                if end + 1 == len(self._items) and self._kind(end) == "of":
                    told = tuple(replace(each, denied=each.denied != denied) for each in told_all)
                    yield replace(thing, links=(*thing.links, *told))
        for what, end in self._thing(place + (self._kind(place) != "listed")):
            if end == len(self._items) and what.sought and what.links:
                told = tuple(replace(each, denied=each.denied != denied) for each in what.links)
                yield replace(thing, links=(*thing.links, *told))
        if self._kind(place) == "listed":
            for told_of, end in self._of_listed(place):
                if end == len(self._items):
                    yield replace(thing, links=(*thing.links, told_of))

    def _of_listed(self, place: int) -> Iterator[tuple[_Link, int]]:
        """What is asked for stands before the noun: "X是哪些药物的靶点"."""
        if self._kind(place + 1) != "noun":
            return
        asked = _Thing((_sought(self._items[place + 1]),), asked=True)
        end = self._skip(place + 2, "of")
        if end > place + 2 and self._kind(end) == "noun":
            first = self._first_of(end + 1)
            yield _Link(self._items[end].predicates, asked, first=first), end + 1

    def _turned(self) -> Iterator[_Thing]:
        """What is told first: "与X有关的是下面哪个基因"."""
        for told, end in self._clauses(0, None):
            if self._kind(end) == "of" and self._kind(end + 1) == "be":
                for thing, last in self._bare(end + 2):
                    if last == len(self._items):
                        yield replace(thing, links=tuple(told))


def _lacks(item: Item) -> bool:
    """Whether a word denies that something is had, and not what a verb says."""
    return bool(rule_in("zh", "lacking", *GRAPH_RULES).fullmatch(item.text))


def _says_that_it_is_not(item: Item) -> bool:
    """Whether a word denies what something is, and not what it does."""
    return rule_in("zh", "is_not", *GRAPH_RULES).search(item.text) is not None


def _sought(item: Item) -> Node:
    return Node(item.concepts, item.text)


def _named(item: Item) -> Node:
    entities = item.mention.entities if item.mention else ()
    return Node(item.concepts, item.text, entities)


class _Graph:
    """A graph from what is told of a thing, as far as the relations can join what they are of."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._nodes: list[Node] = []
        self._relations: list[Relation] = []
        self._asked: list[int] = []
        self._claims = False

    def of(
        self, thing: _Thing, *, claims: bool, options: tuple[Option, ...]
    ) -> GraphQuestion | None:
        """The question; None where a relation cannot be, or nothing is named or asked for."""
        self._claims = claims
        if self._put(thing) is None or not any(not node.sought for node in self._nodes):
            return None
        if not claims and len(self._asked) != 1:
            return None
        form: GraphForm = "choice" if options else "yes_no" if claims else "list"
        if form != "yes_no" and not self._asked:
            return None
        target = -1 if form == "yes_no" else self._asked[0]
        read = finished(form, self._nodes, self._relations, target, options)
        return replace(read, language="zh") if read else None

    def _put(self, thing: _Thing) -> tuple[int, ...] | None:
        first = len(self._nodes)
        self._nodes += thing.nodes
        own = tuple(range(first, len(self._nodes)))
        if thing.asked:
            self._asked.append(first)
        for told in thing.links:
            other = self._put_told(own, told, thing)
            if other is None:
                return None
        return own

    def _put_told(self, own: tuple[int, ...], told: _Link, thing: _Thing) -> Relation | None:
        place = len(self._relations)
        other = self._put(told.other)
        if other is None:
            return None
        sides = (Side(own, thing.any), Side(other, told.other.any))
        relation = self._joining(sides, told)
        if relation:
            directed = self._claims and bool(told.first)
            relation = replace(relation, denied=told.denied, directed=directed)
            self._relations.insert(place, relation)
        return relation

    def _joining(self, sides: tuple[Side, Side], told: _Link) -> Relation | None:
        """The relation by its words; else by what such things usually are."""
        ways = {"own": (sides,), "other": (sides[::-1],)}.get(told.first, ())
        for first, second in ways:
            if relation := self._fitting((first, second), told.predicates, both=False):
                return relation
            if self._claims and not (self._is_sought(first) or self._is_sought(second)):
                able = self._fitting((second, first), told.predicates, both=False)
                return able.reversed if able else None
        if relation := self._fitting(sides, told.predicates):
            return relation
        if told.by_verb:
            return None
        relation = self._fitting(sides, self._usual(sides))
        return replace(relation, weak=True) if relation else None

    def _usual(self, sides: tuple[Side, Side]) -> tuple[str, ...]:
        first, second = (self._nodes[side.nodes[0]].concepts for side in sides)
        for subject, object_, predicate in graph_rules().usual:
            for one, other in ((first, second), (second, first)):
                if subject in one and object_ in other:
                    return (predicate,)
        return ()

    def _is_sought(self, side: Side) -> bool:
        return any(self._nodes[node].sought for node in side.nodes)

    def _fitting(
        self, sides: tuple[Side, Side], predicates: Sequence[str], *, both: bool = True
    ) -> Relation | None:
        for strict in (True, False):
            for subject, object_ in (sides, sides[::-1]) if both else (sides,):
                able = tuple(p for p in predicates if self._can(subject, p, object_, strict))
                if able:
                    self._settle(subject, object_, able[0])
                    return Relation(subject, able, object_)
        return None

    def _can(self, subject: Side, name: str, object_: Side, strict: bool) -> bool:
        predicate = self._vocabulary.predicate(name)
        for side, allowed in ((subject, predicate.domain), (object_, predicate.range)):
            for node in side.nodes:
                own = self._nodes[node].concepts
                if own and not set(own[:1] if strict else own) & set(allowed):
                    return False
        return True

    def _settle(self, subject: Side, object_: Side, name: str) -> None:
        """What is sought without a noun is what its relation says."""
        predicate = self._vocabulary.predicate(name)
        for side, allowed in ((subject, predicate.domain), (object_, predicate.range)):
            for node in side.nodes:
                if not self._nodes[node].concepts:
                    self._nodes[node] = replace(self._nodes[node], concepts=allowed)
