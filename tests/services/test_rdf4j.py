"""RDF4J keeps every promise of `medweave.ports`."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from medweave.errors import StoreAccessError
from medweave.stores.address import StoreAddress
from scripts.services.gate import Gate, gate_to
from tests.services.faults import Faults
from tests.services.growth import Growth
from tests.services.rdf_in_place import RdfInPlace
from tests.services.secure import Secure
from tests.services.service_stores import (
    ServiceConformance,
    ServiceVectorConformance,
    open_at,
    service,
)

ADDRESS = service("rdf4j")
_USER, _PASSWORD = "keeper", "a pass/word@the gate"


class TestRdf4jStore(ServiceConformance):
    address = ADDRESS


class TestRdf4jVectors(ServiceVectorConformance):
    address = ADDRESS


class TestRdf4jFaults(Faults):
    address = ADDRESS


@pytest.fixture
def gate(tmp_path: Path) -> Iterator[Gate]:
    folder = tmp_path / "certificates"
    folder.mkdir()
    login = (_USER, _PASSWORD)
    with gate_to(ADDRESS.host, ADDRESS.port or 80, login=login, folder=folder) as made:
        yield made


def _behind(gate: Gate, password: str = _PASSWORD) -> StoreAddress:
    hosts = f"127.0.0.1:{gate.port}"
    return replace(ADDRESS, scheme="sparql+https", hosts=hosts, user=_USER, password=password)


class TestRdf4jSecure(Secure):
    """Behind another server, which speaks TLS and asks for a login."""

    address = ADDRESS

    @pytest.fixture
    def over_tls(self, gate: Gate) -> tuple[StoreAddress, Path]:
        return _behind(gate), gate.authority


def test_a_wrong_login_is_refused(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(gate.authority))
    for address in (_behind(gate, "s3cr3t"), replace(_behind(gate), user="", password="")):
        with pytest.raises(StoreAccessError, match="the login is refused") as told:
            open_at(address)
        assert "s3cr3t" not in f"{told.value} {told.value.remedy}"


class TestRdf4jGrowth(Growth):
    address = ADDRESS


class TestRdf4jInPlace(RdfInPlace):
    address = ADDRESS
