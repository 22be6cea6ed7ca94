"""A base over TLS, by a certificate that the test made: see `service_stores`."""

import os
import ssl
import time
from dataclasses import replace
from pathlib import Path

import pytest

from medweave.errors import StoreAccessError
from medweave.stores.address import StoreAddress
from medweave.stores.derived import view_of
from medweave.stores.memory import MemoryStore
from medweave.testing.worlds import cold_and_flu, contents
from scripts.services.servers import AUTHORITY, certified
from tests.services.service_stores import new_base, open_at


class Secure:
    """`over_tls` is a fixture: the address, and the file of who certified the server."""

    address: StoreAddress

    @pytest.fixture
    def over_tls(self) -> tuple[StoreAddress, Path]:
        if not os.environ.get(AUTHORITY):
            pytest.skip("the server that is named is not one with a certificate of ours")
        return self.by_tls(self.address), Path(os.environ[AUTHORITY])

    def by_tls(self, address: StoreAddress) -> StoreAddress:
        """The same server, asked over TLS."""
        return replace(address, options={**address.options, "tls": "true"})

    def test_a_base_is_written_and_read_over_tls(
        self, over_tls: tuple[StoreAddress, Path], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        address, authority = over_tls
        monkeypatch.setenv("SSL_CERT_FILE", str(authority))
        base, right = new_base(address), view_of(MemoryStore())
        right.put(cold_and_flu())
        store = open_at(base, create=True)
        store.put(cold_and_flu())
        store.close()
        again = view_of(open_at(base))
        assert contents(again) == contents(right)
        again.close()

    @pytest.mark.parametrize("wrong", ["authority", "host"])
    def test_a_certificate_that_is_not_trusted_is_refused(
        self,
        over_tls: tuple[StoreAddress, Path],
        monkeypatch: pytest.MonkeyPatch,
        tmp_path: Path,
        wrong: str,
    ) -> None:
        """One of another authority, or one of the right authority for another host."""
        address, authority = over_tls
        if wrong == "host":
            address = replace(address, hosts=f"localhost:{address.port}")
        else:
            certified(tmp_path)
            authority = tmp_path / "authority.pem"
        monkeypatch.setenv("SSL_CERT_FILE", str(authority))
        started = time.monotonic()
        with pytest.raises(StoreAccessError, match="certificate") as told:
            open_at(replace(new_base(address), timeout=4))
        assert time.monotonic() - started < 20
        assert "SSL_CERT_FILE" in (told.value.remedy or "")
        assert not address.password or address.password not in f"{told.value} {told.value.remedy}"


def server_side(folder: Path) -> ssl.SSLContext:
    """How a way of ours speaks TLS; the authority is `authority.pem` in the folder."""
    certified(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "server.pem", folder / "server.key")
    return context
