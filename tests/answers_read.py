"""What somebody reads of an answer, for tests of what is said and of what is not."""

from collections.abc import Sequence

from medweave.faces.texts.layout import Layout
from medweave.knowledge_base import KnowledgeBase
from medweave.model.answer import Answer


def last_of(base: KnowledgeBase, turns: Sequence[str]) -> Answer:
    """The answer to the last turn of a conversation."""
    *before, now = turns
    return base.ask(now, history=before)


def said(answer: Answer) -> str:
    """All that is read, in lower case."""
    layout = Layout(answer, unfolded=True)
    stops = [f"{stop.label} {stop.name}: {stop.text}" for stop in layout.stops]
    told = [sentence.text for sentence in layout.sentences]
    taken = [taken.text for taken in answer.taken]
    return "\n".join((*stops, *told, *answer.direct, *answer.missing, *taken)).lower()
