"""Names in texts by pyahocorasick or flashtext: `names_worker PEER NAMES < TEXTS`; JSON comes out.

NAMES has a name on each line. Both find names as they are written, in lower case, at the borders of
words: no plural, no other spelling, nothing misspelt or said otherwise, and no status.
"""

from __future__ import annotations

import json
import pickle
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from time import thread_time
from typing import Any

REPEATS = 10
Find = Callable[[str], list[str]]


def pyahocorasick(names: list[str]) -> tuple[Any, Callable[[Any], Find]]:
    """An automaton, and what finds with it."""
    import ahocorasick

    automaton = ahocorasick.Automaton()
    for name in names:
        automaton.add_word(name, name)
    automaton.make_automaton()

    def finder(automaton: Any) -> Find:
        def find(text: str) -> list[str]:
            return [
                name
                for last, name in automaton.iter_long(text)
                if not text[last + 1 : last + 2].isalnum()
                and not text[last - len(name) : last - len(name) + 1].isalnum()
            ]

        return find

    return automaton, finder


def flashtext(names: list[str]) -> tuple[Any, Callable[[Any], Find]]:
    """A keyword processor, and what finds with it."""
    from flashtext import KeywordProcessor

    processor = KeywordProcessor()
    processor.add_keywords_from_list(names)
    return processor, lambda processor: processor.extract_keywords


def main(peer: str, file: str) -> dict[str, Any]:
    """Seconds to make it of names, to load it again, and for each text; and how much it found."""
    names = sorted(set(Path(file).read_text("utf-8").lower().splitlines()))
    texts = sys.stdin.read().lower().splitlines()
    started = thread_time()
    made, finder = {"pyahocorasick": pyahocorasick, "flashtext": flashtext}[peer](names)
    done = thread_time()
    written = pickle.dumps(made)
    before = thread_time()
    find = finder(pickle.loads(written))  # noqa: S301 - what was just written
    loaded = thread_time()
    return {
        "version": version(peer),
        "names": len(names),
        "make": done - started,
        "load": loaded - before,
        "texts": [min(_seconds(find, text) for _ in range(REPEATS)) for text in texts],
        "found": sum(len(find(text)) for text in texts) / len(texts),
    }


def _seconds(find: Find, text: str) -> float:
    started = thread_time()
    find(text)
    return thread_time() - started


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))
