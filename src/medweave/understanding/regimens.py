"""Medicines told to be taken by their dose, their times, since when, or a verb right before them.

"Priadel 800 at night. The nurse gave indapamide" tells what is taken without a verb. It does so
only beside another medicine that is in question, in a clause that neither asks nor offers. The
words are data: rules/regimens.yaml.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from medweave.language.data import rules_in
from medweave.language.passage import Passage, Span
from medweave.language.prefilter import Expression
from medweave.model.question import BY_HABIT, SUBSTANCES, Mention
from medweave.understanding.intents.find import asks_anything

_SEEN = 160
"""Characters before and behind a name in which its regimen stands."""
_RULES = ("before", "behind", "list", "joins", "not_so", "asks")


def with_regimens(
    passage: Passage, mentions: Sequence[Mention], told_by_events: Collection[Span] = ()
) -> tuple[Mention, ...]:
    """The mentions; a medicine that is asked about beside another, but told with its regimen, is
    taken. What an event tells of stays what the event makes of it.

    >>> from medweave.language.passage import passage_of
    >>> text = "Priadel 800 at night. Locum gave indapamide."
    >>> names = (("Priadel", 0, 7), ("indapamide", 33, 43))
    >>> asked = [Mention(s, e, n, n, n, "drug", role="asked") for n, s, e in names]
    >>> [m.role for m in with_regimens(passage_of(text), asked)]
    ['taken', 'asked']
    """
    asked = [
        m
        for m in mentions
        if m.concept in SUBSTANCES and m.role == "asked" and m.entity not in BY_HABIT
    ]
    if len({m.entity for m in asked}) < _SEVERAL:
        return tuple(mentions)
    free = [m for m in asked if (m.start, m.end) not in told_by_events and m.status != "absent"]
    taken = _Reading(passage, _rules(passage.language)).taken(free)
    entities = {m.entity for m in taken}
    if not any(m.entity not in entities for m in asked):
        return tuple(mentions)
    spans = {(m.start, m.end) for m in taken}
    return tuple(
        replace(m, role="taken") if m.role == "asked" and (m.start, m.end) in spans else m
        for m in mentions
    )


_SEVERAL = 2


@dataclass(frozen=True)
class _Reading:
    passage: Passage
    rules: dict[str, Expression]
    asked_from: dict[Span, int] = field(default_factory=dict)
    asking: dict[Span, bool] = field(default_factory=dict)

    def taken(self, asked: Sequence[Mention]) -> list[Mention]:
        """Those that are told with their regimen, and those that stand in one list with them."""
        may_be = [m for m in asked if self._may_be(m)]
        found = {(m.start, m.end) for m in may_be if self._has_regimen(m)}
        lists = self._lists(may_be) if found else []
        told = (some for some in lists if any((m.start, m.end) in found for m in some))
        spans = {(m.start, m.end) for some in told for m in some}
        return [m for m in asked if (m.start, m.end) in spans]

    def _lists(self, asked: Sequence[Mention]) -> list[list[Mention]]:
        """The mentions, those of one list together."""
        lists: list[list[Mention]] = []
        for mention in asked:
            between = self.passage.plain[lists[-1][-1].end : mention.start] if lists else ""
            if lists and self.rules["joins"].search(between):
                lists[-1].append(mention)
            else:
                lists.append([mention])
        return lists

    def _may_be(self, mention: Mention) -> bool:
        """Whether its clause neither offers it nor asks, and nothing before it in the sentence
        asks."""
        sentence = self.passage.sentence_at(mention.start)
        first, last = self.passage.clause_at(mention.start)
        first = max(first, sentence[0])
        offered_in = self.passage.plain[max(first, mention.start - _SEEN) : mention.start]
        return not (
            self._asked_from(sentence) <= mention.start
            or self.rules["not_so"].search(offered_in)
            or self._asks((first, last))
        )

    def _asked_from(self, sentence: Span) -> int:
        """Behind which place of a sentence what is named is asked about; looked for once, for a
        sentence may name thousands."""
        if sentence not in self.asked_from:
            start, end = sentence
            asked = self.rules["asks"].search(self.passage.plain[start:end])
            self.asked_from[sentence] = start + asked.end() if asked else end + 1
        return self.asked_from[sentence]

    def _asks(self, clause: Span) -> bool:
        """Whether a clause asks; looked at once, too."""
        if clause not in self.asking:
            text = self.passage.text[slice(*clause)]
            self.asking[clause] = text.rstrip().endswith(("?", "？")) or asks_anything(
                text, self.passage.language, ()
            )
        return self.asking[clause]

    def _has_regimen(self, mention: Mention) -> bool:
        plain, (first, last) = self.passage.plain, self.passage.sentence_at(mention.start)
        before = plain[max(first, mention.start - _SEEN) : mention.start]
        behind = plain[mention.end : min(last, mention.end + _SEEN)]
        return any(
            self.rules[rule].search(text)
            for rule, text in (("before", before), ("behind", behind), ("list", before))
        )


@cache
def _rules(language: str) -> dict[str, Expression]:
    held = rules_in(language, "understanding", "rules", "regimens.yaml")
    return {rule: Expression(held[rule]) for rule in _RULES}
