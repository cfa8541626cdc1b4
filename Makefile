# The README's two commands. Both set up a virtual environment of their own (.venv); they need Python >= 3.11 with venv.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# pip compiles the modules that it copies; those of a checkout, which it only points to, would be compiled in each process
# that may not write bytecode.
COMPILE := $(BIN)/python -m compileall -q -j 0 generator/platelayer

# Playwright runs on the system's Node.js (.ci/tools removes its own).
NODE := $(shell command -v node)
ifneq ($(NODE),)
export PLAYWRIGHT_NODEJS_PATH := $(NODE)
endif

.PHONY: print predrawn setup studio web test types style javascript assertions test-all look looks schemas pythons format bench reference docs site clean

print: .venv/.print
	$(BIN)/platelayer build 18eu -o output

# The studio for a title: make studio TITLE=my-title (any folder; 18EU if none is named).
TITLE ?= assets/titles/18eu
studio: .venv/.studio
	$(BIN)/platelayer studio $(TITLE)

# The browser edition: a folder for any web host. Needs node and npm.
web: .venv/.test
	$(BIN)/python tools/web.py output/web

# The faces of the five titles, drawn once (half a minute), so that builds of them take half the time until the code or an
# asset changes. Wheels have them.
predrawn: .venv/.print
	$(BIN)/python tools/predraw.py

# What the tests and the gate need, in .venv, and the faces that a wheel has.
setup: .venv/.test predrawn

# Checks that take one processor each run two at a time. The library of the atlas is compiled, without which its tests take
# minutes. The tests of a file stay together: they share what is costly.
test: .venv/.test
	./.ci/tools
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target style types javascript assertions
	$(COMPILE)
	$(BIN)/python generator/build_compiled.py
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder

# The assertions of all tests, rewritten once for all workers: each would take twelve seconds for it.
assertions:
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest --collect-only -qq > .venv/.collected || { cat .venv/.collected; exit 1; }

types:
	$(BIN)/mypy
	MYPYPATH=docs:tools:benchmarks $(BIN)/mypy docs/*.py benchmarks/*.py tools/*.py

style:
	$(BIN)/ruff format --check generator tests benchmarks docs tools
	$(BIN)/ruff check generator tests benchmarks docs tools
	$(BIN)/lint-imports

javascript:
	./.ci/javascript

# The same, then the slow tests.
test-all: test .venv/.release
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder -m slow

# Pieces that look different from before, side by side in build/looks/: of all titles, then their digests are updated; or
# of one, as with make look TITLE=1841, when they stay as they are.
looks: .venv/.test
	$(BIN)/python tests/looks/renew.py

look: .venv/.test
	$(BIN)/python tests/looks/renew.py --keep $(notdir $(TITLE))

# The files in schemas/ of the blocks that the model describes.
schemas: .venv/.test
	$(BIN)/python tools/schemas.py

# Every Python found on this machine: the same bytes, and a quick part of the tests.
pythons: .venv/.test
	$(BIN)/python .ci/pythons

format: .venv/.test
	$(BIN)/ruff format generator tests benchmarks docs tools
	$(BIN)/ruff check --fix generator tests benchmarks docs tools

# With the faces that a wheel has.
bench: .venv/.test predrawn
	$(BIN)/python benchmarks/run.py

# The pages that are generated from the code: the first of these alone, or with all pictures.
reference: .venv/.test
	$(BIN)/python docs/reference.py
	$(BIN)/python docs/options.py
	PYTHONPATH=tools $(BIN)/python docs/where.py

docs: .venv/.test
	PYTHONPATH=tools $(BIN)/python docs/make.py

# The documents as a site, with a page for each title, and with the browser edition if `make web` has made it: a folder for
# any web host.
site: .venv/.site
	$(BIN)/python tools/docs_site.py output/site $(wildcard output/web)

clean:
	rm -rf .venv output/18eu

.venv/.print: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(PIP) -e .
	$(COMPILE)
	touch $@

.venv/.studio: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(PIP) -e '.[studio]'
	$(COMPILE)
	touch $@ .venv/.print

# What the command uses is compiled now, what tests use alone when it is imported: a third smaller, and sooner done.
.venv/.test: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(PIP) -e '.[studio,import,spreadsheet]'
	$(PIP) --no-compile -e '.[dev]'
	$(COMPILE)
	touch $@ .venv/.print

.venv/.release: .venv/.test
	$(PIP) --no-compile -e '.[release]'
	touch $@

.venv/.site: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(PIP) -e '.[site]'
	touch $@ .venv/.print
