"""Documents of a base: looked at, sent, taken out."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable
from pathlib import Path
from tempfile import mkdtemp
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException

from medweave.errors import ConfigurationError, NotFoundError, SourceError
from medweave.faces.texts.messages import with_reasons
from medweave.faces.web.house import Base, House, HouseHere, Served
from medweave.faces.web.jobs import Sent, layout_of
from medweave.faces.web.mapping_lines import at_its_line
from medweave.faces.web.problems import Spoken
from medweave.faces.web.replies import (
    Json,
    Part,
    name_of,
    page,
    told,
    without_paths,
)
from medweave.guideline.statements import extraction_of
from medweave.model.document import Document
from medweave.model.json_form import json_of
from medweave.pipeline import preview as preview_of
from medweave.sources.files.unpacked import check_bounded

router = APIRouter(prefix="/api/v1", tags=["documents"])
_PIECE = 1 << 20
_LONGEST_NAME = 200
_MOST_FILES = 1000
Dry = Annotated[bool, Query(description="Only say what would go.")]


@router.get("/documents")
def documents(
    served: Base,
    part: Part,
) -> Json:
    """All documents, by source."""
    found = page(served.base.documents(), tuple, part)
    ids = [one for _, one in found["items"]]
    read = {each.id: _form(each, n) for each, n in served.base.documents_with(ids)}
    found["items"] = [read[one] for one in ids if one in read]
    return told(found)


def _form(document: Document, statements: int) -> dict[str, Any]:
    return json_of(document, "id=name title source kind=evidence_class") | {
        "statements": statements
    }


@router.get("/documents/{id:path}")
def document(served: Base, house: HouseHere, id: str) -> Json:
    """A document with its text: `place` of evidence counts characters in it. A guideline that is
    served is one, as an answer about a child leads to it."""
    try:
        found, statements = _document(served, id)
    except NotFoundError:
        given = next((each for each in house.guidelines(served) if each.name == id), None)
        if given is None:
            raise
        made = extraction_of(given, "")
        found, statements = made.document, len(made.statements)
    fields = {"fields": dict(found.fields)}
    return Json(without_paths(_form(found, statements)) | fields)


def _document(served: Served, named: str) -> tuple[Document, int]:
    """By its id, or by what evidence calls it."""
    found = served.base.documents_with([named])
    found = found or served.base.documents_with(d.id for d in served.base.documents_called(named))
    if not found:
        raise NotFoundError(
            "the base has no such document", where=named, remedy="see the list of them"
        )
    return found[0]


@router.post(
    "/documents",
    status_code=202,
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {
                "multipart/form-data": {
                    "schema": {
                        "type": "object",
                        "required": ["files"],
                        "properties": {
                            "files": {
                                "type": "array",
                                "minItems": 1,
                                "items": {"type": "string", "format": "binary"},
                            },
                            "mapping": {"type": "string"},
                            "kind": {"type": "string"},
                        },
                    }
                }
            },
        }
    },
)
async def send(  # noqa: PLR0917 - FastAPI gives them by name
    request: Request,
    served: Base,
    house: HouseHere,
    spoken: Spoken,
    preview: Annotated[bool, Query(description="Only show how they would be read.")] = False,
    idempotency_key: Annotated[str, Header(max_length=200)] = "",
) -> Json:
    """Send files to be read into a base: a job. The same again is the same job."""
    if not preview:
        check_writable(served)
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise SourceError("files are sent as multipart/form-data", where="content-type")
    async with request.form(max_files=_MOST_FILES, max_fields=10) as form:
        found = await run_in_threadpool(_sent, form, served, house, idempotency_key, preview)
    return Json(with_reasons(found, spoken)) if isinstance(found, dict) else found


def _sent(
    form: FormData, served: Served, house: House, key: str, only_look: bool
) -> Json | dict[str, Any]:
    """The job, or how the files would be read."""
    files = [each for each in form.getlist("files") if isinstance(each, UploadFile)]
    mapping, kind = (_text(form, name) for name in ("mapping", "kind"))
    with at_its_line(mapping):
        layout_of(mapping, kind)  # before anything is kept
    names = _names(files)
    folder = Path(mkdtemp(prefix="looked-at-")) if only_look else house.jobs.coming(served)
    try:
        (folder / "files").mkdir()
        digest = _keep(files, names, folder / "files", f"{mapping}\n{kind}")
        if only_look:
            return _previews(folder / "files", names, mapping, kind)
        sent = Sent(folder, names, digest, mapping, kind, key)
        return _begun(served, house, sent)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _begun(served: Served, house: House, sent: Sent) -> Json:
    with house.jobs.lock:
        job = house.jobs.known(served, sent.key)
        if job is not None and job.digest != sent.digest:
            raise HTTPException(409, "other content was sent under this Idempotency-Key")
        job = job or house.jobs.begin(served, sent)
    return Json({"job": job.id}, 202, {"location": f"/api/v1/jobs/{job.id}"})


def _text(form: FormData, name: str) -> str:
    value = form.get(name) or ""
    if not isinstance(value, str):
        raise ConfigurationError("this is a text, not a file", where=name, remedy="send its text")
    return value


def _names(files: Iterable[UploadFile]) -> tuple[str, ...]:
    """The names of files, none of which may lead anywhere else."""
    names = tuple(each.filename or "" for each in files)
    if not names:
        raise SourceError("no file was sent", where="files", remedy="send one")
    for name in names:
        plain = name.isprintable() and not set(name) & set("/\\") and not name.startswith(".")
        if not plain or len(name.encode("utf-8", "replace")) > _LONGEST_NAME or not name.strip():
            raise SourceError("this cannot be the name of a file", where=name, remedy="rename it")
    if len(set(names)) < len(names):
        raise SourceError("two files have one name", where="files", remedy="rename one")
    return names


def _keep(files: Iterable[UploadFile], names: Iterable[str], folder: Path, beside: str) -> str:
    """Write files down; a digest of all that was sent."""
    parts = [beside]
    for file, name in zip(files, names, strict=True):
        hashed = hashlib.sha256()
        with (folder / name).open("wb") as out:
            while piece := file.file.read(_PIECE):
                hashed.update(piece)
                out.write(piece)
        check_bounded(folder / name)
        parts.append(f"{name} {hashed.hexdigest()}")
    return hashlib.sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()


def _previews(folder: Path, names: Iterable[str], mapping: str, kind: str) -> dict[str, Any]:
    layout = layout_of(mapping, kind)
    with at_its_line(mapping):
        shown = [preview_of(folder / name, mapping=layout).to_json() for name in names]
    form: dict[str, Any] = without_paths(shown[0] if len(shown) == 1 else {"items": shown})
    return form


@router.delete("/documents")
def remove_source(
    served: Base,
    house: HouseHere,
    source: Annotated[str, Query(max_length=500)],
    dry_run: Dry = False,
) -> Json:
    """Take out all that came from a file, by its name."""
    check_writable(served)
    held = served.base.documents()
    paths = sorted({path for path, _ in held if source in (path, name_of(path))})
    if len(paths) > 1:
        raise HTTPException(409, "several sources have this name: remove their documents")
    if not paths:
        raise NotFoundError(
            "the base has no such source", where=source, remedy="see the list of documents"
        )
    return _remove(
        served, house, paths[0], [one for path, one in held if path == paths[0]], dry_run
    )


@router.delete("/documents/{id:path}")
def remove_document(served: Base, house: HouseHere, id: str, dry_run: Dry = False) -> Json:
    """Take out one document."""
    check_writable(served)
    found, _ = _document(served, id)
    return _remove(served, house, found.id, [found.id], dry_run)


def _remove(served: Served, house: House, named: str, going: list[str], dry_run: bool) -> Json:
    if dry_run:
        found = served.base.documents_with(going)
        return told({"removed": len(found), "documents": [_form(*each) for each in found]})
    removed = served.base.remove(named)
    house.changed("remove", served, {"documents": removed})
    return Json({"removed": removed, "base": json_of(served.base.version, "revision hash")})


def check_writable(served: Served) -> None:
    """403 where a base takes nothing."""
    if not served.writable:
        raise HTTPException(403, "this base is read-only: make a base of your own")
