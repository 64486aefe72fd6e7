package host

import (
	"context"
	"crypto/ed25519"
	"errors"
	"log/slog"
	"time"

	"github.com/sabot-table/sabot/pit/jackpot"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/vocab"
)

const (
	// meterEvery is how often what the jackpot shows goes on record at most: between two rounds, when it has changed.
	meterEvery = 5 * time.Second
	// aloneAfter is how long a table hears nothing of its jackpot until it is alone. The pit says it every ten seconds.
	aloneAfter = 35 * time.Second
	// mostWords is how many messages wait to be looked at.
	mostWords = 16
)

// meterEar hears what the pit says of the jackpot that the table plays for with others. It is nil for a table without
// one.
type meterEar struct {
	table topic.Table
	key   ed25519.PublicKey
	inbox chan []byte
	log   *slog.Logger
	// journal is the id of the table's, head its last record, and put puts an input in.
	journal func() string
	head    func() (uint64, error)
	put     func(context.Context, vocab.Input, func(*table.Table) bool) (runner.Answer, error)

	// last is what was said last, nil for nothing, and heard when; only run uses them, and what follows.
	last   *jackpot.Word
	heard  time.Time
	noted  time.Time // when it went on record
	forged bool      // it was logged
	// marks are what the journal's head was, second by second, since the last moment that is aloneAfter ago; dated says
	// that the pit says how far it has heard the table.
	marks []headMark
	dated bool
}

// headMark is the journal's head at a moment.
type headMark struct {
	at   time.Time
	head uint64
}

func (d *Daemon) openJackpot(name topic.Table) (*meterEar, error) {
	key, err := d.config.Jackpot.Known()
	if err != nil || key == nil {
		return nil, err
	}
	return &meterEar{
		table: name, key: key, inbox: make(chan []byte, mostWords), log: d.log.With("part", "jackpot"),
		journal: d.kept.journal.ID, put: d.runner.SubmitIf,
		head: func() (uint64, error) {
			head, _, err := d.kept.journal.Head()
			return head, err
		},
	}, nil
}

// hears takes a message, on a goroutine that must not wait: what is too much comes again.
func (e *meterEar) hears(payload []byte) {
	select {
	case e.inbox <- payload:
	default:
	}
}

// run puts in what the pit says, until ctx ends.
func (e *meterEar) run(ctx context.Context) {
	if e == nil {
		return
	}
	e.heard = time.Now()
	e.mark()
	look := time.NewTicker(time.Second)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case payload := <-e.inbox:
			e.take(payload)
		case <-look.C:
			e.mark()
		}
		if err := e.tell(ctx); err != nil {
			return // the table ends
		}
	}
}

// mark notes how far the journal is.
func (e *meterEar) mark() {
	head, err := e.head()
	if err != nil {
		return // the runner says so; what was noted last still holds
	}
	e.marks = append(e.marks, headMark{time.Now(), head})
	for len(e.marks) > 1 && time.Since(e.marks[1].at) >= aloneAfter {
		e.marks = e.marks[1:]
	}
}

// dates says whether a word is of now: whoever said it had heard all that the table wrote until some seconds ago, or
// until its start. An old word that somebody sends again has not. That of an earlier pit, which does not say how far it
// has heard, is believed until the pit has said so.
func (e *meterEar) dates(w *jackpot.Word) bool {
	if w.Journal == "" {
		return !e.dated
	}
	return w.Journal == e.journal() && len(e.marks) > 0 && w.Head >= e.marks[0].head
}

// take takes a word of the pit: for this table, signed, of now, and no older than what was heard already.
func (e *meterEar) take(payload []byte) {
	w, err := jackpot.Open(payload, e.key)
	switch {
	case err != nil:
		if !e.forged {
			e.forged = true
			e.log.Warn("WHAT IS SAID OF THE JACKPOT IS NOT THE PIT'S: look at who may write to the table's jackpot "+
				"topic, and at jackpot.public in its configuration", "err", err)
		}
		return
	case w.Site != e.table.Site() || w.Table != e.table.Name() || !e.dates(w):
		return
	case e.last != nil && w.Entry < e.last.Entry && time.Since(e.heard) < aloneAfter:
		return // an older one; a pit whose database was lost counts anew, and is believed once nobody says otherwise
	}
	e.last, e.heard, e.dated = w, time.Now(), e.dated || w.Journal != ""
}

// tell puts in what there is to say: how much a win is, what the jackpot shows, or that nothing is heard of it.
func (e *meterEar) tell(ctx context.Context) error {
	if w := e.last; w != nil && w.Given != nil && w.Given.Journal == e.journal() {
		in := vocab.Input{Kind: vocab.InJackpot, Amount: w.Given.Amount, Entry: int(w.Given.Decision), Stated: true}
		if err := e.submit(ctx, in, func(t *table.Table) bool {
			return t.AsksJackpot() && t.Round() == w.Given.Round
		}); err != nil {
			return err
		}
	}
	if time.Since(e.heard) > aloneAfter {
		return e.submit(ctx, vocab.Input{Kind: vocab.InMeter}, func(t *table.Table) bool {
			return between(t) && !t.AloneWith()
		})
	}
	w := e.last
	if w == nil || time.Since(e.noted) < meterEvery {
		return nil
	}
	in := vocab.Input{Kind: vocab.InMeter, Amount: w.Amount, Entry: int(w.Entry), Stated: true}
	return e.submit(ctx, in, func(t *table.Table) bool {
		r := t.Rules()
		is := between(t) && r.LinkedTo() == w.Jackpot && r.Table.Currency == w.Currency &&
			(t.AloneWith() || t.Jackpot() != w.Amount)
		if is {
			e.noted = time.Now()
		}
		return is
	})
}

// between says whether the table is linked, and between two rounds.
func between(t *table.Table) bool {
	return t.Rules() != nil && t.Rules().Linked() && t.Phase() == vocab.Idle
}

// submit puts an input in if it applies.
func (e *meterEar) submit(ctx context.Context, in vocab.Input, still func(*table.Table) bool) error {
	in.Come(vocab.Origin{From: vocab.FromPit})
	_, err := e.put(ctx, in, still)
	if errors.Is(err, runner.ErrMovedOn) {
		return nil
	}
	return err
}
