"""Fuseki keeps every promise of `medweave.ports`."""

from tests.services.faults import Faults
from tests.services.service_stores import ServiceConformance, ServiceVectorConformance, service

ADDRESS = service("fuseki")


class TestFusekiStore(ServiceConformance):
    address = ADDRESS


class TestFusekiVectors(ServiceVectorConformance):
    address = ADDRESS


class TestFusekiFaults(Faults):
    address = ADDRESS
