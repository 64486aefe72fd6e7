package main

import (
	"context"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/disktest"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/audit/witness"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/vocab"
)

// planted is what somebody without the keys does to the files of a table that is stopped.
type planted struct {
	name string
	do   func(t *testing.T, path string)
	// held is what the start is held by, 0 where only the look at all parts after it finds something; and says is in
	// its log.
	held irregularity.Code
	says string
	// blind says that an audit finds nothing before the start: nothing of it is in the journal's own files.
	blind bool
	// away has the broker out of reach while the last round is dealt.
	away bool
	// then is what he does after a supervisor has decided.
	then func(t *testing.T, path string)
}

// line adds a line to the newest part. It ends with the hash that anybody can compute.
func line(text string) func(t *testing.T, path string) {
	return func(t *testing.T, path string) {
		t.Helper()
		name := newestPart(t, path)
		write(t, name, readText(t, name)+disktest.Line(readText(t, name), text))
	}
}

func newestPart(t *testing.T, path string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(path, "part-*.jsonl"))
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	return names[len(names)-1]
}

func readText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// record adds a record behind the last one.
func record(input, outputs string) func(t *testing.T, path string) {
	return func(t *testing.T, path string) {
		j, err := journal.OpenReadOnly(path)
		if err != nil {
			t.Fatal(err)
		}
		seq, _, err := j.Head()
		if err != nil {
			t.Fatal(err)
		}
		var last journal.Record
		for rec, err := range j.Records(seq) {
			if err != nil {
				t.Fatal(err)
			}
			last = rec
		}
		event := last.FirstEvent - 1 + uint64(strings.Count(string(last.Outputs), "\n")+strings.Count(outputs, "\n"))
		text := fmt.Sprintf("%s\n%s"+`{"record":%d,"event":%d,"at":%d,"round":%d,"setup":%d,"checkpoint":%d`,
			input, outputs, seq+1, event, last.At+1, last.Round, last.Setup, last.Checkpoint)
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		line(text)(t, path)
	}
}

func both(all ...func(t *testing.T, path string)) func(t *testing.T, path string) {
	return func(t *testing.T, path string) {
		t.Helper()
		for _, do := range all {
			do(t, path)
		}
	}
}

// partFile does something to the file of a part, and beside to one beside the journal.
func partFile(number uint64, do func(name string) error) func(t *testing.T, path string) {
	return func(t *testing.T, path string) {
		t.Helper()
		if err := do(filepath.Join(path, disktest.PartName(number))); err != nil {
			t.Fatal(err)
		}
	}
}

func emptied(name string) error { return os.Truncate(name, 0) }

func cutInHalf(name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	return os.Truncate(name, info.Size()/2)
}

func byteChanged(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	text[len(text)/2] ^= 1
	return os.WriteFile(name, text, 0o600)
}

func beside(end, text string) func(t *testing.T, path string) {
	return func(t *testing.T, path string) { write(t, path+end, text) }
}

const (
	isNew     = irregularity.JournalNew
	isTouched = irregularity.JournalTouched
	notMade   = "a code that was not made with the table's key"
	heardOf   = `{"journal":"00112233445566778899aabbccddeeff","record":%s,"event":7,"hash":"` + "%064d" + `"}`
)

// plants are what was found to pass before each line had a code, and what else is like it.
var plants = []planted{
	{name: "away", held: isNew, says: notMade, do: both(
		line(`{"away":1,"first":1,"last":40,"to":"/archive/of/the/house","at":1`), partFile(1, os.Remove))},
	{name: "cursor", held: isNew, says: notMade, away: true, do: line(`{"cursor":"mqtt","event":40`)},
	{name: "rest", held: isNew, says: notMade, do: record(`{"in":"rest"}`, "")},
	{name: "a decision without a PIN", held: isNew, says: notMade, do: both(
		record(`{"in":"hold","by":"anna"}`,
			`{"out":"irregular","code":"held-by-hand","choices":["continue","void-round"],"by":"anna"}`+"\n"),
		record(`{"in":"resolve","with":"void-round","by":"anna"}`,
			`{"out":"resolved","code":"held-by-hand","with":"void-round","by":"anna"}`+"\n"))},
	{name: "accepted", held: isNew, says: notMade, do: both(
		line(`{"accepted":"part 1 is missing, and nothing says that it was moved away","by":"anna","at":1,"of":[]`),
		partFile(1, os.Remove))},
	{
		name: "a stake rewritten, and what was set aside removed", held: isNew, do: func(t *testing.T, path string) {
			tamper(t, path, journaltest.Fit)
		},
		then: func(t *testing.T, path string) {
			folders, err := filepath.Glob(filepath.Join(path, "set-aside-*"))
			if err != nil || len(folders) != 1 {
				t.Fatal(folders, err)
			}
			if err := os.RemoveAll(folders[0]); err != nil {
				t.Fatal(err)
			}
		},
	},
	{name: "part 1 deleted", held: isTouched, says: "part 1 is missing", do: partFile(1, os.Remove)},
	{name: "part 1 emptied", held: isTouched, says: "cannot be read", do: partFile(1, emptied)},
	{name: "part 1 cut", held: isTouched, says: "says that it ends at byte", do: partFile(1, cutInHalf)},
	{
		name: "part 1 linked", held: isTouched, says: "has a second name", blind: true,
		do: partFile(1, func(name string) error {
			return os.Link(name, name+".copy")
		}),
	},
	{name: "part 1 changed", says: "is not what was written", do: partFile(1, byteChanged)},
	{
		name: "another part 1 packed beside it", says: "holds something else", blind: true,
		do: func(t *testing.T, path string) {
			write(t, filepath.Join(path, disktest.PartName(1)+".zst"), "no part")
		},
	},
	{name: "part 2 deleted", held: isNew, do: partFile(2, os.Remove)},
	{name: "part 2 emptied", held: isNew, do: partFile(2, emptied)},
	{name: "part 2 cut", held: isNew, do: partFile(2, cutInHalf)},
	{name: "part 3 deleted", held: isNew, do: partFile(3, os.Remove)},
	{name: "part 3 emptied", held: isNew, do: partFile(3, emptied)},
	{name: "part 3 cut", held: isNew, do: partFile(3, cutInHalf)},
	{name: "all parts deleted", held: isNew, do: both(partFile(1, os.Remove), partFile(2, os.Remove),
		partFile(3, os.Remove))},
	{
		name: "a part that no table reaches", held: isTouched, says: "no part has such a number",
		do: partFile(1<<62, func(name string) error {
			return os.WriteFile(name, []byte("no part\n"), 0o600)
		}),
	},
	{
		name: "numbers near 2^62 of the pit's", held: isTouched, blind: true,
		do: beside(".heard", fmt.Sprintf(heardOf, "4611686018427387904", 0)),
	},
	{
		name: "numbers near 2^64 of the pit's", held: isTouched, blind: true,
		do: beside(".heard", fmt.Sprintf(heardOf, "18446744073709551615", 0)),
	},
	{name: "an empty memory of the pit's", held: isTouched, blind: true, do: beside(".heard", "")},
	{name: "garbage for people", held: isTouched, blind: true, do: beside(".people", "\x00garbage")},
	{name: "no key of the next code", held: isNew, blind: true, do: beside(".codes", "")},
}

// TestPlants has somebody without the keys at the files of a stopped table, in each way that was found to pass once,
// and starts the built programs: none of it ends the start, the table asks for a supervisor's word once and deals again
// after it, and no audit says that all is well.
func TestPlants(t *testing.T) {
	tier.Soak(t, "it starts the built programs some hundred times")
	for _, p := range plants {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			e := evening(t, p.away)
			p.do(t, e.path)
			if !p.blind {
				e.notWell(t, "before the start", "--audit-key", e.codes)
				e.notWell(t, "before the start", "--witness", e.witness, "--audit-key", e.codes)
			}
			process := e.starts(t, p.held)
			logs(t, process, p.says)
			process.Stop()
			if p.then != nil {
				p.then(t, e.path)
			}
			for _, form := range [][]string{
				{},
				{"--noted", e.noted},
				{"--audit-key", e.codes},
				{"--witness", e.witness},
			} {
				e.notWell(t, "after the start", form...)
			}
			e.quiet(t, p.then != nil)
		})
	}
}

// stopped is a table after three starts with a round each. The house has its audit key, the pit what it heard.
type stopped struct {
	*world
	pit                           heard
	public, codes, noted, witness string
}

func evening(t *testing.T, away bool) *stopped {
	t.Helper()
	e := &stopped{world: newWorld(t, nil)}
	e.pit = e.hear()
	e.public, e.codes, e.witness = filepath.Join(e.dir, "public"), filepath.Join(e.dir, "codes"),
		filepath.Join(e.dir, "witness")
	write(t, e.public, journal.PublicLine(e.world.public)+"\n")
	for n := range 3 {
		process := e.start()
		if n == 0 {
			taken := processes.Run(t, processes.Binary(t, "sabot"), "key", "audit", e.path)
			if taken.Status != 0 {
				t.Fatalf("the audit key: %+v", taken)
			}
			write(t, e.codes, taken.Out)
		}
		if n == 2 && away {
			e.gate.Shut()
		}
		e.deal(1).finish()
		process.Stop()
	}
	j, err := journal.OpenReadOnly(e.path)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	seq, hash, err := j.Head()
	if err != nil {
		t.Fatal(err)
	}
	e.noted = fmt.Sprintf("%d:%s", seq, hex.EncodeToString(hash[:]))
	e.testify(t)
	return e
}

// testify writes what the pit has heard.
func (e *stopped) testify(t *testing.T) {
	t.Helper()
	var all []topic.Health
	for _, payload := range e.pit.all(e.pit.name.Topic(topic.KindHealth)) {
		all = append(all, brokertest.Decode[topic.Health](t, payload))
	}
	out, err := os.Create(e.witness)
	if err == nil {
		err = witness.Write(out, brokertest.Witness(e.pit.name, all, false))
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}

// notWell wants an audit with the public key that finds something.
func (e *stopped) notWell(t *testing.T, when string, args ...string) {
	t.Helper()
	ended := processes.Run(t, processes.Binary(t, "sabot"),
		slices.Concat([]string{"journal", "audit", "--key", e.public}, args, []string{e.path})...)
	if ended.Status == 0 || strings.Contains(ended.Out, "all is well") {
		t.Errorf("%s, %q: status %d: %s%s", when, args, ended.Status, ended.Out, ended.Err)
	}
	ended = processes.Run(t, processes.Binary(t, "sabot"),
		slices.Concat([]string{"journal", "audit", "--quiet", "--key", e.public}, args, []string{e.path})...)
	if ended.Status == 0 || ended.Out+ended.Err == "" {
		t.Errorf("%s, %q: it is quiet, with status %d", when, args, ended.Status)
	}
}

// starts starts the table, which is held by something and told to the pit; a supervisor puts everything right, and a
// round is dealt.
func (e *stopped) starts(t *testing.T, held irregularity.Code) *processes.Process {
	t.Helper()
	e.gate.Open()
	process := e.start()
	look := e.look()
	if held != 0 {
		look.awaitHeld(held, irregularity.Accept)
	}
	ctx, stop := context.WithCancel(look.ctx)
	defer stop()
	go look.supervise(ctx)
	e.deal(1).finish()
	return process
}

// supervise puts right what holds the table, until ctx ends.
func (p *viewer) supervise(ctx context.Context) {
	ways := []irregularity.Choice{
		irregularity.Accept, irregularity.NoneDrawn, irregularity.VoidRound,
		irregularity.Continue, irregularity.Burn,
	}
	for {
		v, err := p.remote.Await(ctx, func(v display.View) bool { return v.Held != nil && len(v.Held.Choices) > 0 })
		if err != nil {
			return
		}
		for _, way := range ways {
			if slices.Contains(v.Held.Choices, way) {
				// or it is put right meanwhile
				_, _ = p.remote.Press(ctx, vocab.Input{Kind: vocab.InResolve, With: way, By: "supervisor-1"})
				break
			}
		}
	}
}

// quiet wants a start that asks nobody about the journal. again says that there is something new.
func (e *stopped) quiet(t *testing.T, again bool) {
	t.Helper()
	process := e.start()
	v := e.look().await("a table", func(v display.View) bool { return v.Seq > 0 && v.Shoe.Online })
	if asked := v.Held != nil && v.Held.Code != irregularity.LostCards; asked != again {
		t.Errorf("the next start is held by %+v", v.Held)
	}
	process.Stop()
}
