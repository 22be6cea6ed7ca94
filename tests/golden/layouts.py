"""Small sources in the layouts that mappings ship for, and what is built from them as text."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from medweave import KnowledgeBase
from medweave.graph.builder import BuildReport
from medweave.model.entity import Entity
from medweave.model.statement import Evidence, Literal, SupportedStatement


def write(path: Path, text: str, encoding: str = "utf-8") -> Path:
    """A file in a folder that is made for it; a name in `.gz` is packed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = text.encode(encoding)
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def tabs(table: str) -> str:
    """A table whose cells are parted by `|` here, and by tabs in the file."""
    lines = [line.strip() for line in table.strip().splitlines()]
    return "".join("\t".join(cell.strip() for cell in line.split("|")) + "\n" for line in lines)


def jsonl(records: Iterable[dict[str, Any]]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def outcome(*sources: Path) -> str:
    """Everything a base holds of these sources, and what was skipped, as lines."""
    with KnowledgeBase.open("memory:") as base:
        return told(base, base.build(sources))


def told(base: KnowledgeBase, report: BuildReport) -> str:
    found = base.knowledge.store.match()
    things = sorted({end for each in found for end in each.statement.entities})
    entities = base.knowledge.entities.all(things)
    lines = sorted(line for each in found for line in _lines(each, entities))
    lines += [_also(entity) for entity in entities.values() if _also(entity)]
    lines += [f"skipped {Path(s.file).name} {s.line}: {_plain(s.reason)}" for s in report.skipped]
    lines += [f"failed {Path(source).name}" for source in report.failed]
    return "\n".join([f"{report.documents} documents", *lines])


def _lines(each: SupportedStatement, entities: dict[str, Entity]) -> Iterable[str]:
    said = each.statement
    thing = "" if isinstance(said.object, Literal) else _called(said.object, entities)
    object_ = f"“{said.object.value}”" if isinstance(said.object, Literal) else thing
    whole = f"{_called(said.subject, entities)} –{said.predicate}→ {object_}"
    for how in dict.fromkeys(map(_how, each.evidence)):
        times = sum(_how(item) == how for item in each.evidence)
        yield whole + how + (f" ×{times}" if times > 1 else "")


def _how(item: Evidence) -> str:
    denied = " denied" if item.polarity < 0 else ""
    by_template = " by a template" if item.method.startswith("template") else ""
    return f"{denied} {item.strength:g}{by_template}"


def _called(identifier: str, entities: dict[str, Entity]) -> str:
    return f"{entities[identifier].name()} [{identifier}]"


def _also(entity: Entity) -> str:
    others = [*(n for n in entity.all_names() if n != entity.name()), *entity.xrefs]
    return f"{entity.id} is also {', '.join(others)}" if others else ""


def _plain(reason: str) -> str:
    """A reason without the folder it was found in."""
    return " ".join(
        Path(word.rstrip(":)")).name if word.startswith(("/", "(/")) else word
        for word in reason.split()
    )
