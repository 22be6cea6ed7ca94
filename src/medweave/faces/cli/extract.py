"""`medweave extract`: what would be read in abstracts, into no base."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from medweave.faces.cli.common import print_json, reading, show
from medweave.faces.cli.options import Json, Kb, MaxCalls, MaxTokens, Model, Ontology
from medweave.vocabulary.lexicon import shipped_lexicon
from medweave.vocabulary.vocabulary import shipped_vocabulary

if TYPE_CHECKING:
    from medweave.model.language_model import LanguageModelName
    from medweave.sources.names import Naming


def extract(
    sources: Annotated[list[str], typer.Argument(help="Abstracts.", show_default=False)],
    ontology: Ontology = "",
    kb: Kb = "",
    train: Annotated[
        str, typer.Option("--train", help="Learn from these labelled documents first.")
    ] = "",
    model: Model = "",
    max_calls: MaxCalls = None,
    max_tokens: MaxTokens = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Print what a language model would be asked; ask nothing."),
    ] = False,
    json: Json = False,
) -> None:
    """Show what abstracts name and say; no base is written.

    A base lends its names. After `--train`, types and relations are those of the labelled
    documents. What a model is asked is made from the ontology; labelled documents are its examples.
    """
    from medweave.app import open_language_model
    from medweave.model.prompt import Limits
    from medweave.settings import read_settings
    from medweave.sources.abstracts.entities.lent_names import names_lent_by
    from medweave.sources.abstracts.reading_many import extract as extracted

    named = read_settings(model=model).configuration.model_of("extract")
    paths, labelled = [Path(source) for source in sources], Path(train) if train else None
    naming = _naming(ontology)
    if dry_run:
        _dry_run(paths, naming, labelled, named)
        return
    if named.provider:
        sys.stderr.write(f"abstracts are read by {named.id} at {named.url}\n")
    with reading(kb) if kb else nullcontext() as base:
        found = extracted(
            paths,
            naming,
            labelled=labelled,
            lender=names_lent_by(base.knowledge.dictionary) if base else None,
            model=open_language_model(named, Limits(max_calls, max_tokens)),
        )
    show(found, "extracted:print_extracted", json=json)


def _naming(ontology: str) -> Naming:
    from medweave.ontology.loading import SHIPPED, ontology_in
    from medweave.sources.names import Naming

    return Naming(shipped_vocabulary(), shipped_lexicon(), ontology_in(ontology or SHIPPED))


def _dry_run(
    sources: list[Path], naming: Naming, labelled: Path | None, model: LanguageModelName
) -> None:
    from medweave.app import cached_replies
    from medweave.sources.abstracts.reading_many import model_plan

    print_json(
        model_plan(
            sources, naming, cached_replies(model.id, model.url), labelled=labelled
        ).to_json()
    )
