package main

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/vocab"
)

// staff are who stands at a live table, as the daemon has them, but for a PIN that
// proves for 40 seconds, and lock-outs that are all equally long.
type staff struct {
	l   *live
	who *authority.Authority
	// ahead is how far their clock is ahead of this computer's.
	ahead atomic.Int64
}

// lockOut is longer than any test: one that waits for its end has it pass.
const lockOut = 10 * time.Minute

const supervisorPIN = "4711"

// dealerPIN is that of the dealers, and badges are their numbers.
const dealerPIN = "2580"

var badges = map[string]string{"d7": "00417788", "d9": "00AB99CC"}

func newStaff(l *live, proof proofs) (*staff, error) {
	p := &staff{l: l}
	var hash authority.Hash // costs time, and not every test proves somebody
	if proof.supervisors.UsesPIN() || proof.dealers.Required() {
		hash = authority.NewHash(supervisorPIN)
	}
	var err error
	var dealers []authority.Dealer
	for _, name := range []string{"d7", "d9"} {
		one := authority.Dealer{Name: name}
		if proof.dealers.Required() {
			one.PIN, one.Badge = hash.Like(dealerPIN), hash.Like(badges[name])
		}
		dealers = append(dealers, one)
	}
	p.who, err = authority.New(authority.Options{
		Proof: proof.supervisors, Holder: "floor", Present: 40 * time.Second,
		Dealers: proof.dealers, People: dealers,
		Supervisors: []authority.Supervisor{{Name: "anna", PIN: hash}, {Name: "bruno", PIN: hash}},
		Limits:      authority.Limits{Tries: 3, LockOut: lockOut, LockOutMost: lockOut},
		Noted:       p.noted, Keep: func(authority.State) error { return nil },
	}, authority.State{}, p.now())
	return p, err
}

// noted shows who stands at the table now. It comes from within press, too.
func (p *staff) noted(n authority.Notice) {
	go func() {
		p.l.mu.Lock()
		defer p.l.mu.Unlock()
		switch n.What {
		case authority.DealerIn:
			in := vocab.Input{Kind: vocab.InDealer, By: n.Who}
			in.Dealer.Proof, in.Dealer.Relieves = n.Proof, n.Relieves
			p.l.table.Step(&in)
		case authority.DealerOut:
			p.l.table.Step(&vocab.Input{Kind: vocab.InDealer})
		}
		p.l.show()
	}()
	if !n.Until.IsZero() {
		time.AfterFunc(n.Until.Sub(p.now()), p.ended)
	}
}

// pass lets as much time pass for them as a lock-out takes.
func (p *staff) pass() {
	p.ahead.Add(int64(lockOut))
	p.ended()
}

func (p *staff) now() time.Time { return time.Now().Add(time.Duration(p.ahead.Load())) }

// ended shows that something has come to its end by itself.
func (p *staff) ended() {
	p.who.Tick(p.now())
	p.l.mu.Lock()
	defer p.l.mu.Unlock()
	p.l.show()
}

// vouch says in whose name something goes into the record.
func (p *staff) vouch(ctx context.Context, in vocab.Input) (vocab.Input, error) {
	v, err := authority.Voucher{By: in.By}, error(nil)
	switch in.Kind {
	case vocab.InOpen:
		err = p.who.MayDeal()
	case vocab.InHole:
		if in.Hole != vocab.HoleExposed {
			break
		}
		fallthrough
	case vocab.InResolve, vocab.InHold, vocab.InCorrect, vocab.InAdjust:
		v, err = p.who.Vouch(ctx, p.now(), in.Role, in.By)
	case vocab.InCount, vocab.InDrop, vocab.InFill, vocab.InCredit, vocab.InBuyIn, vocab.InTips, vocab.InChange:
		return p.atTray(ctx, in)
	case vocab.InTable:
		in.Table.Dealer = p.who.Shift().Dealer
		fallthrough
	case vocab.InAcknowledge, vocab.InLimits:
		v, err = p.who.Vouch(ctx, p.now(), vocab.Supervisor, in.By)
	}
	in.By = v.By
	return in, err
}

// atTray says in whose name something of the tray goes into the record, as the daemon does.
func (p *staff) atTray(ctx context.Context, in vocab.Input) (vocab.Input, error) {
	y := in.InTray()
	theirs := in.Kind == vocab.InCount || in.Kind == vocab.InDrop || y.Step == vocab.SlipApproved ||
		y.Step == vocab.SlipRefused || in.Amount < 0
	if in.Role = vocab.Dealer; !theirs {
		return in, nil
	}
	in.Role = vocab.Supervisor
	v, err := p.who.Vouch(ctx, p.now(), in.Role, in.By)
	in.By = v.By
	return in, err
}

func (p *staff) Enter(ctx context.Context, at authority.Place, name, pin string) error {
	return p.who.Enter(ctx, p.now(), at, name, pin)
}

func (p *staff) Once(ctx context.Context, at authority.Place, g authority.Given) (context.Context, error) {
	v, err := p.who.Once(ctx, p.now(), at, g)
	return authority.Vouched(ctx, v), err
}

func (p *staff) Leave(ctx context.Context) error { return p.who.Leave(ctx, p.now()) }

func (p *staff) Status(at authority.Place) authority.Status { return p.who.Status(p.now(), at) }

func (p *staff) SignIn(ctx context.Context, dealer string) error {
	return p.who.SignIn(ctx, p.now(), dealer)
}

func (p *staff) Prove(ctx context.Context, at authority.Place, dealer, pin string) error {
	if p.l.dealing() {
		return authority.RoundRunning()
	}
	return p.who.Prove(ctx, p.now(), at, dealer, pin)
}

func (p *staff) ReadBadge(ctx context.Context, at authority.Place, number string) error {
	if p.l.dealing() {
		return authority.RoundRunning()
	}
	return p.who.ReadBadge(ctx, p.now(), at, number)
}

func (p *staff) Dealers() authority.DealerStatus {
	return p.who.Dealers(p.now(), authority.Own)
}

func (p *staff) SignOut(ctx context.Context) error { return p.who.SignOut(ctx, p.now()) }

func (p *staff) Shift() authority.Shift { return p.who.Shift() }
