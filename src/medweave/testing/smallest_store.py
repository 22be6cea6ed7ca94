"""The smallest store there can be: the eight methods of `GraphStore`, and nothing else."""

from __future__ import annotations

from medweave.stores.forwarding import ForwardingStore
from medweave.stores.memory import MemoryStore


class SmallestStore(ForwardingStore):
    """The store in memory without what it does besides.

    >>> sorted(name for name in dir(SmallestStore) if not name.startswith("_"))
    ['close', 'documents', 'match', 'names', 'neighbours', 'put', 'remove', 'version']
    """

    def __init__(self) -> None:
        super().__init__(MemoryStore())
