package web_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestShoeLoaded: of the shoe, a screen may say that it was loaded and nothing else.
func TestShoeLoaded(t *testing.T) {
	var taken []vocab.Input
	press := func(_ context.Context, in vocab.Input, _ string) (uint64, vocab.Reason, error) {
		taken = append(taken, in)
		return 1, 0, nil
	}
	handler := web.New(web.Options{Press: press}).Handler()
	for _, event := range []string{"loaded", "cut-card", "online", "offline", "gap", "alarm-cleared"} {
		r := httptest.NewRequest(http.MethodPost, "/input", strings.NewReader(`{"in":"shoe","event":"`+event+`"}`))
		r.Host = "localhost"
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		want := http.StatusBadRequest
		if event == "loaded" {
			want = http.StatusOK
		}
		if w.Code != want {
			t.Errorf("%s: answered %d %s", event, w.Code, w.Body)
		}
	}
	if len(taken) != 1 || taken[0].Kind != vocab.InShoe || taken[0].Shoe.Event != vocab.ShoeLoaded {
		t.Errorf("put in: %+v", taken)
	}
}
