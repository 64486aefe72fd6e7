package site_test

import (
	"context"
	"testing"

	"github.com/sabot-table/sabot/internal/site"
)

// TestEndOfSession: what ends a session has ended its requests when it returns, and no others; what is over is
// forgotten.
func TestEndOfSession(t *testing.T) {
	var live site.LiveRequests
	one, other := site.SessionIDOf(site.NewToken()), site.SessionIDOf(site.NewToken())
	first, done := live.Hold(t.Context(), one)
	second, doneToo := live.Hold(t.Context(), one)
	elsewhere, left := live.Hold(t.Context(), other)
	live.End(one)
	for _, held := range []context.Context{first, second} {
		if context.Cause(held) != site.ErrSessionOver {
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
	if context.Cause(elsewhere) == site.ErrSessionOver || len(live.IDs()) != 0 {
		t.Errorf("a request that is over by itself ends with %v", context.Cause(elsewhere))
	}
}
