package journal_test

import (
	"crypto/ed25519"
	"path/filepath"
	"testing"

	"github.com/sabot-table/sabot/table/journal"
)

// TestVouch: only the holder of the key can say what the pit has heard of, and nothing of it can be changed.
func TestVouch(t *testing.T) {
	open := func(key ed25519.PrivateKey) *journal.Journal {
		t.Helper()
		j, err := journal.Open(filepath.Join(t.TempDir(), "journal"), journal.Options{Key: key})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := j.Close(); err != nil {
				t.Error(err)
			}
		})
		return j
	}
	seed := make([]byte, ed25519.SeedSize)
	key := ed25519.NewKeyFromSeed(seed)
	public := key.Public().(ed25519.PublicKey)
	own, unsealed := open(key), open(nil)
	seed[0] = 1
	stranger := open(ed25519.NewKeyFromSeed(seed))
	head := journal.Heard{ID: own.ID(), Record: 40, Hash: [32]byte{7}, Event: 77}
	signed := own.Vouch(head)
	if by, sealed := own.Vouched(head, signed); !by || !sealed {
		t.Error("the journal does not know its own signature")
	}
	if !journal.VouchedBy(public, head, signed) {
		t.Error("the key's public half does not know the signature")
	}
	for _, short := range []ed25519.PublicKey{nil, public[:31]} {
		if journal.VouchedBy(short, head, signed) {
			t.Errorf("a key of %d bytes knows the signature", len(short))
		}
	}
	for what, c := range map[string]struct {
		head      journal.Heard
		signature []byte
	}{
		"another record":  {journal.Heard{ID: head.ID, Record: 41, Hash: head.Hash, Event: 77}, signed},
		"another hash":    {journal.Heard{ID: head.ID, Record: 40, Hash: [32]byte{8}, Event: 77}, signed},
		"another event":   {journal.Heard{ID: head.ID, Record: 40, Hash: head.Hash, Event: 78}, signed},
		"another journal": {journal.Heard{ID: stranger.ID(), Record: 40, Hash: head.Hash, Event: 77}, signed},
		"a stranger":      {head, stranger.Vouch(head)},
		"nothing":         {head, nil},
		"half":            {head, signed[:32]},
	} {
		if by, sealed := own.Vouched(c.head, c.signature); by || !sealed {
			t.Errorf("%s is taken for the journal's own", what)
		}
		if journal.VouchedBy(public, c.head, c.signature) {
			t.Errorf("%s is taken for signed by the journal's key", what)
		}
	}
	if unsealed.Vouch(head) != nil {
		t.Error("a journal without a key signs")
	}
	if by, sealed := unsealed.Vouched(head, signed); by || sealed {
		t.Error("a journal without a key knows a signature")
	}
}
