"""What MySQL and MariaDB do with vectors, and when something goes wrong on the way."""

from tests.services.faults import Faults
from tests.services.service_stores import ServiceVectorConformance, service

ADDRESS = service("mysql")


class TestMysqlVectors(ServiceVectorConformance):
    address = ADDRESS


class TestMysqlFaults(Faults):
    address = ADDRESS
