package authority

import (
	"context"
	"time"
)

// Given is what somebody gives to be proven: a name and a PIN, or neither where a key proves.
type Given struct {
	Name string `json:"name,omitempty"`
	PIN  string `json:"pin,omitempty"`
}

// Once proves a supervisor for what is done with this request, and for nothing else: whoever asks next is proven anew.
// A PIN is checked as Enter does; where none is given, the key switch has to prove. The error is a *Refusal, what Keep
// returned if the try could not be recorded, or why ctx ended.
func (a *Authority) Once(ctx context.Context, at time.Time, place Place, g Given) (v Voucher, err error) {
	if g.PIN == "" {
		return a.withoutPIN(at, place, g.Name)
	}
	a.do(at, func() {
		if a.o.Proof == PINAndKey && !a.turned {
			err = a.needs(Key) // and no try is counted
		}
	})
	if err != nil {
		return v, err
	}
	name, err := a.check(ctx, at, place, g.Name, g.PIN)
	if err != nil {
		return v, err
	}
	a.do(at, func() {
		if err = gone(ctx); err == nil {
			v = Voucher{By: name, Screen: screenOf(ctx)}
			a.notify(Notice{At: at, What: Proven, Who: name, Screen: v.Screen})
		}
	})
	return v, err
}

// withoutPIN proves who turned the key, or takes a name where nothing has to be proven.
func (a *Authority) withoutPIN(at time.Time, place Place, name string) (v Voucher, err error) {
	a.do(at, func() {
		by, lacking := a.keyed(place)
		switch {
		case a.o.Proof == None:
			v.By = name
		case lacking != 0:
			err = a.needs(lacking)
		default:
			v.By = by
		}
	})
	return v, err
}

// keyed returns who is proven at a place by the key switch alone, or the proof that is missing. Without a proof there
// is neither. The switch says that somebody stands at the table, and not for what: by itself it proves at the table's
// own screens and panel, and at no screen elsewhere.
func (a *Authority) keyed(place Place) (name string, lacking Proof) {
	switch {
	case a.o.Proof == None:
		return "", 0
	case a.o.Proof == PINAndKey && a.turned:
		return "", PIN
	case a.o.Proof == PINOrKey && place != Own:
		return "", PIN
	case a.o.Proof != PIN && a.o.Proof != PINAndKey && a.turned && place == Own:
		return a.o.Holder, 0
	}
	return "", a.o.Proof
}

type voucherKey struct{}

// Vouched is a ctx of a request whose supervisor Once has proven: Vouch takes its word for what comes with it.
func Vouched(ctx context.Context, v Voucher) context.Context {
	return context.WithValue(ctx, voucherKey{}, v)
}

// Supervises returns the supervisor who is proven for what is done with ctx, "" for nobody.
func (a *Authority) Supervises(ctx context.Context, at time.Time) (name string) {
	if v, is := ctx.Value(voucherKey{}).(Voucher); is {
		return v.By
	}
	a.do(at, func() { name, _ = a.keyed(placeOf(ctx)) })
	return name
}
