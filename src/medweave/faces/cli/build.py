"""`medweave build`, `add` and `remove`: sources into a base, and out of it."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from medweave.errors import EmbeddingError, SourceError
from medweave.faces.cli.common import (
    console,
    planning,
    print_json,
    progress,
    show,
    tell,
    write_file,
    writing,
)
from medweave.faces.cli.options import (
    Json,
    Kb,
    MaxCalls,
    MaxTokens,
    Model,
    Ontology,
    Vectors,
    Vocabulary,
)

if TYPE_CHECKING:
    from medweave.graph.builder import BuildReport
    from medweave.knowledge_base import KnowledgeBase
    from medweave.model.mapping import Mapping
    from medweave.model.refinement import Change
    from medweave.ports import Progress

Sources = Annotated[list[str], typer.Argument(help="Files and folders.", show_default=False)]
MappingName = Annotated[
    str, typer.Option("--mapping", help="How to read them: a name or a YAML file.")
]
Jobs = Annotated[
    int,
    typer.Option("--jobs", help="Cores to use; 0 for as many as are worth while.", min=0),
]
Cluster = Annotated[
    str, typer.Option("--cluster", help="A dask scheduler to work on (tcp://HOST:PORT).")
]
Keep = Annotated[
    bool,
    typer.Option("--keep-personal-data", help="Leave names, numbers and addresses in dialogues."),
]
Log = Annotated[
    Path | None,
    typer.Option(
        "--log",
        help="A file for each name, type or relation that was changed, a JSON line each.",
        show_default=False,
    ),
]

DryRun = Annotated[
    bool,
    typer.Option(
        "--dry-run", help="Say what would be done, and what a model be asked; do nothing."
    ),
]

_GUIDELINE = "guideline"


def build(
    sources: Sources,
    kb: Kb = "",
    vectors: Vectors = "",
    mapping: MappingName = "",
    vocabulary: Vocabulary = "",
    preview: Annotated[
        bool, typer.Option("--preview", help="Show how a file would be read.")
    ] = False,
    dry_run: DryRun = False,
    jobs: Jobs = 0,
    cluster: Cluster = "",
    keep_personal_data: Keep = False,
    model: Model = "",
    max_calls: MaxCalls = None,
    max_tokens: MaxTokens = None,
    ontology: Ontology = "",
    log: Log = None,
    json: Json = False,
) -> None:
    """Make a base from files and folders, or bring it up to date with them.

    It may be stopped at any moment; run again, it goes on where it was.
    """
    if preview:
        _preview(sources, mapping, vocabulary, json=json)
    elif dry_run:
        _plan(sources, kb, mapping, vocabulary, json=json, keep=keep_personal_data, model=model,
              ontology=ontology)  # fmt: skip
    else:
        _bring_in(sources, kb, mapping, vocabulary, json=json, jobs=jobs, cluster=cluster,
                  keep=keep_personal_data, model=model, ontology=ontology, log=log,
                  limits=(max_calls, max_tokens), vectors=vectors)  # fmt: skip


def add(
    sources: Annotated[
        list[str],
        typer.Argument(
            help="Files and folders; a kind may come first (monographs, dialogues, guideline …)."
        ),
    ],
    kb: Kb = "",
    vectors: Vectors = "",
    mapping: MappingName = "",
    vocabulary: Vocabulary = "",
    dry_run: DryRun = False,
    jobs: Jobs = 0,
    keep_personal_data: Keep = False,
    model: Model = "",
    max_calls: MaxCalls = None,
    max_tokens: MaxTokens = None,
    ontology: Ontology = "",
    log: Log = None,
    json: Json = False,
) -> None:
    """Add sources to a base; it is made if it is not there."""
    kind, paths = _kind(sources)
    if not paths:
        raise SourceError("no source is named", remedy="name a file or a folder")
    if dry_run:
        _plan(paths, kb, mapping, vocabulary, json=json, keep=keep_personal_data, model=model,
              ontology=ontology, kind=kind)  # fmt: skip
        return
    _bring_in(paths, kb, mapping, vocabulary, json=json, kind=kind, jobs=jobs,
              keep=keep_personal_data, model=model, ontology=ontology, log=log,
              limits=(max_calls, max_tokens), vectors=vectors)  # fmt: skip


def remove(
    names: Annotated[list[str], typer.Argument(help="Sources (paths) or documents (names).")],
    kb: Kb = "",
    vectors: Vectors = "",
    json: Json = False,
) -> None:
    """Remove sources or documents with exactly the evidence they gave."""
    with writing(kb, create=False, vectors=vectors) as base:
        removed = sum(base.remove(_place(name)) for name in names)
        version = base.version
    held = {"revision": version.revision, "hash": version.hash}
    line = f"{removed} document{'' if removed == 1 else 's'} removed."
    tell({"removed": removed, "base": held}, line, json=json)


def _kind(sources: list[str]) -> tuple[str, list[str]]:
    """The kind that comes first, if it is one and no file is called so; and the sources."""
    from medweave.sources.kinds import kinds

    first = sources[0]
    if first not in [kind.name for kind in kinds()] or Path(first).exists():
        return "", sources
    return first, [_place(name) for name in sources[1:]] if first == _GUIDELINE else sources[1:]


def _place(name: str) -> str:
    """The file of the guideline that ships, by its name; any other name as it is."""
    from medweave.guideline.loading import SAMPLE
    from medweave.language.data import shipped

    ships = name == SAMPLE and not Path(name).exists()
    return str(shipped("samples", "guideline.yaml")) if ships else name


def _bring_in(
    sources: list[str],
    kb: str,
    mapping: str,
    vocabulary: str,
    *,
    json: bool,
    kind: str = "",
    jobs: int = 0,
    cluster: str = "",
    keep: bool = False,
    model: str = "",
    ontology: str = "",
    log: Path | None = None,
    limits: tuple[int | None, int | None] = (None, None),
    vectors: str = "",
) -> None:
    from medweave.model.prompt import Limits

    if log is not None:
        _write_log(log, ())  # before hours of work, where it cannot be written
    chosen = _mapping(mapping, kind)
    keep = _keeping(keep)
    _tell_reader(model)
    with writing(kb, vocabulary, model=model, vectors=vectors) as base:
        if base.version.revision == 0:
            sys.stderr.write("making a new base\n")
        with progress() as shown:
            report = base.build(
                sources,
                mapping=chosen,
                jobs=jobs,
                cluster=cluster,
                progress=shown,
                keep_personal_data=keep,
                ontology=ontology,
                limits=Limits(*limits),
            )
            compared = _compared_by_meaning(base, shown)
    if log is not None:
        _write_log(log, report.refinement.changes if report.refinement else ())
    show_report(report, json=json)
    if compared and not json:
        console().print(f"{compared:,} passages more can be found by their meaning")


def _compared_by_meaning(base: KnowledgeBase, shown: Progress) -> int:
    """How many passages got vectors; what was read stays, where that fails."""
    try:
        return base.make_passage_vectors(progress=shown)
    except EmbeddingError as error:
        sys.stderr.write(f"passages are found by their words alone: {error}\n")
        return 0


def _write_log(path: Path, changes: Iterable[Change]) -> None:
    """One JSON line for each change that refinement made."""
    write_file(path, "".join(dumps(each.to_json(), ensure_ascii=False) + "\n" for each in changes))


def _tell_reader(asked: str) -> None:
    """Where dialogues and abstracts go, if a language model reads them."""
    from medweave.settings import read_settings

    name = read_settings(model=asked).configuration.model
    if name.provider:
        sys.stderr.write(
            f"dialogues are read, masked, by {name.id} at {name.url}; so are abstracts\n"
        )


def _keeping(asked: bool) -> bool:
    """Whether personal data is kept, by option or setting; who keeps it is warned."""
    from medweave.settings import read_settings

    keep = asked or read_settings().keep_personal_data
    if keep:
        sys.stderr.write("warning: personal data in dialogues is kept as it is\n")
    return keep


def _plan(
    sources: list[str],
    kb: str,
    mapping: str,
    vocabulary: str,
    *,
    json: bool,
    keep: bool,
    model: str = "",
    ontology: str = "",
    kind: str = "",
) -> None:
    chosen = _mapping(mapping, kind)
    with planning(kb, vocabulary, model=model) as base:
        found = base.plan(
            sources, mapping=chosen, keep_personal_data=_keeping(keep), ontology=ontology
        )
        asked = base.model_plan(sources, mapping=chosen, ontology=ontology) if base.reader else None
    if json or asked:
        plan = {"plan": [source.to_json() for source in found]}
        print_json(plan | (asked.to_json() if asked else {}))
        return
    from medweave.faces.terminal.reports import print_plan

    print_plan(found, console())


def _mapping(name: str, kind: str) -> Mapping | None:
    """The mapping named; a kind alone leaves the layout to be recognised within that kind."""
    from medweave.sources.mapping.layouts import find_mapping, kind_mapping

    if name:
        return find_mapping(name)
    return kind_mapping(kind) if kind else None


def show_report(report: BuildReport, *, json: bool) -> None:
    """Print what was read and made, as JSON or in words."""
    show(report, "reports:print_report", json=json)


def _preview(sources: list[str], mapping: str, vocabulary: str, *, json: bool) -> None:
    from medweave.pipeline import preview
    from medweave.settings import read_settings

    words = read_settings(vocabulary=vocabulary).vocabulary
    added = Path(words) if words else None
    for number, source in enumerate(sources):
        if number and not json:
            console().print("---")  # one document of YAML for each file
        found = preview(Path(source), mapping=_mapping(mapping, ""), vocabulary=added)
        show(found, "preview:print_preview", json=json)
