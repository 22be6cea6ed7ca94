"""Fuseki keeps every promise of `medweave.ports`, over TLS and with a login."""

from pathlib import Path

import pytest

from medweave.stores.address import StoreAddress
from tests.commands import medweave
from tests.services.faults import Faults
from tests.services.growth import Growth
from tests.services.rdf_in_place import RdfInPlace
from tests.services.secure import Secure
from tests.services.service_stores import (
    ServiceConformance,
    ServiceVectorConformance,
    new_base,
    open_at,
    service,
)

ADDRESS = service("fuseki")
_READER = "reader"
"""Of the users that `scripts.services` makes, the one who may only read."""


class TestFusekiStore(ServiceConformance):
    address = ADDRESS


class TestFusekiVectors(ServiceVectorConformance):
    address = ADDRESS


class TestFusekiFaults(Faults):
    address = ADDRESS


class TestFusekiGrowth(Growth):
    address = ADDRESS


class TestFusekiInPlace(RdfInPlace):
    address = ADDRESS


def _url(address: StoreAddress) -> str:
    return f"{address.scheme}://{address.hosts}/{address.path}?base={address.base}"


def _login(user: str = ADDRESS.user, password: str = ADDRESS.password) -> dict[str, str]:
    return {"MEDWEAVE_STORE_USER": user, "MEDWEAVE_STORE_PASSWORD": password}


def test_who_may_only_read_asks_and_writes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text('{"name": "gout", "concept": "disease", "symptoms": ["pain"]}\n', "utf-8")
    url = _url(new_base(ADDRESS))
    reader = _login(_READER)
    assert medweave("build", "--kb", url, str(file), **_login()).status == 0
    assert "pain" in medweave("ask", "--kb", url, "Symptoms of gout?", **reader).out
    ran = medweave("remove", "--kb", url, str(file), "--json", **reader)
    assert ran.status == 1
    assert "StoreAccessError" in ran.out
    assert "pain" in medweave("ask", "--kb", url, "Symptoms of gout?", **reader).out


def test_the_password_is_shown_nowhere(tmp_path: Path) -> None:
    """Neither by who may not come in, nor in what was kept here or there by who may."""
    address = new_base(ADDRESS)
    wrong = medweave("stats", "--kb", _url(address), "--json", **_login(password="s3cr3t"))
    assert (wrong.status, "StoreAccessError" in wrong.out) == (1, True)
    store = open_at(address, create=True)
    store.put([])
    store.close()
    right = medweave("stats", "--kb", _url(address), "--json", **_login())
    for printed in (wrong.out + wrong.err, right.out + right.err):
        assert "s3cr3t" not in printed
        assert ADDRESS.password not in printed


class TestFusekiSecure(Secure):
    address = ADDRESS

    def by_tls(self, address: StoreAddress) -> StoreAddress:
        if address.scheme != "sparql+https":
            pytest.skip("the server that is named is not asked over TLS")
        return address
