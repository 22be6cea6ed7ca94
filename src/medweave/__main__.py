"""`python -m medweave`."""

from medweave.cli.main import run

run()
