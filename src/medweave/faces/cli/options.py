"""Options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

Kb = Annotated[
    str,
    typer.Option(
        "--kb", help="The base: a file, memory:, or the URL of one on a server.", show_default=False
    ),
]
Vectors = Annotated[
    str,
    typer.Option(
        "--vectors",
        help="Where vectors are kept: weaviate://HOST:PORT?grpc=PORT; otherwise in the base.",
        show_default=False,
    ),
]
InPlace = Annotated[
    str,
    typer.Option(
        "--mapping",
        help="How a database that medweave did not make is read where it is: a YAML file.",
        show_default=False,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object, and nothing else.")]
Model = Annotated[
    str,
    typer.Option(
        "--model",
        help="The language model that reads, as provider:model; none for rules alone.",
        show_default=False,
    ),
]
MaxCalls = Annotated[
    int | None,
    typer.Option(
        "--max-calls",
        help="Requests to the model at most, retries included; what is left, the next run reads.",
        min=0,
        show_default=False,
    ),
]
MaxTokens = Annotated[
    int | None,
    typer.Option(
        "--max-tokens", help="Tokens sent and received at most.", min=0, show_default=False
    ),
]
Vocabulary = Annotated[
    str, typer.Option("--vocabulary", help="A YAML file whose concepts and predicates are added.")
]
Ontology = Annotated[
    str,
    typer.Option(
        "--ontology",
        help="What abstracts are read by, and others held against: causalamd, or a file.",
        show_default=False,
    ),
]
Embedder = Annotated[
    str,
    typer.Option(
        "--embedder",
        help="What makes vectors: minilm, none, or openai-compatible:NAME@URL.",
        show_default=False,
    ),
]
Age = Annotated[str, typer.Option("--age", help="10mo, 3d, 5wk, 2y.")]
Weight = Annotated[str, typer.Option("--weight", help="8.2kg, 3100g.")]
Language = Annotated[
    str,
    typer.Option("--language", help="en or zh; otherwise that of --text."),
]
Sex = Annotated[str, typer.Option("--sex", help="female or male; z-scores need it.")]
