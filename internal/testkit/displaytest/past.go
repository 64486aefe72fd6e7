package displaytest

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// Past are past rounds, in order from round 1 on, as a record that can be recalled.
type Past struct {
	rounds []history.Round
	// inputs are the records' own, the first that of record 1.
	inputs []vocab.Input
}

// Last returns the last n rounds, the latest first.
func (p Past) Last(n int) ([]history.Round, error) {
	var list []history.Round
	for i := len(p.rounds) - 1; i >= 0 && len(list) < n; i-- {
		list = append(list, p.rounds[i])
	}
	return list, nil
}

// Round returns one round.
func (p Past) Round(number uint64) (history.Round, error) {
	if number < 1 || number > uint64(len(p.rounds)) {
		return history.Round{}, history.NoRound(number, uint64(len(p.rounds)))
	}
	return p.rounds[number-1], nil
}

// Table returns the table as it stood after a record.
func (p Past) Table(seq uint64) (*table.Table, error) {
	if seq < 1 || seq > uint64(len(p.inputs)) {
		return nil, history.ErrNoRound
	}
	var t table.Table
	for i := range p.inputs[:seq] {
		t.Step(&p.inputs[i])
	}
	return &t, nil
}

// Proof returns a place in a chain: hashes that are as long as such hashes are. The last round
// is not sealed yet.
func (p Past) Proof(round history.Round) (history.Proof, error) {
	mark := func(seq uint64) history.Mark {
		return history.Mark{Seq: seq, Hash: fmt.Sprintf("%064x", seq*0x9e3779b97f4a7c15)}
	}
	first, last := round.Steps[0].Seq, round.Steps[len(round.Steps)-1].Seq
	proof := history.Proof{Journal: "00112233445566778899aabbccddeeff", First: mark(first), Last: mark(last)}
	if round.Finished() {
		proof.Seal = &history.Seal{
			Seq: last, Hash: mark(last).Hash, At: round.Ended, Valid: true,
			Key: "ed25519:" + mark(1).Hash, Signature: mark(last).Hash + mark(first).Hash,
		}
	}
	return proof, nil
}

// State returns a state of a table, whatever the record.
func (p Past) State(seq uint64) (string, error) {
	if seq > 1000 {
		return "", history.ErrNoRound
	}
	return "rules wiesbaden EUR | round 3 bets", nil
}

// trouble are rounds in which much goes wrong: round 21 has most of it, 22 is void,
// and 23 is held. Names in it are long and have markup in them.
//
//go:embed past.jsonl
var trouble string

// smooth is how many rounds come before the trouble.
const smooth = 20

// Rounds are a night at a table of seven boxes. It panics where a line is no input,
// which is a mistake in the sample.
func Rounds() Past { return rounds() }

var rounds = sync.OnceValue(makeRounds)

func makeRounds() Past {
	inputs := tabletest.Deal(rand.New(rand.NewPCG(3, 3)), smooth, 7)
	parser := transcript.NewParser(nil)
	for line := range strings.Lines(trouble) {
		in, err := parser.Parse([]byte(line), uint64(len(inputs)+1))
		if err != nil {
			panic("displaytest: " + err.Error())
		}
		inputs = append(inputs, in)
	}
	return RoundsOf(inputs, history.Table{House: "wiesbaden", Currency: "EUR", Min: 1000, BoxMax: 50000, Unit: 50})
}

// Night are four rounds at another house's table, with all its wagers.
func Night(house string) Past {
	var t table.Table
	in := tabletest.SetUp(rules.Setup{House: house})
	set := in.Rules
	player := tabletest.Player{Dice: rand.New(rand.NewPCG(7, 7)), Boxes: set.Table.Boxes, Freely: true}
	inputs := []vocab.Input{*in}
	for t.Step(in); t.Round() < 4 || !t.Settled(); t.Step(in) {
		next := player.Next(&t)
		in, inputs = &next, append(inputs, next)
	}
	limits := set.Table
	return RoundsOf(inputs, history.Table{
		House: house, Profile: set.Fingerprint, Currency: limits.Currency,
		Min: limits.Min, BoxMax: limits.BoxMax, Unit: limits.Unit,
	})
}

// RoundsOf makes rounds of inputs, as the journal would have them.
func RoundsOf(inputs []vocab.Input, at history.Table) Past {
	var (
		t      table.Table
		rounds []history.Round
		open   []history.Record
	)
	const start, second = 1_795_290_000_000_000_000, 1_000_000_000
	for i := range inputs {
		in := &inputs[i]
		in.Time = start + int64(i)*2*second + int64(i%7)*second/7
		record := history.Record{Seq: uint64(i + 1), At: in.Time, Input: transcript.AppendInput(nil, in)}
		before := t.Round()
		for _, out := range t.Step(in) {
			record.Outputs = append(transcript.AppendOutput(record.Outputs, &out), '\n')
		}
		if t.Round() != before {
			rounds, open = append(rounds, history.Round{}), nil
		}
		if open = append(open, record); t.Round() > 0 {
			round := history.Of(t.Round(), open)
			round.Table = at
			round.Dealer, round.Shift = "d7", "late"
			rounds[len(rounds)-1] = round
		}
	}
	return Past{rounds, inputs}
}
