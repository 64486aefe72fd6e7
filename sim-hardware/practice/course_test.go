package practice

import (
	"testing"

	"pgregory.net/rapid"

	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
)

// learner answers the exercises of one course, and is right where it is told to be.
type learner struct {
	course   *Course
	attempts []Attempt
}

var someTopics = []string{"bank/draws", "bank/stands", "bank/second-card"}

func (l *learner) next(right bool) (ID, bool) {
	l.course = Follow("baden", Bank, l.attempts)
	id, again := l.course.Next("anna", someTopics)
	l.attempts = append(l.attempts, Attempt{ID: id, About: id.Topic, Right: right})
	l.course = Follow("baden", Bank, l.attempts)
	return id, again
}

// TestMistakeComesBack after two others, and after five more; right twice in a row, it is learnt.
func TestMistakeComesBack(t *testing.T) {
	var l learner
	missed, _ := l.next(false)
	var came []int
	for n := 1; n <= 30; n++ {
		id, again := l.next(true)
		if (id == missed) != again {
			t.Fatalf("exercise %d is %+v, again: %v", n, id, again)
		}
		if again {
			came = append(came, n)
		}
	}
	if len(came) != 2 || came[0] != soon+1 || came[1] != came[0]+later+1 || l.course.Again() != 0 {
		t.Errorf("the mistake came back at %v, %d are left", came, l.course.Again())
	}
}

// TestWrongAgain: a mistake that is made again begins anew.
func TestWrongAgain(t *testing.T) {
	var l learner
	missed, _ := l.next(false)
	came := 0
	for n := 1; n <= 40; n++ {
		l.course = Follow("baden", Bank, l.attempts)
		id, _ := l.course.Next("anna", someTopics)
		right := true
		if id == missed {
			came++
			right = came != 2 // right, wrong, right, right
		}
		l.next(right)
	}
	if came != 4 || l.course.Again() != 0 {
		t.Errorf("it came %d times, and %d are left", came, l.course.Again())
	}
}

// TestLevels: five right in a row raise it, three wrong lower it, and it stays within its bounds.
func TestLevels(t *testing.T) {
	var l learner
	for n := range rise * (Levels + 2) {
		if want := min(1+n/rise, Levels); l.course != nil && l.course.Level != want {
			t.Fatalf("after %d right answers the level is %d, not %d", n, l.course.Level, want)
		}
		l.next(true)
	}
	for range fall {
		l.next(false)
	}
	if l.course.Level != Levels-1 {
		t.Errorf("after %d wrong answers the level is %d", fall, l.course.Level)
	}
	for range fall * Levels {
		l.next(false)
	}
	if l.course.Level != 1 {
		t.Errorf("the lowest level is %d", l.course.Level)
	}
}

// TestCoursesAreApart: what is done in one house or kind says nothing of another, and each trainee has exercises of
// their own.
func TestCoursesAreApart(t *testing.T) {
	attempts := []Attempt{{ID: ID{House: "baden", Kind: Bank, Level: 1, Seed: 3}, About: "bank/draws"}}
	for _, c := range []*Course{Follow("wiesbaden", Bank, attempts), Follow("baden", Payouts, attempts)} {
		if c.done != 0 || c.Again() != 0 {
			t.Errorf("%s %s: %+v", c.House, c.Kind, c)
		}
	}
	c := Follow("baden", Bank, nil)
	one, _ := c.Next("anna", someTopics)
	other, _ := c.Next("ben", someTopics)
	if one == other {
		t.Error("two trainees have the same exercise")
	}
}

// TestNoMistakeIsForgotten: whatever is answered, an exercise that was wrong last, or right once since, comes back, and
// the others do not.
func TestNoMistakeIsForgotten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l learner
		owed := map[ID]int{} // how often it must still be right
		for range rapid.IntRange(1, 60).Draw(t, "exercises") {
			right := rapid.Bool().Draw(t, "right")
			id, again := l.next(right)
			left, known := owed[id]
			if known != again {
				t.Fatalf("%+v: again %v, though %d are owed", id, again, left)
			}
			switch {
			case !right:
				owed[id] = 2
			case left == 1:
				delete(owed, id)
			case left == 2:
				owed[id] = 1
			}
			if len(owed) != l.course.Again() {
				t.Fatalf("%d are owed, the course says %d", len(owed), l.course.Again())
			}
		}
	})
}

// TestWeakTopicsComeMoreOften than those that always went right.
func TestWeakTopicsComeMoreOften(t *testing.T) {
	var l learner
	came := map[string]int{}
	for range 300 {
		c := Follow("baden", Bank, l.attempts)
		id, again := c.Next("anna", someTopics)
		if !again {
			came[id.Topic]++
		}
		l.next(id.Topic != "bank/stands")
	}
	if came["bank/stands"] < came["bank/draws"]*3/2 {
		t.Errorf("what always goes wrong comes no more often: %v", came)
	}
}
