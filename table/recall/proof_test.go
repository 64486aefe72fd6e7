package recall_test

import (
	"fmt"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/recall"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestProof: a round's proof has the hashes of its first and last record as the journal has
// them, and no seal where the journal has no key.
func TestProof(t *testing.T) {
	r := newRecorder(t)
	r.take(*tabletest.SetUp(rules.Setup{House: "wiesbaden"}))
	for range 3 {
		r.take(vocab.Input{Kind: vocab.InOpen})
		r.take(vocab.Input{Kind: vocab.InClose})
	}
	r.flush()
	from := recall.New(r.journal, profile.Built())
	round, err := from.Round(1)
	if err != nil {
		t.Fatal(err)
	}
	proof, err := from.Proof(round)
	if err != nil || proof.Journal != r.journal.ID() || proof.Seal != nil {
		t.Errorf("the proof is %+v, %v", proof, err)
	}
	found := 0
	for rec, err := range r.journal.Records(1) {
		if err != nil {
			t.Fatal(err)
		}
		for _, mark := range []struct {
			seq  uint64
			hash string
		}{{proof.First.Seq, proof.First.Hash}, {proof.Last.Seq, proof.Last.Hash}} {
			if mark.seq == rec.Seq {
				found++
				if mark.hash != fmt.Sprintf("%x", rec.Hash) {
					t.Errorf("record %d has the hash %x, not %s", rec.Seq, rec.Hash, mark.hash)
				}
			}
		}
	}
	if found != 2 || proof.First.Seq != round.Steps[0].Seq || proof.Last.Seq != round.Steps[len(round.Steps)-1].Seq {
		t.Errorf("the proof is of other records: %+v", proof)
	}
}
