# Sabot. "make run" and "make test" are all that a fresh machine needs.

VERSION  := $(shell git describe --tags --always --dirty 2>/dev/null || echo unversioned)
STAMP    := github.com/sabot-table/sabot/internal/terminal.stamped=$(VERSION)
BUILD    := CGO_ENABLED=0 go build -trimpath -ldflags '-s -w -X $(STAMP)'
TARGETS  := linux-amd64 linux-arm64 linux-armv7 windows-amd64
PAGE     := display/web/e2e
PROGRAMS := ./cmd/sabotd ./cmd/sabot-demo ./cmd/sabot ./cmd/sabot-pit

# What "make run" passes on, such as ARGS="--pace 200ms --seed 7".
ARGS ?=

# How long "make storm" goes on.
DURATION ?= 1h

# How long "make fuzz" spends on each target.
FUZZ ?= 10m

# The package of "make mutants", or those from which it draws DRAW mutants.
DRAW ?=
PKG  ?= $(if $(DRAW),./table ./table/rules ./table/money ./table/journal ./shoe/sabot ./shoe/beetek ./shoe/angeleye \
	./pit/publish ./display/touch,./table/money)

# "make check" looks at what has changed since this commit.
BASE ?= HEAD

# Which part of "make soak" is run, the seed of all that it draws, and which suites.
SHARD ?=
SEED  ?=
ONLY  ?=

# Earlier versions beside which this one is tried: before tables said their records by themselves, before the hole card and
# the jackpot of several tables, and the first one of several nodes. Once there is a release, it belongs here, too.
EARLIER := d22c0bd1 6fb96776 f95c45e1

# It runs all that proves Sabot, and is built as it builds the rest, so that everything is compiled once.
PROOF := CGO_ENABLED=0 GOFLAGS='-trimpath -buildvcs=false' go run ./internal/testkit/proof

.PHONY: run run-floor run-cluster chaos load check test soak release-test figures storm storm-bites attack fuzz mutants needs lint disk-test \
	board-test page-test package-test versions-test fresh-test packages image image-test bench build $(TARGETS) clean help

help:
	@echo "make run       the whole table, simulated (ARGS=\"--pace 200ms\")"
	@echo "make run-floor a floor of twelve tables, and the pit's page (ARGS=\"--tables 6\")"
	@echo "make run-cluster  three pits as one, PostgreSQL with its standby, another house, the hub, 60 tables: a floor in a box (TABLES=200)"
	@echo
	@echo "make check     what a change needs while you work: a minute"
	@echo "make test      what a landing needs, ten minutes; installs what the tests need"
	@echo "make soak      all that is long or random, in parts of half an hour: SHARD=1/7 SEED=20261128 ONLY=journal"
	@echo "make release-test  what only a release needs: earlier versions beside this one, the card in an emulated computer, a hundred million rounds"
	@echo "make figures   the figures that are kept from change to change: five minutes"
	@echo
	@echo "make lint      go vet, staticcheck, gofumpt"
	@echo "make page-test the pages in a real browser"
	@echo "make disk-test power cuts and full disks on a real ext4, as root"
	@echo "make board-test   the daemon on emulated boards"
	@echo "make package-test Debian's packages: made twice, checked, installed, upgraded, purged"
	@echo "make versions-test  this version beside earlier ones, and upgraded from them: tables, pits, nodes of a cluster"
	@echo "make storm DURATION=1h   the whole table in virtual time, with faults of all kinds"
	@echo "make storm-bites  how soon the storm finds defects that are put in"
	@echo "make chaos MINUTES=30 SEED=1   that floor while its parts are killed and its lines cut; then every record is compared"
	@echo "make load TABLES=200 NODES=1 MINUTES=1   tables at their real pace, and what a pit, or three with PostgreSQL, need for them"
	@echo "make fuzz      every fuzz target, FUZZ=10m each"
	@echo "make attack    every attack on the built programs, on this machine alone, as a table"
	@echo "make mutants PKG=./table/money   what its tests would not notice"
	@echo "make bench     the figures of docs/performance.md"
	@echo
	@echo "make build     binaries for $(TARGETS), in dist/"
	@echo "make packages  Debian's packages for arm64, armhf and amd64, in dist/packages/"
	@echo "make image     the card of a table's computer, for a Raspberry Pi 3 or 4, as root, in dist/image/"
	@echo "make image-test  the card in an emulated computer, as root: its screen, updates, power cuts; an hour and a half"
	@echo "make clean     remove what was built"

# Built and then started, not "go run": Ctrl-C then ends with the daemon's own status. One table needs no database and no
# sign-in, which are most of what a first "make run" would have to download and compile. Nor does who tries it need code that is
# optimised and described to debuggers: that is a quarter of the compiler's time.
run:
	@go build -tags onetable -gcflags='all=-N -l -dwarf=false' -ldflags='-s -w' -o dist/run/ ./cmd/sabot-demo
	@exec dist/run/sabot-demo $(ARGS)

run-floor:
	@go build -o dist/run/ ./cmd/sabot-demo
	@exec dist/run/sabot-demo --floor --tables 12 $(ARGS)

# docs/floor.md describes both. PostgreSQL is Debian's, in folders that go with it.
CLUSTER := CGO_ENABLED=0 GOFLAGS='-trimpath -buildvcs=false' go test -vet=off -ldflags=-w -count=1 -timeout 0 -v ./cmd/sabot-pit

run-cluster: needs
	@$(CLUSTER) -run '^TestRunCluster$$' -cluster.stays $(if $(TABLES),-chaos.tables $(TABLES)) $(ARGS)

chaos: needs
	@$(CLUSTER) -run '^TestChaos$$' -chaos.for $(or $(MINUTES),5)m $(if $(SEED),-chaos.seed $(SEED)) \
		$(if $(TABLES),-chaos.tables $(TABLES)) $(ARGS)

load: needs
	@$(CLUSTER) -run '^TestLoad$$' -load.for $(or $(MINUTES),1)m $(if $(TABLES),-load.tables $(TABLES)) $(if $(NODES),-load.nodes $(NODES)) \
		$(ARGS)

check:
	@$(PROOF) check -base $(BASE)

test: needs
	@$(PROOF) test

soak: needs
	@$(PROOF) soak $(if $(SHARD),-shard $(SHARD)) $(if $(SEED),-seed $(SEED)) $(if $(ONLY),-only '$(ONLY)')

# ARGS=-write keeps what is measured in internal/testkit/figure/last.md, with the commit.
figures:
	@$(PROOF) figures $(ARGS)

release-test: needs versions-test fresh-test image-test
	./bench.sh meets

# What the tests need besides Go: C compilers, a broker, emulators, a browser. Installs
# what is missing.
needs:
	@.ci/needs

lint:
	@$(PROOF) test -only lint

# internal/testkit/simtest/README.md describes it. ARGS may be "-storm.makes angel-eye", "-storm.script FILE".
storm:
	go test -count=1 -timeout 0 -v -run '^TestStorm$$' ./internal/testkit/simtest -storm.for $(DURATION) $(ARGS)

storm-bites:
	go test -count=1 -timeout 0 -v -run '^TestStormBites$$' ./internal/testkit/simtest -storm.bites 10m $(ARGS)

# The programs of this version beside those of earlier ones, which are built from this clone's history.
versions-test:
	@for commit in $(EARLIER); do \
		.ci/earlier $$commit && echo "beside $$commit" && CGO_ENABLED=0 GOFLAGS='-trimpath -buildvcs=false' go test -vet=off \
			-ldflags=-w -count=1 -run '^TestVersions$$' ./cmd/sabotd -versions.earlier $(CURDIR)/dist/earlier/$$commit || exit 1; \
	done
	CGO_ENABLED=0 GOFLAGS='-trimpath -buildvcs=false' go test -vet=off -ldflags=-w -count=1 -run '^TestRollingUpgrade$$' \
		./cmd/sabot-pit -versions.earlier $(CURDIR)/dist/earlier/$(lastword $(EARLIER))

# Packages that are made twice, the second time without anything in Go's cache.
fresh-test:
	go test -count=1 -timeout 1h -tags packages -run '^TestReproducible$$' ./internal/release -fresh

# The journal on an ext4 of its own, which is filled and whose power is cut. Mounting it
# needs root and loop devices; without them the test fails and says so.
disk-test:
	go test -c -o dist/test/ext4.test -tags ext4 ./table/journal
	$(if $(filter 0,$(shell id -u)),,sudo) dist/test/ext4.test -test.timeout 20m -test.run '^TestExt4'

# The built programs on an emulated PC and Raspberry Pi, and for 32-bit ARM.
# internal/testkit/board/README.md says what is downloaded for it, and where it is kept.
board-test:
	go test -count=1 -timeout 20m -tags board -run '^TestBoard' ./cmd/sabotd

# All pages in a real browser. ARGS may be parts of the paths of suites, such as "held.test pit/dashboard".
page-test:
	node internal/testkit/pages/run.mjs $(ARGS)

# Debian's packages: what is in them, that they are the same twice, and their life on a computer
# with systemd, which is started as root.
package-test:
	go test -count=1 -timeout 20m -tags packages ./internal/release
	for version in 1.2.3 1.2.4; do \
		SOURCE_DATE_EPOCH=1795436194 go run ./internal/release packages --version v$$version --arch amd64 --out dist/test/packages || exit 1; \
	done
	go test -c -o dist/test/package.test -tags packages ./cmd/sabotd
	$(if $(filter 0,$(shell id -u)),,sudo) dist/test/package.test -test.timeout 20m -test.run '^TestPackage' -packages dist/test/packages

# "make soak" runs all of them, too; this shows how often each was tried, and what got through. ARGS may be packages.
attack:
	@$(PROOF) attacks $(ARGS)

# Every fuzz target for FUZZ each. ARGS may be a regular expression of targets.
fuzz:
	nice ./fuzz.sh $(FUZZ) $(ARGS)

# ARGS is what "proof mutants" takes, such as "-tests ./table/hand,./table". Its switches allocate, so what counts
# allocations is left out.
mutants:
	nice go run ./internal/testkit/proof mutants -skip 'Allocates|^TestFigures$$' $(if $(DRAW),-draw $(DRAW)) $(if $(SEED),-seed $(SEED)) $(ARGS) $(PKG)

bench:
	./bench.sh

build: $(TARGETS)

linux-amd64: ENV := GOOS=linux GOARCH=amd64
linux-arm64: ENV := GOOS=linux GOARCH=arm64
linux-armv7: ENV := GOOS=linux GOARCH=arm GOARM=7
# An auditor's computer: the rest needs Linux.
windows-amd64: ENV := GOOS=windows GOARCH=amd64
windows-amd64: PROGRAMS := ./cmd/sabot
$(TARGETS):
	mkdir -p dist/$@
	$(ENV) $(BUILD) -o dist/$@/ $(PROGRAMS)

# docs/install.md says what the maker of a release does with them.
packages:
	go run ./internal/release packages $(ARGS)

# docs/install.md says how it is written to a card; ARGS="--keys FILE" whose updates it takes.
image:
	$(if $(filter 0,$(shell id -u)),,sudo) go run ./internal/release image $(ARGS)

# The card from power to a dealt round, with power cuts and broken updates. Too long for make soak. The pictures of its screen
# are in dist/image.
image-test:
	rm -rf dist/image
	$(MAKE) image
	go test -c -o dist/test/image.test -tags image ./cmd/sabotd
	$(if $(filter 0,$(shell id -u)),,sudo) dist/test/image.test -test.v -test.timeout 5h -test.run '^TestImage' -image dist/image -screens $(CURDIR)/dist/image

clean:
	rm -rf dist $(PAGE)/node_modules
