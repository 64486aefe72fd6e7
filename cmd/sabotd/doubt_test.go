package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	attacks "github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/audit"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/vocab"
)

// parts are a journal's files, by their names in its folder.
func parts(t *testing.T, folder string) map[string]string {
	t.Helper()
	found := map[string]string{}
	for path, text := range processes.Files(t, folder+"/") {
		name, err := filepath.Rel(folder, path)
		if err != nil {
			t.Fatal(err)
		}
		found[name] = text
	}
	return found
}

// putBack makes a folder contain exactly these files.
func putBack(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(folder, 0o750); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		write(t, filepath.Join(folder, name), text)
	}
}

// stakeOf changes the first stake in a journal.
func stakeOf(f *journaltest.File) {
	for _, row := range f.Rows() {
		if strings.HasPrefix(row.Input, `{"in":"stake"`) {
			row.Input = strings.Replace(row.Input, `"amount":`, `"amount":9`, 1)
			return
		}
	}
}

// TestJournalThatDoesNotFit starts the daemon on journals that are not what the table
// wrote. It sets them aside untouched, begins a new one that names the old one's end, and
// deals no card before a supervisor's word is on record; the audit finds what was done.
func TestJournalThatDoesNotFit(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	for range 2 {
		process := w.start()
		w.deal(1).finish()
		process.Stop()
	}
	sound := parts(t, w.path)
	for name, spoil := range map[string]func(t *testing.T, path string){
		"garbage": func(t *testing.T, path string) {
			write(t, filepath.Join(path, "part-000002.jsonl"), strings.Repeat("no journal at all\n", 500))
		},
		"empty part":   func(t *testing.T, path string) { write(t, filepath.Join(path, "part-000002.jsonl"), "") },
		"part missing": func(t *testing.T, path string) { remove(t, filepath.Join(path, "part-000001.jsonl")) },
		"record changed": func(t *testing.T, path string) {
			text := sound["part-000002.jsonl"]
			write(t, filepath.Join(path, "part-000002.jsonl"), strings.Replace(text, `{"in":"paid"`, `{"in":"pAid"`, 1))
		},
		"stake changed, chain computed anew, seals left": func(t *testing.T, path string) {
			tamper(t, path, journaltest.Fit)
		},
		"stake changed, chain computed anew, seals removed": func(t *testing.T, path string) {
			tamper(t, path, journaltest.Drop)
		},
		"stake changed, chain computed anew, all seals and the key removed": func(t *testing.T, path string) {
			tamper(t, path, journaltest.Strip)
		},
		"stake changed, all signed by another key": func(t *testing.T, path string) {
			tamper(t, path, journaltest.Forge)
		},
	} {
		t.Run(name, func(t *testing.T) {
			putBack(t, w.path, sound)
			forget(t, w.path)
			spoil(t, w.path)
			w.setAside(t, parts(t, w.path))
		})
	}
}

// tamper changes a past stake and rewrites everything after it.
func tamper(t *testing.T, path string, seals journaltest.Seals) {
	t.Helper()
	f := journaltest.Open(t, path)
	stakeOf(f)
	f.Rechain()
	f.Save(seals)
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

// forget removes the table's note of what the pit has heard, if there is one.
func forget(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path + ".heard"); err != nil {
		t.Fatal(err)
	}
}

// setAside starts the daemon on a spoilt journal, which must be set aside as it is.
func (w *world) setAside(t *testing.T, spoiled map[string]string) {
	t.Helper()
	pit := w.hear()
	process := w.start()
	logs(t, process, "A NEW JOURNAL WAS BEGUN IN THE PLACE OF ONE THAT DOES NOT FIT", "THE TABLE'S RECORD IS IN DOUBT")
	look := w.look()
	look.awaitHeld(irregularity.JournalNew, irregularity.Accept)
	if refused, err := look.remote.Press(look.ctx, vocab.Input{Kind: vocab.InOpen}); err != nil ||
		refused != vocab.RoundHeld {
		t.Errorf("bets were opened on a journal in doubt: %s, %v", refused, err)
	}
	brokertest.Until(t, "the pit has an alert", func() bool {
		_, raised := last[topic.Alert](pit, pit.name.Alert(irregularity.JournalNew.String()))
		return raised
	})
	look.resolve(irregularity.Accept, card.None)
	process.Stop()
	now := parts(t, w.path)
	maps.DeleteFunc(now, func(name, _ string) bool { return !strings.Contains(name, "/") })
	aside := map[string]string{}
	for name, text := range now {
		aside[filepath.Base(name)] = text
	}
	if !maps.Equal(aside, spoiled) {
		t.Errorf("%d files were set aside, of %d, or they were changed", len(aside), len(spoiled))
	}
	// Where the old end could not be read, the broker knew of more.
	report := w.audit(t)
	for _, f := range report.Faults {
		if f.Kind != audit.Behind && f.Kind != audit.SetAside {
			t.Errorf("the audit of the new journal says %+v", f)
		}
	}
	if !slices.ContainsFunc(report.Faults, func(f *audit.Finding) bool { return f.Kind == audit.SetAside }) {
		t.Errorf("the audit does not say in whose place the journal was begun: %+v", report)
	}
}

// audit audits the journal, with the key.
func (w *world) audit(t *testing.T) *audit.Report {
	t.Helper()
	j, err := journal.OpenReadOnly(w.path)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	report, err := audit.Run(t.Context(), j, audit.Options{Book: profile.Built(), Key: w.public})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// TestJournalGone: if the folder was removed together with the table's note of what the pit
// has heard and the key of its codes, a table that was used before asks for a supervisor's word.
func TestJournalGone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.gate.Shut()
	process := w.start()
	var shift authority.Shift
	w.post("/dealer", `{"name":"d7"}`, &shift)
	process.Stop()
	if err := os.RemoveAll(w.path); err != nil {
		t.Fatal(err)
	}
	forget(t, w.path)
	remove(t, w.path+journal.CodesEnd)
	process = w.start()
	held := w.look().awaitHeld(irregularity.JournalNew, irregularity.Accept).Held
	if !strings.Contains(held.Found, "was used before") {
		t.Errorf("the table is held by %+v", held)
	}
	logs(t, process, "A NEW JOURNAL WAS BEGUN, AND THE ONE BEFORE IS GONE")
	process.Stop()
}

// TestJournalPutBack: an older copy of a journal is valid, but too short. The table knows
// what the pit has heard, from its own note or from the broker, and the pit's numbers
// continue.
func TestJournalPutBack(t *testing.T) {
	t.Parallel()
	for name, knows := range map[string]bool{"the table knows": true, "only the broker knows": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, nil)
			process := w.start()
			w.deal(1).finish()
			process.Stop()
			older := parts(t, w.path)
			key, err := os.ReadFile(w.path + journal.CodesEnd)
			if err != nil {
				t.Fatal(err)
			}
			process = w.start()
			w.deal(1).finish()
			process.Stop()
			_, outputs := w.records()
			heard := uint64(strings.Count(outputs, "\n"))
			w.floor.Lines(t, heard)
			putBack(t, w.path, older)
			write(t, w.path+journal.CodesEnd, string(key)) // with a later one it would know
			if !knows {
				forget(t, w.path)
			}
			pit := w.hear()
			process = w.start()
			logs(t, process, "the pit has heard up to record")
			look := w.look()
			for with := map[irregularity.Code]irregularity.Choice{
				irregularity.JournalBehind: irregularity.Accept,
				irregularity.LostCards:     irregularity.NoneDrawn,
			}; len(with) > 0; {
				held := look.await("what holds the table", func(v display.View) bool {
					return v.Held != nil && with[v.Held.Code] != 0
				}).Held.Code
				look.resolve(with[held], card.None)
				delete(with, held)
			}
			w.deal(1).finish()
			process.Stop()
			// What was recorded before the broker was reached has the older numbers.
			known := false
			for _, payload := range pit.all(pit.name.Topic(topic.KindEvent)) {
				e := brokertest.Decode[topic.Event](t, payload)
				known = known || strings.Contains(string(e.Data), `"code":"journal-behind"`)
				if known && e.Sequence <= heard {
					t.Errorf("event %d has the number of one that the pit knows: %s", e.Sequence, payload)
				}
			}
			if report := w.audit(t); len(report.Faults) != 1 || report.Faults[0].Kind != audit.Behind {
				t.Errorf("the audit says %+v", report)
			}
		})
	}
}

// TestAttackForgedMemory: whoever may write to the broker holds no table by what it is said to have told before. One
// whose configuration names no key has made its own, at its first start.
func TestAttackForgedMemory(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.unsealed = true
	pit := w.hear()
	process := w.start()
	logs(t, process, "the table has made the key that seals its journal", "ed25519:")
	w.deal(1).finish()
	process.Stop()
	key := w.path + ".own-key"
	if info, err := os.Stat(key); err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("its key: %v, %v", info, err)
	}
	health, known := last[topic.Health](pit, pit.name.Topic(topic.KindHealth))
	if !known || health.Journal.Head == nil {
		t.Fatalf("the table told of its journal: %+v", health.Journal)
	}
	tries, through := 0, 0
	for what, forge := range map[string]func(*topic.Head){
		"more":    func(head *topic.Head) { head.Record = 1_000_000 },
		"another": func(head *topic.Head) { head.Hash = strings.Repeat("ab", 32) },
		"whose":   func(head *topic.Head) { head.ID = strings.Repeat("ab", 16) },
	} {
		told, head := health, *health.Journal.Head
		forge(&head)
		told.Journal.Head = &head
		text, err := json.Marshal(told)
		if err != nil {
			t.Fatal(err)
		}
		brokertest.Publish(t, w.broker.Addr(), pit.name.Topic(topic.KindHealth), text)
		process = w.start()
		logs(t, process, "THE BROKER REMEMBERS WHAT THIS TABLE HAS NOT SIGNED")
		w.deal(1).finish()
		process.Stop()
		if tries++; strings.Contains(process.Log(), "THE JOURNAL IS NOT WHAT THE PIT HAS HEARD OF") ||
			strings.Contains(process.Log(), "has made the key") {
			through++
			t.Errorf("%s: %s", what, process.Log())
		}
	}
	attacks.Report(t, "forged memories of a table's broker", tries, through)
}

// nothingHeldBut reports whether nothing holds the table, except this.
func nothingHeldBut(code irregularity.Code) func(display.View) bool {
	return func(v display.View) bool {
		return v.Held == nil && code == 0 || v.Held != nil && v.Held.Code == code
	}
}

// TestJournalTouched: tampering with the part that is being written holds the table at the
// next input, and no card is lost.
func TestJournalTouched(t *testing.T) {
	t.Parallel()
	for name, touch := range map[string]func(t *testing.T, part string){
		"deleted": remove,
		"replaced by an older copy": func(t *testing.T, part string) {
			text, err := os.ReadFile(part)
			if err != nil {
				t.Fatal(err)
			}
			remove(t, part)
			write(t, part, string(text[:len(text)/2]))
		},
		"linked": func(t *testing.T, part string) {
			if err := os.Link(part, part+".copy"); err != nil {
				t.Fatal(err)
			}
		},
		"written to": func(t *testing.T, part string) {
			f, err := os.OpenFile(part, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if _, err := f.WriteString("one more line\n"); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, nil)
			process := w.start()
			d := w.touched(touch)
			w.check(d.finish(), 2, "journal-touched")
			logs(t, process, "SOMEBODY HAS CHANGED THE JOURNAL'S FILES")
			process.Stop()
			if name == "linked" { // as long as it is, each start asks again
				remove(t, filepath.Join(w.path, "part-000001.jsonl.copy"))
			}
			process = w.start()
			w.look().await("a table that goes on", nothingHeldBut(0))
			process.Stop()
		})
	}
}

// TestJournalTruncated: what is cut off the part that is being written cannot be restored.
// The table is held, and the audit reports it.
func TestJournalTruncated(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.hurry() // the pit misses what was cut off, and is waited for at the end
	process := w.start()
	d := w.touched(func(t *testing.T, part string) {
		if err := os.Truncate(part, 2000); err != nil {
			t.Fatal(err)
		}
	})
	d.finish()
	process.Stop()
	missing := func(f *audit.Finding) bool { return f.Kind == audit.Missing }
	if report := w.audit(t); !slices.ContainsFunc(report.Faults, missing) {
		t.Errorf("the audit says %+v", report)
	}
}

// touched deals into the first of two rounds, tampers with the part that is being written,
// and draws one more card, which must hold the table.
func (w *world) touched(touch func(t *testing.T, part string)) *dealing {
	w.t.Helper()
	d := w.deal(2)
	d.stop(4)
	stored := func(s shoesim.State) bool { return s.Queued == 0 }
	if _, err := w.shoe.Await(d.ctx, stored); err != nil {
		w.t.Fatal(err)
	}
	touch(w.t, filepath.Join(w.path, "part-000001.jsonl"))
	d.goOn(nil)
	d.awaitHeld(irregularity.JournalTouched, irregularity.Accept)
	d.resolve(irregularity.Accept, card.None)
	return d
}
