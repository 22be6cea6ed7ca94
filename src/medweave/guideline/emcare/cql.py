"""Clinical Quality Language, as far as rules of guidelines need it: text → trees of expressions.

Sheets that CQL is made from write a little more, which is read as well: o"Cough" for a name of a
library, `.exists()` and `.empty()`, and `<<` for "among its answers is".

Nothing is executed. What is not read (queries over patient records, functions, types) is reported
for the one definition it stands in; the others are read all the same. The grammar is that of
HL7's CQL 1.5, without queries, intervals, dates and type specifiers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from medweave.errors import SourceError


@dataclass(frozen=True, slots=True)
class Name:
    """What a definition calls by its name; `library` is '' for one of its own."""

    name: str
    library: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """A function and what it is given."""

    name: str
    arguments: tuple[Term, ...]
    library: str = ""


@dataclass(frozen=True, slots=True)
class Value:
    """A text, number, truth value, or null; `unit` is '' for what has none."""

    value: str | float | bool | None
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator and its operands: "and", "or", "not", "=", "~", "<", "+", "is null" …"""

    operator: str
    operands: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """If … then … else, or case: the first whose condition holds, else the last."""

    cases: tuple[tuple[Term, Term], ...]
    otherwise: Term


Term = Name | Call | Value | Operation | Choice


@dataclass(frozen=True, slots=True)
class Code:
    """A code a library names: "Low": 'EmCare.Low'."""

    name: str
    code: str
    display: str


@dataclass(frozen=True, slots=True)
class Definition:
    """A name and what it stands for, with the comment that explains it."""

    name: str
    term: Term
    line: int
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Unread:
    """A definition that is not read, and why."""

    name: str
    line: int
    why: str


@dataclass(frozen=True, slots=True)
class Library:
    """A file of definitions; `includes` are other libraries by the names they go by here."""

    name: str
    version: str = ""
    includes: Mapping[str, str] = field(default_factory=dict)
    codes: Mapping[str, Code] = field(default_factory=dict)
    definitions: Mapping[str, Definition] = field(default_factory=dict)
    unread: tuple[Unread, ...] = ()


_TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*)
      |(?P<comment>/\*.*?\*/)
      |(?P<number>\d+(?:\.\d+)?)
      |(?P<quoted>"(?:[^"\\]|\\.)*")
      |(?P<text>'(?:[^'\\]|\\.)*')
      |(?P<word>[A-Za-z_][A-Za-z0-9_]*)
      |(?P<sign>!<<|<<|<=|>=|!=|!~|[-+*/<>=~().,{}\[\]:])""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_STATEMENTS = frozenset(
    {"library", "using", "include", "codesystem", "valueset", "code", "concept", "parameter",
     "context", "define"}
)  # fmt: skip
_DEPTH = 200
"""Deeper brackets than any rule has; what is nested deeper is not read."""


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    line: int


def read_library(text: str, *, where: str = "") -> Library:
    """The definitions of a library.

    Raises `SourceError` where the text is no library at all.

    >>> library = read_library('''
    ... library small version '1'
    ... define "Fast": "Rate" >= 50 '/min' and AgeInMonths() < 12
    ... ''')
    >>> library.name, library.definitions["Fast"].term.operator
    ('small', 'and')
    """
    statements = list(_statements(list(_tokens(text))))
    head = next((_words(s) for s in statements if s[0].text == "library"), ())
    if len(head) < 2:  # noqa: PLR2004
        raise SourceError(
            "this is no CQL library", where=where, remedy="give a file that begins with 'library'"
        )
    includes: dict[str, str] = {}
    codes: dict[str, Code] = {}
    definitions: dict[str, Definition] = {}
    unread: list[Unread] = []
    comment = ""
    for statement in statements:
        match statement[0].text:
            case "include":
                name, alias = _included(statement)
                includes[alias] = name
            case "code":
                code = _code(statement)
                codes[code.name] = code
            case "define":
                comment = _comment(statement)
                found = _definition(statement, comment)
                if isinstance(found, Definition):
                    definitions.setdefault(found.name, found)
                else:
                    unread.append(found)
    version = next(
        (_plain(after) for token, after in pairwise(head)
         if token.text == "version"), "",
    )  # fmt: skip
    return Library(_plain(head[1]), version, includes, codes, definitions, tuple(unread))


def read_term(text: str) -> Term:
    """One expression by itself, as sheets have it. Raises `UnreadError`.

    >>> read_term('o"Cough" = true').operands[0]
    Name(name='Cough', library='o')
    """
    tokens = [token for token in _tokens(text) if token.kind != "comment"]
    return _Parser(tokens).whole()


def _tokens(text: str) -> Iterator[_Token]:
    place, line = 0, 1
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            yield _Token("unknown", text[place], line)
            place += 1
            continue
        if match.lastgroup != "space":
            yield _Token(match.lastgroup or "", match.group(), line)
        line += match.group().count("\n")
        place = match.end()


def _statements(tokens: list[_Token]) -> Iterator[list[_Token]]:
    """Tokens from one keyword that begins a statement to the next, the comment before it first."""
    current: list[_Token] = []
    comment: _Token | None = None
    deep, before = 0, ""
    for token in tokens:
        if token.kind == "comment":
            comment = token
            continue
        deep += (token.text in "([{") - (token.text in ")]}") if token.kind == "sign" else 0
        begins = token.kind == "word" and token.text in _STATEMENTS and deep <= 0
        if begins and before != ".":
            if current:
                yield current
            current = [token, comment] if comment else [token]
            comment, deep = None, 0
        elif current:
            current.append(token)
        before = token.text
    if current:
        yield current


def _plain(token: _Token) -> str:
    """A name or text without its quotes."""
    if token.kind in {"quoted", "text"}:
        return _ESCAPE.sub(r"\1", token.text[1:-1])
    return token.text


def _words(statement: list[_Token]) -> list[_Token]:
    return [token for token in statement if token.kind != "comment"]


def _comment(statement: list[_Token]) -> str:
    found = next((token for token in statement if token.kind == "comment"), None)
    return found.text.strip("/* \n\t") if found else ""


def _included(statement: list[_Token]) -> tuple[str, str]:
    words = _words(statement)
    name = _plain(words[1]) if len(words) > 1 else ""
    for token, after in pairwise(words):
        if token.text == "called":
            return name, _plain(after)
    return name, name


def _code(statement: list[_Token]) -> Code:
    words = _words(statement)
    texts = [_plain(token) for token in words if token.kind == "text"]
    display = texts[-1] if texts else ""
    return Code(_plain(words[1]), texts[0] if texts else "", display)


def _definition(statement: list[_Token], comment: str) -> Definition | Unread:
    words = _words(statement)
    line = words[0].line
    if len(words) > 1 and words[1].text in {"function", "fluent"}:
        name = _plain(words[2]) if len(words) > 2 else ""  # noqa: PLR2004
        return Unread(name, line, "functions are not read")
    name = _plain(words[1]) if len(words) > 1 else ""
    try:
        colon = next(i for i, token in enumerate(words) if token.text == ":")
        return Definition(name, _Parser(words[colon + 1 :]).whole(), line, comment)
    except StopIteration:
        return Unread(name, line, "it has no body")
    except UnreadError as error:
        return Unread(name, line, str(error))


class UnreadError(Exception):
    """A construct this reader has no tree for; it says what."""


_BINARY = {
    "implies": 1, "or": 2, "xor": 2, "and": 3,
    "=": 5, "!=": 5, "~": 5, "!~": 5, "<<": 5, "!<<": 5, "<": 6, "<=": 6, ">": 6, ">=": 6,
    "+": 7, "-": 7, "*": 8, "/": 8,
}  # fmt: skip
_IS = 4.5
_NOT = 4


class _Parser:
    """Reads one expression by operator precedence."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self._deep = 0

    def whole(self) -> Term:
        term = self._expression(0)
        if self._at < len(self._tokens):
            raise UnreadError(f"'{self._tokens[self._at].text}' is not read here")
        return term

    def _next(self) -> _Token | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _is(self, *texts: str) -> bool:
        token = self._next()
        return token is not None and token.kind in {"sign", "word"} and token.text in texts

    def _take(self, *texts: str) -> _Token:
        token = self._next()
        if token is None or (texts and token.text not in texts):
            found = f"'{token.text}'" if token else "the end"
            expected = f"'{texts[0]}'" if texts else "more"
            raise UnreadError(f"{found} stands where {expected} was expected")
        self._at += 1
        return token

    def _expression(self, least: float) -> Term:
        self._deep += 1
        if self._deep > _DEPTH:
            raise UnreadError("it is nested too deeply")
        left = self._first()
        while (token := self._next()) is not None:
            if token.kind == "word" and token.text == "is" and least < _IS:
                left = self._tested(left)
                continue
            power = _BINARY.get(token.text, 0) if token.kind in {"sign", "word"} else 0
            if power <= least:
                break
            self._at += 1
            left = Operation(token.text, (left, self._expression(power)))
        self._deep -= 1
        return left

    def _tested(self, left: Term) -> Term:
        self._take("is")
        negated = self._is("not")
        if negated:
            self._take()
        tested = Operation(f"is {self._take('null', 'true', 'false').text}", (left,))
        return Operation("not", (tested,)) if negated else tested

    def _first(self) -> Term:  # noqa: PLR0911, PLR0912  a case for each construct
        token = self._take()
        match token.kind, token.text:
            case "word", "not":
                return Operation("not", (self._expression(_NOT),))
            case "word", "exists":
                raise UnreadError("queries over patient records are not read")
            case "word", "if":
                return self._condition()
            case "word", "case":
                return self._cases()
            case "word", "true" | "false":
                return Value(token.text == "true")
            case "word", "null":
                return Value(None)
            case "sign", "-":
                return Operation("-", (Value(0.0), self._expression(_BINARY["*"])))
            case "sign", "{" if self._is("}"):
                self._take()
                return Value(None)
            case "sign", "(":
                inner = self._expression(0)
                self._take(")")
                return inner
            case "text", _:
                return Value(_plain(token))
            case "number", _:
                return Value(float(token.text), self._unit())
            case "word" | "quoted", _:
                return self._named(token)
            case _:
                raise UnreadError(f"'{token.text}' is not read")

    def _unit(self) -> str:
        token = self._next()
        if token is not None and token.kind == "text":
            self._at += 1
            return _plain(token)
        return ""

    def _named(self, token: _Token) -> Term:
        path = [_plain(token)]
        after = self._next()
        if token.kind == "word" and after is not None and after.kind == "quoted":
            path.append(_plain(self._take()))  # sheets write o"Cough" for a name of a library
        while self._is("."):
            self._take()
            path.append(_plain(self._take()))
        if self._is("("):
            return Call(path[-1], self._arguments(), ".".join(path[:-1]))
        if len(path) > 2:  # noqa: PLR2004
            raise UnreadError("properties of records are not read")
        return Name(path[-1], ".".join(path[:-1]))

    def _arguments(self) -> tuple[Term, ...]:
        self._take("(")
        found: list[Term] = []
        while not self._is(")"):
            found.append(self._expression(0))
            if not self._is(")"):
                self._take(",")
        self._take(")")
        return tuple(found)

    def _condition(self) -> Term:
        test = self._expression(0)
        self._take("then")
        then = self._expression(0)
        self._take("else")
        return Choice(((test, then),), self._expression(0))

    def _cases(self) -> Term:
        found: list[tuple[Term, Term]] = []
        while self._is("when"):
            self._take()
            test = self._expression(0)
            self._take("then")
            found.append((test, self._expression(0)))
        self._take("else")
        otherwise = self._expression(0)
        self._take("end")
        return Choice(tuple(found), otherwise)
