"""What can be set about answering: how diseases are ranked, and what is ranked at all.

Document K: "choosing the weighted path-ranking method or the linked method can be pre-defined based
on the concept of the question". This is the place where it is chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal as OneOf
from typing import get_args

from medweave.errors import ConfigurationError
from medweave.model.embedder import AUTOMATIC, EmbedderName
from medweave.model.language_model import NO_MODEL, LanguageModelName
from medweave.model.ranking import RANKING, Mode, Ranking

Method = OneOf["lookup", "ranking"]
_METHODS: tuple[Method, ...] = get_args(Method)
Role = OneOf["extract", "decompose", "answer", "judge"]
"""What a language model may do: read sources and messages, take questions apart and find what they
need, write words, and judge what another wrote."""
ROLES: tuple[Role, ...] = get_args(Role)

DEFAULTS: dict[str, Method] = {
    "diagnosis": "ranking",
    "symptom": "lookup",
    "complication": "lookup",
    "cause": "lookup",
    "treatment": "lookup",
    "drug": "lookup",  # and ranking from symptoms alone: see `Configuration.method`
    "prevention": "lookup",
    "test": "lookup",
    "indication": "lookup",
    "side_effect": "lookup",
}
"""How each intent is answered where nothing is set: looked up, or ranked by the walk."""
NEVER_RANKED = (
    "avoid", "shown_by", "side_effect_of", "contraindication", "interaction", "diet", "outlook",
    "urgent_care", "description", "dose", "class",
)  # fmt: skip
"""What speaks against a drug stops it, whatever its rank; texts stay in the order of their source.
These can only be looked up."""
OUR_INTENTS = frozenset({*DEFAULTS, *NEVER_RANKED})
"""All intents that something here knows what to do with; a model of a user's may have others."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """How questions are answered; the default is what medweave does when nothing is set.

    >>> Configuration().method("drug"), Configuration().method("drug", from_symptoms=True)
    ('lookup', 'ranking')
    """

    ranking: Ranking = RANKING
    methods: Mapping[str, Method] = field(default_factory=dict)
    """The method of an intent, where it is not that of `DEFAULTS`."""
    lay: str = ""
    """A file of lay terms that are heard besides those that ship; '' is none."""
    intents: str = ""
    """A model of intents in a file, by `medweave train intents`; '' is the one that ships."""
    danger: str = ""
    """A model of danger in a file, by `medweave train danger`; '' is the one that ships."""
    emergency: str = ""
    """What is said where a danger sign is present, with the number of the country; '' is a text
    without a number."""
    crisis: str = ""
    """Whom to turn to with thoughts of suicide or violence, with the number of the country; '' is a
    text without a number."""
    embedder: EmbedderName = AUTOMATIC
    """What turns texts into vectors, where a name means several things."""
    model: LanguageModelName = NO_MODEL
    """The language model that reads and answers; without one, rules do."""
    models: Mapping[str, LanguageModelName] = field(default_factory=dict)
    """The model of a role of `ROLES`, where it is another."""

    def __post_init__(self) -> None:
        """Raises `ConfigurationError`, whose `where` is the entry that is wrong."""
        for intent, method in self.methods.items():
            where = f"methods.{intent}"
            if intent not in DEFAULTS and intent not in NEVER_RANKED:
                known = ", ".join(sorted((*DEFAULTS, *NEVER_RANKED)))
                raise ConfigurationError(
                    f"there is no intent '{intent}'", where=where, remedy=f"use one of {known}"
                )
            if method not in _METHODS:
                raise ConfigurationError(
                    f"there is no method '{method}'",
                    where=where,
                    remedy=f"use one of {', '.join(_METHODS)}",
                )
            if intent in NEVER_RANKED and method == "ranking":
                raise ConfigurationError(
                    f"'{intent}' can only be looked up", where=where, remedy="leave it out"
                )

    @classmethod
    def of(
        cls,
        *,
        ranking: Mode = RANKING.mode,
        damping: float = RANKING.damping,
        correction: float = RANKING.correction,
        words: float = RANKING.words,
        methods: Mapping[str, Method] | None = None,
        intents: str = "",
        danger: str = "",
        lay: str = "",
        emergency: str = "",
        crisis: str = "",
    ) -> Configuration:
        """A configuration by the names that stand in `medweave.toml`.

        >>> Configuration.of(ranking="textrank", damping=0.85).ranking.mode
        'textrank'
        """
        ranked = Ranking(ranking, damping, correction, words)
        return cls(
            ranked,
            methods or {},
            lay=lay,
            intents=intents,
            danger=danger,
            emergency=emergency.strip(),
            crisis=crisis.strip(),
        )

    def model_of(self, role: Role) -> LanguageModelName:
        """The language model for a role. To judge what another wrote, one must be named.

        >>> Configuration(model=LanguageModelName.of("ollama:qwen3:8b")).model_of("answer").name
        'qwen3:8b'
        """
        return self.models.get(role, NO_MODEL if role == "judge" else self.model)

    def method(self, intent: str, *, from_symptoms: bool = False) -> Method:
        """How an intent is answered.

        `from_symptoms`: no disease is named. Drugs are then found by way of the diseases that the
        symptoms lead to, unless something else is set: of a symptom itself, few are recorded.
        """
        if intent == "drug" and intent not in self.methods:
            return "ranking" if from_symptoms else "lookup"
        return self.methods.get(intent, DEFAULTS.get(intent, "lookup"))


CONFIGURATION = Configuration()
"""What is done where nothing is set."""
