package journal_test

import (
	"bytes"
	"crypto/ed25519"
	"fmt"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/internal/testkit/disktest"
	"github.com/sabot-table/sabot/table/journal"
)

// night is a history at whose files somebody without its keys is, between some starts.
type night struct {
	*history
	*disktest.Insider
	ledger *ledger
	disk   *disktest.Disk
	// keys are the house's, nil for a journal without a key.
	keys []journal.AuditKey
	// told says that a start has said that something is wrong, and unsure that an append was refused before, which may
	// be there.
	told, unsure bool
}

// insider lets somebody without the keys at what a history has left, before each of some starts, of which some are
// ended by a crash. Each start goes on. Where the journal has a key, and no start has told of anything, an audit finds
// what is wrong: but for an end that was cut off behind the last move of the key, which nobody at the table can miss.
func (h *history) insider() {
	h.crashes++
	n := &night{history: h, disk: h.disk.Kill(), ledger: h.copy(), unsure: len(h.maybe) > 0}
	h.o.Used = true // a table leaves its memories beside its journal
	public := ""
	if h.o.Key != nil {
		public = journal.PublicLine(h.o.Key.Public().(ed25519.PublicKey))
	}
	n.Insider = disktest.NewInsider(h.seed, "sim", public)
	n.Yesterday(h.yesterday)
	text, _ := n.disk.Hands().Read("sim" + journal.AuditKeyEnd) // nothing of a journal without a key
	for line := range bytes.Lines(text) {
		key, err := journal.ParseAuditLine(string(line))
		h.must("the audit key", err)
		n.keys = append(n.keys, key)
	}
	for range 3 {
		h.must("the insider", n.Act(n.disk.Hands()))
		n.crashed()
		n.start()
	}
	if h.o.Key != nil {
		n.audit()
	}
}

// wrong ends the test with what he did.
func (n *night) wrong(format string, args ...any) {
	n.t.Helper()
	n.fail(n.disk, "%s\nThe insider %s.", fmt.Sprintf(format, args...), strings.Join(n.Did, ", and "))
}

// crashed is sometimes a start that is ended in the middle. It leaves what the next one finds.
func (n *night) crashed() {
	if !n.one(3) {
		return
	}
	left, after := n.dice.IntN(10), (*disktest.Disk)(nil)
	n.disk.Watch(func(m *disktest.Moment) {
		if left--; left != -1 {
			return
		}
		if after = m.Kill(); n.one(2) {
			after = m.PowerCut(n.dice.Uint64())
		}
	})
	_, _ = journal.OpenOn(n.disk, "sim", n.o) // what it says is lost with it
	if n.disk.Watch(nil); after != nil {
		n.disk = after
	}
}

// start starts the table, which goes on after a supervisor's word.
func (n *night) start() {
	j, err := journal.OpenOn(n.disk, "sim", n.o)
	if err != nil {
		n.wrong("it does not start: %v", err)
	}
	if err := j.Inspect(n.t.Context()); err != nil {
		n.wrong("a start looks at the parts: %v", err)
	}
	opening, found := j.Opening(), j.Found()
	n.told = n.told || opening.New || opening.Former != nil || opening.Behind != "" || len(found) > 0
	if cursor, err := j.Cursor("pit"); err != nil || n.o.Key != nil && !n.told &&
		!slices.Contains(append(n.ever, 0), cursor) {
		n.wrong("the cursor is %d (%v), and was set to %d", cursor, err, n.ever)
	}
	next := n.batch(1)
	if len(found) > 0 {
		next[0].AcceptedBy = "anna"
	}
	n.ledger.under(next)
	if err := j.Append(next); err != nil {
		n.wrong("it cannot be gone on with: %v", err)
	}
	n.ledger.acknowledged(next)
	if n.one(2) {
		n.must("closing", j.Close())
	}
	n.disk = n.disk.Kill()
}

// audit reads everything, as an auditor does with both keys.
func (n *night) audit() {
	r, err := journal.NewReader("sim", n.disk)
	if err != nil {
		return // it is said
	}
	r.CheckCodes(n.keys)
	var inputs, want []string
	wrong := false
	err = r.Walk(n.t.Context(), func(s *journal.Step) error {
		wrong = wrong || s.Fault != nil || s.Accepted != nil || !s.Checked || s.Header != nil &&
			s.Header.Former != nil || s.Seal != nil && !s.Seal.Valid(r.ID())
		if s.Record != nil {
			inputs = append(inputs, string(s.Record.Input))
		}
		return nil
	})
	if err != nil || wrong {
		return
	}
	for i := range n.ledger.sure {
		want = append(want, string(n.ledger.sure[i].Input))
	}
	ends := slices.ContainsFunc(n.Did, disktest.TakesTheEnd) // and with it what a start before has put on record
	switch {
	case n.told && !ends:
		n.wrong("an audit finds nothing of what the starts have told")
	case n.unsure || slices.Equal(inputs, want) || ends && inOrder(inputs, want):
		return
	}
	n.wrong("all is well, and the journal has %q in the place of %q", inputs, want)
}

// inOrder reports whether all of a list is in another one, in its order.
func inOrder(list, within []string) bool {
	for _, one := range within {
		if len(list) > 0 && list[0] == one {
			list = list[1:]
		}
	}
	return len(list) == 0
}
