# medweave. `make run` and `make test` are all a new machine needs: Python 3.11 or newer with venv, make and git.

PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do command -v $$p >/dev/null 2>&1 && $$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; exit; }; done)
BIN := .venv/bin
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PIP_COMPILE := $(BIN)/pip-compile --quiet --generate-hashes --allow-unsafe --strip-extras --no-header --no-annotate \
	--no-emit-index-url --no-emit-find-links --no-emit-trusted-host --all-build-deps
SOURCES := $(shell find src -name '*.py' -o -name '*.yaml')
PYTHON_FILES := src tests scripts benchmarks

.PHONY: install run test test-browser test-services style check fuzz bench lock format clean

install: .venv/complete .venv/compiled  ## everything that running and testing need

.venv/running: requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "error: no Python 3.11 or newer with venv was found; on Debian: apt-get install python3 python3-venv make" >&2; exit 1; }
	$(PYTHON) -m venv .venv
	$(PIP_INSTALL) --require-hashes -r requirements.lock
	$(PIP_INSTALL) --no-deps --no-build-isolation -e .
	@$(BIN)/python -m pip uninstall --quiet --yes setuptools  # it has done its work, and takes 8 MB
	@$(BIN)/python -m pip uninstall --quiet --yes huggingface-hub hf-xet fsspec filelock tqdm  # nothing is fetched from a hub: 23 MB
	@find .venv/lib -path '*/site-packages/*' -type d '(' -name tests -o -name test ')' -prune -exec rm -rf {} +  # of libraries: 18 MB
	@$(BIN)/medweave weights install || echo "without them texts are compared by their words alone; get them later with: $(BIN)/medweave weights install"
	@touch $@

.venv/compiled: .venv/running $(SOURCES)  ## or else every start would compile what has changed
	$(BIN)/python -m compileall -q src
	$(BIN)/python -m medweave.language.parsed_rules
	@touch $@

.venv/complete: .venv/running requirements-test.lock
	$(PIP_INSTALL) --require-hashes -r requirements-test.lock
	@touch $@

run: .venv/compiled  ## make the sample base and ask it
	@$(BIN)/medweave demo

test: install  ## the tests, the same each time, but those that take long
	$(BIN)/pytest -n 2 -m "not thorough"

test-browser: install  ## the page in a real browser, where there is one
	$(BIN)/pytest -p no:cacheprovider tests/browser

test-services: install  ## the tests of stores on real servers, as far as this machine can have them
	@$(BIN)/python -m scripts.services.run $(SERVERS)

style: install  ## form, types and layers
	$(BIN)/ruff format --check $(PYTHON_FILES)
	$(BIN)/ruff check $(PYTHON_FILES)
	$(BIN)/mypy
	$(BIN)/lint-imports

check: style  ## everything that continuous integration asks for: every test, the thorough ones too
	$(BIN)/pytest -n 2

fuzz: install  ## the property tests with texts and values drawn anew
	$(BIN)/pytest -n 2 -m hypothesis --hypothesis-profile=fuzz

bench: install  ## speed and size beside the peers (QUICK=1: about three minutes)
	$(BIN)/python -m benchmarks.run $(if $(QUICK),--quick)
	$(if $(QUICK),,$(BIN)/python -m benchmarks.page)

lock: install  ## bring both lock files up to date; what runs is a part of what is tested
	$(PIP_COMPILE) --all-extras --output-file requirements-test.lock pyproject.toml
	$(PIP_COMPILE) --extra dense --extra guidelines --extra pdf --extra serve -c requirements-test.lock --output-file requirements.lock pyproject.toml

format: install
	$(BIN)/ruff format $(PYTHON_FILES)
	$(BIN)/ruff check --fix $(PYTHON_FILES)

clean:
	rm -rf .venv .bench build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
