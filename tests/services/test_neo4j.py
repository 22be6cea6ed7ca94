"""Neo4j keeps every promise of `medweave.ports`."""

from tests.services.service_stores import ServiceConformance, service

ADDRESS = service("neo4j")


class TestNeo4jStore(ServiceConformance):
    address = ADDRESS
