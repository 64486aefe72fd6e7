package web

import (
	"time"

	"github.com/sabot-table/sabot/table/history"
)

// recallIn tells rounds of the past by the clock of a zone.
type recallIn struct {
	Recall
	zone *time.Location
}

func (r recallIn) Last(n int) ([]history.Round, error) {
	rounds, err := r.Recall.Last(n)
	for i := range rounds {
		rounds[i] = rounds[i].In(r.zone)
	}
	return rounds, err
}

func (r recallIn) Round(number uint64) (history.Round, error) {
	round, err := r.Recall.Round(number)
	return round.In(r.zone), err
}

func (r recallIn) Proof(round history.Round) (history.Proof, error) {
	proof, err := r.Recall.Proof(round)
	return proof.In(r.zone), err
}
