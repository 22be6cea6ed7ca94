"""Whose a medicine is: read once for all rules, which then speak of "my" alone."""

from __future__ import annotations

import re
from functools import cache

from medweave.language.data import rules_in


def with_one_owner(text: str, language: str) -> str:
    """A lower-case text in which medicines are "xname", with one word for whoever has one.

    >>> with_one_owner("is it ok to crush my mum's slow-release xname", "en")
    'is it ok to crush my slow-release xname'
    >>> with_one_owner("it's my nans xname", "en"), with_one_owner("我妈的xname能掰开吗", "zh")
    ("it's my xname", '我的xname能掰开吗')
    """
    owner, plain = _owner(language)
    return owner.sub(plain, text)


@cache
def _owner(language: str) -> tuple[re.Pattern[str], str]:
    rules = rules_in(language, "understanding", "rules", "owners.yaml")
    return re.compile(rules["owner"].format(**rules)), rules["plain"]
