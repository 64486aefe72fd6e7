package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/peopletest"
	"github.com/sabot-table/sabot/pit/people"
)

func TestPeople(t *testing.T) {
	onEach(t, func(t *testing.T, source string) { peopletest.Store(t, open(t, source)) })
}

// TestPeopleOfTwoPrograms: the pit and a command beside it change people at the same time, and
// the log has each of their entries once, without a gap.
func TestPeopleOfTwoPrograms(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		const each = 20
		var programs []*people.People
		for range 2 {
			p, err := people.New(people.Options{Store: open(t, source)})
			if err != nil {
				t.Fatal(err)
			}
			programs = append(programs, p)
		}
		var wg sync.WaitGroup
		for i, p := range programs {
			wg.Go(func() {
				for k := range each {
					if err := p.Note(t.Context(), people.Actor{From: "test"}, "x", fmt.Sprint(i, " ", k),
						""); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		log, err := programs[0].Log(t.Context(), people.Query{Most: 1000})
		seen := map[string]bool{}
		for i, e := range log {
			seen[e.About] = true
			if e.Number != uint64(len(log)-i) {
				t.Fatalf("entry %d has the number %d", len(log)-i, e.Number)
			}
		}
		if err != nil || len(log) != 2*each || len(seen) != 2*each {
			t.Errorf("the log has %d entries, %d different ones, %v", len(log), len(seen), err)
		}
	})
}

// TestPersonRemovedBesideThePit: who is removed by another program is out with the next request.
func TestPersonRemovedBesideThePit(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		console := people.Actor{From: "console root"}
		pit, err := people.New(people.Options{Store: open(t, source)})
		if err != nil {
			t.Fatal(err)
		}
		beside, err := people.New(people.Options{Store: open(t, source)})
		if err != nil {
			t.Fatal(err)
		}
		start, err := beside.Add(t.Context(), console, "anna", people.Manager, "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := pit.Add(t.Context(), console, "anna", people.Viewer, ""); !errors.Is(err, people.ErrThere) {
			t.Errorf("a second anna gives %v", err)
		}
		in, err := pit.Enter(t.Context(), people.Attempt{Name: "anna", Password: start, From: "10.0.0.1"})
		if err != nil {
			t.Fatal(err)
		}
		if _, ok, err := pit.Session(t.Context(), in.Token, false); !ok || err != nil {
			t.Fatal(ok, err)
		}
		if err := beside.Remove(t.Context(), console, "anna"); err != nil {
			t.Fatal(err)
		}
		if who, ok, err := pit.Session(t.Context(), in.Token, false); ok || err != nil {
			t.Errorf("%+v is still in, %v", who, err)
		}
	})
}

// TestLogIsSealed: the database itself refuses to change the log.
func TestLogIsSealed(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s := open(t, source)
		p, err := people.New(people.Options{Store: s})
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Note(t.Context(), people.Actor{Name: "anna"}, "x", "", ""); err != nil {
			t.Fatal(err)
		}
		for _, statement := range []string{`UPDATE person_log SET who = 'bert'`, `DELETE FROM person_log`} {
			err := s.Change(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
				_, err := tx.ExecContext(ctx, statement)
				return err
			})
			if err == nil || !strings.Contains(err.Error(), "the log is never changed") {
				t.Errorf("%s gives %v", statement, err)
			}
		}
		if log, err := p.Log(t.Context(), people.Query{Most: 9}); err != nil || len(log) != 1 || log[0].Who != "anna" {
			t.Errorf("the log is %+v, %v", log, err)
		}
	})
}

// BenchmarkSession is what each request costs: who has this session?
func BenchmarkSession(b *testing.B) {
	p, err := people.New(people.Options{Store: open(b, b.TempDir()+"/pit.db")})
	if err != nil {
		b.Fatal(err)
	}
	start, err := p.Add(b.Context(), people.Actor{From: "test"}, "anna", people.Manager, "")
	if err != nil {
		b.Fatal(err)
	}
	in, err := p.Enter(b.Context(), people.Attempt{Name: "anna", Password: start, From: "10.0.0.1"})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, ok, err := p.Session(b.Context(), in.Token, false); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}
