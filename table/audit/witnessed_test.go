package audit_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table/audit"
	"github.com/sabot-table/sabot/table/audit/witness"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

// heardEvening makes the journal of a table that the pit hears: two starts, and all events sent but those of each one's
// last round.
func heardEvening(t *testing.T) (*journaltest.Table, *witness.Export) {
	t.Helper()
	tab := journaltest.NewTable(t, filepath.Join(tabletest.FastDir(t), "journal"), profile.Built(), journaltest.Key)
	tab.SetUp(rules.Setup{House: "wiesbaden"})
	play(tab, 1, 3)
	tab.Night(journaltest.Busy(4), 1)
	tab.Restart()
	play(tab, 2, 3)
	tab.Night(journaltest.Busy(3), 1)
	tab.Flush()
	return tab, pitOf(t, tab.Path)
}

func play(tab *journaltest.Table, seed uint64, rounds int) {
	player := journaltest.Busy(seed)
	for range rounds {
		tab.Night(player, 1)
		tab.Flush()
		tab.Sent("mqtt")
	}
}

// pitOf is what a pit knows that was connected all evening.
func pitOf(t *testing.T, path string) *witness.Export {
	t.Helper()
	r, err := journal.OpenReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	j := witness.Journal{ID: r.ID(), Current: true}
	var last *witness.Start
	err = r.Walk(t.Context(), func(s *journal.Step) error {
		switch {
		case s.Header != nil && s.Header.Starts():
			if last != nil {
				last.Watched = true
			}
			sent := s.Header.Cursors["mqtt"]
			j.Starts = append(j.Starts, witness.Start{
				Boot: s.Header.Boot, Acknowledged: sent,
				Began: &witness.Began{Acknowledged: sent},
			})
			last = &j.Starts[len(j.Starts)-1]
		case s.Record != nil:
			last.Record, last.At = s.Record.Seq, time.Unix(0, s.Record.At).UTC()
			if s.Record.Seq%50 == 0 {
				j.Heads = append(j.Heads, witness.Head{
					Record: s.Record.Seq, Hash: fmt.Sprintf("%x", s.Record.Hash),
					At: last.At,
				})
			}
			j.Kept = &witness.Head{Record: s.Record.Seq, Hash: fmt.Sprintf("%x", s.Record.Hash), At: last.At}
		case s.Cursor == "mqtt":
			last.Acknowledged = s.Event
		}
		return s.Fault
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return &witness.Export{
		Format: witness.Format, Site: "wiesbaden", Table: "bj-1", At: last.At.Add(time.Minute),
		Journals: []witness.Journal{j},
	}
}

// beside is what audits with a witness say.
func beside(t *testing.T, path string, pit *witness.Export) *audit.Report {
	t.Helper()
	o := options()
	o.Witness = pit
	return check(t, path, o)
}

// TestBothAgree: where journal and pit say the same, all is well, and the report says how far. What the pit has not
// heard of yet is told.
func TestBothAgree(t *testing.T) {
	tab, pit := heardEvening(t)
	report := beside(t, tab.Path, pit)
	if said := text(report); !report.Well() ||
		!strings.Contains(said, fmt.Sprintf("; the pit heard the same, up to record %d\n", report.Head)) ||
		len(report.Remarks) > 0 {
		t.Errorf("%s", said)
	}
	before := report.Head
	play(tab, 4, 1)
	tab.Restart()
	play(tab, 5, 1)
	tab.Close()
	report = beside(t, tab.Path, pit)
	if said := text(report); !report.Well() ||
		!strings.Contains(said, fmt.Sprintf("had not heard of the records behind %d when", before)) ||
		!strings.Contains(said, "heard nothing of 1 start, the first of them start 3") {
		t.Errorf("the journal goes on: %s", said)
	}
	if report := beside(t, tab.Path, pitOf(t, tab.Path)); !report.Well() || len(report.Remarks) > 0 {
		t.Errorf("%s", text(report))
	}
}

// planted is something that somebody did who has the table's keys of today.
type planted struct {
	name string
	// does it to the journal at a path, of which the pit knows something.
	does func(t *testing.T, path string, pit *witness.Export)
	want want
	says string
}

// tampered changes a journal's lines, and seals it with the table's key.
func tampered(t *testing.T, path string, change func(f *journaltest.File)) {
	t.Helper()
	f := journaltest.Open(t, path)
	change(f)
	f.Rechain()
	f.Save(journaltest.Sign)
}

// insert puts a line in behind the last record.
func insert(line string) func(t *testing.T, path string, pit *witness.Export) {
	return func(t *testing.T, path string, pit *witness.Export) {
		behind := pit.Journals[0].Kept.Record
		tampered(t, path, func(f *journaltest.File) { f.Insert(int64(behind), &journaltest.Frame{Text: line}) })
	}
}

const forgedAway = `{"away":1,"first":1,"last":20,"to":"/archive","at":1`

// plants are what only the pit shows. The journal alone is well after each of them.
var plants = []planted{
	{"the end cut off, at a whole write", func(t *testing.T, path string, pit *witness.Export) {
		tampered(t, path, func(f *journaltest.File) { f.Cut(int64(pit.Journals[0].Kept.Record) - 3) })
	}, want{audit.Behind, 0}, "and it is not there"},
	{"a record of yesterday changed", func(t *testing.T, path string, _ *witness.Export) {
		tampered(t, path, func(f *journaltest.File) { f.Parts[0].Edit = func(h *journal.Header) { h.At++ } })
	}, want{audit.Head, 50}, "and the chain was computed anew"},
	{
		"a cursor moved on, where the pit heard nothing later", insert(`{"cursor":"mqtt","event":999999`),
		want{audit.Unseen, 0},
		"a line of start 2 says that the broker has the events",
	},
	{"a cursor moved on, in a start that ended", func(_ *testing.T, _ string, pit *witness.Export) {
		toldLess(&pit.Journals[0].Starts[0])
	}, want{audit.Unseen, 0}, "and the pit heard nothing of that: the last that this start told was record"},
	{"a cursor moved on, in a header alone", func(t *testing.T, path string, _ *witness.Export) {
		tampered(t, path, func(f *journaltest.File) {
			f.Parts[1].Edit = func(h *journal.Header) { h.Cursors = map[string]uint64{"mqtt": h.Event} }
		})
	}, want{audit.Unseen, 0}, "a line of start 1 says that the broker has the events"},
	{
		"a part moved away, by nobody", insert(forgedAway),
		want{audit.Unseen, 0},
		"a line of start 2 says that the records 1 to 20 were moved away",
	},
	{"a part moved away, in mid-evening", func(t *testing.T, path string, _ *witness.Export) {
		tampered(t, path, func(f *journaltest.File) { f.Insert(150, &journaltest.Frame{Text: forgedAway}) })
	}, want{audit.Unseen, 0}, "not even when this start had gone on to record"},
	{"another start that nobody heard moves the cursor on", func(_ *testing.T, _ string, pit *witness.Export) {
		foundAt(pit, witness.Began{Acknowledged: pit.Journals[0].Starts[1].Acknowledged + 9}, true)
	}, want{audit.Unseen, 0}, "and the pit heard nothing of it in between"},
	{"another start that nobody heard moves parts away", func(_ *testing.T, _ string, pit *witness.Export) {
		foundAt(pit, witness.Began{Away: 20}, true)
	}, want{audit.Unseen, 0}, "that the records 1 to 20 were moved away"},
	{"a journal was put aside, and nothing says so", func(_ *testing.T, _ string, pit *witness.Export) {
		pit.Journals = append(pit.Journals, witness.Journal{
			ID:   strings.Repeat("ab", 16),
			Kept: &witness.Head{Record: 7},
		})
	}, want{audit.SetAside, 0}, "up to record 7, and this one does not name it"},
	{
		"another journal in its place", func(_ *testing.T, _ string, pit *witness.Export) {
			pit.Journals[0].ID = strings.Repeat("ab", 16)
		},
		want{audit.Head, 0},
		"another one was put in its place",
	},
}

// toldLess has a start say its last word before the last event was sent.
func toldLess(s *witness.Start) { s.Acknowledged, s.Record = s.Acknowledged-1, s.Record-30 }

// foundAt is a third start, and what it found.
func foundAt(pit *witness.Export, began witness.Began, watched bool) {
	j := &pit.Journals[0]
	j.Starts[1].Watched = watched
	j.Starts = append(j.Starts, witness.Start{
		Boot: 3, Record: j.Kept.Record, Acknowledged: began.Acknowledged,
		Away: began.Away, Began: &began,
	})
}

// TestOnlyThePitKnows: what somebody with the table's keys does is found by what the pit heard.
func TestOnlyThePitKnows(t *testing.T) {
	tab, _ := heardEvening(t)
	tab.Close()
	for _, p := range plants {
		t.Run(p.name, func(t *testing.T) {
			path, pit := copyOf(t, tab.Path), pitOf(t, tab.Path)
			p.does(t, path, pit)
			if alone := check(t, path, options()); !alone.Well() {
				t.Errorf("the journal alone shows it, and the plant shows nothing: %s", text(alone))
			}
			report := beside(t, path, pit)
			if !finds(report, p.want) || !strings.Contains(text(report), p.says) ||
				strings.Contains(text(report), "all is well") {
				t.Errorf("%s", text(report))
			}
		})
	}
}

// TestYesterdayPutBack: journal and journal.codes are put back to yesterday. It is found at once, and also after the
// table has gone on from there.
func TestYesterdayPutBack(t *testing.T) {
	tab, _ := heardEvening(t)
	old := filepath.Join(tabletest.FastDir(t), "journal")
	copyWith(t, tab.Path, old)
	play(tab, 7, 3)
	pit := pitOf(t, tab.Path)
	if report := beside(t, old, pit); !finds(report, want{audit.Behind, 0}) {
		t.Errorf("yesterday's: %s", text(report))
	}
	tab.Kill(filepath.Join(tabletest.FastDir(t), "journal"))
	tab.Path = old
	tab.Restart()
	play(tab, 8, 9)
	tab.Close()
	if report := beside(t, old, pit); !finds(report, want{audit.Head, 0}) {
		t.Errorf("yesterday's, which went on: %s", text(report))
	}
}

// copyWith copies a journal with the key of its codes.
func copyWith(t *testing.T, path, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(path)); err != nil {
		t.Fatal(err)
	}
	for _, end := range []string{journal.CodesEnd, journal.AuditKeyEnd} {
		text, err := os.ReadFile(path + end)
		if err == nil {
			err = os.WriteFile(to+end, text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestThePitCouldNotSee: what happened while the pit was not connected, or was told by a program that says nothing of
// it, is a note and no fault; so is what it heard without being told.
func TestThePitCouldNotSee(t *testing.T) {
	for name, does := range map[string]func(t *testing.T, path string, pit *witness.Export){
		"not connected when a start ended": func(_ *testing.T, _ string, pit *witness.Export) {
			toldLess(&pit.Journals[0].Starts[0])
			pit.Journals[0].Starts[0].Watched = false
		},
		"not connected between two starts": func(_ *testing.T, _ string, pit *witness.Export) {
			foundAt(pit, witness.Began{Acknowledged: 999999}, false)
		},
		"a start that it never heard": func(_ *testing.T, _ string, pit *witness.Export) {
			pit.Journals[0].Starts = pit.Journals[0].Starts[1:]
		},
		"a program that does not tell what is away": func(t *testing.T, path string, pit *witness.Export) {
			insert(forgedAway)(t, path, pit)
			pit.Journals[0].Starts[1].Began = nil
		},
		"events that it heard itself": func(_ *testing.T, _ string, pit *witness.Export) {
			pit.Journals[0].Starts[0].Acknowledged, pit.Journals[0].Starts[0].Heard = 9, 400
		},
		"a branch that somebody accepted": func(_ *testing.T, _ string, pit *witness.Export) {
			pit.Journals = append(pit.Journals,
				witness.Journal{ID: pit.Journals[0].ID + "~1", Kept: &witness.Head{Record: 7}})
		},
		"a journal that was begun in its place": func(_ *testing.T, _ string, pit *witness.Export) {
			pit.Journals = append(pit.Journals,
				witness.Journal{
					ID: strings.Repeat("ab", 16), Former: pit.Journals[0].ID,
					Kept: &witness.Head{Record: 7},
				})
		},
	} {
		t.Run(name, func(t *testing.T) {
			tab, _ := heardEvening(t)
			tab.Close()
			path, pit := copyOf(t, tab.Path), pitOf(t, tab.Path)
			does(t, path, pit)
			if report := beside(t, path, pit); !report.Well() {
				t.Errorf("%s", text(report))
			}
		})
	}
}

// TestSetAsideIsNamed: a journal that was set aside is named by the one that was begun in its place, also where only
// its folder has the name of one before. Two of one moment, as of a clock that was put back, lie in two folders.
func TestSetAsideIsNamed(t *testing.T) {
	path := longAgo(t, 1)
	first := check(t, path, options()).ID
	pit := &witness.Export{
		Format:   witness.Format,
		Journals: []witness.Journal{{ID: first, Kept: &witness.Head{Record: 7}}},
	}
	moment := time.Date(2026, 3, 2, 4, 0, 0, 0, time.UTC)
	for range 2 {
		plant(t, path, `{"cursor":"pit","event":1`)
		j, err := journal.Open(path, journal.Options{
			Program: "sabotd of today", Key: journaltest.Key,
			Now: func() time.Time {
				return moment
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		pit.Journals = append(pit.Journals, witness.Journal{ID: j.ID(), Current: true})
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
	report := beside(t, path, pit)
	if len(report.Faults) != 2 || strings.Count(text(report), ", and is there") != 2 {
		t.Errorf("%s", text(report))
	}
	folders, err := filepath.Glob(filepath.Join(path, "set-aside-*"))
	if err != nil || len(folders) != 2 {
		t.Fatal(folders, err)
	}
	for _, folder := range folders {
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
	}
	report = beside(t, path, pit)
	if len(report.Faults) != 2 || strings.Count(text(report), "is not there: it was removed") != 2 ||
		!strings.Contains(text(report), first) {
		t.Errorf("the folders are gone: %s", text(report))
	}
}
