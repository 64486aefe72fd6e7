package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// suite is something that proves Sabot, and runs by itself.
type suite struct {
	name string
	// minutes is how long it takes on two quiet cores. Shards are made by it.
	minutes float64
	// goTest are the arguments of go test, or line is one for the shell. Both are empty for suites of make test, whose
	// stages run them.
	goTest, line string
	// race has a suite of make soak run what make test runs, with the race detector and the day's seed.
	race bool
	// finds is the kind of fault that only this suite finds.
	finds string
	tier  string
}

// The tiers of suites, as the make target says them.
const (
	inTest    = "test"
	inSoak    = "soak"
	inRelease = "release-test"
)

// suites are all of them: those of make test, of make soak and of make release-test.
var suites = []suite{
	{
		name: "lint", tier: inTest, minutes: 1,
		finds: "what go vet and staticcheck know; files that are not formatted; lines that are too wide",
	},
	{
		name: "go", tier: inTest, minutes: 4,
		finds: "wrong rules, payments, records, answers and texts: what neither starts goroutines nor is left to " +
			"make soak",
	},
	{
		name: "race", tier: inTest, minutes: 1,
		finds: "two goroutines at one value, in the packages that start goroutines",
	},
	{
		name: "pages", tier: inTest, minutes: 4,
		finds: "a page that does not show or do what money, keys and people depend on, in Chromium; every state of " +
			"the felt once",
	},

	{
		name: "engine", tier: inSoak, minutes: 11,
		goTest: "./table ./table/secondbook ./table/transcript ./table/notation ./table/recall ./table/profile " +
			"./table/authority ./table/runner",
		finds: "rare orders of cards and slips: 100,000 rounds with a dealer who errs",
	},
	{
		name: "houses-1", tier: inSoak, minutes: 4,
		goTest: "-run ^TestDrawnHouses$ ./table -drawn.rounds 2500000 -drawn.part 1",
		finds:  "a rule of a house that engine and second book read otherwise: 10 million rounds in four parts, part 1",
	},
	{
		name: "houses-2", tier: inSoak, minutes: 4,
		goTest: "-run ^TestDrawnHouses$ ./table -drawn.rounds 2500000 -drawn.part 2",
		finds:  "a rule of a house that engine and second book read otherwise: 10 million rounds in four parts, part 2",
	},
	{
		name: "houses-3", tier: inSoak, minutes: 4,
		goTest: "-run ^TestDrawnHouses$ ./table -drawn.rounds 2500000 -drawn.part 3",
		finds:  "a rule of a house that engine and second book read otherwise: 10 million rounds in four parts, part 3",
	},
	{
		name: "houses-4", tier: inSoak, minutes: 4,
		goTest: "-run ^TestDrawnHouses$ ./table -drawn.rounds 2500000 -drawn.part 4",
		finds:  "a rule of a house that engine and second book read otherwise: 10 million rounds in four parts, part 4",
	},
	{
		name: "journal", tier: inSoak, minutes: 20,
		goTest: "./table/journal/... ./internal/testkit/disktest",
		finds:  "a record lost or doubled by a disk that fails at a rare moment: 10,000 histories",
	},
	{
		name: "audit", tier: inSoak, minutes: 4,
		goTest: "./table/audit/...",
		finds:  "a change of any byte of a journal that no reader notices",
	},
	{
		name: "odds", tier: inSoak, minutes: 6,
		goTest: "./table/odds/... ./pit/luck ./pit/figures ./docs",
		finds:  "odds that differ from what the engine deals",
	},
	{
		name: "storm", tier: inSoak, minutes: 5,
		goTest: "-run ^TestStorm$ ./internal/testkit/simtest -storm.for 3m",
		finds:  "faults of shoe, disk, broker, dealer and clock that meet",
	},
	{
		name: "storm-bites", tier: inSoak, minutes: 10,
		goTest: "-run ^TestStormBites$ ./internal/testkit/simtest -storm.bites 1m",
		finds:  "a storm that has become blind to one of its 21 planted defects",
	},
	{
		name: "hole", tier: inSoak, minutes: 5,
		goTest: "-run ^TestNothingTellsTheHoleCard$ ./internal/host -hole.rounds 100000",
		finds:  "whatever leaves a table and depends on the card that lies face down: 100,000 rounds at two tables",
	},
	{
		name: "programs", tier: inSoak, minutes: 11,
		goTest: "./cmd/sabotd",
		finds:  "what only built programs do: kills, signals, real brokers, attacks",
	},
	{
		name: "tools", tier: inSoak, minutes: 9,
		goTest: "./cmd/sabot ./cmd/sabot-demo ./cmd/sabot-pit",
		finds:  "the same of the tools, the demonstration and the pit",
	},
	{
		name: "internal", tier: inSoak, minutes: 10,
		goTest: "./internal/...",
		finds:  "a rare cut in an update or a backup; 10,000 rounds of a shift",
	},
	{
		name: "pit", tier: inSoak, minutes: 8,
		goTest: "./pit/...",
		finds:  "what PostgreSQL and a real mosquitto do otherwise; nights of luck",
	},
	{
		name: "lines", tier: inSoak, minutes: 7,
		goTest: "./device/... ./shoe/... ./sim-hardware/... ./firmware-protocol/... ./display/...",
		finds:  "bad lines for hours: the rounds of every make over noise, losses and cuts",
	},
	{
		name: "race-table", tier: inSoak, minutes: 11, race: true,
		goTest: "./table/... ./shoe/... ./device/... ./display/... ./firmware-protocol/... ./sim-hardware/...",
		finds:  "races of what starts no goroutines itself",
	},
	{
		name: "race-cmd", tier: inSoak, minutes: 8, race: true,
		goTest: "./cmd/...",
		finds:  "races of the built programs",
	},
	{
		name: "race-pit", tier: inSoak, minutes: 7, race: true,
		goTest: "./pit/... ./internal/... ./docs ./deploy/...",
		finds:  "races of the pit, and of what proves Sabot",
	},
	{
		name: "pages-all", tier: inSoak, minutes: 12,
		line: "make --no-print-directory page-test",
		finds: "a text that does not fit: all 21,400 renders, every page and language on every screen; other ways " +
			"to the same end",
	},
	{
		name: "ext4", tier: inSoak, minutes: 1,
		line:  "make --no-print-directory disk-test",
		finds: "what a real ext4 does otherwise than the simulated disk: power cuts, a full disk",
	},
	{
		name: "boards", tier: inSoak, minutes: 5,
		line:  "make --no-print-directory board-test",
		finds: "what a PC's and a Raspberry Pi's kernel do otherwise, and 32-bit ARM",
	},
	{
		name: "packages", tier: inSoak, minutes: 8,
		line:  "make --no-print-directory package-test",
		finds: "Debian's packages that differ when made twice, or do not install",
	},
	{
		name: "node-red", tier: inSoak, minutes: 3,
		line:  "cd deploy/node-red && npm ci --no-audit --no-fund && node --test --test-concurrency=2",
		finds: "an example flow that Node-RED does not take",
	},
	{
		name: "examples", tier: inSoak, minutes: 1,
		line:  "go test -C internal/testkit/deployed -vet=off -count=1 .",
		finds: "an example for containers that Compose or Kubernetes would not take, by their own libraries",
	},
	{
		name: "fuzz-a-m", tier: inSoak, minutes: 8,
		line:  "./fuzz.sh 10s '^Fuzz[A-M]'",
		finds: "bytes that a parser does not survive, in the targets from A to M",
	},
	{
		name: "fuzz-n-z", tier: inSoak, minutes: 8,
		line:  "./fuzz.sh 10s '^Fuzz[N-Z]'",
		finds: "the same, in those from N to Z",
	},
	{
		name: "cross", tier: inSoak, minutes: 7,
		line: "GOOS=darwin go build ./cmd/... && GOOS=linux GOARCH=arm go build ./... && make " +
			"--no-print-directory build",
		finds: "code that other processors and systems do not take",
	},

	{
		name: "versions", tier: inRelease, minutes: 4,
		line:  "make --no-print-directory versions-test",
		finds: "a table, a pit or a node that does not go on beside one of an earlier version, or upgraded from it",
	},
	{
		name: "fresh", tier: inRelease, minutes: 15,
		line:  "make --no-print-directory fresh-test",
		finds: "packages that depend on what an earlier build has left in Go's cache",
	},
	{
		name: "image", tier: inRelease, minutes: 90,
		line:  "make --no-print-directory image-test",
		finds: "a card that does not start, update or survive a power cut in an emulated computer",
	},
	{
		name: "rounds", tier: inRelease, minutes: 600,
		line:  "./bench.sh meets",
		finds: "a rare difference between engine and odds: a hundred million rounds of each house",
	},
}

// shard is one of n parts of suites, which take about the same time: the longest suites are dealt first, each to the
// part that has the least so far.
func shard(all []suite, part, n int) []suite {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b suite) int { return cmp.Compare(b.minutes, a.minutes) })
	parts, minutes := make([][]suite, n), make([]float64, n)
	for _, s := range all {
		least := slices.Index(minutes, slices.Min(minutes))
		parts[least] = append(parts[least], s)
		minutes[least] += s.minutes
	}
	return parts[part-1]
}

// ofTier are the suites of a tier.
func ofTier(name string) (some []suite) {
	for _, s := range suites {
		if s.tier == name {
			some = append(some, s)
		}
	}
	return some
}

// table writes suites as the table of CONTRIBUTING.md.
func table(all []suite) string {
	var b strings.Builder
	fmt.Fprintln(&b, "| suite | tier | minutes | what only it finds |")
	fmt.Fprintln(&b, "|---|---|---|---|")
	for _, s := range all {
		fmt.Fprintf(&b, "| %s | `make %s` | %v | %s |\n", s.name, s.tier, s.minutes, s.finds)
	}
	return b.String()
}
