package audit_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table/audit"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/rules"
)

// TestFaults plants faults in journals. A case of testdata/faults begins with "fault"
// and the house; then come the rounds that are played, and behind "plant" what is
// changed afterwards, by a person who rebuilds the chain behind it:
//
//	answer N: OLD => NEW    in what was recorded behind input N, counted from the set-up
//	answer N =              all of it: the lines that follow, each begun with a bar
//	input N: OLD => NEW     in what was put in
//	carry N: OLD => NEW     in what is carried into the next round; * is all of it
//	column N: NAME = VALUE  one of what a record says of itself
//	part N: NAME = VALUE    in the header of part N, a JSON value
//	drop part N, drop seals
//	drop N, drop N..M, swap N M, cut N (the end from N on)
//	copy N M                puts record N in a second time behind itself, to be named M
//	renumber                gives the shoe's events numbers without holes
//
// Arguments: chain=left leaves the chain as it was. The journal is sealed anew with the
// table's key, as by a program that recorded the wrong thing, but for seals=left, fit
// (with the new numbers, without the key), forged (with another, which the headers name),
// dropped (behind the first change) or stripped (all, and the headers' key). key=none
// gives the auditor no key, noted=N number and hash of a record from before.
//
// The answer is the report, and below it the records for "show".
func TestFaults(t *testing.T) {
	datadriven.Walk(t, "testdata/faults", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			c := plantedCase{t: t, d: d, path: filepath.Join(tabletest.FastDir(t), "journal")}
			switch d.Cmd {
			case "show":
				c.play(d.Input)
				return c.show()
			case "fault":
				rounds, plant, _ := strings.Cut(d.Input, "\nplant")
				c.play(rounds)
				c.plant(plant)
				return c.audit()
			}
			d.Fatalf(t, "unknown command %q", d.Cmd)
			return ""
		})
	})
}

// plantedCase is a journal in which somebody plants faults.
type plantedCase struct {
	t    *testing.T
	d    *datadriven.TestData
	path string
	file *journaltest.File
	note audit.Note
}

func (c *plantedCase) arg(name string) string {
	for _, a := range c.d.CmdArgs {
		if a.Key == name && len(a.Vals) == 1 {
			return a.Vals[0]
		}
	}
	return ""
}

// play makes the journal: of lines as package tabletest reads them, and "restart".
func (c *plantedCase) play(lines string) {
	tab := journaltest.NewTable(c.t, c.path, tabletest.Book(), journaltest.Key)
	s := rules.Setup{House: c.d.CmdArgs[0].Key}
	if jackpot := c.arg("jackpot"); jackpot != "" {
		s.Jackpot = c.number(jackpot)
	}
	tab.SetUp(s)
	for line := range strings.Lines(lines) {
		switch line = strings.TrimSpace(line); {
		case line == "restart":
			tab.Restart()
		default:
			tab.Play(line)
			if strings.Contains(line, "paid") {
				tab.Flush()
			}
		}
	}
	tab.Close()
}

func (c *plantedCase) number(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		c.d.Fatalf(c.t, "%v", err)
	}
	return n
}

// plant changes the file.
func (c *plantedCase) plant(lines string) {
	c.file = journaltest.Open(c.t, c.path)
	if noted := c.arg("noted"); noted != "" {
		seq := c.number(noted)
		frame := c.file.Frame(0, func(f *journaltest.Frame) bool { return f.Row != nil && f.Row.Seq == seq })
		hash, err := hex.DecodeString(frame.Hash)
		if err != nil {
			c.d.Fatalf(c.t, "%v", err)
		}
		c.note = audit.Note{Seq: uint64(seq), Hash: [32]byte(hash)}
	}
	for _, line := range joined(lines) {
		c.change(line)
	}
	if c.arg("chain") != "left" {
		c.file.Rechain()
	}
	seals := map[string]journaltest.Seals{
		"": journaltest.Sign, "left": journaltest.Leave, "fit": journaltest.Fit, "forged": journaltest.Forge,
		"dropped": journaltest.Drop, "stripped": journaltest.Strip,
	}
	c.file.Save(seals[c.arg("seals")])
}

// joined puts lines that begin with a bar behind the one before.
func joined(lines string) []string {
	var all []string
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
		case strings.HasPrefix(line, "|"):
			all[len(all)-1] += "\n" + strings.TrimSpace(line[1:])
		default:
			all = append(all, line)
		}
	}
	return all
}

var (
	replacing = regexp.MustCompile(`^(answer|input|carry) (\d+): (.*) =>(?: (.*))?$`)
	whole     = regexp.MustCompile(`(?s)^answer (\d+) =\n?(.*)$`)
	column    = regexp.MustCompile(`^column (\d+): (\w+) = (-?\w+)$`)
	dropping  = regexp.MustCompile(`^drop (\d+)(?:\.\.(\d+))?$`)
	swapping  = regexp.MustCompile(`^swap (\d+) (\d+)$`)
	copying   = regexp.MustCompile(`^copy (\d+) (\d+)$`)
	cutting   = regexp.MustCompile(`^cut (\d+)$`)
	heading   = regexp.MustCompile(`^part (\d+): (\w+) = (.+)$`)
	partless  = regexp.MustCompile(`^drop part (\d+)$`)
)

// change makes one change. Records are named by the number that they were written
// with: none gets another before Rechain.
func (c *plantedCase) change(line string) {
	f := c.file
	if m := replacing.FindStringSubmatch(line); m != nil {
		c.replace(f.Row(c.number(m[2])), m[1], m[3], m[4])
	} else if m := whole.FindStringSubmatch(line); m != nil {
		f.Row(c.number(m[1])).Outputs = m[2] + "\n"
	} else if m := column.FindStringSubmatch(line); m != nil {
		c.column(f.Row(c.number(m[1])), m[2], m[3])
	} else if m := dropping.FindStringSubmatch(line); m != nil {
		last := m[2]
		if last == "" {
			last = m[1]
		}
		f.Drop(c.number(m[1]), c.number(last))
	} else if m := swapping.FindStringSubmatch(line); m != nil {
		a, b := f.Row(c.number(m[1])), f.Row(c.number(m[2]))
		*a, *b = *b, *a
	} else if m := copying.FindStringSubmatch(line); m != nil {
		f.Copy(c.number(m[1]), c.number(m[2]))
	} else if line == "renumber" {
		f.Renumber()
	} else if m := cutting.FindStringSubmatch(line); m != nil {
		f.Cut(c.number(m[1]))
	} else if m := heading.FindStringSubmatch(line); m != nil {
		c.part(m[1]).Edit = func(h *journal.Header) {
			if err := json.Unmarshal(fmt.Appendf(nil, `{%q:%s}`, m[2], m[3]), h); err != nil {
				c.d.Fatalf(c.t, "%v", err)
			}
		}
	} else if m := partless.FindStringSubmatch(line); m != nil {
		part := c.part(m[1])
		f.Parts = slices.DeleteFunc(f.Parts, func(p *journaltest.Part) bool { return p == part })
	} else if line == "drop seals" {
		f.Remove(func(one *journaltest.Frame) bool { return one.Seal != nil })
	} else {
		c.d.Fatalf(c.t, "%q is no change", line)
	}
}

func (c *plantedCase) part(number string) *journaltest.Part { return c.file.Parts[c.number(number)-1] }

func (c *plantedCase) replace(r *journaltest.Row, what, old, new string) {
	text := map[string]string{"answer": r.Outputs, "input": r.Input, "carry": string(r.Carry)}[what]
	if old == "*" {
		old = text
	}
	lines := strings.NewReplacer(`\n`, "\n")
	if old = lines.Replace(old); !strings.Contains(text, old) {
		c.d.Fatalf(c.t, "record %d has no %q in\n%s", r.Seq, old, text)
	}
	text = strings.Replace(text, old, lines.Replace(new), 1)
	switch what {
	case "answer":
		r.Outputs = text
	case "input":
		r.Input = text
	case "carry":
		r.Carry = []byte(text)
	}
}

func (c *plantedCase) column(r *journaltest.Row, name, value string) {
	switch name {
	case "at":
		r.At = c.number(value)
	case "round":
		r.Round = c.number(value)
	case "shoe_boot":
		r.ShoeBoot = c.number(value)
	case "shoe_seq":
		r.ShoeSeq = c.number(value)
	case "rules":
		r.Rules = strings.Repeat(value, 64)[:64]
	default:
		c.d.Fatalf(c.t, "there is no column %q", name)
	}
}

// audit gives the report, as an auditor with the key gets it.
func (c *plantedCase) audit() string {
	o := options()
	o.Noted = c.note
	if c.arg("key") == "none" {
		o.Key = nil
	}
	report := check(c.t, c.path, o)
	got := text(report)
	if report.Well() != strings.Contains(got, "all is well") {
		c.t.Errorf("%s: well is %t", c.d.Pos, report.Well())
	}
	// The journal's name is drawn anew each time, and all hashes with it.
	return regexp.MustCompile(`[0-9a-f]{64}`).ReplaceAllString(got, "…")
}

// show lists the records, for whoever writes a case.
func (c *plantedCase) show() string {
	var b strings.Builder
	for _, r := range journaltest.Open(c.t, c.path).Rows() {
		fmt.Fprintf(&b, "%d: %s\n", r.Seq, regexp.MustCompile(`,"t":"[^"]*"`).ReplaceAllString(r.Input, ""))
		for line := range strings.Lines(r.Outputs) {
			fmt.Fprintf(&b, "    %s", line)
		}
		if len(r.Carry) > 0 {
			fmt.Fprintf(&b, "    carry %s\n", r.Carry)
		}
	}
	return b.String()
}

// text is the report for people.
func text(r *audit.Report) string {
	var b strings.Builder
	if err := r.WriteText(&b, "journal", false); err != nil {
		panic(err)
	}
	return b.String()
}
