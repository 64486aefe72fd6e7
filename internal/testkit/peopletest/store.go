package peopletest

import (
	"context"
	"errors"
	"reflect"
	"strconv"
	"testing"
	"time"

	"github.com/sabot-table/sabot/pit/people"
)

// Store tests a store: it keeps what it is given, and all of a change or nothing.
func Store(t *testing.T, s people.Store) {
	t.Helper()
	x := newExam(t, s)
	x.fill()
	x.refuse()
	x.read()
	x.alter()
	x.sweep()
}

// exam is a test of a store, with those whom it is to keep.
type exam struct {
	t              *testing.T
	s              people.Store
	at             time.Time
	anna, bert     people.Person
	session, older people.Session
	tries          people.Tries
}

func newExam(t *testing.T, s people.Store) *exam {
	x := &exam{t: t, s: s, at: time.Date(2026, 3, 29, 20, 1, 2, 3000, time.UTC)}
	x.anna = people.Person{
		Name: "anna", Role: people.Manager, Password: "$argon2id$…",
		StartUntil: x.at.Add(time.Hour), Added: x.at,
	}
	x.bert = people.Person{
		Name: "Bert 李", Role: people.Viewer, Subject: "https://id.example 4711", Added: x.at,
		Removed: x.at.Add(time.Minute),
	}
	x.session = people.Session{
		ID: people.ID{1}, Name: "anna", Began: x.at, Used: x.at.Add(time.Second),
		From: "fe80::1",
	}
	x.older = people.Session{ID: people.ID{2}, Name: "anna", Began: x.at, Used: x.at, From: "10.0.0.1"}
	x.tries = people.Tries{Wrong: 7, Last: x.at, Until: x.at.Add(time.Minute), Told: true}
	return x
}

func (x *exam) change(what func(people.Tx) error) {
	x.t.Helper()
	if err := x.s.ChangePeople(x.t.Context(), what); err != nil {
		x.t.Fatal(err)
	}
}

// fill gives the store people, sessions, wrong tries, browsers and notes.
func (x *exam) fill() {
	x.change(func(tx people.Tx) error {
		return errors.Join(tx.PutPerson(x.anna), tx.PutPerson(x.bert), tx.PutSession(x.older), tx.PutSession(x.session),
			tx.PutTries("pair a x", x.tries), tx.PutTries("pair a y", x.tries), tx.PutTries("name a", x.tries),
			tx.PutBrowser(people.ID{8}, "anna", x.at), tx.PutBrowser(people.ID{9}, "anna", x.at.Add(time.Second)))
	})
	for i := range 5 {
		x.change(func(tx people.Tx) error {
			return tx.Note(people.Entry{
				At: x.at, Who: []string{"anna", ""}[i%2], From: "here", What: people.Entered,
				About: "bj-" + strconv.Itoa(i), Detail: "„x“",
			})
		})
	}
}

// refuse begins a change that fails: nothing of it is kept.
func (x *exam) refuse() {
	refused := errors.New("refused")
	err := x.s.ChangePeople(x.t.Context(), func(tx people.Tx) error {
		return errors.Join(tx.PutPerson(people.Person{Name: "carl", Role: people.Viewer, Added: x.at}),
			tx.EndSession(x.session.ID), tx.Note(people.Entry{At: x.at, What: people.Left}), refused)
	})
	if !errors.Is(err, refused) {
		x.t.Errorf("a change that fails gives %v", err)
	}
}

// read finds what was given, and nothing else.
func (x *exam) read() {
	kept(x.t, x.s, func(tx people.Tx) {
		same(x.t, "a person")(tx.Person("anna"))(x.anna, true)
		same(x.t, "nobody")(tx.Person("carl"))(people.Person{}, false)
		same(x.t, "a subject")(tx.PersonBySubject(x.bert.Subject))(x.bert, true)
		same(x.t, "no subject")(tx.PersonBySubject(""))(people.Person{}, false)
		same(x.t, "a session")(tx.Session(x.session.ID))(x.session, true)
		same(x.t, "no session")(tx.Session(people.ID{77}))(people.Session{}, false)
		same(x.t, "a browser")(tx.Browser(people.ID{9}))("anna", true)
		equal(x.t, "all people", must(tx.Persons()), []people.Person{x.bert, x.anna})
		equal(x.t, "sessions", must(tx.Sessions("anna")), []people.Session{x.session, x.older})
		equal(x.t, "tries", must(tx.Tries("pair a x")), x.tries)
		equal(x.t, "no tries", must(tx.Tries("pair b x")), people.Tries{})
		var numbers []uint64
		for _, e := range must(tx.Notes(people.Query{Before: 5, Who: "anna", Most: 10})) {
			numbers = append(numbers, e.Number)
		}
		equal(x.t, "the log", numbers, []uint64{3, 1})
		equal(x.t, "what is about a table", must(tx.Notes(people.Query{Who: "bj-4", Most: 2})),
			[]people.Entry{{
				Number: 5, At: x.at, Who: "anna", From: "here", What: people.Entered, About: "bj-4",
				Detail: "„x“",
			}})
		equal(x.t, "the newest", len(must(tx.Notes(people.Query{Most: 2}))), 2)
	})
}

// alter changes and forgets some of it.
func (x *exam) alter() {
	x.anna.Role, x.anna.StartUntil = people.Viewer, time.Time{}
	x.change(func(tx people.Tx) error {
		return errors.Join(tx.PutPerson(x.anna), tx.ForgetBrowsers("anna", 1), tx.ForgetTries("pair a "),
			tx.PutTries("name a", people.Tries{}), tx.PutTries("place", x.tries))
	})
	kept(x.t, x.s, func(tx people.Tx) {
		same(x.t, "a changed person")(tx.Person("anna"))(x.anna, true)
		same(x.t, "the older browser")(tx.Browser(people.ID{8}))("", false)
		same(x.t, "the newer browser")(tx.Browser(people.ID{9}))("anna", true)
		for _, key := range []string{"pair a x", "pair a y", "name a"} {
			equal(x.t, key, must(tx.Tries(key)), people.Tries{})
		}
	})
}

// sweep forgets what is over and old.
func (x *exam) sweep() {
	x.change(func(tx people.Tx) error { return tx.Sweep(x.session.Used, x.at, x.at) })
	kept(x.t, x.s, func(tx people.Tx) {
		equal(x.t, "sessions that are not over", must(tx.Sessions("anna")), []people.Session{x.session})
		equal(x.t, "young tries", must(tx.Tries("place")), x.tries)
	})
	x.change(func(tx people.Tx) error { return tx.Sweep(x.at, x.at, x.at.Add(time.Nanosecond*1000)) })
	x.change(func(tx people.Tx) error { return tx.EndSession(x.session.ID) })
	kept(x.t, x.s, func(tx people.Tx) {
		equal(x.t, "no sessions", len(must(tx.Sessions("anna"))), 0)
		equal(x.t, "old tries", must(tx.Tries("place")), people.Tries{})
	})
}

func kept(t *testing.T, s people.Store, look func(people.Tx)) {
	t.Helper()
	err := s.ReadPeople(context.Background(), func(tx people.Tx) error { look(tx); return nil })
	if err != nil {
		t.Error(err)
	}
}

// same compares a look-up with what it is to find.
func same(t *testing.T, what string) func(got any, found bool, err error) func(want any, there bool) {
	return func(got any, found bool, err error) func(any, bool) {
		return func(want any, there bool) {
			t.Helper()
			if err != nil || found != there || found && !reflect.DeepEqual(got, want) {
				t.Errorf("%s is %+v, %v, %v; want %+v, %v", what, got, found, err, want, there)
			}
		}
	}
}

// must panics with an error: a test ends there.
func must[T any](got T, err error) T {
	if err != nil {
		panic(err)
	}
	return got
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %+v, want %+v", what, got, want)
	}
}
