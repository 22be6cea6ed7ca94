"""What an audit record keeps of a question or a child: facts by identifier, and no free text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_WITHOUT_WORDS = ("age_days", "age_months", "weight_kg", "sex", "refused", "agreed", "given",
    "allergies", "resources", "expected")  # fmt: skip
_OF_A_MENTION = ("id", "concept", "status", "experiencer", "temporality")


def facts_of_answer(form: Mapping[str, Any]) -> dict[str, Any]:
    """The normalised facts of an Answer's JSON form: intents, things by id, the person."""
    understood = form["interpretation"]
    return {
        "language": form["language"],
        "intents": [each["label"] for each in understood["intents"]],
        "mentions": [
            {name: each[name] for name in _OF_A_MENTION} for each in understood["mentions"]
        ],
        "patient": understood["patient"],
    }


def facts_of_assessment(
    record: Mapping[str, Any], form: Mapping[str, Any], texts: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """The findings of a child as they were given and understood, without what was typed freely.

    `texts` are the observations of the guideline whose value is free text.
    """
    given = {name: record[name] for name in _WITHOUT_WORDS if record.get(name) not in (None, "")}
    findings = {k: v for k, v in (record.get("findings") or {}).items() if k not in texts}
    for each in form.get("understood", ()):
        if each.get("used", True) and each["observation"] not in texts:
            findings.setdefault(each["observation"], each["value"])
    return given | {"findings": findings}


def rests_on(form: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """The ids of the statements of an answer, and of its evidence (`DOCUMENT field a-b`)."""
    statements = sorted({each["id"] for each in form.get("statements", {}).values()})
    evidence = sorted({_place(each) for each in form.get("evidence", {}).values()})
    return statements, evidence


def _place(evidence: Mapping[str, Any]) -> str:
    place = evidence.get("place") or {}
    start, end = place.get("start", ""), place.get("end", "")
    return f"{evidence['document']} {place.get('field', '')} {start}-{end}".rstrip(" -")
