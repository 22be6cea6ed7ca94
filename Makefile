# medweave. `make run` and `make test` are all a new machine needs: Python 3.11 or newer with venv, make and git.

PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do command -v $$p >/dev/null 2>&1 && $$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; exit; }; done)
BIN := .venv/bin

.PHONY: install run test check bench lock format clean

install: .venv/installed

.venv/installed: requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "error: no Python 3.11 or newer with venv was found; on Debian: apt-get install python3 python3-venv make" >&2; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@$(BIN)/medweave weights install || echo "without them texts are compared by their words alone; get them later with: $(BIN)/medweave weights install"
	$(BIN)/python -m compileall -q src
	@touch $@

run: install  ## make the sample base and ask it
	@$(BIN)/medweave demo

test: install  ## the tests
	$(BIN)/pytest -n 2

check: install  ## everything: style, types, layers, tests, docs
	$(BIN)/ruff format --check src tests scripts benchmarks
	$(BIN)/ruff check src tests scripts benchmarks
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -n 2

bench: install  ## speed and size beside the peers (QUICK=1: about three minutes)
	$(BIN)/python -m benchmarks.run $(if $(QUICK),--quick)
	$(if $(QUICK),,$(BIN)/python -m benchmarks.page)

lock:  ## bring requirements.lock up to date
	$(BIN)/pip-compile --quiet --generate-hashes --allow-unsafe --strip-extras --no-header --no-annotate \
	  --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --all-extras --all-build-deps \
	  --output-file requirements.lock pyproject.toml

format:
	$(BIN)/ruff format src tests benchmarks
	$(BIN)/ruff check --fix src tests benchmarks

clean:
	rm -rf .venv .bench build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
