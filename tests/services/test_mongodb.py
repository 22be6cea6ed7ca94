"""MongoDB keeps every promise of `medweave.ports`."""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pymongo.errors import OperationFailure

from medweave.stores.address import StoreAddress
from medweave.stores.versioned.rows import NUMBERED
from scripts.services.proxy import proxy_to
from tests.commands import medweave
from tests.services.faults import Faults
from tests.services.secure import Secure, server_side
from tests.services.service_stores import (
    ServiceConformance,
    ServiceVectorConformance,
    new_base,
    open_at,
    service,
)

ADDRESS = service("mongodb")

from medweave.stores.mongodb import _fits  # noqa: E402 - where there is a server


class TestMongoStore(ServiceConformance):
    address = ADDRESS


class TestMongoVectors(ServiceVectorConformance):
    address = ADDRESS


class TestMongoFaults(Faults):
    address = ADDRESS


class TestMongoSecure(Secure):
    """The one that stands in speaks no TLS: a way to it does."""

    address = ADDRESS

    @pytest.fixture
    def over_tls(self, tmp_path: Path) -> Iterator[tuple[StoreAddress, Path]]:
        folder = tmp_path / "certificates"
        folder.mkdir()
        with proxy_to(ADDRESS.host, ADDRESS.port or 0, server_side(folder)) as way:
            address = replace(ADDRESS, hosts=f"127.0.0.1:{way.port}")
            yield self.by_tls(address), folder / "authority.pem"


def test_a_login_that_is_refused_shows_no_password() -> None:
    """Whatever a server answers: one that knows no users does not know what is asked of it."""
    ran = medweave(
        *("stats", "--kb", f"mongodb://{ADDRESS.hosts}/{ADDRESS.path}", "--json"),
        MEDWEAVE_STORE_USER="nobody",
        MEDWEAVE_STORE_PASSWORD="s3cr3t",
    )
    assert ran.status == 1
    assert json.loads(ran.out)["error"]["type"] in ("StoreAccessError", "StoreError")
    assert "s3cr3t" not in ran.out + ran.err


def test_no_question_looks_through_whole_collections() -> None:
    with closing(open_at(new_base(ADDRESS), create=True)) as store:
        store.put([])
        rows: Any = store._rows  # type: ignore[attr-defined]
        for kind, fields in NUMBERED.items():
            for field in fields:
                asked = {"find": rows._of(kind).name, "filter": _fits({field: [1, 2]}, 5)}
                try:
                    told = rows._database.command("explain", asked)
                except OperationFailure:
                    pytest.skip("this server explains no plan")
                assert "COLLSCAN" not in str(told["queryPlanner"]["winningPlan"]), (kind, field)
