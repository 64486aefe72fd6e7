package notify

import (
	"context"
	"log/slog"
	"testing"

	"github.com/sabot-table/sabot/pit/people"
)

// slowly is a store whose first answer comes when it is let go.
type slowly struct {
	Store
	asked chan chan []Subscription
}

func (s slowly) Subscriptions(context.Context) ([]Subscription, error) {
	answer := make(chan []Subscription)
	s.asked <- answer
	return <-answer, nil
}

func (slowly) DropSubscription(context.Context, string) error { return nil }

// TestAnEarlierLook: who is to be called was read before somebody's browser came, or was switched off, and is noted
// after it. That changes nothing any more: with the store away, the wrong people would be called.
func TestAnEarlierLook(t *testing.T) {
	store := slowly{asked: make(chan chan []Subscription)}
	p := &Pusher{ended: map[string]int{}, options: Options{
		Store: store, Log: slog.New(slog.DiscardHandler), Allowed: Services{"push.example"},
		Role: func(context.Context, string) (people.Role, error) { return people.Technician, nil },
	}}
	look := func() (answer chan []Subscription, ended chan bool) {
		ended = make(chan bool)
		go func() { p.look(t.Context()); close(ended) }()
		return <-store.asked, ended
	}
	tom := Subscription{Person: "tom", Endpoint: "https://push.example/tom"}
	before, ended := look()
	since, noted := look()
	since <- []Subscription{tom}
	<-noted
	before <- nil
	if <-ended; len(p.known) != 1 {
		t.Errorf("a browser that came is not called: %+v", p.known)
	}
	before, ended = look()
	if err := p.End(t.Context(), tom.Endpoint); err != nil {
		t.Fatal(err)
	}
	ann := Subscription{Person: "ann", Endpoint: "https://push.example/ann"}
	before <- []Subscription{tom, ann}
	if <-ended; len(p.known) != 1 || p.known[0].Person != "ann" {
		t.Errorf("one browser was switched off and another one came, and called are %+v", p.known)
	}
	since, noted = look()
	since <- []Subscription{tom}
	if <-noted; len(p.known) != 1 {
		t.Errorf("a browser that was switched on again is not called: %+v", p.known)
	}
}
