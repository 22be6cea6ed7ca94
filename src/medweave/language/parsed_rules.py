"""The rules that ship, parsed: YAML is for people to write, and takes 0.2 s of a program's start.

`python -m medweave.language.parsed_rules`, which `make` runs, writes what each file holds as JSON,
under a digest of the file. So nothing can be out of date: a file that has changed since has another
digest and is parsed, as it is where nothing was written.
"""

from __future__ import annotations

import json
import shutil
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).parents[1]
_FOLDER = _PACKAGE / "parsed"


def parsed_rules(text: str) -> Any:
    """What a YAML text holds, where it was written out; else None."""
    with suppress(FileNotFoundError):
        return json.loads(_place(text).read_text("utf-8"))
    return None


def parsed_nodes(text: str) -> Any:
    """The nodes of a YAML text that is a sample, where they were written out; else None.

    A node is its kind, its tag, its line, and its value: a text, nodes, or pairs of nodes.
    """
    with suppress(FileNotFoundError):
        return json.loads(_place(text, "nodes").read_text("utf-8"))
    return None


def safe_loader() -> Any:
    """What reads YAML here: it makes no objects, and is eight times faster where libyaml is."""
    import yaml

    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _place(text: str, kind: str = "values") -> Path:
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return _FOLDER / f"{digest}-{kind}.json"


def _nodes(node: Any) -> list[Any]:
    value = node.value
    if node.id == "sequence":
        value = [_nodes(each) for each in value]
    elif node.id == "mapping":
        value = [[_nodes(key), _nodes(each)] for key, each in value]
    return [node.id, node.tag, node.start_mark.line, value]


def _write() -> None:
    import yaml

    loader = safe_loader()
    shutil.rmtree(_FOLDER, ignore_errors=True)
    _FOLDER.mkdir()
    for path in _PACKAGE.rglob("*.yaml"):
        text = path.read_text("utf-8")
        content = yaml.load(text, Loader=loader)  # noqa: S506
        written = json.dumps(content, ensure_ascii=False, default=str)
        if json.loads(written) == content:  # not so of numbers as keys, and of dates
            _place(text).write_text(written, "utf-8")
    for path in (_PACKAGE / "samples").glob("*.yaml"):
        text = path.read_text("utf-8")
        nodes = _nodes(yaml.compose(text, Loader=loader))
        _place(text, "nodes").write_text(json.dumps(nodes), "utf-8")


if __name__ == "__main__":
    _write()
