"""When the form of a medAL algorithm shows a question: where some diagram leads to it.

The first steps (who it is, first look, complaints, measurements) are shown to everybody. Any other
question is shown while a diagram that is read for this child leads to it, or a calculation or a
sequence needs it that is itself shown. One under a final diagnosis is shown once that stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from medweave.guideline.medal.diagrams import SEQUENCE, Diagram, Diagrams, age_band, all_of, any_of
from medweave.guideline.medal.file import words
from medweave.language.arithmetic import names_in
from medweave.model.guideline import AgeBand, Derivation, FormulaValue, SameValue, TableValue
from medweave.model.logic import (
    Aged,
    AllOf,
    AnyOf,
    Classified,
    Constant,
    Expression,
    GroupReference,
)

_ALWAYS, _NEVER = Constant(True), Constant(False)


def inputs_of(derived: Derivation | None) -> tuple[str, ...]:
    """The observations that a number is calculated from.

    >>> inputs_of(FormulaValue("[10] / [11]"))
    ('10', '11')
    """
    match derived:
        case FormulaValue(formula):
            return names_in(formula)
        case SameValue(other):
            return (other,)
        case TableValue(_, _, x, y):
            return x, y
        case _:
            return ()


class Relevance:
    """By question, when the form shows it. `derived` are calculations by node."""

    def __init__(
        self,
        diagrams: Diagrams,
        derived: Mapping[str, Derivation | None],
    ) -> None:
        self._all = diagrams
        self._places: dict[str, list[tuple[Expression | str, Diagram]]] = {}
        self._readers: dict[str, list[str]] = {}
        self._found: dict[str, Expression] = {}
        self._open: set[str] = set()
        for name, each in derived.items():
            for other in inputs_of(each):
                self._readers.setdefault(other, []).append(name)
        self._place_all()

    def _place_all(self) -> None:
        medal = self._all.medal
        for tree in medal.diagnoses.values():
            band = age_band(tree)
            aged = _ALWAYS if band == AgeBand() else Aged(band.from_days, band.to_days)
            category = self._all.category(tree.get("complaint_category"))
            self._place(all_of((category, aged)), self._all.tree(tree))
        for identifier, diagnosis in medal.final_diagnoses.items():
            if str(diagnosis.get("diagnosis_id")) in medal.diagnoses:
                self._place(Classified(identifier), self._all.treatment(diagnosis))
        for identifier, node in medal.nodes.items():
            if node.get("type") == SEQUENCE:
                self._place(identifier, self._all.in_sequence(node))

    def _place(self, where: Expression | str, diagram: Diagram) -> None:
        """`where` is when the diagram is read, or the sequence that it belongs to."""
        for identifier in diagram:
            self._places.setdefault(identifier, []).append((where, diagram))

    def asked_if(self, identifier: str) -> Expression | None:
        """When the form shows a question; None: to everybody."""
        if self._all.medal.nodes[identifier].get("category") in words()["shown_to_all"]:
            rule = self._all.in_diagrams(identifier)
        else:
            rule = self._shown(identifier)
        return None if rule == _ALWAYS else rule

    def _shown(self, identifier: str) -> Expression:
        if identifier not in self._found:
            if identifier in self._open:  # a sequence within itself shows nothing by that
                return _NEVER
            self._open.add(identifier)
            way = any_of(self._ways(identifier))
            self._open.discard(identifier)
            self._found[identifier] = way
        return self._found[identifier]

    def _ways(self, identifier: str) -> Iterable[Expression]:
        for where, diagram in self._places.get(identifier, ()):
            shown = self._named(where) if isinstance(where, str) else where
            yield all_of((shown, diagram.reached(identifier)))
        for other in self._readers.get(identifier, ()):
            yield self._named(other)

    def _named(self, identifier: str) -> Expression:
        """When a sequence or a calculation is shown: named once, since all in it rests on it."""
        way = self._shown(identifier)
        if not isinstance(way, AllOf | AnyOf):
            return way
        name = f"shown, {identifier}"
        self._all.groups[name] = way
        return GroupReference(name)
