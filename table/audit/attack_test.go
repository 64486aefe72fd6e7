package audit_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table/audit"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

// smallJournal is a journal of three parts with everything that a journal may hold, small enough
// for changing each of its bytes: the first part is compressed, and the last start was killed in
// a round, so that a start plays from the part before.
func smallJournal(t *testing.T) string {
	t.Helper()
	path := filepath.Join(tabletest.FastDir(t), "journal")
	tab := journaltest.NewTable(t, path, profile.Built(), journaltest.Key)
	round := func(end string) {
		for line := range strings.Lines("open; stake 1 a 20; close\nTS 9D 7H\ncard\n2C\n" + end) {
			tab.Play(line)
		}
		tab.Sent("pit")
		tab.Flush()
	}
	tab.SetUp(rules.Setup{House: "wiesbaden"})
	round("rest\n8S\npaid\n")
	tab.Restart()
	round("rest\n8S\npaid\n")
	round("")
	tab.Restart()
	tab.Play("rest\n")
	tab.Flush()
	tab.Play("8S\npaid\n")
	tab.Sent("pit")
	tab.Flush()
	tab.Close()
	first := filepath.Join(path, "part-000001.jsonl")
	packed(t, first, read(t, path, "part-000001.jsonl"))
	return path
}

// sayings are all that the readers of a journal say of it, by their names. Each ends with an
// error where the journal is not what was written, or says the same as of the one that is.
var sayings = map[string]func(t *testing.T, path string) (string, error){
	"audit": func(t *testing.T, path string) (string, error) {
		j, err := journal.OpenReadOnly(path)
		if err != nil {
			return "", err
		}
		defer j.Close()
		report, err := audit.Run(t.Context(), j, options())
		if err != nil {
			return "", err
		}
		if !report.Well() {
			return "", errNotWell
		}
		line, err := report.MarshalJSON()
		return text(report) + string(line), err
	},
	"verify": reading(func(j *journal.Reader, b *bytes.Buffer) error {
		seq, hash, err := j.Head()
		fmt.Fprintln(b, seq, hex.EncodeToString(hash[:]))
		return errors.Join(err, j.Verify(context.Background(), nil))
	}),
	"records": reading(func(j *journal.Reader, b *bytes.Buffer) error {
		for rec, err := range j.Records(1) {
			if err != nil {
				return err
			}
			fmt.Fprintf(b, "%d %d %s %s %s %x\n", rec.Seq, rec.Boot, rec.Input, rec.Outputs, rec.Carry, rec.Hash)
		}
		return nil
	}),
	"a round": reading(func(j *journal.Reader, b *bytes.Buffer) error {
		first, err := j.FirstOf(2)
		if err != nil {
			return err
		}
		for rec, err := range j.Records(first) {
			if err != nil {
				return err
			}
			fmt.Fprintf(b, "%d %d %s %s %s %x\n", rec.Seq, rec.Boot, rec.Input, rec.Outputs, rec.Carry, rec.Hash)
		}
		seal, err := j.SealOver(first)
		fmt.Fprintf(b, "%+v\n", seal)
		return err
	}),
	"events": reading(func(j *journal.Reader, b *bytes.Buffer) error {
		events, err := j.Events(0, 1000)
		fmt.Fprintf(b, "%+v\n", events)
		return err
	}),
	"boots, cursor and checkpoint": reading(func(j *journal.Reader, b *bytes.Buffer) error {
		boots, err := j.Boots(context.Background())
		cursor, failed := j.Cursor("pit")
		seq, carry, setup, wrong := j.Checkpoint()
		fmt.Fprintf(b, "%s %+v %d %d %s %s", j.ID(), boots, cursor, seq, carry, setup)
		return errors.Join(err, failed, wrong)
	}),
	"stretches": reading(func(j *journal.Reader, b *bytes.Buffer) error {
		for after := uint64(0); ; {
			s, err := j.Stretch(after, 1<<10)
			if err != nil {
				return err
			}
			if s.Gap != nil {
				return errors.New(s.Gap.Text)
			}
			if len(s.Frames) == 0 {
				return nil
			}
			fmt.Fprintf(b, "%+v\n", s)
			after += uint64(len(s.Frames))
		}
	}),
}

var errNotWell = errors.New("the journal is not well")

// reading is what a reader writes down of a journal.
func reading(say func(*journal.Reader, *bytes.Buffer) error) func(*testing.T, string) (string, error) {
	return func(_ *testing.T, path string) (string, error) {
		j, err := journal.OpenReadOnly(path)
		if err != nil {
			return "", err
		}
		defer j.Close()
		var b bytes.Buffer
		err = say(j, &b)
		return b.String(), err
	}
}

// change is a way to change a file.
type change struct {
	name string
	make func(text []byte) []byte
}

// step is how many bytes lie between two that are changed, except at the end of a file, where a
// change may look like a write that was cut off. ways is how many ways a line has to be changed in.
var step, end, ways = tier.Times(613, 23), tier.Times(30, 150), tier.Times(1, 3)

// changes are those of a file: bytes, and each line taken out, doubled and put in the place of the
// one before, of which make test takes one way for each line in turn.
func changes(dice *rand.Rand, file []byte) (all []change) {
	for i := range file {
		if i%step != 0 && i < len(file)-end {
			continue
		}
		with := file[i] ^ byte(1+dice.IntN(255))
		all = append(all, change{fmt.Sprintf("byte %d is %q", i, with), func(text []byte) []byte {
			text[i] = with
			return text
		}})
	}
	lines := bytes.SplitAfter(file, []byte("\n"))
	if len(lines) < 3 {
		return all // it is compressed
	}
	edit := func(way int, name string, i int, to func([][]byte) [][]byte) {
		if (i+way)%3 >= ways {
			return
		}
		all = append(all, change{fmt.Sprintf("line %d is %s", i+1, name), func([]byte) []byte {
			return bytes.Join(to(slices.Clone(lines)), nil)
		}})
	}
	for i := range lines[:len(lines)-1] {
		edit(0, "taken out", i, func(l [][]byte) [][]byte { return slices.Delete(l, i, i+1) })
		edit(1, "there twice", i, func(l [][]byte) [][]byte { return slices.Insert(l, i, l[i]) })
		if i > 0 {
			edit(2, "before the one before", i, func(l [][]byte) [][]byte { l[i-1], l[i] = l[i], l[i-1]; return l })
		}
	}
	return all
}

// newest is the part that is being written.
const newest = "part-000003.jsonl"

// withoutLast cuts the last write off.
func withoutLast(text []byte) []byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	for n := len(lines) - 2; n > 0; n-- {
		line := lines[n-1]
		if bytes.HasSuffix(line, []byte("\"}\n")) && bytes.Contains(line, []byte(`,"hash":"`)) &&
			!bytes.Contains(line, []byte(`,"more":1,"hash"`)) {
			return bytes.Join(lines[:n], nil)
		}
	}
	panic("there is one write alone")
}

// unlike is the part of a text from where it differs from another.
func unlike(text, other string) string {
	i := 0
	for i < min(len(text), len(other)) && text[i] == other[i] {
		i++
	}
	return text[i:]
}

// TestAttackEveryByte changes each byte and each line of all files of a journal, and has every
// reader say all that it can say: that ends with an error, or is what it was before.
func TestAttackEveryByte(t *testing.T) {
	base := smallJournal(t)
	// Without its last write a journal is as after a crash: only what the pit has heard of shows that.
	cut := copyOf(t, base)
	write(t, cut, newest, withoutLast(read(t, cut, newest)))
	want, wantCut := map[string]string{}, map[string]string{}
	for name, say := range sayings {
		said, err := say(t, base)
		saidCut, errCut := say(t, cut)
		if err := errors.Join(err, errCut); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want[name], wantCut[name] = strings.ReplaceAll(said, base, ""), strings.ReplaceAll(saidCut, cut, "")
	}
	files, err := os.ReadDir(base)
	if err != nil {
		t.Fatal(err)
	}
	type job struct {
		file string
		change
	}
	jobs := make(chan job)
	var tries, through atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		path := copyOf(t, base)
		workers.Go(func() {
			for j := range jobs {
				whole := read(t, base, j.file)
				changed := j.make(bytes.Clone(whole))
				if bytes.Equal(changed, whole) {
					continue // two equal lines
				}
				write(t, path, j.file, changed)
				tries.Add(1)
				for name, say := range sayings {
					said, err := say(t, path)
					if said = strings.ReplaceAll(said, path, ""); err == nil && said != want[name] &&
						said != wantCut[name] {
						through.Add(1)
						t.Errorf("%s, %s: %s does not notice, and says %.300q in the place of %.300q", j.file, j.name,
							name, unlike(said, want[name]), unlike(want[name], said))
					}
				}
				write(t, path, j.file, whole)
			}
		})
	}
	dice := rand.New(rand.NewPCG(16, 3))
	for _, f := range files {
		for _, c := range changes(dice, read(t, base, f.Name())) {
			if through.Load() > 20 {
				break
			}
			jobs <- job{f.Name(), c}
		}
	}
	close(jobs)
	workers.Wait()
	attack.Report(t, "each byte and line of a journal's files changed", int(tries.Load()), int(through.Load()))
}

// TestDumpMarks: an auditor who looks at a round sees what was changed in it, marked.
func TestDumpMarks(t *testing.T) {
	path := smallJournal(t)
	file := read(t, path, "part-000002.jsonl")
	write(t, path, "part-000002.jsonl", bytes.Replace(file, []byte(`"won":2000`), []byte(`"won":9000`), 1))
	j, err := journal.OpenReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	var b strings.Builder
	if err := audit.Dump(t.Context(), j, options(), 2, &b); err != nil {
		t.Fatal(err)
	}
	marked := regexp.MustCompile(`record (\d+),.*DOES NOT FIT`).FindAllStringSubmatch(b.String(), -1)
	if len(marked) != 1 || marked[0][1] != "22" || !strings.Contains(b.String(), `"won":9000`) {
		t.Errorf("%v is marked in\n%s", marked, b.String())
	}
}
