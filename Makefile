# Sabot. "make run" and "make test" are all that a fresh machine needs.

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unversioned)
STAMP   := github.com/sabot-table/sabot/cmd/internal/version.stamped=$(VERSION)
BUILD   := CGO_ENABLED=0 go build -trimpath -ldflags '-s -w -X $(STAMP)'
TARGETS := linux-amd64 linux-arm64 linux-armv7
PAGE    := display/web/e2e

# What "make run" passes on, such as ARGS="--pace 200ms --seed 7".
ARGS ?=

# How long "make storm" goes on.
DURATION ?= 1h

# How long "make fuzz" spends on each target.
FUZZ ?= 10m

# The package of "make mutants".
PKG ?= ./table/money

.PHONY: run run-floor storm storm-bites attack fuzz mutants test needs lint go-test disk-test board-test page-test package-test acceptance packages image image-test bench build $(TARGETS) clean help

help:
	@echo "make run     the whole table, simulated (ARGS=\"--pace 200ms\")"
	@echo "make run-floor   a floor of twelve tables, and the pit's page (ARGS=\"--tables 6\")"
	@echo "make test    lint and every test; installs what the tests need"
	@echo "make disk-test   power cuts and full disks on a real ext4, as root"
	@echo "make acceptance  what takes too long for make test"
	@echo "make board-test  only the daemon on emulated boards"
	@echo "make package-test  Debian's packages: made twice, checked, installed, upgraded, purged"
	@echo "make storm DURATION=1h   the whole table in virtual time, with faults of all kinds"
	@echo "make storm-bites   how soon the storm finds defects that are put in"
	@echo "make fuzz    every fuzz target, FUZZ=10m each"
	@echo "make attack  every attack on the built programs, on this machine alone, as a table"
	@echo "make mutants PKG=./table/money   what its tests would not notice"
	@echo "make bench   the figures of docs/performance.md"
	@echo "make build   binaries for $(TARGETS), in dist/"
	@echo "make packages   Debian's packages for arm64, armhf and amd64, in dist/packages/"
	@echo "make image   the card of a table's computer, for a Raspberry Pi 3 or 4, as root, in dist/image/"
	@echo "make image-test   the card in an emulated computer, as root: its screen, updates, power cuts; an hour and a half"
	@echo "make lint    go vet, staticcheck, gofumpt"
	@echo "make clean   remove what was built"

# Built and then started, not "go run": Ctrl-C then ends with the daemon's own status.
run:
	@go build -o dist/run/ ./cmd/sabot-demo ./cmd/sabot
	@exec dist/run/sabot-demo $(ARGS)

run-floor:
	@go build -o dist/run/ ./cmd/sabot-demo ./cmd/sabot
	@exec dist/run/sabot-demo --floor --tables 12 $(ARGS)

test: needs lint go-test disk-test page-test

# What the tests need besides Go: C compilers, a broker, emulators, a browser. Installs
# what is missing.
needs:
	.ci/needs

lint:
	go vet ./...
	go vet -tags gpiosim ./internal/testkit/gpiosim ./cmd/internal/settings/pressed
	GOOS=darwin CGO_ENABLED=0 go build ./cmd/...
	GOOS=linux GOARCH=arm CGO_ENABLED=0 go build ./...
	go vet -tags board ./cmd/sabotd
	go vet -tags uart ./device
	go vet -tags ext4 ./table/journal
	go vet -tags packages ./internal/release
	go vet -tags packages ./cmd/sabotd
	go vet -tags image ./cmd/sabotd
	go tool staticcheck ./...
	@badly=$$(go tool gofumpt -l .); test -z "$$badly" || { echo "not formatted, run go tool gofumpt -w .:"; echo "$$badly"; exit 1; }

# All tests with the race detector, but those of LONE. Then those, and what takes too long with it, two at a time.
# Three packages are tested at once, since some of them wait for processes.
go-test:
	CGO_ENABLED=1 go test -race -p 3 -timeout 40m -skip '$(LONE)' ./...
	$(MAKE) -j2 --output-sync=target $(LONG)

# What one goroutine computes for long, and nobody races: with the race detector it takes ten times as long. No other
# package has a test of such a name.
LONE_PACKAGES := ./cmd/internal/daemon ./cmd/sabot ./docs ./internal/release ./pit/luck ./pit/topic ./table ./table/audit \
	./table/odds ./table/odds/dealt ./table/odds/known
LONE_TESTS := TestContract TestEveryNightFitsTheSchemas TestWrongPayoutIsFound TestSign TestSignWithDebiansKey \
	TestHousesPage TestRulesCheckWarns TestRulesCheckWords TestReportOfManyBoxes TestTheHousesResultIsOne \
	TestLongNights TestManyRounds TestCorrections TestSideBetOdds \
	TestAttackEveryByte TestPlantedInRecords TestSealsAreSearched \
	TestOdds[A-Z].* TestKnown TestPublishedRules TestPublishedHands TestEachRuleMovesItsWagers TestAnyShoe TestFewCards TestLinesAreAll \
	TestBadenFavoursTheBettor TestBankEnds TestBesideABoxThatRests TestBesideOtherBoxes TestEngineMeetsOdds TestFewCardsMeetOdds \
	TestOtherStates TestReportExact TestUnevenOdds
LONE := ^($(subst $(eval ) ,|,$(strip $(LONE_TESTS))))$$
# The longest first.
LONG := long-histories board-test long-lone long-storm long-erring long-shift long-faults long-luck long-store
LONG_TEST := go test -count=1 -timeout 60m
.PHONY: $(filter long-%,$(LONG))

# 10,000 histories of a journal on failing disks.
long-histories:
	$(LONG_TEST) -v -run '^TestHistories$$' ./table/journal -histories 10000

long-lone:
	$(LONG_TEST) -run '$(LONE)' $(LONE_PACKAGES)

# 100,000 rounds with a dealer who makes mistakes.
long-erring:
	$(LONG_TEST) -v -run '^TestErringShift$$' ./table -erring 100000

# 10,000 rounds.
long-shift:
	$(LONG_TEST) -run '^TestShift$$' ./cmd/internal/daemon

# Two minutes of the storm.
long-storm:
	$(LONG_TEST) -v -run '^TestStorm$$' ./cmd/internal/daemon -storm.for 2m

# The rounds over bad lines.
long-faults:
	$(LONG_TEST) -run 'Rounds$$|Losses$$' ./sim-hardware/faults

# A thousand nights of luck at each house.
long-luck:
	$(LONG_TEST) -run '^TestNights$$' ./pit/luck

long-store:
	$(LONG_TEST) ./pit/store

# internal/testkit/storm/README.md describes it. ARGS may be "-storm.makes angel-eye", "-storm.script FILE".
storm:
	go test -count=1 -timeout 0 -v -run '^TestStorm$$' ./cmd/internal/daemon -storm.for $(DURATION) $(ARGS)

storm-bites:
	go test -count=1 -timeout 0 -v -run '^TestStormBites$$' ./cmd/internal/daemon -storm.bites 10m $(ARGS)

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

# What takes too long for "make test": the life of the packages, and the example flow in a real Node-RED, which has many packages.
acceptance: needs package-test
	cd deploy/node-red && npm ci --no-audit --no-fund && node --test --test-concurrency=2

# The attacks run in "make test", too; this shows how often each was tried, and what got through. ARGS may be packages.
attack:
	go run ./internal/testkit/attack/table $(ARGS)

# Every fuzz target for FUZZ each. ARGS may be a regular expression of targets.
fuzz:
	nice ./fuzz.sh $(FUZZ) $(ARGS)

# ARGS is what internal/mutate takes, such as "-tests ./table/hand,./table".
mutants:
	nice go run ./internal/mutate $(ARGS) $(PKG)

bench:
	./bench.sh

build: $(TARGETS)

linux-amd64: ENV := GOOS=linux GOARCH=amd64
linux-arm64: ENV := GOOS=linux GOARCH=arm64
linux-armv7: ENV := GOOS=linux GOARCH=arm GOARM=7
$(TARGETS):
	mkdir -p dist/$@
	$(ENV) $(BUILD) -o dist/$@/ ./cmd/sabotd ./cmd/sabot-demo ./cmd/sabot ./cmd/sabot-pit

# docs/install.md says what the maker of a release does with them.
packages:
	go run ./internal/release packages $(ARGS)

# docs/install.md says how it is written to a card; ARGS="--keys FILE" whose updates it takes.
image:
	$(if $(filter 0,$(shell id -u)),,sudo) go run ./internal/release image $(ARGS)

# The card from power to a dealt round, with power cuts and broken updates. Too long for make acceptance. The pictures of its screen
# are in dist/image.
image-test:
	rm -rf dist/image
	$(MAKE) image
	go test -c -o dist/test/image.test -tags image ./cmd/sabotd
	$(if $(filter 0,$(shell id -u)),,sudo) dist/test/image.test -test.v -test.timeout 5h -test.run '^TestImage' -image dist/image -screens $(CURDIR)/dist/image

clean:
	rm -rf dist $(PAGE)/node_modules
