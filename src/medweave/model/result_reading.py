"""An `Assessment`, a `Similar` or a `Question` out of its JSON form, as a client has it.

Each is the library's own with the form beside it: `to_json` gives the very form that was read. What
the form has of stops is in the form alone, as it has no statements to rest them on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

from medweave.model.answer_reading import dangers_of, understood_of
from medweave.model.assessment import (
    Assessment,
    ClassificationResult,
    FollowUpRow,
    NextQuestion,
    Quantity,
    TreatmentRow,
    UnderstoodFinding,
)
from medweave.model.question import Question, Unread
from medweave.model.similar import (
    MatchedSection,
    MatchedWhole,
    MatchedWords,
    Similar,
    SimilarDialogue,
    Why,
)

Json = Mapping[str, Any]
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class ReadAssessment(Assessment):
    """An assessment that was made elsewhere."""

    form: Json = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The form as it was read."""
        return dict(self.form)


@dataclass(frozen=True, slots=True)
class ReadSimilar(Similar):
    """Dialogues that were found elsewhere; the document of each is not told."""

    form: Json = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The form as it was read."""
        return dict(self.form)


@dataclass(frozen=True, slots=True)
class ReadQuestion(Question):
    """A question that was understood elsewhere; values and signs of danger are in the form."""

    given: Json = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The form as it was read."""
        return dict(self.given)


def assessment_from_json(form: Json) -> ReadAssessment:
    """The assessment that a form is of. Raises `KeyError` or `TypeError` where it is none."""
    asked, understood = form["next_question"], form.get("understood")
    return ReadAssessment(
        guideline=form["guideline"]["id"],
        version=form["guideline"]["version"],
        classifications=_all(ClassificationResult, form["classifications"]),
        treatments=tuple(map(_treatment, form["treatments"])),
        next_question=_made(NextQuestion, asked) if asked else None,
        follow_up_days=form["follow_up_days"],
        refer=form["refer"],
        warnings=tuple(form["warnings"]),
        contradictions=tuple(form["contradictions"]),
        follow_ups=tuple(
            _made(FollowUpRow, {**each, "when": each["if"] or "", "step": each["id"] or ""})
            for each in form["follow_ups"]
        ),
        understood=None if understood is None else _all(UnderstoodFinding, understood),
        danger=dangers_of(form.get("danger")),
        not_understood=_all(Unread, form.get("not_understood", ())),
        form=form,
    )


def _treatment(form: Json) -> TreatmentRow:
    named = form["formulation"] or {"id": "", "label": ""}
    dose, amount = (_made(Quantity, form[n]) if form[n] else None for n in ("dose", "amount"))
    words = {name: form[name] or "" for name in ("route", "duration", "note")}
    same = {"also_for": form["classifications"][1:], "step": form["id"], **words}
    told = {"formulation_id": named["id"], "formulation": named["label"], **same}
    other = {"dose": dose, "amount": amount, "alternative": form["or"] or ""}
    return _made(TreatmentRow, {**form, **told, **other})


def similar_from_json(form: Json) -> ReadSimilar:
    """The dialogues that a form is of. Raises `KeyError` or `TypeError` where it is none."""
    return ReadSimilar(
        dialogues=tuple(
            SimilarDialogue(each["id"], "", each["score"], tuple(map(_why, each["why"])))
            for each in form["dialogues"]
        ),
        ranking=form["ranking"],
        sections=dict(form["sections"]),
        intents=tuple(form["intents"]),
        missing=tuple(form["missing"]),
        danger=dangers_of(form.get("danger")) or (),
        emergency=form.get("emergency", ""),
        form=form,
    )


def _why(form: Json) -> Why:
    if "words" in form:
        sections = tuple((name, tuple(words)) for name, words in form["sections"].items())
        return MatchedWords(tuple(form["words"]), form["place"], sections)
    return _made(MatchedWhole, form) if "whole" in form else _made(MatchedSection, form)


def question_from_json(form: Json) -> ReadQuestion:
    """The question that a form is of. Raises `KeyError` or `TypeError` where it is none."""
    return ReadQuestion(
        form["text"],
        form["language"],
        **understood_of(form),
        contradictions=tuple(form["contradictions"]),
        as_written=form.get("as_written", ""),
        given=form,
    )


def _all(kind: type[_T], forms: Iterable[Json]) -> tuple[_T, ...]:
    return tuple(_made(kind, form) for form in forms)


def _made(kind: type[_T], form: Json) -> _T:
    """A value of the attributes that a form has by their own names; lists become tuples."""
    known = {each.name for each in fields(kind)}  # type: ignore[arg-type]
    return kind(
        **{
            name: tuple(value) if isinstance(value, list) else value
            for name, value in form.items()
            if name in known
        }
    )
