package secondbook

import (
	"slices"

	"github.com/sabot-table/sabot/table/vocab"
)

// This file is what a supervisor has declared dead.

// fate is what becomes of a stake that is dead.
type fate uint8

const (
	lives fate = iota
	goesBack
	isTaken
)

// death is what was declared dead: a box, a hand of it, or what somebody has there.
type death struct {
	place
	name  string
	wager vocab.Wager
	fate  fate
	// ahead: the round is told again, and has not come to it yet.
	ahead bool
}

func (d *death) says(at place, name string, w vocab.Wager) bool {
	hand := d.hand == 0 || w == vocab.WagerMain && d.hand == at.hand || w != vocab.WagerMain && d.wager == w
	return d.box == at.box && hand && (d.name == "" || d.name == name) && (d.wager == "" || d.wager == w)
}

func (f fate) brings() verdict {
	because := reason{text: "the stake was declared dead"}
	if f == isTaken {
		return lost(vocab.WhyDead, because)
	}
	return verdict{outcome: vocab.Void, why: vocab.WhyDead, reason: because}
}

// foresee reads what was declared dead in a round that is told again: what is decided of it before brings nothing, too.
func (p *page) foresee(outs []vocab.Output) {
	for i := range outs {
		in := stood(&outs[i])
		if in == nil || in.Correct.What != vocab.Dead {
			continue
		}
		d := death{place: place{uint8(in.Box), in.Hand}, name: in.Bettor, wager: in.Wager, fate: goesBack, ahead: true}
		if in.Correct.Outcome == vocab.Lose {
			d.fate = isTaken
		}
		p.deaths = append(p.deaths, d)
	}
}

// stood is the input that an output tells of as standing, nil where it tells of none.
func stood(out *vocab.Output) *vocab.Input {
	if out.Kind != vocab.Stands {
		return nil
	}
	return out.Stand
}

// die lets what is declared dead next be dead, as far as it is not decided.
func (p *page) die() {
	at := 0
	for at < len(p.deaths) && !p.deaths[at].ahead {
		at++
	}
	if at == len(p.deaths) {
		return
	}
	d := &p.deaths[at]
	d.ahead = false
	for i := range p.wagers {
		if w := &p.wagers[i]; !w.settled && w.fate == lives && d.says(w.place, w.name, vocab.WagerMain) {
			w.fate = d.fate
		}
	}
	for i := range p.stakes {
		s := &p.stakes[i]
		if s.insured != 0 && !s.insuranceEnded && s.fate == lives &&
			d.says(place{box: s.box}, s.name, vocab.WagerInsurance) {
			s.fate = d.fate
		}
	}
	for i := range p.sides {
		if s := &p.sides[i]; !s.settled && s.fate == lives && d.says(place{box: s.box}, s.name, s.wager) {
			s.fate = d.fate
		}
	}
}

// fated is what becomes of a stake that is decided now: f if it was declared dead before, or what will be declared of
// it. What a void round gives back is not dead.
func (p *page) fated(f fate, at place, name string, w vocab.Wager) fate {
	if f != lives || p.voided {
		return f
	}
	for i := range p.deaths {
		if d := &p.deaths[i]; d.ahead && d.says(at, name, w) {
			return d.fate
		}
	}
	return lives
}

func (p *page) sideFate(s *side) fate { return p.fated(s.fate, place{box: s.box}, s.name, s.wager) }

// anySide reports whether a side bet on a box is not decided.
func (p *page) anySide(box uint8) bool {
	return slices.ContainsFunc(p.sides, func(s side) bool { return s.box == box && !s.settled })
}

// allDead reports whether nothing that was staked waited for a card of the bank.
func (p *page) allDead() bool {
	for i := range p.wagers {
		if p.wagers[i].fate == lives {
			return false
		}
	}
	for i := range p.sides {
		if p.sides[i].fate == lives {
			return false
		}
	}
	return true
}
