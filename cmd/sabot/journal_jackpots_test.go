package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
)

// TestJournalJackpots: the journals of all tables say what must be in their jackpot, and a meter that shows anything
// else is found.
func TestJournalJackpots(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for n := range 2 {
		paths = append(paths, filepath.Join(dir, fmt.Sprint("bj-", n)))
		journaltest.NewTable(t, paths[n], tabletest.Book(), journaltest.Key).Year("linked", 20)
	}
	with := func(meter ...string) []string {
		return append(append([]string{"journal", "jackpots"}, meter...), paths...)
	}
	got := sabot(t, "", with()...)
	must := regexp.MustCompile(`must be in it +(\S+)`).FindStringSubmatch(got.Out)
	if got.Status != exitOK || must == nil || !strings.Contains(got.Out, "jackpot ticino, EUR: 2 tables") ||
		strings.Contains(got.Out, "fed by stakes 0.00") {
		t.Fatalf("it says, with status %d:\n%s%s", got.Status, got.Out, got.Err)
	}
	if got := sabot(t, "", with("--meter", must[1])...); got.Status != exitOK {
		t.Errorf("the right meter ends with %d:\n%s%s", got.Status, got.Out, got.Err)
	}
	if got := sabot(t, "", with("--meter", "1.50")...); got.Status == exitOK || !strings.Contains(got.Out, "NOT WELL") {
		t.Errorf("a wrong meter ends with %d:\n%s%s", got.Status, got.Out, got.Err)
	}
	if got := sabot(t, "", "journal", "jackpots"); got.Status == exitOK {
		t.Error("no journal at all is well")
	}
}
