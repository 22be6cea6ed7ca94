"""A dialogue's tree as a base holds it: what one document says of its root, section by section."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

HAS_SECTION = "has_section"
"""The predicate that joins a root to the text of a section."""
WHOLE = "dialogue"
"""What vectors of whole dialogues are of, in the space of publications."""


class TreeKey(NamedTuple):
    """Which tree: the root, and the document that says so. Two files may have one root."""

    root: str
    document: str

    def text(self) -> str:
        """The key of the tree's own vector.

        >>> TreeKey("dialogue:145", "do:1").text()
        'dialogue:145 do:1'
        """
        return f"{self.root} {self.document}"

    def section(self, name: str) -> str:
        """The key of the vector of a section.

        >>> TreeKey("dialogue:145", "do:1").section("symptom")
        'dialogue:145 do:1 symptom'
        """
        return f"{self.root} {self.document} {name}"

    @classmethod
    def of(cls, key: str) -> TreeKey:
        """The tree that a key of a tree or of a section belongs to; roots have no blanks.

        >>> TreeKey.of("dialogue:145 do:1 symptom")
        TreeKey(root='dialogue:145', document='do:1')
        """
        root, document = key.split(" ", 2)[:2]
        return cls(root, document)


@dataclass(frozen=True, slots=True)
class Tree:
    """One tree: its sections by name, in the order of the template."""

    key: TreeKey
    sections: Mapping[str, str]

    @property
    def text(self) -> str:
        """All of it, a section a line; what is in several sections is said once.

        >>> here = TreeKey("dialogue:1", "do:1")
        >>> Tree(here, {"summary": "I cough.", "description": "I cough.", "advice": "Rest."}).text
        'I cough.\\nRest.'
        """
        return "\n".join(dict.fromkeys(self.sections.values()))
