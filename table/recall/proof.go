package recall

import (
	"encoding/hex"
	"errors"
	"time"

	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/journal"
)

// Proof returns what shows that a round's records are those of the journal: their place in its
// chain, and the seal over them.
func (r *Recall) Proof(round history.Round) (history.Proof, error) {
	p := history.Proof{Journal: r.from.ID()}
	if len(round.Steps) == 0 {
		return p, nil
	}
	first, err := r.mark(round.Steps[0].Seq)
	last, errLast := r.mark(round.Steps[len(round.Steps)-1].Seq)
	seal, errSeal := r.from.SealOver(last.Seq)
	p.First, p.Last = first, last
	if seal != nil {
		p.Seal = &history.Seal{
			Seq: seal.Seq, Hash: hex.EncodeToString(seal.Hash[:]), At: time.Unix(0, seal.At),
			Key: journal.PublicLine(seal.Key), Signature: hex.EncodeToString(seal.Signature),
			Valid: seal.Valid(p.Journal),
		}
	}
	return p, errors.Join(err, errLast, errSeal)
}

func (r *Recall) mark(seq uint64) (history.Mark, error) {
	rec, err := r.one(seq)
	return history.Mark{Seq: seq, Hash: hex.EncodeToString(rec.Hash[:])}, err
}
