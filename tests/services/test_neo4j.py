"""Neo4j keeps every promise of `medweave.ports`."""

from tests.services.service_stores import ServiceConformance, ServiceVectorConformance, service

ADDRESS = service("neo4j")


class TestNeo4jStore(ServiceConformance):
    address = ADDRESS


class TestNeo4jVectors(ServiceVectorConformance):
    address = ADDRESS
