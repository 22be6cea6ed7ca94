"""Who a text speaks of: the people in it, their ages and sexes, and which of them it is for.

Everything that is told is told of somebody: of the one who is to be treated, or of another. Who is
treated is the one something is asked for ("can I give my son …"), else a child that is spoken of,
else whoever writes of themselves, else the only person there is. In doubt it counts as theirs.
Words and patterns are data: rules/people.*.yaml.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from typing import Any
from typing import Literal as OneOf

from medweave.language.data import language_with_rules, shipped_yaml
from medweave.language.folding import blotted
from medweave.language.given_names import given_names
from medweave.language.numbers import find_numbers
from medweave.language.passage import Passage, Span, passage_of
from medweave.language.prefilter import Expression

Role = OneOf["writer", "child", "adult", "relative", "pronoun"]
Sex = OneOf["male", "female"]
GROWN_UP_DAYS = 6574
"""18 years."""
_MOST_YEARS = 125
_YEAR = 365.25
_BEFORE = 80
"""Characters before a person that say whose relative it is, or that it is no subject."""
_BEHIND = 60
_BESIDE = 3
"""Characters that may part a person from their age: "son, 3"."""
_INFANCY = 2
"""Years; of older people the last day of a range is the one before the next birthday."""


@dataclass(frozen=True, slots=True)
class Person:
    """A word for somebody, at its place."""

    start: int
    end: int
    kind: str
    """What it is called in the rules ("mother"); "writer"; "male", "female" of a pronoun."""
    role: Role
    sex: Sex | None = None
    days: tuple[int, int] | None = None
    """The ages the word stands for, in days."""
    of: OneOf["", "writer", "other", "somebody"] = ""
    """Whose relative: the writer's, another's, anybody's ("a mother"), or nobody's that is said."""
    subject: bool = True
    """Whether it can be who something is told of; "about him" is not."""
    tells: bool = False
    """Who only tells what is told: "mother reports …"."""


@dataclass(frozen=True, slots=True)
class Age:
    """An age that a text states, in days, at its place."""

    start: int
    end: int
    days: int


def days_of(number: float, unit_days: float) -> int:
    """Days of an age: whole days of n units; somebody is n months old from floor(n x 30.4375) on.

    >>> days_of(3, 365.25), days_of(10, 30.4375)
    (1095, 304)
    """
    return int(number * unit_days)


def people_of(passage: Passage) -> People:
    """The people of a passage; the same for all who read its text, whichever names they know."""
    return _people(passage.text, passage.language)


@lru_cache(maxsize=16)
def _people(text: str, language: str) -> People:
    return People(passage_of(text, language))


@dataclass(frozen=True, eq=False)
class People:
    """The people of one text.

    >>> from medweave.language.passage import passage_of
    >>> text = "My daughter is two and a half, fever, her brother has measles"
    >>> people = people_of(passage_of(text))
    >>> people.age_days, people.sex
    ((913, 913), 'female')
    >>> [people.is_patients(text.index(word)) for word in ("fever", "measles")]
    [True, False]
    """

    passage: Passage

    @cached_property
    def _rules(self) -> _Rules:
        return _rules(self.passage.language)

    @cached_property
    def _text(self) -> str:
        """The text in which people are looked for: without what only looks like one."""
        plain = self.passage.plain
        return blotted(plain, (m.span() for m in self._rules.nobody.finditer(plain)), "~")

    @cached_property
    def all(self) -> tuple[Person, ...]:
        """Every word for somebody, in the order of the text.

        A relative whom a text begins with is the writer's if nobody else is named: "Grandpa, on
        digoxin". Parents and siblings, who are told of beside a sick child, only with an age.
        """
        found = tuple(self._found())
        if len(found) != 1 or found[0].role != "relative" or found[0].of or found[0].tells:
            return found
        before, behind = self._text[: found[0].start], self._text[found[0].end :]
        named = found[0].kind not in _OF_A_CHILD or behind.lstrip(" ,(")[:1].isdigit()
        begins = not before.strip(" ,.;:-") and named
        return (replace(found[0], of="writer"),) if begins else found

    def _found(self) -> Iterator[Person]:
        rules, text = self._rules, self._text
        matches = list(rules.anybody.finditer(text))
        writes = any(match.lastgroup == _WRITER for match in matches)
        for match in matches:
            kind = match.lastgroup or ""
            before = text[max(0, match.start() - _BEFORE) : match.start()]
            behind = text[match.end() : match.end() + _BEHIND]
            tells = rules.reporter.match(behind) is not None
            if kind in rules.kinds:
                held = rules.kinds[kind]
                if writes and rules.is_writer(kind, before):
                    yield Person(*match.span(), kind, _WRITER, held.sex, held.days)
                    continue
                of = rules.whose(before)
                yield Person(*match.span(), kind, held.role, held.sex, held.days, of, True, tells)
                continue
            subject = not (
                match.group() in rules.object_pronouns and rules.object_before.search(before)
            )
            if rules.owned.match(behind):  # "my" of "my mother": the mother is the person
                if kind == _WRITER:
                    continue
                subject = False
            role: Role = _WRITER if kind == _WRITER else "pronoun"
            sex = _SEX_OF_PRONOUN.get(kind)
            yield Person(*match.span(), kind, role, sex, None, "", subject, tells)

    def word(self, person: Person) -> str:
        """How somebody is called in the text, in lower case."""
        return self.passage.plain[person.start : person.end]

    # -- whose something is -------------------------------------------------------------------

    def bearer(self, start: int, end: int | None = None) -> Person | None:
        """Of whom what stands at a place is told; None where nobody is named for it."""
        clause = self.passage.clause_at(start)
        found = self._named_in(clause, start, start if end is None else end)
        if found is None and self._continues(clause, start):
            found = self._subject_before(clause[0])
        if found and found.role == "writer" and self._gives(found, start):
            found = self.asked_for
        return self._antecedent(found) if found and found.role == "pronoun" else found

    def is_patients(self, start: int, end: int | None = None) -> bool:
        """Whether what stands at a place is told of the one who is to be treated."""
        return self.is_patient(self.bearer(start, end))

    def only_had(self, person: Person | None) -> bool:
        """Whether what is told of somebody is what a relative who is not treated once had."""
        if person is None or person.role != "relative" or self.is_patient(person):
            return False
        return self._rules.only_had.match(self._text[person.end : person.end + _BEHIND]) is not None

    def is_patient(self, person: Person | None) -> bool:
        """Whether this is the one who is to be treated, as far as can be told."""
        return person is None or person.role == "pronoun" or self._key(person) in self.patients

    @cached_property
    def _subjects(self) -> tuple[Person, ...]:
        return tuple(person for person in self.all if person.subject)

    @cached_property
    def _starts(self) -> list[int]:
        """Where words for subjects begin that are more than whose something is."""
        return [p.start for p in self._subjects if self.word(p) not in _POSSESSIVES]

    def _named_in(self, clause: Span, start: int, end: int) -> Person | None:
        """Who is named for a place within its clause: right behind it, or the last before it."""
        named = [p for p in self._subjects if clause[0] <= p.start < clause[1]]
        for person in named:
            between = self._text[end : person.start] if end <= person.start else None
            if between is None or person.role == "writer":
                continue
            if self._rules.behind.match(between):
                return person
        before = [p for p in named if p.start < start and not p.tells]
        return before[-1] if before else None

    def _gives(self, person: Person, start: int) -> bool:
        """Whether somebody only gives what stands at a place: "can I give him ibuprofen"."""
        return self._rules.gives.search(self._text[person.end : start]) is not None

    def own_clause(self, start: int) -> int:
        """Where the clause of a place begins, if somebody is its subject; else 0.

        Such a clause begins anew: what was denied before it is not denied in it.
        """
        first, _ = self.passage.clause_at(start)
        at = bisect_left(self._starts, first)
        return first if at < len(self._starts) and self._starts[at] < start else 0

    def reporter(self, place: int) -> Person | None:
        """Who tells what stands at a place without being who it is told of, in its sentence."""
        first, _ = self.passage.sentence_at(place)
        return next((p for p in reversed(self.all) if p.tells and first <= p.start < place), None)

    def _continues(self, clause: Span, place: int) -> bool:
        """Whether a clause that names nobody goes on telling of who was named before it."""
        first, last = clause
        sentence = self.passage.sentence_at(place)
        if first <= sentence[0]:
            return False
        stretch = self._text[first:last]
        if self._rules.goes_on.match(stretch):
            return True
        if self._rules.begins_anew.match(stretch):
            return self.is_patient(self._subject_before(first))
        if self._rules.adjective.match(stretch) and self._rules.adjective_before.search(
            self._text[:first]
        ):
            return True
        listed = self._rules.list_goes_on.match(self._text[first : sentence[1]])
        return listed is not None or self.is_patient(self._subject_before(first))

    def _subject_before(self, place: int) -> Person | None:
        """Who was told of last before a place, in its sentence."""
        first, _ = self.passage.sentence_at(place - 1)
        named = [p for p in self._subjects if first <= p.start < place and not p.tells]
        if not named:
            return None
        last = self.passage.clause_at(named[-1].start)
        return next(p for p in named if self.passage.clause_at(p.start) == last)

    def _antecedent(self, pronoun: Person) -> Person | None:
        """Whom a pronoun stands for: the patient where the sex fits, else the last who fits."""
        fitting = self._may_stand_for(pronoun)
        return fitting[-1] if fitting else pronoun

    def _may_stand_for(self, pronoun: Person) -> Sequence[Person]:
        """Everybody a pronoun may stand for; who only tells something, if there is nobody else."""
        fitting = [
            p
            for p in self.all
            if p.role not in ("pronoun", "writer")
            and p.start < pronoun.start
            and (p.sex in (None, pronoun.sex) or pronoun.sex is None)
        ]
        children = [p for p in fitting if p.role == "child" and p.of != "other"]
        own = children or [p for p in fitting if p.role == "adult"]
        return own or [p for p in fitting if not p.tells] or fitting

    # -- who is to be treated -----------------------------------------------------------------

    @staticmethod
    def _key(person: Person) -> str:
        """What makes two words one person: children of a text are one, unless they are several."""
        return person.role if person.role in ("writer", "child", "adult") else person.kind

    @property
    def writes_of_self(self) -> bool:
        """Whether whoever writes tells of themselves."""
        return self._rules.own.search(self._text) is not None

    @property
    def _has_something(self) -> bool:
        """Whether the writer tells of more than what they have, do or feel for another."""
        for_another = (m.span() for m in self._rules.for_another.finditer(self._text))
        return self._rules.own.search(blotted(self._text, for_another, "~")) is not None

    def _only_nurses(self, child: Person) -> bool:
        """Whether a child is named only as whom the writer breastfeeds, who has something: of the
        child no more than an age is told.

        >>> from medweave.language.passage import passage_of
        >>> text = "哺乳期，宝宝3个月，我得了湿疹"
        >>> people_of(passage_of(text, "zh")).age_days
        (None, None)
        """
        nursing = [match.span() for match in self._rules.nursing.finditer(self._text)]
        if not nursing or self._rules.own.search(blotted(self._text, nursing, "~")) is None:
            return False
        ages = [(age.start, age.end) for age in self.ages]
        first, last = self.passage.clause_at(child.start)
        rest = blotted(self._text, [(child.start, child.end), *ages, *nursing], " ")[first:last]
        return len(rest.replace("~", "").strip(" ,，。.")) < _BESIDE

    @cached_property
    def asked_for(self) -> Person | None:
        """For whom something is asked, where the text says so."""
        for rule in (self._rules.given_to, self._rules.taken_by):
            for match in reversed(list(rule.finditer(self._text))):
                person = next((p for p in self.all if p.end > match.end()), None)
                if person is not None and person.start - match.end() < _BEHIND:
                    named = self._antecedent(person) if person.role == "pronoun" else person
                    if named is not None:
                        return named
        return None

    @property
    def child(self) -> Person | None:
        """The child a text tells of, if it does; not a child of whom only another's is told."""
        found = [p for p in self.all if p.role == "child"]
        own = [p for p in found if p.of != "other" or not any(q.role == "adult" for q in self.all)]
        return own[0] if own else None

    @cached_property
    def patients(self) -> frozenset[str]:
        """Who may be the one to be treated; mostly one."""
        asked = self.asked_for
        if asked is not None and asked.role != "pronoun":
            found = {self._key(asked)}
            if asked.role == "relative" and self.writes_of_self:
                found.add("writer")
            return frozenset(found)
        if self.child is not None and not self._only_nurses(self.child):
            return frozenset({"child", "writer"} if self.writes_of_self else {"child"})
        if any(p.role == "adult" for p in self.all):
            return frozenset({"adult", "writer"} if self.writes_of_self else {"adult"})
        if self._has_something:
            return frozenset({"writer"} | self._referred_to_again())
        return frozenset({"writer", *self._relatives()})

    def _referred_to_again(self) -> set[str]:
        """Relatives of whom more is told by a pronoun: it may be asked for them."""
        own = {p.kind for p in self.all if p.role == "relative" and p.of in ("writer", "")}
        pronouns = (p for p in self.all if p.role == "pronoun")
        return {one.kind for p in pronouns for one in self._may_stand_for(p) if one.kind in own}

    def _relatives(self) -> Iterator[str]:
        """Relatives who may be meant: the writer's, of whom more is told than what they had."""
        for person in self.all:
            if person.role == "relative" and person.of != "other":
                behind = self._text[person.end : person.end + _BEHIND]
                named = person.of or self._rules.goes_on.match(behind)  # "Grandma is on …"
                if named and not self._rules.only_had.match(behind):
                    yield person.kind
        yield from self._referred_to_again()

    # -- how old, and of which sex ------------------------------------------------------------

    @cached_property
    def ages(self) -> tuple[Age, ...]:
        """All ages that are stated, whosever they are."""
        rules = self._rules
        numbers = [match.start() for match in rules.number.finditer(self._text)]
        if not numbers:  # most texts tell no age
            return ()
        text = blotted(self._text, (m.span() for m in rules.no_ages.finditer(self._text)), "~")
        found: list[Age] = []
        taken = bytearray(len(text))
        for match in self._may_be_ages(text, numbers):
            begin, end = match.span()
            if any(taken[begin:end]):
                continue
            taken[begin:end] = b"\1" * (end - begin)
            days = rules.days(match.groupdict(), self.passage.language)
            if days is not None and days <= _MOST_YEARS * _YEAR:
                found.append(Age(match.start("n"), match.end(), days))
        if not found and (first := rules.first_age.match(text)):
            days = rules.days(first.groupdict(), self.passage.language)
            if days is not None:
                found.append(Age(first.start("n"), first.end(), days))
        return tuple(sorted(found, key=lambda age: age.start))

    def _may_be_ages(self, text: str, numbers: Sequence[int]) -> Iterator[re.Match[str]]:
        """What the rules of ages match, the surer ones first."""
        nouns = [person.end for person in self.all if person.kind in self._rules.kinds]
        for patterns, places in (
            (self._rules.ages_at_number, numbers),
            (self._rules.ages_behind_person, nouns),
        ):
            for pattern in patterns if places else ():
                found = (pattern.compiled.match(text, place) for place in places)
                yield from filter(None, found)
        for pattern in self._rules.ages_anywhere:
            for match in pattern.finditer(text):
                name = match.groupdict().get("name")
                if name is None or name in given_names():
                    yield match

    def owner(self, age: Age) -> Person | None:
        """Whose age it is: of the person beside it, else of whom its clause tells."""
        beside = [
            p for p in self.all if age.end - 1 <= p.start <= age.end + 2 and p.role != "writer"
        ]
        if beside:
            return beside[0] if beside[0].role != "pronoun" else self._antecedent(beside[0])
        within = [p for p in self.all if p.end <= age.start and age.start - p.end <= _BESIDE]
        if within and within[-1].role != "pronoun":
            return within[-1]
        return self.bearer(age.start)

    @cached_property
    def own_ages(self) -> tuple[Age, ...]:
        """The ages of the one who is to be treated; different ones contradict each other.

        Weeks or months of a grown-up are of a pregnancy or an illness: "woman, 20 weeks".
        """
        owned = ((age, self.owner(age)) for age in self.ages)
        return tuple(
            age
            for age, owner in owned
            if self.is_patient(owner) and not (owner and _is_too_young(age, owner))
        )

    @cached_property
    def age_days(self) -> tuple[int | None, int | None]:
        """The age of the one who is to be treated in days: the lowest and highest that fit."""
        if self.own_ages:
            return self.own_ages[0].days, self.own_ages[0].days
        ranges = [p.days for p in self._own_words() if p.days]
        if not ranges:
            return None, None
        low, high = ranges[0]
        for other_low, other_high in ranges[1:]:  # "my son is in first grade"
            if other_low <= high and low <= other_high:
                low, high = max(low, other_low), min(high, other_high)
        return low, high

    def _own_words(self) -> Iterator[Person]:
        """The words for the one who is to be treated; whoever is asked for first."""
        asked = self.asked_for
        own = [p for p in self.all if p.role != "pronoun" and self.is_patient(p)]
        yield from (p for p in own if asked and self._key(p) == self._key(asked))
        yield from own

    @cached_property
    def sex(self) -> Sex | None:
        """The sex of the one who is to be treated, where only one is told."""
        own = {p.sex for p in self._own_words() if p.sex}
        own |= {
            p.sex
            for p in self.all
            if p.role == "pronoun" and p.sex and self.is_patient(self._antecedent(p))
        }
        if not own:
            text = self._text
            if self._rules.female_signs.search(text):
                own.add("female")
            if self._rules.male_signs.search(text):
                own.add("male")
        return own.pop() if len(own) == 1 else None

    @property
    def several(self) -> bool:
        """Whether the text tells of more than one child."""
        return self._rules.several.search(self.passage.plain) is not None

    def is_other_weight(self, start: int) -> bool:
        """Whether a weight at a place is one of another time, or another person's."""
        return self._rules.other_weight.search(
            self.passage.plain[max(0, start - _BEFORE) : start]
        ) is not None or not self.is_patients(start)


_POSSESSIVES = frozenset({"my", "our", "his", "her", "their"})
_SEX_OF_PRONOUN: Mapping[str, Sex] = {"male_pronoun": "male", "female_pronoun": "female"}


@dataclass(frozen=True, slots=True)
class _Kind:
    role: Role
    sex: Sex | None
    days: tuple[int, int] | None


@dataclass(frozen=True)
class _Rules:
    """The rules of one language; see people.en.yaml."""

    kinds: Mapping[str, _Kind]
    anybody: re.Pattern[str]
    """Every word for somebody; the name of the group is its kind."""
    owned: re.Pattern[str]
    """What follows a possessive whose noun is a person itself."""
    object_pronouns: frozenset[str]
    number: re.Pattern[str]
    """Where a number begins."""
    patterns: Mapping[str, Expression]
    ages_at_number: tuple[Expression, ...]
    ages_behind_person: tuple[Expression, ...]
    ages_anywhere: tuple[Expression, ...]
    units: Mapping[str, float]

    def __getattr__(self, name: str) -> Expression:
        try:
            return self.patterns[name]
        except KeyError:
            raise AttributeError(name) from None

    def whose(self, before: str) -> OneOf["", "writer", "other", "somebody"]:
        """Whose relative is named behind this."""
        if self.patterns["own_relative"].search(before):
            return "writer"
        if self.patterns["anothers_relative"].search(before):
            return "other"
        return "somebody" if self.patterns["introduced"].search(before) else ""

    def is_writer(self, kind: str, before: str) -> bool:
        """Whether a noun behind this says what the writer is: "I am a 34-year-old woman"."""
        if self.patterns["writer_is"].search(before):
            return True
        return kind in _SEXES and self.patterns["sex_alone"].search(before) is not None

    def days(self, parts: Mapping[str, str | None], language: str) -> int | None:
        """Days of an age as a pattern found it; years where it names no unit."""
        number = _number(parts["n"], language)
        if number is None:
            return None
        unit = parts.get("unit")
        if unit == "":  # "day 5 of life"
            return int(number)
        days = self.units[unit or next(iter(self.units))]
        more, lesser = _number(parts.get("more"), language), parts.get("more_unit")
        if more is not None and lesser and self.units[lesser] >= days:
            return days_of(more, self.units[lesser])  # "2 months, 14 months old": two times
        half = 0.5 if parts.get("half") else 0.0
        rest = days_of(more, self.units[lesser]) if more and lesser else 0
        return days_of(number + half, days) + rest


def _is_too_young(age: Age, owner: Person) -> bool:
    """Whether an age in weeks or months is told behind a word for a grown-up."""
    return age.days < _YEAR and owner.days is not None and owner.days[0] > _INFANCY * _YEAR


def _number(text: str | None, language: str) -> float | None:
    if not text:
        return None
    return next((found.value for found in find_numbers(text, language)), None)


@cache
def _rules(language: str) -> _Rules:
    name = language_with_rules(language)
    held = shipped_yaml("language", "rules", f"people.{name}.yaml")
    edge = r"\b" if name == "en" else ""
    nouns = {kind: entry["words"] for kind, entry in held["people"].items()}
    person = "|".join(nouns.values())
    groups = {**nouns, **{kind: held[kind] for kind in ("writer", *_PRONOUNS)}}
    filled = {"person": person, "number": held["number"], "ends": held["ends"]}
    ages = {
        place: tuple(Expression(_filled(pattern, filled)) for pattern in patterns)
        for place, patterns in held["ages"].items()
    }
    return _Rules(
        {kind: _kind(entry) for kind, entry in held["people"].items()},
        _anybody(groups, edge),
        re.compile(
            rf"(?: ?[\w-]+){{0,3}}? ?{edge}(?:{person}){edge}"
            if name == "en"
            else rf"的?(?:家|家里)?(?:小|大|亲|老)?(?:{person})"
        ),
        frozenset(held["object_pronouns"]),
        re.compile(rf"(?<![\d.]){edge}(?:{held['number']})"),
        {
            rule: Expression(_filled(pattern, filled))
            for rule, pattern in held.items()
            if isinstance(pattern, str | list) and rule not in groups
        },
        ages["at_number"],
        ages["behind_person"],
        ages["anywhere"],
        held["units"],
    )


_WRITER: OneOf["writer"] = "writer"
_SEXES = ("male", "female")
_OF_A_CHILD = ("mother", "father", "parents", "brother", "sister", "sibling", "cousin", "friend")
"""Of whom a text about a child tells without saying so."""
_PRONOUNS = ("male_pronoun", "female_pronoun", "other_pronoun")


def _anybody(groups: Mapping[str, str], edge: str) -> re.Pattern[str]:
    """The longest words first: "baby boy" is no "baby"."""
    order = sorted(groups.items(), key=lambda item: -max(map(len, item[1].split("|"))))
    ways = "|".join(f"(?P<{kind}>{words})" for kind, words in order)
    return re.compile(rf"{edge}(?=\w)(?:{ways}){edge}")  # most places begin no word


def _filled(pattern: str | list[str], parts: Mapping[str, str]) -> str:
    joined = pattern if isinstance(pattern, str) else "|".join(f"(?:{one})" for one in pattern)
    for name, part in parts.items():
        joined = joined.replace("{" + name + "}", part)
    return joined


def _kind(entry: Mapping[str, Any]) -> _Kind:
    years = entry.get("years")
    days = (int(years[0] * _YEAR), int(years[1] * _YEAR) - (years[1] > _INFANCY)) if years else None
    return _Kind(entry["role"], entry.get("sex"), days)
