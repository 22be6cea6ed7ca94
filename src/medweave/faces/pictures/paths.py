"""The picture of an answer: what the question names on the left, what it leads to on the right.

This module decides what is drawn and where; `templates/paths.svg.jinja` writes the SVG.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from unicodedata import east_asian_width

from medweave.faces.texts import Words
from medweave.model.answer import Answer, Path
from medweave.model.dialogue_tree import HAS_SECTION
from medweave.model.statement import Statement, SupportedStatement

_MAX_LINES = 3
_LETTER, _IDEOGRAPH = 7.2, 13.0
MAX_EDGES = 12
WIDE, NARROW = 720, 340
_COLUMN_SHARE = 0.29
_RUN = 0.8
"""How much of the way between columns a line may be straight, to carry its label."""
_SMALL = 0.88
"""Labels, compared with names."""
_LINE, _PORT, _NOTED_PORT, _PADDING, _GAP, _MARGIN = 17, 20, 31, 10, 14, 8


@dataclass(frozen=True, slots=True)
class Edge:
    """One statement to be drawn: from a thing in one column to a thing in a later one."""

    source: tuple[int, str]
    target: tuple[int, str]
    supported: SupportedStatement

    @property
    def strength(self) -> float:
        """The strongest that any source makes of it (0 to 1)."""
        return max((item.strength for item in self.supported.evidence), default=0.0)

    @property
    def denied(self) -> bool:
        """Whether sources only deny it."""
        return bool(self.supported.denied) and not self.supported.affirmed


@dataclass(frozen=True, slots=True)
class Box:
    """A thing with its place."""

    x: float
    y: float
    width: float
    height: float
    lines: tuple[str, ...]
    full: str


@dataclass(frozen=True, slots=True)
class Line:
    """A connection with its place; the arrow points at the statement's object."""

    start: tuple[float, float]
    end: tuple[float, float]
    run: float
    """How far it is straight before its end, so that the label lies on it."""
    width: float
    denied: bool
    forward: bool
    label: str
    note: str
    full: str
    """The whole statement, for where the label had to be cut."""

    @property
    def curve(self) -> str:
        """The path data of the SVG: level at both ends."""
        (x1, y1), (x2, y2) = self.start, self.end
        bend = x2 - self.run
        middle = (x1 + bend) / 2
        curve = f"C{middle:.1f} {y1:.1f} {middle:.1f} {y2:.1f} {bend:.1f} {y2:.1f}"
        return f"M{x1:.1f} {y1:.1f}{curve}H{x2:.1f}"

    @property
    def arrow(self) -> str:
        """The path data of the arrow head."""
        (x, y), back = (self.end, -7) if self.forward else (self.start, 7)
        return f"M{x:.1f} {y:.1f}l{back} -4v8z"


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything to be drawn, in units of the SVG."""

    width: int
    height: float
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]


def answer_edges(answer: Answer) -> tuple[Edge, ...]:
    """What can be drawn: the statements of the paths, else those the sentences rest on."""
    found = _path_edges(answer) if answer.paths else _sentence_edges(answer)
    return tuple(dict.fromkeys(found))


def draw(answer: Answer, edges: tuple[Edge, ...], width: int) -> Picture:
    """Places the edges in columns on a canvas of this width."""
    return _Layout(Words(answer.question, answer.entities), edges, width).picture()


def _path_edges(answer: Answer) -> Iterator[Edge]:
    last = max(len(path.statements) for path in answer.paths)
    for path in answer.paths:
        yield from _edges_of(answer, path, last)


def _edges_of(answer: Answer, path: Path, last: int) -> Iterator[Edge]:
    here = path.source
    for step, identifier in enumerate(path.statements, 1):
        supported = answer.statements[identifier]
        there = _other_end(supported.statement, here)
        column = last if step == len(path.statements) else step
        yield Edge((step - 1, here), (column, there), supported)
        here = there


def _other_end(statement: Statement, end: str) -> str:
    return statement.subject if statement.object == end else _object_key(statement)


def _object_key(statement: Statement) -> str:
    """The object's identifier; for a text, that of the statement."""
    return statement.object_entity or statement.id


def _sentence_edges(answer: Answer) -> Iterator[Edge]:
    asked = {mention.entity for mention in answer.question.mentions}
    for sentence in answer.sentences:
        for identifier in sentence.statements:
            supported = answer.statements[identifier]
            if supported.statement.predicate == HAS_SECTION:
                continue  # a case and what is quoted of it are no connection
            left, right = supported.statement.subject, _object_key(supported.statement)
            if right in asked and left not in asked:
                left, right = right, left
            yield Edge((0, left), (1, right), supported)


class _Layout:
    """Computes the places of boxes and lines of one picture."""

    def __init__(self, words: Words, edges: tuple[Edge, ...], width: int) -> None:
        self._words = words
        self._edges = edges
        self._width = width
        self._columns = _columns(edges)
        last = max(1, len(self._columns) - 1)
        self._box_width = width * _COLUMN_SHARE * 2 / (last + 1)
        self._step = (width - self._box_width) / last
        self._labels = _labels(words, edges)
        self._notes = {edge: words.note(edge.supported.statement) for edge in edges}

    def picture(self) -> Picture:
        heights = [self._column_height(column) for column in self._columns]
        total = max(heights, default=0.0) + 2 * _MARGIN
        boxes: dict[tuple[int, str], Box] = {}
        for column, height in zip(self._columns, heights, strict=True):
            boxes.update(self._placed(column, (total - height) / 2))
        lines = tuple(self._lines(boxes))
        return Picture(self._width, total, tuple(boxes.values()), lines)

    def _incoming(self, key: tuple[int, str]) -> list[Edge]:
        return [edge for edge in self._edges if edge.target == key]

    def _port_height(self, edge: Edge) -> int:
        return _NOTED_PORT if self._notes[edge] else _PORT

    def _text(self, key: tuple[int, str]) -> tuple[str, ...]:
        room = self._box_width - _PADDING
        return wrapped(self._labels[key[1]], room)

    def _height(self, key: tuple[int, str]) -> float:
        ports = sum(self._port_height(edge) for edge in self._incoming(key))
        return float(max(len(self._text(key)) * _LINE, ports) + _PADDING)

    def _column_height(self, column: list[tuple[int, str]]) -> float:
        return sum(self._height(key) for key in column) + _GAP * (len(column) - 1)

    def _placed(
        self, column: list[tuple[int, str]], top: float
    ) -> Iterator[tuple[tuple[int, str], Box]]:
        for key in column:
            x = key[0] * self._step
            box = Box(
                x, top, self._box_width, self._height(key), self._text(key), self._labels[key[1]]
            )
            top += box.height + _GAP
            yield key, box

    def _lines(self, boxes: dict[tuple[int, str], Box]) -> Iterator[Line]:
        ends = {key: self._ports(boxes, self._incoming(key), boxes[key]) for key in boxes}
        starts = {key: self._departures(boxes, key) for key in boxes}
        for edge in self._edges:
            statement = edge.supported.statement
            yield Line(
                starts[edge.source][edge],
                ends[edge.target][edge],
                self._run(edge),
                1.0 + 2.5 * edge.strength,
                edge.denied,
                _object_key(statement) == edge.target[1],
                self._fitting(self._label(edge)),
                self._fitting(self._notes[edge]),
                self._words.said(statement),
            )

    def _label(self, edge: Edge) -> str:
        label = self._words.predicate(edge.supported.statement.predicate)
        texts = self._words.texts
        if edge.denied:
            return f"{label} ({texts['denied']})"
        return f"{label} ({texts['disputed']})" if edge.supported.conflicting else label

    def _run(self, edge: Edge) -> float:
        longest = max(text_width(self._label(edge)), text_width(self._notes[edge]))
        return min(longest * _SMALL + 16, (self._step - self._box_width) * _RUN)

    def _fitting(self, text: str) -> str:
        """What fits beside the end of a line."""
        return shortened(text, ((self._step - self._box_width) * _RUN - 10) / _SMALL)

    def _ports(
        self, boxes: dict[tuple[int, str], Box], edges: list[Edge], box: Box
    ) -> dict[Edge, tuple[float, float]]:
        """Where lines arrive: one below the other, in the order of where they come from."""
        ordered = sorted(edges, key=lambda edge: boxes[edge.source].y)
        y = box.y + (box.height - sum(map(self._port_height, ordered))) / 2
        places = {}
        for edge in ordered:
            places[edge] = (box.x, y + _PORT - 6)
            y += self._port_height(edge)
        return places

    def _departures(
        self, boxes: dict[tuple[int, str], Box], key: tuple[int, str]
    ) -> dict[Edge, tuple[float, float]]:
        """Where lines leave: spread over the side of the box."""
        box = boxes[key]
        leaving = [edge for edge in self._edges if edge.source == key]
        ordered = sorted(leaving, key=lambda edge: boxes[edge.target].y)
        step = box.height / (len(ordered) + 1)
        right = box.x + box.width
        return {edge: (right, box.y + step * n) for n, edge in enumerate(ordered, 1)}


def _columns(edges: tuple[Edge, ...]) -> list[list[tuple[int, str]]]:
    keys = dict.fromkeys(key for edge in edges for key in (edge.source, edge.target))
    last = max((column for column, _ in keys), default=-1)
    return [[key for key in keys if key[0] == column] for column in range(last + 1)]


def _labels(words: Words, edges: Iterable[Edge]) -> dict[str, str]:
    """What stands in the boxes, by the identifier of the thing or of a statement with a text."""
    labels: dict[str, str] = {}
    for edge in edges:
        statement = edge.supported.statement
        labels[statement.subject] = words.name(statement.subject)
        labels[_object_key(statement)] = words.object(statement)
    return labels


def text_width(text: str) -> float:
    """About how wide a text is at the size of the picture's names."""
    return sum(_IDEOGRAPH if east_asian_width(c) in "WF" else _LETTER for c in text)


def shortened(text: str, room: float) -> str:
    """The text, cut with an ellipsis where it is wider than the room."""
    if text_width(text) <= room:
        return text
    while text and text_width(text) + _LETTER > room:
        text = text[:-1]
    return text.rstrip() + "…"


def wrapped(text: str, room: float) -> tuple[str, ...]:
    """The text in up to three lines, broken at spaces and between ideographs where possible."""
    lines: list[str] = []
    for piece in (part for word in _pieces(text) for part in _broken(word, room)):
        if lines and text_width(lines[-1] + piece.rstrip()) <= room:
            lines[-1] += piece
        else:
            lines.append(piece)
    shown = [line.strip() for line in lines]
    if len(shown) > _MAX_LINES:
        shown = [*shown[: _MAX_LINES - 1], " ".join(shown[_MAX_LINES - 1 :])]
    return tuple(shortened(line, room) for line in shown)


def _broken(word: str, room: float) -> Iterator[str]:
    """A word that is too long for one line, in parts."""
    letters = max(2, int(room / _LETTER) - 1)
    while text_width(word.rstrip()) > room:
        yield word[:letters] + "-"
        word = word[letters:]
    yield word


def _pieces(text: str) -> list[str]:
    """Words with the space behind them; every ideograph on its own."""
    pieces: list[str] = []
    fresh = True
    for letter in text:
        wide = east_asian_width(letter) in "WF"
        if fresh or wide:
            pieces.append(letter)
        else:
            pieces[-1] += letter
        fresh = wide or letter.isspace()
    return pieces
