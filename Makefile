# Two commands do everything: `make book` and `make test`. The rest is comfort.
# Needs make and Python 3.11 or later; everything else goes into .venv.

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo $$p && break; done)
BIN := .venv/bin
CHAPTERS := $(wildcard chapters/*.ipynb)
PAGES := _config.yml _toc.yml references.bib $(CHAPTERS) $(wildcard chapters/*.md) \
	$(wildcard chapters/_ext/*.py) $(wildcard chapters/_static/*)

export TQDM_DISABLE ?= 1

.PHONY: help venv book test lint lab notebooks bench clean

help:  ## list what can be made
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/' | expand -t 12

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
	$(BIN)/python -m pytest tests $(CHAPTERS) --nbval --nbval-cell-timeout 300 \
		-n 2 --dist loadfile -p no:cacheprovider

lab: .venv/installed  ## open the chapters in JupyterLab
	$(BIN)/python -m pip install -q --disable-pip-version-check -c requirements.txt -e '.[lab]'
	env -u TQDM_DISABLE $(BIN)/jupyter lab --notebook-dir=chapters

notebooks: .venv/installed  ## execute all chapters anew, in place
	$(BIN)/python chapters/_ext/execute.py $(CHAPTERS)

bench: .venv/installed  ## measure what a simulated round costs; rewrite the stored table
	$(BIN)/python -m pmeanlib bench --store chapters/_data/bench.csv

clean:  ## remove what was built, keep .venv
	rm -rf _build
