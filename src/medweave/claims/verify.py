"""The claim gate: a text is read for what it claims, and each claim held against a base."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from medweave.claims.dosing import Dosing, doses_of
from medweave.claims.reading import HARM, POPULATION, End, Part, read_parts
from medweave.claims.rules import Relation, ages_of_people, grades_of_never, relations
from medweave.claims.wording import Texts
from medweave.errors import QuestionError
from medweave.guideline.contribution import Supports
from medweave.language.folding import without_halves
from medweave.language.segmentation import language_of
from medweave.language.stems import stem_of
from medweave.model.belief import belief
from medweave.model.claim import Claim, Reason, Verified
from medweave.model.guideline import Guideline
from medweave.model.statement import SupportedStatement
from medweave.vocabulary.knowledge import Knowledge

MAX_CHARACTERS = 100_000


def verify(
    text: str, knowledge: Knowledge, guidelines: Sequence[tuple[Guideline, Supports]] = ()
) -> Verified:
    """What a text claims, with what of a base says or denies it. No model is asked.

    `guidelines`, each with what its sentences rest on, give the doses of their treatment steps; no
    other dose is let through. Raises `QuestionError` for a text that is empty or longer than
    `MAX_CHARACTERS`.
    """
    if not text.strip():
        raise QuestionError("there is no text", remedy="give a sentence")
    if len(text) > MAX_CHARACTERS:
        raise QuestionError(
            f"this text has more than {MAX_CHARACTERS:,} characters", remedy="give a shorter one"
        )
    text = without_halves(text)
    doses = [
        dose
        for guideline, supports in guidelines
        for dose in doses_of(guideline, supports.statements)
    ]
    checker = Checker(knowledge, Dosing(doses, knowledge))
    claims = tuple(
        claim for part in read_parts(text, knowledge) for claim in checker.claims(part, text)
    )
    used = checker.used
    things = sorted({entity for each in used.values() for entity in each.statement.entities})
    cited = sorted({item.document for each in used.values() for item in each.evidence})
    entities = knowledge.entities.all(things) if things else {}
    documents = {each.id: each for each in knowledge.store.documents(cited)} if cited else {}
    for _, supports in guidelines if doses else ():
        entities = {
            **entities,
            **{e: supports.entities[e] for e in things if e in supports.entities},
        }
        documents = {**supports.documents, **documents}
    return Verified(
        text,
        claims,
        used,
        entities,
        {identifier: documents[identifier] for identifier in cited},
        {identifier: belief(each.evidence) for identifier, each in used.items()},
        language_of(text),
    )


_AGES = ("age_min_days", "age_max_days")
_USES = ("use", "prevents")
_MOST_PAIRS = 60
"""Of one part; more are not looked at, and the part is not supported."""
_MOST_ABOVE = 50
_UPWARD = ("in_class", "kind_of", "has_ingredient")
_WEEKS = ("pregnancy_weeks_min", "pregnancy_weeks_max")
_SPECIAL = ("dose_context", "purpose")
"""Conditions of a statement that no form of a sentence says: a claim without them is wider."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What comes of one claim, with the statements it stands on or that deny it."""

    reason: Reason | None
    statements: tuple[SupportedStatement, ...] = ()
    denied: bool = False


class Checker:
    """Holds the parts of a text against a base.

    A further kind of witness (passages of texts) has its place beside `Texts`: it is asked where no
    statement says what a part claims.
    """

    def __init__(self, knowledge: Knowledge, dosing: Dosing) -> None:
        self._knowledge = knowledge
        self._dosing = dosing
        self._texts = Texts(knowledge)
        self.used: dict[str, SupportedStatement] = {}

    def claims(self, part: Part, text: str) -> Iterator[Claim]:
        """The claims of a part, each with its verdict."""
        said = text[part.start : part.end].strip()
        start = text.index(said, part.start) if said else part.start
        for checked in self._checked(part, said):
            for each in checked.statements:
                self.used[each.statement.id] = each
            yield Claim(
                said,
                start,
                start + len(said),
                tuple(each.statement.id for each in checked.statements),
                checked.reason,
                checked.denied,
            )

    def _checked(self, part: Part, said: str) -> list[Checked]:
        if part.doses:
            dosed = self._dosing.of(part)
            return [Checked(None, tuple(dosed)) if dosed else Checked("dose")]
        in_words = tuple(self._texts.saying(part, said))
        if part.relation is None or part.numbers:
            if in_words:
                return [Checked(None, in_words)]
            wrong: Reason = "number" if part.numbers else "unknown"
            return [Checked(wrong)]
        pairs = [(a, b) for a in part.first for b in part.second]
        if part.unread or len(pairs) > _MOST_PAIRS:
            return [Checked("unknown")]
        against = tuple(self._forbidding(part)) if part.relation.name in _USES else ()
        if against and not part.denied:
            return [Checked("negation", against, denied=True)]
        checked = [self._pair(part, part.relation, a, b) for a, b in pairs]
        more = self._says_more(part)
        return [Checked(more)] if more and not any(each.reason for each in checked) else checked

    def _pair(self, part: Part, relation: Relation, a: End, b: End) -> Checked:
        part = _of_their_age(part, b)
        aged = part.narrowed.ages is not None and b.concept == POPULATION
        recorded = list(self._recorded(relation, a, b, aged=aged))
        fit = [each for each in recorded if self._narrow_enough(part, relation, each, b)]
        affirming = tuple(each for each in fit if each.affirmed and not each.denied)
        denying = tuple(each for each in fit if each.denied and not each.affirmed)
        if part.denied:
            if denying and not affirming:
                return Checked(None, denying)
            against = tuple(each for each in recorded if each.affirmed)
            return Checked("negation" if against else "unknown", against, denied=bool(against))
        if affirming:
            return Checked(None, affirming)
        if denying:
            return Checked("negation", denying, denied=True)
        return Checked(self._why(part, relation, a, b, recorded))

    def _says_more(self, part: Part) -> Reason | None:
        """In what a part says more than a record of its relation can."""
        if part.share:
            return "number"
        if part.absolute:
            return "relation"
        named = frozenset(
            stem_of(word)
            for end in part.names
            for entity in end.entities[:1]
            for name in self._knowledge.entities.get(entity).all_names()
            for word in name.lower().split()
        )
        return "unknown" if any(stem_of(word) not in named for word in part.beside) else None

    def _forbidding(self, part: Part) -> Iterator[SupportedStatement]:
        """What speaks against a use in those of whom it is claimed."""
        people = [end for end in part.names if end.concept == POPULATION]
        if not people and part.narrowed.ages is None:
            return
        named = frozenset(same for end in people for same in self._same(end))
        for drug in part.first:
            for subject in sorted(self._same(drug) | self._above(self._same(drug))):
                for each in self._knowledge.store.match(subject, "contraindicated_in"):
                    aged = _is_of_ages(each) and part.narrowed.ages is not None
                    meets = (
                        _ages_meet(part, each) if aged else each.statement.object_entity in named
                    )
                    if each.affirmed and meets:
                        yield each

    def _why(
        self,
        part: Part,
        relation: Relation,
        a: End,
        b: End,
        recorded: Sequence[SupportedStatement],
    ) -> Reason:
        """What is wrong with a claim that nothing supports and nothing denies."""
        if recorded:
            return "number" if part.narrowed.ages else "relation"
        if any(self._recorded(relation, b, a)):
            return "direction"
        if any(
            True
            for other in relations().values()
            for ends in ((a, b), (b, a))
            for _ in self._recorded(other, *ends)
        ):
            return "relation"
        things = {*self._same(a), *self._same(b)}
        return "entity" if self._knowledge.holds(things) else "unknown"

    def _recorded(
        self, relation: Relation, a: End, b: End, *, aged: bool = False
    ) -> Iterator[SupportedStatement]:
        """All statements of a relation between two things, however narrow.

        Where ages are claimed (`aged`), people of an age count whatever they are called.
        """
        firsts, seconds = self._same(a), self._same(b)
        wide_a, wide_b = firsts, seconds | self._knowledge.lexicon.narrower(seconds)
        if relation.inherited:
            wide_a, wide_b = firsts | self._above(firsts), wide_b | self._above(seconds)
        for predicate, turned in relation.ways:
            subjects, objects = (seconds, wide_a) if turned else (wide_a, wide_b)
            if turned and relation.inherited:
                subjects = wide_b
            for subject in sorted(subjects):
                for each in self._knowledge.store.match(subject, predicate):
                    if each.statement.object_entity in objects or (aged and _is_of_ages(each)):
                        yield each

    def _narrow_enough(
        self, part: Part, relation: Relation, each: SupportedStatement, b: End
    ) -> bool:
        """Whether what is recorded is of all that the claim is of: never of fewer."""
        said, statement = part.narrowed, each.statement
        if any(statement.qualifier(name) is not None for name in _SPECIAL):
            return False
        if (
            relation.name == "combined_never"
            and statement.predicate == "interacts_with"
            and statement.qualifier("severity") not in grades_of_never()
        ):
            return False
        if relation.name in HARM:
            if (statement.qualifier("allergy") or False) != said.allergy:
                return False
            severity = statement.qualifier("severity")
            if severity is not None and severity != b.severity:
                return False
        if said.first_line and statement.qualifier("line") != "first":
            return False
        of_people = b.concept == POPULATION and relation.name in HARM
        return _weeks_fit(part, each) and (not of_people or _ages_fit(part, each))

    def _same(self, end: End) -> frozenset[str]:
        alike = self._knowledge.alike(end.entities[:3])
        return frozenset(same for some in alike.values() for same in some)

    def _above(self, things: Iterable[str]) -> frozenset[str]:
        """What these are kinds, members or products of."""
        reached, frontier = set[str](), sorted(things)
        while frontier and len(reached) < _MOST_ABOVE:
            current = frontier.pop()
            above = {
                str(each.statement.object_entity)
                for predicate in _UPWARD
                for each in self._knowledge.store.match(current, predicate)
                if each.affirmed
            }
            term = self._knowledge.lexicon.terms.get(current)
            above |= set(term.inherits) if term else set()
            new = above - reached
            reached |= new
            frontier += sorted(new)
        return frozenset(reached)


def _weeks_fit(part: Part, each: SupportedStatement) -> bool:
    """Whether all weeks that the claim is of are among those that the statement is of."""
    least, below = (each.statement.qualifier(name) for name in _WEEKS)
    if least is None and below is None:
        return True
    if part.narrowed.weeks is None:
        return False  # "in pregnancy" is all of it
    of_least, of_below = part.narrowed.weeks
    return of_least >= float(least or 0) and (below is None or of_below <= float(below))


def _of_their_age(part: Part, people: End) -> Part:
    """A part with the ages of the people that it names, where it gives none."""
    kinds = (entity.rpartition(":")[2] for entity in people.entities)
    ages = next((ages_of_people()[kind] for kind in kinds if kind in ages_of_people()), None)
    if part.narrowed.ages is not None or ages is None:
        return part
    return replace(part, narrowed=replace(part.narrowed, ages=ages))


def _is_of_ages(each: SupportedStatement) -> bool:
    return any(name in _AGES for name, _ in each.statement.qualifiers)


def _ages_meet(part: Part, each: SupportedStatement) -> bool:
    """Whether anybody that the claim is of is among those that the statement is of."""
    least, below = part.narrowed.ages or (0.0, 0.0)
    of_least, of_below = (each.statement.qualifier(name) for name in _AGES)
    return (of_below is None or least < float(of_below)) and below > float(of_least or 0)


def _ages_fit(part: Part, each: SupportedStatement) -> bool:
    """Whether everybody that the claim is of is among those that the statement is of."""
    least, below = (
        each.statement.qualifier("age_min_days"),
        each.statement.qualifier("age_max_days"),
    )
    if least is None and below is None:
        return True
    if part.narrowed.ages is None:
        return False  # "children" alone are more than the youngest
    of_least, of_below = part.narrowed.ages
    slack = 2.0  # days: years and months are not all of one length
    return of_least >= float(least or 0) - slack and (
        below is None or of_below <= float(below) + slack
    )
