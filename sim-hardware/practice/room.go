package practice

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/sabot-table/sabot/table/profile"
)

// longest is the most that one exercise is said to take: whoever needs longer has left.
const longest = 10 * time.Minute

// Room is where trainees practise: it asks, judges, measures the time, and keeps the results. Every method may be
// called from any goroutine.
type Room struct {
	*Results
	Houses profile.Book

	mu   sync.Mutex
	open map[seat]*Asked
}

// seat is one trainee's place in one course.
type seat struct {
	name, house string
	kind        Kind
}

// Asked is an exercise that a trainee has been asked.
type Asked struct {
	Exercise
	// At is when.
	At time.Time
	// Repeated says that it is a mistake that comes back.
	Repeated bool
	// Done is set once it is answered: what was given, and whether it was right.
	Done *Attempt
}

// NewRoom opens a room whose results are kept there.
func NewRoom(houses profile.Book, kept *Results) *Room {
	return &Room{Results: kept, Houses: houses, open: map[seat]*Asked{}}
}

// Course is where a trainee stands.
func (r *Room) Course(name, house string, k Kind) (*Course, error) {
	done, err := r.Of(name)
	return Follow(house, k, done), err
}

// Ask returns what a trainee is asked: the same exercise until Next, so that looking again is no way out.
func (r *Room) Ask(name, house string, k Kind) (Asked, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := seat{name, house, k}
	if asked := r.open[at]; asked != nil {
		return *asked, nil
	}
	rules, known := r.Houses[house]
	if !known {
		return Asked{}, &profile.UnknownError{House: house}
	}
	if err := NameFault(name); err != nil {
		return Asked{}, err
	}
	course, err := r.Course(name, house, k)
	if err != nil {
		return Asked{}, err
	}
	id, again := course.Next(name, Topics(rules.Rules, k, course.Level))
	e, err := Make(rules, id)
	if err != nil {
		return Asked{}, err
	}
	asked := &Asked{Exercise: e, At: r.now(), Repeated: again}
	r.open[at] = asked
	return *asked, nil
}

// ErrNotAsked is an answer to an exercise that is not asked any more: on another screen, it was answered already.
var ErrNotAsked = errors.New("this exercise is not asked any more: look at the page again")

// Answer takes an answer to the exercise with that seed, and keeps it. It returns once it is kept.
func (r *Room) Answer(name, house string, k Kind, seed uint64, text string) (Asked, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	asked := r.open[seat{name, house, k}]
	if asked == nil || asked.Done != nil || asked.Seed != seed {
		return Asked{}, ErrNotAsked
	}
	given, err := ParseAnswer(k, text, asked.Shows.Digits)
	if err != nil {
		return Asked{}, fmt.Errorf("the answer cannot be read: %w", err)
	}
	now := r.now()
	done := Attempt{
		At: now.UTC().Truncate(time.Millisecond), ID: asked.ID, About: asked.About,
		Given: given.Text(k, asked.Shows.Digits),
		Right: asked.Judge(given),
		Took:  min(now.Sub(asked.At), longest).Milliseconds(),
	}
	if err := r.Add(name, done); err != nil {
		return Asked{}, err
	}
	asked.Done = &done
	return *asked, nil
}

// Next leaves an exercise that is answered.
func (r *Room) Next(name, house string, k Kind) {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := seat{name, house, k}
	if asked := r.open[at]; asked != nil && asked.Done != nil {
		delete(r.open, at)
	}
}

// Keep keeps how a trainee put an incident right.
func (r *Room) Keep(name string, id ID, o Outcome) (Attempt, error) {
	a := Attempt{
		At: r.now().UTC().Truncate(time.Millisecond), ID: id, About: id.Topic, Given: o.Given,
		Right: len(o.Mistakes) == 0, Took: min(o.Took, longest).Milliseconds(), Mistakes: o.Mistakes,
	}
	return a, r.Add(name, a)
}

// Forget deletes a trainee's results.
func (r *Room) Forget(name string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for at := range r.open {
		if at.name == name {
			delete(r.open, at)
		}
	}
	return r.Delete(name)
}
