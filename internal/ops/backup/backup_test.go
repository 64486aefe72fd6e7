package backup

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/internal/testkit/disktest"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/publish"
	"github.com/sabot-table/sabot/table/audit"
	"github.com/sabot-table/sabot/table/journal"
)

// TestRestored takes a table away and puts it back: every file is as it was, and the table's next start finds nothing
// to remark.
func TestRestored(t *testing.T) {
	c, p := newCard(t, ""), folderPlace(t)
	c.write("journal/set-aside-20261121T200000Z-1", "x")
	if err := os.Remove(c.at("journal/set-aside-20261121T200000Z-1")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(c.at("journal/set-aside-1"), 0o750); err != nil {
		t.Fatal(err)
	}
	c.write("journal/set-aside-1/part-000001.jsonl", "not a journal\n")
	c.write("journal/foreign-000003", "nor this\n")
	s := c.source()
	s.Heard = c.head()
	first := take(t, p, s, c.options())
	c.play(2)
	second := take(t, p, c.source(), c.options())
	if second.Number != first.Number+1 || second.Files >= len(second.Parts)+len(second.Generation.Files) {
		t.Errorf("the second backup is generation %d and wrote %d of %d files", second.Number, second.Files,
			len(second.Parts))
	}
	c.table.Close()
	was := tree(t, c.dir)
	for _, name := range []string{
		"journal", "journal.key", "shoe-key", "house.yaml", "sabot.yaml", "journal.people",
		"journal.codes", "journal.lock",
	} {
		if err := os.RemoveAll(c.at(name)); err != nil {
			t.Fatal(err)
		}
	}
	c.write("sabot.yaml", "what the package installs\n")
	done, err := p.Restore(t.Context(), c.request())
	if err != nil {
		t.Fatal(err)
	}
	is := tree(t, c.dir)
	if old := is["sabot.yaml.before-restore"]; old != "what the package installs\n" ||
		done.Before != c.at("sabot.yaml.before-restore") {
		t.Errorf("the configuration that was there is %q, kept as %q", old, done.Before)
	}
	delete(is, "sabot.yaml.before-restore")
	delete(is, "journal.lock")
	delete(was, "journal.lock")
	if d := differences(was, is); len(d) > 0 {
		t.Errorf("these files are not as they were: %v", d)
	}
	if len(done.Missing) > 0 || done.Behind || !strings.Contains(done.Pit, "no pit") {
		t.Errorf("the restore says missing %v, behind %v, %s", done.Missing, done.Behind, done.Pit)
	}
	j, err := journal.Open(c.at("journal"), journal.Options{
		Program: "sabotd next", Key: journaltest.Key,
		Heard: c.head(),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if o := j.Opening(); o.New || o.Former != nil || o.Behind != "" || o.Dropped > 0 {
		t.Errorf("the next start says %+v", o)
	}
}

// TestNamesWhatWasLeftOut: a restore names everything that a backup without keys has left out, also what is kept of
// people.
func TestNamesWhatWasLeftOut(t *testing.T) {
	c, p := newCard(t, ""), folderPlace(t)
	o := c.options()
	o.Recipients = nil
	taken := take(t, p, c.source(), o)
	c.table.Close()
	for _, name := range []string{"journal", "journal.key", "shoe-key", "journal.people", "journal.codes"} {
		if err := os.RemoveAll(c.at(name)); err != nil {
			t.Fatal(err)
		}
	}
	done, err := p.Restore(t.Context(), c.request())
	if err != nil {
		t.Fatal(err)
	}
	for _, role := range taken.LeftOut {
		if !slices.ContainsFunc(done.Missing, func(m string) bool { return strings.HasPrefix(m, role+" "+c.dir) }) {
			t.Errorf("%s is not named: %q", role, done.Missing)
		}
	}
	if len(taken.LeftOut) != 4 || len(done.Missing) != 4 {
		t.Errorf("of %q it names %q", taken.LeftOut, done.Missing)
	}
}

// TestMarkStaysBehind: on a new card nothing says that the table was backed up from there, neither what the old one
// knew nor what is left of a table that was there before.
func TestMarkStaysBehind(t *testing.T) {
	c, p := newCard(t, ""), folderPlace(t)
	c.write("journal"+health.BackupEnd, `{"good":{"at":"2026-11-23T08:00:00Z","to":"/media/stick","generation":1}}`)
	take(t, p, c.source(), c.options())
	for name, text := range tree(t, p.Name) {
		if strings.Contains(text, "/media/stick") {
			t.Errorf("%s has it", name)
		}
	}
	c.table.Close()
	if err := os.RemoveAll(c.at("journal")); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Restore(t.Context(), c.request()); err != nil {
		t.Fatal(err)
	}
	if s := health.LookAtBackups(c.at("journal"), "/nowhere"); s.Good != nil || s.Unread != nil {
		t.Errorf("the new card says %+v", s)
	}
}

// TestSecrets: no secret of the table is in the place in clear, and without recipients none is there at all. The key of
// cards that lie face down is in no backup.
func TestSecrets(t *testing.T) {
	c := newCard(t, "")
	planted := []string{shoeKey, "PRIVATE KEY", "ffeeddccbbaa"}
	c.write("journal"+config.FacesEnd, `"`+strings.Repeat("ffeeddccbbaa", 5)+"ffee\"\n")
	for _, bare := range []bool{false, true} {
		p := folderPlace(t)
		o := c.options()
		if bare {
			o.Recipients = nil
		}
		taken := take(t, p, c.source(), o)
		for name, text := range tree(t, p.Name) {
			for _, secret := range planted {
				if strings.Contains(text, secret) {
					t.Errorf("%s has %q in clear", name, secret)
				}
			}
		}
		want := []string{"shoe.key_file", "journal.key_file", "journal.people", "journal.codes"}
		got := taken.LeftOut
		if !bare {
			got = taken.Sealed.Roles
		}
		if !slices.Equal(got, want) || bare && taken.Sealed != nil || !bare && taken.LeftOut != nil {
			t.Errorf("bare %v: the secrets are %v, not %v", bare, got, want)
		}
	}
}

// TestAtEveryStep kills a backup, and cuts its power, before and within each of its steps: the backup before is whole,
// so is the new one if it counts, and the next backup works and leaves nothing behind.
func TestAtEveryStep(t *testing.T) {
	c := newCard(t, "")
	for seed := range tier.Times(uint64(1), 3) {
		d := disktest.New(seed)
		p := &Place{d, "disk"}
		take(t, p, c.source(), c.options())
		take(t, p, c.source(), c.options())
		c.play(1)
		var after []*disktest.Disk
		var what []string
		d.Watch(func(m *disktest.Moment) {
			for n, fork := range []*disktest.Disk{
				m.Kill(), m.PowerCut(seed), m.PowerCut(seed + 100),
				m.KillWithin(seed),
			} {
				if fork != nil {
					after, what = append(after, fork),
						append(what, fmt.Sprintf("seed %d, way %d, before step %d, %s %s", seed, n, m.Number,
							m.Op, m.Name))
				}
			}
		})
		take(t, p, c.source(), c.options())
		d.Watch(nil)
		if len(after) < 30 {
			t.Fatalf("there were only %d moments", len(after))
		}
		for n, fork := range after {
			q := &Place{fork, "disk"}
			list, unread, err := q.Generations()
			if err != nil || len(unread) > 0 || len(list) < 2 {
				t.Fatalf("%s: %d generations, %v, %v", what[n], len(list), unread, err)
			}
			whole(t, q, c)
			if n%5 != int(seed) {
				continue // each takes a while
			}
			take(t, q, c.source(), c.options())
			if got := whole(t, q, c); len(got) != 2 {
				t.Fatalf("%s: after the next backup there are %v", what[n], got)
			}
			clean(t, q)
		}
	}
}

// clean wants nothing in a place but what its generations need.
func clean(t *testing.T, p *Place) {
	t.Helper()
	list, _, err := p.Generations()
	names, wrong := p.List()
	if err != nil || wrong != nil {
		t.Fatal(err, wrong)
	}
	needed := map[string]bool{}
	for _, g := range list {
		needed[fileOf(g.Number)] = true
		for _, s := range g.stored() {
			needed[s.object()] = true
		}
	}
	for _, name := range names {
		if !needed[name] {
			t.Errorf("%s is left over", name)
		}
		delete(needed, name)
	}
	if len(needed) > 0 {
		t.Errorf("these are missing: %v", needed)
	}
}

// TestFailingTarget: whatever fails on the target, the backup says so, the one before is whole, and the next works.
func TestFailingTarget(t *testing.T) {
	c := newCard(t, "")
	for n, err := range []error{syscall.EIO, syscall.ENOSPC, syscall.EROFS} {
		for op := disktest.Create; op <= disktest.SyncFolder; op++ {
			if op == disktest.Mkdir {
				continue
			}
			for _, part := range []disktest.Part{disktest.Nothing, disktest.Half} {
				if (int(op)+int(part))%3 != n && !tier.InSoak() {
					continue // make test has each failure once
				}
				d := disktest.New(7)
				p := &Place{d, "disk"}
				take(t, p, c.source(), c.options())
				d.Plan(disktest.Fault{Op: op, Err: err, Part: part, Skip: 1, Times: 1})
				s := c.source()
				o := c.options()
				o.Keep = 1
				s.Now = s.Now.Add(1)
				taken, failed := p.Take(t.Context(), s, o)
				d.Mend()
				if told := p.Explain(failed); failed != nil && !strings.Contains(told.Error(), "generation ") &&
					!strings.Contains(told.Error(), "the backup is whole") {
					t.Errorf("%v at %v: it says %v", err, op, told)
				}
				if failed == nil && op != disktest.Remove && op != disktest.SyncFolder {
					t.Errorf("%v at %v: generation %d was taken as if nothing had failed", err, op, taken.Number)
				}
				whole(t, p, c)
				take(t, p, c.source(), o)
				if got := whole(t, p, c); len(got) != 1 {
					t.Errorf("%v at %v: then there are %v", err, op, got)
				}
				clean(t, p)
			}
		}
	}
}

// TestFullTarget fills the target at every size, also one that says it has more room than it has.
func TestFullTarget(t *testing.T) {
	c := newCard(t, "")
	for _, thin := range []bool{false, true} {
		d := disktest.New(1)
		p := &Place{d, "disk"}
		first := take(t, p, c.source(), c.options())
		c.play(1)
		full := 0
		for space := first.Bytes; space < 3*first.Bytes; space += int64(tier.Times(3, 1)) * 9_973 {
			fork := d.Kill()
			if thin {
				fork.SetThinSpace(space)
			} else {
				fork.SetSpace(space)
			}
			q := &Place{fork, "stick"}
			_, err := q.Take(t.Context(), c.source(), c.options())
			if err != nil {
				full++
				if told := q.Explain(err).Error(); !strings.Contains(told,
					"the backup before is untouched: generation 1") || !thin && !strings.Contains(told, "make space") {
					t.Errorf("with %d bytes it says %s", space, told)
				}
			}
			fork = fork.PowerCut(uint64(space))
			fork.SetSpace(-1)
			q = &Place{fork, "stick"}
			if got := whole(t, q, c); err != nil && !slices.Equal(got, []uint64{1}) || err == nil && len(got) != 2 {
				t.Errorf("thin %v, with %d bytes (%v) there are %v", thin, space, err, got)
			}
		}
		if full == 0 {
			t.Error("the target was never full")
		}
	}
}

// TestWhileDealing backs a table up again and again while it writes, begins parts, packs them and moves them away.
func TestWhileDealing(t *testing.T) {
	c, p := newCard(t, ""), folderPlace(t)
	archive := tabletest.FastDir(t)
	ctx, stop := context.WithCancel(t.Context())
	turns, dealt := make(chan struct{}, 20), make(chan error, 1) // as many turns as one backup may take, on any disk
	c.table.Close()
	j, err := journal.Open(c.at("journal"), journal.Options{
		Program: "sabotd dealing", Key: journaltest.Key,
		PartMost: 2000,
	})
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for n := 0; ctx.Err() == nil; n++ {
			select {
			case <-turns:
			case <-ctx.Done():
				continue
			}
			e := journal.Entry{Input: fmt.Appendf(nil, `{"in":"note","code":"test %d"}`, n), At: int64(n + 1)}
			if err := j.Append([]journal.Entry{e}); err != nil {
				dealt <- err
				return
			}
			if n%7 == 0 {
				if err := j.Tidy(ctx, journal.Keep{
					PackDays: 1, FreeMin: 1 << 60, Archive: archive,
					NoPublisher: true,
				}); err != nil && !errors.Is(err, journal.ErrShort) &&
					!errors.Is(err, context.Canceled) {
					dealt <- err
					return
				}
			}
		}
		dealt <- j.Close()
	}()
	last := uint64(0)
	for range 12 {
		for len(turns) < cap(turns) {
			turns <- struct{}{}
		}
		heard := c.head()
		s := c.source()
		s.Heard = heard
		taken, err := p.Take(t.Context(), s, c.options())
		if err != nil {
			t.Fatal(err)
		}
		if taken.Journal.Record < heard.Record || taken.Journal.Record < last {
			t.Fatalf("generation %d ends with record %d, after %d and %d", taken.Number, taken.Journal.Record,
				heard.Record, last)
		}
		last = taken.Journal.Record
		for _, f := range taken.Audit.Faults {
			if f.Kind == audit.Chain || f.Kind == audit.Missing || f.Kind == audit.Seals || f.Kind == audit.Head ||
				f.Kind == audit.Behind {
				t.Fatalf("generation %d: %s", taken.Number, f.What)
			}
		}
	}
	stop()
	if err := <-dealt; err != nil {
		t.Fatal(err)
	}
}

// remembers is a pit that has heard of a head, as the table signs it.
func remembers(h journal.Heard) Ask {
	return func(context.Context, config.Config, string, string) (publish.Remembered, error) {
		return publish.Remembered{Heard: publish.Heard{
			ID: h.ID, Record: h.Record, Hash: hex.EncodeToString(h.Hash[:]),
			Event: h.Event,
		}}, nil
	}
}

// TestRefused: what cannot be restored is refused, says why, and changes nothing.
func TestRefused(t *testing.T) {
	c, p := newCard(t, "mqtt: {broker: \"tcp://127.0.0.1:1\"}\n"), folderPlace(t)
	take(t, p, c.source(), c.options())
	older := c.head()
	c.play(1)
	newer := c.head()
	rewritten := older
	rewritten.Hash[0] ^= 1
	other := older
	other.ID = strings.Repeat("ab", 16)
	c.table.Close()
	another := newCard(t, "")
	if err := os.Rename(c.at("journal"), c.at("old-journal")); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{
		"journal.key", "shoe-key", "house.yaml", "sabot.yaml", "journal.people",
		"journal.codes",
	} {
		if err := os.Remove(c.at(file)); err != nil {
			t.Fatal(err)
		}
	}
	for name, row := range map[string]struct {
		change func(*Request)
		before func(*testing.T)
		says   string
		asks   bool // the pit, which a check does not
	}{
		"the pit has more": {
			change: func(q *Request) { q.Ask = remembers(newer) }, says: "records are missing",
			asks: true,
		},
		"the pit has another": {
			change: func(q *Request) { q.Ask = remembers(other) },
			says:   "another one was put in its place", asks: true,
		},
		"the pit has it other": {
			change: func(q *Request) { q.Ask = remembers(rewritten) }, says: "computed anew",
			asks: true,
		},
		"nobody answers": {
			says: "the pit could not be asked what it has heard: nobody answers; give --noted",
			asks: true,
		},
		"noted more": {
			change: func(q *Request) { q.Noted = audit.Note{Seq: newer.Record, Hash: newer.Hash} },
			says:   "cut off",
		},
		"no key": {change: func(q *Request) { q.Key = nil }, says: "--although-anybody-may-have-made-it"},
		"another table's key": {
			change: func(q *Request) { q.Key = journaltest.Other.Public().(ed25519.PublicKey) },
			says:   "not made by the table",
		},
		"no identity": {change: func(q *Request) { q.Identities = nil }, says: "give --identity"},
		"another identity": {
			change: func(q *Request) { q.Identities = another.request().Identities },
			says:   "cannot be opened",
		},
		"no such generation": {change: func(q *Request) { q.Number = 9 }, says: "no generation 9"},
		"a journal is there": {before: func(t *testing.T) {
			if err := os.Mkdir(c.at("journal"), 0o750); err != nil {
				t.Fatal(err)
			}
			c.write("journal/part-000001.jsonl", "{}\n")
		}, says: "has a journal already"},
		"a key is there": {
			before: func(*testing.T) { c.write("shoe-key", "another\n") },
			says:   "is there, and differs",
		},
		"the pit's word there": {
			before: func(*testing.T) { c.write("journal.heard", "{}\n") },
			says:   "a table was used here",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if row.before != nil {
				row.before(t)
			}
			was := tree(t, c.dir)
			q := c.request()
			if row.change != nil {
				row.change(&q)
			}
			_, err := p.Restore(t.Context(), q)
			if err == nil || !strings.Contains(err.Error(), row.says) {
				t.Errorf("it says %v, and not %q", err, row.says)
			}
			q.CheckOnly = true
			done, checked := p.Restore(t.Context(), q)
			if checked == nil {
				checked = done.Here
			}
			if !row.asks && fmt.Sprint(checked) != fmt.Sprint(err) {
				t.Errorf("a check says %v, and the restore %v", checked, err)
			}
			if d := differences(was, tree(t, c.dir)); len(d) > 0 {
				t.Errorf("it changed %v", d)
			}
			for _, left := range []string{"journal", "shoe-key", "journal.heard"} {
				if err := os.RemoveAll(c.at(left)); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	t.Run("although", func(t *testing.T) {
		q := c.request()
		q.Ask, q.Although = remembers(newer), true
		done, err := p.Restore(t.Context(), q)
		if err != nil || !done.Behind {
			t.Fatal(done.Behind, err)
		}
		j, err := journal.Open(c.at("journal"), journal.Options{
			Program: "sabotd next", Key: journaltest.Key,
			Heard: newer,
		})
		if err != nil {
			t.Fatal(err)
		}
		defer j.Close()
		if j.Opening().Behind == "" {
			t.Error("the next start does not remark that the pit has more")
		}
		if text, err := os.ReadFile(c.at("journal.heard")); err != nil ||
			!strings.Contains(string(text), fmt.Sprintf(`"record":%d`, newer.Record)) {
			t.Errorf("the next start would not know: %s, %v", text, err)
		}
	})
}

// TestDamaged changes a byte of each file of a place: restoring says so, and the next backup mends the data.
func TestDamaged(t *testing.T) {
	c, p := newCard(t, ""), folderPlace(t)
	taken := take(t, p, c.source(), c.options())
	dice := rand.New(rand.NewPCG(1, 2))
	for name := range tree(t, p.Name) {
		path := filepath.Join(p.Name, name)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		worse := slices.Clone(text)
		worse[dice.IntN(len(worse))] ^= 1 << dice.IntN(7)
		if err := os.WriteFile(path, worse, 0o600); err != nil {
			t.Fatal(err)
		}
		q := c.request()
		q.CheckOnly, q.Number = true, 1
		if _, err := p.Restore(t.Context(), q); err == nil {
			t.Errorf("a changed %s is not found", name)
		}
		if strings.HasPrefix(name, objectBegin) && name != taken.Sealed.object() {
			o := c.options()
			o.Keep = 100
			take(t, p, c.source(), o)
			if mended, err := os.ReadFile(path); err != nil || string(mended) != string(text) {
				t.Errorf("the next backup did not mend %s: %v", name, err)
			}
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestInterruptedRestore leaves what an interrupted restore leaves: doing it again succeeds.
func TestInterruptedRestore(t *testing.T) {
	c, p := newCard(t, ""), folderPlace(t)
	s := c.source()
	s.Heard = c.head()
	c.table.Close()
	take(t, p, s, c.options())
	was := tree(t, c.at("journal"))
	for _, name := range []string{"journal", "journal.key", "sabot.yaml", "journal.people", "journal.codes"} {
		if err := os.RemoveAll(c.at(name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(c.at("journal.restoring/set-aside-x"), 0o750); err != nil {
		t.Fatal(err)
	}
	c.write("journal.restoring/part-000001.jsonl", "half")
	c.write("journal.heard", "{}\n")
	if _, err := p.Restore(t.Context(), c.request()); err != nil {
		t.Fatal(err)
	}
	if d := differences(was, tree(t, c.at("journal"))); len(d) > 0 {
		t.Errorf("these files of the journal are not as they were: %v", d)
	}
	if _, err := os.Stat(c.at("journal.restoring")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the draft is still there: %v", err)
	}
}

// TestFaulty: a journal with faults is copied as it is, told, and pushes no older generation out.
func TestFaulty(t *testing.T) {
	c, p := newCard(t, ""), folderPlace(t)
	o := c.options()
	o.Keep = 1
	take(t, p, c.source(), o)
	c.table.Close()
	names, err := filepath.Glob(c.at("journal/part-*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(names[0], []byte(strings.Replace(string(text), `"stake":`, `"stakE":`, 1)),
		0o640); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, c.dir); !strings.Contains(got["journal/"+filepath.Base(names[0])], "stakE") {
		t.Fatal("nothing was changed")
	}
	taken, err := p.Take(t.Context(), c.source(), o)
	if err != nil || taken.Audit.Well() {
		t.Fatalf("%v, well %v", err, taken.Audit.Well())
	}
	list, _, err := p.Generations()
	if err != nil || len(list) != 2 {
		t.Errorf("there are %d generations, %v", len(list), err)
	}
	if err := os.RemoveAll(c.at("journal")); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Restore(t.Context(), c.request()); err == nil || !strings.Contains(err.Error(), "--despite-faults") {
		t.Errorf("the faulty one is restored: %v", err)
	}
	q := c.request()
	q.Number = 1
	if _, err := p.Restore(t.Context(), q); err != nil {
		t.Errorf("the one before is not restored: %v", err)
	}
}
