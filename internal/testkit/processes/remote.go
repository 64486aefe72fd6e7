package processes

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/term"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// Remote is a dealer's place at a table that runs in another process: its display and its
// keys, over HTTP. While the daemon is down there is nothing to see, and presses are lost.
type Remote struct {
	url string
	// presses makes the requests, and follow says how the display is followed.
	presses *http.Client
	follow  term.FollowOptions

	mu      sync.Mutex
	view    *display.View // nil while the table cannot be seen
	changed chan struct{}
}

// NewRemote returns the place at the table whose page is at url. Follow keeps its
// display up to date.
func NewRemote(url string) *Remote {
	return NewRemoteBy(http.DefaultClient, url, term.FollowOptions{})
}

// NewRemoteBy returns a place with two screens: presses has entered with one, and follow has the key of the other.
func NewRemoteBy(presses *http.Client, url string, follow term.FollowOptions) *Remote {
	follow.Pause = 20 * time.Millisecond
	return &Remote{url: url, presses: presses, follow: follow, changed: make(chan struct{})}
}

// Follow follows the table's display until ctx ends.
func (r *Remote) Follow(ctx context.Context) error {
	err := term.Follow(ctx, r.url, term.Follower{
		View: func(v display.View) { r.show(&v) },
		Lost: func(error) { r.show(nil) },
	}, r.follow)
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func (r *Remote) show(v *display.View) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.view = v
	close(r.changed)
	r.changed = make(chan struct{})
}

// Await returns the first view that meets the condition.
func (r *Remote) Await(ctx context.Context, wanted func(display.View) bool) (display.View, error) {
	for {
		r.mu.Lock()
		view, changed := r.view, r.changed
		r.mu.Unlock()
		if view != nil && wanted(*view) {
			return *view, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return display.View{}, ctx.Err()
		}
	}
}

// Sees returns the first view that meets the condition. If none comes, the test fails.
func (r *Remote) Sees(t testing.TB, what string, wanted func(display.View) bool) display.View {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), Deadline)
	defer cancel()
	v, err := r.Await(ctx, wanted)
	if err != nil {
		t.Fatalf("waited %v in vain for %s", Deadline, what)
	}
	return v
}

// Press posts an input. If there was no answer, the display shows whether it was taken
// once the table is back.
func (r *Remote) Press(ctx context.Context, in vocab.Input) (vocab.Reason, error) {
	ctx, cancel := context.WithTimeout(ctx, Deadline)
	defer cancel()
	answer, err := r.post(ctx, transcript.AppendInput(nil, &in))
	if err != nil {
		r.show(nil)
		return 0, errors.Join(ctx.Err(), keysim.ErrLookAgain)
	}
	switch {
	case answer.Error != "":
		return 0, errors.New(answer.Error)
	case answer.Rejected == "":
		// The display must not be older than the press.
		_, err := r.Await(ctx, func(v display.View) bool { return v.Seq >= answer.Seq || v.Seq == 0 })
		return 0, err
	}
	reason, ok := vocab.ParseReason(answer.Rejected)
	if !ok {
		return 0, fmt.Errorf("%q is not a reason for a rejection", answer.Rejected)
	}
	return reason, nil
}

func (r *Remote) post(ctx context.Context, line []byte) (web.Answer, error) {
	var answer web.Answer
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.url+"input", bytes.NewReader(line))
	if err != nil {
		return answer, err
	}
	request.Header.Set("Content-Type", "application/json")
	// A connection left over from a killed daemon would swallow the press.
	request.Close = true
	response, err := r.presses.Do(request)
	if err != nil {
		return answer, err
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusServiceUnavailable {
		return answer, errors.New("the table has stopped")
	}
	return answer, json.NewDecoder(response.Body).Decode(&answer)
}
