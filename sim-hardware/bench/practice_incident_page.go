package bench

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/practice"
)

// incidentModel is what goes wrong at the table, or what came of it.
type incidentModel struct {
	House, Title, Kind, Name, Stage string
	Topic                           string
	Level                           int
	Repeated                        bool
	Story, Lies, Mends              string
	Red, Turned                     bool
	State                           incidentState
	Problem                         string
	Done                            *incidentDone
}

// incidentState is what the page asks for again and again.
type incidentState struct {
	Stage    string `json:"stage"`
	Headline string `json:"headline"`
	Detail   string `json:"detail"`
	Stop     bool   `json:"stop"`
}

// incidentDone is what came of an incident.
type incidentDone struct {
	Right               bool
	Took, Answer, Given string
	Mistakes            []string
	Why                 string
}

// stateOf is how far a trainee's incident is, and what the table says.
func (b *Bench) stateOf(p *practiceModel, run incident) incidentState {
	view, _ := b.o.Table.Look()
	step := display.Prompt(view)
	l := p.language.In(view.House)
	s := incidentState{Stage: run.stage, Headline: l.Say(step.Headline), Detail: l.Say(step.Detail), Stop: step.Stop}
	if run.stage == stageDone && run.done == nil {
		s.Stage = stageOpen // it is being kept
	}
	return s
}

// incidentState answers how far a trainee's incident is.
func (b *Bench) incidentState(l display.Language, r *http.Request) ([]byte, error) {
	p := b.practiceModel(l, r)
	return json.Marshal(b.stateOf(p, b.incidentOf(p.Who)))
}

func (b *Bench) incidentPage(p *practiceModel, house string) ([]byte, error) {
	view, _ := b.o.Table.Look()
	if house != view.House || b.o.Past == nil {
		return nil, errNoSuchPage
	}
	run := b.incidentOf(p.Who)
	p.language = p.language.In(house)
	course, err := b.o.Practice.Course(p.Who, house, practice.Incidents)
	p.fault(err)
	m := &incidentModel{
		House: house, Title: b.titleOf(house), Kind: practice.Incidents.String(), Name: p.Say("kind.incidents"),
		Stage:    run.stage,
		Repeated: run.repeated, State: b.stateOf(p, run), Problem: run.problem,
		Turned: slices.Contains(b.o.Panel.contacts, "supervisor") && b.o.Panel.is("supervisor").Closed,
	}
	if m.Level = course.Level; run.stage != "" {
		m.Level = run.id.Level
	}
	m.Stage = m.State.Stage
	if m.Stage == stageOpen || m.Stage == stageDone {
		m.Topic = run.id.Topic
		m.Story = p.Say(practice.KeyOf("story", strings.TrimSuffix(run.id.Topic, "-unkept")), "box",
			strconv.Itoa(run.box))
		if run.lies != card.None {
			f := face(run.lies)
			m.Lies, m.Red = f.Text, f.Red
		}
		if run.of.Mends != "" {
			m.Mends = p.Say(practice.KeyOf("mend", run.id.Topic))
		}
	}
	if m.Stage == stageDone {
		m.Done = p.incidentDone(run)
	}
	p.Incident = m
	return p.draw()
}

func (p *practiceModel) incidentDone(run incident) *incidentDone {
	d := &incidentDone{
		Right: run.done.Right, Took: p.took(time.Duration(run.done.Took) * time.Millisecond),
		Given: p.way(run.done.Given),
		Why:   p.Say(practice.KeyOf("right", strings.TrimSuffix(run.id.Topic, "-unkept"))),
	}
	var ways []string
	for _, way := range run.of.Ways {
		said := way.String()
		if run.of.Card != card.None {
			said += " " + run.of.Card.String()
		}
		ways = append(ways, p.way(said))
	}
	if run.of.Call != 0 {
		ways = []string{p.way(run.of.Call.String())}
	}
	d.Answer = strings.Join(ways, " / ")
	for _, m := range run.done.Mistakes {
		d.Mistakes = append(d.Mistakes, p.Say("mistake."+m.String()))
	}
	return d
}

// way says how something was put right: a choice or a call, and a card.
func (p *practiceModel) way(given string) string {
	name, cards, _ := strings.Cut(given, " ")
	said := name
	for _, kind := range []display.Kind{display.LabelChoice, display.LabelCall} {
		if text := p.language.Label(kind, name); text != name {
			said = text
			break
		}
	}
	for one := range strings.FieldsSeq(cards) {
		if c, err := card.Parse(one); err == nil {
			said += " " + face(c).Text
		}
	}
	return said
}
