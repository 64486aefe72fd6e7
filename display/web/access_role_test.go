package web

import (
	"net/http/httptest"
	"strings"
	"testing"
)

func TestRoleNames(t *testing.T) {
	for r := Guest; r <= Supervisor; r++ {
		text, err := r.MarshalText()
		var again Role
		if err != nil || again.UnmarshalText(text) != nil || again != r {
			t.Errorf("%s is read as %s", text, again)
		}
	}
	for _, text := range []string{"", "nobody", "View", "dealer ", "admin"} {
		var r Role
		if err := r.UnmarshalText([]byte(text)); err == nil || r != 0 {
			t.Errorf("%q is read as %s", text, r)
		}
	}
}

// TestRoleOf: nobody is asked on this machine alone; who was asked is who he is.
func TestRoleOf(t *testing.T) {
	r := httptest.NewRequest("GET", "/", nil)
	if got := roleOf(r); got != Supervisor {
		t.Errorf("a request that nobody looked at is %s", got)
	}
	if got := roleOf(r.WithContext(withRole(r.Context(), View))); got != View {
		t.Errorf("a view is %s", got)
	}
}

// TestPageSaysItsRole: style and script leave out what the screen may not do.
func TestPageSaysItsRole(t *testing.T) {
	s := New(Options{})
	for role := View; role <= Supervisor; role++ {
		r := httptest.NewRequest("GET", "/", nil)
		w := httptest.NewRecorder()
		s.page(w, r.WithContext(withRole(r.Context(), role)))
		if want := ` data-role="` + role.String() + `"`; !strings.Contains(w.Body.String(), want) {
			t.Errorf("the page has no%s", want)
		}
	}
}
