"""The servers that a user may start by Docker are reached by this machine alone, with a login."""

from pathlib import Path

import pytest
import yaml

from medweave.stores.registry import ADAPTERS, VECTORS

FILE = Path(__file__).parents[3] / "docs" / "how-to" / "servers.compose.yaml"
SERVICES = yaml.safe_load(FILE.read_text("utf-8"))["services"]


def test_there_is_a_server_for_every_adapter() -> None:
    kinds = {one.kind for one in ADAPTERS.values() if not one.local} | {VECTORS.kind}
    assert kinds == {"sparql" if name == "rdf4j" else name for name in SERVICES}


def test_weaviate_is_called_the_same_in_every_container_of_its_volume() -> None:
    """Else it looks for a leader by its old name, and does not answer."""
    assert SERVICES["weaviate"]["environment"]["CLUSTER_HOSTNAME"]


@pytest.mark.parametrize("name", SERVICES)
def test_a_server_is_pinned_kept_and_heard_here_alone(name: str) -> None:
    service = SERVICES[name]
    assert service["profiles"] == [name]  # none is started that is not named
    assert service["image"].rpartition(":")[2][0].isdigit()
    assert service["ports"]
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])
    assert [each.partition(":")[0] for each in service["volumes"]] == [name]
    secrets = [text for key, text in service.get("environment", {}).items()
               if key.endswith(("PASSWORD", "AUTH", "KEYS")) and "RANDOM" not in key]  # fmt: skip
    assert name == "rdf4j" or secrets
    assert all("${MEDWEAVE_STORE_PASSWORD:?" in secret for secret in secrets)
