package command

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"testing"
)

// TestInventedTables: whoever may write to the broker cannot fill the memory with names.
func TestInventedTables(t *testing.T) {
	s, err := NewSender(SenderOptions{
		Pit: "pit", KeyName: "desk", Key: ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)),
		Publish: func(context.Context, string, []byte) error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 * mostTables {
		s.Hear(fmt.Sprintf("sabot/v1/wiesbaden/bj-%d/health", i), []byte(`{}`))
	}
	if len(s.tables) != mostTables {
		t.Errorf("%d tables are remembered", len(s.tables))
	}
}
