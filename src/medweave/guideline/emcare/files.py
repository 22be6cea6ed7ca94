"""The files of an EmCare guideline: a folder, or an archive of one, without unpacking it."""

from __future__ import annotations

import tarfile
import zipfile
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from medweave.errors import SourceError
from medweave.guideline.emcare.cql import Library, read_library
from medweave.guideline.emcare.workbook import Workbook, read_workbook

_LARGEST = 64 * 1024 * 1024
"""Bytes of one file; what is larger is no file of rules."""


@dataclass
class EmCareFiles:
    """The libraries by name, the workbook if there is one, and what could not be read."""

    name: str
    libraries: dict[str, Library] = field(default_factory=dict)
    workbook: Workbook | None = None
    unreadable: list[tuple[str, str]] = field(default_factory=list)
    """(file, why)."""


def read_files(path: Path) -> EmCareFiles:
    """All libraries and the workbook below `path`.

    Raises `SourceError` where there is neither, or where the archive is broken.
    """
    found = EmCareFiles(_name_of(path))
    for name, content in _contents(path):
        kind = PurePosixPath(name).suffix.lower()
        try:
            if kind == ".cql":
                library = read_library(content.decode("utf-8-sig", "replace"), where=name)
                found.libraries.setdefault(library.name, library)
            elif kind == ".xlsx" and found.workbook is None:
                found.workbook = read_workbook(content, where=name)
        except SourceError as error:
            found.unreadable.append((name, error.what))
    if not found.libraries and found.workbook is None:
        raise SourceError(
            "no CQL library and no workbook of an EmCare guideline is in it",
            where=str(path),
            remedy="give the folder or archive that holds 'input/cql' or 'input/l2'",
        )
    return found


def is_emcare(path: Path, endings: tuple[str, ...] = (".cql", ".xlsx")) -> bool:
    """Whether a folder or archive holds libraries or a workbook (`endings`: which of them)."""
    try:
        return any(name.endswith(endings) for name in _names(path))
    except (OSError, tarfile.TarError, zipfile.BadZipFile):
        return False


def _name_of(path: Path) -> str:
    name = path.name
    for ending in (".tar.gz", ".tgz", ".tar", ".zip"):
        name = name.removesuffix(ending)
    return name


def _names(path: Path) -> list[str]:
    if path.is_dir():
        return sorted(p.relative_to(path).as_posix() for p in path.rglob("*") if p.is_file())
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            return sorted(archive.namelist())
    with tarfile.open(path) as archive:
        return sorted(member.name for member in archive.getmembers() if member.isfile())


def _contents(path: Path) -> list[tuple[str, bytes]]:
    """(name, content) of the files that matter, in order of their names."""
    if not path.exists():
        raise SourceError("there is no such file or folder", where=str(path))
    try:
        if path.is_dir():
            return [(name, (path / name).read_bytes()) for name in _wanted(_names(path))]
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                return [
                    (name, archive.read(name))
                    for name in _wanted(sorted(archive.namelist()))
                    if archive.getinfo(name).file_size <= _LARGEST
                ]
        with tarfile.open(path) as tar:
            members = {m.name: m for m in tar.getmembers() if m.isfile() and m.size <= _LARGEST}
            opened = [(name, tar.extractfile(members[name])) for name in _wanted(sorted(members))]
            return [(name, file.read()) for name, file in opened if file is not None]
    except (OSError, tarfile.TarError, zipfile.BadZipFile, EOFError) as error:
        raise SourceError(
            f"it cannot be read ({error})",
            where=str(path),
            remedy="give a folder, or a .tar.gz or .zip archive of one",
        ) from error


def _wanted(names: list[str]) -> list[str]:
    return [name for name in names if name.lower().endswith((".cql", ".xlsx"))]
