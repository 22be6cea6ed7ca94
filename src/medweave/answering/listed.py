"""What an answer lists, in the order in which it is read."""

from __future__ import annotations

from medweave.answering.draft import Draft

_SEVERAL = 2


def listed_names(draft: Draft) -> list[str]:
    """The names of the drugs, of the diseases that are weighed, or of what the first sentence that
    lists anything lists; none, where nothing is listed."""
    name = draft.wording.name
    if draft.drugs:
        groups = [group for listed in draft.drugs for group in listed.groups]
        return [name(drug.entity.id) for group in groups for drug in group.drugs]
    if draft.weighing is not None:
        return [name(weighed.entity.id) for weighed in draft.weighing.diseases]
    for sentence in draft.sentences:
        statements = [draft.statements[identifier].statement for identifier in sentence.statements]
        for ends in ([s.subject for s in statements], [s.object_entity for s in statements]):
            if len(unique := list(dict.fromkeys(end for end in ends if end))) >= _SEVERAL:
                return [name(end) for end in unique]
    return []
