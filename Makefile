# Two commands: `make demo` and `make test`. Both set up what they need; nothing but Python 3.11+ and make is assumed.
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin
UV_VERSION := 0.13.9

# Packages left uncompiled start two to three times slower for ever.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test lint setup browser lock bench fuzz sample clean

demo: setup
	@$(BIN)/python -m sample_data.demo

test: setup lint browser
	$(BIN)/pytest -n 2 --dist worksteal

lint: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Pages and PDF need a browser. Debian's is installed where that is allowed; elsewhere those tests skip and say so.
browser:
	@for name in chromium chromium-browser google-chrome; do command -v $$name >/dev/null && exit 0; done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null; \
	else echo "no Chromium on this machine: tests of pages and PDF will skip"; fi

# Every reader, SECONDS each; `make test` replays the seeds in tests/data/corpus.
SECONDS ?= 60
fuzz: setup
	$(BIN)/python -m tests.fuzz_parsers --seconds $(SECONDS)

bench: setup
	$(BIN)/python -m benchmarks.night
	$(BIN)/python -m benchmarks.ingest
	$(BIN)/python -m benchmarks.streamflow
	$(BIN)/python -m benchmarks.aquifer
	$(BIN)/python -m benchmarks.quality
	$(BIN)/python -m benchmarks.laboratory
	$(BIN)/python -m benchmarks.loggers
	$(BIN)/python -m benchmarks.levels
	$(BIN)/python -m benchmarks.pumping
	$(BIN)/python -m benchmarks.modflow

sample: setup
	$(BIN)/python sample_data/generate.py

setup: .venv/installed

.venv/installed: requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Headwater needs Python 3.11 or newer")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "uv==$(UV_VERSION)"
	$(BIN)/uv pip install --quiet --compile-bytecode --no-deps --require-hashes -r requirements.lock
	$(BIN)/uv pip install --quiet --no-deps --no-build-isolation -e .
	touch $@

# Names and hashes only, no host: the lock works with any mirror of the package index.
lock:
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --extra gis --extra modflow --extra postgresql --extra serve --group dev --group mf6 pyproject.toml -o requirements.lock

clean:
	rm -rf .venv .demo build dist *.egg-info
