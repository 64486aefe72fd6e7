package people

import (
	"context"
	"time"

	"github.com/sabot-table/sabot/internal/site"
)

// Attempt is what somebody enters with.
type Attempt struct {
	Name, Password string
	// From is the network address that it comes from.
	From string
	// Browser is what the browser has kept of earlier entries, Session its present session's
	// token; "" for none.
	Browser, Session string
}

// Admitted is somebody who has entered.
type Admitted struct {
	Person Person
	// Token is for the session's cookie, and Browser for the cookie by which the browser is
	// known from then on; "" where it stays as it is.
	Token, Browser string
}

// mostSessions is how many sessions a person has at a time; the one used longest ago ends.
const mostSessions = 10

// mostBrowsers is how many browsers are known of a person.
const mostBrowsers = 20

// Enter lets somebody in by name and password. The error is a *Refusal, or says why the
// store could not be read or written.
//
// A try is counted, durably, before the password is checked, and taken back if it was right.
func (p *People) Enter(ctx context.Context, a Attempt) (in Admitted, err error) {
	browser := site.SessionIDOf(a.Browser)
	known, err := p.knownBrowser(ctx, browser, a.Name)
	if err != nil {
		return in, err
	}
	free, err := p.slot(ctx, known)
	if err != nil {
		return in, err
	}
	defer free()
	all := p.counters(a.Name, a.From, known, browser)
	one, err := p.try(ctx, a, all)
	if err != nil {
		return in, err
	}
	if !one.matches(a.Password) || !one.Here() {
		return in, p.noteWrong(ctx, a, one, all)
	}
	return p.right(ctx, a, one, all, known)
}

func (p *People) knownBrowser(ctx context.Context, browser ID, name string) (known bool, err error) {
	err = p.o.Store.ReadPeople(ctx, func(tx Tx) error {
		owner, found, err := tx.Browser(browser)
		known = found && owner == name
		return err
	})
	return known, err
}

// slot waits until a password may be checked.
func (p *People) slot(ctx context.Context, known bool) (free func(), err error) {
	const most = 5 * time.Second
	slots := p.checking
	if known {
		slots = p.checkingKnown
	}
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case slots <- struct{}{}:
		return func() { <-slots }, nil
	case <-timer.C:
		return nil, &Refusal{Why: WhyBusy, Wait: most}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// try counts a try, unless there is a pause, and returns the person of the name.
func (p *People) try(ctx context.Context, a Attempt, all []counter) (one Person, err error) {
	err = p.change(ctx, func(w *work) error {
		now := time.Now()
		var wait time.Duration
		told := true
		for _, c := range all {
			t, err := w.Tries(c.key)
			if err != nil {
				return err
			}
			if t = t.at(now); t.Until.After(now) {
				wait = max(wait, t.Until.Sub(now))
				if !t.Told {
					told, t.Told = false, true
					if err := w.PutTries(c.key, t); err != nil {
						return err
					}
				}
			}
		}
		if one, _, err = w.Person(a.Name); err != nil {
			return err
		}
		if wait > 0 {
			w.refused = &Refusal{Why: WhyPaused, Wait: wait}
			if told {
				return nil
			}
			return w.note(Actor{Name: one.Name, From: a.From}, TriedInPause, "", "")
		}
		return count(w, all, now)
	})
	return one, err
}

// count counts a try as wrong.
func count(w *work, all []counter, now time.Time) error {
	for _, c := range all {
		t, err := w.Tries(c.key)
		if err != nil {
			return err
		}
		if err := w.PutTries(c.key, c.afterWrong(t, now)); err != nil {
			return err
		}
	}
	return nil
}

// noteWrong puts a wrong password on record. A name that nobody has is not: it may be a password
// in the wrong field. The pause is told as it was made, from the try on, however long the check of the password took.
func (p *People) noteWrong(ctx context.Context, a Attempt, one Person, all []counter) error {
	return p.change(ctx, func(w *work) error {
		wait := time.Duration(0)
		for _, c := range all {
			t, err := w.Tries(c.key)
			if err != nil {
				return err
			}
			wait = max(wait, t.Until.Sub(t.Last))
		}
		w.refused = &Refusal{Why: WhyWrong, Wait: wait}
		if err := w.note(Actor{Name: one.Name, From: a.From}, WrongPassword, "", ""); err != nil || wait <= 0 {
			return err
		}
		return w.note(Actor{Name: one.Name, From: a.From}, Paused, "", wait.Round(time.Second).String())
	})
}

// right lets a person in whose password was right, unless they were changed meanwhile.
func (p *People) right(ctx context.Context, a Attempt, checked Person, all []counter, known bool) (in Admitted,
	err error,
) {
	err = p.change(ctx, func(w *work) error {
		one, _, err := w.Person(a.Name)
		if err != nil {
			return err
		}
		now := time.Now()
		switch {
		case one.Password != checked.Password || !one.Here():
			w.refused = &Refusal{Why: WhyWrong}
			return nil
		case !one.StartUntil.IsZero() && !now.Before(one.StartUntil):
			w.refused = &Refusal{Why: WhyExpired}
			return w.note(Actor{Name: one.Name, From: a.From}, Refused, "", string(WhyExpired))
		}
		if err := takeBack(w, all); err != nil {
			return err
		}
		in, err = w.admit(one, a, now, known)
		return err
	})
	return in, err
}

// takeBack takes a try back that was right. What is counted of this pair alone is forgotten.
func takeBack(w *work, all []counter) error {
	for i, c := range all {
		t, err := w.Tries(c.key)
		if err != nil {
			return err
		}
		if t = c.takenBack(t); i == 0 {
			t = Tries{}
		}
		if err := w.PutTries(c.key, t); err != nil {
			return err
		}
	}
	return nil
}

// admit opens a session in place of the browser's earlier one.
func (w *work) admit(one Person, a Attempt, now time.Time, known bool) (Admitted, error) {
	in := Admitted{Person: one, Token: site.NewToken()}
	if a.Session != "" {
		if err := w.endSession(site.SessionIDOf(a.Session)); err != nil {
			return in, err
		}
	}
	if err := w.makeRoom(one.Name); err != nil {
		return in, err
	}
	now = now.UTC().Round(0)
	if err := w.PutSession(Session{
		ID: site.SessionIDOf(in.Token), Name: one.Name, Began: now, Used: now,
		From: a.From,
	}); err != nil {
		return in, err
	}
	if !known {
		in.Browser = site.NewToken()
		if err := w.PutBrowser(site.SessionIDOf(in.Browser), one.Name, now); err != nil {
			return in, err
		}
		if err := w.ForgetBrowsers(one.Name, mostBrowsers); err != nil {
			return in, err
		}
	}
	return in, w.note(Actor{Name: one.Name, From: a.From}, Entered, "", one.Role.String())
}

// makeRoom ends the sessions that were used longest ago where there are too many.
func (w *work) makeRoom(name string) error {
	sessions, err := w.Sessions(name)
	if err != nil || len(sessions) < mostSessions {
		return err
	}
	for _, s := range sessions[mostSessions-1:] {
		if err := w.endSession(s.ID); err != nil {
			return err
		}
	}
	return nil
}
