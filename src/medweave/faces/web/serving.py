"""What is served, as whoever starts the server says it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from medweave.app import base_name
from medweave.errors import ConfigurationError
from medweave.model.configuration import CONFIGURATION, Configuration
from medweave.model.vectors import EXACT, VectorSearch

SAMPLE = "sample"
"""What the sample base is called where no base is named."""
MAX_UPLOAD = 200_000_000
MAX_BODY = 2_000_000
"""Bytes of anything but an upload: a question or a child's findings are shorter."""
_UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9}


@dataclass(frozen=True, slots=True)
class Serving:
    """Which bases and guidelines, and within which limits.

    `bases` are (name, file), the first one the default; without any, the sample base is served.
    `folder` is where new bases are made, `evaluations` where reports of evaluations lie. `origins`
    are further web addresses whose pages may call. `local`: only this machine may ask.
    """

    bases: tuple[tuple[str, str], ...] = ()
    guidelines: tuple[str, ...] = ()
    folder: Path | None = None
    evaluations: Path | None = None
    origins: tuple[str, ...] = ()
    max_upload: int = MAX_UPLOAD
    read_only: bool = False
    local: bool = True
    keys: Path | None = None
    """The file of keys; without one, whoever reaches the port may ask."""
    audit: Path | None = None
    keep_text: bool = False
    """Whether the audit file has questions as they were typed."""
    configuration: Configuration = CONFIGURATION
    search: VectorSearch = EXACT
    vectors: str = ""
    """Where the vectors of the first base are kept, if not in it."""
    timeout: float | None = None
    """Seconds that the server of a base has to answer in."""
    vocabulary: Path | None = None


def named_bases(given: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Bases by their names: what stands before `=`, else the file's stem.

    Raises `ConfigurationError` where two are called alike.

    >>> named_bases(["ward=/data/a.db", "b.db"])
    (('ward', '/data/a.db'), ('b', 'b.db'))
    >>> named_bases(["neo4j://localhost:7687/ward?base=b"])[0][0]
    'ward'
    """
    found: dict[str, str] = {}
    for each in given:
        name, equals, place = each.partition("=")
        if not equals or ":" in name:  # what stands behind a URL's own `=` is a part of it
            name, place = Path(base_name(each)).stem, each
        if name in found or not name:
            raise ConfigurationError(
                "two bases have the same name" if name else "a base has no name",
                where=f"--kb {each}",
                remedy="give them names: --kb NAME=FILE",
            )
        found[name] = place
    return tuple(found.items())


def bytes_of(text: str) -> int:
    """A number of bytes as people write it. Raises `ConfigurationError`.

    >>> bytes_of("200MB"), bytes_of("1.5 kb")
    (200000000, 1500)
    """
    plain = text.strip().upper()
    digits = plain.rstrip("BKMG ")
    try:
        return int(float(digits) * _UNITS[plain[len(digits) :].strip()])
    except (ValueError, KeyError, OverflowError) as error:
        raise ConfigurationError(
            f"'{text}' is no size", where="--max-upload", remedy="write 200MB"
        ) from error
