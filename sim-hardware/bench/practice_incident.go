package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/shoe/makes"
	"github.com/sabot-table/sabot/sim-hardware/croupier"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/sim-hardware/mishap"
	"github.com/sabot-table/sabot/sim-hardware/practice"
	"github.com/sabot-table/sabot/sim-hardware/scenario"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/vocab"
)

// Past looks a round up that the table has on record: the one under way, too.
type Past func(round uint64) (history.Round, error)

// An incident is in one of these stages. The page is drawn for each anew.
const (
	stagePreparing = "preparing" // the round is dealt to where it goes wrong
	stageOpen      = "open"      // the trainee puts it right
	stageDone      = "done"
	stageFailed    = "failed"
)

// incident is what goes wrong at the table for a trainee: one at a time.
type incident struct {
	who, house string
	id         practice.ID
	repeated   bool
	stage      string
	of         practice.Case
	box        int       // whose turn it was
	lies       card.Card // the card that was drawn, None for none
	began      time.Time
	from       uint64 // the table's last input before it
	drawn      int    // cards that had left the shoe by then
	stop       context.CancelFunc
	done       *practice.Attempt
	problem    string
}

// Reasons for which no incident can be had now.
var (
	errTableInUse = errors.New(sayTableInUse)
	errNoIncident = errors.New(sayNoIncident)
)

// The bounds of preparing an incident.
const (
	preparing  = 40 * time.Second
	oneMove    = 10 * time.Second // a card, until the table shows it
	lookAgain  = 200 * time.Millisecond
	tidyPace   = 200 * time.Millisecond
	incidentOn = 15 * time.Minute // after which a trainee has left
)

// StartIncident makes something go wrong at the table for a trainee. It goes on after ctx.
func (b *Bench) StartIncident(ctx context.Context, who string) error {
	if b.o.Past == nil {
		return errNoIncident
	}
	if err := practice.NameFault(who); err != nil {
		return err
	}
	view, err := b.Await(ctx, shown) // the page answers before the table has shown itself
	if err != nil {
		return err
	}
	house := b.o.Practice.Houses[view.House]
	if house == nil {
		return errNoIncident
	}
	all := practice.IncidentsOf(house.Rules, b.keepsCards())
	var topics []string
	for _, i := range all {
		topics = append(topics, practice.TopicOf(i))
	}
	course, err := b.o.Practice.Course(who, view.House, practice.Incidents)
	if err != nil {
		return err
	}
	id, again := course.Next(who, topics)
	at := slices.IndexFunc(all, func(i mishap.Mishap) bool { return practice.TopicOf(i) == id.Topic })
	if at < 0 { // of another make of shoe
		id.Topic, at = practice.TopicOf(all[0]), 0
	}
	run := &incident{
		who: who, house: view.House, id: id, repeated: again, stage: stagePreparing, of: practice.Case{Mishap: all[at]},
	}
	return b.beginIncident(context.WithoutCancel(ctx), run)
}

func (b *Bench) beginIncident(ctx context.Context, run *incident) (err error) {
	b.change(func() {
		switch now := b.incident; {
		case b.over:
			err = errors.New(sayOver)
		case b.script.stop != nil:
			err = errors.New(sayScriptRuns)
		case now != nil && (now.stage == stagePreparing || now.stage == stageOpen):
			err = errTableInUse
		default:
			var running context.Context
			running, run.stop = context.WithCancel(ctx)
			b.incident = run
			b.playing.Go(func() {
				defer run.stop()
				b.runIncident(running, run)
			})
		}
	})
	return err
}

// runIncident prepares the table, lets it go wrong, and watches until it is put right.
func (b *Bench) runIncident(ctx context.Context, run *incident) {
	prepare, enough := context.WithTimeout(ctx, preparing)
	err := b.prepare(prepare, run)
	enough()
	if err == nil {
		watch, enough := context.WithTimeout(ctx, incidentOn)
		err = b.watch(watch, run)
		enough()
	}
	if err == nil {
		return
	}
	b.change(func() {
		switch {
		case run.stage == stageDone:
		case ctx.Err() != nil || run.stage == stageOpen && errors.Is(err, context.DeadlineExceeded):
			if b.incident == run {
				b.incident = nil // the trainee has left, or the demonstration ends
			}
		default:
			run.stage, run.problem = stageFailed, err.Error()
			b.o.Log.Warn("bench: a situation for practice could not be prepared", "what", run.id.Topic, "err", err)
		}
	})
}

// prepare deals a round to where something goes wrong, and lets it.
func (b *Bench) prepare(ctx context.Context, run *incident) error {
	if err := b.TakeOver(ctx); err != nil {
		return err
	}
	view, err := b.dealClear(ctx, run.of.At)
	if err != nil {
		return err
	}
	steps, err := b.parse(run.of.Happens)
	if err != nil {
		return err
	}
	var lies card.Card
	tell := b.teller(ctx)
	drawn := b.tray.drawn()
	err = steps.Play(ctx, b.hardware(), func(s scenario.Step, c card.Card) {
		if c != card.None {
			lies, drawn = c, drawn+1
		}
		tell(s, c)
	})
	if err != nil {
		return err
	}
	of := practice.CaseOf(b.o.Practice.Houses[run.house].Rules, run.of.Mishap, lies)
	b.change(func() { run.of, run.lies, run.from, run.drawn, run.box = of, lies, view.Seq, drawn, view.Due.Box })
	if err := b.noticed(ctx, run); err != nil {
		return err
	}
	b.change(func() { run.stage, run.began = stageOpen, time.Now() })
	return nil
}

// dealClear deals a new round to a place. What happened before may reach the table only now, such as the gap after a
// shoe that keeps no card came up: it is put right, and the round is dealt anew.
func (b *Bench) dealClear(ctx context.Context, place mishap.Place) (display.View, error) {
	for {
		if err := b.clearTable(ctx); err != nil {
			return display.View{}, err
		}
		view, err := b.dealTo(ctx, place)
		if err == nil || !b.heldSoon(ctx) {
			return view, err
		}
	}
}

// heldSoon says whether the round is held: what refuses an input may know before the picture does.
func (b *Bench) heldSoon(ctx context.Context) bool {
	patient, enough := context.WithTimeout(ctx, oneMove)
	defer enough()
	_, err := b.Await(patient, func(v display.View) bool { return v.Held != nil })
	return err == nil
}

// noticed waits until the table has noticed what went wrong.
func (b *Bench) noticed(ctx context.Context, run *incident) error {
	for {
		o, err := b.judge(run)
		if err != nil || o.Raised {
			return err
		}
		select {
		case <-time.After(lookAgain):
		case <-ctx.Done():
			return fmt.Errorf("%s: %w", sayNotNoticed, ctx.Err())
		}
	}
}

// watch looks at the table's record until the incident is put right, and keeps how.
func (b *Bench) watch(ctx context.Context, run *incident) error {
	for {
		_, changed := b.o.Table.Look()
		o, err := b.judge(run)
		if err != nil {
			return err
		}
		if o.Over {
			return b.endIncident(run, o)
		}
		select {
		case <-changed:
		case <-time.After(lookAgain): // the record comes after the picture
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// judge looks at the record since the incident.
func (b *Bench) judge(run *incident) (practice.Outcome, error) {
	view, _ := b.o.Table.Look()
	round, err := b.o.Past(view.Round)
	if err != nil {
		return practice.Outcome{}, fmt.Errorf("looking at the record of round %d: %w", view.Round, err)
	}
	var seen []practice.Seen
	for _, s := range round.Steps {
		if s.Seq <= run.from {
			continue
		}
		one := practice.Seen{At: s.At, In: s.Input.In}
		for _, out := range s.Outputs {
			one.Outs = append(one.Outs, out.Out)
		}
		seen = append(seen, one)
	}
	return run.of.Judge(seen, b.tray.drawn()-run.drawn), nil
}

// endIncident keeps how an incident was put right, once.
func (b *Bench) endIncident(run *incident, o practice.Outcome) error {
	first := false
	b.change(func() {
		if first = run.stage == stageOpen; first {
			run.stage = stageDone
		}
	})
	if !first {
		return nil
	}
	done, err := b.o.Practice.Keep(run.who, run.id, o)
	b.change(func() {
		if run.done = &done; err != nil {
			run.stage, run.problem = stageFailed, err.Error()
		}
	})
	return err
}

// GiveUp ends a trainee's incident that is not put right.
func (b *Bench) GiveUp(who string) error {
	b.mu.Lock()
	run := b.incident
	open := run != nil && run.who == who && run.stage == stageOpen
	b.mu.Unlock()
	if !open {
		return errNoIncident
	}
	gaveUp := []practice.Mistake{practice.GivenUp}
	err := b.endIncident(run, practice.Outcome{Mistakes: gaveUp, Took: time.Since(run.began)})
	run.stop()
	return err
}

// LeaveIncident forgets one that is over.
func (b *Bench) LeaveIncident(who string) {
	b.change(func() {
		if run := b.incident; run != nil && run.who == who && (run.stage == stageDone || run.stage == stageFailed) {
			b.incident = nil
		}
	})
}

// incidentOf is a copy of a trainee's incident, without a stage if there is none.
func (b *Bench) incidentOf(who string) incident {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.incident == nil || b.incident.who != who {
		return incident{}
	}
	return *b.incident
}

// keepsCards says whether the table's shoe keeps the cards that it could not send.
func (b *Bench) keepsCards() bool {
	made, _ := makes.Named(string(b.o.Shoe.Kind()))
	return made.Keeps
}

// clearTable brings the table to between two rounds, with everything plugged in, and all cards in the shoe.
func (b *Bench) clearTable(ctx context.Context) error {
	mend := "plug\nline good\n"
	for _, t := range b.o.Shoe.Kind().Troubles() {
		if b.troubled(string(t)) {
			mend += "clear " + string(t) + "\n"
		}
	}
	if err := b.Shoe(ctx, mend); err != nil {
		return err
	}
	view, err := b.Await(ctx, func(v display.View) bool { return v.Shoe.Online })
	if err != nil {
		return fmt.Errorf("the shoe does not come back: %w", err)
	}
	if !between(view) {
		if err := b.finish(ctx); err != nil {
			return err
		}
	}
	return b.Shoe(ctx, "reload")
}

func (b *Bench) troubled(name string) bool {
	return slices.ContainsFunc(b.troubles(), func(t trouble) bool { return t.Name == name && t.On })
}

// finish lets a simulated dealer end the round that lies there.
func (b *Bench) finish(ctx context.Context) error {
	end, enough := context.WithCancel(ctx)
	defer enough()
	quick := &keysim.Dealer{
		Shoe: b.tray, Display: b, Press: b.o.Table.Press, Prove: b.o.Dealer.Prove,
		Pace: tidyPace, Rounds: 1, Log: b.o.Log,
	}
	var done sync.WaitGroup
	done.Go(func() {
		if _, err := b.Await(end, between); err == nil {
			enough()
		}
	})
	err := quick.Run(end)
	enough()
	done.Wait()
	if view, _ := b.o.Table.Look(); err == nil && !between(view) {
		err = errors.New(sayNotFinished)
	}
	return err
}

// shown says that the table has shown itself.
func shown(v display.View) bool { return v.House != "" }

// Await returns the first view of the table that is wanted, as a simulated dealer sees it.
func (b *Bench) Await(ctx context.Context, wanted func(display.View) bool) (display.View, error) {
	for {
		view, changed := b.o.Table.Look()
		if wanted(view) {
			return view, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return view, ctx.Err()
		}
	}
}

// The cards of the round in which something goes wrong: no hand is over 21 or has a Black Jack, and the bank draws. In
// Black James its first forecast is wrong.
var (
	boxesGet = []string{"9S", "8H", "5C", "8D"}
	bankGets = map[display.Game][]string{display.BlackJack: {"6D", "TS", "5H"}, display.BlackJames: {"6D", "2C"}}
)

// dealTo opens a round on two boxes and deals it to a place.
func (b *Bench) dealTo(ctx context.Context, place mishap.Place) (display.View, error) {
	view, _ := b.o.Table.Look()
	cards := &chosen{tray: b.tray, b: b, ctx: ctx, box: slices.Clone(boxesGet), bank: slices.Clone(bankGets[view.Game])}
	dealer := &keysim.Dealer{
		Shoe: cards, Display: b, Press: b.o.Table.Press, Log: b.o.Log,
		Guests: &croupier.Croupier{Boxes: 2, Most: 1, Plays: rests},
		Until:  func(v display.View) bool { return there(v, place) },
		PutRight: func(_ context.Context, v display.View) (vocab.Input, error) {
			return vocab.Input{}, fmt.Errorf("%s: %s", sayNotThere, v.Held.Code)
		},
	}
	err := dealer.Run(ctx)
	view, _ = b.o.Table.Look()
	switch {
	case err == nil && ctx.Err() != nil:
		return view, ctx.Err()
	case err == nil && !there(view, place):
		return view, errors.New(sayNotThere)
	}
	return view, err
}

// rests is a guest who takes no card.
func rests(table.Hand, card.Card, vocab.Calls) vocab.Call { return vocab.CallRest }

// chosen is the shoe from which the cards of the round are drawn, or any where it does not have them.
type chosen struct {
	*tray
	b         *Bench
	ctx       context.Context
	box, bank []string
}

// Draw draws the next card of whoever it is due to.
func (c *chosen) Draw() (card.Card, error) {
	view, _ := c.b.o.Table.Look()
	list, step := &c.box, "draw"
	if view.Due.To == vocab.ToBank {
		list = &c.bank
	}
	if len(*list) > 0 {
		step, *list = "draw "+(*list)[0], (*list)[1:]
	}
	err := c.b.Shoe(c.ctx, step)
	if err != nil {
		err = c.b.Shoe(c.ctx, "draw")
	}
	return card.None, err
}

// there says whether the round is where something is to go wrong.
func there(v display.View, place mishap.Place) bool {
	switch place {
	case mishap.Betting:
		return v.Phase == vocab.Bets
	case mishap.Dealing:
		return v.Phase == vocab.Deal && v.Due.To == vocab.ToBank
	case mishap.Calling:
		return v.Due.To == vocab.ToCall
	case mishap.Paying:
		return v.Phase == vocab.Payment
	}
	return false
}
