"""How pictures look, and how they become bytes that are the same every time.

Matplotlib is loaded here and nowhere else, when the first picture is drawn, and without a screen.
Colours: Okabe and Ito, "Color universal design" (2008), told apart by colour-blind people too.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from io import BytesIO
from typing import Any

from medweave.errors import ConfigurationError

BLUE, SKY, ORANGE, GREEN = "#0072B2", "#56B4E9", "#E69F00", "#009E73"
VERMILLION, PURPLE, GREY, BLACK = "#D55E00", "#CC79A7", "#767676", "#222222"
WIDTH = 8.0
"""Inches."""
_LATIN = "DejaVu Sans"
"""Comes with matplotlib."""
_CHINESE = (
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "Source Han Sans CN",
    "Noto Sans CJK JP",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "Microsoft YaHei",
    "PingFang SC",
    "Hiragino Sans GB",
    "SimHei",
    "Arial Unicode MS",
)
"""Families that have Chinese; the first that is installed is used."""
_DRAWN_SAME: dict[str, Any] = {
    "svg.hashsalt": "medweave",
    "text.parse_math": False,  # a class may be named $x$
    "text.usetex": False,
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 11,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "legend.frameon": False,
}


@contextmanager
def our_style() -> Iterator[None]:
    """Our settings in place of the user's. Raises `ConfigurationError` without matplotlib."""
    try:
        from matplotlib import style
    except ImportError as error:
        raise ConfigurationError(
            "matplotlib is not installed, so the report has no pictures",
            remedy="run `pip install 'medweave[evaluate]'`",
        ) from error
    # a font without the weight of a title is replaced by its own regular one, and needs no notice
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    with style.context({**_DRAWN_SAME, "font.family": list(_fonts())}, after_reset=True):
        yield


@cache
def _fonts() -> dict[str, frozenset[int]]:
    """The families we write in, with the signs they have."""
    from matplotlib import font_manager
    from matplotlib.ft2font import FT2Font

    installed = {entry.name for entry in font_manager.fontManager.ttflist}
    chinese = [name for name in _CHINESE if name in installed]
    found = {}
    for name in [_LATIN, *chinese[:1]]:
        font = FT2Font(font_manager.findfont(name))
        found[name] = frozenset(font.get_charmap())
    return found


def can_write(text: str) -> bool:
    """Whether there is a font for every sign of a text."""
    return all(any(ord(sign) in signs for signs in _fonts().values()) for sign in text)


def new_picture(height: float) -> tuple[Any, Any]:
    """A figure and its axes; no backend with a screen is ever chosen."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    return figure, figure.subplots()


def as_bytes(figure: Any, title: str) -> dict[str, bytes]:
    """The picture as `svg` and `png`, without dates."""
    saved: dict[str, Callable[[BytesIO], None]] = {
        "svg": lambda held: figure.savefig(
            held, format="svg", metadata={"Date": None, "Title": title}
        ),
        "png": lambda held: figure.savefig(held, format="png", dpi=150, metadata={"Title": title}),
    }
    found = {}
    for kind, save in saved.items():
        held = BytesIO()
        save(held)
        found[kind] = held.getvalue()
    return found
