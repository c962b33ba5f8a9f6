# make check is the gate, here and in CI. Needs Go, bash and, for the race
# detector, a C compiler; what else is missing, it says at the end.
SHELL = bash
FUZZTIME = 20s
GOPLS = golang.org/x/tools/gopls@v0.21.0
NODE_PEERS = @google/gemini-cli-core@0.61.0 @modelcontextprotocol/server-filesystem@2026.8.31
PEERS = .cache/bench-peers
BENCHFLAGS =

# On Linux, where the C library can be linked in, the program needs nothing of
# the system it runs on.
STATIC = $(shell test "$$(go env GOOS)" = linux && echo 'int main(void) { return 0; }' | \
	$$(go env CC) -static -x c -o /dev/null - 2>/dev/null && \
	echo "-tags netgo,osusergo -ldflags=-extldflags=-static")

.PHONY: check build demo bench fuzz screens clean

check:
	@scripts/check

build:
	go build $(STATIC) -o bin/ ./cmd/acode-ls

demo: build
	bin/acode-ls demo

# Benchmarks of the packages, then of the pipeline and the server beside limits
# and peers. A peer that cannot be installed in a minute is left out. BENCHFLAGS
# are those of internal/bench, such as "-run pipeline -huge".
bench: build
	go test -run '^$$' -bench . -benchmem ./...
	@command -v gopls .cache/bin/gopls >/dev/null || \
		GOBIN="$$PWD/.cache/bin" go install $(GOPLS) || echo "gopls is not here and cannot be installed"
	@for peer in $(NODE_PEERS); do \
		folder=$(PEERS)/node_modules/$${peer%@*}; \
		test -d "$$folder" || \
			timeout 60 npm install --prefix $(PEERS) --no-audit --no-fund --ignore-scripts --silent "$$peer" || \
			{ rm -rf "$$folder"; echo "$$peer is not here and cannot be installed"; }; \
	done
	go run ./internal/bench $(BENCHFLAGS)

# Every fuzz target of the module, one after another, FUZZTIME each.
fuzz:
	@set -euo pipefail; \
	go test -list '^Fuzz' ./... | \
		awk '/^Fuzz/ { names[n++] = $$1 } /^ok/ { for (i = 0; i < n; i++) print $$2, names[i]; n = 0 }' | \
		while read -r package target; do \
			echo "== $$package $$target"; \
			go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1x "$$package" </dev/null; \
		done

# The pictures of Neovim in docs/images.
screens: build
	ACODE_NVIM=$$(scripts/fetch-neovim) scripts/screens-neovim docs/images

clean:
	rm -rf bin
