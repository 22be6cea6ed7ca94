"""One class for each server: how it is started, and when it is ready."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from abc import ABC, abstractmethod
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from scripts.services.fetching import HERE, UnavailableError, built, cache_folder, fetched, program

READY_SECONDS = 300
AUTHORITY = "MEDWEAVE_TEST_AUTHORITY"
"""The variable that names who certified a server, where one was started that can speak TLS."""
PASSWORD = "a pass/word@tests"  # noqa: S105 - of a server that this machine alone can reach
_CONFIGURATION = """@prefix config: <tag:rdf4j.org,2023:config/>.
[] a config:Repository; config:rep.id "tests"; config:rep.impl [
  config:rep.type "openrdf:SailRepository";
  config:sail.impl [config:sail.type "openrdf:NativeStore"]].
"""
_FUSEKI = """PREFIX fuseki: <http://jena.apache.org/fuseki#>
PREFIX tdb: <{vocabulary}#>
[] a fuseki:Server ; fuseki:services ( <#tests> ) .
<#tests> a fuseki:Service ; fuseki:name "tests" ; fuseki:dataset <#data> ;
  fuseki:endpoint [ fuseki:operation fuseki:query ; fuseki:allowedUsers "writer", "reader" ] ;
  fuseki:endpoint [ fuseki:operation fuseki:update ; fuseki:name "update" ;
    fuseki:allowedUsers "writer" ] ;
  fuseki:endpoint [ fuseki:operation fuseki:gsp-rw ; fuseki:name "data" ;
    fuseki:allowedUsers "writer" ] .
<#data> a tdb:{dataset} ; tdb:location "{data}" .
"""


class Server(ABC):
    """A server that runs while `running` is open, with a data folder of its own."""

    name = ""
    port = 0
    user = ""
    password = ""
    process: subprocess.Popen[bytes]
    """While it runs."""
    _folder: Path

    @property
    @abstractmethod
    def url(self) -> str:
        """The URL of a store on it."""

    def base(self, name: str) -> str:
        """The URL of a base on it with the login in it, as each server has another; what else who
        speaks to it needs is put into the variables of this process."""
        os.environ.update(self.environment_of_tests())
        scheme, _, place = self.url.partition("://")
        login = f"{quote(self.user)}:{quote(self.password, safe='')}@" if self.user else ""
        return f"{scheme}://{login}{place}{'&' if '?' in place else '?'}base={name}"

    @abstractmethod
    def command(self, folder: Path) -> list[str]:
        """What starts it; its data belong in the folder. Raises `UnavailableError`."""

    def environment(self, folder: Path) -> dict[str, str]:  # noqa: ARG002
        """What its settings in variables are, after `command`."""
        return {}

    def environment_of_tests(self) -> dict[str, str]:
        """What who speaks to it needs in variables, beside its address and login."""
        return {}

    @abstractmethod
    def answers(self) -> bool:
        """Whether it is ready."""

    @abstractmethod
    def version(self) -> str:
        """The version that runs, as it tells it, or as what was fetched is called."""

    def prepare(self) -> None:  # noqa: B027 - most need nothing
        """What is to be done when it is ready."""

    def expect_much(self) -> None:  # noqa: B027 - most need nothing
        """Before it is started: what is to be set for a large base."""

    @contextmanager
    def running(self) -> Iterator[Server]:
        """Start it, wait until it answers, and stop it in the end, by the id of its process."""
        within = cache_folder(self.name)
        within.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        self._folder = Path(tempfile.mkdtemp(prefix="data-", dir=within))
        try:
            with self.started():
                self.prepare()
                yield self
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)

    @contextmanager
    def started(self) -> Iterator[None]:
        """The process alone, on the data that are there, as after it was killed."""
        folder = self._folder
        log = folder / "log.txt"
        with log.open("ab") as written:
            process = subprocess.Popen(
                self.command(folder),
                stdout=written,
                stderr=written,
                cwd=folder,
                env={**os.environ, **self.environment(folder)},
            )
        self.process = process
        try:
            self._wait(process, log)
            yield
        finally:
            process.send_signal(signal.SIGCONT)  # it may have been made to hang
            process.terminate()
            try:
                process.wait(timeout=60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def megabytes(self) -> float:
        """What its data take on the disk, and its log."""
        files = (file for file in self._folder.rglob("*") if file.is_file())
        return sum(file.stat().st_blocks * 512 for file in files) / 1e6

    def kill(self) -> None:
        """End it as when the power fails; `started` starts it again."""
        self.process.kill()
        self.process.wait()

    def _wait(self, process: subprocess.Popen[bytes], log: Path) -> None:
        patience = time.monotonic() + READY_SECONDS
        while not self.answers():
            if process.poll() is not None or time.monotonic() > patience:
                last = log.read_text(errors="replace").strip().splitlines()[-1:]
                raise UnavailableError(f"it did not start: {''.join(last)[:200]}")
            time.sleep(0.2)


class Neo4j(Server):
    """Neo4j Community, out of two artefacts of Maven Central."""

    name = "neo4j"
    user = "neo4j"
    password = PASSWORD
    _http = 0

    @property
    def url(self) -> str:
        return f"neo4j://127.0.0.1:{self.port}/neo4j"

    def command(self, folder: Path) -> list[str]:
        self._http = free_port()
        certified(folder)
        settings = folder / "conf" / "neo4j.conf"
        settings.parent.mkdir(exist_ok=True)
        settings.write_text(
            "server.default_listen_address=127.0.0.1\n"
            f"server.bolt.listen_address=127.0.0.1:{self.port}\n"
            f"server.bolt.advertised_address=127.0.0.1:{self.port}\n"
            f"server.http.listen_address=127.0.0.1:{self._http}\n"
            "server.https.enabled=false\n"
            "server.bolt.tls_level=OPTIONAL\n"
            "dbms.ssl.policy.bolt.enabled=true\n"
            f"dbms.ssl.policy.bolt.base_directory={folder}\n"
            "dbms.ssl.policy.bolt.private_key=server.key\n"
            "dbms.ssl.policy.bolt.public_certificate=server.pem\n"
            "dbms.ssl.policy.bolt.client_auth=NONE\n"
            "dbms.security.auth_enabled=true\n"
            "server.memory.pagecache.size=256m\n"
            "dbms.usage_report.enabled=false\n"
        )
        opened = [
            f"--add-opens=java.base/{package}=ALL-UNNAMED"
            for package in ("java.nio", "java.io", "sun.nio.ch", "java.lang")
        ]
        return [
            *(program("java"), "-Xmx1g", *opened, "-Dio.netty.tryReflectionSetAccessible=true"),
            *("-cp", f"{fetched(self.name)}/*", "org.neo4j.server.CommunityEntryPoint"),
            *(f"--home-dir={folder}", f"--config-dir={folder / 'conf'}"),
        ]

    def environment_of_tests(self) -> dict[str, str]:
        return {AUTHORITY: str(self._folder / "authority.pem")}

    def answers(self) -> bool:
        return _gets(f"http://127.0.0.1:{self._http}/")

    def version(self) -> str:
        return _version_of(self.name, "neo4j-kernel-")

    def prepare(self) -> None:
        from neo4j import GraphDatabase

        login = (self.user, "neo4j")
        with GraphDatabase.driver(f"bolt://127.0.0.1:{self.port}", auth=login) as driver:
            driver.execute_query(
                "ALTER CURRENT USER SET PASSWORD FROM 'neo4j' TO $new",
                new=self.password,
                database_="system",
            )


class Rdf4j(Server):
    """The server of RDF4J, whose way of speaking GraphDB has too."""

    name = "rdf4j"

    @property
    def _root(self) -> str:
        return f"127.0.0.1:{self.port}/rdf4j-server"

    @property
    def url(self) -> str:
        return f"sparql+http://{self._root}/repositories/tests"

    def command(self, folder: Path) -> list[str]:
        jars = fetched(self.name)
        [runner], [war] = jars.glob("jetty-runner*.jar"), jars.glob("*.war")
        return [
            *(program("java"), "-Xmx1g", f"-Dorg.eclipse.rdf4j.appdata.basedir={folder}"),
            *("-jar", str(runner), "--host", "127.0.0.1", "--port", str(self.port)),
            *("--path", "/rdf4j-server", str(war)),
        ]

    def answers(self) -> bool:
        return _gets(f"http://{self._root}/protocol")

    def version(self) -> str:
        return _version_of(self.name, "rdf4j-http-server-")

    def prepare(self) -> None:
        made = urllib.request.Request(
            f"http://{self._root}/repositories/tests",
            data=_CONFIGURATION.encode(),
            method="PUT",
            headers={"Content-Type": "text/turtle"},
        )
        urllib.request.urlopen(made, timeout=60).close()


class Fuseki(Server):
    """Apache Jena Fuseki, with its data on disk: over TLS alone by an authority of its own, and for
    two users, of whom one may only read."""

    name = "fuseki"
    user = "writer"
    password = PASSWORD
    reader = "reader"
    """May only read; has the same password."""
    _kept_in = ("http://jena.apache.org/2016/tdb", "DatasetTDB2")

    def __init__(self) -> None:
        self.authority = Path()

    def expect_much(self) -> None:
        """TDB1, which changes pages where they are; TDB2 writes them anew and keeps the old."""
        self._kept_in = ("http://jena.hpl.hp.com/2008/tdb", "DatasetTDB")

    @property
    def url(self) -> str:
        return f"sparql+https://127.0.0.1:{self.port}/tests"

    def command(self, folder: Path) -> list[str]:
        [jar] = fetched(self.name).glob("*.jar")
        (folder / "tdb").mkdir(exist_ok=True)
        (folder / "users").write_text(
            "".join(f"{user}: {self.password}\n" for user in (self.user, self.reader))
        )
        (folder / "tls").write_text(
            json.dumps({"keystore": str(certified(folder)), "passwd": "tests"})
        )
        vocabulary, dataset = self._kept_in
        (folder / "config.ttl").write_text(
            _FUSEKI.format(data=folder / "tdb", vocabulary=vocabulary, dataset=dataset)
        )
        self.authority = folder / "authority.pem"
        return [
            *(program("java"), "-Xmx768m", "-jar", str(jar), "--localhost"),
            *("--config", str(folder / "config.ttl"), "--auth", "basic"),
            *("--passwd", str(folder / "users"), "--https", str(folder / "tls")),
            *("--httpsPort", str(self.port), "--port", str(free_port())),
        ]

    def environment_of_tests(self) -> dict[str, str]:
        return {"SSL_CERT_FILE": str(self.authority), AUTHORITY: str(self.authority)}

    def answers(self) -> bool:
        login = b64encode(f"{self.user}:{self.password}".encode()).decode()
        asked = urllib.request.Request(
            f"https://127.0.0.1:{self.port}/tests?query=ASK%20%7B%7D",
            headers={"Authorization": f"Basic {login}"},
        )
        return _gets(asked, ssl.create_default_context(cafile=self.authority))

    def version(self) -> str:
        return _version_of(self.name, "jena-fuseki-server-")


class MongoDb(Server):
    """A server that speaks as MongoDB does, without transactions and `$text`.

    A real one is used where `MEDWEAVE_TEST_MONGODB` names it.
    """

    name = "mongodb"

    @property
    def url(self) -> str:
        return f"mongodb://127.0.0.1:{self.port}/tests"

    def command(self, folder: Path) -> list[str]:
        return [
            *(program("java"), "-Xmx768m", "-cp", f"{fetched(self.name)}/*"),
            *(str(HERE / "Main.java"), str(self.port), str(folder / "data.mv")),
        ]

    def answers(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
            return True
        return False

    def version(self) -> str:
        server = _version_of(self.name, "mongo-java-server-h2-backend-")
        return f"wire protocol (mongo-java-server {server})"


class MariaDb(Server):
    """MariaDB, where this machine has it."""

    name = "mysql"
    user = "root"

    @property
    def url(self) -> str:
        return f"mysql://127.0.0.1:{self.port}/tests"

    def command(self, folder: Path) -> list[str]:
        server, data = program("mariadbd"), folder / "data"
        certified(folder)
        as_root = ["--user=root"] if os.geteuid() == 0 else []
        if not data.exists():
            subprocess.run(
                [
                    *(program("mariadb-install-db"), "--no-defaults", f"--datadir={data}"),
                    *("--auth-root-authentication-method=normal", "--skip-test-db", *as_root),
                ],
                check=True,
                capture_output=True,
            )
        return [
            *(server, "--no-defaults", *as_root, f"--datadir={data}", "--bind-address=127.0.0.1"),
            *(f"--port={self.port}", f"--socket={folder / 's'}", f"--pid-file={folder / 'pid'}"),
            *(f"--ssl-cert={folder / 'server.pem'}", f"--ssl-key={folder / 'server.key'}"),
            "--character-set-server=utf8mb4",
        ]

    def environment_of_tests(self) -> dict[str, str]:
        return {AUTHORITY: str(self._folder / "authority.pem")}

    def answers(self) -> bool:
        import pymysql

        with suppress(pymysql.MySQLError):
            pymysql.connect(host="127.0.0.1", port=self.port, user="root").close()
            return True
        return False

    def version(self) -> str:
        import pymysql

        with pymysql.connect(host="127.0.0.1", port=self.port, user="root") as connection:
            return str(connection.get_server_info())

    def prepare(self) -> None:
        import pymysql

        connection = pymysql.connect(host="127.0.0.1", port=self.port, user="root")
        with connection, connection.cursor() as cursor:
            cursor.execute("CREATE DATABASE tests")


class Weaviate(Server):
    """Weaviate, built from its Go module."""

    name = "weaviate"
    _version = "v1.28.2"
    _grpc = 0

    @property
    def url(self) -> str:
        return f"weaviate://127.0.0.1:{self.port}?grpc={self._grpc}"

    def command(self, folder: Path) -> list[str]:  # noqa: ARG002
        package = "github.com/weaviate/weaviate/cmd/weaviate-server"
        server = built(self.name, package, self._version)
        return [str(server), "--host", "127.0.0.1", "--port", str(self.port), "--scheme", "http"]

    def environment(self, folder: Path) -> dict[str, str]:
        self._grpc, gossip = free_port(), _two_free_ports()
        return {
            "GRPC_PORT": str(self._grpc),
            "CLUSTER_HOSTNAME": "node1",
            "CLUSTER_ADVERTISE_ADDR": "127.0.0.1",
            "CLUSTER_ADVERTISE_PORT": str(gossip),
            "CLUSTER_GOSSIP_BIND_PORT": str(gossip),
            "CLUSTER_DATA_BIND_PORT": str(gossip + 1),
            "RAFT_PORT": str(free_port()),
            "RAFT_INTERNAL_RPC_PORT": str(free_port()),
            "RAFT_BOOTSTRAP_EXPECT": "1",
            "PERSISTENCE_DATA_PATH": str(folder / "data"),
            "DEFAULT_VECTORIZER_MODULE": "none",
            "AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED": "true",
            "DISABLE_TELEMETRY": "true",
            "GOMEMLIMIT": "1GiB",
            "LOG_LEVEL": "warning",
        }

    def answers(self) -> bool:
        return _gets(f"http://127.0.0.1:{self.port}/v1/.well-known/ready")

    def version(self) -> str:
        return self._version.removeprefix("v")


SERVERS: dict[str, Callable[[], Server]] = {
    "neo4j": Neo4j,
    "mongodb": MongoDb,
    "rdf4j": Rdf4j,
    "fuseki": Fuseki,
    "mysql": MariaDb,
    "weaviate": Weaviate,
}
"""All there are, in the order in which they are started, one after the other."""


def free_port() -> int:
    """A port of this machine at which nothing listens."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])


def _two_free_ports() -> int:
    """The first of two ports that follow each other."""
    while True:
        port = free_port()
        with socket.socket() as held, suppress(OSError, OverflowError):
            held.bind(("127.0.0.1", port + 1))
            return port


def _version_of(name: str, beginning: str) -> str:
    """The version in the name of a jar."""
    [jar, *_] = sorted(fetched(name).glob(f"{beginning}[0-9]*"))
    return jar.stem.removeprefix(beginning)


def certified(folder: Path) -> Path:
    """A key with a certificate for this machine, of an authority of its own (`authority.pem`)."""
    tool, made = program("openssl"), folder / "server.p12"
    if made.exists():
        return made
    (folder / "names").write_text("subjectAltName=IP:127.0.0.1\n")
    new = ("-newkey", "rsa:2048", "-nodes", "-subj")
    for words in (
        ("req", "-x509", *new, "/CN=tests", "-keyout", "authority.key", "-out", "authority.pem"),
        ("req", *new, "/CN=127.0.0.1", "-keyout", "server.key", "-out", "server.csr"),
        (
            *("x509", "-req", "-in", "server.csr", "-CA", "authority.pem", "-CAcreateserial"),
            *("-CAkey", "authority.key", "-extfile", "names", "-out", "server.pem"),
        ),
        (
            *("pkcs12", "-export", "-in", "server.pem", "-inkey", "server.key"),
            *("-passout", "pass:tests", "-out", made.name),
        ),
    ):
        subprocess.run([tool, *words], cwd=folder, check=True, capture_output=True)
    return made


def _gets(asked: str | urllib.request.Request, trusting: ssl.SSLContext | None = None) -> bool:
    try:
        urllib.request.urlopen(asked, timeout=5, context=trusting).close()
    except (urllib.error.URLError, OSError):
        return False
    return True
