"""Neo4j keeps every promise of `medweave.ports`."""

from collections.abc import Iterator
from dataclasses import replace

import neo4j
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medweave.errors import NotFoundError, StoreAccessError
from medweave.stores.address import StoreAddress
from medweave.stores.neo4j import Neo4jRows, quoted
from medweave.stores.versioned.rows import NUMBERED
from tests.services.faults import Faults
from tests.services.secure import Secure
from tests.services.service_stores import (
    ServiceConformance,
    ServiceVectorConformance,
    new_base,
    open_at,
    service,
)

ADDRESS = service("neo4j")


class TestNeo4jStore(ServiceConformance):
    address = ADDRESS


class TestNeo4jVectors(ServiceVectorConformance):
    address = ADDRESS


class TestNeo4jFaults(Faults):
    address = ADDRESS
    by_scheme = "bolt"


class TestNeo4jSecure(Secure):
    address = ADDRESS

    def by_tls(self, address: StoreAddress) -> StoreAddress:
        return replace(address, scheme="bolt+s")


class TestNeo4jRoutedSecure(TestNeo4jSecure):
    def by_tls(self, address: StoreAddress) -> StoreAddress:
        return replace(address, scheme="neo4j+s")


@pytest.fixture(scope="module")
def driver() -> Iterator[neo4j.Driver]:
    login = (ADDRESS.user, ADDRESS.password)
    with neo4j.GraphDatabase.driver(f"bolt://{ADDRESS.hosts}", auth=login) as opened:
        yield opened


def test_a_wrong_password_is_shown_nowhere() -> None:
    with pytest.raises(StoreAccessError) as caught:
        open_at(replace(ADDRESS, password="not-the-password"))
    error: BaseException | None = caught.value
    while error is not None:
        assert "not-the-password" not in f"{error} {error!r}"
        error = error.__cause__
    assert ADDRESS.password not in str(caught.value)


def test_a_database_that_is_not_there_is_said() -> None:
    with pytest.raises(NotFoundError, match="no_such"):
        open_at(replace(ADDRESS, path="no_such"))


@settings(max_examples=30, deadline=None)
@given(name=st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1))
def test_a_quoted_name_is_one_name(driver: neo4j.Driver, name: str) -> None:
    _check_name(driver, name)


@pytest.mark.parametrize(
    "name",
    ["a`b", "``", "\\u0060", "\\", "`: 1}) DETACH DELETE n //", "a\\`b", "感冒", "\\\\u0060"],
)
def test_a_hostile_name_is_one_name(driver: neo4j.Driver, name: str) -> None:
    _check_name(driver, name)


def _check_name(driver: neo4j.Driver, name: str) -> None:
    found = driver.execute_query(f"RETURN 1 AS {quoted(name)}")
    assert found.keys == [name]


def test_no_question_reads_all_nodes_of_a_kind(driver: neo4j.Driver) -> None:
    """By the plan of the server, whatever rows are looked for by."""
    store = open_at(new_base(ADDRESS), create=True)
    store.put([])
    rows = store._rows  # type: ignore[attr-defined]
    assert isinstance(rows, Neo4jRows)
    for kind, fields in NUMBERED.items():
        for field in fields:
            query = rows.query(kind, {field: [1, 2]}, ("n",))
            given = {"base": "b", "at": 5, f"where_{field}": [1, 2]}
            summary = driver.execute_query(f"EXPLAIN {query}", given).summary
            steps = _steps(summary.plan)
            assert not {step for step in steps if "Scan" in step}, (kind, field, steps)
            assert any("Seek" in step for step in steps), (kind, field, steps)
    store.close()


def _steps(plan: object) -> list[str]:
    assert isinstance(plan, dict)
    return [
        plan["operatorType"],
        *(step for child in plan.get("children", ()) for step in _steps(child)),
    ]
