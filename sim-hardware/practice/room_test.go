package practice

import (
	"errors"
	"testing"
	"time"

	"github.com/sabot-table/sabot/table/profile"
)

// roomAt is a room whose clock stands still until the test moves it.
func roomAt(t *testing.T) (*Room, *time.Time) {
	t.Helper()
	results, _ := resultsIn(t)
	now := time.Date(2026, 11, 22, 14, 0, 0, 0, time.UTC)
	results.now = func() time.Time { return now }
	return NewRoom(profile.Built(), results), &now
}

// TestRoom asks, judges, measures, keeps, and asks again what was wrong.
func TestRoom(t *testing.T) {
	room, now := roomAt(t)
	first, err := room.Ask("Anna", "wiesbaden", Payouts)
	must(t, err)
	*now = now.Add(7 * time.Second)
	if same, err := room.Ask("Anna", "wiesbaden", Payouts); err != nil || same.ID != first.ID || same.At != first.At {
		t.Errorf("looking again asks %+v, %v", same.ID, err)
	}
	wrong := Answer{Amount: first.Right.Amount + 50}
	done, err := room.Answer("Anna", "wiesbaden", Payouts, first.Seed, wrong.Text(Payouts, 2))
	must(t, err)
	if done.Done.Right || done.Done.Took != 7000 {
		t.Errorf("the answer is %+v", done.Done)
	}
	if _, err := room.Answer("Anna", "wiesbaden", Payouts, first.Seed, first.Right.Text(Payouts, 2)); !errors.Is(err,
		ErrNotAsked) {
		t.Errorf("a second answer is taken: %v", err)
	}
	for n := range soon + 1 {
		room.Next("Anna", "wiesbaden", Payouts)
		e, err := room.Ask("Anna", "wiesbaden", Payouts)
		must(t, err)
		if again := n == soon; e.Repeated != again || (e.ID == first.ID) != again {
			t.Errorf("exercise %d after the mistake is repeated: %v", n+1, e.Repeated)
		}
		_, err = room.Answer("Anna", "wiesbaden", Payouts, e.Seed, e.Right.Text(Payouts, 2))
		must(t, err)
	}
	if of, err := room.Of("Anna"); err != nil || len(of) != soon+2 || of[0].Given != done.Done.Given {
		t.Errorf("kept is %+v, %v", of, err)
	}
}

// TestRestarted: after a restart a mistake still comes back.
func TestRestarted(t *testing.T) {
	room, _ := roomAt(t)
	first, err := room.Ask("Anna", "baden", Bank)
	must(t, err)
	_, err = room.Answer("Anna", "baden", Bank, first.Seed, Answer{Draws: !first.Right.Draws}.Text(Bank, 2))
	must(t, err)
	for range soon {
		room = NewRoom(profile.Built(), OpenResults(room.Path(), room.log))
		e, err := room.Ask("Anna", "baden", Bank)
		must(t, err)
		_, err = room.Answer("Anna", "baden", Bank, e.Seed, e.Right.Text(Bank, 2))
		must(t, err)
	}
	room = NewRoom(profile.Built(), OpenResults(room.Path(), room.log))
	if e, err := room.Ask("Anna", "baden", Bank); err != nil || e.ID != first.ID || !e.Repeated {
		t.Errorf("asked is %+v, %v", e.ID, err)
	}
}

// TestNotAnswered: what cannot be read, and what nobody asked, is kept by nobody.
func TestNotAnswered(t *testing.T) {
	room, now := roomAt(t)
	e, err := room.Ask("Anna", "wiesbaden", Payouts)
	must(t, err)
	room.Next("Anna", "wiesbaden", Payouts) // there is no way round it
	if same, err := room.Ask("Anna", "wiesbaden", Payouts); err != nil || same.ID != e.ID {
		t.Errorf("an exercise was left unanswered: %v", err)
	}
	for _, text := range []string{"", "much", "-3"} {
		if _, err := room.Answer("Anna", "wiesbaden", Payouts, e.Seed, text); err == nil {
			t.Errorf("%q is an answer", text)
		}
	}
	if _, err := room.Answer("Ben", "wiesbaden", Payouts, e.Seed, "0"); !errors.Is(err, ErrNotAsked) {
		t.Errorf("somebody else's answer: %v", err)
	}
	if _, err := room.Ask("Anna", "macao", Payouts); err == nil {
		t.Error("macao has exercises")
	}
	if _, err := room.Ask(" ", "baden", Payouts); err == nil {
		t.Error("nobody has exercises")
	}
	if of, err := room.Of("Anna"); err != nil || len(of) > 0 {
		t.Errorf("kept is %v, %v", of, err)
	}
	*now = now.Add(time.Hour)
	done, err := room.Answer("Anna", "wiesbaden", Payouts, e.Seed, "0")
	must(t, err)
	if done.Done.Took != longest.Milliseconds() {
		t.Errorf("an hour took %d ms", done.Done.Took)
	}
	must(t, room.Forget("Anna"))
	if next, err := room.Ask("Anna", "wiesbaden", Payouts); err != nil || next.Done != nil || next.ID != e.ID {
		t.Errorf("who begins anew is asked %+v, %v", next.ID, err)
	}
}
