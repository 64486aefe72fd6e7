package people_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/internal/testkit/peopletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/table/authority"
)

const (
	annas = "correct horse battery staple"
	here  = "10.1.2.3"
)

var console = people.Actor{From: "console root"}

// floor is a pit with a manager, anna.
type floor struct {
	*people.People
	T     *testing.T
	store *peopletest.Memory
}

func open(t *testing.T) floor {
	t.Helper()
	f := floor{T: t, store: peopletest.NewMemory()}
	var err error
	if f.People, err = people.New(people.Options{Store: f.store}); err != nil {
		t.Fatal(err)
	}
	f.add("anna", people.Manager)
	return f
}

func (f floor) add(name string, role people.Role) {
	f.T.Helper()
	if _, err := f.Add(f.T.Context(), console, name, role, annas); err != nil {
		f.T.Fatal(err)
	}
}

// enter enters, which must succeed.
func (f floor) enter(a people.Attempt) people.Admitted {
	f.T.Helper()
	in, err := f.Enter(f.T.Context(), a)
	if err != nil {
		f.T.Fatalf("%s does not enter: %v", a.Name, err)
	}
	return in
}

func (f floor) anna() people.Admitted {
	f.T.Helper()
	return f.enter(people.Attempt{Name: "anna", Password: annas, From: here})
}

// refused enters, which must be refused for this reason, and returns the pause.
func (f floor) refused(a people.Attempt, why people.Why) time.Duration {
	f.T.Helper()
	_, err := f.Enter(f.T.Context(), a)
	var r *people.Refusal
	if !errors.As(err, &r) || r.Why != why {
		f.T.Fatalf("%s from %s gets %v, want %s", a.Name, a.From, err, why)
	}
	return r.Wait
}

// in says whether a token has a session.
func (f floor) in(token string) (people.Present, bool) {
	f.T.Helper()
	who, in, err := f.Session(f.T.Context(), token, false)
	if err != nil {
		f.T.Fatal(err)
	}
	return who, in
}

func (f floor) out(what, token string) {
	f.T.Helper()
	if who, in := f.in(token); in {
		f.T.Errorf("%s: %s is still in", what, who.Person.Name)
	}
}

func (f floor) did(err error) {
	f.T.Helper()
	if err != nil {
		f.T.Fatal(err)
	}
}

// log is the log in one line, the oldest first.
func (f floor) log(after int) string {
	f.T.Helper()
	all, err := f.Log(f.T.Context(), people.Query{Most: 1000})
	f.did(err)
	var lines []string
	for i := len(all) - 1; i >= 0; i-- {
		if e := all[i]; int(e.Number) > after {
			lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s %s %s", e.Who, e.What, e.About, e.Detail)))
		}
	}
	return strings.Join(lines, "; ")
}

func TestEnter(t *testing.T) {
	f := open(t)
	in := f.anna()
	who, ok := f.in(in.Token)
	if !ok || who.Person.Name != "anna" || who.Person.Role != people.Manager || who.Session.From != here ||
		who.MustChoose() {
		t.Errorf("anna's session is %+v, %v", who, ok)
	}
	for _, token := range []string{"", "x", in.Browser, in.Token + "A"} {
		f.out("a token that is none", token)
	}
	f.refused(people.Attempt{Name: "anna", Password: annas + " ", From: here}, people.WhyWrong)
	f.refused(people.Attempt{Name: "Anna", Password: annas, From: here}, people.WhyWrong)
	f.refused(people.Attempt{Name: "anna", From: here}, people.WhyWrong)
	again := f.enter(people.Attempt{Name: "anna", Password: annas, From: here, Session: in.Token, Browser: in.Browser})
	f.out("a browser that enters again", in.Token)
	if again.Browser != "" || again.Token == in.Token {
		t.Errorf("entering again gives %+v", again)
	}
	f.did(f.Leave(t.Context(), again.Token, here))
	f.out("who left", again.Token)
	f.did(f.Leave(t.Context(), again.Token, here))
	const want = " person-added anna manager; anna entered  manager; anna wrong-password;  wrong-password; anna " +
		"wrong-password; anna entered  manager; anna left"
	if got := f.log(0); got != strings.TrimSpace(strings.ReplaceAll(want, ";  ", "; ")) {
		t.Errorf("the log is %s", got)
	}
}

// TestOnlyHashesAreKept: nothing in the store lets anybody in who reads it.
func TestOnlyHashesAreKept(t *testing.T) {
	f := open(t)
	in := f.anna()
	f.did(f.store.ReadPeople(t.Context(), func(tx people.Tx) error {
		one, _, _ := tx.Person("anna")
		sessions, _ := tx.Sessions("anna")
		log, _ := tx.Notes(people.Query{Most: 100})
		all := fmt.Sprintf("%+v %+v %+v", one, sessions, log)
		for _, secret := range []string{in.Token, in.Browser, annas} {
			if strings.Contains(all, secret) {
				t.Errorf("the store holds %q", secret)
			}
		}
		if !strings.HasPrefix(one.Password, "$argon2id$v=19$m=19456,t=2,p=1$") {
			t.Errorf("the password is kept as %s", one.Password)
		}
		return nil
	}))
}

// TestPauses: whoever guesses waits ever longer; whoever is guessed at still enters.
func TestPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t)
		known := f.anna()
		guess := people.Attempt{Name: "anna", Password: "guess", From: "10.6.6.6"}
		for range 4 {
			if wait := f.refused(guess, people.WhyWrong); wait > 0 {
				t.Errorf("a free try is followed by a pause of %v", wait)
			}
		}
		for _, want := range []time.Duration{5 * time.Second, 10 * time.Second, 20 * time.Second} {
			if wait := f.refused(guess, people.WhyWrong); wait != want {
				t.Errorf("the pause is %v, want %v", wait, want)
			}
			right := guess
			right.Password = annas
			if wait := f.refused(right, people.WhyPaused); wait != want {
				t.Errorf("in the pause it is said to take %v, want %v", wait, want)
			}
			bubble.Pass(want)
		}
		before := len(strings.Split(f.log(0), "; "))
		f.refused(guess, people.WhyWrong)
		for range 3 {
			f.refused(guess, people.WhyPaused)
		}
		if got := f.log(before); got != "anna wrong-password; anna paused  40s; anna tried-in-pause" {
			t.Errorf("the log of a pause is %s", got)
		}
		f.anna() // from her own place
		f.enter(people.Attempt{Name: "anna", Password: annas, From: guess.From, Browser: known.Browser})
		f.did(f.EndPause(t.Context(), console, "anna"))
		f.enter(people.Attempt{Name: "anna", Password: annas, From: guess.From})
	})
}

// TestPaceThatNeverPauses: a pace that is filled in only in part would let whoever guesses go on.
func TestPaceThatNeverPauses(t *testing.T) {
	for _, pace := range []authority.Limits{
		{Tries: 5}, {Tries: 5, LockOut: time.Minute}, {LockOut: time.Minute, LockOutMost: time.Minute},
	} {
		if _, err := people.New(people.Options{Store: peopletest.NewMemory(), Pace: pace}); err == nil {
			t.Errorf("%+v is taken", pace)
		}
	}
}

// TestPauseOfASlowCheck: a pause that is over before the password was found to be wrong is told, and on record, as long
// as it was.
func TestPauseOfASlowCheck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t)
		store := &interrupted{Store: f.store}
		var err error
		if f.People, err = people.New(people.Options{Store: store}); err != nil {
			t.Fatal(err)
		}
		guess := people.Attempt{Name: "anna", Password: "guess", From: "10.6.6.6"}
		for range 4 {
			f.refused(guess, people.WhyWrong)
		}
		before := len(strings.Split(f.log(0), "; "))
		store.first = func() { // counts the try
			store.first = func() { bubble.Pass(6 * time.Second) } // says that it was wrong
		}
		if wait := f.refused(guess, people.WhyWrong); wait != 5*time.Second {
			t.Errorf("the pause is told to take %v", wait)
		}
		if got := f.log(before); got != "anna wrong-password; anna paused  5s" {
			t.Errorf("the log is %s", got)
		}
		f.anna()
	})
}

// TestPausesOfAllPlaces: guessing from a thousand places is slow, and keeps nobody out for
// longer than a minute; a browser that is known not at all.
func TestPausesOfAllPlaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t)
		known := f.anna()
		guess := func(i int) people.Attempt {
			return people.Attempt{Name: "anna", Password: "guess", From: fmt.Sprintf("10.7.%d.%d", i/250, i%250)}
		}
		minutes := tier.Times(10, 60)
		checked, paused, begin := 0, time.Duration(0), time.Now()
		for i := 0; time.Since(begin) < time.Duration(minutes)*time.Minute; i++ {
			_, err := f.Enter(t.Context(), guess(i))
			var r *people.Refusal
			if !errors.As(err, &r) {
				t.Fatal(err)
			}
			if r.Why == people.WhyWrong {
				checked++
			}
			paused = max(paused, r.Wait)
			bubble.Pass(r.Wait)
		}
		if checked > 40+minutes || paused > time.Minute {
			t.Errorf("%d minutes had %d guesses, and pauses up to %v", minutes, checked, paused)
		}
		f.refused(guess(-1), people.WhyWrong)
		f.refused(people.Attempt{Name: "anna", Password: annas, From: here}, people.WhyPaused)
		f.enter(people.Attempt{Name: "anna", Password: annas, From: here, Browser: known.Browser})
		f.add("bert", people.Viewer)
		f.enter(people.Attempt{Name: "bert", Password: annas, From: here})
	})
}

// TestPausesOfAPlace: who tries many names from one place waits, and so do others there who
// are not known, for a minute at the most.
func TestPausesOfAPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t)
		known := f.enter(people.Attempt{Name: "anna", Password: annas, From: "2001:db8::1"})
		var wait time.Duration
		for i := range 40 {
			_, err := f.Enter(t.Context(), people.Attempt{
				Name: fmt.Sprint("name", i), Password: "guess",
				From: fmt.Sprintf("2001:db8::%x", i),
			})
			var r *people.Refusal
			if !errors.As(err, &r) {
				t.Fatal(err)
			}
			bubble.Pass(r.Wait)
			wait = max(wait, r.Wait)
		}
		if wait != time.Minute {
			t.Errorf("the longest pause is %v", wait)
		}
		f.refused(people.Attempt{Name: "x", Password: "guess", From: "2001:db8::7"}, people.WhyWrong)
		f.refused(people.Attempt{Name: "anna", Password: annas, From: "2001:db8::9"}, people.WhyPaused)
		f.enter(people.Attempt{Name: "anna", Password: annas, From: "2001:db8::9", Browser: known.Browser})
		f.enter(people.Attempt{Name: "anna", Password: annas, From: "2001:db8:0:1::9"})
	})
}

// TestKnownBrowser: a browser is known for one person, and its own tries count.
func TestKnownBrowser(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t)
		f.add("bert", people.Supervisor)
		known := f.anna().Browser
		for range 5 {
			f.refused(people.Attempt{Name: "anna", Password: "guess", From: "10.9.9.9", Browser: known},
				people.WhyWrong)
		}
		f.refused(people.Attempt{Name: "anna", Password: annas, From: "10.9.9.9", Browser: known}, people.WhyPaused)
		f.anna()
		in := f.enter(people.Attempt{Name: "bert", Password: annas, From: here, Browser: known})
		if in.Browser == "" {
			t.Error("anna's browser is taken for bert's")
		}
	})
}

// TestTriesAreForgotten after a day.
func TestTriesAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t)
		guess := people.Attempt{Name: "anna", Password: "guess", From: here}
		for range 4 {
			f.refused(guess, people.WhyWrong)
		}
		bubble.Pass(24 * time.Hour)
		if wait := f.refused(guess, people.WhyWrong); wait > 0 {
			t.Errorf("tries of yesterday make a pause of %v", wait)
		}
	})
}

// TestExpiry: a session ends when it is not used, and at the latest after a double shift; a
// viewer's goes on while its page is open.
func TestExpiry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t)
		f.add("wall", people.Viewer)
		wall := f.enter(people.Attempt{Name: "wall", Password: annas, From: here}).Token
		idle, watching, busy := f.anna().Token, f.anna().Token, f.anna().Token
		watch := func(token string) bool {
			_, in, err := f.Session(t.Context(), token, true)
			f.did(err)
			return in
		}
		for range 59 {
			bubble.Pass(time.Minute)
			watch(watching)
			watch(wall)
			f.in(busy)
		}
		if _, in := f.in(idle); !in || !watch(watching) {
			t.Error("a session ends too early")
		}
		bubble.Pass(time.Minute)
		if watch(watching) {
			t.Error("a manager's open page keeps the session")
		}
		for range 15 * 4 {
			f.in(busy)
			f.in(idle)
			watch(wall)
			bubble.Pass(15 * time.Minute)
		}
		f.out("after 16 hours", busy)
		f.out("after 16 hours", idle)
		for watch(wall) {
			if bubble.Pass(59 * time.Minute); time.Since(time.Date(2000, 1, 1, 0, 0, 0, 0,
				time.UTC)) > 32*24*time.Hour {
				t.Fatal("a viewer's session never ends")
			}
		}
		if lasted := time.Since(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)); lasted < 30*24*time.Hour {
			t.Errorf("a viewer's session lasts %v", lasted)
		}
	})
}

// TestSweep: what is over is forgotten, and nothing else.
func TestSweep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t)
		over := f.anna().Token
		bubble.Pass(50 * time.Minute)
		open := f.anna().Token
		f.refused(people.Attempt{Name: "anna", Password: "guess", From: here}, people.WhyWrong)
		bubble.Pass(15 * time.Minute)
		ctx, stop := context.WithCancel(t.Context())
		go f.Run(ctx)
		synctest.Wait()
		stop()
		synctest.Wait()
		f.did(f.store.ReadPeople(t.Context(), func(tx people.Tx) error {
			if sessions, err := tx.Sessions("anna"); err != nil || len(sessions) != 1 {
				t.Errorf("%d sessions are left, %v", len(sessions), err)
			}
			return nil
		}))
		f.out("what is over", over)
		if _, in := f.in(open); !in {
			t.Error("a session that is not over is gone")
		}
	})
}

// TestChangesEndSessions: a person who is removed, or has another role or password, is out at
// once, and so are the pages that are open.
func TestChangesEndSessions(t *testing.T) {
	for name, change := range map[string]func(f floor, by people.Actor) error{
		"removed": func(f floor, by people.Actor) error { return f.Remove(f.T.Context(), by, "bert") },
		"another role": func(f floor, by people.Actor) error {
			return f.SetRole(f.T.Context(), by, "bert", people.Technician)
		},
		"another password": func(f floor, by people.Actor) error {
			_, err := f.Reset(f.T.Context(), by, "bert", "")
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := open(t)
			f.add("bert", people.Supervisor)
			one, two := f.enter(people.Attempt{Name: "bert", Password: annas, From: here}),
				f.enter(people.Attempt{Name: "bert", Password: annas, From: "10.0.0.2"})
			annas := f.anna()
			held, done := f.hold(one.Token)
			defer done()
			others, done := f.hold(annas.Token)
			defer done()
			anna, _ := f.in(annas.Token)
			f.did(change(f, anna.Actor()))
			f.out(name, one.Token)
			f.out(name, two.Token)
			if <-held.Done(); context.Cause(held) != site.ErrSessionOver {
				t.Errorf("an open page ends with %v", context.Cause(held))
			}
			if others.Err() != nil {
				t.Error("the page of another ends too")
			}
			if change(f, people.Actor{Name: "bert"}) != people.ErrYourself && name != "another password" {
				t.Error("bert changes himself")
			}
		})
	}
}

func (f floor) hold(token string) (context.Context, func()) {
	f.T.Helper()
	who, in := f.in(token)
	if !in {
		f.T.Fatal("there is no such session")
	}
	return f.Hold(f.T.Context(), who)
}

// TestAnotherProgramEndsSessions: a command beside the pit removes a person, whose open page
// ends within seconds.
func TestAnotherProgramEndsSessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t)
		f.add("bert", people.Supervisor)
		in := f.enter(people.Attempt{Name: "bert", Password: annas, From: here})
		held, done := f.hold(in.Token)
		defer done()
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go f.Run(ctx)
		beside, err := people.New(people.Options{Store: f.store})
		f.did(err)
		f.store.Fail(errors.New("the database is away"))
		bubble.Pass(time.Minute)
		if held.Err() != nil {
			t.Error("a database that is away takes the screens with it")
		}
		f.store.Fail(nil)
		f.did(beside.Remove(t.Context(), console, "bert"))
		f.out("removed", in.Token)
		bubble.Settle(2 * time.Second)
		if context.Cause(held) != site.ErrSessionOver {
			t.Errorf("after two seconds the page has %v", context.Cause(held))
		}
	})
}

// TestStart: a starting password is used once, in three days.
func TestStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t)
		start, err := f.Add(t.Context(), console, "bert", people.Supervisor, "")
		f.did(err)
		in := f.enter(people.Attempt{Name: "bert", Password: start, From: here})
		other := f.enter(people.Attempt{Name: "bert", Password: start, From: here})
		who, _ := f.in(in.Token)
		if !who.MustChoose() {
			t.Error("bert need not choose a password")
		}
		for _, c := range []struct {
			had, password string
			want          error
		}{
			{start, "short", people.ErrPasswordShort},
			{start, "bertbertbert", people.ErrPasswordSimple},
			{start, start, people.ErrPasswordSame},
			{start, strings.Repeat("many words ", 12), people.ErrPasswordLong},
		} {
			if err := f.Choose(t.Context(), who, c.had, c.password); err != c.want {
				t.Errorf("%s is answered with %v, want %v", c.password, err, c.want)
			}
		}
		var r *people.Refusal
		if err := f.Choose(t.Context(), who, "wrong", "a longer password"); !errors.As(err, &r) ||
			r.Why != people.WhyWrong {
			t.Errorf("a wrong password is answered with %v", err)
		}
		f.did(f.Choose(t.Context(), who, start, "a longer password"))
		if who, in := f.in(in.Token); !in || who.MustChoose() {
			t.Errorf("after the choice: %+v, %v", who, in)
		}
		f.out("his other session", other.Token)
		if err := f.Choose(t.Context(), who, start, "another password"); err == nil {
			t.Error("the starting password still counts")
		}
		f.refused(people.Attempt{Name: "bert", Password: start, From: here}, people.WhyWrong)
		start, err = f.Reset(t.Context(), console, "bert", "")
		f.did(err)
		bubble.Pass(72 * time.Hour)
		f.refused(people.Attempt{Name: "bert", Password: start, From: here}, people.WhyExpired)
	})
}

// TestRemovedAndRestored: a name stays its person's.
func TestRemovedAndRestored(t *testing.T) {
	f := open(t)
	f.add("bert", people.Supervisor)
	f.did(f.Remove(t.Context(), console, "bert"))
	f.refused(people.Attempt{Name: "bert", Password: annas, From: here}, people.WhyWrong)
	for what, err := range map[string]error{
		"added":   second(f.Add(t.Context(), console, "bert", people.Viewer, annas)),
		"removed": f.Remove(t.Context(), console, "bert"),
		"roled":   f.SetRole(t.Context(), console, "bert", people.Viewer),
		"unknown": f.SetRole(t.Context(), console, "carl", people.Viewer),
		"here":    second(f.Restore(t.Context(), console, "anna", people.Viewer)),
	} {
		if err == nil {
			t.Errorf("%s: it is done", what)
		}
	}
	start, err := f.Restore(t.Context(), console, "bert", people.Technician)
	f.did(err)
	f.refused(people.Attempt{Name: "bert", Password: annas, From: here}, people.WhyWrong)
	if in := f.enter(people.Attempt{Name: "bert", Password: start, From: here}); in.Person.Role != people.Technician {
		t.Errorf("bert is %s", in.Person.Role)
	}
}

func second(_ string, err error) error { return err }

func TestBadPeople(t *testing.T) {
	f := open(t)
	for _, c := range []struct {
		name     string
		role     people.Role
		password string
	}{
		{"", people.Viewer, annas},
		{" x", people.Viewer, annas},
		{strings.Repeat("x", 33), people.Viewer, annas},
		{"x", 0, annas},
		{"x", 9, annas},
		{"x", people.Viewer, "short"},
	} {
		if _, err := f.Add(t.Context(), console, c.name, c.role, c.password); err == nil {
			t.Errorf("%+v is taken", c)
		}
	}
}

// TestSessionsOfOnePerson: the eleventh ends the one that was used longest ago.
func TestSessionsOfOnePerson(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t)
		var tokens []string
		for range 11 {
			tokens = append(tokens, f.anna().Token)
			bubble.Pass(time.Second)
		}
		f.out("the oldest", tokens[0])
		for _, token := range tokens[1:] {
			if _, in := f.in(token); !in {
				t.Error("more than the oldest ended")
			}
		}
		all, sessions, err := f.All(t.Context())
		if f.did(err); len(all) != 1 || len(sessions["anna"]) != 10 {
			t.Errorf("%d people have %d sessions", len(all), len(sessions["anna"]))
		}
	})
}

// TestAwayStore: without the store nobody enters, and nothing counts as done.
func TestAwayStore(t *testing.T) {
	f := open(t)
	in := f.anna()
	away := errors.New("the database is away")
	f.store.Fail(away)
	_, err := f.Enter(t.Context(), people.Attempt{Name: "anna", Password: annas, From: here})
	_, ok, unread := f.Session(t.Context(), in.Token, false)
	if !errors.Is(err, away) || !errors.Is(unread, away) || ok {
		t.Errorf("got %v, %v, %v", err, unread, ok)
	}
	if err := f.Note(t.Context(), console, "x", "", ""); !errors.Is(err, away) {
		t.Errorf("a note gives %v", err)
	}
}

// TestTriesAtOnce: however many tries come at the same time, no more are checked than are free.
func TestTriesAtOnce(t *testing.T) {
	f := open(t)
	var wg sync.WaitGroup
	var mu sync.Mutex
	checked := 0
	for range 20 {
		wg.Go(func() {
			_, err := f.Enter(t.Context(), people.Attempt{Name: "anna", Password: "guess", From: here})
			var r *people.Refusal
			if errors.As(err, &r) && r.Why == people.WhyWrong {
				mu.Lock()
				defer mu.Unlock()
				checked++
			}
		})
	}
	wg.Wait()
	if checked != 5 {
		t.Errorf("%d passwords were checked", checked)
	}
}

func TestRoles(t *testing.T) {
	want := map[people.Role]string{
		people.Viewer: "viewer", people.Cashier: "viewer cashier", people.Supervisor: "viewer cashier supervisor",
		people.Technician: "viewer technician",
		people.Manager:    "viewer cashier supervisor technician manager", 0: "", 9: "",
	}
	for role, may := range want {
		var got []string
		for _, least := range append(people.Roles(), 0, 9) {
			if role.May(least) {
				got = append(got, least.String())
			}
		}
		if strings.Join(got, " ") != may {
			t.Errorf("%s may do what %v may", role, got)
		}
	}
	if _, err := people.ParseRole("boss"); err == nil {
		t.Error("boss is a role")
	}
}

// between does something before the second change of a store.
type between struct {
	people.Store
	changes int
	then    func()
}

func (b *between) ChangePeople(ctx context.Context, change func(people.Tx) error) error {
	if b.changes++; b.changes == 2 {
		b.then()
	}
	return b.Store.ChangePeople(ctx, change)
}

// TestChangedMeanwhile: a person who is removed, or has another password, while theirs is being checked does not
// enter; and who was removed in the database itself is out.
func TestChangedMeanwhile(t *testing.T) {
	f := open(t)
	f.add("bert", people.Viewer)
	in := f.enter(people.Attempt{Name: "bert", Password: annas, From: here})
	slow := &between{Store: f.store, then: func() {
		f.did(f.store.ChangePeople(t.Context(), func(tx people.Tx) error {
			one, _, err := tx.Person("bert")
			one.Removed = time.Now()
			return errors.Join(err, tx.PutPerson(one))
		}))
	}}
	p, err := people.New(people.Options{Store: slow})
	f.did(err)
	_, err = p.Enter(t.Context(), people.Attempt{Name: "bert", Password: annas, From: here})
	var r *people.Refusal
	if !errors.As(err, &r) || r.Why != people.WhyWrong || slow.changes != 2 {
		t.Errorf("bert gets %v after %d changes", err, slow.changes)
	}
	f.out("removed in the database", in.Token)
}

// afterwards does something after the store was read, before whoever has read it goes on.
type afterwards struct {
	people.Store
	do func()
}

func (s *afterwards) ReadPeople(ctx context.Context, read func(people.Tx) error) error {
	err := s.Store.ReadPeople(ctx, read)
	if do := s.do; do != nil {
		s.do = nil
		do()
	}
	return err
}

// TestLeavesMeanwhile: whose session ends while a stream of theirs is let in does not watch once the store is away.
func TestLeavesMeanwhile(t *testing.T) {
	f := open(t)
	store := &afterwards{Store: f.store}
	var err error
	if f.People, err = people.New(people.Options{Store: store}); err != nil {
		t.Fatal(err)
	}
	in := f.anna()
	store.do = func() { f.did(f.Leave(t.Context(), in.Token, here)) }
	if _, _, err := f.Session(t.Context(), in.Token, true); err != nil {
		t.Fatal(err)
	}
	f.store.Fail(errors.New("the database is away"))
	if _, in, err := f.Session(t.Context(), in.Token, true); in || err == nil {
		t.Errorf("who has left watches: %t, %v", in, err)
	}
}

// TestWatchesWhileAway: a screen that loses its stream while the store is away watches again, as long as its session
// would have lasted. Nobody does anything, nobody watches who did not before, and nobody whose session has ended.
func TestWatchesWhileAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t)
		known, left, strange := f.anna(), f.anna(), f.anna()
		away := errors.New("the database is away")
		watches := func(token string, want bool) {
			t.Helper()
			if who, in, err := f.Session(t.Context(), token, true); in != want || in && who.Person.Name != "anna" {
				t.Errorf("who watches is in: %t, %v: %v", in, who.Person.Name, err)
			}
		}
		watches(known.Token, true)
		watches(left.Token, true)
		f.did(f.Leave(t.Context(), left.Token, here))
		f.store.Fail(away)
		watches(known.Token, true)
		watches(left.Token, false)
		watches(strange.Token, false)
		if _, in, err := f.Session(t.Context(), known.Token, false); in || !errors.Is(err, away) {
			t.Errorf("who does something is in: %t, %v", in, err)
		}
		bubble.Pass(time.Hour)
		watches(known.Token, false)
	})
}
