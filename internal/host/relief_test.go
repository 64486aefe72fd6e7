package host_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/vocab"
)

const dorasPIN, brunosBadge = "258013", "0041779988"

// provenDealers is a closed table whose dealers, dora and bruno, are proven.
func provenDealers(c *config.Config) {
	c.Starts = config.StartsClosed
	c.Dealers = config.Dealers{Proof: authority.PINOrBadge, Names: []config.Dealer{
		{Name: "dora", PIN: config.PINHash(authority.NewHash(dorasPIN).String())},
		{Name: "bruno", Badge: config.PINHash(authority.NewHash(brunosBadge).String())},
	}}
}

// refused says why something was refused that people may not do.
func refused(err error) authority.Why {
	if r, is := errors.AsType[*authority.Refusal](err); is {
		return r.Why
	}
	return ""
}

// recorded lists the inputs of a kind in the journal, without their times.
func recorded(t *testing.T, path string, kinds ...vocab.InputKind) (lines []string) {
	t.Helper()
	j, err := journal.OpenReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	at := regexp.MustCompile(`,"t":"[^"]*"`)
	for r, err := range j.Records(1) {
		if err != nil {
			t.Fatal(err)
		}
		is := func(k vocab.InputKind) bool {
			return strings.HasPrefix(string(r.Input), `{"in":"`+k.String()+`"`)
		}
		if slices.ContainsFunc(kinds, is) {
			lines = append(lines, at.ReplaceAllString(string(r.Input), ""))
		}
	}
	return lines
}

// TestShiftOnRecord opens a table in the evening and closes it: who opened it, who dealt, how
// they were proven, who relieved whom and which limits were announced is on record, and what
// nobody may do without proof is not done.
func TestShiftOnRecord(t *testing.T) {
	path := filepath.Join(processes.FastDir(t), "journal")
	s := staff(t, path, authority.PIN, provenDealers)
	open, opened := vocab.Input{Kind: vocab.InOpen}, vocab.Input{
		Kind: vocab.InTable, Table: vocab.TableChange{Event: vocab.TableOpened},
	}
	s.await("that it is closed", func(v display.View) bool { return v.Opening.Closed && v.LacksDealer() })
	if _, err := s.Submit(t.Context(), opened); refused(err) != "needs-pin" {
		t.Errorf("opened by nobody: %v", err)
	}
	if _, err := s.Submit(t.Context(), open); refused(err) != "needs-dealer" {
		t.Errorf("bets opened without a dealer: %v", err)
	}
	if err := s.SignIn(t.Context(), "dora"); refused(err) != "needs-pin-or-badge" {
		t.Errorf("signed in without proof: %v", err)
	}
	if err := s.Prove(t.Context(), authority.Own, "dora", dorasPIN); err != nil {
		t.Fatal(err)
	}
	s.await("dora, who is on record a moment after she was proven", func(v display.View) bool {
		return v.Shift.Dealer == "dora"
	})
	if answer, err := s.Submit(t.Context(), open); err != nil || answer.Rejected != vocab.TableIsClosed {
		t.Errorf("bets opened at a closed table: %s, %v", answer.Rejected, err)
	}
	byAnna := func(in vocab.Input) error {
		t.Helper()
		_, err := s.Submit(s.proven(), in)
		return err
	}
	if err := byAnna(opened); err != nil {
		t.Fatal(err)
	}
	limits := vocab.Input{Kind: vocab.InLimits}
	limits.Limits = vocab.LimitsChange{Min: 5000, BoxMax: 1000}
	if err := byAnna(limits); err == nil || !strings.Contains(err.Error(),
		"the box maximum 10.00 is below the minimum 50.00") {
		t.Errorf("limits that cannot be played are answered %v", err)
	}
	limits.Limits = vocab.LimitsChange{Min: 5000}
	if err := byAnna(limits); err != nil {
		t.Fatal(err)
	}
	s.await("the limits", func(v display.View) bool { return v.Min == 5000 && !v.Opening.Closed })
	s.put(open)
	s.await("the bets", func(v display.View) bool { return v.Phase == vocab.Bets })
	if err := s.ReadBadge(t.Context(), authority.Own, brunosBadge); refused(err) != authority.WhyRoundRunning {
		t.Errorf("relieved in a round: %v", err)
	}
	s.end()

	// A restart is still in the round, and knows the dealer, the limits and that it is open.
	s = staff(t, path, authority.PIN, provenDealers)
	s.await("the same", func(v display.View) bool {
		return v.Min == 5000 && !v.Opening.Closed && v.Shift.Dealer == "dora" && !v.LacksDealer()
	})
	s.end()

	want := []string{
		`{"in":"table","from":"configuration","event":"closed"}`,
		`{"in":"dealer","from":"screen","at":"table","name":"dora","proof":"pin"}`,
		`{"in":"table","from":"bench","who":"dora","proven_at":"table","event":"opened","dealer":"dora","by":"anna"}`,
		`{"in":"limits","from":"bench","who":"dora","proven_at":"table","min":5000,"box_max":1000,"by":"anna"}`,
		`{"in":"limits","from":"bench","who":"dora","proven_at":"table","min":5000,"by":"anna"}`,
	}
	if got := recorded(t, path, vocab.InTable, vocab.InDealer, vocab.InLimits); !slices.Equal(got, want) {
		t.Errorf("on record is\n%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestBadgeIsKeptToItself: bruno relieves dora by his badge, whose number is in no log and on no
// record, and neither is that of a badge that nobody knows.
func TestBadgeIsKeptToItself(t *testing.T) {
	const unknown = "99887700112233"
	path := filepath.Join(processes.FastDir(t), "journal")
	s := staff(t, path, authority.PIN, provenDealers)
	if err := s.Prove(t.Context(), authority.Own, "dora", dorasPIN); err != nil {
		t.Fatal(err)
	}
	if err := s.ReadBadge(t.Context(), authority.Own, unknown); refused(err) != authority.WhyUnknownBadge ||
		strings.Contains(err.Error(), unknown) {
		t.Errorf("an unknown badge: %v", err)
	}
	if err := s.ReadBadge(t.Context(), authority.Own, brunosBadge); err != nil {
		t.Fatal(err)
	}
	s.await("bruno", func(v display.View) bool { return v.Shift.Dealer == "bruno" })
	s.end()
	want := []string{
		`{"in":"dealer","from":"screen","at":"table","name":"dora","proof":"pin"}`,
		`{"in":"dealer","from":"screen","at":"table","name":"bruno","proof":"badge","relieves":"dora"}`,
		`{"in":"note","from":"screen","at":"table","code":"wrong-badge"}`,
	}
	got := recorded(t, path, vocab.InDealer, vocab.InNote)
	for _, line := range want {
		if !slices.Contains(got, line) {
			t.Errorf("%s is not on record:\n%s", line, strings.Join(got, "\n"))
		}
	}
	for _, number := range []string{unknown, brunosBadge, dorasPIN} {
		if strings.Contains(s.log.String(), number) {
			t.Errorf("the log has %s", number)
		}
		for _, name := range append(glob(t, filepath.Join(path, "*")), path+".people") {
			if text, err := os.ReadFile(name); err != nil || strings.Contains(string(text), number) {
				t.Errorf("%s has %s, %v", name, number, err)
			}
		}
	}
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %v, %v", pattern, names, err)
	}
	return names
}
