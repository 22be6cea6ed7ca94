"""`medweave convert`: sets of questions and answers as folders to evaluate retrieval on."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from medweave.errors import ConfigurationError, NotFoundError
from medweave.faces.cli.common import console, print_json, reading
from medweave.faces.cli.options import Json, Kb


class Layout(StrEnum):
    """The sets that are known."""

    MEDQUAD = "medquad"
    MEDIQA2019 = "mediqa2019"
    LIVEQA = "liveqa"
    MESSAGES = "messages"


def convert(
    layout: Annotated[Layout, typer.Argument(help="Which set.", show_default=False)],
    source: Annotated[
        str, typer.Argument(help="Its file; for medquad its folder.", show_default=False)
    ],
    folder: Annotated[str, typer.Argument(help="The folder to write.", show_default=False)],
    split: Annotated[str, typer.Option("--split", help="Of medquad: train, val or test.")] = "val",
    pool: Annotated[
        int, typer.Option("--pool", min=0, help="Of medquad: so many answers (0: all).")
    ] = 0,
    title: Annotated[
        bool, typer.Option("--title", help="Of medquad: answers with their page's title.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", help="Of the pool's order.")] = 0,
    kb: Kb = "",
    json: Json = False,
) -> None:
    """Write a set of questions and answers as a folder for `evaluate retrieval`.

    `messages` are a file of messages with their dialogues, which are those of the base.
    """
    if not Path(source).exists():
        raise NotFoundError("there is no such file", where=source, remedy="check the path")
    from medweave.evaluation.data.conversion import CONVERTERS, medquad_folder

    if layout == Layout.MEDQUAD:
        made = medquad_folder(Path(source), split=split, pool=pool, title=title, seed=seed)
    elif pool or title:
        raise ConfigurationError(
            f"{layout.value} is not parted and has no titles",
            where="--pool, --title",
            remedy="leave them out",
        )
    elif layout == Layout.MESSAGES:
        from medweave.evaluation.data.message_file import messages_folder

        with reading(kb) as base:
            made = messages_folder(Path(source), base)
    else:
        made = CONVERTERS[layout.value](Path(source))
    written = made.write(Path(folder))
    if json:
        print_json(written)
        return
    judged = ", ".join(f"{count:,} in {name}" for name, count in written["qrels"].items())
    console().print(
        f"{folder}: {written['documents']:,} documents, {written['questions']:,} questions, "
        f"judgements: {judged}",
        markup=False,
    )
