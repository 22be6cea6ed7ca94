"""medweave: medical knowledge-graph question answering with its evidence in view.

    >>> from medweave import KnowledgeBase
    >>> with KnowledgeBase.sample() as base:
    ...     answer = base.ask("What are the symptoms of a cold?")
    >>> answer.status
    'answered'

Everything public is on this page. Importing it is cheap: what a name needs is loaded when the name
is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from medweave.errors import (
        MappingError,
        MedweaveError,
        NotFoundError,
        QuestionError,
        SourceError,
        StatementError,
        StoreError,
        VocabularyError,
    )
    from medweave.graph.builder import BuildReport
    from medweave.knowledge_base import KnowledgeBase
    from medweave.model.answer import Answer
    from medweave.model.configuration import Configuration
    from medweave.model.document import Document
    from medweave.model.entity import Entity
    from medweave.model.question import Question
    from medweave.model.statement import Evidence, Literal, Statement, SupportedStatement

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "BuildReport",
    "Configuration",
    "Document",
    "Entity",
    "Evidence",
    "KnowledgeBase",
    "Literal",
    "MappingError",
    "MedweaveError",
    "NotFoundError",
    "Question",
    "QuestionError",
    "SourceError",
    "Statement",
    "StatementError",
    "StoreError",
    "SupportedStatement",
    "VocabularyError",
    "__version__",
]

_HOMES = {
    "medweave.knowledge_base": ("KnowledgeBase",),
    "medweave.errors": tuple(name for name in __all__ if name.endswith("Error")),
    "medweave.graph.builder": ("BuildReport",),
    "medweave.model.answer": ("Answer",),
    "medweave.model.configuration": ("Configuration",),
    "medweave.model.document": ("Document",),
    "medweave.model.entity": ("Entity",),
    "medweave.model.question": ("Question",),
    "medweave.model.statement": ("Evidence", "Literal", "Statement", "SupportedStatement"),
}


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module 'medweave' has no attribute '{name}'")
