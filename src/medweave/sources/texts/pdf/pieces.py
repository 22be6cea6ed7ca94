"""What stands on a page of a PDF: pieces of text with their places, without what nobody sees."""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import atan2, hypot, pi
from typing import Any

from medweave.sources.texts.pdf.drawn import PATH, Box, Drawn, Rule, Rules, drawn_on, rules_of
from medweave.sources.texts.writing import raised

_MOST = 400_000
"""Characters of a page that are looked at."""
_WHITE, _CLEAR = 245, 12
"""Colours so light, and so little opacity, are not seen on paper."""
_TINY = 1.5
_INVISIBLE, _OUTLINED = 3, 2
"""Manners of drawing letters; those that are filled and outlined as well are a bold that the font
has not."""
_BOLD = 600
_GAP, _BACK, _RISE = 0.95, 1.2, 0.45
"""Parts of the size of letters: so wide a gap, step back or change of height ends a piece."""
_BLANK, _NO_BLANK, _TIGHT = 0.18, 0.03, 0.1
"""Parts of the size of letters: so wide a gap behind letters that stand tight is a blank without a
character, and in a narrower one a blank is drawn over."""
_DOT, _LEAST_DOT, _BESIDE = 0.65, 0.15, 2.5
"""A mark of an item that is drawn is so large, and stands so far before its line, at most."""
_SMALLER, _HIGHER = 0.85, 0.1
"""Letters so much smaller and higher than those before them are raised."""
_PICTURE = 0.5
"""A picture of so much of the page, with hardly a letter beside it, is a scan."""
_HARDLY, _FEW = 0.1, 80
_HYPHENS = {0x02: "-", 0xFFFE: "-", 0xAD: "-", 0x2010: "-"}
_UNDER = 4
"""Objects within objects that are looked at."""
_IMAGE, _SHADING, _FORM = 3, 4, 5

_LEFT, _OVER, _RIGHT = 1, 2, 3
"""Quarters of a turn of the text."""

_UNPARTED = "\u2e80"
"""From here on, scripts of which many write words without blanks."""


@dataclass(slots=True)
class Piece:
    """Text on one line without a wide gap in it; heights are measured from the top of the page."""

    left: float
    top: float
    right: float
    bottom: float
    text: str
    size: float
    bold: bool


@dataclass(slots=True)
class PagePieces:
    """A page as it was read."""

    width: float
    height: float
    pieces: list[Piece] = field(default_factory=list)
    rules: Rules = field(default_factory=Rules)
    unseen: int = 0
    """Characters that are there and that nobody sees."""
    turned: int = 0
    is_picture: bool = False
    """Hardly any text, but a large picture that may show some."""


@dataclass(slots=True)
class _Look:
    """How the characters of one text object look."""

    size: float
    bold: bool
    angle: int
    """In quarters of a turn; -1 for anything between."""
    invisible: bool
    white: bool


@dataclass(slots=True)
class _Character:
    text: str
    box: Box
    """Left, bottom, right, top, as PDF has them."""
    look: _Look


def page_pieces(page: Any) -> PagePieces:
    """The pieces of one page of `pypdfium2`, in the order in which the file has them."""
    width, height = page.get_size()
    box = page.get_bbox()  # get_cropbox() knows no box that a page has from its parents
    text_page = page.get_textpage()
    try:
        characters = list(_characters(text_page))
    finally:
        text_page.close()
    found = PagePieces(width, height)
    if sum(bool(character and character.text.strip()) for character in characters) < _FEW:
        found.is_picture = _has_large_picture(page, box)
    shown = _Shown(page, box, characters)
    angle = _usual_angle(characters)
    kept = list[_Character | None]()
    for character in characters:
        if character is None or shown.is_seen(character):
            turned = character is not None and character.look.angle != angle
            found.turned += turned
            kept.append(None if turned else character)
        else:
            found.unseen += bool(character.text.strip())
            kept.append(None)
    upright = [_upright(c, box, angle) if c else None for c in _spaced(kept)]
    if not angle:
        drawn = drawn_on(page, box)
        found.rules = rules_of(drawn)
    found.pieces = _pieces(upright, found.rules.down)
    if not angle:
        _mark_items(found.pieces, drawn)
    if angle in (_LEFT, _RIGHT):
        found.width, found.height = box[3] - box[1], box[2] - box[0]
    return found


def _characters(text_page: Any) -> Iterator[_Character | None]:
    """The characters of a page; None where the file itself ends a line."""
    import pypdfium2.raw as pdfium

    raw, box = text_page.raw, pdfium.FS_RECTF()
    looks = dict[int, _Look]()
    for index in range(min(text_page.count_chars(), _MOST)):
        code = pdfium.FPDFText_GetUnicode(raw, index)
        if code in (0x0A, 0x0D):
            yield None
            continue
        if not pdfium.FPDFText_GetLooseCharBox(raw, index, box):
            continue
        handle = pdfium.FPDFText_GetTextObject(raw, index)
        key = ctypes.cast(handle, ctypes.c_void_p).value or 0
        if not handle:  # a blank that stands between two words in no object
            yield _Character(" ", (box.left, box.bottom, box.right, box.top), _NO_LOOK)
            continue
        if key not in looks:
            looks[key] = _look(raw, index, handle)
        text = _HYPHENS.get(code) or chr(code)
        yield _Character(text, (box.left, box.bottom, box.right, box.top), looks[key])


_NO_LOOK = _Look(0, False, 0, False, False)


def _look(raw: Any, index: int, handle: Any) -> _Look:
    import pypdfium2.raw as pdfium

    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(raw, index, matrix)
    quarters = atan2(matrix.b, matrix.a) / (pi / 2)
    angle = round(quarters) % 4 if abs(quarters - round(quarters)) < _HARDLY else -1
    colour = [ctypes.c_uint() for _ in range(4)]
    known = pdfium.FPDFText_GetFillColor(raw, index, *colour)
    red, green, blue, opacity = (part.value for part in colour)
    size = pdfium.FPDFText_GetFontSize(raw, index) * hypot(matrix.c, matrix.d)
    mode = pdfium.FPDFTextObj_GetTextRenderMode(handle)
    return _Look(
        size=round(size, 1),
        bold=mode == _OUTLINED
        or pdfium.FPDFText_GetFontWeight(raw, index) >= _BOLD
        or _is_called_bold(raw, index),
        angle=angle,
        invisible=mode == _INVISIBLE or size < _TINY or (bool(known) and opacity <= _CLEAR),
        white=bool(known) and min(red, green, blue) >= _WHITE and mode in (0, 4),
    )


def _is_called_bold(raw: Any, index: int) -> bool:
    import pypdfium2.raw as pdfium

    name = ctypes.create_string_buffer(200)
    pdfium.FPDFText_GetFontInfo(raw, index, name, 200, ctypes.c_int())
    lowered = name.value.lower()
    return any(word in lowered for word in (b"bold", b"black", b"heavy", b"semibold"))


class _Shown:
    """What of a page is seen: not what is white on white, beyond the page, or drawn invisibly.

    Where a scan has been read by a program, its text lies invisibly over the picture: that is read.
    """

    def __init__(self, page: Any, box: Box, characters: list[_Character | None]) -> None:
        self._box = box
        looks = Counter[tuple[bool, bool]]()
        for each in characters:
            if each and each.text.strip():
                looks[each.look.invisible, each.look.white] += 1
        self._grounds = list(_boxes(page)) if any(white for _, white in looks) else []
        hidden = sum(count for (invisible, _), count in looks.items() if invisible)
        mostly = hidden > 0 and hidden >= (1 - _HARDLY) * looks.total()
        self._is_scan = mostly and _has_large_picture(page, box)

    def is_seen(self, character: _Character) -> bool:
        """Whether a reader of the page sees it."""
        left, bottom, right, top = character.box
        x, y = (left + right) / 2, (bottom + top) / 2
        if not _holds(self._box, x, y):
            return False
        if character.look.invisible:
            return self._is_scan
        return not character.look.white or any(_holds(ground, x, y) for ground in self._grounds)


def _has_large_picture(page: Any, box: Box) -> bool:
    area = (box[2] - box[0]) * (box[3] - box[1])
    pictures = _boxes(page, pictures=True)
    return any((p[2] - p[0]) * (p[3] - p[1]) >= _PICTURE * area for p in pictures)


def _holds(box: Box, x: float, y: float) -> bool:
    return box[0] - 1 <= x <= box[2] + 1 and box[1] - 1 <= y <= box[3] + 1


def _boxes(page: Any, *, pictures: bool = False) -> Iterator[Box]:
    """Where something of a colour is drawn, on which white letters are seen; or pictures alone."""
    for thing in page.get_objects(max_depth=1):
        if thing.type == _FORM:
            inside = page.get_objects(form=thing.raw, max_depth=_UNDER)
            coloured = any(_is_picture(o) or (not pictures and _is_coloured(o)) for o in inside)
        else:
            coloured = _is_picture(thing) or (not pictures and _is_coloured(thing))
        if coloured:
            yield thing.get_bounds()


def _is_picture(thing: Any) -> bool:
    return bool(thing.type == _IMAGE)


def _is_coloured(thing: Any) -> bool:
    import pypdfium2.raw as pdfium

    if thing.type == _SHADING:
        return True
    if thing.type != PATH:
        return False
    fills, strokes = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(thing.raw, fills, strokes)
    if not fills.value:
        return False
    colour = [ctypes.c_uint() for _ in range(4)]
    known = pdfium.FPDFPageObj_GetFillColor(thing.raw, *colour)
    red, green, blue, opacity = (part.value for part in colour)
    return not known or (min(red, green, blue) < _WHITE and opacity > _CLEAR)


def _usual_angle(characters: list[_Character | None]) -> int:
    angles = Counter(c.look.angle for c in characters if c and c.look is not _NO_LOOK)
    angles.pop(-1, None)
    return angles.most_common(1)[0][0] if angles else 0


def _upright(character: _Character, page: Box, angle: int) -> _Character:
    """A character as it stands when the page is held so that its text is upright; from the top."""
    left, bottom, right, top = character.box
    x0, y0, x1, y1 = page
    if angle == _LEFT:
        box = (bottom - y0, left - x0, top - y0, right - x0)
    elif angle == _OVER:
        box = (x1 - right, bottom - y0, x1 - left, top - y0)
    elif angle == _RIGHT:
        box = (y1 - top, x1 - right, y1 - bottom, x1 - left)
    else:
        box = (left - x0, y1 - top, right - x0, y1 - bottom)
    return _Character(character.text, box, character.look)


def _mark_items(pieces: list[Piece], drawn: list[Drawn]) -> None:
    """Give pieces the marks of items that are drawn before them, as browsers do."""
    largest = max((piece.size for piece in pieces), default=0)
    for path in drawn:
        left, top, right, bottom = path.box
        wide, high, middle = right - left, bottom - top, (top + bottom) / 2
        if max(wide, high) > _DOT * largest:
            continue
        line = [piece for piece in pieces if piece.top < middle < piece.bottom]
        for piece in line:
            size = piece.size
            is_dot = all(_LEAST_DOT * size <= side <= _DOT * size for side in (wide, high))
            if is_dot and right <= piece.left <= right + _BESIDE * size:
                if all(other.right > left for other in line):
                    piece.text, piece.left = f"\u2022 {piece.text}", left
                break


def _spaced(characters: list[_Character | None]) -> list[_Character | None]:
    """Characters with a blank where the file only leaves room for one, and without those that the
    next letter stands over, as kerning in old typesetting leaves them."""
    found = list[_Character | None]()
    last: _Character | None = None
    tight = False
    for each in characters:
        if each is None:
            last = None
        elif each.text.strip() and last:
            gap = (each.box[0] - last.box[2]) / (last.look.size or 1)
            is_line = abs(each.box[1] - last.box[1]) < _RISE * last.look.size
            blank = found[-1] is not last
            is_line = is_line and _of_letters(last, each)
            if is_line and blank and -_BACK < gap <= _NO_BLANK:
                found.pop()
            elif is_line and not blank and tight and _BLANK <= gap < _GAP:
                found.append(_Character(" ", each.box, _NO_LOOK))
            tight = not blank and gap < _TIGHT
        if each is not None and each.text.strip():
            last = each
        found.append(each)
    return found


def _of_letters(one: _Character, other: _Character) -> bool:
    """Whether two characters are of a script that parts its words by blanks."""
    return one.text < _UNPARTED and other.text < _UNPARTED and one.look.angle == 0


def _pieces(characters: list[_Character | None], down: tuple[Rule, ...] = ()) -> list[Piece]:
    """Characters that stand close behind each other, as pieces; a rule between them parts them."""
    found = list[Piece]()
    open_: Piece | None = None
    sizes, bold = Counter[float](), 0
    for each in [*characters, None]:
        if open_ and (each is None or not _goes_on(open_, each) or _is_parted(open_, each, down)):
            open_.bold = bold * 2 > sizes.total()
            open_.size = sizes.most_common(1)[0][0]
            open_.text = open_.text.strip()
            found.append(open_)
            open_ = None
        if each is None or (open_ is None and not each.text.strip()):
            continue
        if open_ is None:
            open_ = Piece(*each.box, "", each.look.size, False)
            sizes, bold = Counter(), 0
        if _is_raised(open_, each):
            open_.text = open_.text.rstrip()
            open_.text += raised(open_.text, each.text)
        else:
            open_.text += each.text
        if each.text.strip():
            open_.right = max(open_.right, each.box[2])
            open_.top, open_.bottom = min(open_.top, each.box[1]), max(open_.bottom, each.box[3])
            sizes[each.look.size] += 1
            bold += each.look.bold
    return found


def _is_parted(piece: Piece, character: _Character, down: tuple[Rule, ...]) -> bool:
    """Whether a rule stands between a piece and a character behind it."""
    if not (down and character.text.strip()):
        return False
    left, top, right, bottom = character.box
    middle, end = (top + bottom) / 2, (left + right) / 2
    return any(piece.right - 1 < r.at < end and r.start < middle < r.end for r in down)


def _is_raised(piece: Piece, character: _Character) -> bool:
    """Whether a character is smaller than the text of its piece, and stands higher."""
    size = character.look.size
    higher = piece.bottom - character.box[3] > _HIGHER * piece.size
    return bool(piece.text and character.text.strip()) and size < _SMALLER * piece.size and higher


def _goes_on(piece: Piece, character: _Character) -> bool:
    """Whether a character belongs to a piece."""
    left, top, _, bottom = character.box
    if character.look is _NO_LOOK or not character.text.strip():
        return True
    size = piece.size or bottom - top
    if not -_BACK * size <= left - piece.right <= _GAP * size:
        return False
    middle, other = (top + bottom) / 2, (piece.top + piece.bottom) / 2
    return abs(middle - other) <= _RISE * max(size, character.look.size)
