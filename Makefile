# Everything a person or a machine needs to do here; `make help` lists it. Each target sets up .venv by itself.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help install models run quick test lint format screenshots snapshots bench campaign dist lock ranges clean

# What `make quick` tests, by folder.
QUICK := vault reading claims detection conflicts store strategies forks mirror settings
BIN := .venv/bin

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.venv/.installed: pyproject.toml requirements.lock Makefile tools/install.sh app/models/weights/large-judge.json
	@tools/install.sh

install: .venv/.installed ## set up .venv (once; later calls are instant)
	@:

models: install ## try again to build llama.cpp and to add the weights
	@tools/install.sh models

run: install ## open the sample vault; without a terminal, print its report
	@# 1 means that conflicts were found, which is what the sample is for.
	@$(BIN)/belie --demo || [ $$? -eq 1 ]

quick: lint ## lint, types, contracts and the tests that need neither models nor terminals
	@$(BIN)/pytest -n auto -m "not terminal" $(QUICK:%=tests/%)

test: install ## check the import contracts and run every test
	@$(BIN)/lint-imports --no-cache
	@$(BIN)/pytest -n auto

lint: install ## ruff, mypy and the import contracts
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache

format: install ## put the code into ruff's shape
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

screenshots: install ## make the pictures of README and docs anew
	@$(BIN)/python tools/screenshots.py

snapshots: install ## take every picture of the tests RUNS times (20) and say which differ
	@$(BIN)/python tools/snapshots.py $(RUNS)

bench: install ## list the benchmarks; make bench NAME=index ARGS="PATH…" runs one
ifdef NAME
	@$(BIN)/python bench/$(NAME).py $(ARGS)
else
	@for script in bench/*.py; do [ -f "$$script" ] || continue; \
	  name=$${script##*/}; printf 'make bench NAME=%-12s %s\n' "$${name%.py}" "$$(sed -n '1s/"""//gp' "$$script")"; done
	@echo 'Give each its paths: ARGS="FOLDER"'
endif

campaign: install ## the long runs: KILLS=1000, INPUTS=1000000, SOAK=120 (minutes) set how long
	@BELIE_CAMPAIGN=full $(BIN)/pytest -m campaign -n auto
	@$(BIN)/python -m tests.campaign.kills $(KILLS)
	@$(BIN)/python -m tests.campaign.kills --signal SIGINT $(KILLS)
	@$(BIN)/python -m tests.campaign.fuzz $(INPUTS)
	@$(BIN)/python -m tests.campaign.soak $(SOAK)

dist: install ## sdist and wheel in dist/, built twice and compared, checked by twine
	@$(BIN)/python tools/dist.py

lock: install ## requirements.lock anew: the versions that `make install` installs
	@tools/lock.sh

ranges: install ## the fast tests with the oldest and the newest packages that pyproject.toml allows
	@$(BIN)/python tools/ranges.py

clean: ## remove .venv and what the tools left behind (the wheel cache stays)
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
