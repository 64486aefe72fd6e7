package people

import (
	"context"
	"maps"
	"time"

	"github.com/sabot-table/sabot/internal/site"
)

// Present is a person in a session.
type Present struct {
	Person  Person
	Session Session
}

// Actor is who this is in the log.
func (p Present) Actor() Actor { return Actor{p.Person.Name, p.Session.From, p.Session.ID} }

// MustChoose reports whether the person has to choose a password before anything else.
func (p Present) MustChoose() bool { return !p.Person.StartUntil.IsZero() }

// usedEvery is how often the use of a session is put on record.
const usedEvery = time.Minute

// Session returns who has the session of a token; false for nobody, and for a session that is
// over. Asking counts as use, except by watches: a page's stream, which uses only a viewer's. While the store cannot be
// read, who watched before may watch again: a screen that loses its stream then would stay dark otherwise.
func (p *People) Session(ctx context.Context, token string, watches bool) (who Present, in bool, err error) {
	if token == "" {
		return who, false, nil
	}
	who, in, err = p.session(ctx, site.SessionIDOf(token), watches)
	if err != nil && watches {
		if seen, is := p.lastSeen(site.SessionIDOf(token), time.Now()); is {
			return seen, true, nil
		}
	}
	return who, in, err
}

// remember keeps what the store has said of a session, for a time in which it says nothing. It was asked when so many
// sessions had been ended: one that was ended since then may be this one.
func (p *People) remember(id ID, who Present, in bool, ends uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case !in:
		delete(p.seen, id)
	case ends == p.ends:
		p.seen[id] = who
	}
}

// ended is how many sessions were ended.
func (p *People) ended() uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ends
}

// lastSeen is who had a session when the store could last be read, if it would not be over by now.
func (p *People) lastSeen(id ID, now time.Time) (who Present, is bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	who, is = p.seen[id]
	return who, is && !p.over(who, now)
}

// forgetOver forgets the sessions that are over.
func (p *People) forgetOver(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	maps.DeleteFunc(p.seen, func(_ ID, who Present) bool { return p.over(who, now) })
}

func (p *People) session(ctx context.Context, id ID, watches bool) (who Present, in bool, err error) {
	ends := p.ended()
	err = p.o.Store.ReadPeople(ctx, func(tx Tx) (err error) {
		who, in, err = p.present(tx, id, time.Now())
		return err
	})
	if err == nil {
		p.remember(id, who, in, ends)
	}
	if err != nil || !in {
		return Present{}, false, err
	}
	now := time.Now().UTC().Round(0)
	if watches && who.Person.Role != Viewer || now.Sub(who.Session.Used) < usedEvery {
		return who, true, nil
	}
	err = p.change(ctx, func(w *work) (err error) {
		if who, in, err = p.present(w, id, now); err != nil || !in {
			return err
		}
		who.Session.Used = now
		return w.PutSession(who.Session)
	})
	return who, in && err == nil, err
}

// present is who has a session, if it is not over.
func (p *People) present(tx Tx, id ID, now time.Time) (who Present, in bool, err error) {
	s, known, err := tx.Session(id)
	if err != nil || !known {
		return who, false, err
	}
	one, known, err := tx.Person(s.Name)
	if err != nil || !known || !one.Here() {
		return who, false, err
	}
	if who = (Present{Person: one, Session: s}); p.over(who, now) {
		return Present{}, false, nil
	}
	return who, true, nil
}

// over says whether a session has lasted for long enough.
func (p *People) over(who Present, now time.Time) bool {
	longest := p.o.Longest
	if who.Person.Role == Viewer {
		longest = p.o.LongestViewer
	}
	return now.Sub(who.Session.Used) >= p.o.Idle || now.Sub(who.Session.Began) >= longest
}

// may refuses what takes a manager to one whose session is over, or who is none any more: they were asked before, and
// between then and now somebody else may have decided.
func (p *People) may(w *work, by Actor) error {
	if by.Session == (ID{}) {
		return nil
	}
	who, in, err := p.present(w, by.Session, time.Now())
	if err != nil || !in || who.MustChoose() || !who.Person.Decides() {
		return orElse(err, ErrNoSession)
	}
	return nil
}

// Leave ends the session of a token.
func (p *People) Leave(ctx context.Context, token, from string) error {
	return p.change(ctx, func(w *work) error {
		s, known, err := w.Session(site.SessionIDOf(token))
		if err != nil || !known {
			return err
		}
		if err := w.endSession(s.ID); err != nil {
			return err
		}
		return w.note(Actor{Name: s.Name, From: from}, Left, "", "")
	})
}

// Hold returns a context that ends with the session, because of site.ErrSessionOver. The caller calls done
// once the request is over.
func (p *People) Hold(ctx context.Context, who Present) (held context.Context, done func()) {
	return p.live.Hold(ctx, who.Session.ID)
}

func (p *People) endLive(id ID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.seen, id)
	p.ends++
	p.live.End(id)
}

// lookAtLive ends the requests of sessions that are over. While the store cannot be read they
// go on: a screen that watches the floor is needed most when something is broken.
func (p *People) lookAtLive(ctx context.Context) {
	for _, id := range p.live.IDs() {
		_, in, err := p.session(ctx, id, true)
		if err != nil {
			if ctx.Err() == nil {
				p.o.Log.Warn("people: sessions cannot be checked; open pages stay open", "err", err)
			}
			return
		}
		if !in {
			p.endLive(id)
		}
	}
}
