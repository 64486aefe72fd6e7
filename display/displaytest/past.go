package displaytest

import (
	_ "embed"
	"math/rand/v2"
	"strings"
	"sync"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/past"
	"github.com/sabot-table/sabot/table/tabletest"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// Past are past rounds, in order from round 1 on, as a record that can be recalled.
type Past []past.Round

// Last returns the last n rounds, the latest first.
func (p Past) Last(n int) ([]past.Round, error) {
	var list []past.Round
	for i := len(p) - 1; i >= 0 && len(list) < n; i-- {
		list = append(list, p[i])
	}
	return list, nil
}

// Round returns one round.
func (p Past) Round(number uint64) (past.Round, error) {
	if number < 1 || number > uint64(len(p)) {
		return past.Round{}, past.NoRound(number, uint64(len(p)))
	}
	return p[number-1], nil
}

// State returns a state of a table, whatever the record.
func (p Past) State(seq uint64) (string, error) {
	if seq > 1000 {
		return "", past.ErrNoRound
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
	return roundsOf(inputs)
}

// roundsOf makes rounds of inputs, as the journal would have them.
func roundsOf(inputs []vocab.Input) Past {
	var (
		t      table.Table
		rounds Past
		open   []past.Record
	)
	const start, second = 1_795_290_000_000_000_000, 1_000_000_000
	for i := range inputs {
		in := &inputs[i]
		in.Time = start + int64(i)*2*second + int64(i%7)*second/7
		record := past.Record{Seq: uint64(i + 1), At: in.Time, Input: transcript.AppendInput(nil, in)}
		before := t.Round()
		for _, out := range t.Step(in) {
			record.Outputs = append(transcript.AppendOutput(record.Outputs, &out), '\n')
		}
		if t.Round() != before {
			rounds, open = append(rounds, past.Round{}), nil
		}
		if open = append(open, record); t.Round() > 0 {
			round := past.Of(t.Round(), open)
			round.Table = past.Table{House: "wiesbaden", Currency: "EUR", Min: 1000, BoxMax: 50000, Unit: 50}
			round.Dealer, round.Shift = "d7", "late"
			rounds[len(rounds)-1] = round
		}
	}
	return rounds
}
