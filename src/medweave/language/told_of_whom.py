"""Of whom each clause of a text tells, and for whom it asks something.

Who is spoken of is taken from clause to clause: a clause that names somebody is theirs, one that
names nobody goes on. What there is at home, or was offered to all, is told of all. The people are
those of `people.py`: somebody is known by what makes two words one person.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING

from medweave.language.folding import blotted
from medweave.language.passage import Span
from medweave.language.people_rules import WRITER, people_rules
from medweave.language.person import Person, Sex

if TYPE_CHECKING:
    from medweave.language.people import People

_OPENS, _CLOSES = ("(", "（"), (")", "）")
_COMMAS = " ,;,；，"
_NOBODY = "-"
_UNNAMED = ("pronoun", "adult")
"""Who is mostly called so once more: "Mum has gout. The old lady …"."""
_FRIEND = "friend"
_SEVERAL = 2
_SEVERAL_OTHERS = "other_pronoun"
_BESIDE = 12
"""Characters between the words that ask for somebody and the word for them."""


class Telling:
    """The clauses of a text, each with whose it is, and the persons in their order.

    >>> from medweave.language.passage import passage_of
    >>> from medweave.language.people import people_of
    >>> text = "Mum is on lithium, I have gout. Can she take it?"
    >>> [whose for whose, _ in people_of(passage_of(text)).telling.clauses]
    ['mother', 'writer', 'mother']
    """

    def __init__(self, people: People) -> None:
        self._people = people
        self.passage = people.passage
        self._rules = people_rules(self.passage.language)
        self._beginnings = frozenset(start for start, _ in self.passage.sentences)
        self._all: list[str] = []
        self.asking: list[str] = []
        """For whom something is asked, in the order in which it is."""
        self.clauses: list[tuple[str, Span]] = []
        self._for_all: set[Span] = set()
        self._of_several: set[Span] = set()
        """Those of them that name several by one word."""
        self._plainly: set[str] = set()
        """Those of them who are named where it is asked if they may have something."""
        self._doubtful: set[str] = set()
        """Those of them who are only meant by a pronoun that may stand for another."""
        self._us = False
        """Whether those whom a clause was told of last include whoever writes."""
        self._headed: set[str] = set()
        """Who have a heading of their own: "Husband: 44, asthma. Aspirin?"."""
        self._sexes: dict[str, Sex] = {}
        """Of which sex a pronoun says somebody is: "Ellie has a cold, her dad"."""
        who = self._first()
        for span in self._spans():
            whose = self._whose(span, who)
            self.clauses.append((whose, span))
            self._take(whose, span)
            who = who if self._is_aside(span) or whose == _NOBODY else whose
        if any(map(self._asks, self._for_all)):
            self._for_all |= {span for _, span in self.clauses if self._is_at_hand(span)}
        self.asking = [who for who in self.asking if self._has_part(who)]
        meant = [who for who in self.asking if who in self._plainly or not self._is_friend(who)]
        self.asking = [who for who in meant or self.asking if who != _NOBODY]

    def _is_at_hand(self, span: Span) -> bool:
        """Whether a clause tells what there is for all, and not what one of them was given."""
        there_is = self._rules.there_is.search(self._clause(span))
        if there_is is None:
            begins = span[0] in self._beginnings
            return begins and not any(self._in(span)) and self._says("ordered", span)
        behind = (p for p in self._in(span) if p.start >= span[0] + there_is.end())
        given = self._rules.gives.search(there_is.group()) is not None
        return not (given and any(self._is_one(p) for p in behind))

    def _is_one(self, person: Person) -> bool:
        """Whether a word is for one alone who is spoken of beside whoever writes."""
        plain = person.role != WRITER and person.kind not in (_FRIEND, _SEVERAL_OTHERS)
        return plain and not self._is_plural(person)

    # -- what is told -------------------------------------------------------------------------

    def word(self, who: str) -> str:
        """How somebody is called where they are named first; '' for whoever writes."""
        return "" if who == WRITER else self._people.word(self._words[who][0])

    def bearer(self, place: int) -> Person | None:
        """The last word before a place for whoever its clause is of; None for whoever writes, where
        no word stands for them."""
        whose = next((who for who, (start, end) in self.clauses if start <= place < end), _NOBODY)
        return next((p for p in reversed(self._words[whose]) if p.start < place), None)

    @property
    def asked_alone(self) -> str | None:
        """For whom alone it is asked, where more than one is told of and that is plain."""
        told = {whose for whose, _ in self.clauses} - {_NOBODY}
        if len(self.asking) > 1:
            return None
        patients = self._people.patients
        unnamed = any(p.role == "adult" for p in self._people.all)
        if len(told) < _SEVERAL:
            alone = next(iter(self.asking), WRITER)
            lost = told == {alone} and alone not in patients
            return alone if lost and self._is_grown_kin(alone) else None
        if not self.asking:
            likely = [who for who in self._all if who in patients]
            return likely[0] if len(likely) == 1 and not unnamed else None
        who = self.asking[0]
        if (who == WRITER and unnamed) or self._asks_besides:
            return None
        meant = patients == {WRITER} if who == WRITER else who in patients
        plain = who in self._plainly or self._is_told_apart(who)
        return who if plain or (meant and who not in self._doubtful) else None

    @property
    def _asks_besides(self) -> bool:
        """Whether a text only asks on behind what it tells: "Mum has aspirin for Ellie. And should
        he have aciclovir?" may ask for both."""
        first = next((span for _, span in self.clauses if self._asks(span)), None)
        begins = first is not None and first[0] in self._beginnings
        return first is not None and begins and self._says("asks_besides", first)

    def of_one(self, who: str) -> tuple[Span, ...]:
        """The clauses that are told of somebody, or of all; what is told of nobody for whom it is
        asked stands with whoever was asked for before."""
        found, last = [], self.asking[0]
        for whose, span in self.clauses:
            last = whose if whose in self.asking else last
            if span in self._for_all or last == who:
                found.append(span)
        return tuple(found)

    def of_others(self, who: str) -> tuple[Span, ...]:
        """The clauses that are told of others than somebody, and not of all; what stands before the
        others are named may be of anybody."""
        return tuple(
            span
            for whose, span in self.clauses
            if whose not in (who, _NOBODY) and span not in self._for_all and not self._asks(span)
            if (not self._tells_of_us(span) if whose == WRITER else self._begins_by(whose, span[1]))
        )

    def of_all(self) -> tuple[Span, ...]:
        """The clauses that tell something of all."""
        told = (span for _, span in self.clauses if span in self._for_all)
        return tuple(span for span in told if not self._asks(span))

    def is_unnamed(self, who: str) -> bool:
        """Whether a pronoun is all that somebody is called by."""
        return all(p.role == "pronoun" for p in self._words[who])

    def wants_the_same(self, who: str) -> bool:
        """Whether somebody is asked for as another is: "can she have mine, too?"."""
        return any(self._says("the_same", span) for span in self.of_one(who))

    # -- the clauses, one by one --------------------------------------------------------------

    def _spans(self) -> Iterator[Span]:
        """The clauses of the text, cut before each label of somebody, too: "…,12床要不要换",
        and before "and everybody"."""
        labels = [p.start for p in self._people.labels]
        for start, end in self.passage.clauses:
            own = (at for at in labels if start < at < end)
            cuts = [at for at in own if self.passage.plain[at - 1] in _COMMAS.strip()]
            all_of_them = self._rules.joins_all.search(self.passage.plain[start:end])
            cuts += [start + all_of_them.start()] if all_of_them and all_of_them.start() else []
            yield from pairwise([start, *sorted({*cuts}), end])

    def _first(self) -> str:
        """Who is named first: a greeting is nobody's, and a contact is not who it is about."""
        about = (span for span in self._spans() if not self._is_of_a_contact(span))
        found = (self._whose(span, _NOBODY) for span in about)
        return next((who for who in found if who != _NOBODY), WRITER)

    def _is_aside(self, span: Span) -> bool:
        """Whether the talk goes on behind a clause as before it: "Carol (69, I'm her carer)"."""
        before = self.passage.text[: span[0]].rstrip()
        if before.endswith(_OPENS) or self._says("gives_reason", span):
            return True
        return self._is_of_a_contact(span) or self._says("acts_for_another", span)

    def _is_of_a_contact(self, span: Span) -> bool:
        """Whether a clause tells that somebody who is not to be treated had what is caught: "his
        aunt has measles, runny nose"."""
        if not self._says("had_by_a_contact", span):
            return False
        return not any(self._people.is_patient(p) for p in self._in(span) if p.role == "relative")

    def _take(self, who: str, span: Span) -> None:
        """A clause of somebody; who asks for themselves says so ("can I")."""
        named = any(self._in(span))
        if who not in (*self._all, _NOBODY):
            self._all.append(who)
        if named and self._clause(span).rstrip().endswith((":", "：")):
            self._headed.add(who)
        asks, wants = self._asks(span), self._says("they_want", span)
        meant = self._wanted_for(span) if asks else None
        meant = None if meant is not None and self._is_reached(meant) else meant
        doubtful = meant is not None and meant.role == "pronoun" and self._may_be_several(meant)
        if wants or (named and meant is not None and not doubtful):
            self._plainly.add(who)
        elif asks and any(p.role == "pronoun" and self._may_be_several(p) for p in self._in(span)):
            self._doubtful.add(who)
        spoken_of = named or who in self._headed or self._names_in_sentence(who, span)
        if (wants or (asks and spoken_of)) and who not in self.asking:
            self.asking.append(who)
        self._take_for_several(span, asks=asks, named=named)

    def _take_for_several(self, span: Span, *, asks: bool, named: bool) -> None:
        """A clause that may be told of several, or ask for each of them."""
        if self._tells_of_several(span, named=named):
            self._of_several.add(span)
            self._for_all.add(span)
            return
        of_us = self._says("each_of_us", span) or self._is_of_us(span)
        goes_on = asks and not named and self._for_all_before(span)
        of_us = of_us or (goes_on and self._us)
        if of_us or goes_on or self._is_of_them(span):
            self._for_all.add(span)
            self._us = of_us
            others = self._all if of_us else self._parties_of(span)
            self.asking += [who for who in others if asks and who not in self.asking]
        elif asks and self._says("for_whom", span):
            self._for_all.add(span)
            self.asking = [who for who in self._all if self._is_party(who)]
        elif asks and not named and self._is_for_each_told_apart(span):
            self._for_all.add(span)
            self.asking = self._patients_told_apart
        elif asks and named and self._only_goes_on(span):
            self._for_all |= {last for _, last in self.clauses[-_SEVERAL:-1] if self._asks(last)}

    def _asks(self, span: Span) -> bool:
        """Whether a clause asks, and the sentence that it is of, too: no "who is 24, is well"."""
        asking = self._rules.asking.search(self._clause(span))
        if asking is None or self._says("politely", span) or self._says("doubts", span):
            return False
        sentence = self._clause(self.passage.sentence_at(span[0]))
        verb = self._rules.verb_of_a_question
        return "?" in sentence or not verb.fullmatch(asking.group().strip(_COMMAS))

    def _is_of_a_question(self, span: Span) -> bool:
        """Whether a clause asks, or begins what is asked: "for those two, is it safe?"."""
        return self._asks(span) or "?" in self._clause(self.passage.sentence_at(span[0]))

    # -- whose a clause is --------------------------------------------------------------------

    def _whose(self, span: Span, last: str) -> str:
        """Whose a clause is: of whom it names, unless they only hand something on."""
        people = [p for p in self._in(span) if not p.tells]
        labels = [p for p in people if self._people.is_label(p)]
        meant = [p for p in labels if not self._only_owns(p)]
        if not meant and people == labels and WRITER not in self._all and self._asks(span):
            meant = labels  # "does it change Sam's dose?"
        if meant:
            return self._individual(meant[0])
        named = list(self._named(people, span))
        if any(map(self._is_reached, named)) and self._asks(span):
            return WRITER
        named = [p for p in named if not self._is_reached(p)]
        owners = [p for p in named if self._only_owns(p)]
        if owners and owners == named and self._says("of_nobody_named", span):
            return WRITER
        named = [p for p in named if p not in owners or self._begins(p, span)]
        wanted = self._who_wants(span) or self._wanted_for(span) or self._prescribed_for(span)
        if wanted:
            is_pronoun = wanted.role == "pronoun"
            return self._spoken_of(wanted, last) if is_pronoun else self._individual(wanted)
        named = [p for p in named if p not in owners] or named
        return self._who_is_named(span, people, named, last)

    def _named(self, people: Sequence[Person], span: Span) -> Iterator[Person]:
        """Those of some people whom a clause may tell of by a word of their own."""
        for person in people:
            if self._is_called_again(person) or not person.subject:
                continue
            stands_by = person.of == "somebody" and person.role != "adult"
            if stands_by and not self._tells_of_friend(person, span):
                continue
            yield person

    def _who_is_named(
        self, span: Span, people: Sequence[Person], named: list[Person], last: str
    ) -> str:
        """Of those who are named in a clause, who bears it; else whom a pronoun stands for, or of
        whom the talk was."""
        if self._says("writes_about", span) or any(p.role == "adult" for p in named):
            named.sort(key=lambda p: p.role == WRITER)
        cares = self._says("hands_on", span) or self._says("as_carer", span)
        if named and self._says("each_of_them", span) and not named[0].sex:
            return last  # "both children": those who were named
        if named and not cares:
            return self._individual(named[0])
        pronoun = next((p for p in people if p.role == "pronoun"), None)
        if pronoun and (cares or not named):
            return self._spoken_of(pronoun, last)
        gives = self._says("hands_on", span) and not (named or people)
        return _NOBODY if gives else last

    def _is_called_again(self, person: Person) -> bool:
        """Whether a word only stands for whoever was named before it: a pronoun, or a noun for a
        grown-up, unless a text begins with it: "The lady I clean for is 79"."""
        if person.role != "adult":
            return person.role == "pronoun"
        return not self._begins_with_adult or self._people.is_plural(person)

    @cached_property
    def _begins_with_adult(self) -> bool:
        """Whether the first whom a text names is a grown-up who is nobody's relative."""
        named = (p for p in self._people.all if p.role not in ("pronoun", WRITER) and p.subject)
        first = next(named, None)
        if first is None or first.role != "adult" or self._people.is_plural(first):
            return False
        return self._individual(first) in self._people.patients

    def _tells_of_friend(self, person: Person, span: Span) -> bool:
        """Whether a clause tells something of a friend of nobody's, and does not only name them as
        who gives or praises a thing."""
        gives = self._says("hands_on", span) or self._says("there_is", span)
        tells = person.kind == _FRIEND and self._begins(person, span)
        return tells and not gives and not self._asks(span)

    def _begins(self, person: Person, span: Span) -> bool:
        """Whether a clause begins with somebody: "Mum's pressure is high", not "from mum's box"."""
        before = self.passage.plain[span[0] : person.start]
        return self._rules.leads_to_subject.fullmatch(before) is not None

    def _only_owns(self, person: Person) -> bool:
        """Whether somebody is only named for whose something is: "took my son's tablets"."""
        behind = self.passage.plain[person.end :]
        return person.role != WRITER and self._rules.owns.match(behind) is not None

    def _who_wants(self, span: Span) -> Person | None:
        """Who is said to want something: "he wants a few of my tablets"."""
        wants = self._rules.they_want.search(self._clause(span))
        people = (p for p in self._in(span) if wants and p.end > span[0] + wants.start())
        return next((p for p in people if not self._only_owns(p)), None)

    def _wanted_for(self, span: Span) -> Person | None:
        """Whom a clause that asks names right where it asks if they may have something: "can she
        use up mine?", "is it safe for my dad?"."""
        if not self._asks(span):
            return None
        asked = self._rules.may_they.compiled.search(self.passage.plain, *span)
        people = (p for p in self._in(span) if asked and asked.end() <= p.end and not p.tells)
        meant = next(people, None)
        return meant if meant and asked and meant.start - asked.end() <= _BESIDE else None

    def _prescribed_for(self, span: Span) -> Person | None:
        """To whom alone a clause says that a doctor gave something: "the GP put me on codeine"."""
        gave = self._rules.prescribed_for.search(self._clause(span))
        people = [p for p in self._in(span) if gave and p.start >= span[0] + gave.end()]
        return people[0] if len(people) == 1 else None

    def _is_reached(self, person: Person) -> bool:
        """Whether a baby is asked about because of what its mother takes."""
        child = person if person.role == "child" else self._people.child
        reached = child is not None and (child is person or self._people.reaches(person))
        if child is not None and reached and self._people.is_spared(child):
            return True
        if person.role != "child" or person.days is None:
            return False
        return self._rules.reached.search(self.passage.plain[: person.start]) is not None

    def _spoken_of(self, pronoun: Person, last: str) -> str:
        """Whom a pronoun stands for: of whom the talk is, or the last of that sex."""
        person = self._people.antecedent(pronoun)
        if person is not None and person is self._people.announced:
            return self._individual(person)
        nobody = (_NOBODY, WRITER)
        spoken_of = [last, *(who for who, _ in reversed(self.clauses))]
        fitting = [who for who in spoken_of if who not in nobody and self._fits(who, pronoun)]
        if fitting:
            found = next((who for who in fitting if not self._is_friend(who)), fitting[0])
            if pronoun.sex:
                self._sexes.setdefault(found, pronoun.sex)
            return found
        if person is None or (person.role == "pronoun" and pronoun.sex):
            return self._individual(pronoun)
        stands_by = person.role == "relative" and person.of == "somebody"
        return last if person.role in _UNNAMED or stands_by else self._individual(person)

    def _may_be_several(self, pronoun: Person) -> bool:
        """Whether several were told of, for any of whom a pronoun may stand: in doubt it is asked
        for all of them."""
        about = self._people.announced
        known = about is not None and self._people.antecedent(pronoun) is about
        if known or pronoun.sex is None:
            return False
        told = {who for who, _ in self.clauses} - {_NOBODY, WRITER}
        return sum(self._fits(who, pronoun) and not self._is_friend(who) for who in told) > 1

    # -- several at once ----------------------------------------------------------------------

    def _is_of_them(self, span: Span) -> bool:
        """Whether a clause tells of several others, or asks for them: "both of them", "for them"
        where two have been told of."""
        if self._says("each_of_them", span):
            return True
        wanted = self._wanted_for(span)
        several = wanted is not None and wanted.kind == _SEVERAL_OTHERS
        several = several or (self._is_of_a_question(span) and self._says("either", span))
        return several and sum(who != WRITER and self._is_party(who) for who in self._all) > 1

    def _tells_of_several(self, span: Span, *, named: bool) -> bool:
        """Whether a clause tells of several by one word who are told apart by names, or goes on
        with that: "I look after twins, 8 months. Ella … Max …"."""
        if self._asks(span):
            return False
        if named:
            words = (self._people.word(p) for p in self._in(span))
            apart = len(self._people.labelled) >= _SEVERAL
            return apart and any(map(self._rules.plural_kin.fullmatch, words))
        before = self.clauses[-_SEVERAL][1] if len(self.clauses) >= _SEVERAL else (0, 0)
        first, _ = self.passage.sentence_at(span[0])
        return first <= before[0] and before in self._of_several

    def _parties_of(self, span: Span) -> list[str]:
        """Those others for each of whom a clause is; of more than two, "those two" are the last."""
        parties = [who for who in self._all if who != WRITER and self._is_party(who)]
        if not self._says("two_of_them", span):
            return parties
        latest = list(dict.fromkeys(who for who, _ in reversed(self.clauses) if who in parties))
        return [who for who in parties if who in latest[:_SEVERAL]]

    def _is_for_each_told_apart(self, span: Span) -> bool:
        """Whether a sentence asks for nobody, behind what was told of several who are told apart,
        as the patients of a ward are: "Bed 2 … Bed 5 … Any problems?"."""
        begins = span[0] in self._beginnings
        patients = self._patients_told_apart
        return begins and not self.asking and len(patients) >= _SEVERAL

    @property
    def _patients_told_apart(self) -> list[str]:
        """Those who were told of, where they are nobody's relatives and have labels; nobody where
        others are told of as well."""
        others = [who for who in self._all if who != WRITER and not self.is_unnamed(who)]
        apart = any(map(self._is_told_apart, others))
        return others if apart and all(map(self._is_nobodys, others)) else []

    def _is_nobodys(self, who: str) -> bool:
        return all(person.role == "adult" for person in self._words[who])

    def _only_goes_on(self, span: Span) -> bool:
        """Whether a clause asks the same once more, of another: "Can Sam have it? And Tom?"."""
        people = [(p.start, p.end) for p in self._in(span)]
        rest = blotted(self.passage.plain, people, "?")[slice(*span)]
        return self._rules.only_goes_on.fullmatch(rest) is not None

    def _is_party(self, who: str) -> bool:
        """Whether a text tells of somebody who may be meant by "which of them"."""
        words = self._words[who]
        if who != WRITER:
            return not (self._is_friend(who) or any(map(self._is_plural, words)))
        own = [span for whose, span in self.clauses if whose == WRITER and not self._asks(span)]
        told = [s for s in own if any(p.role == WRITER for p in self._in(s))]
        return not all(self._says("there_is", span) for span in told)

    def _is_plural(self, person: Person) -> bool:
        """Whether a word is for several, who are told apart where one of them is named."""
        kin = self._rules.plural_kin.fullmatch(self._people.word(person)) is not None
        return self._people.is_plural(person) or (kin and any(self._people.labels))

    def _is_of_us(self, span: Span) -> bool:
        """Whether a clause tells of, or asks for, the writer together with another: "me and my
        daughter have thrush. Can we take it?"."""
        joined = self._joins_us
        if joined is None:
            return False
        goes_on = joined[1] <= span[0] and self._asks(span) and self._says("us_both", span)
        return span[0] <= joined[0] < span[1] or goes_on

    @cached_property
    def _joins_us(self) -> Span | None:
        """Where the writer is first named together with another, or by a word for several."""
        joined = self._rules.joins_us.search(self.passage.plain)
        here = self._in(joined.span()) if joined else ()
        another = any(p.role != WRITER or self._people.means_several(p) for p in here)
        return joined.span() if joined and another else None

    def _for_all_before(self, span: Span) -> bool:
        """Whether a clause before one, in its sentence, tells of everybody, or what stands right
        before it does: "charted for both of them. Objections?"."""
        first, _ = self.passage.sentence_at(span[0])
        before = self.clauses[-_SEVERAL][1] if len(self.clauses) >= _SEVERAL else None
        if before in self._for_all:
            return True
        return any(first <= start and end <= span[0] for start, end in self._for_all)

    # -- what is known of somebody ------------------------------------------------------------

    @cached_property
    def _words(self) -> dict[str, list[Person]]:
        """The words for everybody."""
        found: dict[str, list[Person]] = {WRITER: [], _NOBODY: []}
        for person in self._people.all:
            found.setdefault(self._individual(person), []).append(person)
        return found

    def _individual(self, person: Person) -> str:
        return WRITER if person.role == WRITER else self._people.individual(person)

    def _has_part(self, who: str) -> bool:
        """Whether a letter tells something of somebody, or asks whether they may have something: of
        "how long do I wait?" and "can the baby have it if he catches it?" nobody has a part."""
        own = [span for whose, span in self.clauses if whose == who]
        tells = any(not self._asks(span) or self._says("weighs", span) for span in own)
        return tells or who in self._headed or not self._for_all.isdisjoint(own)

    def _fits(self, who: str, pronoun: Person) -> bool:
        """Whether a pronoun can stand for somebody."""
        sex = self._words[who][0].sex or self._sexes.get(who)
        return pronoun.sex is None or sex in (None, pronoun.sex)

    def _is_friend(self, who: str) -> bool:
        """Whether somebody is a friend, who mostly only has or praises what is in question: "his
        neighbour got doxycycline, could he have that?"."""
        return any(p.kind == _FRIEND for p in self._words[who])

    def _is_grown_kin(self, who: str) -> bool:
        """Whether somebody is a grown-up relative of the writer's, and no friend."""
        words = self._words[who]
        return bool(words) and all(p.role == "relative" and p.kind != _FRIEND for p in words)

    def _is_told_apart(self, who: str) -> bool:
        return any(map(self._people.is_label, self._words[who]))

    def _begins_by(self, who: str, place: int) -> bool:
        """Whether somebody is named before a place."""
        return self._words[who][0].start < place

    def _tells_of_us(self, span: Span) -> bool:
        """Whether a clause of the writer may tell of others, too: "we're expecting our first"."""
        return any(map(self._people.means_several, self._in(span)))

    def _names_in_sentence(self, who: str, span: Span) -> bool:
        """Whether the sentence of a clause speaks of somebody, by a noun or in a clause of theirs
        by a pronoun: "The doctor put him on amiodarone, any clash?"."""
        start, end = self.passage.sentence_at(span[0])
        own = takewhile(lambda clause: clause[1][0] >= start, reversed(self.clauses))
        theirs = (at for whose, at in own if whose == who and at[0] < end)
        named = any(start <= p.start < end for p in self._words[who])
        return named or any(any(self._in(at)) for at in theirs)

    def _in(self, span: Span) -> Iterator[Person]:
        """The words for somebody in a stretch."""
        return (p for p in self._people.all if span[0] <= p.start < span[1])

    def _clause(self, span: Span) -> str:
        return self.passage.plain[slice(*span)]

    def _says(self, rule: str, span: Span) -> bool:
        return getattr(self._rules, rule).search(self._clause(span)) is not None
