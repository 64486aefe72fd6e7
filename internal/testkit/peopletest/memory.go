// Package peopletest is what people at the pit need besides the pit: a store of people in memory, with the tests that
// every store passes; a small provider of identities, with real requests and real signatures; and a push service with
// its browsers, which checks what it is sent as RFC 8030, 8188, 8291 and 8292 say and decrypts it as a browser does.
package peopletest

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sabot-table/sabot/pit/people"
)

// Memory is a people.Store that forgets everything at its end.
type Memory struct {
	mu   sync.Mutex
	kept state
	err  error
}

type state struct {
	persons  map[string]people.Person
	sessions map[people.ID]people.Session
	browsers map[people.ID]browser
	tries    map[string]people.Tries
	log      []people.Entry
}

type browser struct {
	name string
	at   time.Time
}

// NewMemory returns an empty store.
func NewMemory() *Memory {
	return &Memory{kept: state{
		map[string]people.Person{},
		map[people.ID]people.Session{},
		map[people.ID]browser{},
		map[string]people.Tries{},
		nil,
	}}
}

// Copy returns a store of its own with the same content.
func (m *Memory) Copy() *Memory {
	m.mu.Lock()
	defer m.mu.Unlock()
	return &Memory{kept: m.kept.clone(), err: m.err}
}

// Fail lets everything fail with this error, nil for nothing.
func (m *Memory) Fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.err = err
}

// ReadPeople shows the store.
func (m *Memory) ReadPeople(_ context.Context, read func(people.Tx) error) error {
	m.mu.Lock()
	if m.err != nil {
		defer m.mu.Unlock()
		return m.err
	}
	now := m.kept.clone()
	m.mu.Unlock()
	return read(&now)
}

// ChangePeople changes it, or leaves it as it is where change fails.
func (m *Memory) ChangePeople(_ context.Context, change func(people.Tx) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.err != nil {
		return m.err
	}
	next := m.kept.clone()
	if err := change(&next); err != nil {
		return err
	}
	m.kept = next
	return nil
}

func (s state) clone() state {
	s.persons, s.sessions = maps.Clone(s.persons), maps.Clone(s.sessions)
	s.browsers, s.tries = maps.Clone(s.browsers), maps.Clone(s.tries)
	s.log = slices.Clip(s.log)
	return s
}

func (s *state) Person(name string) (people.Person, bool, error) {
	one, known := s.persons[name]
	return one, known, nil
}

func (s *state) PersonBySubject(subject string) (people.Person, bool, error) {
	for _, one := range s.persons {
		if one.Subject == subject && subject != "" {
			return one, true, nil
		}
	}
	return people.Person{}, false, nil
}

func (s *state) Persons() ([]people.Person, error) {
	return slices.SortedFunc(maps.Values(s.persons),
		func(x, y people.Person) int { return strings.Compare(x.Name, y.Name) }), nil
}

func (s *state) PutPerson(one people.Person) error {
	s.persons[one.Name] = one
	return nil
}

func (s *state) Session(id people.ID) (people.Session, bool, error) {
	one, known := s.sessions[id]
	return one, known, nil
}

func (s *state) Sessions(name string) (all []people.Session, err error) {
	for _, one := range s.sessions {
		if one.Name == name {
			all = append(all, one)
		}
	}
	slices.SortFunc(all, func(x, y people.Session) int {
		return cmp.Or(y.Used.Compare(x.Used), y.Began.Compare(x.Began))
	})
	return all, nil
}

func (s *state) PutSession(one people.Session) error {
	s.sessions[one.ID] = one
	return nil
}

func (s *state) EndSession(id people.ID) error {
	delete(s.sessions, id)
	return nil
}

func (s *state) Browser(id people.ID) (string, bool, error) {
	one, known := s.browsers[id]
	return one.name, known, nil
}

func (s *state) PutBrowser(id people.ID, name string, at time.Time) error {
	s.browsers[id] = browser{name, at}
	return nil
}

func (s *state) ForgetBrowsers(name string, but int) error {
	var all []people.ID
	for id, one := range s.browsers {
		if one.name == name {
			all = append(all, id)
		}
	}
	slices.SortFunc(all, func(x, y people.ID) int { return s.browsers[y].at.Compare(s.browsers[x].at) })
	for _, id := range all[min(but, len(all)):] {
		delete(s.browsers, id)
	}
	return nil
}

func (s *state) Tries(key string) (people.Tries, error) { return s.tries[key], nil }

func (s *state) PutTries(key string, t people.Tries) error {
	if t == (people.Tries{}) {
		delete(s.tries, key)
	} else {
		s.tries[key] = t
	}
	return nil
}

func (s *state) ForgetTries(prefix string) error {
	maps.DeleteFunc(s.tries, func(key string, _ people.Tries) bool { return strings.HasPrefix(key, prefix) })
	return nil
}

func (s *state) Sweep(idle, began, tried time.Time) error {
	maps.DeleteFunc(s.sessions, func(_ people.ID, one people.Session) bool {
		return one.Used.Before(idle) || one.Began.Before(began)
	})
	maps.DeleteFunc(s.tries, func(_ string, t people.Tries) bool { return t.Last.Before(tried) })
	return nil
}

func (s *state) Note(e people.Entry) error {
	e.Number = uint64(len(s.log)) + 1
	s.log = append(s.log, e)
	return nil
}

func (s *state) Notes(q people.Query) (found []people.Entry, err error) {
	for _, e := range slices.Backward(s.log) {
		if (q.Before == 0 || e.Number < q.Before) && (q.Who == "" || e.Who == q.Who || e.About == q.Who) &&
			len(found) < q.Most {
			found = append(found, e)
		}
	}
	return found, nil
}
