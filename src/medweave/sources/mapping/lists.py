"""Where a text parts into a list."""

from __future__ import annotations

import re

LIST_MARKS = ";；"
"""The signs at which it does, unless a mapping says otherwise."""


def split_at(value: str, marks: str) -> list[str]:
    """The parts of a text between marks, semicolons unless others are given.

    >>> split_at("fever; cough", ""), split_at("发热、咳嗽", "、")
    (['fever', 'cough'], ['发热', '咳嗽'])
    """
    parts = re.split(f"[{re.escape(marks or LIST_MARKS)}]", value)
    return [part.strip() for part in parts]
