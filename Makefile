# Everything here works on a clean checkout: what a target needs, it installs first.
PYTHON ?= python3
DUE_MINUTES ?= 15
LEARN_PORT ?= 8765
LEARN_JOBS ?= 2
SBOM ?= build/sbom.json
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# What serving needs and no more; where everything is installed, that will do.
SERVING := $(VENV)/.serving
# A tier's environment lies outside the checkout; its pass is recorded, but not that of a part of it (ARGS).
environment = $$($(PYTHON) tests/environments.py $(1))
recorded = $(if $(ARGS),,$(PYTHON) tests/tiers.py run $(1) --)
COMPILE := $(BIN)/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes \
	--no-header --no-annotate --extra server --extra mcp --extra python --extra postgres

# Tests start many processes, each of which would compile the whole server again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help install serve sbom test test-fast test-slow coverage test-all test-due test-conformance test-servers test-page page-images test-postgres test-faults test-packages test-dashboards test-deployment site test-site test-skyrl test-jobs test-kills test-vllm test-vllm-turns test-adapters test-trainers test-ray test-learn test-llamafactory test-tokens integrations packages ledger soak simulate lint format unasync lock audit bench bench-openenv learn clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

define check-python
@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Python 3.11 or newer is needed, this is " + sys.version.split()[0] + "; name one: make PYTHON=python3.11 ...")'
endef

install: $(STAMP) ## Make .venv and install everything, exactly as locked

$(STAMP): requirements.lock pyproject.toml
	$(check-python)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

$(SERVING): requirements-server.lock pyproject.toml
	$(check-python)
	@echo "Installing what the server needs into $(VENV); this takes about a minute."
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --disable-pip-version-check --no-deps --require-hashes -r requirements-server.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

serve: $(if $(wildcard $(STAMP)),$(STAMP),$(SERVING)) ## Start the server on http://127.0.0.1:8000 (ARGS="--port 9000" for more)
	$(BIN)/env-server serve $(ARGS)

test: $(STAMP) ## Lint, check types and layers, and beside that run the tests but the slow ones
	@$(MAKE) --no-print-directory -j 2 lint test-fast

test-fast: $(STAMP) ## Run the tests but the slow ones
	$(BIN)/pytest -n 3 --dist loadfile -m "not slow and not conformance and not servers and not packages and not page and not postgres and not dashboards and not deployment and not site and not faults"

test-slow: $(STAMP) ## Run the slow tests
	$(BIN)/pytest -n 3 --dist loadfile -m "slow and not conformance and not servers and not packages and not page and not postgres and not dashboards and not deployment and not site and not faults"

# Without the tests of the alarm: it interrupts the measurement, which would wait for its own lock.
coverage: $(STAMP) ## Run most tests of `test-fast` and print which branches they leave out, also in the servers they start
	rm -f .coverage .coverage.*
	$(BIN)/pytest -n 3 --dist loadfile -m "not slow and not conformance and not servers and not packages and not page and not postgres and not dashboards and not deployment and not site and not faults" \
		--deselect tests/tools/test_deadline.py --cov --cov-report=term $(ARGS)

test-all: test test-slow ## Both

test-due: ## Run the tiers below without a recorded pass of what they cover now, for 15 minutes (DUE_MINUTES)
	MAKE=$(MAKE_COMMAND) $(PYTHON) tests/tiers.py spend $(DUE_MINUTES)

test-conformance: $(STAMP) ## Run the official MCP conformance suite and the Inspector (npm installs both)
	@command -v npm >/dev/null || { echo "npm 8 or newer is needed for the MCP suite: install Node.js (https://nodejs.org, or your system's nodejs and npm). The suite runs on Node.js 22.19 or newer; on Linux npm installs one beside it, elsewhere yours must be that new" >&2; exit 1; }
	at=$(call environment,conformance) && CONFORMANCE_PROGRAMS=$$at/node_modules $(call recorded,conformance) \
		$(BIN)/pytest -m conformance tests/conformance tests/mcp_servers/conformance $(ARGS)

test-servers: $(STAMP) ## Call MCP servers of other people: from PyPI, and from npm
	@command -v npm >/dev/null || { echo "npm is needed for these servers: install Node.js (https://nodejs.org, or your system's nodejs and npm); any version that has npm 8 or newer will do" >&2; exit 1; }
	at=$(call environment,servers) && OTHER_SERVERS=$$at $(call recorded,servers) $(BIN)/pytest -m servers tests/servers $(ARGS)

test-packages: $(STAMP) ## Build what is published, install it in clean environments, and lint the workflows
	@command -v npm >/dev/null || { echo "npm and Node.js are needed for the linter of workflows: install Node.js (https://nodejs.org, or your system's nodejs and npm)" >&2; exit 1; }
	at=$(call environment,packages) && PACKAGE_PROGRAMS=$$at $(call recorded,packages) $(BIN)/pytest -m packages tests/packages $(ARGS)

packages: $(STAMP) ## Build and check the wheel and the source distribution in dist/
	at=$(call environment,packages)/python/bin/python && $$at -m build --no-isolation --outdir dist && $$at -m twine check --strict dist/*

test-page: $(STAMP) ## Play on the page in headless Chromium (your system's package; npm installs axe)
	@command -v npm >/dev/null || { echo "npm is needed for the checker of accessibility: install Node.js (https://nodejs.org, or your system's nodejs and npm); any version that has npm 8 or newer will do" >&2; exit 1; }
	at=$(call environment,page) && PAGE_PROGRAMS=$$at $(call recorded,page) $(BIN)/pytest -m page tests/browser $(ARGS)

page-images: $(STAMP) ## Take the pictures of the page for the documentation into docs/images
	at=$(call environment,page) && PAGE_PROGRAMS=$$at PAGE_IMAGES=docs/images $(BIN)/pytest -n 0 -m page tests/browser/test_screenshots.py

test-postgres: $(STAMP) ## Play on a real PostgreSQL server, which pip installs: several server processes, and both kinds killed
	at=$(call environment,postgres) && POSTGRES_PYTHON=$$at/bin/python $(call recorded,postgres) $$at/bin/python \
		tests/postgres/beside.py $(BIN)/pytest -n 2 --dist loadfile -m "not slow or postgres" tests/e2e tests/postgres $(ARGS)

test-faults: $(STAMP) ## A minute and a half of simulated faults, and real servers killed at commits (SIMULATION_SECONDS=300 LEDGER_KILLS=15 for more)
	at=$(call environment,faults) && POSTGRES_PYTHON=$$at/bin/python $(call recorded,faults) $$at/bin/python \
		tests/postgres/beside.py $(BIN)/pytest -n 2 --dist worksteal -m faults tests/faults $(ARGS)

ledger: $(STAMP) ## Kill two replicas on PostgreSQL 100 times at commits during 10,000 episodes (ARGS="--clients 500 --kills 20")
	at=$(call environment,faults) && POSTGRES_PYTHON=$$at/bin/python $$at/bin/python \
		tests/postgres/beside.py $(BIN)/python -m tests.faults.ledger $(ARGS)

soak: $(STAMP) ## Play 1,000,000 steps in 100,000 episodes and sample the server (ARGS="--steps 50000 --episodes 5000")
	$(BIN)/python -m tests.faults.soak $(ARGS)

simulate: $(STAMP) ## Run 2,000 seeds of the simulation (ARGS="--seeds 0 10000", or "--seed 42" for a trace)
	$(BIN)/python -m tests.faults.simulation $(ARGS)

test-dashboards: $(STAMP) ## Run every query of the dashboards in Prometheus (your system's package), on a real server
	at=$(call environment,dashboards) && DASHBOARD_PYTHON=$$at/bin/python $(call recorded,dashboards) $(BIN)/pytest -m dashboards tests/dashboards $(ARGS)

test-deployment: $(STAMP) ## Validate compose.yaml, the unit of systemd and the manifests of Kubernetes (npm and pip install the programs; no container is started)
	@command -v npm >/dev/null || { echo "npm and Node.js are needed for the schema of compose files: install Node.js (https://nodejs.org, or your system's nodejs and npm)" >&2; exit 1; }
	at=$(call environment,deployment) && DEPLOYMENT_PROGRAMS=$$at $(call recorded,deployment) $(BIN)/pytest -m deployment tests/deployment $(ARGS)

site: $(STAMP) ## Build the documentation site in build/site/html
	at=$(call environment,site) && $(BIN)/python -m scripts.docsite build/site $$at/bin/python

test-site: $(STAMP) ## Build the documentation site, and follow every link in it
	at=$(call environment,site) && SITE_PYTHON=$$at/bin/python $(call recorded,site) $(BIN)/pytest -m site tests/site $(ARGS)

test-skyrl: $(STAMP) ## Run SkyRL's real generator and parts of its trainer on a CPU against a real server
	at=$(call environment,skyrl) && ENV_SERVER_PYTHON=$(CURDIR)/$(BIN)/python OMP_NUM_THREADS=1 $(call recorded,skyrl) \
		$$at/bin/pytest -c tests/skyrl/pytest.ini --rootdir . --ignore tests/skyrl/jobs --ignore tests/skyrl/kills tests/skyrl $(ARGS)

test-jobs: $(STAMP) ## Run short jobs of SkyRL's real trainer on a CPU: single turns, thinking, PPO, tied weights, an engine that halts the job
	at=$(call environment,skyrl) && ENV_SERVER_PYTHON=$(CURDIR)/$(BIN)/python OMP_NUM_THREADS=1 $(call recorded,jobs) \
		$$at/bin/pytest -c tests/skyrl/pytest.ini --rootdir . -n 2 --dist worksteal tests/skyrl/jobs $(ARGS)

test-kills: $(STAMP) ## Let SkyRL's real trainer learn on a CPU while the server is killed, and resume a job that is killed three times
	at=$(call environment,skyrl) && ENV_SERVER_PYTHON=$(CURDIR)/$(BIN)/python OMP_NUM_THREADS=1 $(call recorded,kills) \
		$$at/bin/pytest -c tests/skyrl/pytest.ini --rootdir . -n 2 --dist worksteal tests/skyrl/kills $(ARGS)

test-vllm: $(STAMP) ## Train with SkyRL's real trainer and a real vLLM on a CPU, and kill each of them, and the server
	at=$(call environment,skyrl) && engine=$(call environment,vllm) && VLLM_PYTHON=$$engine/bin/python \
		ENV_SERVER_PYTHON=$(CURDIR)/$(BIN)/python OMP_NUM_THREADS=1 $(call recorded,vllm) \
		$$at/bin/pytest -c tests/vllm/pytest.ini --rootdir . --ignore tests/vllm/turns tests/vllm $(ARGS)

test-vllm-turns: $(STAMP) ## Compare the turns of a real vLLM on a CPU with what a job trains on, and look for new weights
	at=$(call environment,skyrl) && engine=$(call environment,vllm) && VLLM_PYTHON=$$engine/bin/python \
		ENV_SERVER_PYTHON=$(CURDIR)/$(BIN)/python OMP_NUM_THREADS=1 $(call recorded,vllm-turns) \
		$$at/bin/pytest -c tests/vllm/pytest.ini --rootdir . tests/vllm/turns $(ARGS)

test-trainers: $(STAMP) ## Train with TRL on a CPU, and evaluate with verifiers, against a real server
	at=$(call environment,trainers) && ENV_SERVER_PYTHON=$(CURDIR)/$(BIN)/python OMP_NUM_THREADS=1 $(call recorded,trainers) \
		$$at/bin/pytest -c tests/trainers/pytest.ini --rootdir . tests/trainers $(ARGS)

test-ray: $(STAMP) ## Roll out on a local Ray cluster and serve on Ray Serve, with workers, servers and replicas killed
	at=$(call environment,ray) && ENV_SERVER_PYTHON=$(CURDIR)/$(BIN)/python $(call recorded,ray) \
		$$at/bin/pytest -c tests/ray/pytest.ini --rootdir . tests/ray $(ARGS)

test-adapters: $(STAMP) ## Play through agent libraries, harnesses and verl against a real server
	at=$(call environment,adapters) && ENV_SERVER_PYTHON=$(CURDIR)/$(BIN)/python OMP_NUM_THREADS=1 $(call recorded,adapters) \
		$$at/bin/pytest -c tests/adapters/pytest.ini --rootdir . tests/adapters $(ARGS)

test-learn: $(STAMP) ## Train a policy of a few thousand weights for a minute, against a real server
	at=$(call environment,learn) && ENV_SERVER_PYTHON=$(CURDIR)/$(BIN)/python OMP_NUM_THREADS=1 $(call recorded,learn) \
		$$at/bin/pytest -c tests/learn/pytest.ini --rootdir . tests/learn $(ARGS)

test-llamafactory: $(STAMP) ## Read exported conversations with LLaMA-Factory's own loader
	at=$(call environment,llamafactory) && LLAMAFACTORY_PYTHON=$$at/bin/python $(call recorded,llamafactory) \
		$(BIN)/pytest -c tests/llamafactory/pytest.ini --rootdir . tests/llamafactory $(ARGS)

test-tokens: $(STAMP) ## Compare prompts and loss masks with the tokenizers and templates of Qwen and Llama (MODELS_DIR=... adds yours)
	at=$(call environment,skyrl) && files=$(call environment,tokens) && TOKENS_AT=$$(echo $$files/lib/python*/site-packages) \
		ENV_SERVER_PYTHON=$(CURDIR)/$(BIN)/python OMP_NUM_THREADS=1 $(call recorded,tokens) \
		$$at/bin/pytest -c tests/tokens/pytest.ini --rootdir . tests/tokens $(ARGS)

integrations: ## Play through every library again, and write the table of docs/integrations.md
	RECORD_INTEGRATIONS=1 $(MAKE) --no-print-directory test-adapters test-trainers
	$(PYTHON) tests/integrations.py

lint: $(STAMP) ## Lint, check types, layers and spelling
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/codespell

format: $(STAMP) ## Format the code and mend what the linter can mend
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

sbom: $(STAMP) ## Write what the image contains, as a bill of materials (CycloneDX), to build/sbom.json
	at=$(call environment,deployment)/python/bin && mkdir -p $(dir $(SBOM)) && $$at/python -W ignore $$at/cyclonedx-py requirements \
		--pyproject pyproject.toml --output-reproducible --short-PURLs --output-file $(SBOM) requirements-server.lock

unasync: $(STAMP) ## Generate the client for threads from the client for asyncio
	$(BIN)/python scripts/unasync.py

lock: $(STAMP) ## Pin the dependencies again (UPGRADE=--upgrade takes the newest releases)
	$(COMPILE) --extra eval --extra data --extra traces --group dev $(UPGRADE) --output-file requirements.lock
	$(COMPILE) --group build --constraint requirements.lock $(UPGRADE) --output-file requirements-server.lock
	$(BIN)/uv pip compile pyproject.toml tests/skyrl/requirements.in --quiet --python-version 3.11 --generate-hashes \
		--no-header --no-annotate --override tests/skyrl/overrides.txt $(UPGRADE) --output-file tests/skyrl/requirements.lock
	$(BIN)/uv pip compile tests/vllm/requirements.in --quiet --python-version 3.11 --generate-hashes \
		--no-header --no-annotate --override tests/vllm/overrides.txt $(UPGRADE) --output-file tests/vllm/requirements.lock
	$(BIN)/uv pip compile pyproject.toml tests/trainers/requirements.in --quiet --python-version 3.11 --generate-hashes \
		--no-header --no-annotate --override tests/skyrl/overrides.txt $(UPGRADE) --output-file tests/trainers/requirements.lock
	$(BIN)/uv pip compile pyproject.toml tests/ray/requirements.in --quiet --python-version 3.11 --generate-hashes \
		--no-header --no-annotate $(UPGRADE) --output-file tests/ray/requirements.lock
	$(BIN)/uv pip compile pyproject.toml tests/adapters/requirements.in --quiet --python-version 3.11 --generate-hashes \
		--no-header --no-annotate --override tests/adapters/overrides.txt $(UPGRADE) --output-file tests/adapters/requirements.lock
	sed -n 's/^\([a-z0-9-]*\).*/\1 ; python_version < "0"/p' requirements-gpu-unhashed.txt | \
		$(BIN)/uv pip compile docker/requirements-gpu.in --quiet --python-version 3.12 --generate-hashes --no-header \
		--no-annotate --python-platform x86_64-manylinux_2_31 --overrides - $(UPGRADE) --output-file requirements-gpu.lock
	$(BIN)/uv pip compile pyproject.toml tests/learn/requirements.in --quiet --universal --python-version 3.11 --generate-hashes \
		--no-header --no-annotate $(UPGRADE) --output-file tests/learn/requirements.lock
	$(BIN)/uv pip compile tests/llamafactory/requirements.in --quiet --python-version 3.11 --generate-hashes \
		--no-header --no-annotate --override tests/llamafactory/overrides.txt $(UPGRADE) \
		--output-file tests/llamafactory/requirements.lock
	$(BIN)/uv pip compile tests/tokens/requirements.in --quiet --python-version 3.11 --generate-hashes \
		--no-header --no-annotate --no-deps $(UPGRADE) --output-file tests/tokens/requirements.lock
	$(BIN)/uv pip compile tests/servers/requirements.in --quiet --universal --python-version 3.11 --generate-hashes \
		--no-header --no-annotate $(UPGRADE) --output-file tests/servers/requirements.lock
	$(BIN)/uv pip compile tests/postgres/requirements.in --quiet --universal --python-version 3.11 --generate-hashes \
		--no-header --no-annotate $(UPGRADE) --output-file tests/postgres/requirements.lock
	$(BIN)/uv pip compile tests/packages/requirements.in --quiet --universal --python-version 3.11 --generate-hashes \
		--no-header --no-annotate $(UPGRADE) --output-file tests/packages/requirements.lock
	$(BIN)/uv pip compile tests/dashboards/requirements.in --quiet --universal --python-version 3.11 --generate-hashes \
		--no-header --no-annotate $(UPGRADE) --output-file tests/dashboards/requirements.lock
	$(BIN)/uv pip compile tests/deployment/requirements.in --quiet --universal --python-version 3.11 --generate-hashes \
		--no-header --no-annotate $(UPGRADE) --output-file tests/deployment/requirements.lock
	$(BIN)/uv pip compile tests/browser/requirements.in --quiet --universal --python-version 3.11 --generate-hashes \
		--no-header --no-annotate $(UPGRADE) --output-file tests/browser/requirements.lock
	$(BIN)/uv pip compile tests/site/requirements.in --quiet --universal --python-version 3.11 --generate-hashes \
		--no-header --no-annotate $(UPGRADE) --output-file tests/site/requirements.lock

audit: $(STAMP) ## Play every domain's tasks with every policy (ARGS="--limit 50" for fewer)
	for domain in $$($(BIN)/python -c 'from env_server.domains.discovery import domains; print(*domains())'); do \
		$(BIN)/env-server audit --domain $$domain --split test --full $(ARGS) || failed=1; \
	done; exit $${failed:-0}

bench: $(STAMP) ## Measure what a step costs
	$(BIN)/env-server bench $(ARGS)

bench-openenv: $(STAMP) ## Compare tool calls over MCP with OpenEnv's, which gets a virtual environment of its own
	test -x .venv-openenv/bin/python || $(PYTHON) -m venv .venv-openenv
	.venv-openenv/bin/pip install --quiet --disable-pip-version-check "openenv==0.10.0"
	$(BIN)/env-server bench --mcp --peer openenv $(ARGS)

learn: $(STAMP) ## Train a small policy against a control, and write docs/learning.md (ARGS=--quick for a trial, LEARN_JOBS=2 arms at a time)
	at=$(call environment,learn) && data=$$(mktemp -d) && { servers= urls=; \
		for i in $$(seq 1 $(LEARN_JOBS)); do port=$$(( $(LEARN_PORT) + i - 1 )); urls="$$urls --url http://127.0.0.1:$$port"; \
			(ENV_SERVER_DATABASE_URL=sqlite:///$$data/$$i.db exec $(BIN)/env-server serve --port $$port > $$data/$$i.log 2>&1) & \
			servers="$$servers $$!"; done; \
		PYTHONPATH=$(CURDIR):$(CURDIR)/schemas OMP_NUM_THREADS=1 $$at/bin/python -m trainer_client.learn $$urls \
			--jobs $(LEARN_JOBS) --commit $$(git rev-parse --short HEAD) $(ARGS); \
		code=$$?; kill $$servers; wait $$servers; rm -r $$data; exit $$code; }

clean: ## Remove caches and build outputs; .venv stays
	rm -rf build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -path ./$(VENV) -prune -o -name __pycache__ -type d -exec rm -rf {} +
