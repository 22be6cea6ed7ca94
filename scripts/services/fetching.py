"""Jars from Maven Central, by a file of ours with pinned versions, checked by a digest of ours; and
programs in Go, of a pinned version, which Go itself checks by its database of checksums."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tomllib
from pathlib import Path

from platformdirs import user_cache_path

HERE = Path(__file__).parent
LOCK = HERE / "lock.toml"
"""For each server, the digest of all that is fetched for it."""
BUILD_SECONDS = 300
"""So long a program may take to be built. What Go has compiled by then it keeps, so that the next
run goes on from there."""
_NO_CHECKSUM = "no checksums available"
_OF_OURS = "Could not resolve dependencies for project"
"""How Maven tells that something comes without a checksum, and that it is a jar of a server, which
is not run before it is held against our digest, and not a part of Maven, which is run at once."""


class UnavailableError(Exception):
    """A server that cannot be had on this machine, and why: its tests are skipped."""


def cache_folder(name: str) -> Path:
    """Where what is fetched for a server, and its data, lie: outside the checkout."""
    return user_cache_path("medweave") / "services" / name


def fetched(name: str) -> Path:
    """The folder with the jars of a server; they are fetched where they are not there."""
    folder = cache_folder(name) / "jars"
    if not _is_right(name, folder):
        _fetch(name, folder)
    if not _is_right(name, folder):
        raise UnavailableError(f"what was fetched is not what {LOCK.name} says: {digest(folder)}")
    return folder


def program(name: str) -> str:
    """The path of a program that this machine has to have."""
    found = shutil.which(name)
    if not found:
        raise UnavailableError(f"there is no {name} on this machine")
    return found


def built(name: str, package: str, version: str) -> Path:
    """A program in Go of this version; it is built where it is not there, within a bound."""
    folder = cache_folder(name) / f"go-{version}"
    made = folder / package.rpartition("/")[2]
    if not made.exists():
        command = [program("go"), "install", f"{package}@{version}"]
        environment = {**os.environ, "GOBIN": str(folder), "GOFLAGS": "-buildvcs=false"}
        try:
            done = subprocess.run(
                command,
                env=environment,
                cwd=HERE,
                capture_output=True,
                text=True,
                check=False,
                timeout=BUILD_SECONDS,
            )
        except subprocess.TimeoutExpired:
            raise UnavailableError(
                f"it was not built within {BUILD_SECONDS} s; the next run goes on with it"
            ) from None
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["no message"])[-1]
            raise UnavailableError(f"Go could not build it: {last[:200]}")
    return made


def digest(folder: Path) -> str:
    """One digest of all files of a folder."""
    whole = hashlib.sha256()
    for file in sorted(folder.glob("*")):
        part = hashlib.sha256(file.read_bytes()).hexdigest()
        whole.update(f"{part}  {file.name}\n".encode())
    return whole.hexdigest()


def _is_right(name: str, folder: Path) -> bool:
    return folder.is_dir() and digest(folder) == tomllib.loads(LOCK.read_text())[name]


def _fetch(name: str, folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    said = _copied(name, folder, "--strict-checksums")
    if _NO_CHECKSUM in said and _OF_OURS in said:  # what comes is held against our own digest
        said = _copied(name, folder, "--lax-checksums")
    if said:
        raise UnavailableError(f"Maven could not fetch it: {said.splitlines()[0][:200]}")


def _copied(name: str, folder: Path, checksums: str) -> str:
    """Fetch the jars of a server; what Maven said where it failed."""
    shutil.rmtree(folder, ignore_errors=True)
    command = [
        *(program("mvn"), "--quiet", "--batch-mode", checksums),
        *("-f", str(HERE / "poms" / f"{name}.xml"), "dependency:copy-dependencies"),
        *("-DincludeScope=runtime", f"-DoutputDirectory={folder}"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    return (done.stdout.strip() or "no message") if done.returncode else ""
