package audit

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/sabot-table/sabot/table/plaintext"
)

// WriteText writes the report for people: that all is well in one line, or round by
// round what is wrong. name is the journal's file as the reader knows it. Quiet leaves
// out everything but faults.
func (r *Report) WriteText(w io.Writer, name string, quiet bool) error {
	var t text
	if !r.Well() {
		t.faults(r, name)
	} else if !quiet {
		t.line("%s: all is well: %s", name, r.summary())
	}
	if !quiet {
		t.notes(r)
	}
	_, err := io.WriteString(w, t.b.String())
	return err
}

// text is what is written.
type text struct{ b strings.Builder }

// line writes one line, whatever is in what it is filled with.
func (t *text) line(format string, args ...any) {
	t.b.WriteString(plaintext.Visible(fmt.Sprintf(format, args...)) + "\n")
}

// summary says what was checked.
func (r *Report) summary() string {
	s := fmt.Sprintf("%s in %s", count(r.Rounds, "round"), count(r.Records, "record"))
	if r.Records > 0 {
		s += fmt.Sprintf(", %s to %s", stamp(r.First), stamp(r.Last))
	}
	return s + ", " + r.Sealed.words() + r.Codes.words() + r.Witness.words()
}

// words says which codes were checked, "" where there are none.
func (c *Codes) words() string {
	switch {
	case c.Lines == 0:
		return ""
	case c.Checked == 0:
		return "; the codes of its lines were not checked"
	case c.Checked == c.Lines:
		return "; the code of every line is the table's"
	}
	return fmt.Sprintf("; %s of %s have the table's code, the others were not checked", commas(c.Checked),
		count(c.Lines, "line"))
}

// words says how far the seals reach.
func (s *Sealed) words() string {
	switch {
	case s.Seals == 0:
		return "not sealed"
	case s.Record == 0:
		return "without a valid seal"
	case s.Given:
		return fmt.Sprintf("sealed by the key that was given up to round %d (record %d)", s.Round, s.Record)
	default:
		return fmt.Sprintf("sealed up to round %d (record %d) by a key that only the journal names", s.Round, s.Record)
	}
}

func (t *text) faults(r *Report, name string) {
	n := uint64(len(r.Faults)) + r.MoreFaults
	in := "none"
	if r.FaultyRounds > 0 {
		in = commas(r.FaultyRounds)
	}
	t.line("%s: %s, in %s of %s; %s", name, count(n, "fault"), in, count(r.Rounds+r.Unchecked, "round"),
		r.Sealed.words())
	if r.Unchecked > 0 {
		t.line("%s could not be checked", count(r.Unchecked, "round"))
	}
	for _, f := range r.Faults {
		t.line("")
		t.fault(f, name)
	}
	if r.MoreFaults > 0 {
		t.line("")
		t.line("and %s that are not listed", count(r.MoreFaults, "more fault"))
	}
}

func (t *text) fault(f *Finding, name string) {
	t.line("%s", f.place())
	t.field(string(f.Kind), cmp.Or(f.Rule, f.What))
	t.field("put in", f.Input)
	if f.Recorded != nil || f.Should != nil {
		t.field("recorded", orNothing(f.Recorded)...)
		t.field("should be", orNothing(f.Should)...)
	}
	if f.Behind > 0 {
		t.field("behind it", count(uint64(f.Behind), "more record")+" that "+doNot(f.Behind)+" follow from the input")
	}
	if f.Round > 0 {
		t.field("look at", fmt.Sprintf("sabot journal audit --round %d %s", f.Round, name))
	}
}

func doNot(n int) string {
	if n == 1 {
		return "does not"
	}
	return "do not"
}

func orNothing(lines []string) []string {
	if len(lines) == 0 {
		return []string{"nothing"}
	}
	return lines
}

// field writes lines beside a name; none without lines.
func (t *text) field(name string, lines ...string) {
	for i, line := range lines {
		if line == "" {
			return
		}
		if i > 0 {
			name = ""
		}
		t.line("  %-14s %s", name, line)
	}
}

// place says where a finding is.
func (f *Finding) place() string {
	if f.Record == 0 {
		return "the whole journal"
	}
	s := fmt.Sprintf("record %d", f.Record)
	if !f.At.IsZero() {
		s += fmt.Sprintf(", %s, start %d", stamp(f.At), f.Boot)
	}
	if f.Round > 0 {
		s = fmt.Sprintf("round %d, %s", f.Round, s)
	}
	if f.Program != "" {
		s += " of " + f.Program
	}
	return s
}

// notes writes the remarks, and the end of the journal, which is worth noting
// elsewhere.
func (t *text) notes(r *Report) {
	for _, f := range r.Remarks {
		where := ""
		if f.Record > 0 {
			where = fmt.Sprintf("record %d: ", f.Record)
		}
		t.line("note (%s): %s%s", f.Kind, where, f.What)
	}
	if r.MoreRemarks > 0 {
		t.line("and %s", count(r.MoreRemarks, "more note"))
	}
	t.shoes(r)
	t.line("last record %d, hash %s", r.Head, r.Hash)
}

// stamp writes a time as an auditor compares it.
func stamp(t time.Time) string { return t.Format("2006-01-02 15:04:05.000 UTC") }

// count writes a number and what is counted.
func count(n uint64, what string) string {
	if n != 1 {
		what += "s"
	}
	return commas(n) + " " + what
}

// commas writes a number with a comma at each thousand.
func commas(n uint64) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
