package session_test

import (
	"context"
	"testing"

	"github.com/sabot-table/sabot/internal/web/session"
)

// TestEnd: what ends a session has ended its requests when it returns, and no others; what is over is forgotten.
func TestEnd(t *testing.T) {
	var live session.Live
	one, other := session.IDOf(session.NewToken()), session.IDOf(session.NewToken())
	first, done := live.Hold(t.Context(), one)
	second, doneToo := live.Hold(t.Context(), one)
	elsewhere, left := live.Hold(t.Context(), other)
	live.End(one)
	for _, held := range []context.Context{first, second} {
		if context.Cause(held) != session.ErrOver {
			t.Errorf("a request of the session ends with %v", context.Cause(held))
		}
	}
	if elsewhere.Err() != nil {
		t.Errorf("a request of another session ends with %v", context.Cause(elsewhere))
	}
	done()
	doneToo()
	if ids := live.IDs(); len(ids) != 1 || ids[0] != other {
		t.Errorf("there are requests of %d sessions", len(ids))
	}
	left()
	if context.Cause(elsewhere) == session.ErrOver || len(live.IDs()) != 0 {
		t.Errorf("a request that is over by itself ends with %v", context.Cause(elsewhere))
	}
}
