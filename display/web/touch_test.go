package web_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/table/vocab"
)

// moments is a table that takes inputs at one moment alone, up to one that it refuses.
type moments struct {
	now     string
	refuses vocab.InputKind
	taken   []vocab.InputKind
}

func (m *moments) press(_ context.Context, in vocab.Input, moment string) (uint64, vocab.Reason, error) {
	switch {
	case moment != m.now:
		return 0, 0, fmt.Errorf("%w: it is another moment", web.ErrMovedOn)
	case in.Kind == m.refuses:
		return 7, vocab.NothingToUndo, nil
	}
	m.taken = append(m.taken, in.Kind)
	return uint64(len(m.taken)), 0, nil
}

func TestTouch(t *testing.T) {
	long := strings.Repeat(`{"in":"undo"},`, 300)
	for _, tt := range []struct {
		name, body string
		status     int
		answer     string
		taken      int
	}{
		{"one input", `{"moment":"now","put":[{"in":"open"}]}`, http.StatusOK, `{"seq":1}`, 1},
		{
			"several",
			`{"moment":"now","put":[{"in":"open"},{"in":"stake","box":3,"bettor":"3","wager":"main"},{"in":"close"}]}`,
			http.StatusOK, `{"seq":3}`, 3,
		},
		{
			"up to one that is refused", `{"moment":"now","put":[{"in":"open"},{"in":"undo"},{"in":"close"}]}`,
			http.StatusConflict, `{"seq":7,"rejected":"nothing-to-undo"}`, 1,
		},
		{"another moment", `{"moment":"then","put":[{"in":"open"}]}`, http.StatusConflict, `"rejected":"moved-on"`, 0},
		{"nothing", `{"moment":"now","put":[]}`, http.StatusBadRequest, "1 to", 0},
		{
			"too many", `{"moment":"now","put":[` + strings.TrimSuffix(long, ",") + `]}`, http.StatusBadRequest,
			"1 to", 0,
		},
		{
			"one of several that is none", `{"moment":"now","put":[{"in":"open"},{"in":"opne"}]}`,
			http.StatusBadRequest,
			"column", 0,
		},
		{
			"a card", `{"moment":"now","put":[{"in":"card","card":"AS"}]}`, http.StatusBadRequest,
			"not put in from a screen", 0,
		},
		{"no moment in it", `{"when":"now","put":[{"in":"open"}]}`, http.StatusBadRequest, "cannot be read", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := &moments{now: "now", refuses: vocab.InUndo}
			_, page := serve(t, web.Options{Press: m.press})
			status, _, body := postTo(t, page.URL+"/touch", tt.body, nil)
			if status != tt.status || !strings.Contains(body, tt.answer) {
				t.Errorf("answered %d %s, want %d and %q", status, body, tt.status, tt.answer)
			}
			if len(m.taken) != tt.taken {
				t.Errorf("%d inputs were put in (%v), not %d", len(m.taken), m.taken, tt.taken)
			}
		})
	}
}
