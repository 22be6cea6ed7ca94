"""Training the network that reads the vector of a whole message: from the lists of danger.

Three networks that begin differently are put beside each other, and say what they say on average:
one alone owes more to chance. Only training needs scikit-learn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from warnings import catch_warnings, simplefilter

from medweave.language.typed import as_read
from medweave.model.vectors import Vectors
from medweave.understanding.danger.courtesies import bare
from medweave.understanding.danger.meaning_training import (
    GENERAL,
    Told,
    digest_of,
    material_of_meaning,
)
from medweave.understanding.danger.network import Network

_BEGINNINGS = (0, 1, 2)
UNITS = 64
"""Hidden units of each; how these were chosen: decision 563."""
PENALTY = 0.3
ROUNDS = 25
STRETCHED = 8.0
"""A vector of length 1 is stretched by it: its numbers are small."""
_EACH = 3
"""Of what is harmless in general every so many is shown."""


def material_of_network(language: str) -> list[Told]:
    """The messages that ship, and some of what is harmless."""
    material = material_of_meaning("danger", language)
    messages = [one for one in material if one.weight == 1]
    general = [one for one in material if one.weight == GENERAL["danger"]]
    return [*messages, *general[::_EACH]]


def train_network(language: str, embed: Callable[[Sequence[str]], Vectors]) -> Network:
    """Fit the network on the lists that ship, with the vectors that `embed` makes."""
    import numpy as np
    from sklearn.neural_network import MLPClassifier

    material = material_of_network(language)
    made = embed([as_read(bare(one.text), language) for one in material])
    rows = STRETCHED * np.frombuffer(made.data.tobytes(), "f4").reshape(len(made), -1)
    told = [one.told for one in material]
    units, unit_bias, outcome, bias = [], list[float](), list[float](), 0.0
    for beginning in _BEGINNINGS:
        fitted = MLPClassifier(
            (UNITS,),
            alpha=PENALTY,
            batch_size=128,
            learning_rate_init=2e-3,
            max_iter=ROUNDS,
            random_state=beginning,
        )
        with catch_warnings():
            simplefilter("ignore")  # it is stopped early
            fitted.fit(rows, told)
        units.append(STRETCHED * fitted.coefs_[0].T)
        unit_bias += [round(float(each), 4) for each in fitted.intercepts_[0]]
        outcome += [round(float(each) / len(_BEGINNINGS), 4) for each in fitted.coefs_[1][:, 0]]
        bias += float(fitted.intercepts_[1][0]) / len(_BEGINNINGS)
    return Network(
        made.model.id,
        np.asarray(np.concatenate(units), "<f2").tobytes(),
        unit_bias,
        outcome,
        round(bias, 4),
        {"texts": len(material), "of": digest_of(material)},
    )
