"""The stable JSON form of an answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from medweave.model.generated import NOTHING_GENERATED
from medweave.model.json_form import json_of, plain
from medweave.model.support_json import SupportForm, named_form

if TYPE_CHECKING:
    from medweave.model.answer import Answer, Candidate, Row, Sentence, Stop, ToFindOut
    from medweave.model.drug_list import DrugList
    from medweave.model.entity import Entity
    from medweave.model.steps import Result, Step
    from medweave.model.weighing import Point, Weighing


class AnswerForm:
    """Numbers statements and evidence of one answer, and writes its JSON form."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._language = answer.question.language
        self._support = SupportForm(
            answer.statements, answer.entities, answer.documents, answer.beliefs, self._language
        )

    def to_json(self) -> dict[str, Any]:
        """The whole answer, everything that it rests on numbered."""
        answer = self._answer
        return (
            {
                "question": answer.question.as_written or answer.question.text,
                "language": self._language,
                "status": answer.status,
                "base": answer.base.to_json(),
                **json_of(answer, "danger emergency?"),
                "taken": [json_of(fact, "text id=entity? how") for fact in answer.taken],
                "not_understood": plain(answer.not_understood),
                "result": self._result(answer.result),
                "steps": [self.step(step) for step in answer.steps],
                "sentences": [self.sentence(item) for item in answer.sentences],
                "candidates": [self._candidate(item) for item in answer.candidates],
                "stops": [self._stop(item) for item in answer.stops],
                "drugs": [self._drug_list(item) for item in answer.drugs],
                "weighing": self._weighing(answer.weighing) if answer.weighing else None,
                "find_out": [self._to_find_out(item) for item in answer.find_out],
                "comparison": [self._row(item) for item in answer.comparison],
                "conflicts": [
                    {"about": item.about, "sides": [self._keys(side) for side in item.sides]}
                    for item in answer.conflicts
                ],
                **json_of(answer, "missing limits"),
                "paths": [
                    {
                        "from": item.source,
                        "to": item.target,
                        "statements": self._keys(item.statements),
                    }
                    for item in answer.paths
                ],
                "cases": plain(answer.cases),
                **self._support.to_json(),
                "interpretation": json_of(answer.question, "intents mentions patient form"),
                **json_of(answer, "timing [passages] [assessment]"),
                **({"stores": [each.to_json() for each in answer.stores]} if answer.stores else {}),
                **self._by_model(),
            }
            | self._parts()
            | self._others()
        )

    def _by_model(self) -> dict[str, Any]:
        """What a language model had to do with it: the same fields where none was asked."""
        made = self._answer.generated or NOTHING_GENERATED
        claims = [
            json_of(claim, "text sentence verdict statements reason")
            | {"statements": self._keys(claim.statements)}
            for claim in made.claims
        ]
        return {
            "strategy": self._answer.strategy,
            "model": made.model or None,
            "resolved": self._answer.question.text,
            "claims": claims,
            "fallback": [json_of(each, "role reason instead") for each in made.fallback],
            "usage": made.usage_to_json(),
            "reasoning": made.reasoning or None,
        }

    def _parts(self) -> dict[str, Any]:
        """The questions of a letter, each with its answer; all of it stands in the whole, too."""
        parts = [
            {
                "question": part.heading,
                "status": part.status,
                "stops": [self._stop(item) for item in part.stops],
                "sentences": [self.sentence(item) for item in part.sentences],
                "drugs": [self._drug_list(item) for item in part.drugs],
                "weighing": self._weighing(part.weighing) if part.weighing else None,
                "not_understood": plain(part.not_understood),
                "missing": list(part.missing),
            }
            for part in self._answer.parts
        ]
        return {"parts": parts} if parts else {}

    def _others(self) -> dict[str, Any]:
        """What is answered for the others for whom a letter asks."""
        others = [{"for": other.who} | other.to_json() for other in self._answer.others]
        return {"for": self._answer.who, "others": others} if others else {}

    def _keys(self, statements: tuple[str, ...]) -> list[str]:
        return self._support.keys(statements)

    def _result(self, result: Result) -> dict[str, Any]:
        value = result.value
        shown = [self._called(each) for each in value] if isinstance(value, tuple) else value
        return {"kind": result.kind, "value": shown}

    def _called(self, entity: Entity) -> dict[str, str]:
        return {"id": entity.id, "name": entity.name(self._language)}

    def step(self, step: Step) -> dict[str, Any]:
        """The form of one of its steps."""
        around = step.subgraph
        return {
            **json_of(step, "question type by"),
            "queries": [list(triple) for triple in step.queries],
            "statements": self._keys(step.statements),
            "answer": step.answer,
            "subgraph": {"before": around.before, "after": len(around.statements)},
            "removed": [json_of(each, "statement by reason") for each in around.removed],
        }

    def sentence(self, sentence: Sentence) -> dict[str, Any]:
        """The form of one of its sentences."""
        evidence = (
            item
            for identifier in sentence.statements
            for item in self._answer.evidence_of(identifier)
        )
        form = "text statements evidence=statements intent about? [unsupported]"
        return json_of(sentence, form) | {
            "statements": self._keys(sentence.statements),
            "evidence": self._support.evidence_keys(evidence),
            "terms": terms_of(sentence, self._things_of(sentence), self._language),
        }

    def _things_of(self, sentence: Sentence) -> dict[str, Entity]:
        """What a sentence may name; of one that nothing supports, all that the answer names."""
        if sentence.unsupported:
            return dict(self._answer.entities)
        named = (self._answer.statements[each].statement.entities for each in sentence.statements)
        return {each: self._answer.entities[each] for some in named for each in some}

    def _drug_list(self, drugs: DrugList) -> dict[str, Any]:
        return {
            "about": self._named(drugs.about),
            "class": self._named(drugs.of_class) if drugs.of_class else None,
            "groups": [
                {
                    "standing": group.standing,
                    "drugs": [
                        self._named(drug.entity)
                        | json_of(drug, "line? reason?")
                        | {
                            "statements": self._keys(drug.statements),
                            "grounds": self._keys(drug.grounds),
                        }
                        for drug in group.drugs
                    ],
                }
                for group in drugs.groups
            ],
        }

    def _weighing(self, weighing: Weighing) -> dict[str, Any]:
        return {
            "clear": weighing.clear,
            "diseases": [
                self._named(disease.entity)
                | {
                    "for": self._points(disease.speaks_for),
                    "against": self._points(disease.speaks_against),
                    "also": self._points(disease.also),
                }
                for disease in weighing.diseases
            ],
            "apart": [self._named(finding) for finding in weighing.apart],
        }

    def _points(self, points: tuple[Point, ...]) -> list[dict[str, Any]]:
        return [
            self._named(point.entity) | {"statement": self._support.key(point.statement)}
            for point in points
        ]

    def _to_find_out(self, item: ToFindOut) -> dict[str, Any]:
        named = json_of(item, "about text drugs details")
        return named | {"statements": self._keys(item.statements)}

    def _named(self, entity: Entity) -> dict[str, Any]:
        return named_form(entity, self._language)

    def _row(self, row: Row) -> dict[str, Any]:
        return {
            **self._named(row.entity),
            "status": row.status,
            "cells": [
                {"kind": cell.kind, "text": cell.text, "statements": self._keys(cell.statements)}
                for cell in row.cells
            ],
        }

    def _candidate(self, candidate: Candidate) -> dict[str, Any]:
        return {
            "id": candidate.entity.id,
            "name": candidate.name or candidate.entity.name(self._language),
            "concept": candidate.entity.concept,
            "score": round(candidate.score, 6),
            "status": candidate.status,
            "why": self._keys(candidate.why),
            "words": [
                {"text": text, "statement": self._support.key(statement)}
                for text, statement in candidate.words
            ],
            **({"how_common": self._keys(candidate.how_common)} if candidate.how_common else {}),
        }

    def _stop(self, stop: Stop) -> dict[str, Any]:
        return {**stop.to_json(self._language), "statements": self._keys(stop.statements)}


def terms_of(
    sentence: Sentence, things: Mapping[str, Entity], language: str
) -> list[dict[str, Any]]:
    """The terms of a sentence by place; where names overlap, the longest. The form of `terms`.

    What a model added is marked as its own; of what the base has nothing of, the `id` is null.
    """
    text = sentence.text
    lowered = text.lower()
    added = {term.thing: term.name for term in sentence.added}
    names: list[tuple[str, str | None, str]] = [
        (name, each, "model" if each in added else "graph")
        for each in things
        for name in _names(things[each], language)
    ]
    names += [(name, None, "model") for each, name in added.items() if each == name]
    if len(lowered) != len(text):
        lowered = text
    taken = bytearray(len(text))
    found = []
    for name, each, origin in sorted(names, key=lambda one: (-len(one[0]), one[0])):
        for start, end in _places(name.lower(), lowered):
            if not any(taken[start:end]):
                taken[start:end] = b"\1" * (end - start)
                found.append({"start": start, "end": end, "id": each, "origin": origin})
    return sorted(found, key=lambda one: one["start"])


def _names(entity: Entity, language: str) -> Iterator[str]:
    yield entity.name(language)
    yield from entity.all_names()


def _places(name: str, text: str) -> Iterator[tuple[int, int]]:
    """Where a name stands as a word of its own; in Chinese, words have no ends."""
    start = text.find(name) if name else -1
    while start >= 0:
        end = start + len(name)
        before, behind = text[start - 1 : start], text[end : end + 1]
        joined = _is_letter(before) and _is_letter(name[0])
        if not (joined or (_is_letter(behind) and _is_letter(name[-1]))):
            yield start, end
        start = text.find(name, end)


def _is_letter(sign: str) -> bool:
    return sign.isascii() and sign.isalnum()
