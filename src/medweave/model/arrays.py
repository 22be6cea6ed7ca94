"""numpy, for those parts that need it; an installation without it does all but those."""

from __future__ import annotations

from typing import Any

from medweave.errors import ConfigurationError


def numpy_for(what: str) -> Any:
    """numpy. Raises `ConfigurationError` where it is not installed: `what` is what needs it."""
    try:
        import numpy as np
    except ImportError as error:
        raise ConfigurationError(
            f"{what} needs numpy", remedy="pip install 'medweave[dense]'"
        ) from error
    return np
