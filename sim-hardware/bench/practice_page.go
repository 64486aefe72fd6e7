package bench

import (
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/sim-hardware/practice"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

var shapes = template.HTML(web.Shapes())

// practiceModel is a page of practice: one of Start, Choice, Exercise, Incident and Results is on it.
type practiceModel struct {
	Build, Lang, Who, Error, Aside string
	NotKept                        bool
	Languages                      []link
	Start                          *startModel
	Choice                         *choiceModel
	Exercise                       *exerciseModel
	Incident                       *incidentModel
	Results                        *resultsModel

	words    practice.Words
	language display.Language
}

// link leads somewhere.
type link struct {
	Name, Where string
	Chosen      bool
}

// Say says a text of the page. Pairs are the {names} in it and what they are filled with.
func (p *practiceModel) Say(key string, pairs ...string) string { return p.words.Say(key, pairs...) }

// Home is the page's first address.
func (practiceModel) Home() string { return PracticePath }

// To is the address at which a trainee chooses what to practise.
func (practiceModel) To(who string) string { return practiceAt(who, "", 0) }

// ResultsOf is the address of a trainee's results; of everybody's with "".
func (practiceModel) ResultsOf(who string) string {
	if who == "" {
		return PracticePath + "/results"
	}
	return PracticePath + "/results?" + url.Values{"who": {who}}.Encode()
}

func practiceAt(who, house string, k practice.Kind) string {
	q := url.Values{"who": {who}}
	if house != "" {
		q.Set("house", house)
	}
	if k != 0 {
		q.Set("kind", k.String())
	}
	return PracticePath + "?" + q.Encode()
}

// startModel asks who is there.
type startModel struct {
	Known   []string
	Letters []string
}

func (b *Bench) practiceModel(l display.Language, r *http.Request) *practiceModel {
	p := &practiceModel{
		Build: build, Lang: l.Tag(), Who: r.URL.Query().Get("who"), words: practice.Speak(l.Code()), language: l,
		NotKept: b.o.Practice.Path() == "", Aside: b.o.Practice.SetAside(),
	}
	if l.Swiss() {
		p.words = p.words.Swiss()
	}
	for _, one := range l.Menu() {
		q := r.URL.Query()
		q.Set("lang", one.Code())
		p.Languages = append(p.Languages, link{one.Name(), r.URL.Path + "?" + q.Encode(), one.Code() == l.Code()})
	}
	if err := practice.NameFault(p.Who); err != nil && p.Who != "" {
		p.Who, p.Error = "", err.Error()
	}
	if p.Who == "" {
		p.Start = &startModel{Letters: strings.Split("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", "")}
		all, err := b.o.Practice.Trainees()
		for _, t := range all {
			p.Start.Known = append(p.Start.Known, t.Name)
		}
		p.fault(err)
	}
	return p
}

func (p *practiceModel) fault(err error) {
	if err != nil {
		p.Error = err.Error()
	}
}

// choiceModel are the courses of each house.
type choiceModel struct{ Houses []houseModel }

type houseModel struct {
	Title, Name string
	// Here is the house of the table beside the page.
	Here    bool
	Courses []courseModel
}

type courseModel struct {
	Name, Where, What string
	Level             int
	Done, Percent     int
	Again             int
}

func (b *Bench) choosePractice(p *practiceModel) ([]byte, error) {
	done, err := b.o.Practice.Of(p.Who)
	p.fault(err)
	p.Choice = &choiceModel{}
	view, _ := b.o.Table.Look()
	for _, name := range b.o.Practice.Houses.Names() {
		house := b.o.Practice.Houses[name]
		h := houseModel{Title: house.Title, Name: name, Here: name == view.House}
		for _, k := range practice.Kinds() {
			if !b.teaches(name, k, view) {
				continue
			}
			course := practice.Follow(name, k, done)
			own := slices.DeleteFunc(slices.Clone(done), func(a practice.Attempt) bool {
				return a.House != name || a.Kind != k
			})
			score := practice.ScoreOf(own)
			h.Courses = append(h.Courses, courseModel{
				Name: p.Say("kind." + k.String()), Where: practiceAt(p.Who, name, k), What: k.String(),
				Level: course.Level, Done: score.Done, Percent: score.Percent(), Again: course.Again(),
			})
		}
		p.Choice.Houses = append(p.Choice.Houses, h)
	}
	slices.SortStableFunc(p.Choice.Houses, func(x, y houseModel) int {
		if x.Here == y.Here {
			return 0
		}
		if x.Here {
			return -1
		}
		return 1
	})
	return p.draw()
}

// teaches says whether there are exercises of a kind in a house. Something can go wrong only at the table that is here.
func (b *Bench) teaches(house string, k practice.Kind, v display.View) bool {
	if k == practice.Incidents {
		return b.o.Past != nil && house == v.House
	}
	return len(practice.Topics(b.o.Practice.Houses[house].Rules, k, 1)) > 0
}

// exerciseModel is an exercise, or what came of it.
type exerciseModel struct {
	House, Title, Kind, Seed string
	Name                     string
	Level                    int
	Repeated, Hidden         bool
	Question                 string
	// Felt is the table or, with Float, nothing: then it is a tray.
	Felt  template.HTML
	Float *floatModel
	// Pad is for an amount, Choices for one answer or, with Several, for several.
	Pad     *padModel
	Choices []choice
	Several bool
	Done    *doneModel
}

// padModel is what an amount is entered with.
type padModel struct {
	Point, Currency string
	Digits          int
	Chips           []chipKey
}

type chipKey struct {
	Value       int64
	Text, Class string
}

type choice struct {
	Name, Label string
	// Right, Given say so, once it is answered.
	Right, Given bool
}

// doneModel is what came of an exercise.
type doneModel struct {
	Right         bool
	Answer, Given string
	Took          string
	Lines         []lineModel
	// Sum is all of it, and SumOf what that is where it is no sum.
	Sum, SumOf string
	Chips      []string
	Why        string
	Sheet      []sheetLine
}

// lineModel is one wager of a payout.
type lineModel struct {
	Who, What, Why, Work, Won, Rounded string
	Sheet                              *sheetLine
}

// sheetLine is a value of a house's rules, and where the house says so.
type sheetLine struct{ Path, Value, Text string }

func (b *Bench) exercisePage(p *practiceModel, house string, k practice.Kind) ([]byte, error) {
	asked, err := b.o.Practice.Ask(p.Who, house, k)
	if err != nil {
		return nil, err
	}
	p.language = p.language.In(house)
	e := &exerciseModel{
		House: house, Title: b.o.Practice.Houses[house].Title, Kind: k.String(), Name: p.Say("kind." + k.String()),
		Level: asked.Level,
		Seed:  strconv.FormatUint(asked.Seed, 10), Repeated: asked.Repeated, Hidden: asked.Hidden() &&
			asked.Done == nil, Question: p.question(asked),
	}
	shows := asked.Shows
	if asked.Done != nil && k != practice.Calls && k != practice.Hole {
		shows = asked.After
	}
	if asked.Float == nil {
		e.Felt = template.HTML(web.Felt(p.language, shows))
	} else {
		e.Float = p.float(asked)
	}
	switch k {
	case practice.Payouts, practice.Tray:
		e.Pad = p.pad(asked.Shows)
	case practice.Bank:
		e.Choices = []choice{{Name: practice.Draw, Label: p.Say("draw")}, {Name: practice.Stand, Label: p.Say("stand")}}
	case practice.Hole:
		for _, s := range practice.Steps() {
			e.Choices = append(e.Choices, choice{Name: s.String(), Label: p.Say("step." + s.String())})
		}
	case practice.Calls:
		e.Several = true
		for _, c := range practice.Callable() {
			e.Choices = append(e.Choices, choice{Name: c.String(), Label: p.language.Named(display.LabelCall, c)})
		}
	}
	if asked.Done != nil {
		e.Done = p.done(asked)
	}
	p.Exercise = e
	return p.draw()
}

func (p *practiceModel) question(asked practice.Asked) string {
	key := "ask." + asked.Kind.String()
	if asked.Kind == practice.Tray {
		key = practice.KeyOf("ask", asked.About)
	}
	if seen := asked.Shows.HoleSeen; asked.Kind == practice.Hole && seen != 0 {
		key += "-" + seen.String()
	}
	if asked.Kind == practice.Calls && len(asked.Shows.Boxes[0].Hands) > 1 {
		key += "-hand"
	}
	return p.Say(key, "box", strconv.Itoa(asked.Box), "hand", strconv.Itoa(asked.Hand))
}

// denominations are the classes of chips in the style sheet of the table's page: by their place among the table's.
func (p *practiceModel) pad(v display.View) *padModel {
	point, _ := p.language.Lookup("number.point")
	pad := &padModel{Point: point, Currency: v.Currency, Digits: v.Digits}
	if v.Bets != nil {
		for _, value := range v.Bets.Chips {
			pad.Chips = append(pad.Chips, chipKey{value, p.chip(value, v.Digits), ""})
		}
	}
	return pad
}

// chip writes a chip's value without needless decimals.
func (p *practiceModel) chip(value int64, digits int) string {
	return p.language.Short(value, digits)
}

// done says what came of an exercise that is answered.
func (p *practiceModel) done(asked practice.Asked) *doneModel {
	given, err := practice.ParseAnswer(asked.Kind, asked.Done.Given, asked.Shows.Digits)
	if err != nil {
		given = practice.Answer{} // it was read when it was given
	}
	d := &doneModel{
		Right: asked.Done.Right, Answer: p.answer(asked, asked.Right), Given: p.answer(asked, given),
		Took: p.took(time.Duration(asked.Done.Took) * time.Millisecond),
	}
	switch asked.Kind {
	case practice.Payouts:
		p.payout(d, asked)
	case practice.Tray:
		p.workedOut(d, asked)
	case practice.Calls:
		d.Why = p.Say("why.calls")
	default:
		d.Why = p.Say(practice.KeyOf("why", asked.About))
	}
	for _, rule := range asked.Rules {
		d.Sheet = append(d.Sheet, *sheetOf(rule))
	}
	return d
}

// answer writes an answer in the words of the page.
func (p *practiceModel) answer(asked practice.Asked, a practice.Answer) string {
	switch asked.Kind {
	case practice.Payouts, practice.Tray:
		return p.language.Price(a.Amount, asked.Shows.Digits, asked.Shows.Currency)
	case practice.Bank:
		return p.Say(a.Text(practice.Bank, asked.Shows.Digits))
	case practice.Hole:
		return p.Say("step." + a.Step.String())
	}
	var names []string
	for c := range a.Calls.All {
		names = append(names, p.language.Named(display.LabelCall, c))
	}
	if len(names) == 0 {
		return "–"
	}
	return strings.Join(names, ", ")
}

// took writes a time in seconds.
func (p *practiceModel) took(d time.Duration) string {
	return p.Say("took", "seconds", p.language.Money(d.Round(100*time.Millisecond).Milliseconds()/100, 1))
}

// payout says how a payout is worked out.
func (p *practiceModel) payout(d *doneModel, asked practice.Asked) {
	v := asked.Shows
	many := len(asked.Shows.Boxes[0].Bettors) > 1
	for _, w := range asked.Lines {
		line := display.Line{Wager: w.Wager, Why: w.Why, Outcome: w.Outcome, Bonus: w.Outcome == 0}
		m := lineModel{
			What: p.language.WagerName(line), Why: p.language.Named(display.LabelWhy, w.Why),
			Won: p.language.Money(w.Won, v.Digits),
		}
		if many {
			m.Who = w.Bettor
		}
		if line.Bonus {
			m.What = p.language.Named(display.LabelWager, w.Wager)
		}
		stake := p.language.Money(w.Stake, v.Digits)
		switch {
		case w.Won == 0:
			m.Work, m.Won = stake+" · "+p.language.Named(display.LabelOutcome, w.Outcome), p.Say("nothing-won")
		case w.Odds.Den != 0:
			m.Work = stake + " × " + w.Odds.String()
		case w.Rule.Value == "jackpot":
			m.Work = p.Say("jackpot")
		}
		if w.Rounded {
			m.Rounded = p.rounded(w, asked)
		}
		if w.Rule.Path != "" {
			m.Sheet = sheetOf(w.Rule)
		}
		d.Lines = append(d.Lines, m)
	}
	d.Sum = p.language.Price(asked.Right.Amount, v.Digits, v.Currency)
	if v.Bets != nil {
		stacks, rest := display.InChips(asked.Right.Amount, v.Bets.Chips)
		for _, s := range stacks {
			d.Chips = append(d.Chips, fmt.Sprintf("%d × %s", s.Count, p.chip(s.Value, v.Digits)))
		}
		if rest > 0 && len(d.Chips) > 0 {
			d.Chips = append(d.Chips, p.language.Money(rest, v.Digits))
		}
	}
}

// rounded says what a payout would be if it were not rounded, and how it is.
func (p *practiceModel) rounded(w practice.Working, asked practice.Asked) string {
	const finer = 100 // hundredths of the least coin
	exact := w.Stake * w.Odds.Num * finer / w.Odds.Den
	text := p.language.Money(exact, asked.Shows.Digits+2)
	if exact%finer == 0 {
		text = p.language.Money(exact/finer, asked.Shows.Digits)
	}
	return p.Say("rounded."+asked.Rounding.String(), "exact", text, "unit",
		p.language.Money(asked.Shows.Unit, asked.Shows.Digits))
}

func sheetOf(r practice.Rule) *sheetLine {
	return &sheetLine{Path: r.Path, Value: r.Value, Text: r.Text}
}

// topicName names a topic.
func (p *practiceModel) topicName(topic string) string {
	if key := practice.KeyOf("topic", topic); p.words.Has(key) {
		return p.Say(key)
	}
	wager, why, _ := strings.Cut(topic, "/")
	if sidebet.WrongName(wager) != "" {
		return topic
	}
	name := p.language.Named(display.LabelWager, vocab.Wager(wager))
	if sidebet.WrongName(why) != "" {
		return name
	}
	said := p.language.Named(display.LabelWhy, vocab.Why(why))
	if wager == vocab.WagerMain.String() || said == name {
		return said
	}
	return name + ": " + said
}
