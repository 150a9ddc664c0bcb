# The balance lab. `make run` and `make test` need Python 3.11 or newer, make and the network.
PYTHON ?= python3
BIN := .venv/bin
PIP_INSTALL := $(BIN)/python -m pip install -qq --disable-pip-version-check
DEMO := ants-costs

.PHONY: run test proof bench bench-search lock clean

## run: the demonstration, from nothing to a report
run: .venv/ready
	$(BIN)/lab sweep experiments/$(DEMO).toml --jobs 2
	$(BIN)/lab report runs/$(DEMO)
	@echo "$(CURDIR)/runs/$(DEMO)/report.html"

## test: everything a change has to pass
test: .venv/ready
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/lab compile
	$(BIN)/pytest -q --numprocesses 2 --dist loadfile

## proof: the same tests with as many games as the claims in the README ask for
proof: .venv/ready
	LAB_PROOF=1 $(BIN)/pytest -q
	$(BIN)/python tests/mutants.py --game ants --sample 60
	$(BIN)/python tests/mutants.py --game next_nation --sample 60
	$(BIN)/python tests/mutants.py --game wargambit --sample 60
	$(BIN)/python tests/mutants.py --game junqi --sample 60

## bench: a table of speeds, also written to bench.json
bench: .venv/ready
	$(BIN)/python tests/bench/bench.py

## bench-search: how near searches come to their targets at equal games; bench-search.json and .svg
bench-search: .venv/ready
	$(BIN)/lab bench search

## lock: resolve the newest versions that pyproject.toml allows, for every system and Python
lock: .venv/ready
	$(BIN)/pip install --quiet uv
	echo hatchling | $(BIN)/uv pip compile pyproject.toml - --extra test --output-file requirements.lock \
	  --universal --python-version 3.11 --fork-strategy fewest --generate-hashes --upgrade \
	  --no-header --no-annotate --no-emit-index-url

clean:
	rm -rf .venv runs build dist bench.json bench-search.json bench-search.svg .mypy_cache .ruff_cache .pytest_cache .hypothesis \
	  .import_linter_cache
	find lab tests -name __pycache__ -prune -exec rm -rf {} +

.venv/ready: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed" if sys.version_info < (3, 11) else 0)'
	@echo "Setting up .venv, which takes about a minute"
	@$(PYTHON) -m venv .venv
	@$(PIP_INSTALL) --require-hashes -r requirements.lock
	@$(PIP_INSTALL) --no-deps --no-build-isolation -e .
	@touch $@
