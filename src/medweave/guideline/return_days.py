"""In how many days to come back, read from the wording of a guideline's treatments."""

from __future__ import annotations

import re
from functools import cache

from medweave.language.data import shipped_yaml
from medweave.model.guideline import FollowUp


@cache
def _shapes() -> tuple[re.Pattern[str], dict[str, int]]:
    rules = shipped_yaml("guideline", "return_days.yaml")
    return re.compile(rules["shape"], re.IGNORECASE | re.VERBOSE), rules["units"]


def follow_ups_in(text: str) -> tuple[FollowUp, ...]:
    """All that a text says of coming back, the earliest first; `when` are its own words for it.

    >>> follow_ups_in("Follow-up in 2 days if fever persists. Return in 2 weeks.")
    (FollowUp(days=2, when='if fever persists'), FollowUp(days=14, when=''))
    """
    shape, units = _shapes()
    found = {
        FollowUp(
            int(match["number"]) * units[match["unit"].lower()],
            " ".join((match["when"] or "").split()),
        )
        for match in shape.finditer(text)
    }
    return tuple(sorted(found, key=lambda each: (each.days, each.when)))
