"""`medweave extract`: what would be read in abstracts, into no base."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from medweave.faces.cli.common import console, print_json, reading
from medweave.faces.cli.options import Json, Kb, Model, Ontology
from medweave.vocabulary.lexicon import shipped_lexicon
from medweave.vocabulary.vocabulary import shipped_vocabulary


def extract(
    sources: Annotated[list[str], typer.Argument(help="Abstracts.", show_default=False)],
    ontology: Ontology = "",
    kb: Kb = "",
    train: Annotated[
        str, typer.Option("--train", help="Learn from these labelled documents first.")
    ] = "",
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Print what a language model would be asked; ask nothing."),
    ] = False,
    model: Model = "",
    json: Json = False,
) -> None:
    """Show what abstracts name and say; no base is written.

    A base lends its names. After `--train`, types and relations are those of the labelled
    documents. What a model is asked is made from the ontology; labelled documents are its examples.
    """
    from medweave.ontology.loading import SHIPPED
    from medweave.sources.abstracts.entities.lent_names import names_lent_by
    from medweave.sources.abstracts.reading_many import extract as extracted
    from medweave.sources.names import Naming

    if dry_run or model:
        _dry_run(sources, ontology or SHIPPED, train, dry_run=dry_run)
        return
    with reading(kb) if kb else nullcontext() as base:
        naming = Naming(shipped_vocabulary(), shipped_lexicon())
        found = extracted(
            [Path(source) for source in sources],
            naming,
            ontology=ontology or SHIPPED,
            labelled=Path(train) if train else None,
            lender=names_lent_by(base.knowledge.dictionary) if base else None,
        )
    if json:
        print_json(found.to_json())
        return
    from medweave.faces.terminal.extracted import print_extracted

    print_extracted(found, console())


def _dry_run(sources: list[str], ontology: str, train: str, *, dry_run: bool) -> None:
    from medweave.errors import ConfigurationError
    from medweave.ontology.loading import ontology_in
    from medweave.sources.abstracts.labelled.documents import labelled_documents
    from medweave.sources.abstracts.prompt import Examples, abstract_prompt
    from medweave.sources.abstracts.prompt import dry_run as form
    from medweave.sources.abstracts.reading_many import texts_of

    if not dry_run:
        raise ConfigurationError(
            "abstracts are read by rules, or as labelled documents teach",
            where="--model",
            remedy="add --dry-run to see what a model would be asked",
        )
    named = ontology_in(ontology)
    examples = Examples(labelled_documents(Path(train)).documents if train else ())
    texts = texts_of([Path(source) for source in sources])
    print_json(form((id_, abstract_prompt(named, text, examples)) for id_, text in texts))
