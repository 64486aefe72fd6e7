package host

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestNotOnRecord: what happens to people at the very end, or faster than it can be
// recorded, is in the log.
func TestNotOnRecord(t *testing.T) {
	var log strings.Builder
	n := newNotices(slog.New(slog.NewTextHandler(&log, nil)), nil)
	n.waiting = make(chan *vocab.Input, 2)
	for _, code := range []string{"wrong-pin", "locked-out", "entered"} {
		n.add(vocab.Input{Kind: vocab.InNote, Code: code, By: "anna"})
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := n.run(ended); err != nil {
		t.Error(err)
	}
	for _, want := range []string{
		`why="too many notices wait to be recorded" code=entered by=anna`,
		`why="the table ends" code=wrong-pin by=anna`,
		`why="the table ends" code=locked-out by=anna`,
	} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log does not have %s:\n%s", want, log.String())
		}
	}
	if lines := strings.Count(log.String(), "\n"); lines != 3 {
		t.Errorf("the log has %d lines", lines)
	}
}

// TestNoticesInWords: what goes on record about people is told in words, in every language.
func TestNoticesInWords(t *testing.T) {
	notices := []authority.Notice{
		{What: authority.Proven},
		{What: authority.WrongPIN},
		{What: authority.LockedOut},
		{What: authority.TriedWhileLocked},
		{What: authority.KeyOn},
		{What: authority.KeyOff},
	}
	for _, why := range []authority.Why{
		authority.WhyAsked, authority.WhyTime, authority.WhyKeyOff,
		authority.WhyAnother,
	} {
		notices = append(notices, authority.Notice{What: authority.Left, Why: why})
	}
	for _, proof := range []authority.Proof{authority.PIN, authority.Key, authority.PINAndKey, authority.PINOrKey} {
		notices = append(notices, authority.Notice{
			What: authority.Refused,
			Why:  authority.WhyNeeds + authority.Why(proof.String()),
		})
	}
	notices = append(notices, authority.Notice{What: authority.Refused, Why: authority.WhyAnotherName})
	for _, n := range notices {
		in := inputOf(n)
		for _, l := range display.BuiltIn().Languages(false) {
			told := l.Tell(history.Round{Steps: []history.Step{{Input: history.Line{In: in}}}})
			for word := range strings.FieldsSeq(in.Code) {
				if strings.Contains(word, "-") && strings.Contains(told[0].Text, word) || l.Code() == "zh" &&
					strings.Contains(told[0].Text, word) {
					t.Errorf("%s: %q is told as %q", l.Code(), in.Code, told[0].Text)
				}
			}
			if key := "because." + string(n.Why); n.Why != "" {
				if _, ok := l.Lookup(key); !ok {
					t.Errorf("there is no text %s", key)
				}
			}
		}
	}
}
