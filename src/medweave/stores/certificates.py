"""Whether the certificate of a server is trusted, and how it is told that it is not.

Trusted are the authorities of this machine, or those in the file that `SSL_CERT_FILE` names.
"""

from __future__ import annotations

import socket
import ssl
from urllib.parse import urlsplit

from medweave.errors import StoreAccessError

_PATIENCE = 5.0
"""Seconds to look at a certificate where something else has failed."""


def untrusted(why: str, where: str) -> StoreAccessError:
    """The error of a certificate that is not trusted."""
    return StoreAccessError(
        f"the certificate of the server is not trusted{f' ({why})' if why else ''}",
        where=where,
        remedy="name the file of its authority in SSL_CERT_FILE, and the host as it has it",
    )


def distrust(hosts: str, usual_port: int) -> str:
    """Why the certificate of the first of some hosts is not trusted; '' where it is, or nothing
    answers there. For drivers that only say that they could not connect.

    >>> distrust("127.0.0.1:9", 7687)
    ''
    """
    at = urlsplit(f"//{hosts.partition(',')[0]}")
    host = at.hostname or ""
    try:
        with (
            socket.create_connection((host, at.port or usual_port), _PATIENCE) as reached,
            ssl.create_default_context().wrap_socket(reached, server_hostname=host),
        ):
            return ""
    except ssl.SSLCertVerificationError as error:
        return error.verify_message
    except (OSError, ValueError):
        return ""
