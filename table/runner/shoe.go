package runner

import (
	"context"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/vocab"
)

// Shoe takes one event from a shoe. stored is called once the event is durable, but not
// for an event without a number of the shoe's. Shoe waits only while the queue is full. If
// an event cannot be taken, the runner has ended and takes no later one either: the shoe
// keeps whatever was not stored, and sends it again at the next start.
func (r *Runner) Shoe(ctx context.Context, e shoe.Event, stored func(shoe.Position)) {
	it := item{in: inputOf(e), position: e.Position, report: e.Report, detail: e.Detail, unsure: e.Kind == shoe.Gap &&
		e.Unsure, done: func(_ Answer, err error) {
		if err == nil && e.Position != (shoe.Position{}) {
			stored(e.Position)
		}
	}}
	switch e.Kind {
	case shoe.Down:
		it.still = online
	case shoe.Drawn:
		it.came = e.At
	}
	if err := r.enqueue(ctx, it); err != nil {
		r.o.Log.Debug("the table has ended; a shoe's event comes again at the next start", "event", e.Kind, "position",
			e.Position, "err", err)
	}
}

// online says whether the loss of the link is new to the table. A driver reports it again when another reason replaces
// the first; the record has no reasons, and one loss is one record.
func online(t *table.Table) bool { return !t.Shoe().Offline }

// gapBetweenRounds replaces a gap that may or may not contain a card when no round is
// running: no card is due then, and one that left unseen could not change a result. It
// does not hold the table, but the auditor finds it.
var gapBetweenRounds = vocab.Input{
	Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeNote}, Code: "gap between rounds",
	Origin: byShoe,
}

// inputOf translates a shoe's event for the engine. Everything that the shoe numbers
// becomes an input, so that the journal has it before it is acknowledged. What a shoe says in
// words is not refused, but nothing in it is hidden.
func inputOf(e shoe.Event) vocab.Input {
	in := wordsOf(e)
	in.ShowTexts()
	return in
}

func wordsOf(e shoe.Event) vocab.Input {
	in := vocab.Input{Kind: vocab.InShoe, Origin: byShoe}
	switch e.Kind {
	case shoe.Drawn:
		return vocab.Input{Kind: vocab.InCard, Card: e.Card, Origin: byShoe}
	case shoe.CutCard:
		in.Shoe.Event = vocab.ShoeCutCard
	case shoe.AlarmRaised:
		in.Shoe.Event, in.Code = vocab.ShoeAlarmRaised, e.Code
	case shoe.AlarmCleared:
		in.Shoe.Event, in.Code = vocab.ShoeAlarmCleared, e.Code
	case shoe.Up:
		in.Shoe.Event = vocab.ShoeCameOnline
		in.Name(vocab.Named{Maker: e.Shoe.Maker, Serial: e.Shoe.Serial, Firmware: e.Shoe.Firmware})
	case shoe.Down:
		in.Shoe.Event = vocab.ShoeWentOffline
	case shoe.Gap:
		in.Shoe.Event, in.Shoe.Missing = vocab.ShoeGap, int(e.Missing)
	default:
		in.Shoe.Event, in.Code = vocab.ShoeNote, e.Kind.String()
		if e.Code != "" {
			in.Code += " " + e.Code
		}
	}
	return in
}

// ReusedBoot reads the input that puts a shoe.Reused on record: the boot id that a shoe has
// used twice.
func ReusedBoot(in *vocab.Input) (boot uint32, is bool) {
	id, is := strings.CutPrefix(in.Code, shoe.Reused.String()+" ")
	n, err := strconv.ParseUint(id, 16, 32)
	return uint32(n), is && err == nil && in.Kind == vocab.InShoe && in.Shoe.Event == vocab.ShoeNote
}
