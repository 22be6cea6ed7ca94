"""Each answer, assessment, decision and change, written down in an audit file."""

from __future__ import annotations

from pathlib import Path

from medweave.audit.file import AuditFile
from medweave.faces.web.house import Given, House


def audited(house: House, path: Path, *, keep_text: bool) -> AuditFile:
    """Let a house write down what it gives. Raises `ConfigurationError` where it cannot."""
    audit = AuditFile(path, keep_text=keep_text)
    house.listeners.append(lambda given: _write(audit, given, house))
    return audit


def _write(audit: AuditFile, given: Given, house: House) -> None:
    match given.kind:
        case "answer":
            audit.answer(
                given.given,
                answer_id=given.id,
                k=given.asked.get("k"),
                history=tuple(given.asked.get("history") or ()),
                guideline=str(given.asked.get("guideline") or ""),
            )
        case "assessment":
            audit.assessment(
                given.asked,
                given.given,
                assessment_id=given.id,
                base=given.served.base.version.to_json(),
                texts=_free_texts(given, house),
            )
        case "change":
            version = given.served.base.version
            audit.change(given.id, base=version.to_json(), details=given.asked)
        case "decision":
            audit.decision(given.id, given.asked)


def _free_texts(given: Given, house: House) -> frozenset[str]:
    """The observations whose value is free text, by every name that they may be given by."""
    named = house.guideline(str(given.asked.get("guideline") or "sample"), given.served)
    graph = given.served.base.assess(named).graph  # read and made ready for the assessment already
    return frozenset(
        name
        for each in graph.guideline.observations
        if each.kind == "text"
        for name in (each.id, each.label, *each.aliases)
    )
