# Two commands do everything: `make book` and `make test`. The rest is comfort.
# Needs make and Python 3.11 or later; everything else goes into .venv.

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo $$p && break; done)
BIN := .venv/bin
CHAPTERS := $(wildcard chapters/*.ipynb)
PAGES := _config.yml _toc.yml references.bib $(CHAPTERS) $(wildcard chapters/*.md) \
	$(wildcard chapters/_ext/*.py chapters/_static/* chapters/_static/*/* chapters/_data/*)

export TQDM_DISABLE ?= 1

.PHONY: help venv book test test-browser pdf chromium lint lab notebooks explorer \
	bench clean

help:  ## list what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/' | expand -t 15

venv: .venv/installed  ## create .venv with everything the book needs

.venv/installed: requirements.txt pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11 or later is needed; none was found"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q --disable-pip-version-check -r requirements.txt
	$(BIN)/python -m pip install -q --disable-pip-version-check \
		--no-deps --no-build-isolation -e .
	@touch $@

book: _build/html/.complete  ## build the book as HTML
	@echo "The book is ready: open $(CURDIR)/_build/html/index.html"

_build/html/.complete: .venv/installed $(PAGES)
	@rm -f $@
	$(BIN)/jupyter-book build . --all -W -n --keep-going -q
	@touch $@

lint: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

test: lint book  ## check style, build the book, run all tests, prove every notebook
	$(BIN)/python -m pytest tests $(CHAPTERS) --ignore=tests/browser \
		--nbval --nbval-cell-timeout 300 -n 2 --dist loadfile -p no:cacheprovider

test-browser: chromium book .venv/browser  ## read every page in a real browser
	$(BIN)/python -m pytest tests/browser -n 2 -p no:cacheprovider

pdf: chromium book .venv/browser  ## print the whole book as one PDF
	$(BIN)/python chapters/_tools/pdf.py _build/html _build/p-mean-regret.pdf

chromium: .venv/installed
	@$(BIN)/python chapters/_tools/chromium.py

.venv/browser: .venv/installed
	$(BIN)/python -m pip install -q --disable-pip-version-check -c requirements.txt \
		--no-build-isolation -e '.[browser]'
	@touch $@

lab: .venv/installed  ## open the chapters in JupyterLab
	$(BIN)/python -m pip install -q --disable-pip-version-check -c requirements.txt -e '.[lab]'
	env -u TQDM_DISABLE $(BIN)/jupyter lab --notebook-dir=chapters

notebooks: .venv/installed  ## execute all chapters anew, in place
	$(BIN)/python chapters/_tools/execute.py $(CHAPTERS)

explorer: .venv/installed  ## simulate anew what the explorers show
	env -u TQDM_DISABLE $(BIN)/python chapters/_tools/explorer_data.py

bench: .venv/installed  ## measure what a simulated round costs; rewrite the stored table
	$(BIN)/python -m pmeanlib bench --store chapters/_data/bench.csv

clean:  ## remove what was built, keep .venv
	rm -rf _build
