"""Control characters of documents are shown, not obeyed."""

from __future__ import annotations

_HARMLESS = "\n\t"
_PICTURES = 0x2400
"""Unicode has a picture of each control character below 32, in the same order."""
_DELETE = 0x7F
_UNSEEN: dict[int, int | str] = {
    **{sign: _PICTURES + sign for sign in range(32) if chr(sign) not in _HARMLESS},
    _DELETE: "␡",
    **dict.fromkeys(range(0x80, 0xA0), "�"),  # control characters of eight bits
    **dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)), "�"),  # turns of direction
}


def visible(text: str) -> str:
    r"""A text whose control characters do nothing.

    >>> visible("\x1b[31mred")
    '␛[31mred'
    """
    return text.translate(_UNSEEN)
