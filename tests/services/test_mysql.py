"""MySQL and MariaDB keep every promise of `medweave.ports`."""

import json
import re
import socket
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medweave.errors import StoreAccessError, StoreError
from medweave.stores.versioned.rows import NUMBERED
from medweave.stores.versioned.store import VersionedStore
from medweave.testing.worlds import COLD, FEVER, SYMPTOM, cold_and_flu, document, names, says
from tests.commands import medweave
from tests.services.secure import Secure
from tests.services.service_stores import ServiceConformance, new_base, open_at, service

ADDRESS = service("mysql")

from medweave.stores.mysql import _fits, quoted  # noqa: E402 - where there is a server


class TestMysqlStore(ServiceConformance):
    address = ADDRESS


class TestMysqlSecure(Secure):
    address = ADDRESS


def told(url: str, **environment: str) -> tuple[str, str]:
    """The type of the error that a command ends with, and all that it prints."""
    ran = medweave("stats", "--kb", url, "--json", **environment)
    assert ran.status == 1
    return json.loads(ran.out)["error"]["type"], ran.out + ran.err


def test_what_goes_wrong_is_told_without_a_password(tmp_path: Path) -> None:
    shown = f"mysql://{ADDRESS.hosts}/{ADDRESS.path}"
    base = f"?base={new_base(ADDRESS).base}"
    right = {
        "MEDWEAVE_STORE_USER": ADDRESS.user,
        "MEDWEAVE_STORE_PASSWORD": ADDRESS.password,
        "MEDWEAVE_STORE_TIMEOUT": "2",
    }
    secret = {**right, "MEDWEAVE_STORE_PASSWORD": "s3cr3t"}
    away = f"mysql://{ADDRESS.host}:9/x"
    for url, environment, expected in (
        (shown + base, right, "NotFoundError"),
        (shown.rpartition("/")[0] + "/no_such_database", secret, "StoreAccessError"),
        (shown + base, secret, "StoreAccessError"),
        (away, secret, "StoreUnreachableError"),
        (f"{shown}?tls=true&colour=red", secret, "StoreError"),
    ):
        kind, printed = told(url, **environment)
        assert kind == expected, printed
        assert "s3cr3t" not in printed
        assert f"'{ADDRESS.user}'" not in printed
    with socket.socket() as silent:  # it is there, and says nothing
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        url = f"mysql://127.0.0.1:{silent.getsockname()[1]}/x"
        started = time.monotonic()
        assert told(url, **secret)[0] == "StoreUnreachableError"
        assert time.monotonic() - started < 10


def test_a_right_that_is_missing_is_told_apart_from_a_login_that_is_refused() -> None:
    store: Any = open_at(new_base(ADDRESS), create=True)
    user = f"u{new_base(ADDRESS).base[:12]}"
    run = store._rows._run
    run(f"CREATE USER {user} IDENTIFIED BY 'r/p'")
    base = new_base(ADDRESS)
    try:
        for right, said in (
            ("", "the right to use this database is missing"),
            ("SELECT", "the right to CREATE is missing"),
            ("CREATE, INDEX", "the right to INSERT is missing"),
        ):
            if right:
                run(f"GRANT {right} ON {ADDRESS.path}.* TO {user}")
            with pytest.raises(StoreAccessError, match=said):
                open_at(replace(base, user=user, password="r/p"), create=True).put(cold_and_flu())
        with pytest.raises(StoreAccessError, match="the login is refused"):
            open_at(replace(base, user=user, password="other"), create=True).put(cold_and_flu())
    finally:
        run(f"DROP USER {user}")
        store.close()


def test_a_connection_that_drops_is_made_again() -> None:
    address = new_base(ADDRESS)
    store, other = open_at(address, create=True), open_at(address, create=True)
    assert isinstance(store, VersionedStore)
    store.put(cold_and_flu())
    before = store.version()
    _end_all_connections(other)
    assert store.version() == before
    _end_all_connections(other)
    store.put([document("later", says(COLD, SYMPTOM, FEVER))])
    assert (store.version().revision, len(store.match())) == (before.revision + 1, 6)
    store.close()
    other.close()


def _end_all_connections(store: Any) -> None:
    """Those of this user but its own, as a server that is started again does."""
    run = store._rows._run
    me = run("SELECT CONNECTION_ID()").scalar()
    for (one,) in run("SELECT id FROM information_schema.processlist").all():
        if one != me:
            run(f"KILL {int(one)}")


def test_no_question_looks_through_whole_tables() -> None:
    store = open_at(new_base(ADDRESS), create=True)
    rows: Any = store._rows  # type: ignore[attr-defined]
    symptoms = (says(COLD, SYMPTOM, f"mw.condition:{n}") for n in range(2000))
    store.put([document("a", *symptoms, mentions=names(COLD, *(f"cold {n}" for n in range(2000))))])
    at = store._at()  # type: ignore[attr-defined]
    for kind, fields in NUMBERED.items():
        for field in fields:
            planned = rows._run(
                f"EXPLAIN SELECT content FROM {rows._table(kind)} WHERE {_fits({field: [1, 2]})}",
                at=at,
                **{f"of_{field}": [1, 2]},
            ).all()
            assert planned[0].type in ("range", "ref", "const") or planned[0].rows < 10, field
    store.close()


def test_other_tables_and_bases_stay_as_they_are() -> None:
    one, other = new_base(ADDRESS), new_base(ADDRESS)
    small, large = (
        replace(one, base="Base_X" + one.base[:9]),
        replace(one, base="base_x" + one.base[:9]),
    )
    stores = [open_at(each, create=True) for each in (one, other, small, large)]
    for number, store in enumerate(stores):
        store.put([document(f"d{n}", says(COLD, SYMPTOM, FEVER)) for n in range(number + 1)])
    assert [len(store.documents()) for store in stores] == [1, 2, 3, 4]
    stores[1].remove([each.id for each in stores[1].documents()])
    assert [len(store.documents()) for store in stores] == [1, 0, 3, 4]
    for store in stores:
        store.close()


@given(st.text())
def test_nothing_but_a_plain_name_is_quoted(name: str) -> None:
    if re.fullmatch(r"[A-Za-z0-9_]{1,64}", name) and name.isascii():
        assert quoted(name) == f"`{name}`"
    else:
        with pytest.raises(StoreError):
            quoted(name)
