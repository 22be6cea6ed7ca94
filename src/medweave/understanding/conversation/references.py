"""What a question of a letter means that names no medicine: "the tablets", "if I forget one"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from medweave.language.folding import lower
from medweave.model.question import BY_HABIT, FINDINGS, Mention, Question
from medweave.understanding.conversation.letter_questions import Piece, letter_rule
from medweave.understanding.conversation.wording import words

_MOST = 4
"""More medicines are not meant by a word for all of them."""


def with_medicines_named(
    piece: Piece, whole: Question, understand: Callable[[str], Question]
) -> str:
    """A question in which "the tablets" are those that the letter says are taken, and what they
    may have brought on is asked of them: "my ankles swell, is that from the tablets?"."""
    taken = [m for m in _before(piece, whole) if m.role == "taken" and m.entity not in BY_HABIT]
    names = list(dict.fromkeys(mention.text for mention in taken))
    if not 0 < len(names) <= _MOST:
        return piece.text
    held = words(whole.language)
    text = _with_member(piece.text, names, whole.language, understand)
    joined = held["and"].join(names)
    if found := letter_rule("the_medicines", whole.language).search(lower(text)):
        text = text[: found.start()] + joined + text[found.end() :]
    brought = letter_rule("brought_on", whole.language).search(lower(text))
    if brought is None:
        return text
    found_before = [m for m in understand(text).mentions
                    if m.concept in FINDINGS and m.end <= brought.start()]  # fmt: skip
    if not found_before:
        return text
    by = text[brought.end() :].strip(" .?？。") or joined
    return held["brings_on"].format(drugs=by, finding=found_before[-1].text)


def _with_member(
    text: str, names: Sequence[str], language: str, understand: Callable[[str], Question]
) -> str:
    """A question in which "the statin" is the one that is taken."""
    classes = understand(text).of_concept("drug_class")
    for name in names if classes else ():
        told = words(language)["taking"].format(drug=name, text=text)
        remaining = {m.text for m in understand(told).of_concept("drug_class")}
        for named in classes:
            if named.text not in remaining:
                begins = letter_rule("somebodys", language).search(lower(text[: named.start]))
                start = begins.start() if begins else named.start
                return text[:start] + name + text[named.end :]
    return text


def of_a_medicine(
    text: str, piece: Piece, lead: Sequence[Piece], whole: Question
) -> Iterator[str]:
    """A question that names nothing, as asked of each medicine of which it may be: of what was
    named right before it, then of what is taken."""
    asked, language = text.rstrip(" .?？。"), whole.language
    near = lead[-1].start if lead else piece.start
    drugs = sorted(_before(piece, whole), key=lambda m: (m.start < near, m.role != "taken"))
    goes_on = letter_rule("goes_on_with", language).search(lower(asked))
    for name in dict.fromkeys(mention.text for mention in drugs):
        if goes_on:
            at = goes_on.end()
            yield f"{asked[:at]} {name}{asked[at:]}?"
        yield words(language)["of"].format(text=asked, name=name)


def asks_which(text: str, language: str) -> bool:
    """Whether a question wants a list: "what can she take?"."""
    return letter_rule("which", language).search(lower(text)) is not None


def _before(piece: Piece, whole: Question) -> list[Mention]:
    """The medicines of the patient that a letter names before a question."""
    return [
        m
        for m in whole.of_concept("drug")
        if m.start < piece.start and m.status != "absent" and m.experiencer != "other"
    ]
