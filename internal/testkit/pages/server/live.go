package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// live is a table with the real engine behind the page: what is touched is taken or
// refused as at a table. Cards, and whatever else a screen cannot put in, come as lines
// in the words of tabletest, such as "TH 9S" or "open; stake 3 anna 20"; "key on" turns the
// supervisors' key, "later" ends lock-outs, and "transcript" is answered with all that was put in.
type live struct {
	page   *web.Server
	people *staff

	mu    sync.Mutex
	table table.Table
	seq   uint64
	// inputs are all that was put in, as transcript lines.
	inputs []byte
	memory display.Memory
	faces  tabletest.Faces
	// amounts says whether stakes are entered with their amounts.
	amounts bool
}

// newLive sets a table up by a transcript's setup line, behind a page with these options.
func newLive(o web.Options, setup string, amounts, own bool, proof proofs) (Sample, error) {
	in, err := transcript.NewParser(tabletest.Book()).Parse([]byte(setup), 1)
	if err != nil {
		return Sample{}, fmt.Errorf("-live %s: %w", setup, err)
	}
	if in.Kind != vocab.InSetup {
		return Sample{}, fmt.Errorf("-live %s: it is no setup line", setup)
	}
	l := &live{amounts: amounts}
	l.note(in)
	l.table.Step(&in)
	if l.people, err = newStaff(l, proof); err != nil {
		return Sample{}, err
	}
	if own {
		o.Recall = dealt{l}
	}
	o.Press, o.People, o.Try, o.Badges = l.press, l.people, l.try, proof.dealers.UsesBadge()
	l.page = web.New(o)
	l.show()
	return Sample{Handler: l.page.Handler(), Obey: l.obey}, nil
}

// press takes what a screen puts in, at the moment for which it was meant.
func (l *live) press(ctx context.Context, in vocab.Input, moment string) (uint64, vocab.Reason, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if moment != "" && moment != display.Moment(&l.table) {
		return 0, 0, web.ErrMovedOn
	}
	in, err := l.people.vouch(ctx, in)
	if err != nil {
		return 0, 0, err
	}
	in = l.faces.Answer(&l.table, in)
	l.note(in)
	in.Line = l.seq + 1
	l.table.Step(&in)
	refused := l.table.Rejected()
	l.show()
	return l.seq, refused, nil
}

// dealing reports whether a round is under way.
func (l *live) dealing() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.table.Phase() != vocab.Idle
}

// try finds out what would come of a correction.
func (l *live) try(_ context.Context, in vocab.Input) (display.Trial, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return display.Try(&l.table, in)
}

// obey plays a line, and answers with what followed from it on one line.
func (l *live) obey(line string, out io.Writer) {
	if key, turns := strings.CutPrefix(line, "key "); turns {
		l.people.who.Key(l.people.now(), key == "on")
		fmt.Fprintln(out, "turned")
		return
	}
	if line == "later" {
		l.people.pass()
		fmt.Fprintln(out, "passed")
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if line == "transcript" {
		fmt.Fprintln(out, strings.ReplaceAll(strings.TrimSpace(string(l.inputs)), "\n", "\t"))
		return
	}
	inputs, err := tabletest.InputsIn(l.table.Rules().Digits(), line)
	if err == nil && l.table.Rules().Bank.HasHole() {
		l.faceDown(inputs)
		fmt.Fprintln(out, "put in")
		return
	}
	for _, in := range inputs {
		l.note(in)
	}
	said, err := tabletest.Play(&l.table, line)
	l.show()
	if err != nil {
		said = "wrong: " + err.Error()
	}
	fmt.Fprintln(out, strings.ReplaceAll(strings.TrimSpace(said), "\n", " | "))
}

// faceDown puts in what comes at a table with a hole card, which is dealt face down.
func (l *live) faceDown(inputs []vocab.Input) {
	for _, in := range inputs {
		in = l.faces.Answer(&l.table, l.faces.Down(&l.table, in))
		l.note(in)
		l.table.Step(&in)
	}
	l.show()
}

// note keeps what is put in.
func (l *live) note(in vocab.Input) {
	in.Time = 0
	l.inputs = append(transcript.AppendInput(l.inputs, &in), '\n')
}

// show draws the table as it is now.
func (l *live) show() {
	l.seq++
	v := display.From(&l.table, "BJ 4", l.seq)
	v.Bets.Amounts = l.amounts
	l.memory.Look(&v)
	status, dealers := l.people.who.Shown(l.people.now()), l.people.Dealers()
	v.Supervisor, v.Dealers = &status, &dealers
	l.page.Show(v)
}

// dealt are the rounds that were dealt at the table, as a record that can be recalled.
type dealt struct{ *live }

func (d dealt) night() displaytest.Past {
	d.mu.Lock()
	defer d.mu.Unlock()
	var inputs []vocab.Input
	parser := transcript.NewParser(tabletest.Book())
	for line := range strings.Lines(string(d.inputs)) {
		in, err := parser.Parse([]byte(strings.TrimSpace(line)), uint64(len(inputs)+1))
		if err != nil {
			panic("serve: " + err.Error()) // it was written here
		}
		inputs = append(inputs, in)
	}
	limits := d.table.Rules().Table
	return displaytest.RoundsOf(inputs, history.Table{
		House: d.table.Rules().House, Currency: limits.Currency,
		Min: limits.Min, BoxMax: limits.BoxMax, Unit: limits.Unit,
	})
}

func (d dealt) Last(n int) ([]history.Round, error)              { return d.night().Last(n) }
func (d dealt) Round(number uint64) (history.Round, error)       { return d.night().Round(number) }
func (d dealt) State(seq uint64) (string, error)                 { return d.night().State(seq) }
func (d dealt) Table(seq uint64) (*table.Table, error)           { return d.night().Table(seq) }
func (d dealt) Proof(round history.Round) (history.Proof, error) { return d.night().Proof(round) }
