"""A base is named by a URL everywhere, and a password in one is told to nobody."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medweave.errors import ConfigurationError, StoreError
from medweave.stores import registry
from medweave.stores.address import StoreAddress
from medweave.stores.registry import Adapter, address_of, opener_of
from tests.commands import medweave

SECRET = "s3cr3t"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> None:
    """An adapter of a server whose driver nobody has."""
    adapters = {**registry.ADAPTERS, "away": Adapter("Away", "away", "away")}

    def missing(_: str) -> object:
        raise ModuleNotFoundError("No module named 'awaydb'", name="awaydb")

    monkeypatch.setattr(registry, "ADAPTERS", adapters)
    monkeypatch.setattr(registry, "import_module", missing)


@given(st.text(min_size=1), st.text(min_size=1), st.text(min_size=1))
def test_any_user_password_and_database_can_be_named(user: str, word: str, name: str) -> None:
    from urllib.parse import quote

    try:
        user, word, name = (part.encode().decode() for part in (user, word, name))
    except UnicodeEncodeError:
        return  # half a character cannot stand in a URL
    parts = [quote(part, safe="") for part in (user, word, name)]
    found = StoreAddress.of("away://{}:{}@[::1]:7/{}?base=b_1&x=y".format(*parts), {})
    assert (found.user, found.password, found.path) == (user, word, name)
    assert (found.host, found.port, found.base, found.options) == ("::1", 7, "b_1", {"x": "y"})
    assert str(found) == f"away://[::1]:7/{parts[2]}?base=b_1&x=y"


def test_the_url_says_more_than_the_environment() -> None:
    held = {
        "MEDWEAVE_STORE_USER": "ann",
        "MEDWEAVE_STORE_PASSWORD": SECRET,
        "MEDWEAVE_STORE_TIMEOUT": "2.5",
    }
    found = StoreAddress.of("away://host", held)
    assert (found.user, found.password, found.timeout) == ("ann", SECRET, 2.5)
    assert (found.base, found.port, found.path) == ("medweave", None, "")
    found = StoreAddress.of("away://ben@host", held)
    assert (found.user, found.password) == ("ben", SECRET)
    with pytest.raises(ConfigurationError, match="MEDWEAVE_STORE_TIMEOUT"):
        StoreAddress.of("away://host", {"MEDWEAVE_STORE_TIMEOUT": "soon"})


@pytest.mark.parametrize(
    "url",
    [
        f"nothing://zoe7:{SECRET}@host/name",
        f"away:zoe7:{SECRET}@host/name",
        f"away://zoe7:{SECRET}/x@host/name",
        f"away://zoe7:{SECRET}?x@host/name",
        f"away://zoe7:{SECRET}#x@host/name",
        f"away://zoe7:{SECRET}@host/name?base=../other",
        f"away://zoe7:{SECRET}@host/name?base=",
        f"away://zoe7:{SECRET}@host/name?said",
        f"away://zoe7:{SECRET}@/name",
        f"away://zoe7:{SECRET}@[::1/name",
        f"away://zoe7:{SECRET}@host/name",
    ],
)
def test_no_error_shows_a_password(url: str, server: None, tmp_path: Path) -> None:
    row = tmp_path / "a.jsonl"
    row.write_text('{"name": "flu", "concept": "disease", "symptoms": ["fever"]}\n', "utf-8")
    for command in (["stats"], ["build", row], ["build", "--dry-run", row], ["ask", "flu?"]):
        ran = medweave(command[0], "--kb", url, *command[1:], "--json")
        assert ran.status == 1
        assert json.loads(ran.out)["error"]["type"] in ("StoreError", "ConfigurationError")
        assert "unexpected" not in ran.err
        assert SECRET not in ran.out + ran.err
        assert "zoe7" not in ran.err


def test_a_driver_that_is_not_installed_is_named_with_what_brings_it(server: None) -> None:
    with pytest.raises(ConfigurationError, match=r"awaydb.*medweave\[away\]"):
        opener_of(address_of("away://host/name"))


def test_a_path_is_a_path_however_it_looks(tmp_path: Path) -> None:
    for name in ("a@b:c.db", "sqlite:x?base=y.db", "C:a.db", "é#1.db"):
        found = address_of(name)
        assert (found.scheme, found.path) == ("sqlite", name.removeprefix("sqlite:"))


def test_an_unknown_option_is_refused_and_a_port_must_be_a_number() -> None:
    found = StoreAddress.of("away://host:port/name?colour=red", {})
    with pytest.raises(StoreError, match="colour"):
        found.only_options("tls")
    with pytest.raises(StoreError, match="cannot be read"):
        _ = found.port


def test_stats_say_where_a_base_is(tmp_path: Path) -> None:
    ran = medweave("stats", "--kb", "memory:", "--json")
    assert json.loads(ran.out)["store"] == {"kind": "memory", "server": "", "url": "memory:"}


def test_what_keeps_vectors_alone_is_no_base_and_says_so() -> None:
    with pytest.raises(StoreError, match="not the base itself") as told:
        address_of("weaviate://name:s3cr3t@127.0.0.1:8080")
    assert "--vectors" in (told.value.remedy or "")
    assert "s3cr3t" not in str(told.value)
