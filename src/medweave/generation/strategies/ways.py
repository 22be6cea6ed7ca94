"""How each strategy finds, by its name: a file each, with its source.

They are what document 001 compares itself with. Things are linked by our names, also where a source
lets a model name them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from medweave.generation.strategies.bm25 import bm25
from medweave.generation.strategies.embedding import embedding
from medweave.generation.strategies.kg_rank import kg_rank
from medweave.generation.strategies.mindmap import mindmap
from medweave.generation.strategies.rok import rok
from medweave.generation.strategies.strategy import Found, Search
from medweave.generation.strategies.talk2doc import talk2doc

WAYS: Mapping[str, Callable[[Search], Found]] = {
    "bm25": bm25, "embedding": embedding, "mindmap": mindmap, "kg-rank": kg_rank, "rok": rok,
    "talk2doc": talk2doc,
}  # fmt: skip
