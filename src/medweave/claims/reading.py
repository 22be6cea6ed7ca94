"""What a text claims: sentences cut into parts, and each part read by the form it has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from medweave.claims.beside import words_beside
from medweave.claims.predicate_forms import NETWORK_ENDS, forms_of_predicates
from medweave.claims.rules import Form, Relation, Rules, relations, rules_of, weeks_of_trimesters
from medweave.language.folding import in_standard_chinese
from medweave.language.passage import passage_of
from medweave.language.segmentation import language_of
from medweave.model.question import SUBSTANCES
from medweave.vocabulary.dictionary import Match
from medweave.vocabulary.knowledge import Knowledge

POPULATION = "population"
HARM = ("contraindicated", "caution")
"""Relations whose second side says of whom they are."""
_AGE_MOST = 100_000.0
_WEEKS_MOST = 45.0

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class End:
    """One side of a claim: what is named, and how it is narrowed."""

    entities: tuple[str, ...]
    concept: str
    start: int
    end: int
    severity: str = ""


@dataclass(frozen=True, slots=True)
class Narrowed:
    """Of whom a claim is, as far as it says so."""

    ages: tuple[float, float] | None = None
    """From so many days on, and below so many."""
    one_age: bool = False
    """Whether these are the days of one age: a child of eight."""
    weeks: tuple[float, float] | None = None
    """Of pregnancy: from so many on, and below so many."""
    allergy: bool = False
    first_line: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a sentence that claims one relation, of all pairs of its two sides.

    Without a relation nothing could be read in it.
    """

    start: int
    end: int
    text: str
    """The stretch, with names overwritten."""
    names: tuple[End, ...]
    relation: Relation | None = None
    first: tuple[End, ...] = ()
    second: tuple[End, ...] = ()
    denied: bool = False
    absolute: bool = False
    share: bool = False
    """Whether it says of how many it holds."""
    beside: tuple[str, ...] = ()
    """Words of it that neither its form nor a rule reads."""
    unread: bool = False
    """Whether a list in it has a member that nothing bears the name of."""
    narrowed: Narrowed = Narrowed()
    doses: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()


def read_parts(text: str, knowledge: Knowledge) -> tuple[Part, ...]:
    """The parts of a text, in its order. A part that only names something claims nothing."""
    language = language_of(text)
    plain = in_standard_chinese(text) if language == "zh" else text
    rules = rules_of(language)
    found = _but_kinds(knowledge.dictionary.find(plain), plain, rules)
    passage = passage_of(plain, language, [(m.start, m.end) for m in found])
    forms = forms_of_predicates(knowledge, language)
    parts: list[Part] = []
    stressed = [m.span() for m in rules.emphasis.finditer(passage.hidden)]
    hidden = _without(passage.hidden, stressed)
    for start, end in passage.sentences:
        at = _behind_preamble(hidden, start, end, rules)
        parts += _Sentence(hidden, found, rules, forms).parts(at, end, parts)
    return tuple(parts)


def _but_kinds(found: Sequence[Match], text: str, rules: Rules) -> list[Match]:
    """The names without those that only say of what kind another is: "infection with a virus"."""
    starts = {match.start for match in found}
    kinds = [match.span() for match in rules.kind.finditer(text) if match.end() in starts]
    return [m for m in found if not any(s <= m.start and m.end <= e for s, e in kinds)]


def _behind_preamble(hidden: str, start: int, end: int, rules: Rules) -> int:
    match = rules.opening.match(hidden, start, end)
    return match.end() if match else start


@dataclass(frozen=True, slots=True)
class _Sentence:
    hidden: str
    found: Sequence[Match]
    rules: Rules
    own_forms: tuple[Form, ...]
    """For what a base has and the rule files do not read."""

    def parts(self, start: int, end: int, read_before: Sequence[Part]) -> Iterator[Part]:
        """The parts of one sentence; what has no subject of its own has that of the first."""
        subject: tuple[End, ...] = ()
        before = next((each for each in read_before[-1:] if each.relation), None)
        for at, to in self._stretches(start, end):
            names = self._ends(at, to)
            beside = self.rules.apposition.search(self.hidden[at:to])
            if beside and len(names) > 2:  # noqa: PLR2004 - a name, what it is, and more
                is_a = relations()["class"]
                member, group = names[:1], names[1:2]
                if group[0].concept == "drug":  # "statins such as atorvastatin"
                    member, group = group, member
                yield Part(at, to, self.hidden[at:to], names, is_a, member, group)
                names = (*member, *names[2:])
            read = self._likewise(at, to, names, before) or self._read(at, to, names, subject)
            before = read if read.relation else before
            subject = subject or (read.first if read.relation else names[:1])
            names_only = read.relation is None and not read.doses and (at, to) != (start, end)
            states = self.rules.predicative.search(self.hidden, at, to)
            if names_only and not states and self._only_fills(self.hidden[at:to]):
                continue  # it only names what the next part speaks of
            if names or self.hidden[at:to].strip(" .,;。，；\n"):
                yield read

    def _likewise(
        self, at: int, to: int, names: tuple[End, ...], before: Part | None
    ) -> Part | None:
        """What the part before says of its subject, said of another: "and so does x"."""
        match = self.rules.likewise.fullmatch(self.hidden, at, to)
        if match is None or before is None:
            return None
        said = tuple(each for each in names if match.start("a") <= each.start)
        turned = before.second[0].start < before.first[0].start
        denied = before.denied or bool(self.rules.denying.search(match.group()))
        first, second = (before.first, said) if turned else (said, before.second)
        part = replace(before, start=at, end=to, text=self.hidden[at:to], names=names)
        return replace(part, first=first, second=second, denied=denied) if said else None

    def _stretches(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        at = start
        for joint in self.rules.joints.finditer(self.hidden, start, end):
            if joint.start() > at and self.hidden[joint.end() : end].strip(" .。"):
                yield at, joint.start()
                at = joint.end()
        if self.hidden[at:end].strip():
            yield at, end

    def _ends(self, start: int, end: int) -> tuple[End, ...]:
        return tuple(
            End(
                tuple(named.entity for named in match.named),
                match.named[0].concept,
                match.start,
                match.end,
                self._severity(match, start),
            )
            for match in self.found
            if start <= match.start and match.end <= end
        )

    def _severity(self, match: Match, start: int) -> str:
        before = self.hidden[max(start, match.start - 14) : match.start]
        return next((n for n, p in self.rules.severity.items() if p.search(before)), "")

    def _read(self, at: int, to: int, names: tuple[End, ...], subject: tuple[End, ...]) -> Part:
        text = self.hidden[at:to]
        part = Part(at, to, text, names, absolute=bool(self.rules.absolute.search(text)))
        doses = [m.span() for m in self.rules.dose.finditer(text)]
        of_people = any(name.concept == POPULATION for name in names)
        weeks, week_spans = self._weeks(text) if of_people else (None, [])
        ages, age_spans, one_age = self._ages(_without(text, [*doses, *week_spans]))
        rest = _without(text, [*doses, *week_spans, *age_spans])
        narrowed = Narrowed(
            ages,
            one_age,
            weeks,
            bool(self.rules.allergy.search(text)),
            bool(self.rules.first_line.search(text)),
        )
        part = replace(
            part,
            share=bool(self.rules.share.search(rest)),
            doses=tuple(text[a:b] for a, b in doses),
            numbers=tuple(m.group() for m in self.rules.number.finditer(rest)),
            narrowed=narrowed,
        )
        if ages is not None and not of_people:  # "an 8-year-old": people whom no name has
            part, text = _with_people(part, age_spans[0])
        for lead, borrowed in ((0, ()), (1, subject)):
            shown = text if not lead else "x " + text
            if lead and not subject:
                break
            for form in self._forms(part.names):
                read = self._by_form(form, part, shown, 2 * lead, borrowed)
                if read is not None:
                    return read
        return part

    def _forms(self, names: Sequence[End]) -> tuple[Form, ...]:
        """All forms in their order: of networks of genes the base's own come first."""
        of_networks = any(name.concept in NETWORK_ENDS for name in names)
        first = tuple(form for form in self.own_forms if of_networks or form.literal)
        return (*first, *self.rules.forms, *self.own_forms)

    def _by_form(
        self, form: Form, part: Part, shown: str, lead: int, borrowed: tuple[End, ...]
    ) -> Part | None:
        match = form.pattern.search(shown)
        if match is None:
            return None
        spans = [match.span("a"), match.span("b")]
        sides = [
            [
                n
                for n in part.names
                if s + part.start - lead <= n.start and n.end <= e + part.start - lead
            ]
            for s, e in spans
        ]
        if lead and spans[0][0] == 0:
            sides[0] = [*borrowed, *sides[0]]
        if not all(sides):
            return None
        firsts, seconds = (sides[1], sides[0]) if form.swap else (sides[0], sides[1])
        if not _fits(form, firsts, seconds):
            return None
        cue = _cue(match, form)
        spare = _without(shown, cue)
        if form.denies:  # "can be combined without any risk": what follows cannot deny it
            spare = spare[: max(end for start, end in cue if start < end)]
        firsts, seconds = _but_repeated(firsts), _but_repeated(seconds)
        substances = all(n.concept in SUBSTANCES for n in (*firsts, *seconds))
        if form.relation.name == "contraindicated" and substances and not part.narrowed.allergy:
            form = replace(form, relation=relations()["combined_never"])
        denied = form.denies != bool(self.rules.denying.search(spare))
        unread = any(self._has_unread(shown[s:e]) for s, e in spans)
        if form.relation.name not in HARM:
            firsts, seconds = _but_populations(firsts), _but_populations(seconds)
        elif part.narrowed.ages is not None and any(n.concept == POPULATION for n in firsts):
            firsts = _but_populations(firsts)
        return replace(
            part,
            relation=form.relation,
            first=tuple(firsts),
            second=tuple(seconds),
            denied=denied,
            unread=unread,
            beside=words_beside(self._but_ages(part.text), form, self.rules),
        )

    def _has_unread(self, side: str) -> bool:
        """Whether a member of a list is no name, and no word that means nothing by itself."""
        members = self.rules.separators.split(side)
        if len(members) < 2:  # noqa: PLR2004 - no list
            return False
        return any("xx" not in member and not self._only_fills(member) for member in members)

    def _only_fills(self, member: str) -> bool:
        words = re.findall(r"[^\W_]+(?:'\w+)?", member)
        return all(self.rules.filler.match(word) or set(word) == {"x"} for word in words)

    def _but_ages(self, text: str) -> str:
        return _without(text, [*self._weeks(text)[1], *self._ages(text)[1]])

    def _ages(self, text: str) -> tuple[tuple[float, float] | None, list[Span], bool]:
        """The ages that a part is of, where it says so, and whether they are one."""
        least, below, spans, kinds = 0.0, _AGE_MOST, list[Span](), set[str]()
        for name, pattern in self.rules.age.items():
            for match in pattern.finditer(_without(text, spans)):
                start, end = self._days(match, one=name == "one")
                if start is None or end is None:
                    continue
                spans.append(match.span())
                kinds.add(name)
                least = least if name == "below" else max(least, start)
                below = below if name == "from" else min(below, end)
        return ((least, below) if spans else None), spans, "one" in kinds

    def _days(self, match: re.Match[str], *, one: bool) -> tuple[float | None, float | None]:
        """A number with its unit in days, and the end of what it is: of a range its second number,
        of one age the day on which it is no longer so old."""
        said = {k.rstrip("123"): v for k, v in match.groupdict().items() if v}
        unit = said.get("u", said.get("v", next(iter(self.rules.units)))).rstrip("s")
        until = said.get("v", unit).rstrip("s")
        if "n" not in said or unit not in self.rules.units or until not in self.rules.units:
            return None, None
        first = float(said["n"])
        start = first * self.rules.units[unit]
        if "m" in said:
            return start, float(said["m"]) * self.rules.units[until]
        return start, (first + one) * self.rules.units[unit]

    def _weeks(self, text: str) -> tuple[tuple[float, float] | None, list[Span]]:
        """The weeks of pregnancy that a part is of, with where it says so."""
        least, below, spans = 0.0, _WEEKS_MOST, list[Span]()
        for name, pattern in self.rules.weeks.items():
            for match in pattern.finditer(_without(text, spans)):
                spans.append(match.span())
                if name in weeks_of_trimesters():
                    start, end = weeks_of_trimesters()[name]
                else:
                    number = float(next(filter(None, match.groups())))
                    start = 0.0 if name == "below" else number
                    end = {"below": number, "from": _WEEKS_MOST}.get(name, number + 1)
                least, below = max(least, start), min(below, end)
        return ((least, below) if spans else None), spans


def _with_people(part: Part, span: Span) -> tuple[Part, str]:
    """A part with those whom an age names among its names, and its text with that overwritten."""
    start, end = span
    people = End((), POPULATION, part.start + start, part.start + end)
    names = tuple(sorted((*part.names, people), key=lambda each: each.start))
    return replace(part, names=names), part.text[:start] + "x" * (end - start) + part.text[end:]


def _cue(match: re.Match[str], form: Form) -> list[tuple[int, int]]:
    """The words of a form that deny of themselves: those between its sides."""
    own = form.denies or form.relation.name in (*HARM, "combined_never")
    if not own:
        return []
    first, second = match.span("a"), match.span("b")
    whole = match.span()
    nor = [match.span("nor")] if "nor" in match.groupdict() else []
    return [(whole[0], first[0]), (first[1], second[0]), (second[1], whole[1]), *nor]


def _without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _but_populations(ends: Sequence[End]) -> list[End]:
    """The names of a side without those of people, where there are others."""
    return [end for end in ends if end.concept != POPULATION] or list(ends)


def _but_repeated(ends: Sequence[End]) -> list[End]:
    """People who are named by two names with nothing between them ("妊娠期妇女") are named once."""
    stops = {end.end for end in ends if end.concept == POPULATION}
    return [end for end in ends if end.concept != POPULATION or end.start not in stops]


def _fits(form: Form, firsts: Sequence[End], seconds: Sequence[End]) -> bool:  # noqa: PLR0911
    """Whether the things on the sides are of the kinds that a form is for."""
    concepts = ({e.concept for e in firsts}, {e.concept for e in seconds})
    if form.ends:
        return any(
            concepts[0] & one and concepts[1] & other
            for ends in form.ends
            for one, other in (ends, ends[::-1])
        )
    substances = set(SUBSTANCES)
    name = form.relation.name
    if name in HARM and not concepts[0] & substances:
        return False
    if name == "combined_never":
        return all(some & substances for some in concepts)
    if form.only == "drug":
        return bool(concepts[0] & substances) and not concepts[1] & substances
    if form.only == "test":
        return "test" in concepts[1]
    if form.only == "substances":
        return all(some & substances for some in concepts)
    if name == "class":
        return not concepts[1] & {"disease", "symptom", "test"} or concepts[0] == concepts[1]
    return True
