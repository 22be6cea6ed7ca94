"""RDF4J keeps every promise of `medweave.ports`."""

from tests.services.faults import Faults
from tests.services.growth import Growth
from tests.services.rdf_in_place import RdfInPlace
from tests.services.service_stores import ServiceConformance, ServiceVectorConformance, service

ADDRESS = service("rdf4j")


class TestRdf4jStore(ServiceConformance):
    address = ADDRESS


class TestRdf4jVectors(ServiceVectorConformance):
    address = ADDRESS


class TestRdf4jFaults(Faults):
    address = ADDRESS


class TestRdf4jGrowth(Growth):
    address = ADDRESS


class TestRdf4jInPlace(RdfInPlace):
    address = ADDRESS
