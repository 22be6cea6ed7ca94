"""The decision trees of a medAL algorithm as rules: what leads to a node, a sequence, a diagnosis.

A tree is drawn in a diagram of nodes. An edge leads from an answer of one node to another node; a
node without an edge to it is at the top. What stands at the end of an edge is reached if some path
from the top leads to it by the answers that were given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from medweave.guideline.medal.file import Json, MedalFile, listed, number, whole
from medweave.model import logic
from medweave.model.guideline import AgeBand

OLDER_FROM_DAYS = 60
"""The age from which a child is no young infant any more: one of the two general categories is
answered by it, and categories of the other age band are no."""
YES, NO = 1, 2
"""What answers to a two-valued question bear as their `reference`."""
CATEGORY = "complaint_category"
SCORED = "scored"
SEQUENCE = "QuestionsSequence"
_NEVER, _ALWAYS = logic.Constant(False), logic.Constant(True)


def all_of(parts: Iterable[logic.Expression]) -> logic.Expression:
    """AND, without what is always true, and without an AND of one.

    >>> all_of([logic.Constant(True), logic.Answered("cough", "yes")])
    Answered(observation='cough', answer='yes', fallback=None, unanswered=None)
    """
    return _joined(logic.AllOf, parts, _ALWAYS, _NEVER)


def any_of(parts: Iterable[logic.Expression]) -> logic.Expression:
    """OR, without what is never true, and without an OR of one.

    >>> any_of([])
    Constant(value=False)
    """
    return _joined(logic.AnyOf, parts, _NEVER, _ALWAYS)


def _joined(
    of: type[logic.AllOf | logic.AnyOf],
    parts: Iterable[logic.Expression],
    nothing: logic.Expression,
    settled: logic.Expression,
) -> logic.Expression:
    flat: dict[logic.Expression, None] = {}
    for part in parts:
        flat.update(dict.fromkeys(part.parts if isinstance(part, of) else (part,)))
    flat.pop(nothing, None)
    if settled in flat:
        return settled
    return next(iter(flat)) if len(flat) == 1 else of(tuple(flat)) if flat else nothing


def yes_and_no(node: Json) -> tuple[str, str]:
    """The ids of the answers yes and no of a two-valued node."""
    answers = listed(node.get("answers"))
    by_reference = {whole(answer.get("reference")): str(answer["id"]) for answer in answers}
    ids = [str(answer["id"]) for answer in answers]
    yes = by_reference.get(YES, ids[0] if ids else "")
    return yes, by_reference.get(NO, next((each for each in ids if each != yes), ""))


def age_band(part: Json) -> AgeBand:
    """The ages (days) that a diagnosis or an edge is cut off at."""
    return AgeBand(whole(part.get("cut_off_start")), whole(part.get("cut_off_end")))


@dataclass
class Diagrams:
    """Makes rules of an algorithm's diagrams; `groups` are the rules that several share."""

    medal: MedalFile
    groups: dict[str, logic.Expression] = field(default_factory=dict)
    _read: dict[str, Diagram] = field(default_factory=dict)

    def tree(self, tree: Json) -> Diagram:
        """The diagram of a tree, without what stands under its final diagnoses."""
        return self._diagram(f"tree {tree['id']}", tree.get("instances"))

    def treatment(self, diagnosis: Json) -> Diagram:
        """The diagram under a final diagnosis."""
        tree = self.medal.diagnoses.get(str(diagnosis.get("diagnosis_id"))) or {}
        under = (tree.get("final_diagnoses") or {}).get(str(diagnosis["id"])) or {}
        name = f"treatment of {diagnosis['id']}"
        return self._diagram(name, under.get("instances"), of_treatment=True)

    def in_sequence(self, node: Json) -> Diagram:
        """The diagram of a question sequence."""
        return self._diagram(f"sequence {node['id']}", node.get("instances"))

    def _diagram(
        self, name: str, instances: Mapping[str, Json] | None, *, of_treatment: bool = False
    ) -> Diagram:
        if name not in self._read:
            self._read[name] = Diagram(self, name, instances or {}, of_treatment=of_treatment)
        return self._read[name]

    def category(self, identifier: object) -> logic.Expression:
        """That a complaint category was named, and is one of the child's age band."""
        node = self.medal.nodes.get(str(identifier))
        if node is None:
            return _ALWAYS
        return all_of((logic.Answered(str(identifier), yes_and_no(node)[0]), band_of(node)))

    def answered(self, identifier: object, answer: object) -> logic.Expression:
        """That a node has an answer."""
        node = self.medal.nodes[str(identifier)]
        if node.get("category") == CATEGORY:
            yes, no = yes_and_no(node)
            if str(answer) == yes:
                return self.category(identifier)
            if str(answer) == no:
                return logic.Negation(self.category(identifier))
        return logic.Answered(str(identifier), str(answer))

    def in_diagrams(self, identifier: object) -> logic.Expression:
        """That no complaint category takes a node out of every diagram."""
        node = self.medal.nodes.get(str(identifier)) or {}
        return all_of(self.category(each) for each in node.get("conditioned_by_cc") or ())

    def sequence(self, node: Json) -> logic.Expression:
        """The rule of a question sequence. Its own cut-offs do not gate it."""
        identifier = str(node["id"])
        diagram = self.in_sequence(node)
        conditions = node.get("conditions") or ()
        if node.get("category") != SCORED:
            return diagram.leads_to(conditions)
        if not conditions:
            return _ALWAYS
        least = number(node.get("min_score"))
        if least is None:
            self.medal.notes.add(
                f"the score of '{self.medal.label(node)}'",
                f"sequence {identifier}",
                "it does not say how high the score must be: never reached",
            )
            return _NEVER
        parts = tuple(
            all_of((self.in_diagrams(each["node_id"]), self.edge(each, diagram.name)))
            for each in conditions
        )
        scores = tuple(number(each.get("score")) or 0.0 for each in conditions)
        return logic.AtLeast(least, parts, () if set(scores) == {1.0} else scores)

    def edge(self, condition: Json, where: str) -> logic.Expression:
        """That the answer an edge starts from was given, at the ages the edge is cut off at."""
        source = str(condition["node_id"])
        if self.medal.node(source, where) is None:
            return _NEVER
        band = age_band(condition)
        aged = _ALWAYS if band == AgeBand() else logic.Aged(band.from_days, band.to_days)
        return all_of((self.answered(source, condition["answer_id"]), aged))


def band_of(node: Json) -> logic.Expression:
    """The ages at which a complaint category can be named."""
    if node.get("is_neonat"):
        return logic.Aged(None, OLDER_FROM_DAYS)
    return logic.Aged(OLDER_FROM_DAYS, None)


class Diagram:
    """One diagram: how its nodes are reached from its top.

    `instances` are its nodes with the edges that lead to them. With `of_treatment` it is the part
    under a final diagnosis, where all nodes count; in a tree itself, those of that part do not.
    """

    def __init__(
        self,
        diagrams: Diagrams,
        name: str,
        instances: Mapping[str, Json],
        *,
        of_treatment: bool = False,
    ) -> None:
        self._all = diagrams
        self.name = name
        self._instances = {
            str(instance["id"]): instance
            for instance in listed(instances)
            if of_treatment or instance.get("final_diagnosis_id") is None
        }
        self._reached: dict[str, logic.Expression] = {}
        self._open: list[str] = []

    def __iter__(self) -> Iterator[str]:
        """The ids of its nodes."""
        return iter(self._instances)

    def leads_to(self, conditions: Sequence[Json]) -> logic.Expression:
        """That some path leads along one of these edges; no edges: nothing leads there."""
        return self.edges(conditions) if conditions else _NEVER

    def edges(self, conditions: Sequence[Json]) -> logic.Expression:
        """That one of these edges is gone along, from a node that is reached itself."""
        by_source: dict[str, list[logic.Expression]] = {}
        for condition in conditions:
            edge = self._all.edge(condition, self.name)
            if edge != _NEVER:
                by_source.setdefault(str(condition["node_id"]), []).append(edge)
        return any_of(
            all_of((self.reached(source), any_of(answers))) for source, answers in by_source.items()
        )

    def reached(self, identifier: str) -> logic.Expression:
        """That a node is reached from the top, and no complaint category takes it out."""
        if identifier in self._reached:
            return self._reached[identifier]
        if identifier in self._open:
            self._all.medal.notes.add(
                f"a way round to node {identifier}",
                self.name,
                "its edges go in a circle: this way is left out",
            )
            return _NEVER
        self._open.append(identifier)
        found = self._shared(identifier, self._way_to(identifier))
        self._open.pop()
        self._reached[identifier] = found
        return found

    def _way_to(self, identifier: str) -> logic.Expression:
        instance = self._instances.get(identifier)
        if instance is None:
            self._all.medal.notes.add(
                f"the edges from node {identifier}",
                self.name,
                "the node is not in this diagram, so nothing leads along them",
            )
            return _NEVER
        conditions = instance.get("conditions") or ()
        way = self.edges(conditions) if conditions else _ALWAYS
        return all_of((self._all.in_diagrams(identifier), way))

    def _shared(self, identifier: str, way: logic.Expression) -> logic.Expression:
        """A way that several edges go on from is named once, lest it be written out each time."""
        if not isinstance(way, logic.AllOf | logic.AnyOf):
            return way
        name = f"{self.name}, {identifier}"
        self._all.groups[name] = way
        return logic.GroupReference(name)
