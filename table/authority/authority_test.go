package authority

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// options are those of a table with one supervisor.
func options() Options {
	return Options{
		Proof: PIN, Supervisors: []Supervisor{{"anna", cheap("2580")}}, Present: time.Minute,
		Limits: Limits{3, time.Second, time.Minute}, Noted: func(Notice) {}, Keep: func(State) error { return nil },
	}
}

// TestOnePINAtATime: while a PIN is being checked no other is, however many are
// sent. Others may look meanwhile, and so may who is told.
func TestOnePINAtATime(t *testing.T) {
	o := options()
	checking, goOn := make(chan struct{}), make(chan struct{})
	o.Keep = func(State) error {
		checking <- struct{}{}
		<-goOn
		return nil
	}
	var a *Authority
	told := make(chan Status, 10)
	o.Noted = func(n Notice) { told <- a.Status(n.At, Own) }
	a, err := New(o, State{}, start)
	if err != nil {
		t.Fatal(err)
	}
	first := make(chan error)
	go func() { first <- a.Enter(t.Context(), start, Own, "anna", "2580") }()
	<-checking
	var refused *Refusal
	if err := a.Enter(t.Context(), start, Own, "anna", "2580"); !errors.As(err, &refused) || refused.Why != WhyBusy ||
		refused.Wait != time.Second {
		t.Errorf("a second PIN at the same time gives %v", err)
	}
	if status := a.Status(start, Own); status.Present != "" {
		t.Errorf("%s is present before the PIN was checked", status.Present)
	}
	goOn <- struct{}{}
	<-checking // the right one takes the try back
	goOn <- struct{}{}
	if err := <-first; err != nil {
		t.Error(err)
	}
	if status := <-told; status.Present != "anna" {
		t.Errorf("who is told sees %+v", status)
	}
}

// TestPINThatCannotBeTakenBack: where the disk fails between the try and its answer
// nobody is proven, and the try counts.
func TestPINThatCannotBeTakenBack(t *testing.T) {
	o := options()
	full := errors.New("no space left on device")
	var kept []State
	o.Keep = func(s State) error {
		if len(kept) > 0 {
			return full
		}
		kept = append(kept, s)
		return nil
	}
	a, err := New(o, State{}, start)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Enter(t.Context(), start, Own, "anna", "2580"); !errors.Is(err, full) {
		t.Errorf("the right PIN gives %v", err)
	}
	if status := a.Status(start, Own); status.Present != "" || kept[0].Supervisors.At[Own]["anna"].Wrong != 1 {
		t.Errorf("the status is %+v, and %+v is kept", status, kept)
	}
}

// TestOptions: what makes no sense is refused.
func TestOptions(t *testing.T) {
	if _, err := New(options(), State{}, start); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Options){
		"no proof":           func(o *Options) { o.Proof = 0 },
		"unknown proof":      func(o *Options) { o.Proof = PINOrKey + 1 },
		"no presence":        func(o *Options) { o.Present = 0 },
		"nobody told":        func(o *Options) { o.Noted = nil },
		"nowhere kept":       func(o *Options) { o.Keep = nil },
		"no tries":           func(o *Options) { o.Limits.Tries = 0 },
		"no lock-out":        func(o *Options) { o.Limits.LockOut = 0 },
		"shrinking lock-out": func(o *Options) { o.Limits.LockOutMost = o.Limits.LockOut - 1 },
		"endless lock-out":   func(o *Options) { o.Limits.LockOutMost = 25 * time.Hour },
	} {
		o := options()
		change(&o)
		if _, err := New(o, State{}, start); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

// TestKeptState: what was never kept is refused, and who is no supervisor any more
// is forgotten.
func TestKeptState(t *testing.T) {
	for _, kept := range []State{
		{Tries: map[string]Tries{"anna": {Wrong: -1}}},
		{Tries: map[string]Tries{"anna": {Wrong: 1 << 40}}},
		{Tries: map[string]Tries{"anna": {}}},
		{Shift: Shift{Dealer: strings.Repeat("d", 33), Since: start}},
		{Shift: Shift{Since: start}},
	} {
		if _, err := New(options(), kept, start); err == nil {
			t.Errorf("%+v is taken", kept)
		}
	}
	kept := State{Tries: map[string]Tries{
		"anna": {Wrong: 3, Until: start.Add(time.Second)},
		"gone": {Wrong: 9, Until: start.Add(time.Minute)},
	}}
	a, err := New(options(), kept, start)
	if err != nil {
		t.Fatal(err)
	}
	if got := a.Status(start, Own).Locked; len(got) != 1 || got[0] != (Locked{"anna", start.Add(time.Second)}) {
		t.Errorf("locked out are %+v", got)
	}
	if next := a.Next(start); !next.Equal(start.Add(time.Second)) {
		t.Errorf("the next change is at %v", next)
	}
}

// TestNight counts the tries that somebody has for one name in eight hours, with the
// usual limits. The number stands in docs/irregularities.md.
func TestNight(t *testing.T) {
	l, tries, counted := Limits{3, 30 * time.Second, 15 * time.Minute}, Tries{}, 0
	for at := start; at.Before(start.Add(8 * time.Hour)); counted++ {
		tries = l.afterWrong(tries, at, 0)
		if tries.Until.After(at) {
			at = tries.Until
		}
	}
	if counted != 38 {
		t.Errorf("a night has %d tries", counted)
	}
}

func TestProofNames(t *testing.T) {
	for p := None; p <= PINOrKey; p++ {
		text, err := p.MarshalText()
		var again Proof
		if err := errors.Join(err, again.UnmarshalText(text)); err != nil || again != p {
			t.Errorf("%s is read as %s, %v", text, again, err)
		}
	}
	for _, text := range []string{"", "PIN", "pin ", "both", "either"} {
		var p Proof
		if err := p.UnmarshalText([]byte(text)); err == nil || p != 0 {
			t.Errorf("%q is read as %s", text, p)
		}
	}
}
