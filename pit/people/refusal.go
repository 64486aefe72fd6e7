package people

import (
	"errors"
	"time"
)

// Why is why somebody does not enter, by a name that stays.
type Why string

// The reasons. Whether a name is known is never told.
const (
	WhyWrong Why = "wrong"
	// WhyPaused: there were too many wrong tries.
	WhyPaused Why = "paused"
	// WhyBusy: too many passwords are being checked.
	WhyBusy Why = "busy"
	// WhyExpired: the starting password was not used in time.
	WhyExpired Why = "expired"
	// WhyRemoved, WhyNameTaken, WhyBadName and WhyNoRole are for those whom a provider of
	// identities vouches for.
	WhyRemoved   Why = "removed"
	WhyNameTaken Why = "name-taken"
	WhyBadName   Why = "bad-name"
	WhyNoRole    Why = "no-role"
	// WhyProvider: the provider's answer was not to be trusted, or did not come.
	WhyProvider Why = "provider"
)

// Refusal is why somebody does not enter.
type Refusal struct {
	Why Why
	// Wait is after how long it can be tried again; 0 for at once.
	Wait time.Duration
	// Detail is for the log alone.
	Detail string
}

var refusals = map[Why]string{
	WhyWrong:     "name or password is wrong",
	WhyPaused:    "there were too many wrong tries: wait, then try again",
	WhyBusy:      "too many people are entering: try again in a moment",
	WhyExpired:   "this starting password has run out: ask a manager for another",
	WhyRemoved:   "this person may not enter any more: ask a manager",
	WhyNameTaken: "another person of the pit has this name: ask a manager",
	WhyBadName:   "the name that the provider gives is none of 1 to 32 characters: ask whoever looks after it",
	WhyNoRole:    "none of this person's groups has a role in the pit: ask whoever looks after them",
	WhyProvider:  "the provider of identities could not vouch for this person: try again",
}

// Whys are all reasons.
func Whys() []Why {
	return []Why{WhyWrong, WhyPaused, WhyBusy, WhyExpired, WhyRemoved, WhyNameTaken, WhyBadName, WhyNoRole, WhyProvider}
}

// Error says what to do.
func (r *Refusal) Error() string { return refusals[r.Why] }

// Errors of changes.
var (
	ErrName = errors.New("this cannot be a person's name: write 1 to 32 letters, digits and signs such as - " +
		"and ', with single spaces inside")
	ErrRole   = errors.New("a person needs a role: viewer, cashier, supervisor, technician or manager")
	ErrNobody = errors.New("there is nobody with this name")
	ErrThere  = errors.New("somebody has this name already: choose another, or restore the person who was removed")
	ErrAlike  = errors.New("somebody's name, or that of somebody who was removed, looks the same: choose one " +
		"that nobody takes for it")
	ErrYourself  = errors.New("you cannot change your own role, or remove yourself: another manager can")
	ErrRemoved   = errors.New("this person was removed: restore them first")
	ErrNoNeed    = errors.New("this person is there already")
	ErrProvider  = errors.New("this person logs in with the identity provider, which has their password and role")
	ErrNoSession = errors.New("the session is over: log in again")
)
