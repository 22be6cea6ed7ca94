"""`medweave mcp`: the tools for a model's client, over stdin and stdout."""

from __future__ import annotations

from pathlib import Path

from medweave.errors import ConfigurationError
from medweave.faces.cli.common import reading
from medweave.faces.cli.options import Kb


def mcp(kb: Kb = "") -> None:
    """Serve ask, similar, classify, verify and more to a program that speaks MCP, over stdio."""
    try:
        from medweave.faces.protocols.mcp_server import Only, mcp_server, run_stdio
    except ImportError as error:
        raise ConfigurationError(
            "the library of the Model Context Protocol is not installed", where="mcp",
            remedy="pip install 'medweave[mcp]'",
        ) from error  # fmt: skip
    with reading(kb) as base:
        run_stdio(mcp_server(Only(base, Path(kb).stem or "sample")))
