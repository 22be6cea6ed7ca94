"""The past dialogues that a question names as its context: "use dialogue 145 as context"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from medweave.language.data import shipped_yaml

_ID = r"[A-Za-z]{0,12}[-_/]?\d[A-Za-z0-9_/~-]*"
_DIGIT = re.compile(r"\d")
_AN_ID = re.compile(_ID)
_LABEL = re.compile(r"^(?:id|no|nr)?[-_./]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Anchor:
    """An id that a question names; `sure` where it can be nothing but that of a dialogue."""

    id: str
    sure: bool

    @property
    def readings(self) -> tuple[str, ...]:
        """The id as it is written, without what only says that it is one, and with it.

        >>> Anchor("145", True).readings, Anchor("no-7", True).readings
        (('145', 'ID-145'), ('no-7', '7'))
        """
        bare = _LABEL.sub("", self.id)
        return (self.id, bare if bare != self.id else f"ID-{self.id}")


def anchors_in(text: str) -> tuple[Anchor, ...]:
    """The dialogues that a question names, each once.

    >>> anchors_in("Use Dialogue ID-145 as context: what was the cause?")
    (Anchor(id='145', sure=True),)
    >>> anchors_in("Based on cases 12 and 15, what helps?")
    (Anchor(id='12', sure=True), Anchor(id='15', sure=True))
    >>> anchors_in("参考对话145，原因是什么？"), anchors_in("In case 2 tablets do not help?")
    ((Anchor(id='145', sure=True),), ())
    """
    if _DIGIT.search(text) is None:
        return ()
    found: dict[str, Anchor] = {}
    rules = _rules()
    for match in rules.named.finditer(text):
        ids, behind = _listed(text, match)
        if match["sure"]:
            sure = True
        else:
            after = text[behind:]
            named = bool(rules.after.search(after))
            within = match["within"] is not None and bool(rules.reads_on.search(after))
            sure = named or match["before"] is not None
            if not (sure or within):
                continue
        for one in ids:
            found.setdefault(one, Anchor(one, sure))
    return tuple(found.values())


def _listed(text: str, match: re.Match[str]) -> tuple[list[str], int]:
    """The ids of a list that begins here, and where it ends."""
    ids, end = [match["id"].strip("-_/")], match.end()
    while between := _rules().list.match(text[end:]):
        more = _AN_ID.match(text, end + between.end())
        if more is None:
            break
        ids.append(more.group().rstrip("-_/"))
        end = more.end()
    return ids, end


@dataclass(frozen=True, slots=True)
class _Rules:
    named: re.Pattern[str]
    after: re.Pattern[str]
    reads_on: re.Pattern[str]
    list: re.Pattern[str]


@cache
def _rules() -> _Rules:
    content = shipped_yaml("vocabulary", "dialogue_anchors.yaml")

    def either(part: str) -> str:
        every = sorted((*content[part]["en"], *content[part]["zh"]), key=lambda w: (-len(w), w))
        return "|".join(map(re.escape, every))

    number = r"(?:[ ]?(?:no\.?|number|id|nr\.?|编号|号))?[ ]?:?[ ]?#?"
    named = (
        rf"(?:(?<![A-Za-z])(?:(?P<before>{either('before')})|(?P<within>{either('within')}))"
        rf"[ ]?{content['the']})?"
        rf"(?<![A-Za-z])(?:(?P<sure>{either('sure')})|(?P<likely>{either('likely')}))"
        rf"{number}(?P<id>{_ID})(?![A-Za-z0-9_%])"
    )
    after, reads_on = (
        re.compile("|".join(content[part].values()), re.IGNORECASE)
        for part in ("after", "reads_on")
    )
    several = re.compile(content["list"], re.IGNORECASE)
    return _Rules(re.compile(named, re.IGNORECASE), after, reads_on, several)
