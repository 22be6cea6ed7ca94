"""Reading a question as a graph: "Which drugs bind genes that are associated with asthma?".

What is named and what is sought are nodes; each is joined to one before it by the relation that the
words between them name, and that two such things can have: the nearest that fits. Words that mean
any relation ("associated with") take the usual one. A question of which any word of weight is not
read is not read at all: it is for those who answer questions in other ways.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from medweave.language.data import rule_in
from medweave.language.folding import blotted, lower
from medweave.model.graph_question import (
    NETWORKS,
    GraphForm,
    GraphQuestion,
    Node,
    Option,
    Relation,
    Side,
)
from medweave.model.question import Question
from medweave.understanding.graph_question_items import (
    Item,
    items_of,
    options_of,
    outside_options,
)
from medweave.understanding.graph_question_nouns import with_nouns, with_what
from medweave.understanding.graph_question_rules import GraphRules, graph_rules
from medweave.understanding.rule_files import GRAPH_RULES
from medweave.understanding.told_and_asked import in_one_sentence
from medweave.vocabulary.knowledge import Knowledge
from medweave.vocabulary.vocabulary import Vocabulary

_LONGEST = 400
"""Longer texts are stories."""
_LINKS = ("and", "or", "both", "filler", "denied")
_OPENS = ("that", "and")
_PAIR = 2
_USES = (("used_for",), ("used_to_prevent",))


def read_graph_question(
    question: Question, knowledge: Knowledge, *, loosely: bool = False
) -> GraphQuestion | None:
    """The question as a graph; None where it is not all of relations between things.

    Read loosely, words that are none of the grammar are passed over, and things stand in the
    relation that such things usually have: that is no answer, but tells where one may lie.

    >>> from medweave.knowledge_base import KnowledgeBase
    >>> with KnowledgeBase.sample() as base:
    ...     asked = base.understand("Which drugs treat the diseases that cause wheezing?")
    ...     read = read_graph_question(asked, base.knowledge)
    >>> read.form, [relation.predicates for relation in read.relations]
    ('list', [('used_for',), ('has_symptom', 'has_complication')])
    """
    if not question.mentions or len(question.text) > _LONGEST:
        return None
    question = question if loosely else in_one_sentence(question)
    if question.language == "zh" and not loosely:
        from medweave.understanding.graph_question_zh import read_chinese_graph_question

        return read_chinese_graph_question(question, knowledge)
    if question.language != "en":
        return None
    stem, options = options_of(question.text, question.mentions, knowledge.dictionary)
    read = _read(question, stem, options, knowledge, loosely=loosely)
    if options and not (read and offers_what_is_sought(read, knowledge)):
        if any(option.label for option in options):
            return read
        read = _read(question, question.text, (), knowledge, loosely=loosely)
    return read


def offers_what_is_sought(read: GraphQuestion, knowledge: Knowledge) -> bool:
    """Whether things that are named without labels may be what is sought: "which drugs treat gout,
    asthma or pain?" offers no drugs."""
    if read.labelled or read.form != "choice":
        return read.form == "choice"
    family = knowledge.vocabulary.family
    sought = {family(concept) for concept in read.nodes[read.target].concepts}
    named = [entity for option in read.options for entity in option.entities[:1]]
    offered = [family(each.concept) for each in knowledge.entities.all(named).values()]
    return not sought or 2 * sum(one in sought for one in offered) >= len(offered)


def _read(
    question: Question,
    stem: str,
    options: tuple[Option, ...],
    knowledge: Knowledge,
    *,
    loosely: bool,
) -> GraphQuestion | None:
    rules = graph_rules()
    stem, claimed, denied = _without_frame(stem, rules)
    stem, apart = only_some(stem, "en")
    named = outside_options(stem, question.mentions)
    items = items_of(stem, named, rules, loosely=loosely)
    if not items or not any(item.kind == "name" for item in items):
        return None
    if rules.of_people.match(stem.lower()):
        return None
    asks = bool(rules.yes_no.match(stem.strip().lower())) or claimed
    asks = asks or (not options and _is_stated(question.text, items))
    reading = _Reading(
        rules,
        knowledge.vocabulary,
        knowledge.holds_relation,
        options,
        _offered(options, knowledge),
        loosely=loosely,
    )
    read = reading.read(items, asks_yes_no=asks, denied=denied)
    if read and apart:
        read = of_some_only(read)
    return None if read and _asks_for_a_person(stem, read, rules) else read


def only_some(stem: str, language: str) -> tuple[str, bool]:
    """A question without the words that ask for what two do not share ("do X and Y not share",
    "only one of X and Y"), and whether it asks for that.

    Where a word denies what is asked of another, "only" says no more than that, and goes as well.
    """
    found = rule_in(language, "not_shared", *GRAPH_RULES).search(lower(stem))
    if found:
        spans = [found.span(name) for name, said in found.groupdict().items() if said]
        return blotted(stem, spans, " "), True
    only = rule_in(language, "only_one_has", *GRAPH_RULES).search(lower(stem))
    return (blotted(stem, [only.span("only")], " "), False) if only else (stem, False)


def of_some_only(read: GraphQuestion) -> GraphQuestion | None:
    """What one of two has and not both, of a question what they share; None where it names no two
    of which that can be asked."""
    if read.form != "list" or len(read.relations) != 1 or read.relations[0].denied:
        return None
    [shared] = read.relations
    sides = (shared.subjects, shared.objects)
    several = [side for side in sides if len(side.nodes) > 1 and not side.any]
    if len(several) != 1:
        return None
    some = [replace(side, any=True) if side in several else side for side in sides]
    of_any = replace(shared, subjects=some[0], objects=some[1])
    return replace(read, relations=(of_any, replace(shared, denied=True, jointly=True)))


def _offered(options: Sequence[Option], knowledge: Knowledge) -> tuple[str, ...]:
    """What most options are: a longer name than the base knows may hold a drug's."""
    named = [entity for option in options for entity in option.entities[:1]]
    counted = Counter(each.concept for each in knowledge.entities.all(named).values())
    return tuple(concept for concept in counted if counted[concept] == max(counted.values()))


def _is_stated(text: str, items: Sequence[Item]) -> bool:
    """Whether a text states a relation of what it names, and asks nothing: "X and Y are genes which
    bind to Z". It is held against the base as a claim."""
    first = next((item for item in items if item.kind not in ("filler", "noun", "both")), None)
    asks = any(item.kind in ("ask", "following") and item.text != "which" for item in items)
    says = any(item.kind in ("relation", "generic", "auxiliary") for item in items)
    return bool(first and first.kind == "name" and says and not asks) and "?" not in text


def _asks_for_a_person(stem: str, read: GraphQuestion, rules: GraphRules) -> bool:
    """Whether who may take something is asked: "drugs for migraine that can be used in an ulcer"
    are no drugs used for both, and what is recorded against them must be told."""
    uses = [each for each in read.relations if each.predicates == ("used_for",)]
    several = len(uses) > 1 and len(uses) == len(read.relations)
    return several and bool(rules.for_a_person.search(stem.lower()))


def _without_frame(stem: str, rules: GraphRules) -> tuple[str, bool, bool]:
    """A question without "is it true that", which is blanked; whether it was there, and denied."""
    denied = rules.denied_claim.match(stem.lower())
    framed = False
    for match in [denied] if denied else list(rules.claimed.finditer(stem.lower())):
        if match.group().strip():
            stem = stem[: match.start()] + " " * len(match.group()) + stem[match.end() :]
            framed = True
    return stem, framed, denied is not None


def finished(
    form: GraphForm,
    nodes: Sequence[Node],
    relations: Sequence[Relation],
    target: int,
    options: Sequence[Option],
    *,
    denied: bool = False,
) -> GraphQuestion | None:
    """A question of these parts; a choice of what is not so is turned round. None where nothing is
    told of anything but what it is not: but a list of that is what sources deny."""
    if not relations:
        return None
    if form == "choice" and all(relation.denied for relation in relations):
        relations, denied = [replace(each, denied=False) for each in relations], True
    alone = not any(node.sought for node in nodes)
    if form == "yes_no" and alone and all(each.denied for each in relations):
        relations, denied = [replace(each, denied=False) for each in relations], not denied
    if all(relation.denied for relation in relations) and form != "list":
        return None
    return GraphQuestion(form, tuple(nodes), tuple(relations), target, tuple(options), denied)


@dataclass(frozen=True, slots=True)
class _Unit:
    """A node, or several names of one kind that stand together: their places among the items."""

    first: int
    last: int
    nodes: tuple[int, ...]
    any: bool = False

    @property
    def side(self) -> Side:
        return Side(self.nodes, self.any)


@dataclass
class _Reading:
    rules: GraphRules
    vocabulary: Vocabulary
    holds: Callable[[str], bool]
    """Whether the base has a relation."""
    options: tuple[Option, ...]
    offered: tuple[str, ...] = ()
    """The concepts of what the options name."""
    loosely: bool = False
    claims: bool = False
    nodes: list[Node] = field(default_factory=list)
    implied: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """By node that is sought: the relations in which its noun stands by itself."""
    relations: list[Relation] = field(default_factory=list)
    lacking: list[str] = field(default_factory=list)
    used: set[int] = field(default_factory=set)
    """Places of words for a relation that stand behind what they relate."""
    read_words: set[int] = field(default_factory=set)
    """Where in the text the words for relations stand that were read."""
    bare: set[int] = field(default_factory=set)
    """What stands behind a noun's "of" and is only sought: "the causes of illness"."""
    asked_last: int = -1
    """What is asked of what an earlier part of the question seeks: "and what drugs treat them?"."""

    def read(self, items: list[Item], *, asks_yes_no: bool, denied: bool) -> GraphQuestion | None:
        self.claims = asks_yes_no
        items = with_what(items, asks_yes_no=asks_yes_no)
        items = [self._of_options(item) for item in with_nouns(items, self.vocabulary)]
        units = self._units(items)
        if _lists_nouns(units, items):
            return None  # "the symptoms and the tests of X" are two lists
        if len(units) == 1 and asks_yes_no:
            self._relate_both(units[0], items)
        hosts: dict[int, Relation] = {}
        for at in range(1, len(units)):
            if self._is_asked_of_them(at, units, items):
                self.asked_last = units[at].nodes[0]
                continue
            relation = self._joined(at, units, items, hosts)
            if relation is None:
                return self._without_relation(asks_yes_no)
            hosts[at] = relation
            self.relations.append(relation)
        unread = (item.kind == "relation" and not self._is_read(item) for item in items)
        if any(unread) and not self.loosely:
            return None  # something else is asked as well
        target = self._target(units, items) if self.asked_last < 0 else self.asked_last
        form: GraphForm = "choice" if self.options else "yes_no" if asks_yes_no else "list"
        if _is_yes_no(self.options):
            form, target = "yes_no", -1
        if form == "yes_no":
            target = -1
        elif target < 0 or self._is_of_nothing(target):
            return None
        elif self._is_denied_as_a_whole(units, items):
            if form == "list":
                self.relations = [replace(each, denied=True) for each in self.relations]
            denied = form != "list"
        if form == "list" and (self._may_say_what_to_avoid(items) or self._overhears(items)):
            return None
        read = finished(form, self.nodes, self.relations, target, self.options, denied=denied)
        return replace(read, chained=True) if read and self.asked_last >= 0 else read

    def _is_of_nothing(self, target: int) -> bool:
        """Whether a noun is of things of which nothing else is said: then the thing is meant of
        which the rest speaks."""
        ends = [n for r in self.relations for n in (*r.subjects.nodes, *r.objects.nodes)]
        return any(node != target and ends.count(node) == 1 for node in self.bare)

    def _of_options(self, item: Item) -> Item:
        """What is sought, as one of the kinds of what is offered, where no noun says its kind."""
        unnamed = item.kind == "sought" and not item.concepts
        return replace(item, concepts=self.offered) if unnamed else item

    def _is_denied_as_a_whole(self, units: Sequence[_Unit], items: Sequence[Item]) -> bool:
        """Whether what is not so is asked for: "which is not a symptom of X", "all are, except"."""
        opening = items[: units[0].first]
        ends = bool(items) and items[-1].kind == "denied"
        return not any(relation.denied for relation in self.relations) and (
            ends or any(item.kind == "denied" for item in opening)
        )

    def _may_say_what_to_avoid(self, items: Sequence[Item]) -> bool:
        """Whether nothing is told but what something is not used for, by words that may mean that
        it must not be: "which drugs cannot be used in asthma"."""
        if not all(each.denied and each.predicates in _USES for each in self.relations):
            return False
        said = [item for item in items if item.kind == "relation"]
        return not (said and all(_rule("acts").match(item.text) for item in said))

    def _overhears(self, items: Sequence[Item]) -> bool:
        """Whether a word that denies was not read: what is left would say the opposite."""
        denies = any(item.kind == "denied" for item in items)
        return denies and not any(relation.denied for relation in self.relations)

    def _is_read(self, item: Item) -> bool:
        """Whether words for a relation were read; or say it once more, at the end of a sentence:
        "which side effects do drugs for asthma cause"."""
        told = {p for relation in self.relations for p in relation.predicates}
        return item.start in self.read_words or bool(told.intersection(item.predicates))

    def _relate_both(self, unit: _Unit, items: Sequence[Item]) -> None:
        """Two names that are asked about together: "do X and Y interact?"."""
        words = [item for item in items if item.kind == "relation"]
        if len(unit.nodes) != _PAIR or unit.any or not words:
            return
        first, second = (_Unit(unit.first, unit.last, (node,)) for node in unit.nodes)
        predicates = [p for item in words for p in item.predicates]
        if relation := self._fitting(first, second, predicates, unit_first=False):
            self.relations.append(relation)

    def _without_relation(self, asks_yes_no: bool) -> GraphQuestion | None:
        """Where two things cannot stand in what is asked: told only of networks of genes."""
        concepts = {concept for node in self.nodes for concept in node.concepts}
        if not (self.lacking and concepts & NETWORKS):
            return None
        form: GraphForm = "choice" if self.options else "yes_no" if asks_yes_no else "list"
        return GraphQuestion(
            form, tuple(self.nodes), (), options=self.options, lacking=tuple(self.lacking)
        )

    # Nodes

    def _units(self, items: Sequence[Item]) -> list[_Unit]:
        units: list[_Unit] = []
        for at, item in enumerate(items):
            if item.kind == "filler" and (node := self._stood_for(at, units, items)) >= 0:
                units.append(_Unit(at, at, (node,)))
            elif item.kind == "sought":
                within = item.mention.entities if item.mention else ()
                self.nodes.append(Node(item.concepts, item.text, within=within))
                self.implied[len(self.nodes) - 1] = item.predicates
                units.append(_Unit(at, at, (len(self.nodes) - 1,)))
            elif item.mention is not None:
                self.nodes.append(Node(item.concepts, item.text, item.mention.entities))
                node = len(self.nodes) - 1
                last = units[-1] if units else None
                if last and (either := self._in_one_group(last, at, items)) is not None:
                    units[-1] = _Unit(last.first, at, (*last.nodes, node), last.any or either)
                else:
                    units.append(_Unit(at, at, (node,)))
        return units

    def _stood_for(self, at: int, units: Sequence[_Unit], items: Sequence[Item]) -> int:
        """What "them" stands for, where a part of the question before seeks it; else -1."""
        stands = _rule("stands_for").fullmatch(items[at].text)
        if stands is None:
            return -1
        asked = [place for place in range(at) if _asks(items[place])]
        last = asked[-1] if len(asked) > 1 else -1
        sought = [unit for unit in units if items[unit.first].kind == "sought"]
        before = [unit for unit in sought if unit.first < last]
        anew = any(unit.first >= last for unit in sought)
        if not (before and anew):
            return -1
        agreeing = [
            unit
            for unit in before
            if bool(stands["one"]) != _is_plural(items[unit.first].text)
            and not _asks(items[unit.first])
        ]
        return agreeing[-1].nodes[0] if agreeing else -1

    def _is_asked_of_them(self, at: int, units: Sequence[_Unit], items: Sequence[Item]) -> bool:
        """Whether what is sought here is joined to what it is asked of only behind it."""
        if items[units[at].first].kind != "sought":
            return False
        first = units[at].first
        asked = any(_asks(item) for item in items[units[at - 1].last : first + 1])
        return asked and any(items[unit.first].kind == "filler" for unit in units[at + 1 :])

    def _in_one_group(self, last: _Unit, at: int, items: Sequence[Item]) -> bool | None:
        """Whether a name goes on a list of names ("both X and Y"), and any of them is enough."""
        between = items[last.last + 1 : at]
        kinds = {item.kind for item in between}
        before = items[last.last]
        if before.mention is None or not kinds <= {"and", "or", "both", "filler"}:
            return None
        if not kinds & {"and", "or"} or not set(before.concepts) & set(items[at].concepts):
            return None
        return "or" in kinds

    def _target(self, units: Sequence[_Unit], items: Sequence[Item]) -> int:
        """What is asked for: the first that is sought behind a word that asks, else the first."""
        sought = [unit for unit in units if items[unit.first].kind == "sought"]
        asking = next((at for at, item in enumerate(items) if item.kind == "ask"), 0)
        behind = [unit for unit in sought if unit.first >= asking] or sought
        marked = [unit for unit in behind if items[unit.first].turned]
        chosen = (marked or behind)[:1]
        return chosen[0].nodes[0] if chosen else -1

    # Relations

    def _joined(
        self, at: int, units: Sequence[_Unit], items: Sequence[Item], hosts: dict[int, Relation]
    ) -> Relation | None:
        """The relation of a node to the nearest before it that it can be of."""
        unit = units[at]
        if owned := self._owned(at, units, items) or self._of_theirs(at, units, items):
            return owned
        places = range(units[at - 1].last + 1, unit.first)
        between = [items[place] for place in places if place not in self.used]
        said, inverted = self._relation_words(between, unit, at, units, items)
        self.read_words.update(item.start for item in said)
        denied_behind = self._is_denied_behind(unit, between, items)
        denied = denied_behind or any(item.kind == "denied" for item in between)
        links = any(item.kind in ("and", "or", "denied") for item in between)
        asked_anew = any(item.kind == "ask" for item in between)
        again = any(item.kind == "again" for item in items[unit.last + 1 : unit.last + 2])
        repeated = self._repeats_the_preposition(between, items[: units[at - 1].first])
        goes_on = again or repeated or not (said or asked_anew)
        goes_on = goes_on or (not asked_anew and self._closes_a_clause(between))
        before = hosts.get(at - 1) if links and goes_on else None
        if before and (one_more := self._gone_on(before, unit, denied=denied)):
            return self._said_by_complement(one_more, unit, items)
        behind_it = not between and items[unit.first].kind == "name"  # "medicines X" is no relation
        hosts_of = [] if behind_it and not said else list(self._hosts(at, units, items))
        weak = all(
            item.kind == "soft" and not _rule("strong").fullmatch(item.text) for item in said
        )
        had = any(_rule("owns").fullmatch(item.text) for item in between)  # "have X as a symptom"
        turned = (inverted and not had) != any(item.turned for item in said)
        ways = [(_predicates(said), turned)]
        if otherwise := tuple(filter(self.holds, _otherwise(said))):
            unnamed = any(not self.nodes[host.nodes[0]].concepts for host in hosts_of[:1])
            ways.insert(0 if unnamed else 1, (otherwise, not turned))
        tries = [(host, way) for way in ways for host in hosts_of]
        for turned_round in (False, True):
            for host, (told, round_) in tries:
                directed = self._is_directed(host, unit, said, items)
                if turned_round:
                    joined = self._the_other_way(host, unit, told, round_) if directed else None
                else:
                    joined = self._of_pair(host, unit, told, said, round_, directed=directed)
                if joined:
                    told_by_noun = self._is_told_by_noun(joined, units[at - 1], unit, between)
                    own_words = denied_behind or told_by_noun
                    if not joined.directed and told != otherwise:
                        joined = replace(joined, otherwise=self._from_the_effect(joined, otherwise))
                    if told_by_noun and items[unit.first].kind == "sought":
                        self.bare.add(unit.nodes[0])
                    return replace(joined, denied=denied, weak=weak and not own_words)
        self.lacking += [item.text for item in said if item.kind == "relation"]
        return None

    def _from_the_effect(self, joined: Relation, otherwise: Sequence[str]) -> tuple[str, ...]:
        """What is said of an effect that is sought, where a cause is named: "what does X cause"."""
        named = not any(self.nodes[node].sought for node in joined.subjects.nodes)
        sought = all(self.nodes[node].sought for node in joined.objects.nodes)
        if not (named and sought):
            return ()
        subject, object_ = (
            _Unit(-1, -1, side.nodes, side.any) for side in (joined.subjects, joined.objects)
        )
        return tuple(p for p in otherwise if self._can(object_, p, subject, strict=False))

    def _of_theirs(self, at: int, units: Sequence[_Unit], items: Sequence[Item]) -> Relation | None:
        """What is theirs is had by them: "and what are their complications"."""
        unit = units[at]
        behind = items[unit.last + 1 : unit.last + 2]
        if not (_rule("owner").fullmatch(items[unit.first].text) and behind):
            return None
        for host in self._hosts(at, units, items):
            joined = self._fitting(unit, host, behind[0].predicates, unit_first=False, owns=True)
            if joined and host.nodes != unit.nodes:
                self.used.add(unit.last + 1)
                self.read_words.add(behind[0].start)
                return joined
        return None

    def _owned(self, at: int, units: Sequence[_Unit], items: Sequence[Item]) -> Relation | None:
        """That the name that opens a clause has what is sought, or lacks it: "symptoms that X has",
        "that X does not have", "and X does not", "does X not have"."""
        unit = units[at]
        before = items[units[at - 1].last + 1 : unit.first]
        neither = bool(before) and _rule("neither").fullmatch(before[-1].text) is not None
        passed = ("filler", "both", "auxiliary", *(("denied",) if neither else ()))
        opening = [i for i in before if i.kind not in passed]
        asked = not (opening or neither) and any(item.kind == "auxiliary" for item in before)
        if items[unit.first].kind != "name" or not (opening or asked or neither):
            return None
        end = units[at + 1].first if at + 1 < len(units) else len(items)
        behind: list[int] = []
        for place in range(unit.last + 1, end):
            had = any(_rule("owns").fullmatch(items[one].text) for one in behind)
            if items[place].kind in ("and", "or", "that", "ask") or (
                had and items[place].kind == "denied"  # "does X have but not Y"
            ):
                break
            behind.append(place)
        told = [items[place] for place in behind if items[place].kind not in ("filler", "both")]
        denied = neither or any(item.kind == "denied" for item in told)
        verbs = [item for item in told if item.kind not in ("auxiliary", "denied")]
        owns = bool(verbs) and all(_rule("owns").fullmatch(item.text) for item in verbs)
        left_out = not verbs and denied
        behind_a_name = items[units[at - 1].first].kind == "name"  # "symptoms of X does Y have too"
        opens = denied or behind_a_name if asked or not opening else opening[-1].kind in _OPENS
        if not opens or not (owns or left_out):
            return None
        for host in self._hosts(at, units, items):
            for implied in filter(None, (self.implied.get(n, ()) for n in host.nodes)):
                if relation := self._fitting(unit, host, implied, unit_first=False, owns=True):
                    self.used.update(behind)
                    return replace(relation, denied=denied)
        return None

    def _repeats_the_preposition(self, between: Sequence[Item], before: Sequence[Item]) -> bool:
        """Whether a name stands behind the preposition that the one before it stands behind, and
        behind no other word: "interact with X but not with Y"."""
        said = [item for item in between if item.kind in ("relation", "generic", "soft")]
        last = next((item.text for item in reversed(before) if item.kind != "both"), "")
        return len(said) == 1 and said[0].kind == "soft" and last.split()[-1:] == [said[0].text]

    def _closes_a_clause(self, between: Sequence[Item]) -> bool:
        """Whether nothing but "have" is said between two names, and that of the first: "does X have
        but not Y"."""
        said = [n for n, i in enumerate(between) if i.kind in ("relation", "generic", "soft")]
        links = [n for n, item in enumerate(between) if item.kind in ("and", "or", "denied")]
        if links and _rule("neither").fullmatch(between[links[0]].text):
            return False  # "has neither X nor Y"
        owns = all(_rule("owns").fullmatch(between[n].text) for n in said)
        return bool(said and links) and owns and said[-1] < links[0]

    def _is_told_by_noun(
        self, joined: Relation, before: _Unit, unit: _Unit, between: Sequence[Item]
    ) -> bool:
        """Whether a noun says the relation: "complications of X", "X complications"."""
        nodes = {*joined.subjects.nodes, *joined.objects.nodes}
        own = {p for node in (*before.nodes, *unit.nodes) for p in self.implied.get(node, ())}
        joins = nodes >= {*before.nodes, *unit.nodes} and own >= set(joined.predicates)
        return joins and (not between or any(item.text == "of" for item in between))

    def _is_denied_behind(
        self, unit: _Unit, between: Sequence[Item], items: Sequence[Item]
    ) -> bool:
        """Whether a clause denies behind its subject: "symptoms that X does not have"."""
        kinds = {item.kind for item in between}
        clause = "that" in kinds and not kinds & {"relation", "generic"}
        behind = [item.kind for item in items[unit.last + 1 :] if item.kind != "auxiliary"]
        return clause and behind[:1] == ["denied"]

    def _relation_words(
        self,
        between: Sequence[Item],
        unit: _Unit,
        at: int,
        units: Sequence[_Unit],
        items: Sequence[Item],
    ) -> tuple[list[Item], bool]:
        """The words for a relation: those before a name, or behind it ("does metformin bind")."""
        said = [item for item in between if item.kind in ("relation", "generic")]
        said = [item for item in said if item.kind == "relation"] or said
        soft = [item for item in between if item.kind == "soft"]
        if said and (complement := self._complement_behind(unit, items)):
            self.used.update(complement)
            self.read_words.add(items[complement[-1]].start)
            return _narrowed(said, [items[complement[-1]]]), False
        if said:
            return said, False
        before = between[-1] if between else None
        placed = bool(
            before and before.kind == "filler" and _rule("before_a_name").match(before.text)
        )
        if placed or (soft and soft[-1].text in ("for", "against", "with")):
            return soft, False
        opened = any(item.kind in ("auxiliary", "that", "soft") for item in between)
        opened = opened or any(item.text in ("it", "they") for item in items[unit.last :])
        if not opened and (between or items[unit.first].kind == "sought"):
            return soft, False
        end = units[at + 1].first if at + 1 < len(units) else len(items)
        behind: list[int] = []
        passed = ["denied"] if self._is_denied_behind(unit, between, items) else []
        for place in range(unit.last + 1, end):
            if items[place].kind in passed:
                passed.clear()
            elif items[place].kind in ("and", "or", "denied", "that"):
                break
            if items[place].kind in ("relation", "generic"):
                behind.append(place)
        else:
            if end < len(items) and items[unit.first].kind == "sought":
                behind = []  # they are of what follows: "genes associated with X"
        self.used.update(behind)
        verbs = [
            items[place]
            for place in behind
            if items[place - 1].kind != "as"
            and not (items[place - 1].kind == "filler" and items[place - 2].kind == "as")
        ]
        as_what = [items[place] for place in behind if items[place] not in verbs]
        self.read_words.update(item.start for item in as_what)
        return (_narrowed(verbs, as_what) if verbs else as_what) or soft, bool(behind)

    def _said_by_complement(
        self, one_more: Relation, unit: _Unit, items: Sequence[Item]
    ) -> Relation:
        """The last of a list of names, where a noun behind it says what all of them are: "neither X
        nor Y as side effects"."""
        complement = self._complement_behind(unit, items)
        self.used.update(complement)
        if not complement:
            return one_more
        own = one_more.predicates
        self.relations = [
            replace(each, weak=False) if each.predicates == own else each for each in self.relations
        ]
        return replace(one_more, weak=False)

    def _complement_behind(self, unit: _Unit, items: Sequence[Item]) -> list[int]:
        """The places of what says as what a name is had: "X as a side effect"; empty where nothing
        does."""
        places: list[int] = []
        for place in range(unit.last + 1, len(items)):
            places.append(place)
            if items[place].kind not in ("as", "filler", "both"):
                break
        told = [items[place].kind for place in places]
        return places if told[-1:] == ["relation"] and "as" in told else []

    def _hosts(self, at: int, units: Sequence[_Unit], items: Sequence[Item]) -> Iterator[_Unit]:
        """What a node may be joined to: the nearest that is sought, and then what is named."""
        before = list(reversed(units[:at]))
        sought = [unit for unit in before if items[unit.first].kind == "sought"]
        yield from sought
        yield from (unit for unit in before if unit not in sought)

    def _gone_on(self, before: Relation, unit: _Unit, *, denied: bool) -> Relation | None:
        """The relation that the last name stood in, of one more: "but not with asthma"."""
        for side, other in (("subjects", before.objects), ("objects", before.subjects)):
            last: Side = getattr(before, side)
            kinds = {c for node in last.nodes for c in self.nodes[node].concepts}
            own = {c for node in unit.nodes for c in self.nodes[node].concepts}
            named = not any(self.nodes[node].sought for node in last.nodes)
            predicate = self.vocabulary.predicate(before.predicates[0])
            allowed = predicate.domain if side == "subjects" else predicate.range
            harms = predicate.valence < 0  # "in both epilepsy and pregnancy" are two kinds
            alike = kinds & own or ((denied or harms) and own & set(allowed))
            if named and alike and any(self.nodes[node].sought for node in other.nodes):
                if side == "subjects":
                    return replace(before, subjects=unit.side, denied=denied)
                return replace(before, objects=unit.side, denied=denied)
        return None

    def _of_pair(
        self,
        host: _Unit,
        unit: _Unit,
        predicates: Sequence[str],
        said: Sequence[Item],
        unit_first: bool,
        *,
        directed: bool = False,
    ) -> Relation | None:
        """The relation of two nodes by these words, or by what such things usually are."""
        strict = any(item.kind == "relation" for item in said)
        owns = bool(said) and all(_rule("owns").fullmatch(item.text) for item in said)
        fitting = None if strict else self._by_noun(host, unit)
        fitting = fitting or self._fitting(
            host, unit, predicates, unit_first, owns=owns or directed
        )
        if fitting and directed:
            return replace(fitting, directed=True)
        if fitting is None and not strict:
            usual = self._usual(host, unit, said)
            fitting = self._fitting(host, unit, usual, unit_first)
        return fitting

    def _by_noun(self, host: _Unit, unit: _Unit) -> Relation | None:
        """The relation in which a noun stands by itself: "tests for X" are no use of these."""
        order = (unit, host) if not self.nodes[unit.nodes[0]].sought else (host, unit)
        fitting = None
        for one in order:
            for implied in filter(None, (self.implied.get(n, ()) for n in one.nodes)):
                # what a noun is of has it: "complications of X", also where X may be one
                fitting = fitting or self._fitting(host, unit, implied, one is host)
        return fitting

    def _the_other_way(
        self, host: _Unit, unit: _Unit, predicates: Sequence[str], unit_first: bool
    ) -> Relation | None:
        """A claim as it is made, of two things that can only stand the other way round."""
        able = self._fitting(host, unit, predicates, not unit_first, owns=True)
        return replace(able.reversed, directed=True) if able else None

    def _is_directed(
        self, host: _Unit, unit: _Unit, said: Sequence[Item], items: Sequence[Item]
    ) -> bool:
        """Whether a claim says which of two names comes first: "is X a symptom of Y", "does X
        treat Y"; such a claim never stands for the other direction."""
        named = not any(self.nodes[n].sought for n in (*host.nodes, *unit.nodes))
        does = any(_rule("does").fullmatch(item.text) for item in items[:1])
        does_what = "active" if does else "is_said_to_be"
        return (
            self.claims
            and named
            and bool(said)
            and all(i.directed or _rule(does_what).fullmatch(i.text) for i in said)
        )

    def _usual(self, host: _Unit, unit: _Unit, said: Sequence[Item]) -> tuple[str, ...]:
        """The relation that things of these kinds usually have."""
        first, second = (self.nodes[one.nodes[0]].concepts for one in (host, unit))
        if not (said or (first and second)):
            return ()  # "what does X do" asks for no relation
        for subject, object_, predicate in self.rules.usual:
            for one, other in ((first, second), (second, first)):
                if (not one or subject in one) and (not other or object_ in other):
                    return (predicate,)
        return ()

    def _fitting(
        self,
        host: _Unit,
        unit: _Unit,
        predicates: Sequence[str],
        unit_first: bool,
        *,
        owns: bool = False,
    ) -> Relation | None:
        """Those of some predicates that can join two nodes; all of them in one direction. `owns`:
        it is the first that has the second, and not the other way round."""
        order = (unit, host) if unit_first else (host, unit)
        orders = (order,) if owns else (order, order[::-1])
        for strict in (True, False):
            for subject, object_ in orders:
                able = tuple(p for p in predicates if self._can(subject, p, object_, strict))
                if able:
                    self._settle(subject, object_, able)
                    return Relation(subject.side, able, object_.side)
        return None

    def _can(self, subject: _Unit, name: str, object_: _Unit, strict: bool) -> bool:
        """Whether two nodes can stand in a relation; by the first thing that each may be, if that
        is to count alone: what is sought as a symptom may be recorded as a disease, too."""
        predicate = self.vocabulary.predicate(name)
        for unit, allowed in ((subject, predicate.domain), (object_, predicate.range)):
            own = self.nodes[unit.nodes[0]].concepts
            if own and not set(own[:1] if strict else own) & set(allowed):
                return False
        return True

    def _settle(self, subject: _Unit, object_: _Unit, predicates: Sequence[str]) -> None:
        """What is sought without a noun is what its first relation says."""
        predicate = self.vocabulary.predicate(predicates[0])
        for unit, allowed in ((subject, predicate.domain), (object_, predicate.range)):
            for node in unit.nodes:
                if not self.nodes[node].concepts:
                    self.nodes[node] = replace(self.nodes[node], concepts=allowed)


def _narrowed(verbs: Sequence[Item], as_what: Sequence[Item]) -> list[Item]:
    """What verbs say, as far as a noun behind them says the same: "lead to X as a complication"."""
    own = {predicate for item in as_what for predicate in item.predicates}
    both = [
        replace(v, predicates=tuple(p for p in v.predicates if p in own), otherwise=())
        for v in verbs
    ]
    if all(item.kind == "generic" for item in verbs):
        return list(as_what)  # "have in common as risk factors"
    return [item for item in both if item.predicates] or list(verbs)


def _predicates(said: Sequence[Item]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(p for item in said for p in item.predicates))


def _otherwise(said: Sequence[Item]) -> tuple[str, ...]:
    """What the same words say where the things change sides: what is caused is `caused_by`."""
    return tuple(dict.fromkeys(p for item in said for p in item.otherwise))


def _lists_nouns(units: Sequence[_Unit], items: Sequence[Item]) -> bool:
    """Whether two nouns for what is sought stand together, each for a list of its own."""
    for before, unit in pairwise(units):
        between = {item.kind for item in items[before.last + 1 : unit.first]}
        both = all(items[one.first].kind == "sought" for one in (before, unit))
        if both and between & {"and", "or"} and between <= {"and", "or", "filler", "both"}:
            return True
    return False


def _is_plural(noun: str) -> bool:
    return noun.endswith("s") and not noun.endswith("ss")  # "illness" is one


def _asks(item: Item) -> bool:
    """Whether a word asks, also where it stands for what is sought: "what are their uses?"."""
    return item.kind == "ask" or (item.kind == "sought" and bool(_rule("asks").match(item.text)))


def _is_yes_no(options: Sequence[Option]) -> bool:
    texts = {option.text.lower() for option in options}
    return bool(options) and texts <= {"yes", "no", "true", "false"}


def _rule(rule: str) -> re.Pattern[str]:
    return rule_in("en", rule, *GRAPH_RULES)
