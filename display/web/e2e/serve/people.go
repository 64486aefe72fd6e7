package main

import (
	"time"

	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/vocab"
)

// people are who stands at a live table, as the daemon has them, but for a PIN that
// proves for 40 seconds, and lock-outs of 6.
type people struct {
	l   *live
	who *authority.Authority
}

const pin = "4711"

func newPeople(l *live, proof authority.Proof) (*people, error) {
	p := &people{l: l}
	hash := authority.NewHash(pin)
	var err error
	p.who, err = authority.New(authority.Options{
		Proof: proof, Holder: "floor", Present: 40 * time.Second,
		Supervisors: []authority.Supervisor{{Name: "anna", PIN: hash}, {Name: "bruno", PIN: hash}},
		Limits:      authority.Limits{Tries: 3, LockOut: 6 * time.Second, LockOutMost: time.Minute},
		Noted:       p.noted, Keep: func(authority.State) error { return nil },
	}, authority.State{}, time.Now())
	return p, err
}

// noted shows who stands at the table now. It comes from within press, too.
func (p *people) noted(n authority.Notice) {
	go func() {
		p.l.mu.Lock()
		defer p.l.mu.Unlock()
		switch n.What {
		case authority.DealerIn:
			p.l.table.Step(&vocab.Input{Kind: vocab.InDealer, By: n.Who})
		case authority.DealerOut:
			p.l.table.Step(&vocab.Input{Kind: vocab.InDealer})
		}
		p.l.show()
	}()
	if !n.Until.IsZero() {
		time.AfterFunc(time.Until(n.Until), p.ended)
	}
}

// ended shows that something has come to its end by itself.
func (p *people) ended() {
	p.who.Tick(time.Now())
	p.l.mu.Lock()
	defer p.l.mu.Unlock()
	p.l.show()
}

// vouch says in whose name something goes into the record.
func (p *people) vouch(in vocab.Input) (vocab.Input, error) {
	var err error
	switch in.Kind {
	case vocab.InResolve, vocab.InHold, vocab.InCorrect:
		in.By, err = p.who.Vouch(time.Now(), in.Role, in.By)
	case vocab.InTable:
		in.Alter(vocab.Change{Dealer: p.who.Shift().Dealer})
		fallthrough
	case vocab.InAcknowledge, vocab.InLimits:
		in.By, err = p.who.Vouch(time.Now(), vocab.Supervisor, in.By)
	}
	return in, err
}

func (p *people) Enter(name, pin string) error { return p.who.Enter(time.Now(), name, pin) }

func (p *people) Leave() { p.who.Leave(time.Now()) }

func (p *people) Status() authority.Status { return p.who.Status(time.Now()) }

func (p *people) SignIn(dealer string) error { return p.who.SignIn(time.Now(), dealer) }

func (p *people) SignOut() error { return p.who.SignOut(time.Now()) }

func (p *people) Shift() authority.Shift { return p.who.Shift() }
