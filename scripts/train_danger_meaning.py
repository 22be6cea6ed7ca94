"""Make the weights by which the meaning of a message counts for danger and for a crisis.

`python scripts/train_danger_meaning.py [danger|crisis|network]`. It needs `medweave weights
install` before, and scikit-learn; it embeds some ten thousand messages, which takes minutes. The
same lists give the same weights.
"""

import sys
from itertools import product
from typing import get_args

from medweave.embedding.choosing import reader_of
from medweave.language.data import LANGUAGES
from medweave.understanding.danger.meaning import MeaningOf
from medweave.understanding.danger.meaning_training import train_meaning
from medweave.understanding.danger.network_training import train_network
from medweave.understanding.training_files import write_weights


def main() -> None:
    """Write the weights, and the networks that read whole messages of danger."""
    wanted = sys.argv[1:] or (*get_args(MeaningOf), "network")
    for language in LANGUAGES if "network" in wanted else ():
        network = train_network(language, reader_of(language).embed)
        told = str(dict(network.trained_on))
        write_weights("danger", f"danger_network.{language}.json", network.to_text(), told)
    for of, language in product(get_args(MeaningOf), LANGUAGES):
        if of in wanted:
            made = train_meaning(of, language, reader_of(language).embed)
            told = str(dict(made.trained_on))
            write_weights("danger", f"{of}_meaning.{language}.json", made.to_text(), told)


if __name__ == "__main__":
    main()
