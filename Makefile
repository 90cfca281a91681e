# Two commands do everything: `make book` and `make test`. The rest is comfort.
# Needs make and Python 3.11 or later; everything else goes into .venv.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo $$p && break; done)
BIN := .venv/bin
# What pip may install is named by hash. Nothing is built but a package of data, with the
# tools that are here, so nothing else is fetched.
PIP := $(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes
PIN = $(BIN)/python -m uv pip compile -q --no-config --universal --python-version 3.11 \
	--emit-build-options --generate-hashes $(UPGRADE) \
	--custom-compile-command 'make requirements'
LIGHT := .venv/light/bin/python -m pip install -q --disable-pip-version-check
WHEELS := --only-binary :all:
CHAPTERS := $(wildcard chapters/*.ipynb)
PAGES := _config.yml _toc.yml references.bib $(CHAPTERS) $(wildcard chapters/*.md) \
	$(wildcard chapters/_data/* bookkit/* bookkit/assets/* bookkit/sphinx/* bookkit/sphinx/*/*) \
	$(wildcard bookkit/web/* bookkit/web/*/* bookkit/web/*/*/*) requirements/notebooks.txt \
	$(wildcard pmeanlib/*.py* pmeanlib/*.csv pmeanlib/*.mplstyle pmeanlib/*.json)
# With SOLUTIONS=0 the pages have none, and lie in a folder of their own.
ifneq "$(filter-out 0 1,$(SOLUTIONS))" ""
$(error SOLUTIONS must be 0 or 1, got $(SOLUTIONS))
endif
EDITION := $(if $(filter 0,$(SOLUTIONS)),student-)
HTML := _build/$(EDITION)html
TESTED := --ignore=tests/browser -n 2 --dist loadfile -p no:cacheprovider

export TQDM_DISABLE ?= 1

.PHONY: help venv book chapter slides student autograder test test-library test-kit \
	test-browser pdf chromium lint types links lab notebooks execute stills answers \
	explorer bench mutants \
	requirements clean

help:  ## list what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/' | expand -t 15

venv: .venv/installed  ## create .venv with everything the book needs

# An environment knows its folder by its full path: in a clone that was moved or copied,
# or whose Python is gone, it is made anew. Its stamp holds the folder.
ifneq "$(shell $(BIN)/python -c '' 2>/dev/null && cat .venv/installed)" "$(CURDIR)"
.PHONY: .venv/installed
STALE := $(wildcard .venv)
endif

.venv/installed: requirements.txt requirements/data.txt pyproject.toml bookkit/pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11 or later is needed; none was found"; exit 1; }
	@test -z "$(STALE)" || { rm -rf .venv; \
		echo "The environment .venv is unfinished or of another folder: making it anew"; }
	$(PYTHON) -m venv .venv
	$(PIP) -r requirements.txt
	$(PIP) --no-deps --no-build-isolation -r requirements/data.txt
	$(BIN)/python -m pip install -q --disable-pip-version-check \
		--no-index --no-deps --no-build-isolation -e . -e bookkit
	@pwd >$@

.venv/browser .venv/lab .venv/uv: .venv/%: requirements/%.txt .venv/installed
	$(PIP) -r $<
	@touch $@

# What readers of the notebooks need and no more: to see that nothing else is needed.
.venv/light/installed: requirements/notebooks.txt .venv/installed $(wildcard pmeanlib/*.*)
	$(PYTHON) -m venv .venv/light
	$(LIGHT) --require-hashes -r $<
	$(BIN)/python -m pip wheel -q --no-index --no-deps --no-build-isolation \
		-w .venv/light .
	$(LIGHT) --no-index --no-deps --force-reinstall .venv/light/pmeanlib-*.whl
	@rm -rf build .venv/light/*.whl
	@touch $@

requirements: .venv/uv  ## pin anew, by hash, what is installed (UPGRADE=-U: the newest)
	$(PIN) $(WHEELS) --group book -o requirements.txt
	@for group in browser lab notebooks uv; do $(PIN) $(WHEELS) --group $$group \
		-c requirements.txt -o requirements/$$group.txt || exit; done
	$(PIN) --no-deps --no-binary causaldata --group data -o requirements/data.txt

book: $(HTML)/.complete  ## build the book as HTML (SOLUTIONS=0: without solutions)
	@echo "The book is ready: open $(CURDIR)/$(HTML)/index.html"

_build/html/.complete: .venv/installed $(PAGES)
	@rm -f $@
	$(BIN)/jupyter-book build . --all -W -n --keep-going -q
	@touch $@

_build/student-html/.complete: .venv/installed $(PAGES) bookkit/make/student.py
	$(BIN)/python -m bookkit.make.student book _build/student-html
	@touch $@

chapter: .venv/installed  ## write a new chapter: NAME=x TITLE="..."
	@$(BIN)/python -m bookkit.make.chapter "$(NAME)" "$(TITLE)"

slides: _build/html/.complete  ## cut a deck of slides out of each chapter that has some
	$(BIN)/python -m bookkit.make.slides _build/html _build/slides
	@echo "The slides are ready: open $(CURDIR)/_build/slides/index.html"

student: _build/html/.complete  ## pack notebooks without solutions, with room for answers
	$(BIN)/python -m bookkit.make.student notebooks _build/p-mean-student.zip
	@echo "The notebooks are ready: $(CURDIR)/_build/p-mean-student.zip"

autograder: _build/html/.complete  ## mark them as assignments for nbgrader, one for each chapter
	$(BIN)/python -m bookkit.make.autograder _build/p-mean-course
	@echo "The course is ready: $(CURDIR)/_build/p-mean-course"

lint: .venv/installed  ## check style, and what may import what
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/lint-imports --no-cache --no-logo
	$(BIN)/oxlint bookkit

types: .venv/installed  ## check the types of the library and of the kit
	$(BIN)/python -m mypy

test: lint types _build/html/.complete .venv/light/installed  ## check style and types, build, test everything
	$(BIN)/python -m pytest tests $(CHAPTERS) --nbval --nbval-cell-timeout 300 $(TESTED)

test-library: .venv/installed  ## run the tests of pmeanlib alone
	$(BIN)/python -m pytest tests/library $(TESTED)

test-kit: _build/html/.complete .venv/light/installed  ## run the tests of bookkit alone
	$(BIN)/python -m pytest tests/kit $(TESTED)

test-browser: chromium _build/html/.complete .venv/browser .venv/lab  ## read every page in a real browser
	$(BIN)/python -m pytest tests/browser -n 2 -p no:cacheprovider

pdf: chromium book .venv/browser  ## print the whole book as one PDF
	$(BIN)/python -m bookkit.make.pdf $(HTML) _build/$(EDITION)p-mean-regret.pdf

chromium: .venv/installed
	@$(BIN)/python -m bookkit.make.chromium

lab: .venv/lab notebooks  ## open the notebooks in JupyterLab, in notebooks/
	env -u TQDM_DISABLE $(BIN)/python -m bookkit.make.lab _build/notebooks notebooks

links: .venv/installed  ## check the links to other sites; without a network, say so
	@if $(BIN)/python -c 'import requests; requests.head("https://doi.org", timeout=20)' \
		2>/dev/null; then $(BIN)/jupyter-book build . --all -q --builder linkcheck \
		--path-output _build/links; \
	else echo "There is no network: no link to another site was checked"; fi

notebooks: _build/html/.complete  ## write the book as notebooks for any program
	$(BIN)/python -m bookkit.make.notebooks _build/notebooks

execute: .venv/installed  ## execute all chapters anew, in place
	$(BIN)/python -m bookkit.make.execute $(CHAPTERS)

stills: chromium _build/html/.complete .venv/browser  ## photograph the explorers anew
	$(BIN)/python -m bookkit.make.stills _build/html

explorer: .venv/installed  ## simulate anew what the explorers show
	env -u TQDM_DISABLE $(BIN)/python -m bookkit.make.explorer_data

answers: .venv/installed  ## hash anew the answers that pm.check knows
	$(BIN)/python -m bookkit.make.answers $(CHAPTERS)

bench: .venv/installed  ## measure what a simulated round costs; rewrite the stored table
	PYTHONPATH=chapters $(BIN)/python tests/tools/bench.py

mutants: .venv/installed  ## what no test sees (ARGS="welfare rules --number 20 --seed 1")
	$(BIN)/python tests/tools/mutants.py $(ARGS)

clean:  ## remove what was built, keep .venv
	rm -rf _build
