"""The single words of a report, whether or not a name was recognised in them.

"My skin itches" names nothing in a base that says "itching of the skin", but it shares words with
it. What is denied, doubted, past or another's is left out, as it is of names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from medweave.language.cues import read_mention
from medweave.language.passage import Passage
from medweave.language.stems import Stem, name_stems, stems
from medweave.model.question import FINDINGS, Mention, Word


def corrected_stems(text: str, misread: Mapping[tuple[int, int], str]) -> list[Stem]:
    """The stems of a text in order; of words that are misspelt, of what they mean.

    >>> [stem.text for stem in corrected_stems("my skinn itches", {(3, 8): "skin"})]
    ['skin', 'itch']
    """
    return [
        Stem(stem.start, stem.end, corrected)
        for stem in stems(text)
        for corrected in sorted(name_stems(misread.get((stem.start, stem.end), ""))) or (stem.text,)
    ]


def value_stems(mentions: Iterable[Mention]) -> list[Stem]:
    """The words that values stand for: "39 °C" counts as the word "fever" does."""
    values = [mention for mention in mentions if mention.link.how == "value"]
    return [Stem(m.start, m.end, stem) for m in values for stem in sorted(name_stems(m.name))]


def reported_words(
    passage: Passage,
    mentions: tuple[Mention, ...],
    written: Iterable[Stem],
    known: Mapping[str, int],
) -> tuple[Word, ...]:
    """Each of the words of a text that are `known` (by its stem) and reported as present, once.

    `written` are its stems, and those of its values; `known` says in the names of how many
    findings one is. A word in a name is reported as that name is, where it names a finding at all.
    """
    found: dict[str, Word] = {}
    for stem in written:
        if stem.text in known and stem.text not in found:
            naming = next((m for m in mentions if m.start < stem.end and stem.start < m.end), None)
            present = _named_present(naming) if naming else _present(passage, stem)
            if present:
                named = _name_in_words(naming) if naming else ""
                word = passage.text[stem.start : stem.end]
                found[stem.text] = Word(
                    stem.start, stem.end, word, stem.text, known[stem.text], name_stems(named)
                )
    return tuple(found.values())


def _name_in_words(mention: Mention) -> str:
    if mention.link.how == "value":
        return mention.name
    return mention.link.read_as or mention.text


def _named_present(mention: Mention) -> bool:
    reported = mention.status == "present" and mention.experiencer == "patient"
    return reported and mention.concept in FINDINGS


def _present(passage: Passage, stem: Stem) -> bool:
    """A word that is only there counts as reported, as findings do in a question for a cause."""
    reading = read_mention(passage, stem.start, stem.end)
    reported = reading.status == "present" or (reading.status == "unknown" and not reading.doubted)
    return reported and reading.experiencer == "patient" and reading.temporality == "recent"
