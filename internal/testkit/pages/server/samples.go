package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/table/vocab"
)

// samples are views by their names. Each that is shown gets a higher Seq than the last.
type samples struct {
	page  *web.Server
	known map[string]displaytest.Sample
	seq   uint64
}

func newSamples(page *web.Server) *samples {
	s := &samples{page: page, known: map[string]displaytest.Sample{}}
	for _, one := range slices.Concat(displaytest.Samples(), displaytest.Holds()) {
		s.known[one.Name] = one
	}
	return s
}

// ignore takes what is touched, and nothing comes of it: samples stand still.
func ignore(context.Context, vocab.Input, string) (uint64, vocab.Reason, error) { return 0, 0, nil }

// obey shows a sample, or names those that hold a round.
func (s *samples) obey(line string, out io.Writer) {
	if line == "holds" {
		fmt.Fprintln(out, strings.Join(namesOf(displaytest.Holds()), " "))
		return
	}
	one, ok := s.known[line]
	if !ok {
		fmt.Fprintf(out, "no sample %q\n", line)
		return
	}
	s.seq++
	one.View.Seq = s.seq
	// The worst that can stand beside the round's number.
	one.View.Pit, one.View.Missing = display.PitDown, []string{"card", "supervisor"}
	one.View.Away = []display.Away{
		{Lack: display.NoNetwork, Of: "192.0.2.7:8443"},
		{Lack: display.NoDisplay, Of: "/dev/i2c-1"},
	}
	if one.View.Bets == nil {
		one.View.Bets = &display.Bets{Amounts: true, Chips: []int64{200, 500, 1000, 2000, 5000, 10000, 50000}}
	}
	s.page.Show(one.View)
	fmt.Fprintln(out, "shown")
}

func namesOf(all []displaytest.Sample) (names []string) {
	for _, one := range all {
		names = append(names, one.Name)
	}
	return names
}
