package runner_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestOrigins: every record says where its input came from, whoever put it in.
func TestOrigins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &memory{}
		o := options(t, m, rules.Setup{House: "mendrisio"})
		o.Closed = true
		o.Doubts = []vocab.Input{runner.Doubt(vocab.StorageNew, "the journal is missing")}
		r := run(t, o)
		at := shoe.Position{Boot: 1, Seq: 1}
		for _, e := range []shoe.Event{
			{Kind: shoe.Up, Shoe: shoe.Identity{Maker: "sabot"}},
			{Kind: shoe.Gap, Unsure: true, Position: at},
			{Kind: shoe.Drawn, Card: card.Of(9, card.Spades), Report: "x", Position: at},
			{Kind: shoe.Down},
		} {
			r.tell(m, e)
		}
		m.fail(true)
		r.tell(m, shoe.Event{Kind: shoe.CutCard, Position: at})
		synctest.Wait()
		m.fail(false)
		touched := vocab.Input{Kind: vocab.InNote, Code: "x"}
		touched.Come(vocab.Origin{From: vocab.FromScreen, At: "left", Who: "mia"})
		r.put(touched)
		if err := r.end(); err != nil {
			t.Fatal(err)
		}
		froms := map[string]int{}
		p := transcript.NewParser(nil)
		for _, rec := range m.records {
			in, ok := p.ReadInput(rec.Input)
			if from := in.Came().From.String(); !ok || from == "" {
				t.Errorf("%s does not say where it came from", rec.Input)
			} else {
				froms[from+" "+strings.TrimSpace(in.Kind.String()+" "+in.Shoe.Event.String())]++
			}
		}
		var seen []string
		for one := range froms {
			seen = append(seen, one)
		}
		slices.Sort(seen)
		want := []string{
			"configuration setup", "configuration table", "program storage", "screen note", "shoe card",
			"shoe shoe cut-card", "shoe shoe note", "shoe shoe offline", "shoe shoe online",
		}
		if !slices.Equal(seen, want) {
			t.Errorf("the inputs came from\n%s\nnot\n%s", strings.Join(seen, "\n"), strings.Join(want, "\n"))
		}
	})
}
