package web

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/vocab"
)

// recallModel is a page of past rounds: a list of them, one of them, or an Error.
type recallModel struct {
	meanwhile
	Title, Note    string
	Error          string
	Rounds         []pastRow
	Round          *pastModel
	Earlier, Later *pastLink
	// Replay and Sheet are where the round is shown card by card, and ready to be printed; Slip is where its big wins
	// are, "" where it has none.
	Replay, Sheet, Slip string
	// None says that there are no rounds, and Running that the one is not over.
	None, Running bool
}

type pastLink struct{ Where, Name string }

// pastRow is a round in the list.
type pastRow struct {
	pastLink
	Began, Boxes, Bank string
	Cards              row
	State, Wrong       string
	Sums               []pair
}

// pastModel is a round with all that happened.
type pastModel struct {
	Facts []pair
	Bank  string
	Cards row
	State string
	Wrong string
	Boxes []pastBox
	Tabs  []pastTab
	Steps []pastStep
	Sums  []pair
	// Line is where the table stood at the end of the round, for a bug report; "" if that
	// cannot be found out.
	Line string
	// Adjust is where a supervisor adjusts the round, "" where nobody can here.
	Adjust string
}

type pastTab struct {
	Where, Name, Label string
	Chosen             bool
}

type pastBox struct {
	Number  int
	Stakes  []pair
	Settled []pastSettled
}

type pastSettled struct{ Kind, What, Got, Why string }

type pastStep struct {
	display.Told
	// There is where the table is shown at this moment.
	There string
	// Heads says that what came after the round begins here.
	Heads   bool
	Picture row
}

// pastList is the page that lists rounds.
func (r renderer) pastList(rounds []history.Round) recallModel {
	m := recallModel{Title: r.say("past.list"), Note: r.say("past.not-now"), None: len(rounds) == 0}
	for _, one := range rounds {
		r.language = r.language.At(one.Table)
		listed := pastRow{
			pastLink: *r.linkTo(one.Number, 0), Began: one.Began.Format("15:04:05"), Boxes: r.boxes(one),
			State: r.language.PastState(one), Wrong: r.language.PastWrong(one), Sums: r.pastSums(one),
		}
		listed.Bank, listed.Cards = r.pastBank(one)
		m.Rounds = append(m.Rounds, listed)
	}
	return m
}

// boxes names the boxes that were played, "" where none was.
func (r renderer) boxes(round history.Round) string {
	if len(round.Boxes) == 0 {
		return ""
	}
	words := r.word("boxes")
	for _, b := range round.Boxes {
		words += " " + strconv.Itoa(b.Number)
	}
	return words
}

// pastRound is the page of a round, or of one box of it. latest is the last round
// that there is, and line where the table stood at the end of this one.
func (r renderer) pastRound(round history.Round, box int, latest uint64, line string) recallModel {
	r = r.past(round.Table)
	here := r.linkTo(round.Number, 0).Where
	m := recallModel{Replay: here + "/replay", Sheet: here + "/sheet"}
	m.Title, m.Note, m.Running = r.pastTitle(round)
	if len(round.BigWins()) > 0 {
		m.Slip = here + "/slip"
	}
	if round.Number > 1 {
		m.Earlier = r.linkTo(round.Number-1, box)
	}
	if round.Number < latest {
		m.Later = r.linkTo(round.Number+1, box)
	}
	p := &pastModel{
		Facts: r.pastFacts(round), State: r.language.PastState(round), Wrong: r.language.PastWrong(round),
		Sums: r.pastSums(round), Tabs: r.pastTabs(round, box), Steps: r.pastSteps(round, box), Line: line,
	}
	p.Bank, p.Cards = r.pastBank(round)
	for _, b := range round.Boxes {
		if box == 0 || b.Number == box {
			p.Boxes = append(p.Boxes, r.pastBox(b))
		}
	}
	m.Round = p
	return m
}

// pastTitle says which round it is, and that it is not the one on the table; or that it is,
// and still runs.
func (r renderer) pastTitle(round history.Round) (title, note string, running bool) {
	number := strconv.FormatUint(round.Number, 10)
	if round.Finished() {
		return r.say("past.banner", "round", number), r.say("past.not-now"), false
	}
	return r.say("past.running", "round", number), r.say("past.running-not"), true
}

// linkTo is where a round is shown, or one box of it.
func (r renderer) linkTo(round uint64, box int) *pastLink {
	name := strconv.FormatUint(round, 10)
	where := r.root + "/recall/" + name
	if box != 0 {
		where += "?box=" + strconv.Itoa(box)
	}
	return &pastLink{Where: where, Name: name}
}

func (r renderer) pastFacts(round history.Round) []pair {
	began := round.Began.Format(r.say("time.date") + " 15:04:05")
	if round.Finished() {
		began += " – " + round.Ended.Format("15:04:05")
	}
	began += round.Began.Format(" MST")
	facts := []pair{{"", began}}
	if round.Dealer != "" {
		facts = append(facts, pair{r.word("dealer"), strings.TrimSpace(round.Dealer + " " + round.Shift)})
	}
	for _, shoe := range r.language.PastShoes(round) {
		facts = append(facts, pair{"", r.say("past.shoe", "what", shoe)})
	}
	t := round.Table
	house := display.HouseName(t.House)
	if t.BoxMax > 0 {
		house += ", " + r.language.Limits(t.Min, t.BoxMax, money.Digits(t.Currency), t.Currency)
	}
	return append(facts, pair{"", house})
}

// pastBank is what the bank had in the end.
func (r renderer) pastBank(round history.Round) (words string, cards row) {
	if round.Result == nil {
		return "", nil
	}
	return r.say("past.bank", "total", strconv.Itoa(int(round.Result.Out.Total))), row(round.Result.Out.Bank)
}

func (r renderer) pastSums(round history.Round) []pair {
	if round.Result == nil || round.Result.Out.Sums.Unstated {
		return nil
	}
	sums := round.Result.Out.Sums
	pairs := []pair{
		{r.word("staked"), r.language.PastMoney(&sums.Staked)},
		{r.word("returned"), r.language.PastMoney(&sums.Returned)},
		{r.word("won"), r.language.PastMoney(&sums.Won)},
	}
	if more, other := round.Over(); other {
		paid := sums.Won + more
		pairs = append(pairs, pair{r.word("paid"), r.language.PastMoney(&paid)})
	}
	if later := round.Later(); later != 0 {
		pairs = append(pairs, pair{r.word("adjusted"), r.language.PastMoney(&later)})
	}
	return pairs
}

// pastTabs choose a box, or all of them.
func (r renderer) pastTabs(round history.Round, box int) []pastTab {
	here := r.linkTo(round.Number, 0).Where
	tabs := []pastTab{{Where: here, Name: r.word("all"), Chosen: box == 0}}
	var boxes []int
	for _, b := range round.Boxes {
		boxes = append(boxes, b.Number)
	}
	if box != 0 && !slices.Contains(boxes, box) {
		boxes = append(boxes, box) // not played here, but what is looked at
	}
	for _, b := range boxes {
		name := strconv.Itoa(b)
		tabs = append(tabs, pastTab{
			Where: r.linkTo(round.Number, b).Where, Name: name, Chosen: b == box,
			Label: r.say("past.box", "box", name),
		})
	}
	return tabs
}

// moves are how a decided wager looks, by its outcome.
var moves = [...]string{
	vocab.Win: "pay", vocab.Lose: "take", vocab.StandOff: "leave", vocab.Surrendered: "back",
	vocab.Void: "back", vocab.PartLost: "back", 0: "pay",
}

// pastBox has each wager once: decided if it is, else as it was placed.
func (r renderer) pastBox(b history.Box) pastBox {
	m := pastBox{Number: b.Number}
	for _, s := range b.Stakes {
		decided := func(l history.Line) bool {
			return l.Out.Bettor == s.Bettor && l.Out.Wager == s.Wager && l.Out.Kind == vocab.Settled
		}
		if !slices.ContainsFunc(b.Settled, decided) {
			m.Stakes = append(m.Stakes, pair{r.whose(s.Bettor, s.Wager), r.language.PastMoney(s.Amount)})
		}
	}
	for i := range b.Settled {
		one := r.pastSettled(&b, &b.Settled[i])
		one.Got += r.language.LinePlays(&b.Settled[i]) + r.language.Instead(&b, &b.Settled[i])
		m.Settled = append(m.Settled, one)
	}
	return m
}

func (r renderer) whose(bettor string, wager vocab.Wager) string {
	return r.language.About(bettor, r.language.Label(display.LabelWager, wager.String()))
}

// pastSettled is a decided wager of a box, with its hand where the box has several.
func (r renderer) pastSettled(b *history.Box, line *history.Line) pastSettled {
	l, out := r.language, &line.Out
	what := r.whose(out.Bettor, out.Wager)
	if out.Hand > 0 && slices.ContainsFunc(b.Settled, func(l history.Line) bool { return l.Out.Hand > 1 }) {
		what += " (" + strconv.Itoa(int(out.Hand)) + ")"
	}
	return pastSettled{
		Kind: moves[out.Outcome], What: what + " " + l.PastStake(line), Got: r.word("gets") + " " + l.Got(line),
		Why: l.PastOutcome(line) + " – " + l.Label(display.LabelWhy, out.Why.String()),
	}
}

func (r renderer) pastSteps(round history.Round, box int) []pastStep {
	told := r.language.Tell(round)
	if box != 0 {
		told = display.OfBox(told, box)
	}
	return r.pastStepsOf(round, told)
}

func (r renderer) pastStepsOf(round history.Round, told []display.Told) []pastStep {
	steps := make([]pastStep, 0, len(told))
	for i, one := range told {
		step := pastStep{Told: one, There: r.replayAt(round, one.Seq)}
		if one.Card != card.None {
			step.Picture = row([]card.Card{one.Card})
		}
		step.Heads = one.After && (i == 0 || !told[i-1].After)
		steps = append(steps, step)
	}
	return steps
}
