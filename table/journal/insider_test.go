package journal

import (
	"bytes"
	"context"
	"encoding/hex"
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

// insider is somebody who may write all files of a table while it is stopped, and has none of its keys: he deletes, cuts,
// appends, swaps and replays lines, parts and side files.
type insider struct {
	t    testing.TB
	seed uint64
	dice *rand.Rand
	d    *disktest.Disk
	o    Options
	// acked are the inputs that were acknowledged, and cursors what the publisher's was set to.
	acked   []string
	cursors []uint64
	keys    []AuditKey
	// yesterday is what the files held on the first day, and did is what he has done.
	yesterday map[string][]byte
	did       []string
}

// TestInsider: whatever an insider without the keys does between two starts, each start goes on, and neither start nor
// audit say that all is well where it is not. What is cut off behind the last move of the key, or with the key's own file
// brought back to where it was, only the pit can see.
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
	i := &insider{t: t, seed: seed, dice: rand.New(rand.NewPCG(seed, 0x696e73)), d: disktest.New(seed)}
	i.o = Options{Key: testKey, Now: i.d.Clock().Now, PartMost: int64(2000 + i.dice.IntN(6000))}
	for day := range 2 + i.dice.IntN(3) {
		i.deal()
		if day == 0 {
			i.yesterday = i.files()
		}
	}
	for range 1 + i.dice.IntN(2) {
		i.act()
	}
	return i.dayAfter()
}

func (i *insider) one(n int) bool { return i.dice.IntN(n) == 0 }

// fail ends the test with what was done.
func (i *insider) fail(format string, args ...any) {
	i.t.Helper()
	i.t.Fatalf("%s\nHe %s. Have him again with -insider %d", fmt.Sprintf(format, args...), strings.Join(i.did, ", and "), i.seed)
}

func (i *insider) must(err error) {
	i.t.Helper()
	if err != nil {
		i.fail("%v", err)
	}
}

// deal is a day at the table. The house takes the audit key on the first.
func (i *insider) deal() {
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
func (i *insider) round(j *Journal) {
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

// files is what all files hold.
func (i *insider) files() map[string][]byte {
	all := map[string][]byte{}
	for _, name := range i.d.Hands().Names() {
		text, err := i.d.Hands().Read(name)
		i.must(err)
		all[name] = bytes.Clone(text)
	}
	return all
}

// part is the name of one of the parts, with its text; the newest every second time.
func (i *insider) part() (name string, text []byte) {
	var parts []string
	for _, name := range i.d.Hands().Names() {
		if _, _, is := partNumber(name); is {
			parts = append(parts, name)
		}
	}
	if len(parts) == 0 {
		return "", nil
	}
	name = parts[len(parts)-1]
	if i.one(2) {
		name = parts[i.dice.IntN(len(parts))]
	}
	text, err := i.d.Hands().Read(name)
	i.must(err)
	return name, bytes.Clone(text)
}

// framesOf are the frames of a text, as far as it has some.
func framesOf(text []byte) (all []frame) {
	for rest := text; len(rest) > 0; {
		f, err := cutFrame(rest)
		if err != nil {
			return all
		}
		all = append(all, f)
		rest = rest[len(f.text):]
	}
	return all
}

// joined are the texts of frames.
func joined(frames []frame) (text []byte) {
	for _, f := range frames {
		text = append(text, f.text...)
	}
	return text
}

// act does one thing.
func (i *insider) act() {
	name, text := i.part()
	if name == "" {
		return
	}
	frames, hands := framesOf(text), i.d.Hands()
	did := func(format string, args ...any) { i.did = append(i.did, fmt.Sprintf(format, args...)) }
	switch act := i.dice.IntN(16); {
	case act == 0:
		did("deleted %s", name)
		i.must(hands.Delete(name))
	case act == 1 && len(text) > 0:
		to := i.dice.IntN(len(text))
		did("cut %s to %d of %d bytes", name, to, len(text))
		i.must(hands.Truncate(name, to))
	case act == 2 && len(frames) > 1:
		n := 1 + i.dice.IntN(len(frames)-1)
		did("left %d of %d frames in %s", n, len(frames), name)
		i.must(hands.Replace(name, joined(frames[:n])))
	case act == 3 && len(frames) > 0:
		n := i.dice.IntN(len(frames))
		did("took the frame %d of %d out of %s", n, len(frames), name)
		i.must(hands.Replace(name, joined(slices.Delete(frames, n, n+1))))
	case act == 4 && len(frames) > 1:
		a, b := i.dice.IntN(len(frames)), i.dice.IntN(len(frames))
		did("swapped the frames %d and %d of %s", a, b, name)
		frames[a], frames[b] = frames[b], frames[a]
		i.must(hands.Replace(name, joined(frames)))
	case act == 5:
		other, others := i.part()
		did("swapped %s and %s", name, other)
		i.must(hands.Replace(name, others))
		i.must(hands.Replace(other, text))
	case act == 6 && i.yesterday[name] != nil:
		did("brought yesterday's %s back", name)
		i.must(hands.Replace(name, i.yesterday[name]))
	case act == 7 && len(frames) > 1:
		n := 1 + i.dice.IntN(len(frames)-1)
		did("replayed %d frames at the end of %s", n, name)
		i.must(hands.Append(name, joined(frames[len(frames)-n:])))
	case act == 8 && len(frames) > 1:
		n := i.dice.IntN(len(frames))
		did("rewrote %s from frame %d on", name, n)
		i.must(hands.Replace(name, rechained(frames, n)))
	case act == 9:
		i.sideFile("sim" + CodesEnd)
	case act == 10:
		did("brought all of yesterday's files back")
		for name := range i.files() {
			i.must(hands.Delete(name))
		}
		for name, text := range i.yesterday {
			hands.Put(name, text)
		}
	case act == 11:
		did("linked %s", name)
		i.must(hands.Link(name, fmt.Sprintf("second-%d", i.dice.IntN(1000))))
	case act == 12:
		to := partName(uint64(1 + i.dice.IntN(99)))
		did("moved %s to %s", name, to)
		if to != name {
			i.must(hands.Move(name, to))
		}
	case act == 13:
		to := partName(uint64(1 + i.dice.IntN(99)))
		did("put garbage into %s", to)
		hands.Put(to, bytes.Repeat([]byte("garbage\n"), i.dice.IntN(200)))
	default:
		i.plant()
	}
}

// sideFile does something to the file with the key.
func (i *insider) sideFile(name string) {
	hands := i.d.Hands()
	text, err := hands.Read(name)
	if err != nil {
		return
	}
	switch i.dice.IntN(4) {
	case 0:
		i.did = append(i.did, "deleted "+name)
		i.must(hands.Delete(name))
	case 1:
		i.did = append(i.did, "emptied "+name)
		i.must(hands.Replace(name, nil))
	case 2:
		i.did = append(i.did, "changed a bit of "+name)
		i.must(hands.Rot(name, i.dice.IntN(8*max(1, len(text)))))
	default:
		i.did = append(i.did, "brought yesterday's "+name+" back")
		i.must(hands.Replace(name, i.yesterday[name]))
	}
}

// plant adds a line that fits by its hash to the newest part, as somebody does who knows how a journal is written.
func (i *insider) plant() {
	r, err := NewReader("sim", i.d)
	if err != nil {
		return
	}
	numbers, err := r.numbers()
	if err != nil || len(numbers) == 0 {
		return
	}
	name := partName(numbers[len(numbers)-1])
	b, err := i.d.Hands().Read(name)
	frames := framesOf(b)
	if err != nil || len(frames) == 0 {
		return
	}
	last, end := frames[len(frames)-1], uint64(len(i.acked))
	text := []string{
		fmt.Sprintf(`{"away":%d,"first":1,"last":%d,"to":"/x","at":1`, numbers[0], 1+i.dice.IntN(int(end))),
		fmt.Sprintf(`{"cursor":"pit","event":%d`, 1+i.dice.IntN(int(3*end))),
		fmt.Sprintf(`{"in":"rest"}`+"\n"+`{"record":%d,"event":%d,"at":1,"round":1`, end+1, 3*end),
		fmt.Sprintf(`{"seal":%d,"at":1,"key":"%s","signature":"%0128d"`, end, publicLine(testKey), 0),
	}[i.dice.IntN(4)]
	if i.one(2) {
		text += string(beforeCode) + hex.EncodeToString(last.code[:]) + `"`
	}
	sum := new(linker).sum(&last.hash, []byte(text))
	i.did = append(i.did, "added a line to "+name+": "+text)
	i.must(i.d.Hands().Append(name, []byte(text+string(beforeHash)+hex.EncodeToString(sum[:])+string(afterHash))))
	if strings.HasPrefix(text, string(beginAway)) && len(numbers) > 1 {
		i.did = append(i.did, "deleted the part that it names")
		i.must(i.d.Hands().Delete(partName(numbers[0])))
	}
}

// rechained changes a frame and computes the hashes anew from there on. The codes stay, since nobody without the key can
// make others.
func rechained(frames []frame, n int) (text []byte) {
	text = joined(frames[:n])
	before := frames[0].hash
	if n > 0 {
		before = frames[n-1].hash
	}
	for k, f := range frames[n:] {
		covered := bytes.Clone(f.covered())
		if k == 0 {
			covered = bytes.Replace(covered, []byte(`"at":1`), []byte(`"at":2`), 1)
		}
		before = new(linker).sum(&before, covered)
		text = append(text, covered...)
		text = append(hex.AppendEncode(append(text, beforeHash...), before[:]), afterHash...)
	}
	return text
}

// dayAfter starts the table three times, with a record each, and then audits. It reports whether only the pit would know
// of what was done.
func (i *insider) dayAfter() bool {
	told := false
	for start := range 3 {
		j, err := OpenOn(i.d, "sim", i.o)
		if err != nil {
			i.fail("start %d: %v", start+1, err)
		}
		if err := j.Inspect(context.Background()); err != nil {
			i.fail("start %d looks at the parts: %v", start+1, err)
		}
		opening := j.Opening()
		told = told || opening.New || opening.Former != nil || opening.Behind != "" || len(j.Found()) > 0
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
	return !told && i.audited()
}

// cursor wants a cursor that the publisher has set.
func (i *insider) cursor(j *Journal) {
	if event, err := j.Cursor("pit"); err != nil || !slices.Contains(append(i.cursors, 0), event) {
		i.fail("the publisher goes on behind event %d, and had come to one of %d (%v)", event, i.cursors, err)
	}
}

// audited reads everything, as an auditor does with both keys. Where he finds nothing, all that was acknowledged must be
// there, but for an end that nobody at the table could miss.
func (i *insider) audited() bool {
	r, err := NewReader("sim", i.d)
	if err != nil {
		return false
	}
	r.CheckCodes(i.keys)
	var inputs []string
	wrong := false
	err = r.Walk(context.Background(), func(s *Step) error {
		wrong = wrong || s.Fault != nil || !s.Checked || s.Header != nil && s.Header.Former != nil || s.Seal != nil && !s.Seal.Valid(r.ID())
		if s.Record != nil {
			inputs = append(inputs, string(s.Record.Input))
		}
		return nil
	})
	if err != nil || wrong || slices.Equal(inputs, i.acked) {
		return false
	}
	kept := inputs[:max(0, len(inputs)-3)]
	if slices.Equal(kept, i.acked[:min(len(kept), len(i.acked))]) && slices.ContainsFunc(i.did, takesTheEnd) {
		return true
	}
	i.fail("all is well, and of %d records there are %d: %q", len(i.acked), len(inputs), inputs)
	return false
}

// takesTheEnd reports whether something that was done takes away the end of a journal, and nothing else.
func takesTheEnd(did string) bool {
	for _, begin := range []string{"cut ", "left ", "brought all of yesterday's", "brought yesterday's part", "deleted part", "took ", "moved "} {
		if strings.HasPrefix(did, begin) {
			return true
		}
	}
	return false
}
