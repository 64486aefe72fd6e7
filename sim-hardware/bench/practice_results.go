package bench

import (
	"net/http"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/sim-hardware/practice"
)

// resultsModel are the results of one trainee, or of all.
type resultsModel struct {
	Courses []courseResult
	Days    []dayResult
	All     []traineeResult
}

type courseResult struct {
	House, Kind, Where, Median     string
	Level, Done, Right, Wrong, Due int
	Percent                        int
	Weak                           []weakResult
}

type weakResult struct {
	Topic       string
	Wrong, Done int
}

type dayResult struct {
	Day, Median          string
	Done, Right, Percent int
}

type traineeResult struct {
	Name, Where, Median, Last  string
	Done, Right, Percent, Weak int
}

func (b *Bench) resultsPage(l display.Language, r *http.Request) ([]byte, error) {
	p := b.practiceModel(l, r)
	p.Start = nil
	p.Results = &resultsModel{}
	if p.Who == "" {
		b.everybody(p)
		return p.draw()
	}
	done, err := b.o.Practice.Of(p.Who)
	p.fault(err)
	for _, one := range practice.Reports(done) {
		c := courseResult{
			House: b.titleOf(one.House), Kind: p.Say("kind." + one.Kind.String()),
			Where:  practiceAt(p.Who, one.House, one.Kind),
			Median: p.took(one.Median), Level: one.Level, Done: one.Done, Right: one.Right, Wrong: one.Done - one.Right,
			Percent: one.Percent(), Due: one.Again(),
		}
		if b.o.Practice.Houses[one.House] == nil {
			c.Where = ""
		}
		for _, w := range one.Weak {
			c.Weak = append(c.Weak, weakResult{p.topicName(w.Topic), w.Wrong, w.Done})
		}
		p.Results.Courses = append(p.Results.Courses, c)
	}
	for _, d := range practice.Days(done, time.Local) {
		p.Results.Days = append(p.Results.Days, dayResult{d.Date, p.took(d.Median), d.Done, d.Right, d.Percent()})
	}
	return p.draw()
}

// everybody is for the trainer.
func (b *Bench) everybody(p *practiceModel) {
	all, err := b.o.Practice.Trainees()
	p.fault(err)
	for _, t := range all {
		s := practice.ScoreOf(t.Attempts)
		one := traineeResult{
			Name: t.Name, Where: p.ResultsOf(t.Name), Median: p.took(s.Median), Done: s.Done,
			Right: s.Right, Percent: s.Percent(),
		}
		for _, course := range practice.Reports(t.Attempts) {
			one.Weak += len(course.Weak)
		}
		if n := len(t.Attempts); n > 0 {
			one.Last = t.Attempts[n-1].At.In(time.Local).Format(time.DateOnly)
		}
		p.Results.All = append(p.Results.All, one)
	}
}

// titleOf names a house; one that this program does not know by the name that is kept.
func (b *Bench) titleOf(house string) string {
	if h := b.o.Practice.Houses[house]; h != nil {
		return h.Title
	}
	return house
}
