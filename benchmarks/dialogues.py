"""Made-up dialogues in any number, always the same for the same seed.

Each is marked: its id begins with `synthetic-`, and `synthetic` is among its tags. Its turns are
put together from those of two sample dialogues, with sentences that name findings and a disease out
of a base (or out of the sample monographs); one in eight refers to an earlier one, and one in forty
is an earlier one again with a word more. Nothing in them is true of anybody.

    python -m benchmarks.dialogues --count 1000 --kb my.db dialogues.jsonl
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

SEED = 11
MARK = "synthetic"
SAMPLES = Path(__file__).parents[1] / "src/medweave/samples"
_REFERENCES = ("related_to", "copied_from", "caused_by", "same_issue")
_REFERS, _AGAIN = 8, 40
_TURNS = 3
"""Turns of each speaker out of samples, at most."""
_COMPLAINTS = (
    "I have {0} and {1} since {2}.",
    "For {2} now I have had {0}, and {1} as well.",
    "It began with {0} {2} ago; then came {1}.",
    "My {3} has {0} and complains of {1}.",
)
_OPINIONS = (
    "This may be {0}. You should rest and drink enough.",
    "It is probably caused by {0}. Please have it looked at this week.",
    "{0} is possible, and so is something harmless. If it gets worse, come back.",
    "I would first rule out {0}. Do you have {1}?",
)
_SINCE = ("two days", "a week", "ten days", "three weeks", "two months")
_WHO = ("son", "daughter", "mother", "father", "wife", "husband")


@dataclass(frozen=True)
class Talk:
    """What dialogues are made of. `diseases` and `findings` are names, in a fixed order."""

    diseases: Sequence[str]
    findings: Sequence[str]
    seed: int = SEED
    samples: Path = field(default=SAMPLES / "dialogues" / "en.jsonl")

    @cached_property
    def _said(self) -> list[dict[str, list[str]]]:
        """For each sample, what each speaker says."""
        said = []
        for line in self.samples.read_text("utf-8").splitlines():
            turns = json.loads(line)["turns"]
            said.append(
                {who: [t["text"] for t in turns if t["speaker"] == who]
                 for who in ("patient", "doctor")}
            )  # fmt: skip
        return [one for one in said if all(one.values())]

    def record(self, number: int) -> dict[str, Any]:
        """Dialogue `number`; it does not hang on how many there are."""
        chance = Random(f"{self.seed} {number}")  # noqa: S311 - not for secrets
        again = number > 0 and chance.randrange(_AGAIN) == 0
        if again:
            earlier = self.record(chance.randrange(number))
            turns = [*earlier["turns"], {"speaker": "patient", "text": "I have asked this before."}]
            references = [{"type": "same_issue", "id": earlier["id"]}]
        else:
            turns, references = list(self._turns(chance)), []
            if number and chance.randrange(_REFERS) == 0:
                other = _name(chance.randrange(number))
                references = [{"type": chance.choice(_REFERENCES), "id": other}]
        return {"id": _name(number), "tags": [MARK], "turns": turns, "references": references}

    def _turns(self, chance: Random) -> Iterator[dict[str, str]]:
        one, other = chance.choice(self._said), chance.choice(self._said)
        asked = [self._complaint(chance), *self._some(chance, one["patient"], other["patient"])]
        told = [*self._some(chance, one["doctor"], other["doctor"]), self._opinion(chance)]
        for place in range(max(len(asked), len(told))):
            for speaker, said in (("patient", asked), ("doctor", told)):
                if place < len(said):
                    yield {"speaker": speaker, "text": said[place]}

    def _some(self, chance: Random, one: list[str], other: list[str]) -> list[str]:
        both = one + other
        return chance.sample(both, min(len(both), chance.randint(1, _TURNS)))

    def _complaint(self, chance: Random) -> str:
        first, second = chance.sample(self.findings, 2)
        return chance.choice(_COMPLAINTS).format(
            first, second, chance.choice(_SINCE), chance.choice(_WHO)
        )

    def _opinion(self, chance: Random) -> str:
        return chance.choice(_OPINIONS).format(
            chance.choice(self.diseases), chance.choice(self.findings)
        )


def _name(number: int) -> str:
    return f"{MARK}-{number:07}"


def talk_of(kb: str = "", seed: int = SEED) -> Talk:
    """Names out of a base; or out of the sample monographs, where none is named."""
    if not kb:
        records = json.loads((SAMPLES / "diseases.en.json").read_text("utf-8"))
        said = [one for record in records for one in record.get("symptoms", ())]
        findings = {one if isinstance(one, str) else one["text"] for one in said}
        return Talk(sorted(record["name"] for record in records), sorted(findings), seed)
    from medweave.stores.sqlite.store import SqliteStore

    store = SqliteStore.open(Path(kb), create=False, read_only=True)
    names: dict[str, set[str]] = {"disease": set(), "symptom": set()}
    for count in store.all_names():
        mention = count.mention
        if mention.language == "en" and mention.concept in names:
            names[mention.concept].add(mention.name)
    store.close()
    return Talk(sorted(names["disease"]), sorted(names["symptom"]), seed)


def write(talk: Talk, numbers: range, path: Path) -> None:
    """These dialogues as a file in medweave's own layout."""
    with path.open("w", encoding="utf-8") as file:
        for number in numbers:
            file.write(json.dumps(talk.record(number), ensure_ascii=False) + "\n")


def main(arguments: Sequence[str] | None = None) -> None:
    """Write a file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("path", type=Path)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--kb", default="", help="a base whose diseases and findings are named")
    parser.add_argument("--seed", type=int, default=SEED)
    told = parser.parse_args(arguments)
    write(talk_of(told.kb, told.seed), range(told.count), told.path)


if __name__ == "__main__":
    main()
