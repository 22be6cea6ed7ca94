"""A guideline in the common store: its parts as things, their relations as statements, and back.

Everything lives under the guideline's name and version; drugs, and what observations stand for, are
shared with other sources. The relations are those of the published graph of IMNCI guidelines. What
a classification includes is derived from its rule, so that the two cannot drift apart.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from urllib.parse import quote, unquote

from medweave.errors import NotFoundError
from medweave.guideline.logic.explanations import ages_in_words
from medweave.guideline.plain_values import from_plain, to_plain
from medweave.guideline.rule_statements import RuleReader, RuleWriter
from medweave.language.segmentation import is_chinese
from medweave.model.document import Document, Extraction
from medweave.model.entity import NameMention
from medweave.model.guideline import (
    GUIDELINE_DEFINITION,
    Classification,
    Guideline,
    Observation,
    rules_of,
)
from medweave.model.identifiers import canonical_json, digest, local_curie
from medweave.model.logic import (
    Answered,
    Classified,
    Compared,
    Expression,
    GroupReference,
    walk_on,
)
from medweave.model.statement import Activity, Evidence, Literal, Place, Statement
from medweave.ports import GraphStore

DEFINITION = GUIDELINE_DEFINITION
VERSION = "2"
"""Raise it when this code writes the same guideline differently."""
_PREFIX = "mw.guideline:"
_LONGEST = 100


def part_id(name: str, kind: str, identifier: str = "") -> str:
    """The identifier of a part of a guideline.

    >>> part_id("imci@1", "observation", "cough or cold")
    'mw.guideline:imci@1/observation/cough%20or%20cold'
    """
    held = f"{_PREFIX}{quote(name, safe='@')}/{kind}"
    if not identifier:
        return held
    safe = quote(identifier, safe="")
    return f"{held}/{safe if len(safe) <= _LONGEST else digest(identifier)}"


def observations_of(guideline: Guideline, classification: Classification) -> tuple[str, ...]:
    """The observations that a classification's rule asks for, through groups, other
    classifications and what is computed; in the order of the guideline."""
    by_id = {each.id: each for each in guideline.observations}
    classes = {each.id: each for each in guideline.classifications}

    def behind(part: Expression) -> list[Expression]:
        match part:
            case Answered(name) | Compared(name):
                return [rule for _, rule in rules_of(by_id[name].derived)]
            case GroupReference(name):
                return [guideline.groups[name]]
            case Classified(name):
                return [classes[name].rule]
            case _:
                return []

    found = {
        part.observation
        for part in walk_on([classification.rule], behind)
        if isinstance(part, Answered | Compared)
    }
    return tuple(each.id for each in guideline.observations if each.id in found)


def extraction_of(guideline: Guideline, source: str) -> Extraction:
    """All that a guideline contributes to a base, as one document.

    Its text has a field for each part: the label, and the part as it is kept.
    """
    activity = Activity("guideline", VERSION)
    writing = _Writing(guideline)
    writing.write()
    document = Document(
        source,
        guideline.name,
        guideline.title or guideline.name,
        tuple(writing.fields.items()),
        guideline.language,
        evidence_class="guideline",
        sample=guideline.sample,
    )
    evidence = [
        Evidence(
            statement.id,
            document.id,
            Place(field, 0, len(label)),
            label,
            "guideline",
            method="guideline",
            cites=cites,
            activity=activity.id,
        )
        for statement, field, label, cites in writing.supported
    ]
    return Extraction(
        document=document,
        build_key=digest([document.content_key(), VERSION]),
        statements=tuple(dict.fromkeys(each[0] for each in writing.supported)),
        evidence=tuple(dict.fromkeys(evidence)),
        mentions=tuple(
            sorted(
                set(writing.mentions),
                key=lambda m: (m.entity, m.name, m.language, m.concept, m.xref),
            )
        ),
        activity=activity,
    )


class _Writing:
    """Collects the statements of one guideline."""

    def __init__(self, guideline: Guideline) -> None:
        self._guideline = guideline
        self.fields: dict[str, str] = {}
        self.supported: list[tuple[Statement, str, str, tuple[str, ...]]] = []
        self.mentions: list[NameMention] = []
        self._field = self._label = ""
        self._cites: tuple[str, ...] = ()
        self._rules = RuleWriter(self._id, self._take, self._name_group)

    def write(self) -> None:
        guideline = self._guideline
        root = self._id("guideline")
        shell = replace(guideline, observations=(), conditions=(), classifications=(), groups={})
        order = {
            "observations": [each.id for each in guideline.observations],
            "conditions": [each.id for each in guideline.conditions],
            "classifications": [each.id for each in guideline.classifications],
            "groups": list(guideline.groups),
        }
        self._begin("guideline", guideline.title or guideline.name, "unsourced")
        self._keep(root, "guideline", {"order": order, "value": to_plain(shell)})
        for condition in guideline.conditions:
            part = self._id("condition", condition.id)
            self._begin(f"condition {condition.id}", condition.label, "unsourced")
            self._define(part, "guideline_condition", condition, condition.aliases)
            self._say(part, "part_of_guideline", root)
        for observation in guideline.observations:
            self._observation(observation, root)
        for name, rule in guideline.groups.items():
            self._begin(f"group {name}", name, "unsourced")
            self._rules.write(rule, self._id("group", name))
        for each in guideline.classifications:
            self._classification(each)

    def _id(self, kind: str, identifier: str = "") -> str:
        return part_id(self._guideline.name, kind, identifier)

    def _begin(self, field: str, label: str, source: str) -> None:
        self._field, self._label = field, label or field
        self._cites = () if source == "unsourced" else (source,)

    def _define(self, part: str, concept: str, value: object, aliases: Iterable[str] = ()) -> None:
        """What a part is, apart from its rules: these are statements of their own."""
        rules: list[Expression] = []
        self._keep(part, concept, to_plain(value, rules), aliases)
        for number, rule in enumerate(rules):
            self._rules.write(rule, _rule_id(part, number))

    def _keep(self, part: str, concept: str, plain: object, aliases: Iterable[str] = ()) -> None:
        text = canonical_json(plain)
        self.fields[self._field] = f"{self._label}\n{text}"
        self._say(part, DEFINITION, Literal(text))
        self._name(part, concept, self._label, aliases)

    def _name(self, part: str, concept: str, label: str, aliases: Iterable[str] = ()) -> None:
        language = self._guideline.language
        self.mentions.append(NameMention(part, label, language, concept))
        self.mentions += [
            NameMention(
                part, alias, "zh" if is_chinese(alias) else language, concept, preferred=False
            )
            for alias in aliases
            if alias and alias != label
        ]

    def _say(self, subject: str, predicate: str, object_: str | Literal) -> None:
        self._take(Statement(subject, predicate, object_))

    def _take(self, statement: Statement) -> None:
        self.supported.append((statement, self._field, self._label, self._cites))

    def _observation(self, each: Observation, root: str) -> None:
        part = self._id("observation", each.id)
        self._begin(f"observation {each.id}", each.label, each.source)
        self._define(part, "observation", each, each.aliases)
        self._say(part, "part_of_guideline", root)
        if each.concept:
            self._say(part, "stands_for", each.concept)
            self.mentions.append(
                NameMention(each.concept, each.label, self._guideline.language, "symptom")
            )

    def _classification(self, each: Classification) -> None:
        part = self._id("classification", each.id)
        self._begin(f"classification {each.id}", each.label, each.source)
        self._define(part, "classification", each, each.aliases)
        self._say(self._id("condition", each.condition), "has_classification", part)
        ages = self._id("ages", f"{each.ages.from_days}-{each.ages.to_days}")
        self._say(part, "applicable_to", ages)
        self._name(ages, "age_group", ages_in_words(each.ages))
        for name in observations_of(self._guideline, each):
            self._say(part, "includes_observation", self._id("observation", name))
        self._say(_rule_id(part, 0), "has_classification", part)
        for step in each.treatments:
            self._step(each, part, step.id, step.label, step.drug)

    def _step(self, each: Classification, part: str, step: str, label: str, drug: str) -> None:
        node = self._id("step", f"{each.id}/{step}")
        self._say(part, "includes_treatment_step", node)
        self._name(node, "treatment_step", label or step)
        if drug:
            entity = local_curie("substance", drug)
            self._say(node, "gives_drug", entity)
            self.mentions.append(NameMention(entity, drug, self._guideline.language, "drug"))

    def _name_group(self, node: str, operator: str) -> None:
        self._name(node, "logic_group", f"{operator} ({self._label})")


def _rule_id(part: str, number: int) -> str:
    """The logic group of a part's rule; a classification's own rule is its first."""
    return f"{part}/rule{number}"


def guidelines_in(store: GraphStore) -> list[str]:
    """The names (`id@version`) of the guidelines of a base."""
    defined = (supported.statement.subject for supported in store.match(None, DEFINITION))
    names = (each.removeprefix(_PREFIX).partition("/") for each in defined)
    return sorted(unquote(name) for name, _, kind in names if kind == "guideline")


def guideline_from(store: GraphStore, name: str) -> Guideline:
    """A guideline out of a base, by `id@version`; `NotFoundError` names those there are."""
    prefix = part_id(name, "")
    definitions = {
        supported.statement.subject: str(supported.statement.object.value)  # type: ignore[union-attr]
        for supported in store.match(None, DEFINITION)
        if supported.statement.subject.startswith(prefix)
    }
    root = part_id(name, "guideline")
    if root not in definitions:
        known = ", ".join(guidelines_in(store)) or "none"
        raise NotFoundError(
            f"the base has no guideline '{name}'", where=name, remedy=f"it has: {known}"
        )
    held = json.loads(definitions[root])
    named = {part_id(name, kind, each): (kind, each) for kind, each in _named(held["order"])}
    rules = RuleReader.of(store, prefix, {**named, root: ("guideline", "")})

    def parts(kind: str, names: str) -> tuple[object, ...]:
        ids = (part_id(name, kind, each) for each in held["order"][names])
        return tuple(
            from_plain(json.loads(definitions[part]), partial(_rule_of, rules, part))
            for part in ids
        )

    shell: Guideline = from_plain(held["value"])
    return replace(
        shell,
        observations=parts("observation", "observations"),  # type: ignore[arg-type]
        conditions=parts("condition", "conditions"),  # type: ignore[arg-type]
        classifications=parts("classification", "classifications"),  # type: ignore[arg-type]
        groups={each: rules.read(part_id(name, "group", each)) for each in held["order"]["groups"]},
    )


def _rule_of(rules: RuleReader, part: str, number: int) -> Expression:
    return rules.read(_rule_id(part, number))


def _named(order: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    """The kind and the name of each part, as they are listed."""
    for names, listed in order.items():
        for each in listed:
            yield names.removesuffix("s"), each
