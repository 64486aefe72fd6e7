package practice

import (
	"cmp"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"time"
)

// The scheme by which a course goes on, in exercises; see the package's description.
const (
	soon  = 2 // others before a mistake comes back
	later = 5 // others before it comes back once more
	rise  = 5 // right in a row: the level rises
	fall  = 3 // wrong in a row: the level falls
)

// Attempt is an exercise that a trainee has done.
type Attempt struct {
	At time.Time `json:"at"`
	ID
	// About is the topic that it was about.
	About string `json:"about"`
	// Given is what was answered or, of an incident, how it was put right.
	Given string `json:"given"`
	Right bool   `json:"right"`
	// Took is in milliseconds.
	Took int64 `json:"took_ms"`
	// Mistakes are those of an incident.
	Mistakes []Mistake `json:"mistakes,omitempty"`
}

// Course is where a trainee stands in the exercises of one kind in one house.
type Course struct {
	House string
	Kind  Kind
	Level int

	done  int // attempts
	row   int // right in a row; below zero, wrong
	again []repeat
	tried map[string]tally
}

// repeat is a mistake that comes back.
type repeat struct {
	id    ID
	due   int // how many attempts there are by then
	right int // times in a row since the mistake
}

// tally counts attempts on a topic.
type tally struct{ all, wrong int }

// Follow works out a course from a trainee's attempts, the oldest first. Those of other courses do not count.
func Follow(house string, k Kind, attempts []Attempt) *Course {
	c := &Course{House: house, Kind: k, Level: 1, tried: map[string]tally{}}
	for _, a := range attempts {
		if a.House == house && a.Kind == k {
			c.follow(a)
		}
	}
	return c
}

func (c *Course) follow(a Attempt) {
	c.done++
	t := c.tried[a.About]
	t.all++
	if !a.Right {
		t.wrong++
	}
	c.tried[a.About] = t
	c.repeat(a)
	c.grade(a.Right)
}

// repeat says when what was done comes back.
func (c *Course) repeat(a Attempt) {
	at := slices.IndexFunc(c.again, func(r repeat) bool { return r.id == a.ID })
	switch {
	case at < 0 && a.Right:
	case at < 0:
		c.again = append(c.again, repeat{id: a.ID, due: c.done + soon})
	case !a.Right:
		c.again[at].due, c.again[at].right = c.done+soon, 0
	case c.again[at].right > 0:
		c.again = slices.Delete(c.again, at, at+1)
	default:
		c.again[at].due, c.again[at].right = c.done+later, 1
	}
}

// grade raises and lowers the level.
func (c *Course) grade(right bool) {
	switch {
	case right:
		c.row = max(c.row, 0) + 1
	default:
		c.row = min(c.row, 0) - 1
	}
	switch {
	case c.row == rise:
		c.Level, c.row = min(c.Level+1, Levels), 0
	case c.row == -fall:
		c.Level, c.row = max(c.Level-1, 1), 0
	}
}

// Again counts the mistakes that will still come back.
func (c *Course) Again() int { return len(c.again) }

// Next is the exercise that comes next, of those topics. It is the same until it has been done. again says that it is
// a mistake that comes back.
func (c *Course) Next(name string, topics []string) (id ID, again bool) {
	due := slices.DeleteFunc(slices.Clone(c.again), func(r repeat) bool { return r.due > c.done })
	if len(due) > 0 {
		return slices.MinFunc(due, func(a, b repeat) int { return cmp.Compare(a.due, b.due) }).id, true
	}
	seed := fnv.New64a()
	seed.Write([]byte(name + "\x00" + c.House + "\x00" + c.Kind.String()))
	dice := rand.New(rand.NewPCG(seed.Sum64(), uint64(c.done)))
	return ID{House: c.House, Kind: c.Kind, Level: c.Level, Seed: uint64(dice.Uint32()), Topic: c.topic(dice, topics)},
		false
}

// topic chooses one: more often what was never tried, or went wrong.
func (c *Course) topic(dice *rand.Rand, topics []string) string {
	const untried, least, wrong = 12, 2, 10
	weights, sum := make([]int, len(topics)), 0
	for i, topic := range topics {
		weights[i] = untried
		if t := c.tried[topic]; t.all > 0 {
			weights[i] = least + wrong*t.wrong/t.all
		}
		sum += weights[i]
	}
	if sum == 0 {
		return ""
	}
	for i, at := 0, dice.IntN(sum); ; i++ {
		if at -= weights[i]; at < 0 {
			return topics[i]
		}
	}
}
