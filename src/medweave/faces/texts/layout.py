"""An answer as it is read, whoever shows it: its parts in words, in order, and what is folded.

Danger comes first, then what stops a drug, then the answer, drugs by what is known of this person,
diseases with what tells them apart, what was taken for granted, what to find out, and the limits.
A line leads to at most `MARKS` of its sources; the others stand behind them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from typing import Literal as OneOf

from medweave.answering.whom_to_ask import whom_to_ask
from medweave.answering.wording import phrases
from medweave.faces.texts import Words
from medweave.language.asked_in_place import asked_in_place
from medweave.model.answer import SAID_BY_MODEL, Answer, Sentence, Stop
from medweave.model.cases import TOPIC
from medweave.model.drug_list import DrugGroup, DrugList, DrugStanding
from medweave.model.inferred import Level
from medweave.model.question import BY_HABIT, SUBSTANCES, Unread
from medweave.model.statement import UNSOURCED
from medweave.model.weighing import Point, WeighedDisease
from medweave.vocabulary.vocabulary import shipped_vocabulary

BARE = "°"
"""Stands behind what rests on no record that could be opened."""
GUIDELINE = "guideline"
"""What sentences about a guideline's classifications are kept as answers to."""
MARKS = 3
"""So many sources are named behind a line."""
NAMES = 8
"""So many names stand in one row; the others are folded."""
_NAMES_OF_A_PART = 3
"""Of these under a question of a letter."""
_UNKNOWN = 3
"""So many of which nothing is known."""
_POINTS = 3
"""So many findings that only one disease has stand in its row."""
_OF_A_PART, _WIDTH = 4, 96
"""So many lines of so many signs are told under a question of a letter."""
_ASIDE = re.compile(r"\s?[(（][^()（）]*[)）]")
"""What a medicine is by its class, or what it contains, behind its name."""
_TOPICS = 5
"""So many questions to the person are named."""
_ALL = 10_000
_LABELS = ("stop", "avoid", "ask_first", "care")
"""The words that begin a line about a drug, the gravest first."""
_ALWAYS_SHOWN = ("yes_no", SAID_BY_MODEL)
"""What says yes or no, and what a language model says, is told whatever stands above it."""


@dataclass(frozen=True, slots=True)
class Line:
    """Words, and the statements that they rest on."""

    text: str
    statements: tuple[str, ...] = ()


StopLabel = OneOf[Level, "ask_first"]


@dataclass(frozen=True, slots=True)
class StopLine:
    """Why a drug is stopped, is to be avoided, or needs care, for this person.

    `label` names the word that begins the line: of a drug that is taken already, nobody is told to
    stop it, but to ask.
    """

    name: str
    text: str
    label: StopLabel
    statements: tuple[str, ...]

    @property
    def hard(self) -> bool:
        """Whether the drug is excluded."""
        return self.label != "care"


@dataclass(frozen=True, slots=True)
class Row:
    """Things of which the same is said, behind a name of what it is."""

    label: str
    kind: DrugStanding | OneOf["disease"]
    lines: tuple[Line, ...]
    """Each is one thing, or several with the same reason."""
    left_out: int = 0
    """How many more there are."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under a heading; '' where the sentences before it are heading enough."""

    heading: str
    rows: tuple[Row, ...]


def _what_goes_on(stop: Stop) -> tuple[bool, bool, bool]:
    """Of two that interact, what is told of goes first: a drink or a food, then what need not go
    on."""
    return stop.entity.id not in BY_HABIT, stop.taken, stop.must_go_on


def _in_short(stop: Stop) -> str:
    """Why a medicine calls for care, of two that interact without what they are by class."""
    return _ASIDE.sub("", stop.reason) if stop.others else stop.reason


class Layout:
    """The parts of one answer, in words.

    `unfolded` leaves nothing out of rows: what `more` shows. Of a question of a letter, of whose
    answer this is `within`, little is told unless it is unfolded, and sources are numbered as
    there.
    """

    def __init__(
        self, answer: Answer, *, unfolded: bool = False, within: Layout | None = None
    ) -> None:
        self.answer = answer
        self.within = within
        self.words = Words(answer.question, answer.entities)
        self.texts: dict[str, Any] = self.words.texts["layout"]
        self._unfolded = unfolded
        names = NAMES if within is None else _NAMES_OF_A_PART
        self._most_names = _ALL if unfolded else names
        self._most_unknown = _ALL if unfolded else min(names, _UNKNOWN)

    @cached_property
    def parts(self) -> tuple[Layout, ...]:
        """The questions of a letter, each with its answer."""
        return tuple(
            Layout(part, unfolded=self._unfolded, within=self) for part in self.answer.parts
        )

    @property
    def heading(self) -> str:
        """What stands above it: the question of a letter, or for whom it is."""
        if self.answer.heading:
            return self.answer.heading
        name = self.answer.who
        form = "for_other" if name else "for_writer"
        return self._say(form, who=name[:1].upper() + name[1:])

    @cached_property
    def first_make_sure(self) -> tuple[str, ...]:
        """The danger signs to ask for before all else; none where danger is there already."""
        if self.answer.emergency:
            return ()
        asked = [
            s
            for s in self.answer.question.danger or ()
            if s.status == "ask" and s.sign in self._to_ask
        ]
        named = {s.sign: s.name for s in asked if s.kind != "crisis"}  # a crisis has its own words
        now = [named[s.sign] for s in asked if s.name and s.sign in named and s.grade == "now"]
        later = [s.name for s in asked if s.name and s.sign in named and s.grade != "now"]
        forms = (("make_sure" if len(now) > 1 else "make_sure_one", now), ("be_seen", later))
        join = str(self.texts["facts"]).join
        told = (self._say(form, list=join(names)) for form, names in forms if names)
        return (*told, *(text for sign, text in self._to_ask.items() if sign not in named))

    @property
    def _to_ask(self) -> dict[str, str]:
        return {d.sign: d.text for d in self.answer.danger or () if d.status == "ask"}

    @cached_property
    def stops(self) -> tuple[StopLine, ...]:
        """What speaks against a drug for this person, by drug, what excludes it first.

        A drug that nobody asked about, and that a list below holds, is told there with its reason.
        Two drugs that interact are told of once, of the one that need not go on.
        """
        found: dict[str, list[Stop]] = {}
        listed = {drug.entity.id for group in self._groups for drug in group.drugs}
        asked = {entity for m in self.answer.question.mentions for entity in m.entities}
        pairs: set[tuple[str, str]] = set()
        below = [stop for part in self.answer.parts for stop in part.stops]
        own = (stop for stop in self.answer.stops if stop not in below)
        for stop in sorted(own, key=_what_goes_on):
            told_below = stop.entity.id in listed and stop.entity.id not in asked
            told_above = stop.others and pairs.issuperset((o, stop.entity.id) for o in stop.others)
            if stop.status == "applies" and not told_below and not told_above:
                found.setdefault(self.stop_name(stop), []).append(stop)
                pairs |= {(stop.entity.id, other) for other in stop.others}
        alike: dict[tuple[object, ...], list[str]] = {}
        for name, stops in found.items():
            same = tuple(
                (s.level, s.taken, s.others, s.action, s.allergens)
                for s in stops
                if s.others or (s.allergens and s.entity.id not in asked)
            )
            alike.setdefault(same if len(same) == len(stops) else (name,), []).append(name)
        runs = [[(name, found[name]) for name in names] for names in alike.values()]
        runs += [[(name, [s])] for name, some in found.items() for s in some
                 if self._is_told_apart(s, some)]  # fmt: skip
        lines = [(self._urgency(run, asked), self._line_of(run)) for run in runs]
        ordered = sorted(lines, key=lambda pair: (_LABELS.index(pair[1].label), pair[0]))
        return tuple(line for _, line in ordered)

    def _urgency(
        self, named: list[tuple[str, list[Stop]]], asked: Collection[str]
    ) -> tuple[bool, int]:
        """What is told first of lines of one label: what is asked about, then the gravest."""
        some = [stop for _, stops in named for stop in stops]
        own = any(stop.entity.id in asked and not stop.taken for stop in some)
        return not own, min(_LABELS.index(stop.level) for stop in some)

    def _line_of(self, named: list[tuple[str, list[Stop]]]) -> StopLine:
        """One line for one drug, or for several of which the same is said."""
        shortest = min((stops for _, stops in named), key=lambda stops: len(stops[0].reason))
        each = self.texts["any_of_them"] if len(named) > 1 else named[0][0]
        line = self._stop_line(self.words.join(name for name, _ in named), str(each), shortest)
        if len(named) == 1:
            return line
        behind = (s for _, stops in named for stop in stops for s in stop.statements)
        if allergens := shortest[0].allergens:  # each is called by another class or ingredient
            line = replace(line, text=self._say("not_borne", names=self.words.join(allergens)))
        return replace(line, statements=tuple(behind))

    def _stop_line(self, name: str, each: str, stops: list[Stop]) -> StopLine:
        """All that speaks against one drug; where something excludes it, what else calls for care
        is told in few words, and what is to be done about that is folded."""
        gravest = min((stop.level for stop in stops), key=_LABELS.index)
        shown = [s for s in stops if s.hard or gravest == "care" or self._unfolded]
        said = [stop.reason for stop in shown]
        goes_on = any(s.taken or (s.must_go_on and s.others) for s in stops if s.level == gravest)
        label: StopLabel = "ask_first" if goes_on and gravest != "care" else gravest
        if label == "avoid":
            by_habit = any(stop.entity.id in BY_HABIT for stop in stops)
            said.append(self._say("leave_out" if by_habit else "ask_before", name=each))
        said += [stop.action for stop in shown if stop.action]
        apart = [stop for stop in stops if self._is_told_apart(stop, stops)]
        besides = [stop for stop in stops if stop not in (*shown, *apart)]
        if besides:
            reasons = str(self.texts["facts"]).join(map(_in_short, besides))
            said.append(self._say("besides", reasons=reasons))
        text = str(self.texts["facts"]).join(dict.fromkeys(said))
        return StopLine(name, text, label, tuple(s for stop in stops for s in stop.statements))

    def _is_told_apart(self, stop: Stop, others: list[Stop]) -> bool:
        """Whether it calls for care with one drug, and what excludes it is with another of those
        that are asked about in turn: "fine with X? And with Y?"."""
        excluded = any(other.hard for other in others) and not (stop.hard or self._unfolded)
        return excluded and not self._in_turn.isdisjoint(stop.others)

    @cached_property
    def _in_turn(self) -> frozenset[str]:
        """The drugs of a question that asks the same of one after another: each is told of."""
        question = self.answer.question
        named = question.of_concept(*SUBSTANCES)
        text, language = question.text, question.language
        if not any(asked_in_place(text, language, m.start, m.end) for m in named):
            return frozenset()
        return frozenset(entity for m in named for entity in m.entities)

    def stop_name(self, stop: Stop) -> str:
        """What a stop is of."""
        return stop.name or stop.entity.name(self.words.language)

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """What answers the question, without what stops and lists say already.

        What was said in past cases is told where nothing else is, or where it was asked for.
        """
        if self.answer.parts:
            return ()
        told = self._shown_elsewhere()
        elsewhere = (TOPIC, *self._assessed)
        plain = [s for s in self.answer.sentences if s.intent not in elsewhere]
        if not plain and not self._assessed:
            return self.answer.sentences
        found = tuple(
            self._marked(s)
            for s in plain
            if s.intent in _ALWAYS_SHOWN or not s.statements or not told.issuperset(s.statements)
        )
        if self._is_brief:  # what says yes or no is the answer
            found = tuple(sorted(found, key=lambda s: s.intent not in _ALWAYS_SHOWN))
        return found[: self._fitting([sentence.text for sentence in found], self._room)]

    def _marked(self, sentence: Sentence) -> Sentence:
        """A sentence, marked where nothing supports it."""
        if not sentence.unsupported:
            return sentence
        return replace(sentence, text=self.texts["unsupported"].format(text=sentence.text))

    @property
    def _assessed(self) -> tuple[str, ...]:
        """What a guideline says is told as an assessment, and what else might fit is folded."""
        if self.answer.assessment is None:
            return ()
        folded = self.answer.assessment.stands and not self._unfolded
        return (GUIDELINE, "diagnosis") if folded else (GUIDELINE,)

    def _shown_elsewhere(self) -> set[str]:
        stops = (stop.statements for stop in self.answer.stops if stop.status == "applies")
        drugs = ((*d.statements, *d.grounds) for group in self._groups for d in group.drugs)
        rows = (
            cell.statements
            for row in self.answer.comparison
            for cell in row.cells
            if cell.kind in _AGAINST
        )
        return {statement for told in (*stops, *drugs, *rows) for statement in told}

    @property
    def says_nothing(self) -> bool:
        """Whether there is no part that answers anything, and something was asked."""
        question = self.answer.question
        if question.only_tells or question.aside or not question.mentions:
            return False  # nothing was asked, or that it cannot be told here is the answer
        if question.advised or any(sign.kind == "crisis" for sign in question.danger or ()):
            return False  # what to do was said; who is asked how they are is told of no records
        told = (self.sentences, self.stops, self.tables, self.answer.emergency, self.direct)
        return not any((*told, self.answer.parts, self.answer.assessment))

    @property
    def nothing(self) -> str:
        """That nothing answers it, and whom to ask."""
        return self._say("nothing", whom=whom_to_ask(self.answer.question))

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """Drugs recorded for something, what is compared, and diseases that fit."""
        if self.answer.parts:
            return ()
        drugs = [self._drugs(listed) for listed in self.answer.drugs]
        return (*drugs, *self._compared(), *self._diseases(), *self._others())

    @property
    def cases(self) -> str:
        """Which past cases are like this one; '' where there are none."""
        if not self.answer.cases:
            return ""
        return self._say("cases", list=self.words.join(c.id for c in self.answer.cases))

    @property
    def taken(self) -> str:
        """What was taken to hold of the person, on one line."""
        said, supposed, earlier = (
            str(self.texts["facts"]).join(f.text for f in self.answer.taken if f.how == how)
            for how in ("said", "supposed", "earlier")
        )
        lines = [self._say("taken_supposed", list=supposed)] if supposed else []
        if said and earlier:
            lines.insert(0, self._say("taken_both", list=said, earlier=earlier))
        elif said or earlier:
            form = "taken" if said else "taken_earlier"
            lines.insert(0, self._say(form, list=said or earlier))
        return (" " if self.words.language == "en" else "").join(lines)

    @property
    def begins_unknown(self) -> bool:
        """Whether what was not understood goes before all that is said of the drugs beside it."""
        return bool(self.answer.not_understood and self.answer.question.of_concept(*SUBSTANCES))

    @property
    def not_understood(self) -> str:
        """The words that were not understood, on one line."""
        below = {words.text for part in self.answer.parts for words in part.not_understood}
        own = (words for words in self.answer.not_understood if words.text not in below)
        quoted = (self._quoted(words) for words in own)
        listed = self.words.join(dict.fromkeys(quoted))
        form = "unknown_first" if self.begins_unknown else "not_understood"
        return self._say(form, list=listed) if listed else ""

    def _quoted(self, words: Unread) -> str:
        """Words as they were written, and the medicines that are written nearly so."""
        quoted = self._say("quoted", text=words.text)
        if not words.nearest:
            return quoted
        return self._say("perhaps", words=quoted, list=self.words.join(words.nearest))

    def find_out(self, most: int = _TOPICS) -> str:
        """What to ask the person, by topic, the most telling first; '' where help is needed now."""
        named = [item.text for item in self.answer.find_out[:most]]
        if not named or self.answer.emergency:
            return ""
        left_out = len(self.answer.find_out) - len(named)
        named += [self._say("more", n=left_out)] if left_out else []
        topics = str(self.texts["topics"]).join(named)
        several = sum(len(group.drugs) for group in self._groups) > 1
        form = "find_out_any" if several else "find_out_also" if self.stops else "find_out"
        return self._say(form, list=topics)

    @property
    def direct(self) -> tuple[str, ...]:
        """That nothing is recorded of just what was asked, before what else is."""
        if self.answer.emergency or self.answer.parts:
            return ()
        direct = self.answer.direct
        if self._is_brief:
            direct = direct[: max(1, self._fitting(direct, _OF_A_PART, told=True))]
        return direct

    @property
    def missing(self) -> tuple[str, ...]:
        """What would settle it, or is not in the base; never cut, as a warning may be among it."""
        if self.answer.emergency and not self._unfolded:
            return ()
        told = [*self._to_ask.values(), *self._of_quotes, *self.direct]
        told += [line for part in self.answer.parts for line in part.missing]
        told_by_rules = [line for line in self.answer.missing if line not in told]
        if self._is_brief:
            room = self._room - self._lines(said.text for said in self.sentences)
            told_by_rules = told_by_rules[: self._fitting(told_by_rules, room, any(self._told))]
        return (*told_by_rules, *self._of_the_model)

    @property
    def _is_brief(self) -> bool:
        return self.within is not None and not self._unfolded

    @property
    def _told(self) -> tuple[object, ...]:
        return self.stops, self.direct, self.sentences, self.tables

    @property
    def _room(self) -> int:
        """How many lines are left under a question of a letter, below what must be told."""
        must = [*self.direct, *(f"{stop.name}{stop.text}" for stop in self.stops)]
        return _OF_A_PART - self._lines(must) - sum(len(table.rows) for table in self.tables)

    def _fitting(self, texts: Sequence[str], room: int, told: bool | None = None) -> int:
        """How many of some texts stand in the room that is left: at least one where nothing else
        is told."""
        if not self._is_brief:
            return len(texts)
        told = bool(self.stops or self.direct or self.tables) if told is None else told
        fewest = 0 if told else 1
        fits = [n for n in range(len(texts) + 1) if self._lines(texts[:n]) <= room]
        return max((fewest, *fits))

    def _lines(self, texts: Iterable[str]) -> int:
        """How many lines of a terminal texts fill, each begun anew."""
        width = _WIDTH // 2 if self.words.language == "zh" else _WIDTH
        return sum(-(-len(text) // width) for text in texts)

    @property
    def _of_the_model(self) -> Iterator[str]:
        """What a language model said that was taken out, and what it failed at."""
        made = self.answer.generated
        if made is None:
            return
        out = sum(claim.sentence is None for claim in made.claims)
        if out:
            yield self.texts["taken_out"].format(n=out)
        for each in made.fallback:
            yield self.texts["by_rules_instead"].format(part=each.role, reason=each.reason)

    @property
    def _of_quotes(self) -> tuple[str, ...]:
        """What is said of the words of past cases, where none of them is shown."""
        if any(sentence.intent == TOPIC for sentence in self.sentences):
            return ()
        said = phrases(self.words.language)["missing"]
        return tuple(str(said[key]) for key in ("cases_are_history", "cases_doses"))

    @property
    def folded(self) -> bool:
        """Whether there is more to be unfolded."""
        rows = (row.left_out for table in self.tables for row in table.rows)
        cut = any(part.leaves_out for part in self.parts)
        return bool(cut or self.answer.find_out or any(rows) or self.answer.conflicts)

    @property
    def leaves_out(self) -> bool:
        """Whether more is told of a question of a letter once it is unfolded."""
        whole = Layout(self.answer, unfolded=True, within=self.within)
        return len(whole.sentences) + len(whole.missing) > len(self.sentences) + len(self.missing)

    @property
    def limits(self) -> str:
        """What the answer is not, on one line; no face may leave it out."""
        sample = any(document.sample for document in self.answer.documents.values())
        texts = self.words.texts
        said = self.answer.limits or (*[texts["sample"]] * sample, texts["note"])
        said = (*[self.texts["unsourced"]] * self._has_bare, *said)
        return (" " if self.words.language == "en" else "").join(said)

    @property
    def _has_bare(self) -> bool:
        return any(map(self.bare, self._in_reading_order()))

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Documents by identifier, numbered as they are met in reading; the folded ones last."""
        if self.within is not None:
            return self.within.numbers
        read = list(self._in_reading_order())
        marked = [document for line in read for document in self._documents(line)[:MARKS]]
        every = [document for line in read for document in self._documents(line)]
        rest = self._documents(tuple(self.answer.statements))
        ordered = dict.fromkeys((*marked, *every, *rest))
        return {document: number for number, document in enumerate(ordered, 1)}

    def bare(self, statements: Iterable[str]) -> str:
        """The mark of a line where something that speaks against a drug, or all of it, has an
        author who names no record for it: it is the author's general knowledge, and that is said.
        """
        found = [self.answer.statements[s] for s in statements if s in self.answer.statements]
        bare = [s for s in found if all(UNSOURCED in e.cites for e in s.evidence)]
        valence = shipped_vocabulary().predicate
        against = any(valence(s.statement.predicate).valence < 0 for s in bare)
        return BARE if against or (bare and len(bare) == len(found)) else ""

    def marks(self, statements: Iterable[str]) -> list[int]:
        """The numbers of the sources that a line names."""
        return sorted(self.numbers[d] for d in self._documents(tuple(statements))[:MARKS])

    def further(self, statements: Iterable[str]) -> int:
        """How many more sources stand behind a line."""
        return max(0, len(self._documents(tuple(statements))) - MARKS)

    def _in_reading_order(self) -> Iterator[tuple[str, ...]]:
        yield from (stop.statements for stop in self.stops)
        yield from (sentence.statements for sentence in self.sentences)
        for table in self.tables:
            yield from (line.statements for row in table.rows for line in row.lines)
        for part in self.parts:
            yield from part._in_reading_order()

    def _documents(self, statements: tuple[str, ...]) -> list[str]:
        found = (item.document for s in statements for item in self.answer.evidence_of(s))
        return list(dict.fromkeys(found))

    @property
    def _groups(self) -> list[DrugGroup]:
        return [group for listed in self.answer.drugs for group in listed.groups]

    def _drugs(self, listed: DrugList) -> Table:
        about = listed.about.name(self.words.language)
        if listed.about.concept == "drug_class":
            beside = any(other.of_class == listed.about for other in self.answer.drugs
                         if other.about != listed.about)  # fmt: skip
            heading = self._say(
                "other_members" if beside else "members", name=about[:1].upper() + about[1:]
            )
        elif listed.of_class is None:
            heading = self._say("recorded", name=about)
        else:
            of_class = listed.of_class.name(self.words.language)
            heading = self._say("recorded_class", name=about, drugs=of_class)
        return Table(heading, tuple(self._group(group) for group in listed.groups))

    def _group(self, group: DrugGroup) -> Row:
        label = str(self.texts["standing"][group.standing])
        by_reason: dict[str, list[Line]] = {}
        most = {"stopped": len(group.drugs), "no_data": self._most_unknown}
        if self._is_brief:
            most = dict.fromkeys(most, self._most_names)
        shown = group.drugs[: most.get(group.standing, self._most_names)]
        for drug in shown:
            name = drug.entity.name(self.words.language)
            offered = drug.line and group.standing != "stopped"
            named = self._say(drug.line, name=name) if offered else name
            line = Line(named, drug.grounds or drug.statements)
            by_reason.setdefault(drug.reason, []).append(line)
        lines = tuple(
            line for reason, drugs in by_reason.items() for line in self._same(reason, drugs)
        )
        return Row(label, group.standing, lines, len(group.drugs) - len(shown))

    def _same(self, reason: str, drugs: list[Line]) -> list[Line]:
        """Drugs that share a reason are told together."""
        if not reason:
            return drugs
        shown = [drug.text for drug in drugs[: self._most_names]]
        more = len(drugs) - len(shown)
        names = self.words.join([*shown, self._say("more", n=more)] if more else shown)
        text = self._say("because", names=names, reason=reason)
        return [Line(text, tuple(s for drug in drugs for s in drug.statements))]

    def _compared(self) -> Iterator[Table]:
        """What speaks against each of those compared; what diseases share is told by sentences."""
        rows = self.answer.comparison
        against_all = [any(cell.kind in _AGAINST for cell in row.cells) for row in rows]
        stopped = {stop.name for stop in self.stops}
        told = {row.entity.name(self.words.language) for row in rows} <= stopped
        if told or not any(against_all):
            return  # what speaks against each stands above
        status = self.words.texts["comparison"]["status"]
        found = []
        for row in rows:
            against = [cell for cell in row.cells if cell.kind in _AGAINST]
            reasons = str(self.texts["facts"]).join(cell.text for cell in against)
            said = str(status[row.status])
            text = self._say("because", names=said, reason=reasons) if reasons else said
            statements = tuple(s for cell in against for s in cell.statements)
            name = row.entity.name(self.words.language)
            kind: DrugStanding = "stopped" if row.status == "stopped" else "with_care"
            found.append(Row(name, kind if against else "not_stopped", (Line(text, statements),)))
        yield Table("", tuple(found))

    def _diseases(self) -> Iterator[Table]:
        weighing = self.answer.weighing
        if weighing is None or self.answer.emergency or "diagnosis" in self._assessed:
            return  # nothing is ranked below a danger, or beside what a guideline says
        fitting = {frozenset(p.entity.id for p in d.speaks_for) for d in weighing.diseases}
        rows = tuple(self._disease(each, len(fitting) > 1) for each in weighing.diseases)
        yield Table("", rows)

    def _others(self) -> Iterator[Table]:
        """What else was found and stands in no list above, in one row."""
        weighed = self.answer.weighing.diseases if self.answer.weighing else ()
        told = {disease.entity.id for disease in weighed}
        told |= {drug.entity.id for group in self._groups for drug in group.drugs}
        others = [c for c in self.answer.candidates if c.entity.id not in told]
        if others and not weighed and not self.answer.drugs and not self.answer.emergency:
            lines = (Line(c.name or c.entity.name(self.words.language), c.why) for c in others)
            yield Table("", (Row(str(self.texts["fitting"]), "disease", tuple(lines)),))

    def _disease(self, disease: WeighedDisease, with_fitting: bool) -> Row:
        """What a disease has of what was told, where they differ in it; what it lacks, and has."""
        kinds = (
            ("fits", disease.speaks_for if with_fitting else ()),
            ("against", disease.speaks_against),
            ("also", disease.also[: _ALL if self._unfolded else _POINTS]),
        )
        said = [self._say(form, list=self._points(points)) for form, points in kinds if points]
        statements = tuple(
            point.statement
            for point in (*disease.speaks_for, *disease.speaks_against, *disease.also)
        )
        line = Line(str(self.texts["points"]).join(said), statements)
        return Row(disease.entity.name(self.words.language), "disease", (line,))

    def _points(self, points: Iterable[Point]) -> str:
        return self.words.join(p.entity.name(self.words.language) for p in points)

    def _say(self, form: str, **slots: object) -> str:
        return str(self.texts[form]).format(**slots)


_AGAINST = ("stops", "depends", "caution")
