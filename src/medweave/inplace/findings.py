"""What a mapping finds in a database: all of it is read once, and counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from medweave.inplace.mapping import DatabaseMapping
from medweave.inplace.rows import Table
from medweave.inplace.store import MappedStore
from medweave.inplace.suggest import Suggested
from medweave.model.document import Skipped


@dataclass(frozen=True, slots=True)
class Findings:
    """Things and statements of a database, and what its mapping leaves out."""

    entities: int
    predicates: dict[str, int]
    """Statements by predicate."""
    not_mapped: tuple[Suggested, ...]
    skipped: tuple[tuple[str, str], ...]
    """The first row that was passed over for a reason, and the reason with how many rows it is."""

    @property
    def statements(self) -> int:
        """All statements."""
        return sum(self.predicates.values())


def findings_of(store: MappedStore) -> Findings:
    """What the mapping of a database finds. Every row is read."""
    things: set[str] = set()
    statements: dict[str, str] = {}
    reasons: Counter[str] = Counter()
    first: dict[str, str] = {}
    for number in range(len(store.mapping.parts)):
        for made in store.read_part(number):
            skipped = (made,) if isinstance(made, Skipped) else made.skipped
            for line in skipped:
                reasons[line.reason] += 1
                first.setdefault(line.reason, line.file)
            if not isinstance(made, Skipped):
                things.update(one.entity for one in made.mentions)
                statements.update((one.id, one.predicate) for one in made.statements)
    return Findings(
        len(things),
        dict(Counter(statements.values()).most_common()),
        tuple(_left_out(store.rows.tables(), store.mapping)),
        tuple(
            (first[reason], f"{reason} ({count} rows)" if count > 1 else reason)
            for reason, count in reasons.most_common()
        ),
    )


def _left_out(tables: list[Table], mapping: DatabaseMapping) -> list[Suggested]:
    read = {(part.place_kind, part.place) for part in mapping.parts}
    return [
        Suggested(table.name, table.rows, table.foreign or "no part of the mapping reads it")
        for table in tables
        if (table.place_kind, table.name) not in read
    ]
