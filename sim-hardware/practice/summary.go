package practice

import (
	"slices"
	"time"
)

// Score sums attempts up.
type Score struct {
	Done, Right int
	// Median is the median of the times.
	Median time.Duration
}

// Percent is how many of a hundred were right.
func (s Score) Percent() int {
	if s.Done == 0 {
		return 0
	}
	return 100 * s.Right / s.Done
}

// ScoreOf sums up attempts.
func ScoreOf(attempts []Attempt) Score {
	s := Score{Done: len(attempts)}
	var took []int64
	for _, a := range attempts {
		took = append(took, a.Took)
		if a.Right {
			s.Right++
		}
	}
	if len(took) > 0 {
		slices.Sort(took)
		middle := (took[(len(took)-1)/2] + took[len(took)/2]) / 2
		s.Median = time.Duration(middle) * time.Millisecond
	}
	return s
}

// Report is the results of one course.
type Report struct {
	*Course
	Score
	// Weak are the topics that are not learnt yet.
	Weak []Weak
}

// Weak is a topic of which an answer was wrong, and that was not right twice in a row since.
type Weak struct {
	Topic       string
	Done, Wrong int
}

// Day is one day's results.
type Day struct {
	// Date is as 2006-01-02.
	Date string
	Score
}

// Reports are the results of a trainee's courses, in the order in which they were begun.
func Reports(attempts []Attempt) []Report {
	var all []Report
	for _, a := range attempts {
		begun := func(r Report) bool { return r.House == a.House && r.Kind == a.Kind }
		if slices.ContainsFunc(all, begun) {
			continue
		}
		own := slices.DeleteFunc(slices.Clone(attempts), func(b Attempt) bool {
			return b.House != a.House || b.Kind != a.Kind
		})
		all = append(all, Report{Course: Follow(a.House, a.Kind, own), Score: ScoreOf(own), Weak: weak(own)})
	}
	return all
}

// weak lists the topics that are not learnt, the worst first.
func weak(attempts []Attempt) []Weak {
	var all []Weak
	inRow := map[string]int{}
	for _, a := range attempts {
		at := slices.IndexFunc(all, func(w Weak) bool { return w.Topic == a.About })
		if at < 0 {
			at = len(all)
			all = append(all, Weak{Topic: a.About})
		}
		all[at].Done++
		inRow[a.About]++
		if !a.Right {
			all[at].Wrong++
			inRow[a.About] = 0
		}
	}
	all = slices.DeleteFunc(all, func(w Weak) bool { return w.Wrong == 0 || inRow[w.Topic] >= 2 })
	slices.SortStableFunc(all, func(a, b Weak) int { return b.Wrong*a.Done - a.Wrong*b.Done })
	return all
}

// Days are the results by the day, the earliest first.
func Days(attempts []Attempt, zone *time.Location) []Day {
	var all []Day
	for len(attempts) > 0 {
		date := attempts[0].At.In(zone).Format(time.DateOnly)
		n := slices.IndexFunc(attempts, func(a Attempt) bool { return a.At.In(zone).Format(time.DateOnly) != date })
		if n < 0 {
			n = len(attempts)
		}
		all = append(all, Day{Date: date, Score: ScoreOf(attempts[:n])})
		attempts = attempts[n:]
	}
	return all
}
