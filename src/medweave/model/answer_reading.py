"""An `Answer` out of its JSON form, as a client of a server has it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from medweave.model.answer import (
    Answer,
    BaseVersion,
    Candidate,
    Conflict,
    Danger,
    Path,
    Sentence,
    Stop,
    StoreAnswer,
    Taken,
    ToFindOut,
)
from medweave.model.document import Document
from medweave.model.entity import Entity
from medweave.model.question import Intent, Link, Mention, Patient, Question, Unread
from medweave.model.statement import (
    Evidence,
    Literal,
    Place,
    Statement,
    SupportedStatement,
    qualifiers_of,
)

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ReadAnswer(Answer):
    """An answer that was given elsewhere: `to_json` is the very form that was read.

    Things have the one name that the form has, documents the quotes without what stands around
    them. What a form has of lists of drugs, comparisons, cases and guidelines is in the form alone.
    """

    form: Json = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The form as it was read."""
        return dict(self.form)


def answer_from_json(form: Json) -> ReadAnswer:
    """The answer that a form is of. Raises `KeyError`, `TypeError` or `ValueError` where it is
    none."""
    reading = _Reading(form)
    return ReadAnswer(
        question=_question(form),
        status=form["status"],
        base=_version(form["base"]),
        danger=dangers_of(form.get("danger")),
        emergency=form.get("emergency") or "",
        taken=tuple(Taken(t["text"], t.get("id") or "", t["how"]) for t in form["taken"]),
        not_understood=tuple(Unread(**each) for each in form["not_understood"]),
        sentences=tuple(map(reading.sentence, form["sentences"])),
        candidates=tuple(map(reading.candidate, form["candidates"])),
        stops=tuple(map(reading.stop, form["stops"])),
        find_out=tuple(map(reading.to_find_out, form["find_out"])),
        conflicts=tuple(
            Conflict(each["about"], (reading.ids(each["sides"][0]), reading.ids(each["sides"][1])))
            for each in form["conflicts"]
        ),
        missing=tuple(form["missing"]),
        limits=tuple(form["limits"]),
        paths=tuple(
            Path(each["from"], each["to"], reading.ids(each["statements"]))
            for each in form["paths"]
        ),
        statements=reading.statements,
        beliefs={each["id"]: each["belief"] for each in form["statements"].values()},
        entities=reading.entities,
        documents=reading.documents,
        timing=dict(form.get("timing") or {}),
        who=form.get("for") or "",
        stores=tuple(map(_store, form.get("stores", ()))),
        strategy=form.get("strategy", "ours"),
        form=form,
    )


def _version(form: Json) -> BaseVersion:
    """A database that is asked in place has neither revision nor hash."""
    in_place = form["revision"] is None
    return BaseVersion(form["id"], form["revision"] or 0, form["hash"] or "", in_place)


def _store(form: Json) -> StoreAnswer:
    base = _version(form["base"]) if form["base"] else None
    return StoreAnswer(**{**form, "base": base})


def _question(form: Json) -> Question:
    return Question(form["question"], form["language"], **understood_of(form["interpretation"]))


def understood_of(form: Json) -> dict[str, Any]:
    """What a form says that a question was understood to say, as the attributes of a `Question`."""
    return {
        "mentions": tuple(map(_mention, form["mentions"])),
        "patient": _patient(form["patient"]),
        "intents": tuple(Intent(each["label"], each["score"]) for each in form["intents"]),
    }


def _patient(form: Json) -> Patient:
    lists = {name: tuple(form[name]) for name in ("allergies", "drugs")}
    return Patient(**{**form, **lists, "age_max_days": form.get("age_days")})


def _mention(form: Json) -> Mention:
    link = form["link"]
    named = {name: form[name] for name in ("start", "end", "text", "name", "concept")}
    return Mention(
        **named,
        entity=form["id"],
        link=Link(link["how"], link["score"], link.get("read_as", ""), link.get("slips", 0)),
        status=form["status"],
        experiencer=form["experiencer"],
        temporality=form["temporality"],
    )


def dangers_of(forms: Iterable[Json] | None) -> tuple[Danger, ...] | None:
    """The signs of danger of a form; None where it has none."""
    if forms is None:
        return None
    return tuple(
        Danger(
            each["sign"], each["status"], each["text"], tuple(filter(None, [each["source"]])),
            each["how"], each["confidence"], each["kind"], each["advice"] or "",
            each.get("grade", "now"),
        )
        for each in forms
    )  # fmt: skip


class _Reading:
    """The statements of a form by their numbers, and what they name."""

    def __init__(self, form: Json) -> None:
        self._language = form["language"]
        self._ids = {key: each["id"] for key, each in form["statements"].items()}
        self.entities: dict[str, Entity] = {}
        self.documents: dict[str, Document] = {}
        self.statements = {
            each["id"]: self._supported(each, form["evidence"])
            for each in form["statements"].values()
        }

    def ids(self, keys: Iterable[str]) -> tuple[str, ...]:
        """The identifiers of statements by their numbers."""
        return tuple(self._ids[key] for key in keys)

    def sentence(self, form: Json) -> Sentence:
        about, unsupported = form.get("about") or "", form.get("unsupported", False)
        statements = self.ids(form["statements"])
        return Sentence(form["text"], statements, form["intent"], about, unsupported)

    def candidate(self, form: Json) -> Candidate:
        words = tuple((each["text"], self._ids[each["statement"]]) for each in form["words"])
        return Candidate(
            self._entity(form), form["score"], form["status"], self.ids(form["why"]),
            form["name"], words, self.ids(form.get("how_common", ())),
        )  # fmt: skip

    def stop(self, form: Json) -> Stop:
        entity = self._entity({"concept": "drug", **form})
        return Stop(
            entity, form["status"], form["reason"], self.ids(form["statements"]), form["name"],
            form["level"], form["action"], taken=form["taken"],
        )  # fmt: skip

    def to_find_out(self, form: Json) -> ToFindOut:
        drugs, details = tuple(form["drugs"]), tuple(form["details"])
        statements = self.ids(form["statements"])
        return ToFindOut(form["about"], form["text"], drugs, details, statements)

    def _entity(self, form: Json) -> Entity:
        names: dict[str, tuple[str, ...]] = {self._language: (form["name"],)}
        return self.entities.setdefault(form["id"], Entity(form["id"], form["concept"], names))

    def _supported(self, form: Json, evidence: Json) -> SupportedStatement:
        end = form["object"]
        known = self._entity(end).id if "id" in end else _literal(end)
        subject = self._entity(form["subject"]).id
        statement = Statement(subject, form["predicate"], known, qualifiers_of(form["qualifiers"]))
        found = tuple(self._evidence(form["id"], evidence[key]) for key in form["evidence"])
        return SupportedStatement(statement, found)

    def _evidence(self, statement: str, form: Json) -> Evidence:
        document = Document(
            form["source"], form["document"], form["title"], (), self._language,
            form["url"] or "", form["class"], form["sample"],
        )  # fmt: skip
        self.documents.setdefault(document.id, document)
        place = Place(form["place"]["field"], form["place"]["start"], form["place"]["end"])
        same = ("polarity", "strength", "confidence", "knowledge_level", "agent_type", "method")
        return Evidence(
            statement, document.id, place, form["quote"], form["class"],
            cites=tuple(form["cites"]), premises=("elsewhere",) if form["inferred"] else (),
            **{name: form[name] for name in same},
        )  # fmt: skip


def _literal(form: Json) -> Literal:
    return Literal(form["value"], form.get("language") or "", form.get("unit") or "")
