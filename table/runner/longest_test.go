package runner_test

import (
	"strings"
	"testing"

	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestLongestTextsAreRestored: whatever a table takes it reads again at the next start.
func TestLongestTextsAreRestored(t *testing.T) {
	m := &memory{}
	o := options(t, m, wiesbaden(0))
	r := run(t, o)
	told := vocab.Input{
		Kind: vocab.InMessage, Message: vocab.Message{Event: vocab.MessageSent}, By: strings.Repeat("王", 32),
	}
	told.Command, told.Message.Text = strings.Repeat("0", 32), strings.Repeat(`"\𠀀`, 40)
	r.put(told)
	if err := r.end(); err != nil {
		t.Fatal(err)
	}
	back, err := runner.Restore(m, profile.Built(), o.Rules)
	if err != nil || back.Differs != nil {
		t.Fatalf("restored with %v, %v", back.Differs, err)
	}
}
