"""The tasks of `medweave evaluate`, one file each, which ends in its registration."""

from __future__ import annotations

from pkgutil import iter_modules


def task_names() -> list[str]:
    """The names of all tasks; none of them is loaded for that."""
    return [module.name for module in iter_modules(__path__)]
