package web

import (
	"context"
	"encoding/hex"
	"errors"
	"slices"
	"sort"
	"sync"
	"time"

	"github.com/sabot-table/sabot/internal/site"
)

// Screen is a screen that may enter from the network.
type Screen struct {
	Name string
	Role Role
	Key  KeyHash
	// Own says that it is one of the table's own screens: what other screens do locks nobody out there, and it may
	// change the settings.
	Own bool
}

// AccessOptions are what an Access needs to be told; all but Kept are required.
type AccessOptions struct {
	Screens []Screen
	// Host says whether a name or address is the table's own. Requests for any other
	// are refused: a foreign name may have been led to us.
	Host func(name string) bool
	// Kept are the sessions of a former Access, so that a restart leaves no screen dark.
	Kept []Kept
	// Keep makes the sessions durable.
	Keep func([]Kept) error
	// Noted is told what happens, in the goroutine that made it happen.
	Noted func(AccessNotice)
}

// Kept is what outlives the daemon of a session: nothing with which anybody could
// take it over.
type Kept struct {
	Screen string `json:"screen"`
	// Key is the hash of the key with which the screen entered: with another, the
	// session is over.
	Key KeyHash `json:"key"`
	// Session is the hash of what the screen's cookie holds, in hex.
	Session string    `json:"session"`
	Since   time.Time `json:"since"`
}

// AccessNotice is something that happened to a screen, for the record.
type AccessNotice struct {
	What AccessWhat
	// Screen is empty where nobody knows which one it was.
	Screen string
	Role   Role
	// From is the address that it came from, without port; empty for what happened here.
	From string
	// Why is how a screen went out, why an entry was refused, or ScreenRole.
	Why AccessWhy
	// Err is why the sessions could not be kept: what happened holds until the daemon
	// ends.
	Err error
}

// AccessWhat is what happened, by a name that stays.
type AccessWhat string

// What happens to screens.
const (
	ScreenIn      AccessWhat = "screen-in"
	ScreenOut     AccessWhat = "screen-out"
	ScreenRefused AccessWhat = "screen-refused"
)

// AccessWhy is a reason, by a name that stays.
type AccessWhy string

// The reasons.
const (
	// ScreenLeft: somebody asked for it at the screen.
	ScreenLeft AccessWhy = "left"
	// ScreenAnother: another has entered with the same key, or the same one again.
	ScreenAnother AccessWhy = "another"
	// ScreenRevoked: the screen may not enter any more, or with another key.
	ScreenRevoked AccessWhy = "revoked"
	// ScreenRole: a screen that was in stays so with another role.
	ScreenRole AccessWhy = "role"
	WrongKey   AccessWhy = "wrong-key"
	// WrongKeys is the last wrong key from a place that is told for a minute.
	WrongKeys AccessWhy = "wrong-keys"
)

// Access lets screens in from the network, each with its key, and keeps one session
// for each. A session has no end of its own, which would leave a table's screen dark
// in mid-round: it ends when its screen leaves, enters again, or may not enter any
// more. Its methods may be called from any goroutine.
type Access struct {
	o     AccessOptions
	tries tries

	keeping sync.Mutex // held while the sessions change, until they are kept

	mu       sync.Mutex
	screens  []Screen
	sessions map[site.SessionID]entered
	// live are the requests that end with their session, or when its role is another.
	live site.LiveRequests
}

// entered is a screen that has entered.
type entered struct {
	Screen
	since time.Time
}

// NewAccess returns the access of a table. Kept sessions of screens that may not
// enter any more are forgotten.
func NewAccess(o AccessOptions) (*Access, error) {
	if o.Host == nil || o.Keep == nil || o.Noted == nil {
		return nil, errors.New("web: Host, Keep and Noted are required")
	}
	a := &Access{o: o, screens: o.Screens, sessions: map[site.SessionID]entered{}}
	for _, k := range o.Kept {
		id, err := hex.DecodeString(k.Session)
		if err != nil || len(id) != len(site.SessionID{}) {
			return nil, errors.New("web: a kept session is none")
		}
		if one, known := a.named(k.Screen, k.Key); known {
			a.sessions[site.SessionID(id)] = entered{one, k.Since}
		}
	}
	return a, nil
}

// named returns the screen of a name, if it still has this key.
func (a *Access) named(name string, key KeyHash) (Screen, bool) {
	i := slices.IndexFunc(a.screens, func(s Screen) bool { return s.Name == name && s.Key.is(key) })
	if i < 0 {
		return Screen{}, false
	}
	return a.screens[i], true
}

// enter opens a session for the screen whose key this is, and ends the one that it
// had. It returns what the screen's cookie is to hold. For a wrong key it returns how
// long no more wrong ones are heard of, 0 if they still are.
func (a *Access) enter(at time.Time, text, from string) (cookie string, wait time.Duration, ok bool) {
	one, ok := a.owner(text)
	if !ok {
		return "", a.refuse(at, from), false
	}
	cookie = site.NewToken()
	a.change(func() []AccessNotice {
		if one, ok = a.named(one.Name, one.Key); !ok { // it was removed while this waited
			return nil
		}
		told := a.endSessions(ScreenAnother, func(_ site.SessionID, s entered) bool { return s.Name == one.Name })
		a.sessions[site.SessionIDOf(cookie)] = entered{one, at.Round(0)}
		return append(told, AccessNotice{What: ScreenIn, Screen: one.Name, Role: one.Role, From: from})
	})
	if !ok {
		return "", a.refuse(at, from), false
	}
	return cookie, 0, true
}

// owner returns the screen that a key was made for. It looks at all of them, so that
// the time it takes tells nothing.
func (a *Access) owner(text string) (owner Screen, known bool) {
	key, err := ParseKey(text)
	if err != nil {
		return owner, false
	}
	hash := key.Hash()
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, one := range a.screens {
		if one.Key.is(hash) {
			owner, known = one, true
		}
	}
	return owner, known
}

func (a *Access) refuse(at time.Time, from string) (wait time.Duration) {
	told, last, wait := a.tries.noteWrong(at, from)
	why := WrongKey
	if last {
		why = WrongKeys
	}
	if told {
		a.o.Noted(AccessNotice{What: ScreenRefused, From: from, Why: why})
	}
	return wait
}

// leave ends the session of a cookie.
func (a *Access) leave(cookie string) {
	a.change(func() []AccessNotice {
		left := site.SessionIDOf(cookie)
		return a.endSessions(ScreenLeft, func(id site.SessionID, _ entered) bool { return id == left })
	})
}

// Change says which screens may enter from now on. The sessions of others end at
// once; a screen whose role is another, or that becomes one of the table's own, loads its page again and stays.
func (a *Access) Change(screens []Screen) {
	a.change(func() []AccessNotice {
		a.screens = screens
		told := a.endSessions(ScreenRevoked, func(_ site.SessionID, s entered) bool {
			_, known := a.named(s.Name, s.Key)
			return !known
		})
		for id, s := range a.sessions {
			if one, _ := a.named(s.Name, s.Key); one != s.Screen {
				a.live.End(id)
				a.sessions[id] = entered{one, s.since}
				told = append(told, AccessNotice{What: ScreenIn, Screen: one.Name, Role: one.Role, Why: ScreenRole})
			}
		}
		return told
	})
}

// endSessions ends some sessions, and returns what there is to tell of it.
func (a *Access) endSessions(why AccessWhy, which func(site.SessionID, entered) bool) (told []AccessNotice) {
	for id, s := range a.sessions {
		if which(id, s) {
			a.live.End(id)
			delete(a.sessions, id)
			told = append(told, AccessNotice{What: ScreenOut, Screen: s.Name, Role: s.Role, Why: why})
		}
	}
	return told
}

// change changes the sessions, keeps them, and then tells what happened.
func (a *Access) change(what func() []AccessNotice) {
	a.keeping.Lock()
	defer a.keeping.Unlock()
	a.mu.Lock()
	told, kept := what(), []Kept{}
	for id, s := range a.sessions {
		kept = append(kept, Kept{
			Screen: s.Name, Key: s.Key, Session: hex.EncodeToString(id[:]), Since: s.since,
		})
	}
	a.mu.Unlock()
	if len(told) == 0 {
		return
	}
	sort.Slice(kept, func(x, y int) bool { return kept[x].Screen < kept[y].Screen })
	err := a.o.Keep(kept)
	for _, n := range told {
		n.Err = err
		a.o.Noted(n)
	}
}

// of returns the screen that has entered with a cookie.
func (a *Access) of(cookie string) (one Screen, in bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	s, in := a.sessions[site.SessionIDOf(cookie)]
	return s.Screen, in
}

// hold is of for a request that lasts as long as the session: what ends that has ended the request's context by the
// time at which it returns. The caller calls done once the request is over.
func (a *Access) hold(ctx context.Context, cookie string) (one Screen, held context.Context, done func(), in bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	id := site.SessionIDOf(cookie)
	s, in := a.sessions[id]
	if in {
		held, done = a.live.Hold(withRole(ctx, s.Role), id)
	}
	return s.Screen, held, done, in
}
