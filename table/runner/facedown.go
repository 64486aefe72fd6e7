package runner

import (
	"errors"
	"fmt"

	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// This file is the bank's card that is dealt face down. The shoe has read it, and nobody may know it: it goes into the
// table, and on record, as a card that lies face down, with a seal. What the dealer sees in it, and which it is when it
// is turned, is put in as an answer to a key press, and only where the table takes that: a refused input is on record,
// too.

// ErrSealed is a hole card that cannot be opened.
var ErrSealed = errors.New("the card that lies face down cannot be named: its key is not the one with which it was " +
	"sealed; hold the round and void it")

// faces seals cards that lie face down, and opens them.
type faces struct {
	key     FacesKey
	journal string
}

func (f *faces) at(record uint64) SealPlace {
	return SealPlace{Journal: f.journal, Record: record}
}

// down is a card as it goes into the table: face down, where it may be the bank's that is dealt so. Its record will
// have this number. Who names a card names one: a seal that came with it is not the table's.
func (r *Runner) down(in *vocab.Input, record uint64, report string) (sealed bool) {
	named := in.Kind == vocab.InResolve && in.With == irregularity.Identify
	if named {
		in.Code = ""
	}
	if named && in.Card == card.Down {
		in.Card = card.None
	}
	if in.Kind != vocab.InCard && !named || !in.Card.Ranked() || !r.o.Table.MayBeHole() {
		return false
	}
	in.Code = r.faces.key.seal(r.faces.at(record), in.Card, report)
	in.Card = card.Down
	return true
}

// hides says whether what a shoe notes of a report may be of a card that lies face down, or is to: from the bets on,
// since cards come before anybody knows whose they are.
func (r *Runner) hides() bool {
	t := r.o.Table
	return t.Rules() != nil && t.Rules().Bank.HasHole() && t.Phase() != vocab.Idle
}

// answer puts into a key press of the hole card what only the table knows, where the press is taken. What somebody else
// says of it counts for nothing.
func (r *Runner) answer(in *vocab.Input) error {
	if in.Kind != vocab.InHole {
		return nil
	}
	in.Card, in.Code = card.None, ""
	t := r.o.Table
	switch in.Hole {
	case vocab.HoleLook, vocab.HoleBlackJack, vocab.HoleNoBlackJack:
		in.Hole = vocab.HoleLook
		if t.Due().To != vocab.ToLook || t.Stands() {
			return nil
		}
		return r.look(in)
	case vocab.HoleTurned:
		if t.Due().To != vocab.ToTurn || t.Stands() {
			return nil
		}
	case vocab.HoleExposed:
		if in.Role != vocab.Supervisor || !t.MayExpose() {
			return nil
		}
	default:
		return nil
	}
	s, _ := t.Hole()
	return r.name(in, s)
}

// look says what the dealer sees.
func (r *Runner) look(in *vocab.Input) error {
	s, _ := r.o.Table.Hole()
	opened, err := r.open(s)
	if err != nil {
		return err
	}
	in.Hole = vocab.HoleNoBlackJack
	if hand.BlackJack([]card.Card{r.o.Table.Bank().Cards[0], opened.Card}) {
		in.Hole = vocab.HoleBlackJack
	}
	return nil
}

// name says which card it is.
func (r *Runner) name(in *vocab.Input, s table.Sealed) error {
	opened, err := r.open(s)
	if err != nil {
		return err
	}
	in.Card, in.Code = opened.Card, opened.Opens
	return nil
}

// open opens a seal. A card that was seen before its time needs none.
func (r *Runner) open(s table.Sealed) (sealedFace, error) {
	if s.Known != card.None {
		return sealedFace{Card: s.Known}, nil
	}
	opened, err := r.faces.key.open(r.faces.at(s.Line), s.Seal)
	if err != nil {
		return opened, fmt.Errorf("%w: %w", ErrSealed, err)
	}
	return opened, nil
}

// Turns says why a restored table's card that lies face down cannot be turned with a key of a journal; nil if it can,
// or if there is none.
func Turns(t *table.Table, key FacesKey, journal string) error {
	s, is := t.ToOpen()
	if !is {
		s, is = t.Hole()
	}
	if !is || s.Known != card.None {
		return nil
	}
	_, err := key.open((&faces{journal: journal}).at(s.Line), s.Seal)
	return err
}

// turnFirst turns the hole card before a card that the dealer has drawn: whoever draws has turned it.
func (r *Runner) turnFirst(in *vocab.Input, at int64) {
	if in.Kind == vocab.InCard && r.o.Table.Due().To == vocab.ToTurn && !r.o.Table.Stands() {
		if s, lies := r.o.Table.Hole(); lies {
			r.turn(s, at)
		}
	}
}

// openAll opens the cards that were sealed and are no hole card after all, and that of a round that is void.
func (r *Runner) openAll(at int64) {
	for s, is := r.o.Table.ToOpen(); is && r.turn(s, at); s, is = r.o.Table.ToOpen() {
	}
}

// turn turns a card by the program, and says whether it could.
func (r *Runner) turn(s table.Sealed, at int64) bool {
	in := vocab.Input{Kind: vocab.InHole, Hole: vocab.HoleTurned, Origin: byProgram, Time: at}
	if err := r.name(&in, s); err != nil {
		r.o.Log.Error("A CARD THAT LIES FACE DOWN CANNOT BE OPENED: hold the round and void it", "err", err)
		return false
	}
	r.record(in, shoe.Position{})
	return r.o.Table.Rejected() == 0
}
