"""`python -m medweave`."""

from medweave.faces.cli.main import run

run()
