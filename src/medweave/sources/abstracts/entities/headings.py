"""Headings of MeSH (U.S. National Library of Medicine), with the identifiers they have there.

The file is that of `scripts/mesh_headings.py`, which says where it is from: headings of diseases,
findings and chemicals in Biomappings 0.6.0 (CC0), and what other catalogues call the same, read on
2026-11-27.
"""

from __future__ import annotations

import gzip
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping

from medweave.language.data import shipped
from medweave.vocabulary.lexicon import shipped_lexicon

Forms = Callable[[str], Iterable[str]]


def mesh_headings(forms: Forms) -> dict[str, str]:
    """By form of a name, and by thing of the lexicon, the one heading that it may be.

    What several headings fit has none.
    """
    fitting: dict[str, set[str]] = defaultdict(set)
    packed = shipped("sources", "abstracts", "rules", "mesh.tsv.gz")
    for line in gzip.decompress(packed.read_bytes()).decode().splitlines():
        identifier, _, heading = line.partition("\t")
        for form in forms(heading):
            fitting[form].add(identifier)
    found = {form: next(iter(some)) for form, some in fitting.items() if len(some) == 1}
    return {**_of_the_lexicon(found, forms), **found}


def _of_the_lexicon(headings: Mapping[str, str], forms: Forms) -> dict[str, str]:
    """By thing of the lexicon the heading that its names are."""
    found = {}
    for term in shipped_lexicon().terms.values():
        names = term.names.get("en", ())
        fitting = {headings[form] for name in names for form in forms(name) if form in headings}
        if len(fitting) == 1:
            found[term.id] = fitting.pop()
    return found
