"""Relations that were read in texts, brought into order: names, types, repeats, self-relations.

A step at a time, and each counted: a name with its abbreviation behind it loses that ("optical
coherence tomography (OCT)"), a synonym is linked to the thing that bears it, a type that the
lexicon knows better gives way, the same relation of one document counts once, and none relates a
thing to itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from medweave.model.identifiers import normalise_name
from medweave.model.refinement import Change, Refinement
from medweave.sources.abbreviations import abbreviations
from medweave.sources.names import Naming, Thing


@dataclass
class Refining:
    """Counts what becomes of the relations of one document."""

    document: str
    naming: Naming
    read: int = 0
    evidence: int = 0
    names: set[tuple[str, str]] = field(default_factory=set)
    changes: dict[Change, None] = field(default_factory=dict)
    left_out: list[Change] = field(default_factory=list)

    def saw(self, name: str, type_: str) -> None:
        """A name as it was read, and the type that it was read with."""
        self.names.add((" ".join(name.lower().split()), type_))

    def without_abbreviation(self, name: str) -> str:
        """A name without the abbreviation of itself that stands behind it."""
        long = without_abbreviation(name)
        if long != name:
            self._change("trailing", name, long, "the abbreviation of what stands before it")
        return long

    def linked(self, name: str, type_: str, thing: Thing) -> None:
        """What a name of a type was taken for."""
        term = self.naming.lexicon.terms.get(thing.id)
        if term and normalise_name(term.preferred("en")) != normalise_name(name):
            self._change("synonym", name, term.preferred("en"), "another name of the same thing")
        if type_ and thing.concept != type_:
            self._change("retyped", f"{name} ({type_})", thing.concept, "the lexicon knows it so")

    def leave_out(self, relation: str, why: str, *, step: str = "dropped") -> None:
        """Leave out a relation, for a reason of one word."""
        self.left_out.append(Change(step, self.document, relation, "", why))

    def _change(self, step: str, before: str, after: str, why: str) -> None:
        self.changes[Change(step, self.document, before, after, why)] = None

    def done(self) -> Refinement:
        """The count."""
        changes = (*self.changes, *self.left_out)
        return Refinement(self.read, self.evidence, frozenset(self.names), changes)


def without_abbreviation(name: str) -> str:
    """A name without what repeats it, in brackets or without.

    >>> without_abbreviation("age-related macular degeneration (AMD)")
    'age-related macular degeneration'
    >>> without_abbreviation("optical coherence tomography OCT"), without_abbreviation("wet AMD")
    ('optical coherence tomography', 'wet AMD')
    """
    before, _, last = name.rstrip().rpartition(" ")
    if not before or not last:
        return name
    written = f"{before} ({last.strip('()')})"
    found = next(iter(abbreviations(written)), None)
    whole = found is not None and found.long_start == 0 and found.short_end == len(written) - 1
    return before.rstrip(" ,") if whole else name
