"""A made-up medical base of any size, always the same for the same seed.

Names are invented from syllables, so nothing here says anything about real diseases. How often a
thing is named follows a power law, as in collections of monographs: a few findings belong to very
many diseases, most to a few. One document in seven is Chinese and names things in Chinese.

    python -m benchmarks.generate --statements 10000 --layout triples sample.csv
"""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

SEED = 7
ROWS_A_DOCUMENT = 10
"""About how many statements one document makes."""
FIELDS = {
    # field of a monograph: predicate in a triple, kind of its object, share of rows, strength
    "symptoms": ("has_symptom", "symptom", 0.46, 1.0),
    "drugs": ("has_drug", "drug", 0.15, 1.0),
    "tests": ("has_test", "test", 0.10, 0.5),
    "complications": ("has_complication", "disease", 0.11, 0.5),
    "causes": ("caused_by", "risk_factor", 0.09, 1.0),
    "risk_factors": ("has_risk_factor", "risk_factor", 0.09, 0.5),
}
STRENGTHS = {predicate: strength for predicate, _, _, strength in FIELDS.values()}
"""The weight by which a path walks a statement, as medweave's vocabulary has it."""
_POOLS = {"disease": 1.0, "symptom": 0.5, "drug": 0.3, "test": 0.15, "risk_factor": 0.15}
"""How many things of a kind there are, for each document."""
_STEEPNESS = 0.7
"""The exponent of the power law: the thing at rank r is named in proportion to r ** -0.7."""
_LEAST, _MOST, _TAIL = 4, 200, 1.7
"""Rows of a document: a Pareto distribution, cut."""
_SYLLABLES = [c + v for c in ("b", "d", "f", "g", "k", "l", "m", "r", "s", "t", "v", "z")
              for v in ("a", "e", "i", "o")]  # fmt: skip
_HANZI = "阿巴卡达埃法加哈伊贾库拉马纳奥帕奇雷萨塔乌瓦维亚扎比迪福戈赫吉科利莫努皮罗西托"
_ENDINGS = {
    "disease": ((" disease", " syndrome", " disorder"), "病"),
    "symptom": ((" ache", " spots", " weakness", " cramp"), "痛"),
    "drug": (("ol", "ine", "ab", "il"), "片"),
    "test": ((" assay", " scan"), "试验"),
    "risk_factor": ((" exposure", " deficiency"), "接触"),
}
_STORY = (
    "For about ten days my wife has had {first} and some {second}, mostly in the evening, and it "
    "keeps her awake at night. She has no {third}. She is 43 years old, takes {drug} once a day "
    "and is not allergic to anything that we know of. We are rather worried and would like to "
    "know what it could be."
)
_STRIDE = 2654435761
"""Spreads neighbouring numbers over all words (prime to the number of words)."""


@dataclass(frozen=True, slots=True)
class Page:
    """One document: a disease and what is said of it, as (field, name) pairs."""

    number: int
    name: str
    language: str
    rows: tuple[tuple[str, str], ...]

    def of(self, field: str) -> list[str]:
        """The names in one field, in their order."""
        return [name for its_field, name in self.rows if its_field == field]

    def triples(self) -> Iterator[tuple[str, str, str]]:
        """The rows as subject, predicate and object."""
        for field, name in self.rows:
            yield self.name, FIELDS[field][0], name

    def monograph(self) -> dict[str, Any]:
        """The rows in medweave's layout for monographs, with a sentence of description."""
        fields = {field: names for field in FIELDS if (names := self.of(field))}
        if self.language == "zh":
            described = f"{self.name}是一种虚构的疾病，由程序生成。"
        else:
            described = f"{self.name} is an invented condition that a program has written down."
        head = {"name": self.name, "concept": "disease", "language": self.language}
        return {**head, "description": described, **fields}


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the things it names."""

    text: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class World:
    """A base of a given number of statements; each of its documents can be made by itself."""

    statements: int
    seed: int = SEED

    @property
    def scale(self) -> int:
        """About how many documents there are; the pools of things are sized by it."""
        return max(20, self.statements // ROWS_A_DOCUMENT)

    def page(self, number: int, rows: int = 0) -> Page:
        """Document `number`, of `rows` statements (0: as many as the power law gives it)."""
        random = Random(f"{self.seed}/{self.statements}/{number}")  # noqa: S311 - no secret
        language = "zh" if number % 7 == 3 else "en"  # noqa: PLR2004 - one in seven
        wanted = rows or min(_MOST, int(_LEAST * random.paretovariate(_TAIL)))
        name = name_of("disease", number, language)
        fields, shares = list(FIELDS), [share for _, _, share, _ in FIELDS.values()]
        found: dict[tuple[str, str], None] = {}
        for _ in range(wanted * 20):  # a small world may not have as many different things
            if len(found) == wanted:
                break
            field = random.choices(fields, shares)[0]
            kind = FIELDS[field][1]
            rank = self._rank(kind, random)
            if kind != "disease" or rank != number:
                found[field, name_of(kind, rank, language)] = None
        return Page(number, name, language, tuple(found))

    def _rank(self, kind: str, random: Random) -> int:
        pool = max(10, int(self.scale * _POOLS[kind]))
        return int(pool * random.random() ** (1 / (1 - _STEEPNESS)))

    def pages(self) -> Iterator[Page]:
        """All documents, until there are exactly as many statements as asked for."""
        left, number = self.statements, 0
        while left > 0:
            page = self.page(number)
            rows = page.rows[:left]
            yield Page(page.number, page.name, page.language, rows)
            left -= len(rows)
            number += 1

    def new_page(self, number: int) -> Page:
        """A document that the base does not have, of twelve statements about things it has."""
        return self.page(10 * self.scale + number, rows=12)

    def questions(self, count: int) -> list[Question]:
        """Questions about diseases the base has, half of each sort, in their language."""
        random = Random(f"{self.seed}/questions")  # noqa: S311 - no secret
        found: list[Question] = []
        while len(found) < count:
            page = self.page(random.randrange(max(1, self.scale // 2)))
            signs = page.of("symptoms")
            if len(signs) < 2:  # noqa: PLR2004 - the questions name two
                continue
            if len(found) % 2:
                found.append(_symptoms_asked(page))
            else:
                found.append(_disease_asked(page, random.sample(signs, 2)))
        return found

    def stories(self, count: int) -> list[str]:
        """Questions as people write them, each of sixty words, with four names in it."""
        random = Random(f"{self.seed}/stories")  # noqa: S311 - no secret
        found: list[str] = []
        while len(found) < count:
            page = self.page(random.randrange(max(1, self.scale // 2)))
            signs = page.of("symptoms")
            if page.language == "en" and len(signs) >= 3:  # noqa: PLR2004 - a story names three
                first, second, third = random.sample(signs, 3)
                drug = name_of("drug", self._rank("drug", random), "en")
                found.append(_STORY.format(first=first, second=second, third=third, drug=drug))
        return found

    def findings(self, count: int, *, each: int = 3) -> list[tuple[str, ...]]:
        """Findings to rank from, each time `each` of one disease."""
        random = Random(f"{self.seed}/findings")  # noqa: S311 - no secret
        found: list[tuple[str, ...]] = []
        while len(found) < count:
            signs = self.page(random.randrange(max(1, self.scale // 2))).of("symptoms")
            if len(signs) >= each:
                found.append(tuple(random.sample(signs, each)))
        return found


def name_of(kind: str, number: int, language: str) -> str:
    """The name of a thing; different things have different names.

    >>> name_of("disease", 0, "en") != name_of("disease", 1, "en")
    True
    """
    english, chinese = _ENDINGS[kind]
    letters: list[str] | str = _HANZI if language == "zh" else _SYLLABLES
    width = 4
    words = len(letters) ** width
    if number >= words:
        raise ValueError(f"there are names for {words} things of a kind, not for {number}")
    place = number * _STRIDE % words
    digits = [letters[place // len(letters) ** power % len(letters)] for power in range(width)]
    return "".join(digits) + (chinese if language == "zh" else english[number % len(english)])


def write(world: World, layout: str, path: Path) -> int:
    """Write a world as `triples` (CSV) or `monographs` (JSON lines); how many documents it has."""
    count = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        if layout == "triples":
            rows.writerow(("subject", "predicate", "object"))
        for page in world.pages():
            count += 1
            if layout == "triples":
                rows.writerows(page.triples())
            else:
                file.write(json.dumps(page.monograph(), ensure_ascii=False) + "\n")
    return count


def _symptoms_asked(page: Page) -> Question:
    if page.language == "zh":
        return Question(f"{page.name}有什么症状？", (page.name,))
    return Question(f"What are the symptoms of {page.name}?", (page.name,))


def _disease_asked(page: Page, signs: list[str]) -> Question:
    first, second = signs
    if page.language == "zh":
        return Question(f"我有{first}和{second}，是什么病？", (first, second))
    return Question(f"I have {first} and {second}. What could it be?", (first, second))


def main() -> None:
    """Write one file."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("path", type=Path)
    parser.add_argument("--statements", type=int, default=10_000)
    parser.add_argument("--layout", choices=("triples", "monographs"), default="triples")
    parser.add_argument("--seed", type=int, default=SEED)
    told = parser.parse_args()
    documents = write(World(told.statements, told.seed), told.layout, told.path)
    print(f"{told.statements} statements in {documents} documents: {told.path}")


if __name__ == "__main__":
    main()
