"""LightRAG with its default storage, without a model.

It is given what a model would make: the entities and relations of each document
(`ainsert_custom_kg`) and the keywords of each question. Embeddings are words hashed into the
width of MiniLM, which costs next to nothing; the tokenizer cuts every four letters, because its own
needs the network. Both make it faster than it is with a model.
"""

from __future__ import annotations

import asyncio
import csv
import hashlib
from collections.abc import Coroutine
from importlib.metadata import version
from itertools import groupby
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from lightrag import LightRAG, QueryParam
from lightrag.utils import EmbeddingFunc, Tokenizer, logger

from benchmarks.generate import STRENGTHS, World
from benchmarks.workers.protocol import serve

WIDTH = 384
Triple = tuple[str, str, str]


class _Pieces:
    """Tokens of four letters."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}
        self._pieces: list[str] = []

    def encode(self, content: str) -> list[int]:
        """The tokens of a text."""
        found = []
        for start in range(0, len(content), 4):
            piece = content[start : start + 4]
            if piece not in self._known:
                self._known[piece] = len(self._pieces)
                self._pieces.append(piece)
            found.append(self._known[piece])
        return found

    def decode(self, tokens: list[int]) -> str:
        """The text of tokens."""
        return "".join(self._pieces[token] for token in tokens)


async def _embed(texts: list[str], **_: Any) -> Any:
    rows = np.zeros((len(texts), WIDTH), dtype=np.float32)
    for row, text in zip(rows, texts, strict=True):
        for word in text.lower().replace(",", " ").split():
            digest = hashlib.blake2b(word.encode(), digest_size=16).digest()
            for first, second in zip(digest[::2], digest[1::2], strict=True):
                row[(first * 256 + second) % WIDTH] += 1 if second & 1 else -1
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


async def _no_model(*_: Any, **__: Any) -> str:
    raise RuntimeError("a model was called")


class Peer:
    """One LightRAG, on one event loop."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.rag: Any = None

    def _run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self.loop.run_until_complete(work)

    def open(self, store: str) -> dict[str, Any]:
        """Open the storage in a folder."""
        started = perf_counter()
        self.rag = LightRAG(
            working_dir=store,
            embedding_func=EmbeddingFunc(embedding_dim=WIDTH, max_token_size=8192, func=_embed),
            llm_model_func=_no_model,
            tokenizer=Tokenizer("pieces", _Pieces()),
        )
        self._run(self.rag.initialize_storages())
        return {"seconds": perf_counter() - started}

    def build(self, source: str, store: str) -> dict[str, Any]:
        """Insert all triples of a file in one call."""
        with Path(source).open(encoding="utf-8", newline="") as file:
            rows = [(r["subject"], r["predicate"], r["object"]) for r in csv.DictReader(file)]
        self.open(store)
        started = perf_counter()
        self._run(self.rag.ainsert_custom_kg(_graph(rows)))
        seconds = perf_counter() - started
        self._run(self.rag.finalize_storages())
        size = sum(path.stat().st_size for path in Path(store).rglob("*") if path.is_file())
        return {"seconds": seconds, "statements": len(rows), "bytes": size}

    def ask(self, text: str, names: list[str]) -> dict[str, Any]:
        """Retrieve for one question, hybrid mode, keywords given."""
        told = QueryParam(
            mode="hybrid",
            enable_rerank=False,
            ll_keywords=names,
            hl_keywords=["symptoms", "disease"],
        )
        started = perf_counter()
        found = self._run(self.rag.aquery_data(text, told))
        seconds = perf_counter() - started
        entities = (found.get("data") or {}).get("entities") or []
        return {"seconds": seconds, "answered": bool(entities)}

    def add(self, statements: int, number: int, folder: str) -> dict[str, Any]:
        """Insert one document of twelve relations."""
        del folder
        rows = list(World(statements).new_page(number).triples())
        started = perf_counter()
        self._run(self.rag.ainsert_custom_kg(_graph(rows), full_doc_id=f"new{number}"))
        return {"seconds": perf_counter() - started}

    def remove(self, number: int, folder: str) -> dict[str, Any]:
        """Delete the document that `add` has inserted."""
        del folder
        started = perf_counter()
        result = self._run(self.rag.adelete_by_doc_id(f"new{number}"))
        seconds = perf_counter() - started
        if result.status != "success":
            raise RuntimeError(f"its own deletion says: {result.message}")
        return {"seconds": seconds}


def _graph(rows: list[Triple]) -> dict[str, Any]:
    """Triples as LightRAG takes them: one chunk for each subject, entities, relationships."""
    chunks, relationships = [], []
    entities: dict[str, dict[str, str]] = {}
    for subject, group in groupby(rows, key=lambda row: row[0]):
        its = list(group)
        text = "; ".join(f"{s} {p} {o}" for s, p, o in its)
        chunks.append({"content": text, "source_id": subject, "file_path": subject})
        for s, p, o in its:
            for name in (s, o):
                entities.setdefault(
                    name,
                    {
                        "entity_name": name,
                        "entity_type": "thing",
                        "description": name,
                        "source_id": subject,
                    },
                )
            relationships.append(
                {
                    "src_id": s,
                    "tgt_id": o,
                    "description": f"{s} {p} {o}",
                    "keywords": p,
                    "weight": max(1.0, STRENGTHS[p]),
                    "source_id": subject,
                }
            )
    return {"chunks": chunks, "entities": list(entities.values()), "relationships": relationships}


if __name__ == "__main__":
    logger.setLevel("ERROR")
    peer = Peer()
    serve(
        {
            "version": lambda: {"version": version("lightrag-hku")},
            "build": peer.build,
            "open": peer.open,
            "ask": peer.ask,
            "add": peer.add,
            "remove": peer.remove,
        }
    )
