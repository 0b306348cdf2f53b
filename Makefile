.DEFAULT_GOAL := help
.PHONY: help fmt lint type test cpp fuzz kills bench docs

PYTHON ?= python
SECONDS_OF_FUZZING ?= 60
CPP = $(shell find cpp -name '*.?pp')

help:  ## print this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 8

fmt:  ## format Python and C++
	ruff format .
	ruff check --fix .
	clang-format -i $(CPP)

lint:  ## look for mistakes, change nothing
	ruff check .
	ruff format --check .
	clang-format --dry-run -Werror $(CPP)

type:  ## check the types
	mypy

test:  ## run all Python tests, which run the C++ tests too
	$(PYTHON) -m pytest -n auto

cpp:  ## run the C++ tests under the address and undefined-behaviour sanitizers
	cmake -S . -B build/sanitized -DRUNOFF_SANITIZE=ON
	cmake --build build/sanitized -j2
	ctest --test-dir build/sanitized --output-on-failure

fuzz:  ## give readers (needs atheris) and models broken files for a minute each
	mkdir -p build/fuzz
	cd build/fuzz && $(PYTHON) $(CURDIR)/tests/fuzz/fuzz_readers.py all -max_total_time=$(SECONDS_OF_FUZZING) -max_len=4096
	$(PYTHON) tests/fuzz/fuzz_models.py --minutes $$(( $(SECONDS_OF_FUZZING) / 60 ))

kills:  ## kill long commands at random moments, and resume them
	$(PYTHON) tests/fuzz/kills.py --kills 100

bench:  ## measure the verbs on large files; writes benchmarks/results
	$(PYTHON) benchmarks/verbs.py

docs:  ## build the documentation into site/ (needs the extra docs)
	NO_MKDOCS_2_WARNING=1 $(PYTHON) -m mkdocs build --strict
