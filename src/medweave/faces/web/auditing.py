"""Each answer, assessment and decision, written down in an audit file."""

from __future__ import annotations

from pathlib import Path

from medweave.audit.file import AuditFile
from medweave.faces.web.house import Given, House


def audited(house: House, path: Path, *, keep_text: bool) -> AuditFile:
    """Let a house write down what it gives. Raises `ConfigurationError` where it cannot."""
    audit = AuditFile(path, keep_text=keep_text)
    house.listeners.append(lambda given: _write(audit, given))
    return audit


def _write(audit: AuditFile, given: Given) -> None:
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
            version = given.served.base.version
            base = {"id": version.id, "revision": version.revision, "hash": version.hash}
            audit.assessment(given.asked, given.given, assessment_id=given.id, base=base)
        case "decision":
            audit.decision(given.id, given.asked)
