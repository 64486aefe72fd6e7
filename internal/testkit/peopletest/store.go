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
	at := time.Date(2026, 3, 29, 20, 1, 2, 3000, time.UTC)
	change := func(what func(people.Tx) error) {
		t.Helper()
		if err := s.ChangePeople(t.Context(), what); err != nil {
			t.Fatal(err)
		}
	}
	anna := people.Person{
		Name: "anna", Role: people.Manager, Password: "$argon2id$…",
		StartUntil: at.Add(time.Hour), Added: at,
	}
	bert := people.Person{
		Name: "Bert 李", Role: people.Viewer, Subject: "https://id.example 4711", Added: at,
		Removed: at.Add(time.Minute),
	}
	session := people.Session{ID: people.ID{1}, Name: "anna", Began: at, Used: at.Add(time.Second), From: "fe80::1"}
	older := people.Session{ID: people.ID{2}, Name: "anna", Began: at, Used: at, From: "10.0.0.1"}
	tries := people.Tries{Wrong: 7, Last: at, Until: at.Add(time.Minute), Told: true}
	change(func(tx people.Tx) error {
		return errors.Join(tx.PutPerson(anna), tx.PutPerson(bert), tx.PutSession(older), tx.PutSession(session),
			tx.PutTries("pair a x", tries), tx.PutTries("pair a y", tries), tx.PutTries("name a", tries),
			tx.PutBrowser(people.ID{8}, "anna", at), tx.PutBrowser(people.ID{9}, "anna", at.Add(time.Second)))
	})
	for i := range 5 {
		change(func(tx people.Tx) error {
			return tx.Note(people.Entry{
				At: at, Who: []string{"anna", ""}[i%2], From: "here", What: people.Entered,
				About: "bj-" + strconv.Itoa(i), Detail: "„x“",
			})
		})
	}
	refused := errors.New("refused")
	err := s.ChangePeople(t.Context(), func(tx people.Tx) error {
		return errors.Join(tx.PutPerson(people.Person{Name: "carl", Role: people.Viewer, Added: at}),
			tx.EndSession(session.ID), tx.Note(people.Entry{At: at, What: people.Left}), refused)
	})
	if !errors.Is(err, refused) {
		t.Errorf("a change that fails gives %v", err)
	}
	kept(t, s, func(tx people.Tx) {
		same(t, "a person")(tx.Person("anna"))(anna, true)
		same(t, "nobody")(tx.Person("carl"))(people.Person{}, false)
		same(t, "a subject")(tx.PersonBySubject(bert.Subject))(bert, true)
		same(t, "no subject")(tx.PersonBySubject(""))(people.Person{}, false)
		same(t, "a session")(tx.Session(session.ID))(session, true)
		same(t, "no session")(tx.Session(people.ID{77}))(people.Session{}, false)
		same(t, "a browser")(tx.Browser(people.ID{9}))("anna", true)
		equal(t, "all people", must(tx.Persons()), []people.Person{bert, anna})
		equal(t, "sessions", must(tx.Sessions("anna")), []people.Session{session, older})
		equal(t, "tries", must(tx.Tries("pair a x")), tries)
		equal(t, "no tries", must(tx.Tries("pair b x")), people.Tries{})
		var numbers []uint64
		for _, e := range must(tx.Notes(people.Query{Before: 5, Who: "anna", Most: 10})) {
			numbers = append(numbers, e.Number)
		}
		equal(t, "the log", numbers, []uint64{3, 1})
		equal(t, "what is about a table", must(tx.Notes(people.Query{Who: "bj-4", Most: 2})),
			[]people.Entry{{
				Number: 5, At: at, Who: "anna", From: "here", What: people.Entered, About: "bj-4",
				Detail: "„x“",
			}})
		equal(t, "the newest", len(must(tx.Notes(people.Query{Most: 2}))), 2)
	})
	anna.Role, anna.StartUntil = people.Viewer, time.Time{}
	change(func(tx people.Tx) error {
		return errors.Join(tx.PutPerson(anna), tx.ForgetBrowsers("anna", 1), tx.ForgetTries("pair a "),
			tx.PutTries("name a", people.Tries{}), tx.PutTries("place", tries))
	})
	kept(t, s, func(tx people.Tx) {
		same(t, "a changed person")(tx.Person("anna"))(anna, true)
		same(t, "the older browser")(tx.Browser(people.ID{8}))("", false)
		same(t, "the newer browser")(tx.Browser(people.ID{9}))("anna", true)
		for _, key := range []string{"pair a x", "pair a y", "name a"} {
			equal(t, key, must(tx.Tries(key)), people.Tries{})
		}
	})
	change(func(tx people.Tx) error { return tx.Sweep(session.Used, at, at) })
	kept(t, s, func(tx people.Tx) {
		equal(t, "sessions that are not over", must(tx.Sessions("anna")), []people.Session{session})
		equal(t, "young tries", must(tx.Tries("place")), tries)
	})
	change(func(tx people.Tx) error { return tx.Sweep(at, at, at.Add(time.Nanosecond*1000)) })
	change(func(tx people.Tx) error { return tx.EndSession(session.ID) })
	kept(t, s, func(tx people.Tx) {
		equal(t, "no sessions", len(must(tx.Sessions("anna"))), 0)
		equal(t, "old tries", must(tx.Tries("place")), people.Tries{})
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
