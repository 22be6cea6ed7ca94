"""`medweave`: how a command is begun, and how it ends."""

from __future__ import annotations

import gc
import sys

from medweave.errors import MedweaveError
from medweave.faces.cli.common import Run, fail
from medweave.faces.cli.question import answer_plainly, plain_question

_VALUES = 100_000
"""Rubbish is looked for after so many new values, not after 700: nearly all of what a command reads
at its start stays to its end, and looking through it took a fifth of a question's time."""


def run() -> None:
    """Run a command; end with 0, 1 (a typed error), 2 (wrong usage) or 130 (interrupted)."""
    gc.set_threshold(_VALUES, 20, 50)
    Run.json = "--json" in sys.argv
    Run.debug = "--debug" in sys.argv
    try:
        _run(sys.argv[1:])
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        sys.exit(130)
    except MedweaveError as error:
        if Run.debug:
            raise
        fail(error)
        sys.exit(1)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except Exception as error:
        if Run.debug:
            raise
        fail(_unexpected(error))
        sys.exit(1)
    finally:
        gc.freeze()  # what is left goes with the process; looking through it took 0.2 s


def _run(arguments: list[str]) -> None:
    question = plain_question(arguments)
    if question is not None:
        answer_plainly(question)
        return
    from medweave.faces.cli.commands import (
        program_for,  # a quarter of the time of a question from the shell
    )

    program_for(arguments)()


def _unexpected(error: Exception) -> MedweaveError:
    """A defect of ours still ends in one line."""
    return MedweaveError(
        f"an unexpected {type(error).__name__}: {error}",
        remedy="run `medweave --debug ...` with the same words, and report what it shows",
    )
