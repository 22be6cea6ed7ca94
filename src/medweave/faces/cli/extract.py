"""`medweave extract`: what would be read in abstracts, into no base."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from medweave.faces.cli.common import console, print_json, reading
from medweave.faces.cli.options import Json, Kb, Ontology
from medweave.vocabulary.lexicon import shipped_lexicon
from medweave.vocabulary.vocabulary import shipped_vocabulary


def extract(
    sources: Annotated[list[str], typer.Argument(help="Abstracts.", show_default=False)],
    ontology: Ontology = "",
    kb: Kb = "",
    train: Annotated[
        str, typer.Option("--train", help="Learn from these labelled documents first.")
    ] = "",
    json: Json = False,
) -> None:
    """Show what abstracts name and say; no base is written.

    A base lends its names. After `--train`, types and relations are those of the labelled
    documents.
    """
    from medweave.ontology.loading import SHIPPED
    from medweave.sources.abstracts.entities.lent_names import names_lent_by
    from medweave.sources.abstracts.reading_many import extract as extracted
    from medweave.sources.names import Naming

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
