package dealt_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"math"
	"os"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table/odds"
	"github.com/sabot-table/sabot/table/odds/dealt"
	"github.com/sabot-table/sabot/table/profile"
)

var rewrite = flag.Bool("rewrite", false, "work every house out anew, and write known.json")

// knownRounds are the rounds that are dealt with -rewrite.
const knownRounds = 20_000_000

// TestKnown works every house out again, and finds the same; what has to be dealt within four standard errors.
func TestKnown(t *testing.T) {
	if *rewrite {
		writeKnown(t)
	}
	for name, h := range profile.Built() {
		wagers, known := dealt.Known(h.Rules)
		if !known {
			t.Errorf("%s is not known: go test ./table/odds/dealt -run TestKnown -rewrite", name)
			continue
		}
		if name != "st-moritz" && !tier.InSoak() {
			continue // the others take several times as long
		}
		report, err := dealt.Report(context.Background(), odds.Query{Rules: h.Rules, Shoe: odds.Full(h.Rules)}, 100_000)
		if err != nil {
			t.Fatal(err)
		}
		if len(report.Wagers) != len(wagers) {
			t.Errorf("%s has %d wagers, and %d are known", name, len(report.Wagers), len(wagers))
			continue
		}
		for i, w := range report.Wagers {
			sameWager(t, name, &w, &wagers[i])
		}
	}
}

func sameWager(t *testing.T, house string, is, was *odds.Wager) {
	t.Helper()
	within := 1e-12
	if is.Method == odds.Simulated {
		within = 4 * math.Hypot(is.Error, was.Error)
	}
	if is.Name != was.Name || is.Method != was.Method || len(is.Lines) != len(was.Lines) ||
		math.Abs(is.Edge-was.Edge) > within {
		t.Errorf("%s: %s has the edge %.9f, known is %s with %.9f", house, is.Name, is.Edge, was.Name, was.Edge)
		return
	}
	for i, l := range is.Lines {
		if k := was.Lines[i]; l.Name != k.Name || l.Pays != k.Pays || math.Abs(l.P-k.P) > within {
			t.Errorf("%s: the line %s of %s is %v, known is %v", house, l.Name, is.Name, l, k)
		}
	}
}

func writeKnown(t *testing.T) {
	var list []any
	for _, name := range profile.Built().Names() {
		h := profile.Built()[name]
		report, err := dealt.Report(context.Background(), odds.Query{Rules: h.Rules, Shoe: odds.Full(h.Rules)},
			knownRounds)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, struct {
			House       string       `json:"house"`
			Fingerprint string       `json:"fingerprint"`
			Wagers      []odds.Wager `json:"wagers"`
		}{name, h.Fingerprint, report.Wagers})
	}
	data, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, data, "", " "); err != nil {
		t.Fatal(err)
	}
	out.WriteByte('\n')
	if err := os.WriteFile("known.json", out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Skip("written: run the test again without -rewrite, so that what is embedded is what was written")
}
