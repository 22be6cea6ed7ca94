"""What is told by what goes with it: a device, a clinic, a test, a treatment, an event.

"I go to the INR clinic" tells of warfarin, "a CPAP at night" of sleep apnea. Which sign tells what
is data. What a sign tells beyond doubt becomes a mention like a name, linked as `implied`, and the
answer says by which words; what it tells only perhaps is asked about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from medweave.language.cues import Reading, read_mention
from medweave.language.data import rule_in, rules_in
from medweave.language.passage import Passage, Span
from medweave.language.people import people_of
from medweave.language.prefilter import Expression, Prefilter
from medweave.language.segmentation import is_capitalised, is_shouted
from medweave.model.question import (
    IMPLIED,
    SUBSTANCES,
    Described,
    DescribedKind,
    Link,
    Mention,
)
from medweave.understanding.linked import linked
from medweave.vocabulary.dictionary import Match
from medweave.vocabulary.knowledge import Knowledge

LINK = Link(IMPLIED, 0.8)
"""How a state is linked that a sign tells."""
_ASKED = 0.6
"""How certain a sign is that is asked about: drugs that it excludes are held back."""
_KINDS: dict[str, DescribedKind] = {"has": "condition", "takes": "drug"}
_BEFORE = 60
"""Characters before a sign that may say that it is nobody's yet, or only spoken of."""
_IMPLIED = ("understanding", "rules", "implied.*.yaml")
_AS_WRITTEN = str.maketrans({"\n": " ", "\t": " ", "’": "'", "‘": "'"})


@dataclass(frozen=True, slots=True)
class Indicator:
    """One way of telling something."""

    names: tuple[str, ...]
    """Its names, to be tried in order; none where the words tell nothing."""
    kind: DescribedKind
    sure: bool
    stays: bool
    sex: str | None
    """The only sex of whom it tells this."""
    beside_medicines: bool
    of_work: bool
    """It is where the writer works: nothing that it names is anybody's."""
    in_capitals: bool
    expression: Expression

    def may_tell_of(self, passage: Passage) -> bool:
        """Whether the person whom a passage is about can be of its sex."""
        return self.sex is None or people_of(passage).sex in (None, self.sex)


@dataclass(frozen=True, slots=True)
class ImpliedFacts:
    """What the signs of a text tell: for sure, as mentions, and perhaps."""

    mentions: tuple[Mention, ...] = ()
    described: tuple[Described, ...] = ()
    dismissed: tuple[Span, ...] = ()
    """Where a sign stands that is somebody else's, only spoken of, or none."""
    of_work: tuple[Span, ...] = ()
    """Where somebody tells of what they do: "dialysis nurse here"."""


def find_implied(
    passage: Passage, mentions: Sequence[Mention], knowledge: Knowledge
) -> ImpliedFacts:
    """What a text tells by signs, beside what it names; nothing that it names or denies itself.

    Of signs that overlap the longest counts, and a longer name of anything goes before a sign.
    """
    known = {e for m in mentions if m.experiencer == "patient" for e in m.entities}
    told, described, dismissed = list[Mention](), list[Described](), list[Span]()
    work = list[Span]()
    for sign, span in _found(passage, mentions):
        if sign.of_work:
            work.append(span)
        named = next((n[:1] for t in sign.names if (n := knowledge.dictionary.names(t))), ())
        reading = read_mention(passage, *span)
        if reading.status == "absent" or (named and named[0].entity in known):
            continue
        if not named or not _counts(passage, span, reading) or not sign.may_tell_of(passage):
            dismissed.append(span)
            continue
        known.add(named[0].entity)
        if sign.sure:
            told.append(_mention(passage, sign, Match(*span, named), reading, knowledge))
        else:
            words = passage.text[slice(*span)]
            described.append(Described(*span, words, sign.kind, named[0].entity, _ASKED))
    return ImpliedFacts(tuple(told), tuple(described), tuple(dismissed), tuple(work))


def _counts(passage: Passage, span: Span, reading: Reading) -> bool:
    """Whether a sign is told of the person, and not asked about or only spoken of."""
    if reading.experiencer == "other" or reading.family or reading.asked:
        return False
    first = max(passage.sentence_at(span[0])[0], span[0] - _BEFORE)
    before = passage.plain[first : span[0]].translate(_AS_WRITTEN)
    return _nobodys_before(passage.language).search(before) is None


def _mention(
    passage: Passage, sign: Indicator, match: Match, reading: Reading, knowledge: Knowledge
) -> Mention:
    past = reading.temporality == "historical" and not sign.stays
    return linked(
        passage.text,
        match,
        LINK,
        passage.language,
        knowledge,
        status="unknown" if past else reading.status,
        temporality="historical" if past else "recent",
        doubted=reading.doubted,
    )


def with_implied(mentions: Sequence[Mention], implied: ImpliedFacts) -> tuple[Mention, ...]:
    """The mentions with what signs tell, in the order of the text; of a sign's own words only a
    medicine is a mention, and only where it is taken."""

    def is_part(mention: Mention, sign: Mention) -> bool:
        if not (sign.start <= mention.start and mention.end <= sign.end):
            return False
        if mention.text == sign.text and mention.link.how != "lay":
            return False  # a name that tells more
        before = sign.text[: mention.start - sign.start].lower()
        caused = sign.concept not in SUBSTANCES and rule_in("en", "brought_on", *_IMPLIED).search(
            before
        )
        return mention.concept not in SUBSTANCES or caused is not None

    held = (m for m in mentions if not _lies_in(m, implied.of_work))
    apart = (m for m in held if not any(is_part(m, sign) for sign in implied.mentions))
    return tuple(sorted((*apart, *implied.mentions), key=lambda m: (m.start, m.end)))


def _lies_in(mention: Mention, spans: Iterable[Span]) -> bool:
    return any(start <= mention.start and mention.end <= end for start, end in spans)


def with_implied_descriptions(
    described: Sequence[Described], implied: ImpliedFacts
) -> tuple[Described, ...]:
    """What signs tell perhaps, and what was read as a description elsewhere than in their words."""
    spans = [(m.start, m.end) for m in implied.mentions] + [*implied.dismissed]
    spans += [(one.start, one.end) for one in implied.described]
    apart = (one for one in described if not any(s < one.end and one.start < e for s, e in spans))
    return (*implied.described, *apart)


def _found(passage: Passage, mentions: Sequence[Mention]) -> Iterator[tuple[Indicator, Span]]:
    """The signs of a text and where they stand, but for what names are written over them."""
    text = passage.plain.translate(_AS_WRITTEN)
    hits = [
        (sign, match.span())
        for sign in _indicators(passage.language).of(text)
        for match in sign.expression.finditer(text)
        if not sign.in_capitals or _in_capitals(passage.text, match.span())
    ]
    medicines = any(m.concept in SUBSTANCES for m in mentions)
    hits = [hit for hit in hits if medicines or not hit[0].beside_medicines]
    names = [(m.start, m.end) for m in mentions]
    taken = list[Span]()
    for sign, (start, end) in sorted(hits, key=lambda hit: (hit[1][0] - hit[1][1], hit[1][0])):
        longer = any(s <= start and end <= e and (s, e) != (start, end) for s, e in names)
        if not longer and all(end <= s or e <= start or (start, end) == (s, e) for s, e in taken):
            taken.append((start, end))
            yield sign, (start, end)


def _in_capitals(text: str, span: Span) -> bool:
    return is_capitalised(text[slice(*span)]) and not is_shouted(text, *span)


@cache
def _indicators(language: str) -> Prefilter[Indicator]:
    return Prefilter(
        (sign, sign.expression.needs)
        for rule in _rules(language)["rules"]
        for sign in _made(rule, language)
    )


def shipped_indicators(language: str = "en") -> Iterator[Indicator]:
    """The signs that ship."""
    return _indicators(language).things()


def _rules(language: str) -> Any:
    return rules_in(language, *_IMPLIED)


def _made(rule: dict[str, Any], language: str) -> Iterator[Indicator]:
    """The signs of a rule: for each thing that it tells, those that are sure, and the others."""
    for key, kind in _KINDS.items():
        for part in ("signs", "letters", "asked"):
            if key in rule and part in rule:
                yield Indicator(
                    names=tuple(rule[key]),
                    kind=kind,
                    sure=part != "asked",
                    stays="stays" in rule,
                    sex=rule.get("of"),
                    beside_medicines="beside_medicines" in rule,
                    of_work="of_work" in rule,
                    in_capitals=part == "letters",
                    expression=_whole(
                        (each.lower() if part == "letters" else each for each in rule[part]),
                        language,
                    ),
                )


@cache
def _nobodys_before(language: str) -> Expression:
    before = _rules(language)["nobodys_before"]
    return Expression("|".join(_plain(each, language) for each in before))


def _whole(wordings: Iterable[str], language: str) -> Expression:
    """An expression for any of some wordings, at the ends of words; Chinese writes none."""
    ways = "|".join(f"(?:{_plain(wording, language)})" for wording in wordings)
    letter = "[a-z0-9]" if language == "zh" else r"[\w-]"
    return Expression(rf"(?<!{letter})(?:{ways})(?!{letter})")


def _plain(wording: str, language: str) -> str:
    for name, choices in _rules(language)["words"].items():
        wording = wording.replace(f"<{name}>", f"(?:{choices})")
    return wording
