package runner_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

const (
	gapInput  = `{"in":"shoe","event":"gap","missing":0}`
	gapAsNote = `{"in":"shoe","event":"note","code":"gap between rounds"}`
)

// TestUnsureGap: a gap that may contain a card holds the table in every phase of a round,
// from its opening to its payment, and between rounds is only noted. Whether a round is
// running is decided when the gap's turn comes, not when it was reported.
func TestUnsureGap(t *testing.T) {
	m := &memory{}
	r := run(t, options(t, m, wiesbaden(0)))
	unsure := shoe.Event{Kind: shoe.Gap, Unsure: true}
	putRight := vocab.Input{Kind: vocab.InResolve, With: irregularity.NoneDrawn, By: "s"}
	holds := func(want bool) {
		t.Helper()
		r.tell(m, unsure)
		answer, err := r.Submit(t.Context(), putRight)
		if err != nil || (answer.Rejected == 0) != want {
			t.Errorf("none-drawn is answered with %q, %v; want the table held: %t", answer.Rejected, err, want)
		}
	}
	holds(false)
	r.put(kind(vocab.InOpen))
	holds(true)
	r.put(stake(1000), kind(vocab.InClose))
	holds(true)
	r.tell(m, unsure)
	r.put(vocab.Input{Kind: vocab.InResolve, With: irregularity.VoidRound, By: "s"})
	holds(true) // the payment is due
	r.put(kind(vocab.InPaid))
	holds(false)
	if err := r.end(); err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, in := range m.inputs() {
		if strings.HasPrefix(in, `{"in":"shoe"`) {
			told = append(told, in)
		}
	}
	if want := []string{gapAsNote, gapInput, gapInput, gapInput, gapInput, gapAsNote}; !slices.Equal(told, want) {
		t.Errorf("recorded\n%s\nnot\n%s", strings.Join(told, "\n"), strings.Join(want, "\n"))
	}
}

// TestSureGapBetweenRounds: if the shoe's numbers show that events are lost, the table is
// held between rounds too.
func TestSureGapBetweenRounds(t *testing.T) {
	m := &memory{}
	r := run(t, options(t, m, wiesbaden(0)))
	r.tell(m, shoe.Event{Kind: shoe.Gap, Missing: 1})
	r.put(vocab.Input{Kind: vocab.InResolve, With: irregularity.NoneDrawn, By: "s"})
	if err := r.end(); err != nil {
		t.Fatal(err)
	}
}
