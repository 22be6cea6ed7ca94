"""What moved between two answers to nearly one question, and why something is not among them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medweave.faces.texts import page_texts

if TYPE_CHECKING:
    from medweave.knowledge_base import KnowledgeBase
    from medweave.model.answer import Answer


def changes(before: Answer, after: Answer) -> list[str]:
    """What moved between two answers to nearly the same question."""
    was = {c.entity.id: rank for rank, c in enumerate(before.candidates, 1)}
    lines = []
    for rank, candidate in enumerate(after.candidates, 1):
        name = candidate.entity.name(after.question.language)
        old = was.get(candidate.entity.id)
        if old is None:
            lines.append(f"↑ {name} is new at {rank}")
        elif old != rank:
            lines.append(f"{'↑' if rank < old else '↓'} {name} moves from {old} to {rank}")
    now = {c.entity.id for c in after.candidates}
    lines += [
        f"↓ {c.entity.name(after.question.language)} drops out"
        for c in before.candidates
        if c.entity.id not in now
    ]
    stops = {(s.entity.id, s.reason) for s in before.stops if s.status == "applies"}
    labels = page_texts(after.question.language)["layout"]
    lines += [
        f"■ {labels['ask_first' if s.taken and s.hard else s.level]}: "
        f"{s.name or s.entity.name(after.question.language)}, {s.reason}"
        for s in after.stops
        if s.status == "applies" and (s.entity.id, s.reason) not in stops
    ]
    return lines or ["Nothing moves."]


def why_not(base: KnowledgeBase, answer: Answer | None, name: str) -> list[str]:
    """Where a named thing stands in an answer, and which present findings the base lacks for it."""
    if answer is None:
        return ["Ask something first."]
    language = answer.question.language
    card = base.show(name)
    shown = {f.statement.object for f in card.statements if f.affirmed}
    findings = answer.question.of_concept("symptom", "disease")
    present = {m.entity: m.name for m in findings if m.status == "present"}
    absent = {m.entity: m.name for m in findings if m.status == "absent"}
    lines = []
    for rank, candidate in enumerate(answer.candidates, 1):
        if candidate.entity.id == card.entity.id:
            lines.append(
                f"{card.entity.name(language)} stands at {rank}, score {candidate.score:.3f}."
            )
    if not lines:
        lines.append(
            f"{card.entity.name(language)} is not among the first {len(answer.candidates)}."
        )
    lacking = [called for entity, called in present.items() if entity not in shown]
    against = [called for entity, called in absent.items() if entity in shown]
    if lacking:
        lines.append(f"The base does not record for it: {', '.join(lacking)}.")
    if against:
        lines.append(f"It is recorded with what is said to be absent: {', '.join(against)}.")
    stops = [
        s.reason for s in answer.stops if s.entity.id == card.entity.id and s.status == "applies"
    ]
    lines += [f"It is stopped: {reason}." for reason in stops]
    return lines
