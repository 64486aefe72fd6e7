package host

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/table/authority"
)

// TestKeepTime: what ends by itself is told at its time, and not before, and the
// screens are drawn anew when a lock-out ends.
func TestKeepTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		told, over := make(chan authority.Notice, 10), make(chan time.Duration, 10)
		changed := make(chan struct{}, 1)
		a, err := authority.New(authority.Options{
			Proof: authority.PIN, Present: time.Minute,
			Supervisors: []authority.Supervisor{{Name: "anna", PIN: authority.NewHash("258013")}},
			Limits:      authority.Limits{Tries: 1, LockOut: 30 * time.Second, LockOutMost: time.Hour},
			Noted: func(n authority.Notice) {
				told <- n
				select {
				case changed <- struct{}{}:
				default:
				}
			},
			Keep: func(authority.State) error { return nil },
		}, authority.State{}, began)
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go keepTime(ctx, a, changed, func() { over <- time.Since(began) })

		if err := a.Enter(t.Context(), time.Now(), authority.Own, "anna", "258013"); err != nil {
			t.Fatal(err)
		}
		if n := <-told; n.What != authority.Proven {
			t.Fatalf("told %+v", n)
		}
		if n := <-told; n.What != authority.Left || n.Why != authority.WhyTime || n.At.Sub(began) != time.Minute ||
			time.Since(began) != time.Minute {
			t.Fatalf("told %+v after %v", n, time.Since(began))
		}
		if err := a.Enter(t.Context(), time.Now(), authority.Own, "anna", "no PIN of hers"); err == nil {
			t.Fatal("it is taken")
		}
		for _, want := range []time.Duration{time.Minute, 90 * time.Second} {
			if at := <-over; at != want {
				t.Errorf("it was over after %v, not %v", at, want)
			}
		}
		bubble.Settle(time.Hour)
		if len(over) != 0 || len(told) != 2 {
			t.Errorf("it was over %d times more, and %d notices followed", len(over), len(told))
		}
	})
}

// TestKeepTimeWhileItIsBusy: what ends while something else that has ended is handled is told all the same.
func TestKeepTimeWhileItIsBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := make(chan authority.Notice, 10)
		pin := authority.NewHash("258013")
		a, err := authority.New(authority.Options{
			Proof: authority.PIN, Present: time.Minute,
			Supervisors: []authority.Supervisor{{Name: "anna", PIN: pin}, {Name: "berta", PIN: pin}},
			Limits:      authority.Limits{Tries: 1, LockOut: 30 * time.Second, LockOutMost: time.Hour},
			Noted:       func(n authority.Notice) { told <- n },
			Keep:        func(authority.State) error { return nil },
		}, authority.State{}, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Enter(t.Context(), time.Now(), authority.Own, "anna", "258013"); err != nil {
			t.Fatal(err)
		}
		if err := a.Enter(t.Context(), time.Now(), authority.Own, "berta", "no PIN of hers"); err == nil {
			t.Fatal("it is taken")
		}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go keepTime(ctx, a, nil, func() { bubble.Pass(time.Minute) }) // a screen that is drawn for as long
		bubble.Settle(time.Hour)
		var last authority.Notice
		for len(told) > 0 {
			last = <-told
		}
		if last.What != authority.Left || last.Why != authority.WhyTime {
			t.Errorf("told last %+v", last)
		}
	})
}

// TestPeopleFile keeps what is kept last, and nothing else.
func TestPeopleFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.people")
	file := keptFile[authority.State]{path: path}
	if kept, err := file.load(); err != nil || !reflect.DeepEqual(kept, authority.State{}) {
		t.Errorf("where nothing was kept, there is %+v, %v", kept, err)
	}
	nine := time.Date(2026, 3, 14, 21, 0, 0, 5, time.UTC)
	for _, state := range []authority.State{
		{
			Tries: map[string]authority.Tries{"anna": {Wrong: 3, Until: nine}},
			Shift: authority.Shift{Dealer: "dora", Since: nine},
		},
		{Tries: map[string]authority.Tries{"bruno": {Wrong: 1}}},
		{},
	} {
		if err := file.keep(state); err != nil {
			t.Fatal(err)
		}
		if kept, err := file.load(); err != nil || !reflect.DeepEqual(kept, state) {
			t.Errorf("kept %+v, there is %+v, %v", state, kept, err)
		}
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
	if err := (keptFile[authority.State]{path: filepath.Join(path, "x")}).keep(authority.State{}); err == nil {
		t.Error("it was kept in a folder that is not there")
	}
	for _, text := range []string{"", "{", "[]", `{"tries":{"anna":3}}`} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := file.load(); err == nil || !strings.Contains(err.Error(), path) ||
			!strings.Contains(err.Error(), "move it away") {
			t.Errorf("%q gives %v", text, err)
		}
	}
}

// The form of the file does not change: a later version reads what this one kept, and this one what those before it
// did.
func TestPeopleFileForm(t *testing.T) {
	for _, text := range []string{
		`{"supervisors":{"at":{"":{"anna":{"wrong":3,"until":"2026-03-14T21:00:00Z","last":"2026-03-14T20:59:30Z"}},"bar":{"bert":{"wrong":1,"last":"2026-03-14T20:59:30Z"}}},` +
			`"screens":{"bar":{"wrong":1,"last":"2026-03-14T20:59:30Z"}},"names":{"anna":{"wrong":1,"last":"2026-03-14T20:59:30Z"}}},` +
			`"dealers":{"at":{"bar":{"d7":{"wrong":1,"last":"2026-03-14T20:59:30Z"}}}},"shift":{"dealer":"dora","since":"2026-03-14T20:00:00Z"}}`,
		`{"shift":{"dealer":"dora","since":"2026-03-14T20:00:00Z"},"tries":{"anna":{"wrong":3,"until":"2026-03-14T21:00:00Z"}},"dealer_tries":{"d7":{"wrong":1}}}`,
	} {
		var state authority.State
		if err := json.Unmarshal([]byte(text), &state); err != nil {
			t.Fatal(err)
		}
		if again, err := json.Marshal(state); err != nil || string(again) != text {
			t.Errorf("it is written as %s, %v", again, err)
		}
	}
}
