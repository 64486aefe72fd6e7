package main

import (
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/profile"
)

// badgesOf reads a configuration with these lines in it.
func badgesOf(t *testing.T, lines string) []authority.Dealer {
	t.Helper()
	text := "site: a\ntable: b\nhouse: wiesbaden\nshoe: {port: /dev/ttyS0}\nsupervisors: {proof: none}\ndealers:\n  " +
		"proof: badge\n  names:\n" + lines
	c, err := config.Parse("sabot.yaml", []byte(text), profile.Built())
	if err != nil {
		t.Fatal(err)
	}
	o, err := c.Authority()
	if err != nil {
		t.Fatal(err)
	}
	return o.People
}

// TestBadgeLine: the printed lines go into the configuration as they are, and with --like they
// share their salt.
func TestBadgeLine(t *testing.T) {
	first := sabot(t, "0041779988\n", "key", "badge", "d7")
	if first.Status != exitOK || first.Err != "" || strings.Contains(first.Out, "0041779988") {
		t.Fatalf("sabot key badge ended with %+v", first)
	}
	_, hash, _ := strings.Cut(first.Out, `badge: "`)
	hash, _, _ = strings.Cut(hash, `"`)
	second := sabot(t, "04ab99ccdd", "key", "badge", "--like", hash, "O'Neill")
	who := badgesOf(t, first.Out+second.Out)
	if len(who) != 2 || who[1].Name != "O'Neill" || !who[0].Badge.Alike(who[1].Badge) {
		t.Fatalf("the configuration has %+v", who)
	}
	if !who[0].Badge.Matches("0041779988") || who[0].Badge.Matches("0041779989") ||
		!who[1].Badge.Matches("04AB99CCDD") {
		t.Errorf("the lines do not distinguish badges:\n%s%s", first.Out, second.Out)
	}
}

// TestBadgeRefused: what is no badge's number is refused, and not repeated in the error.
func TestBadgeRefused(t *testing.T) {
	for in, want := range map[string]string{
		"":                                 "on one line",
		"12345\n":                          "6 to 32 digits or letters",
		"123 456 78\n":                     "6 to 32 digits or letters",
		"1234\n5678\n":                     "on one line",
		strings.Repeat("123456", 6) + "\n": "6 to 32 digits or letters",
	} {
		got := sabot(t, in, "key", "badge", "d7")
		wantFailure(t, got, exitFailed, "sabot: ", want)
		if in = strings.TrimSpace(in); len(in) > 3 && strings.Contains(got.Err, in) {
			t.Errorf("the number is repeated: %s", got.Err)
		}
	}
	got := sabot(t, "0041779988\n", "key", "badge", "--like", "0041779988", "d7")
	if got.Status != exitUsage || strings.Contains(got.Err, "0041779988") {
		t.Errorf("a number in the place of a hash: %+v", got)
	}
}
