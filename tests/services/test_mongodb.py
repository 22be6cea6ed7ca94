"""MongoDB keeps every promise of `medweave.ports`."""

from tests.services.service_stores import ServiceConformance, service

ADDRESS = service("mongodb")


class TestMongoStore(ServiceConformance):
    address = ADDRESS
