"""Where the models that ship were learned from, lists that lie beside the package in a checkout,
and where what was learned is written.

They are no part of what is installed: answering needs none of them, training does.
"""

from __future__ import annotations

import sys
from pathlib import Path

from medweave.errors import ConfigurationError
from medweave.language.data import shipped

_FOLDER = Path(__file__).parents[3] / "training"


def training_file(*names: str) -> Path:
    """A file or folder of `training/`. Raises `ConfigurationError` outside a checkout.

    >>> training_file("questions", "en.jsonl").name
    'en.jsonl'
    """
    place = _FOLDER.joinpath(*names)
    if not place.exists():
        raise ConfigurationError(
            "the lists that the models were trained on are not installed",
            where=str(place),
            remedy="train from a checkout of medweave, or name files of your own",
        )
    return place


def write_weights(room: str, name: str, text: str, told: str = "") -> None:
    """Write a file of weights to its room of `understanding`, as it ships, and say so; `told` says
    more of it than its length."""
    Path(str(shipped("understanding", room, name))).write_text(text, "utf-8")
    sys.stdout.write(f"{name}: {told or f'{len(text)} characters'}\n")
