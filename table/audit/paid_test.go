package audit_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table/audit"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

var (
	payoutLine = regexp.MustCompile(`(?m)^\{"out":"payout".*\n`)
	slipIn     = regexp.MustCompile(`,"currency":"[A-Z]{3}"`)
	bothSums   = regexp.MustCompile(`,"due":\d+,"paid":\d+`)
)

// TestPaidInAnEarlierRecord: a program that told nothing of what was paid has written no fault, and the note has the
// names all the same. A program that tells it has to.
func TestPaidInAnEarlierRecord(t *testing.T) {
	path := filepath.Join(tabletest.FastDir(t), "journal")
	tab := journaltest.NewTable(t, path, profile.Built(), journaltest.Key)
	tab.SetUp(rules.Setup{House: "wiesbaden"})
	for _, line := range []string{
		"open; stake 1 a 20; stake 1 b 30; close", "TS 7D 9H", "rest", "TC", "paid box 1 60",
		"resolve accept by=s1 because=goodwill",
	} {
		tab.Play(line)
	}
	tab.Close()
	f := journaltest.Open(t, path)
	for _, row := range f.Rows() {
		row := f.Row(row.Seq)
		row.Outputs = bothSums.ReplaceAllString(payoutLine.ReplaceAllString(row.Outputs, ""), "")
	}
	f.Rechain()
	f.Save(journaltest.Sign)
	o := options()
	if r := check(t, path, o); r.Well() {
		t.Error("a line that this program writes is missing, and all is well")
	}
	o.Version = "sabotd of another day"
	report := check(t, path, o)
	said := ""
	for _, one := range report.Remarks {
		if one.Kind == audit.PaidOther {
			said += one.What
		}
	}
	if !report.Well() || !strings.Contains(said,
		"box 1, a, main: 30.00 were paid instead of 20.00; s1 has accepted that: goodwill") {
		t.Errorf("the audit notes %q, and says\n%s", said, text(report))
	}
}

// TestUndoneInAnEarlierRecord: a program that took no payment back after the last has refused an undo there, also while
// the table was held right after the end of the round. That is no fault of the record. A program that takes it back has
// to carry the round.
func TestUndoneInAnEarlierRecord(t *testing.T) {
	for name, holds := range map[string][]string{
		"not held": nil, "held by hand": {"hold by=s1"},
		"held by the shoe": {"shoe alarm cover"}, "held by the line": {"shoe offline"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(tabletest.FastDir(t), "journal")
			tab := journaltest.NewTable(t, path, profile.Built(), journaltest.Key)
			tab.SetUp(rules.Setup{House: "wiesbaden"})
			for _, line := range slices.Concat([]string{"open; stake 1 a 20; close", "TS 7D 9H", "rest", "TC", "paid"},
				holds) {
				tab.Play(line)
			}
			tab.Put(vocab.Input{Kind: vocab.InUndo}) // which this program takes, or refuses for another reason
			tab.Close()
			f := journaltest.Open(t, path)
			rows := f.Rows()
			for _, row := range rows {
				if at := bytes.Index(row.Carry, []byte(`,"last":{"before":`)); at > 0 {
					row.Carry = append(row.Carry[:at:at], '}')
				}
			}
			last := rows[len(rows)-1]
			last.Outputs = fmt.Sprintf(`{"out":"rejected","reason":"no-round","line":%d}`+"\n", last.Seq)
			f.Rechain()
			f.Save(journaltest.Sign)
			if r := check(t, path, options()); !slices.ContainsFunc(r.Faults, isCheckpoint) {
				t.Errorf("this program has left the last round out of what it carries, and the audit says\n%s", text(r))
			}
			o := options()
			o.Version = "sabotd of another day"
			if report := check(t, path, o); !report.Well() {
				t.Error(text(report))
			}
		})
	}
}

// TestSlipInAnEarlierRecord: a program that took a slip for one in whatever currency the table was set up with has
// written no fault, and a note names the slip wherever it was taken for one in another than its own. A program that
// keeps its currency has to refuse it.
func TestSlipInAnEarlierRecord(t *testing.T) {
	const note = "fill 1 was asked for in EUR, and the version that wrote this takes it for one in "
	for name, c := range map[string]struct {
		earlier    bool
		currencies []string
		want       []string
	}{
		"of today":          {false, []string{"CHF"}, []string{"fill 1 of 200.00 EUR was sent, and is not received"}},
		"earlier":           {true, []string{"CHF"}, []string{note + "CHF"}},
		"back to the first": {true, []string{"CHF", "EUR"}, []string{note + "CHF"}},
		"a third":           {true, []string{"CHF", "GBP"}, []string{note + "CHF", note + "GBP"}},
		"again":             {true, []string{"CHF", "EUR", "CHF"}, []string{note + "CHF", note + "CHF"}},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(tabletest.FastDir(t), "journal")
			tab := journaltest.NewTable(t, path, profile.Built(), journaltest.Key)
			tab.SetUp(rules.Setup{House: "wiesbaden"})
			tab.Play("fill asked 100x2 by=d7; fill approved 1 by=anna; fill sent 1 100x2 by=cage")
			for _, currency := range c.currencies {
				tab.SetUp(rules.Setup{House: "wiesbaden", Currency: currency})
				tab.Play("count opening 100x5 dealer=d7 by=anna")
				if c.earlier {
					tab.Tab.InOneMoney()
				}
			}
			if c.earlier {
				tab.Play("fill received 1 100x2 by=d7")
			}
			tab.Play("open; stake 1 a 20; close; TS 7D 9H; rest; TC; paid")
			tab.Close()
			if c.earlier {
				withoutCurrency(t, path)
			}
			o := options()
			if c.earlier {
				o.Version = "sabotd of another day"
			}
			r := check(t, path, o)
			if got := ofSlips(r); !r.Well() || !slices.EqualFunc(got, c.want, strings.HasPrefix) {
				t.Errorf("of the slips the audit says %q, not %q:\n%s", got, c.want, text(r))
			}
		})
	}
}

// TestSlipWithoutItsCurrency: a program that keeps a slip's currency has to have written it. Who has the keys and takes
// it out of a checkpoint, so that the slip looks like one in the table's currency, is found.
func TestSlipWithoutItsCurrency(t *testing.T) {
	path := filepath.Join(tabletest.FastDir(t), "journal")
	tab := journaltest.NewTable(t, path, profile.Built(), journaltest.Key)
	tab.SetUp(rules.Setup{House: "wiesbaden"})
	tab.Play("fill asked 100x2 by=d7; fill approved 1 by=anna; fill sent 1 100x2 by=cage")
	tab.SetUp(rules.Setup{House: "wiesbaden", Currency: "CHF"})
	tab.Close()
	withoutCurrency(t, path)
	r := check(t, path, options())
	if !slices.ContainsFunc(r.Faults, isCheckpoint) {
		t.Errorf("this program has written a slip without its currency, and the audit says\n%s", text(r))
	}
}

func isCheckpoint(f *audit.Finding) bool { return f.Kind == audit.Checkpoint }

// withoutCurrency takes the currency out of each checkpoint's slip, as a program does that has the keys.
func withoutCurrency(t *testing.T, path string) {
	t.Helper()
	f := journaltest.Open(t, path)
	for _, row := range f.Rows() {
		row.Carry = slipIn.ReplaceAll(row.Carry, nil)
	}
	f.Rechain()
	f.Save(journaltest.Sign)
}

// ofSlips are the notes of slips.
func ofSlips(r *audit.Report) (notes []string) {
	for i := range r.Remarks {
		if strings.HasPrefix(r.Remarks[i].What, "fill ") {
			notes = append(notes, r.Remarks[i].What)
		}
	}
	return notes
}
