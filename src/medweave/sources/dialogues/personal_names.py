"""Names of people in a text: by the words before them, by titles, by greetings, by given names.

A name is never what the lexicon knows as a drug or disease, nor the first half of one ("Bell's
palsy"), unless a title stands before it. Chinese names are told by a segmenter behind such words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from medweave.language.data import shipped_yaml
from medweave.language.folding import name_key
from medweave.language.given_names import given_names
from medweave.language.plain_english import is_plain_english
from medweave.vocabulary.lexicon import shipped_lexicon

_WORD = r"[A-Z](?:[a-zß-ÿ]+(?:[-'’][A-Z]?[a-zß-ÿ]+)*|['’][A-Z][a-zß-ÿ]+)"
_PARTICLE = r"(?:(?:van|von|de|der|den|da|di|dos|del|la|le|bin|al|el|ter|ten) ){0,3}"
_NAME = rf"{_PARTICLE}(?:{_WORD}|[A-Z]\.)(?:[ ]{_PARTICLE}(?:{_WORD}|[A-Z]\.?(?![\w'’]))){{0,3}}"
_ENDS_LINE = re.compile(r"\s*(?:[,.!:;–—-]|\n|$)")
_NEXT_WORD = re.compile(r"(?:['’](s)\b)?\s*([A-Za-z]+)")
_WORDS = re.compile(_WORD)
_BESIDE = re.compile(rf"(?:,| and|,? &) (?P<v>{_WORD})")
_SMALL_WORD = re.compile(r" ([a-z]{3,})\b")
_SPEAKS = re.compile(r" (?:here|calling|speaking|writing|again|from)\b")
"""Behind "this is" and a name."""
_HAN = re.compile(r"[\u4e00-\u9fff]{1,8}")
_SHORTEST_ALONE = 3
"""Parts of a name that are shorter are not masked on their own."""
_LONGEST_CHINESE = 4
_TELLING_LETTERS = 3
"""First letters by which names are parted before each is tried."""
_BEFORE_TITLED = "请问找向由让给见到的是了您你看与跟及谢和等叫按听约"
"""What a surname with its title may stand right behind: 请问王医生, 我和张医生."""
_NO_SUBJECTS = "向和"
"""Surnames that are other words where they begin what is said."""
_CALM = 3
"""Where every third word is capitalised, a capital says nothing."""
_TITLE = 20
"""Characters before a name in which its title stands."""
_CUE = 40
"""Characters before a name in which a cue is looked for."""


@dataclass(frozen=True, slots=True)
class Names:
    """The names found in the texts of one dialogue, whole and in parts."""

    whole: frozenset[str]
    pattern: re.Pattern[str] | None

    def places(self, text: str) -> Iterator[tuple[int, int]]:
        """Where any of them stands."""
        if self.pattern is not None:
            for match in self.pattern.finditer(text):
                titled = _rules().title.search(text[max(0, match.start() - _TITLE) : match.start()])
                disease = match[0].lower() in _rules().eponyms and titled is None
                if not disease and not _begins_eponym(match[0], text, match.end()):
                    yield match.span()


def names_in(texts: Iterable[str]) -> Names:
    """The names of people in some texts that belong together.

    >>> sorted(names_in(["My name is Anna Kowalski. Dr. Ng saw my Parkinson."]).whole)
    ['Anna Kowalski', 'Ng']
    """
    texts = list(texts)
    found = {name for text in texts for name in _surely(text)}
    likely = {name for text in texts for name in _likely(text)}
    if likely:
        eponyms = {word for text in texts for word in _eponyms(text)}
        found |= {name for name in likely if not eponyms.issuperset(_WORDS.findall(name))}
    if not found:
        return Names(frozenset(), None)
    alone = {part for name in found for part in _parts(name)}
    every = sorted(found | alone, key=lambda name: (-len(name), name))
    chinese = [name for name in every if not name[0].isascii() and len(name) > 1]
    latin = [name for name in every if name[0].isascii()]
    either = [rf"(?<![\w])(?:{_parted(latin)})(?![\w])"] if latin else []
    either += [_parted(chinese)] if chinese else []
    titled = [name for name in every if not name[0].isascii() and len(name) == 1]
    either += [f"{name}(?={_any(_rules().chinese_titles)})" for name in titled]
    return Names(frozenset(found), re.compile("|".join(either)))


def _eponyms(text: str) -> Iterator[str]:
    """The words after which diseases in a text are called."""
    for match in _rules().eponymous.finditer(text):
        yield from _WORDS.findall(match["v"])


@dataclass(frozen=True, slots=True)
class _Rules:
    sure: re.Pattern[str]
    titles: re.Pattern[str]
    title: re.Pattern[str]
    """A title right before."""
    sure_words: re.Pattern[str]
    """One of them stands in whatever `sure` finds."""
    likely: re.Pattern[str]
    within: re.Pattern[str]
    """What is capitalised within a sentence."""
    greetings: re.Pattern[str]
    full: re.Pattern[str]
    eponymous: re.Pattern[str]
    """What a disease in the text is called after."""
    not_names: frozenset[str]
    eponym_of: frozenset[str]
    eponyms: frozenset[str]
    given: frozenset[str]
    given_too: frozenset[str]
    chinese_sure: re.Pattern[str]
    chinese_likely: re.Pattern[str]
    chinese_title: re.Pattern[str]
    chinese_titles: tuple[str, ...]
    surnames: frozenset[str]
    not_small: frozenset[str]
    no_chinese_names: frozenset[str]
    """How common words begin that begin like a name."""


@cache
def _rules() -> _Rules:
    content = shipped_yaml("sources", "dialogues", "personal_names.yaml")
    diseases = "|".join(content["english"]["diseases"])
    english, chinese = content["english"], content["chinese"]
    return _Rules(
        sure=re.compile(rf"(?:{'|'.join(english['sure'])})\s*(?P<v>{_NAME}|(?P<low>[a-z]{{2,}}))"),
        titles=re.compile(rf"{english['titles']}[ ]?(?P<v>{_NAME})"),
        title=re.compile(rf"{english['titles']}[ ]?$"),
        likely=re.compile(rf"(?:{'|'.join(english['likely'])}) $"),
        within=re.compile(rf"(?<=[\w,] )(?P<v>{_NAME})"),
        sure_words=re.compile(rf"(?i:\b(?:{'|'.join(english['sure_words'])})\b)"),
        greetings=re.compile(rf"{english['greetings']}[ ](?P<v>{_NAME})", re.MULTILINE),
        full=re.compile(
            rf"(?<![\w.])(?P<v>{_WORD} (?:[A-Z]\.? )?{_WORD}(?: {_WORD}){{0,2}})(?![\w])"
        ),
        eponymous=re.compile(
            rf"(?<![\w.])(?P<v>{_WORD}(?:[ -]{_WORD}){{0,3}})(?:['’]s)? (?:{diseases})\b"
        ),
        not_names=_set(english, "not_names"),
        eponym_of=_set(english, "eponym_of"),
        eponyms=_set(english, "eponyms"),
        given=given_names(),
        given_too=_set(english, "given_too"),
        chinese_sure=re.compile(f"(?:{'|'.join(chinese['sure'])})"),
        chinese_likely=re.compile(f"(?:{'|'.join(chinese['likely'])})"),
        chinese_title=re.compile(f"(?P<v>[{chinese['surnames']}])(?={_any(chinese['titles'])})"),
        chinese_titles=tuple(chinese["titles"]),
        surnames=frozenset(chinese["surnames"]) | frozenset(chinese["double"]),
        not_small=frozenset(chinese["not_small"]),
        no_chinese_names=frozenset(chinese["no_names"]),
    )


def _set(content: dict[str, Any], part: str) -> frozenset[str]:
    words = content[part]
    return frozenset(words.split() if isinstance(words, str) else words)


def _parted(names: Sequence[str], letters: int = _TELLING_LETTERS) -> str:
    """An expression for any of some names, in their order where they begin alike.

    They are parted by their first letters: a long dialogue may have thousands, and trying each at
    every word of it takes minutes.
    """
    if letters == 0 or len(names) == 1:
        return "|".join(map(re.escape, names))
    by_letter: dict[str, list[str]] = {}
    for name in names:
        by_letter.setdefault(name[:1], []).append(name[1:])
    return "|".join(
        f"{re.escape(letter)}(?:{_parted(rest, letters - 1)})" for letter, rest in by_letter.items()
    )


def _any(words: Iterable[str]) -> str:
    return f"(?:{'|'.join(words)})"


def _surely(text: str) -> Iterator[str]:
    """Names that are introduced, or behind a title."""
    yield from _introduced(text)
    yield from _titled(text)
    if not text.isascii() and _HAN.search(text):
        yield from _chinese_names(text)


def _likely(text: str) -> Iterator[str]:
    """Names that may be something else: what a disease in the text is called after."""
    yield from _behind_weak_cues(text)
    yield from _greeted(text)
    yield from _whole_names(text)


def _introduced(text: str) -> Iterator[str]:
    """ "My name is Anna": the cues are slow to look for, so only around the word they all have."""
    rules = _rules()
    for word in rules.sure_words.finditer(text):
        for match in rules.sure.finditer(text, max(0, word.start() - _CUE), word.end() + _CUE):
            low = match["low"]
            name = _typed_small(low, text, match.end()) if low else _trimmed(match["v"])
            if name and not _is_clinical(name, text, match.start("v")):
                yield name


def _typed_small(word: str, text: str, end: int) -> str:
    """A given name without a capital, and a word behind it that can only be a family name."""
    if word not in _rules().given and word not in _rules().given_too:
        return ""
    behind = _SMALL_WORD.match(text, end)
    return word if behind is None or is_plain_english(behind[1]) else f"{word} {behind[1]}"


def _titled(text: str) -> Iterator[str]:
    """ "Dr. Graves" is a person, whatever else bears the name; "Dr. Bell's palsy clinic" is not."""
    for match in _rules().titles.finditer(text):
        name = _trimmed(match["v"])
        end = match.start("v") + len(name)
        if name and not _begins_eponym(name, text, end) and not _in_lexicon(name):
            yield name


def _behind_weak_cues(text: str) -> Iterator[str]:
    """ "I am Anna", "my son Jakub"."""
    rules = _rules()
    for match in rules.within.finditer(text):
        cue = rules.likely.search(text[max(0, match.start() - _CUE) : match.start()])
        name = _trimmed(match["v"]) if cue else ""
        if cue is None or not name:
            continue
        introduction = cue[0].lower()
        kin = not introduction.startswith(("i ", "i'", "this ", "it", "patient"))
        speaks = introduction.startswith(("i ", "i'")) or _SPEAKS.match(
            text, match.start() + len(name)
        )
        foreign = bool(speaks) and _is_foreign(name, text, match.start("v"))
        if foreign or _looks_given(name, text, match.start("v"), alone=kin):
            yield name
            yield from _names_beside(text, match.start("v") + len(name))


def _greeted(text: str) -> Iterator[str]:
    """ "Hi Anna," and "Thanks, Anna"."""
    for match in _rules().greetings.finditer(text):
        name = _trimmed(match["v"])
        end = match.start("v") + len(name)
        if not name or _is_clinical(name, text, match.start("v")):
            continue
        if _ENDS_LINE.match(text, end) or name.split()[0].lower() in _rules().given:
            yield name


def _whole_names(text: str) -> Iterator[str]:
    """A given name and a family name anywhere."""
    for match in _rules().full.finditer(text):
        name = _trimmed(match["v"])
        known = name.lower().split(" ")[0] in _rules().given
        if known and " " in name and not _is_clinical(name, text, match.start("v")):
            yield name


def _names_beside(text: str, end: int) -> Iterator[str]:
    """Given names that are counted up behind one: "Mia, Tom and Zoe"."""
    while match := _BESIDE.match(text, end):
        if match["v"].lower() not in _rules().given:
            return
        yield match["v"]
        end = match.end()


def _trimmed(name: str) -> str:
    """A name up to the first word that cannot be part of one; '' where that is the first."""
    trimmed: list[str] = []
    for word in name.split(" "):
        bare = re.split("['’]", word.lower().rstrip("."))[0]  # "We're" is "we"
        if bare in _rules().not_names and not (trimmed and len(word) == 1):
            break
        trimmed.append(word)
        if re.search("['’]s$", word):  # "Anna's Aspirin"
            break
    while trimmed and len(trimmed[-1].rstrip(".")) == 1:  # "Anna I", "Anna A."
        trimmed.pop()
    return re.sub(r"['’]s$", "", " ".join(trimmed))


def _looks_given(name: str, text: str, start: int, *, alone: bool) -> bool:
    """Whether a word after a weak cue is a given name, or two words are a whole name.

    `alone`: whether any one word will do, in a text that does not capitalise just anything.
    """
    rules = _rules()
    if _is_clinical(name, text, start):
        return False
    first, *more = name.lower().split(" ")
    if first in rules.given:
        return True
    if bool(more) and first in rules.given_too:
        return True
    return alone and not _shouts(text)


def _is_foreign(name: str, text: str, start: int) -> bool:
    """Whether it is several words, none of them English: "I'm Siobhan Okonkwo"."""
    if _shouts(text.replace(name, " ")) or _is_clinical(name, text, start):
        return False
    words = name.lower().replace("’", "'").split(" ")
    return len(words) > 1 and not any(map(is_plain_english, words))


def _shouts(text: str) -> bool:
    """Whether a text has capitals where sentences have none."""
    words = text.split()
    capitals = sum(word[:1].isupper() for word in words)
    return capitals * _CALM > len(words) > _CALM


def _is_clinical(name: str, text: str, start: int) -> bool:
    """Whether it is a drug, a disease, or the beginning of the name of one."""
    words = [word.lower().replace("'", "").replace("’", "") for word in name.split(" ")]
    rules = _rules()
    if any(word in rules.eponyms or word in rules.eponym_of for word in words):
        return True
    return _in_lexicon(name) or _begins_eponym(name, text, start + len(name))


def _begins_eponym(name: str, text: str, end: int) -> bool:
    match = _NEXT_WORD.match(text, end)
    if match is None:
        return False
    known = match[2].lower() in _rules().eponym_of
    return known and (match[1] is not None or name.lower() in _rules().eponyms or known)


def _in_lexicon(name: str) -> bool:
    known = shipped_lexicon().by_key
    return name_key(name) in known or any(name_key(word) in known for word in name.split(" "))


def _parts(name: str) -> Iterator[str]:
    """The words of a name that are masked on their own where they stand alone."""
    rules = _rules()
    if not name[0].isascii() or " " not in name:
        return
    for word in _WORDS.findall(name):
        key = word.lower()
        common = key in rules.not_names or key in rules.given_too or key in rules.eponyms
        if len(word) >= _SHORTEST_ALONE and not common and not _in_lexicon(word):
            yield word


def _chinese_names(text: str) -> Iterator[str]:
    rules = _rules()
    for sure, pattern in ((True, rules.chinese_sure), (False, rules.chinese_likely)):
        for match in pattern.finditer(text):
            run = _HAN.match(text, match.end())
            name = _chinese_name(run[0], sure=sure) if run else ""
            if name and not _in_lexicon(name):
                yield name
    for match in rules.chinese_title.finditer(text):
        before = text[max(0, match.start() - 1) : match.start()]
        if match["v"] == before == "谢" or (not before and match["v"] in _NO_SUBJECTS):
            continue  # 谢谢医生, 向医生咨询
        if not before or not _HAN.match(before) or before in _BEFORE_TITLED:
            yield match["v"]


def _chinese_name(run: str, *, sure: bool) -> str:
    """The name that a run of characters begins with, as a segmenter sees it."""
    import rjieba

    rules = _rules()
    if not sure and run[:2] in rules.no_chinese_names:
        return ""
    small = run[0] == "小" and len(run) > 1 and run[:2] not in rules.not_small
    if not (run[0] in rules.surnames or run[:2] in rules.surnames or small):
        return ""
    name = run[:2] if run[:2] in rules.surnames else ""
    for word, tag in rjieba.tag(run[len(name) :]):
        if not tag.startswith("nr") or len(name + word) > _LONGEST_CHINESE:
            break
        name += word
    if len(name) > (2 if name[:2] in rules.surnames else 1):
        return name
    longest = _LONGEST_CHINESE - (run[:2] not in rules.surnames)
    return run if sure and 1 < len(run) <= longest and run[0] != "小" else ""
