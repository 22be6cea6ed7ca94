"""Where the models that ship were learned from: lists that lie beside the package in a checkout.

They are no part of what is installed: answering needs none of them, training does.
"""

from __future__ import annotations

from pathlib import Path

from medweave.errors import ConfigurationError

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
