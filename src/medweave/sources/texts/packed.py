"""Files of several parts in one, as DOCX and EPUB are: opened within bounds, nothing unpacked."""

from __future__ import annotations

import posixpath
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree.ElementTree import ParseError

import defusedxml.ElementTree
from defusedxml.common import DefusedXmlException

from medweave.errors import SourceError
from medweave.sources.files.unpacked import readable

MOST_PARTS = 20_000
MOST_BYTES = 400_000_000
"""All parts together, unpacked; pictures and sounds are never read, and do not count."""
LARGEST_PART = 100_000_000
_MEDIA = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".mp3", ".mp4", ".ttf", ".otf", ".woff",
          ".woff2", ".emf", ".wmf", ".tif", ".tiff", ".bmp", ".wav", ".bin")  # fmt: skip
_RATIO = 300
"""Text packs to a tenth; what packs so well is no text."""
_RATIO_FROM = 5_000_000


class Parts:
    """The parts of a file by their names, which mean nothing outside of it."""

    def __init__(self, archive: zipfile.ZipFile, where: str) -> None:
        self._archive = archive
        self._where = where
        self._infos = {info.filename: info for info in archive.infolist()}

    def __contains__(self, name: str) -> bool:
        return name in self._infos

    def read(self, name: str) -> bytes:
        """A part. Raises `SourceError` where it is not there, damaged, or far too large."""
        info = self._infos.get(name)
        if info is None:
            raise self._broken(f"its part {name[:100]} is missing")
        if info.flag_bits & 1:
            raise SourceError(
                "this file is encrypted",
                where=self._where,
                remedy="save it without a password, and build that",
            )
        large = info.file_size > LARGEST_PART
        if large or (info.file_size > _RATIO_FROM and info.file_size > _RATIO * info.compress_size):
            raise self._broken(f"its part {name[:100]} unpacks to far more than a text would")
        try:
            return self._archive.read(info)
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError) as error:
            raise self._broken(f"its part {name[:100]} cannot be unpacked") from error

    def xml(self, name: str) -> Any:
        """The tree of a part in XML, in which nothing refers to anything outside of it."""
        try:
            return defusedxml.ElementTree.fromstring(self.read(name), forbid_dtd=False)
        except (ParseError, DefusedXmlException, ValueError, LookupError) as error:
            raise self._broken(f"its part {name[:100]} is not the XML it should be") from error

    def _broken(self, why: str) -> SourceError:
        return SourceError(
            f"this file is damaged: {why}", where=self._where, remedy="save or fetch it again"
        )


@contextmanager
def parts_of(path: Path) -> Iterator[Parts]:
    """A file of parts, open while it is read. Raises `SourceError` where it is none."""
    with readable(path), path.open("rb") as stream:
        beginning = stream.read(8)
    if beginning.startswith(b"\xd0\xcf\x11\xe0"):
        raise SourceError(
            "this file is encrypted, or of Word before 2007",
            where=str(path),
            remedy="save it as .docx without a password, and build that",
        )
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise SourceError(
            "this file is damaged: its parts cannot be found",
            where=str(path),
            remedy="save or fetch it again",
        ) from error
    with archive:
        infos = archive.infolist()
        size = sum(i.file_size for i in infos if not i.filename.lower().endswith(_MEDIA))
        if len(infos) > MOST_PARTS or size > MOST_BYTES:
            raise SourceError(
                "this file unpacks to far more than a text would",
                where=str(path),
                remedy="leave it out, or split it",
            )
        yield Parts(archive, str(path))


def part_beside(name: str, link: str) -> str:
    """The name of a part that another one links to; where it leads out, it names no part.

    >>> part_beside("OEBPS/content.opf", "text/a%20b.xhtml#c"), part_beside("a.opf", "../../etc/x")
    ('OEBPS/text/a b.xhtml', '../../etc/x')
    """
    return posixpath.normpath(
        posixpath.join(posixpath.dirname(name), unquote(link.partition("#")[0]))
    )
