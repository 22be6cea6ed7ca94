"""Start one server and keep it until this is stopped: `python -m scripts.services.keep neo4j`."""

from __future__ import annotations

import signal
import sys
import time

from scripts.services.servers import SERVERS


def main(name: str) -> None:
    """Print how it is reached, and wait."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # what was started is stopped
    with SERVERS[name]().running() as server:
        print(*(f"{name}={text!r}" for name, text in server.environment_of_tests().items()))
        print(f"MEDWEAVE_STORE_USER={server.user!r} MEDWEAVE_STORE_PASSWORD={server.password!r}")
        print(server.url, flush=True)
        while True:
            time.sleep(60)


if __name__ == "__main__":
    main(sys.argv[1])
