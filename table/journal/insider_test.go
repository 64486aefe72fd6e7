package journal

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/disktest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
)

var (
	insiderCount = flag.Int("insiders", tier.Times(300, 20_000), "how many journals TestInsider has an insider at")
	insiderSeed  = flag.Uint64("insider", 0, "the seed of the only insider of TestInsider")
)

// night is a table at which an insider is.
type night struct {
	*disktest.Insider
	t    testing.TB
	seed uint64
	dice *rand.Rand
	d    *disktest.Disk
	o    Options
	// acked are the inputs that were acknowledged, and cursors what the publisher's was set to.
	acked   []string
	cursors []uint64
	keys    []AuditKey
	// accepted is what a supervisor has accepted.
	accepted []string
}

// TestInsider: whatever an insider without the keys does between two starts, each start goes on, and neither start nor
// audit say that all is well where it is not. What is cut off behind the last move of the key, or with the key's own
// file brought back to where it was, only the pit can see.
func TestInsider(t *testing.T) {
	if *insiderSeed != 0 {
		atNight(t, *insiderSeed)
		return
	}
	unseen := 0
	for seed := range uint64(*insiderCount) {
		if atNight(t, seed+1) {
			unseen++
		}
	}
	t.Logf("%d insiders; of %d only the pit knows", *insiderCount, unseen)
}

// atNight has one at a journal of some days, and looks at the day after. It reports whether only the pit would know.
func atNight(t testing.TB, seed uint64) bool {
	i := &night{
		Insider: disktest.NewInsider(seed, "sim", publicLine(testKey)), t: t, seed: seed,
		dice: rand.New(rand.NewPCG(seed, 0x64617973)), d: disktest.New(seed),
	}
	i.o = Options{Key: testKey, Now: i.d.Clock().Now, PartMost: int64(2000 + i.dice.IntN(6000))}
	for day := range 2 + i.dice.IntN(3) {
		i.deal()
		if day == 0 {
			i.Remember(i.d.Hands())
		}
	}
	i.must(i.Act(i.d.Hands()))
	return i.dayAfter()
}

func (i *night) one(n int) bool { return i.dice.IntN(n) == 0 }

// fail ends the test with what was done.
func (i *night) fail(format string, args ...any) {
	i.t.Helper()
	i.t.Fatalf("%s\nHe %s. Have him again with -insider %d", fmt.Sprintf(format, args...),
		strings.Join(i.Did, ", and "), i.seed)
}

func (i *night) must(err error) {
	i.t.Helper()
	if err != nil {
		i.fail("%v", err)
	}
}

// deal is a day at the table. The house takes the audit key on the first.
func (i *night) deal() {
	j, err := OpenOn(i.d, "sim", i.o)
	i.must(err)
	if i.keys == nil {
		text, err := i.d.Hands().Read("sim" + AuditKeyEnd)
		i.must(err)
		i.keys, err = parseAuditLines(text)
		i.must(err)
		i.must(i.d.Hands().Delete("sim" + AuditKeyEnd))
	}
	for range 3 + i.dice.IntN(12) {
		i.round(j)
	}
	if i.one(2) {
		i.must(j.Close())
	}
	i.d = i.d.Kill()
	i.o.Now = i.d.Clock().Now
}

// round appends some records, most of which end a round, and has the key move on then.
func (i *night) round(j *Journal) {
	e := cardEntry(len(i.acked) + 1)
	e.Input = fmt.Appendf(nil, `{"in":"card","n":%d}`, len(i.acked)+1)
	ends := i.one(3)
	if ends {
		e.Carry = fmt.Appendf(nil, `{"n":%d}`, len(i.acked))
	}
	i.must(j.Append([]Entry{e}))
	i.acked = append(i.acked, string(e.Input))
	if i.one(4) {
		_, event := j.Next()
		i.cursors = append(i.cursors, event-1)
		i.must(j.SetCursor("pit", event-1))
	}
	if ends && j.KeyDue() {
		i.must(j.MoveKey())
	}
}

// dayAfter starts the table three times, with a record each, and then audits. It reports whether only the pit would
// know of what was done.
func (i *night) dayAfter() bool {
	told := false
	for start := range 3 {
		j, err := OpenOn(i.d, "sim", i.o)
		if err != nil {
			i.fail("start %d: %v", start+1, err)
		}
		if err := j.Inspect(context.Background()); err != nil {
			i.fail("start %d looks at the parts: %v", start+1, err)
		}
		opening, found := j.Opening(), j.Found()
		told = told || opening.New || opening.Former != nil || opening.Behind != "" || len(found) > 0
		i.accept(j, found)
		if err := readAsATable(j); err != nil {
			i.fail("start %d reads what it needs: %v", start+1, err)
		}
		if !told && start == 0 {
			i.cursor(j)
		}
		i.round(j)
		if err := j.Close(); err != nil {
			i.fail("start %d ends: %v", start+1, err)
		}
	}
	return i.audited(told)
}

// accept is a supervisor, who is not asked twice.
func (i *night) accept(j *Journal, found []string) {
	for _, what := range found {
		if slices.Contains(i.accepted, what) {
			i.fail("a supervisor has accepted before, and is asked again: %s", what)
		}
	}
	if i.accepted = append(i.accepted, found...); len(found) > 0 {
		e := cardEntry(len(i.accepted))
		e.AcceptedBy = "anna"
		i.must(j.Append([]Entry{e}))
	}
}

// cursor wants a cursor that the publisher has set.
func (i *night) cursor(j *Journal) {
	if event, err := j.Cursor("pit"); err != nil || !slices.Contains(append(i.cursors, 0), event) {
		i.fail("the publisher goes on behind event %d, and had come to one of %d (%v)", event, i.cursors, err)
	}
}

// audited reads everything, as an auditor does with both keys. Where he finds nothing, nothing was told, and all that
// was acknowledged must be there, but for an end that nobody at the table could miss.
func (i *night) audited(told bool) bool {
	r, err := NewReader("sim", i.d)
	if err != nil {
		return false
	}
	r.CheckCodes(i.keys)
	var inputs []string
	wrong := false
	err = r.Walk(context.Background(), func(s *Step) error {
		wrong = wrong || s.Fault != nil || s.Accepted != nil || !s.Checked || s.Header != nil &&
			s.Header.Former != nil || s.Seal != nil && !s.Seal.Valid(r.ID())
		if s.Record != nil {
			inputs = append(inputs, string(s.Record.Input))
		}
		return nil
	})
	if err != nil || wrong || slices.Equal(inputs, i.acked) && !told {
		return false
	}
	if told {
		i.fail("an audit finds nothing of what was told: %q", i.accepted)
	}
	kept := inputs[:max(0, len(inputs)-3)]
	if slices.Equal(kept, i.acked[:min(len(kept), len(i.acked))]) && slices.ContainsFunc(i.Did, disktest.TakesTheEnd) {
		return true
	}
	i.fail("all is well, and of %d records there are %d: %q", len(i.acked), len(inputs), inputs)
	return false
}
