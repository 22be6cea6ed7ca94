"""Reading by a number does not look at all rows: see `service_stores`.

For servers that explain no plan. A lookup is held against reading everything, in the same moment: a
plan that looks at all rows takes a good part of that, one by an index next to nothing.
"""

import time
from collections.abc import Callable, Iterable
from functools import partial

import pytest

from medweave.stores.address import StoreAddress
from medweave.stores.versioned.rows import NUMBERED, Rows, first_stamp
from tests.services.service_stores import new_base, open_at

_ROWS = 8000
_SHARE = 0.1
_KINDS = ("statement", "evidence", "name")


class Growth:
    address: StoreAddress

    @pytest.mark.parametrize("kind", _KINDS)
    def test_what_is_found_by_a_number_is_not_looked_for_among_all(self, kind: str) -> None:
        store = open_at(new_base(self.address), create=True)
        store.put([])
        rows: Rows = store._rows  # type: ignore[attr-defined]
        fields, since = NUMBERED[kind], first_stamp(1) + 1
        made = [
            {"n": n, "since": since, **dict.fromkeys(fields[1:], n // 2)}
            for n in range(1, _ROWS + 1)
        ]
        rows.insert({kind: made})
        at = first_stamp(2)
        whole = _seconds(partial(rows.find, kind, {}, at, ("n",)), _ROWS, tries=2)
        for field in fields:
            found = 2 if field == "n" else 4
            took = _seconds(partial(rows.find, kind, {field: [7, 8]}, at, ("n",)), found)
            assert took < _SHARE * whole, (field, took, whole)
        store.close()


def _seconds(find: Callable[[], Iterable[object]], expected: int, tries: int = 7) -> float:
    """The shortest that it took to find so many rows."""
    took = []
    for _ in range(tries):
        started = time.perf_counter()
        assert len(list(find())) == expected
        took.append(time.perf_counter() - started)
    return min(took)
