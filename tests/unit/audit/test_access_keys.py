"""Keys to a server: shown once, held as hashes, with a scope and an end."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from medweave.access import Keys
from medweave.errors import ConfigurationError, NotFoundError


def test_a_key_opens_until_it_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    key, secret = Keys(path).add("ward", "write")
    running = Keys(path)
    assert running.find(secret) == key
    assert key.allows("read") and key.allows("write") and not key.allows("admin")
    assert secret not in path.read_text() and path.stat().st_mode & 0o777 == 0o600
    Keys(path).remove("ward")
    assert running.find(secret) is None
    assert running.find(key.digest) is None


def test_an_expired_key_opens_nothing(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    key, secret = Keys(path).add("ward", "read", "30d")
    assert key.expires is not None
    until = datetime.fromisoformat(key.expires) - datetime.now(UTC)
    assert timedelta(days=29) < until <= timedelta(days=30)
    form = json.loads(path.read_text())
    form["keys"][0]["expires"] = "2020-01-01T00:00:00+00:00"
    path.write_text(json.dumps(form))
    assert Keys(path).find(secret) is None and Keys(path).valid() == []
    assert [each.name for each in Keys(path).all()] == ["ward"]


@pytest.mark.parametrize(
    ("name", "scope", "expires"),
    [
        ("", "read", ""),
        ("a\nb", "read", ""),
        ("a", "root", ""),
        ("a", "read", "soon"),
        ("a", "read", "0d"),
    ],
)
def test_what_is_no_key_is_refused(tmp_path: Path, name: str, scope: str, expires: str) -> None:
    with pytest.raises(ConfigurationError) as told:
        Keys(tmp_path / "keys.json").add(name, scope, expires)  # type: ignore[arg-type]
    assert told.value.remedy


def test_names_are_not_taken_twice_and_what_is_not_there_is_said(tmp_path: Path) -> None:
    keys = Keys(tmp_path / "keys.json")
    with pytest.raises(ConfigurationError, match="no file of keys"):
        keys.all()
    keys.add("ward", "read")
    with pytest.raises(ConfigurationError, match="already"):
        keys.add("ward", "admin")
    with pytest.raises(NotFoundError):
        keys.remove("nobody")


@pytest.mark.parametrize("text", ["", "[]", '{"keys": [{"name": 1}]}', '{"keys": 3}'])
def test_a_broken_file_opens_nothing_and_is_kept(tmp_path: Path, text: str) -> None:
    path = tmp_path / "keys.json"
    path.write_text(text)
    with pytest.raises(ConfigurationError):
        Keys(path).find("mw_x")
    with pytest.raises(ConfigurationError):
        Keys(path).add("ward", "read")
    assert path.read_text() == text
