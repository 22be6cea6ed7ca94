"""A database that medweave did not make, asked by `connect` with nothing written by hand."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from medweave.stores.address import StoreAddress
from tests.commands import medweave


class Connected(NamedTuple):
    """What was proposed for a database, and how it is asked by that."""

    url: str
    mapping: Path
    proposed: dict[str, Any]
    """What `connect --suggest --json` told."""
    environment: dict[str, str]

    def ask(self, question: str) -> dict[str, Any]:
        """The answer to a question."""
        ran = self._ran("ask", "--kb", self.url, "--mapping", self.mapping, "--json", question)
        return dict(ran)

    def found(self) -> dict[str, Any]:
        """What `connect --mapping --json` tells."""
        return self._ran("connect", self.url, "--mapping", self.mapping, "--json")

    def read_as(self) -> dict[str, str]:
        """By its name in the schema, the concept or the predicate that something is taken for."""
        parts = self.proposed["mapping"]["parts"]
        return {
            part.get("label") or part.get("class") or part["type"]: part.get("concept")
            or part["predicate"]
            for part in parts
        }

    def left(self) -> set[str]:
        """What is not read, with a reason for each."""
        assert all(each["why"] for each in self.proposed["not_mapped"])
        return {each["what"] for each in self.proposed["not_mapped"]}

    def _ran(self, *words: object) -> dict[str, Any]:
        ran = medweave(*words, **self.environment)
        assert ran.status == 0, ran.out + ran.err
        return dict(json.loads(ran.out))


def connected(address: StoreAddress, folder: Path) -> Connected:
    """Have a mapping proposed for a database, and keep it as it is."""
    url, mapping = f"{address.scheme}://{address.hosts}/{address.path}", folder / "clinic.yaml"
    environment = {
        "MEDWEAVE_STORE_USER": address.user,
        "MEDWEAVE_STORE_PASSWORD": address.password,
        "MEDWEAVE_STORE_TIMEOUT": "60",
        "XDG_CACHE_HOME": str(folder / "cache"),
    }
    made = Connected(url, mapping, {}, environment)
    told = made._ran("connect", url, "--suggest", "--out", mapping, "--json")
    return made._replace(proposed=told)


def named(answer: dict[str, Any]) -> set[str]:
    """The names in a list that was asked for."""
    return {each["name"] for each in answer["result"]["value"]}


def stopped(answer: dict[str, Any]) -> set[str]:
    """The names of what an answer stops."""
    return {stop["name"] for stop in answer["stops"] if stop["status"] == "applies"}
