"""MongoDB keeps every promise of `medweave.ports`."""

from tests.services.faults import Faults
from tests.services.service_stores import ServiceConformance, ServiceVectorConformance, service

ADDRESS = service("mongodb")


class TestMongoStore(ServiceConformance):
    address = ADDRESS


class TestMongoVectors(ServiceVectorConformance):
    address = ADDRESS


class TestMongoFaults(Faults):
    address = ADDRESS
