"""Entities, and the typed mentions they are computed from."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class NameMention:
    """One document calling one entity by one name, as one concept.

    Names and concepts of an entity are never stored as facts: they are read off all its
    mentions, so they change by themselves when documents come and go.
    """

    entity: str
    name: str
    language: str
    concept: str
    preferred: bool = True
    """False for a name the document gives only as a synonym."""
    xref: str = ""
    """An identifier the document gives for the same thing, or ''."""


@dataclass(frozen=True, slots=True)
class Entity:
    """The resolved view of a thing: what its mentions, taken together, say it is.

    `names` maps a language to all names in it, preferred first. `concepts` are all concepts it
    was mentioned as, most frequent first; `concept` is the first of them.
    """

    id: str
    concept: str
    names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    concepts: tuple[str, ...] = ()
    xrefs: tuple[str, ...] = ()

    def name(self, language: str = "en") -> str:
        """The preferred name in `language`, else in English, else any, else the identifier.

        >>> Entity("mw.condition:cough", "symptom", {"zh": ("咳嗽",)}).name("en")
        '咳嗽'
        """
        found = self.names.get(language) or self.names.get("en")
        if not found:
            found = next((self.names[code] for code in sorted(self.names) if self.names[code]), ())
        return found[0] if found else self.id

    def all_names(self) -> tuple[str, ...]:
        """Every name in every language."""
        return tuple(name for language in sorted(self.names) for name in self.names[language])
