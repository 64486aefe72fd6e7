package site

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"
)

// SessionID is the SHA-256 of what a browser's cookie holds. Those are 256 random bits, which
// nobody finds from their hash, so a plain one will do.
type SessionID [sha256.Size]byte

// NewToken is what a cookie holds: 256 random bits.
func NewToken() string {
	var b [32]byte
	rand.Read(b[:]) // never fails: crypto/rand ends the program instead
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// SessionIDOf is the ID of a token.
func SessionIDOf(token string) SessionID { return sha256.Sum256([]byte(token)) }

// LongestCookie is the longest that browsers keep a cookie.
const LongestCookie = 400 * 24 * time.Hour

// SetCookie gives a browser a cookie for all of a site, which no script reads: its name, value, Secure and SameSite are
// given. One for 0 ends with the browser, and one for less than 0 ends now.
func SetCookie(w http.ResponseWriter, c http.Cookie, lasts time.Duration) {
	c.Path, c.HttpOnly, c.MaxAge = "/", true, int(lasts/time.Second)
	http.SetCookie(w, &c)
}

// ErrSessionOver is why a request ends that lasts longer than its session.
var ErrSessionOver = errors.New("the session is over")

// LiveRequests are the requests that last as long as their sessions. The zero value has none. Its methods may be called
// from any goroutine.
type LiveRequests struct {
	mu  sync.Mutex
	all map[SessionID]map[*liveRequest]struct{}
}

// liveRequest is a request of a session.
type liveRequest struct{ end context.CancelCauseFunc }

// Hold returns a context that ends with the session, because of ErrOver. The caller calls done once the request is
// over.
func (l *LiveRequests) Hold(ctx context.Context, id SessionID) (held context.Context, done func()) {
	held, end := context.WithCancelCause(ctx)
	one := &liveRequest{end}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all == nil {
		l.all = map[SessionID]map[*liveRequest]struct{}{}
	}
	if l.all[id] == nil {
		l.all[id] = map[*liveRequest]struct{}{}
	}
	l.all[id][one] = struct{}{}
	return held, func() {
		end(nil)
		l.mu.Lock()
		defer l.mu.Unlock()
		if delete(l.all[id], one); len(l.all[id]) == 0 {
			delete(l.all, id)
		}
	}
}

// End ends all requests of a session, by the time at which it returns.
func (l *LiveRequests) End(id SessionID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for one := range l.all[id] {
		one.end(ErrSessionOver)
	}
}

// IDs are the sessions that have requests.
func (l *LiveRequests) IDs() []SessionID {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Collect(maps.Keys(l.all))
}
