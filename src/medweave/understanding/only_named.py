"""Findings that a text names and tells of nobody: what a vaccine is against, and what somebody asks
to be told the signs of.

"She is due shingles and flu jabs" tells of no shingles, and "what are signs of digoxin poisoning?"
of no poisoning. The words are data: rules/only_named.yaml.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from medweave.language.data import rules_in
from medweave.language.passage import Passage
from medweave.language.prefilter import Expression
from medweave.model.question import FINDINGS, Mention

_SEEN = 60
"""Characters before and behind a name that say what it is named for."""
_RULES = ("vaccine_behind", "shows_before", "shows_behind")


def with_only_named(passage: Passage, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """The mentions; a finding that is present and is only named is told of nobody.

    >>> from medweave.language.passage import passage_of
    >>> text = "She is due shingles and flu jabs"
    >>> named = Mention(11, 19, "shingles", "x:s", "shingles", "disease", status="present")
    >>> with_only_named(passage_of(text), [named])[0].status
    'hypothetical'
    """
    return tuple(
        replace(m, status="hypothetical") if _is_only_named(passage, m) else m for m in mentions
    )


def _is_only_named(passage: Passage, mention: Mention) -> bool:
    if mention.concept not in FINDINGS or mention.status != "present":
        return False
    rules, plain = _rules(passage.language), passage.plain
    first, last = passage.sentence_at(mention.start)
    before = plain[max(first, mention.start - _SEEN) : mention.start]
    behind = plain[mention.end : min(last, mention.end + _SEEN)]
    return bool(
        rules["vaccine_behind"].search(behind)
        or rules["shows_before"].search(before)
        or rules["shows_behind"].search(behind)
    )


@cache
def _rules(language: str) -> dict[str, Expression]:
    held = rules_in(language, "understanding", "rules", "only_named.yaml")
    return {rule: Expression(held[rule]) for rule in _RULES}
