package authority

import (
	"fmt"
	"strings"
	"time"
)

// Refusal is why an action is not allowed, in words for the people at the table. What was
// refused has changed nothing, except that a wrong PIN counts.
type Refusal struct {
	Why Why
	// Left is how many more wrong PINs are allowed before the name is locked out.
	// (WhyWrongPIN)
	Left int
	// Wait is how long to wait before the next try. (WhyLockedOut, WhyBusy)
	Wait time.Duration

	text string
}

func (r *Refusal) Error() string { return r.text }

func refuse(why Why, format string, args ...any) *Refusal {
	return &Refusal{Why: why, text: fmt.Sprintf(format, args...)}
}

func wrongPIN(name string, left int) *Refusal {
	r := refuse(WhyWrongPIN, "wrong PIN for %s: %s left before the name is locked out", name, counted(left))
	r.Left = left
	return r
}

func counted(tries int) string {
	if tries == 1 {
		return "1 try is"
	}
	return fmt.Sprintf("%d tries are", tries)
}

// todoLocked says what else to do in a lock-out.
var todoLocked = map[scope]string{
	oneName: "fetch another supervisor", allNames: "enter it at another screen",
	allScreens: "enter it at the table's own screen",
}

func lockedOut(name string, of scope, wait time.Duration) *Refusal {
	return waits(of, name, "PINs", wait, ", or "+todoLocked[of])
}

func dealerLockedOut(name string, of scope, wait time.Duration) *Refusal {
	return waits(of, name, "PINs", wait, "")
}

func badgesLockedOut(_ string, of scope, wait time.Duration) *Refusal {
	return waits(of, "every badge", "ones", wait, "")
}

// waits rounds up: after that time a try is allowed.
func waits(of scope, who, after string, wait time.Duration, or string) *Refusal {
	wait = (wait + time.Second - 1).Truncate(time.Second)
	r := refuse(WhyLockedOut, "%s is locked out at this screen after wrong %s: try again in %v%s", who, after, wait, or)
	switch of {
	case allNames:
		r = refuse(WhyLockedOut,
			"everybody is locked out at this screen after wrong tries for several: try again in %v%s", wait, or)
	case allScreens:
		r = refuse(WhyLockedOut,
			"%s is locked out at all screens but the table's own, after wrong %s at several: try again in %v%s", who,
			after, wait, or)
	}
	r.Wait = wait
	return r
}

func busy() *Refusal {
	r := refuse(WhyBusy, "another PIN is being checked: try again in a second")
	r.Wait = time.Second
	return r
}

// unknownName does not repeat the name: it may be a PIN typed in its place.
func unknownName(name string, known []string) *Refusal {
	list := strings.Join(known, ", ")
	switch {
	case len(known) == 0:
		return refuse(WhyUnknownName,
			"this table knows no supervisor: add one to its configuration, with the line that sabot key pin prints")
	case name == "":
		return refuse(WhyUnknownName, "say whose PIN it is: %s", list)
	}
	return refuse(WhyUnknownName, "no supervisor here has this name: choose %s", list)
}

func noPINAsked(p Proof) *Refusal {
	if p == Key {
		return refuse(WhyNoPINAsked, "this table asks for no PIN: turn the supervisor's key")
	}
	return refuse(WhyNoPINAsked, "this table asks for no PIN: supervisors are taken at their word")
}

// todo says how to provide what a proof lacks.
var todo = map[Proof]string{
	PIN: "enter a supervisor's PIN", Key: "turn the supervisor's key",
	PINAndKey: "turn the supervisor's key and enter a supervisor's PIN",
	PINOrKey:  "enter a supervisor's PIN, or turn the key",
}

// needs says what is lacking; of a key that is turned already, where it proves.
func (a *Authority) needs(p Proof) *Refusal {
	if p == Key && a.turned {
		return refuse(WhyNeeds+Why(p.String()),
			"the supervisor's key proves at the table's own screen and its panel alone: do it there")
	}
	return refuse(WhyNeeds+Why(p.String()), "only a supervisor may do this: %s", todo[p])
}

func anotherName(posted, proven string) *Refusal {
	return refuse(WhyAnotherName,
		"the supervisor at the table is %s, and not %q: leave the name out, or let %q be proven", proven,
		posted, posted)
}

// dealerTodo says how a dealer is proven.
var dealerTodo = map[DealerProof]string{
	0: "sign in with a name", AtTheirWord: "sign in with a name", DealerPIN: "choose your name and enter your PIN",
	Badge: "hold your badge to the reader", PINOrBadge: "hold your badge to the reader, or enter your PIN",
}

func needsDealer(p DealerProof) *Refusal {
	return refuse(WhyNeeds+Why(p.String()), "dealers are proven at this table: %s", dealerTodo[p])
}

func unknownBadge(_ string, left int) *Refusal {
	r := refuse(WhyUnknownBadge,
		"this badge is no dealer's of this table: use another, or add it with the line that sabot key badge prints")
	r.Left = left
	return r
}

// RoundRunning refuses a relief in the middle of a round.
func RoundRunning() *Refusal {
	return refuse(WhyRoundRunning, "dealers take turns between two rounds: finish this one first")
}
