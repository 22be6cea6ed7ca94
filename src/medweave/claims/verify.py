"""The claim gate: a text is read for what it claims, and each claim held against a base."""

from __future__ import annotations

from collections.abc import Sequence

from medweave.claims.checking import Checker
from medweave.claims.dosing import Dosing, doses_of
from medweave.claims.reading import read_parts
from medweave.errors import QuestionError
from medweave.guideline.contribution import Supports
from medweave.language.folding import without_halves
from medweave.language.segmentation import language_of
from medweave.model.belief import belief
from medweave.model.claim import Verified
from medweave.model.guideline import Guideline
from medweave.vocabulary.knowledge import Knowledge

MAX_CHARACTERS = 100_000


def verify(
    text: str, knowledge: Knowledge, guidelines: Sequence[tuple[Guideline, Supports]] = ()
) -> Verified:
    """What a text claims, with what of a base says or denies it. No model is asked.

    `guidelines`, each with what its sentences rest on, give the doses of their treatment steps; no
    other dose is let through. Raises `QuestionError` for a text that is empty or longer than
    `MAX_CHARACTERS`.
    """
    if not text.strip():
        raise QuestionError("there is no text", remedy="give a sentence")
    if len(text) > MAX_CHARACTERS:
        raise QuestionError(
            f"this text has more than {MAX_CHARACTERS:,} characters", remedy="give a shorter one"
        )
    text = without_halves(text)
    doses = [
        dose
        for guideline, supports in guidelines
        for dose in doses_of(guideline, supports.statements)
    ]
    checker = Checker(knowledge, Dosing(doses, knowledge))
    claims = tuple(
        claim for part in read_parts(text, knowledge) for claim in checker.claims(part, text)
    )
    used = checker.used
    things = sorted({entity for each in used.values() for entity in each.statement.entities})
    cited = sorted({item.document for each in used.values() for item in each.evidence})
    entities = knowledge.entities.all(things) if things else {}
    documents = {each.id: each for each in knowledge.store.documents(cited)} if cited else {}
    for _, supports in guidelines if doses else ():
        entities = {
            **entities,
            **{e: supports.entities[e] for e in things if e in supports.entities},
        }
        documents = {**supports.documents, **documents}
    return Verified(
        text,
        claims,
        used,
        entities,
        {identifier: documents[identifier] for identifier in cited},
        {identifier: belief(each.evidence) for identifier, each in used.items()},
        language_of(text),
    )
