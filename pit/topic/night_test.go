package topic_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestEveryNightFitsTheSchemas: at every house, with guests who do what not every table has, and
// a croupier who makes every mistake there is, each event, view and alert fits its schema, in
// which every field is named and typed; and every kind of output was seen.
func TestEveryNightFitsTheSchemas(t *testing.T) {
	seen := map[vocab.Kind]bool{}
	for house, name := range append(profile.Built().Names(), "hole", "linked") {
		for seed := range uint64(3) {
			t.Run(name, func(t *testing.T) { aNight(t, name, uint64(house)<<8|seed, seen) })
		}
	}
	for kind := range vocab.EveryOutput {
		if !seen[kind] {
			t.Errorf("no %s was seen", kind)
		}
	}
}

func aNight(t *testing.T, house string, seed uint64, seen map[vocab.Kind]bool) {
	dice := rand.New(rand.NewPCG(seed, 77))
	player := tabletest.Player{Dice: dice, Boxes: 1 + int(seed%7), Freely: true}
	if seed%256 == 2 {
		player.Pack = []card.Card{card.Of(7, card.Spades), card.Of(7, card.Hearts), card.Of(2, card.Clubs)} // bonuses
	}
	steps := 1500
	if player.Pack != nil {
		steps = 4000 // bonuses are rare
	}
	name := newTable(t)
	valid := func(name string, payload []byte, err error) {
		if err == nil {
			err = brokertest.ValidSchema(name, payload)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var tab table.Table
	sequence := uint64(0)
	checked := map[vocab.Kind]int{}
	for n := range steps {
		in := *tabletest.SetUp(rules.Setup{House: house})
		switch {
		case n == 0:
		case dice.IntN(8) == 0:
			if in = player.Anything(&tab); in.Kind == vocab.InSetup {
				continue // at this house
			}
		case dice.IntN(40) == 0:
			in = player.Correction(&tab)
		default:
			in = player.Next(&tab)
		}
		at := time.Unix(1_790_000_000+int64(n), 0)
		in.Time = at.UnixNano()
		for _, out := range tab.Step(&in) {
			sequence++
			seen[out.Kind] = true
			// make test holds the first events of each kind against the schema, and some of the others; make soak all.
			if checked[out.Kind]++; checked[out.Kind] > 2 && sequence%tier.Times[uint64](16, 1) != 0 {
				continue
			}
			line := transcript.AppendOutput(nil, &out)
			payload, err := topic.AppendEvent(nil, name,
				topic.Record{Number: sequence, Boot: 1, At: at.UnixNano(), Round: tab.Round(), Line: line})
			valid(name.Topic(topic.KindEvent), payload, err)
		}
		if n%tier.Times(50, 5) == 0 {
			view := display.From(&tab, name.Name(), uint64(n))
			snapshot := topic.Snapshot{
				Sequence: sequence, Time: at, View: marshalled(t, view),
				Alerts: map[string][]byte{},
			}
			payload, err := topic.AppendState(nil, name, 1, snapshot)
			valid(name.Topic(topic.KindState), payload, err)
			for _, a := range view.Alerts {
				code := a.Code.String()
				snapshot.Alerts[code] = marshalled(t, a)
				payload, err := topic.AppendAlert(nil, name, 1, code, snapshot)
				valid(name.Alert(code), payload, err)
			}
		}
	}
}

func marshalled(t *testing.T, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
