"""All names of a base on a server, kept in a file on this machine for as long as they are right.

Words, beginnings and misspellings of names are looked for in an index of all of them, and a server
would have to send them whole to everyone who asks one question.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from medweave.model.answer import BaseVersion
from medweave.model.entity import NameMention
from medweave.model.identifiers import digest
from medweave.private_files import replaced

Named = tuple[NameMention, str]
"""How a document names something, and the document."""


class NameCache:
    """A file for each base, of one revision of it: that of another is never given."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def of(self, version: BaseVersion, read: Callable[[], Iterable[Named]]) -> list[Named]:
        """The names of a base at a version; they are read where they are not kept.

        >>> from tempfile import mkdtemp
        >>> kept = NameCache(Path(mkdtemp()))
        >>> cold = [(NameMention("mw:cold", "cold", "en", "disease"), "do:1")]
        >>> kept.of(BaseVersion("b", 1, "h"), lambda: cold) == cold
        True
        >>> kept.of(BaseVersion("b", 1, "h"), list) == cold
        True
        >>> kept.of(BaseVersion("b", 2, "h"), list)
        []
        """
        path = self._folder / f"{digest(version.id, 8)}.names"
        told = [version.id, version.revision, version.hash]
        with suppress(OSError, ValueError, TypeError, zlib.error):
            held, rows = json.loads(zlib.decompress(path.read_bytes()))
            if held == told:
                return [(NameMention(*parts), document) for *parts, document in rows]
        found = list(read())
        rows = [
            (m.entity, m.name, m.language, m.concept, m.preferred, m.xref, document)
            for m, document in found
        ]
        with suppress(OSError):  # a cache that cannot be written is none
            self._folder.mkdir(parents=True, exist_ok=True)
            with replaced(path) as stream:
                stream.write(zlib.compress(json.dumps([told, rows]).encode(), 1))
        return found
