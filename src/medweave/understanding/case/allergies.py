"""Allergies that the text of a case tells, by the names the linker finds."""

from __future__ import annotations

from medweave.language.passage import passage_of
from medweave.language.segmentation import language_of
from medweave.model.question import SUBSTANCES, Mention
from medweave.understanding.patient import read_patient
from medweave.understanding.substances import with_roles
from medweave.vocabulary.dictionary import Dictionary


def allergies_in(text: str, dictionary: Dictionary) -> tuple[str, ...]:
    """The drugs, and classes of drugs, that a text says somebody is allergic to, as it is named."""
    language = language_of(text)
    mentions = tuple(
        Mention(
            match.start, match.end, text[match.start : match.end], each.entity, "", each.concept
        )
        for match in dictionary.find(text)
        for each in match.named
        if each.concept in SUBSTANCES
    )
    if not mentions:
        return ()
    passage = passage_of(text, language, [(m.start, m.end) for m in mentions])
    terms = dictionary.lexicon.terms
    found = read_patient(passage, with_roles(passage, mentions)).allergies
    return tuple(terms[each].preferred(language) for each in found if each in terms)
