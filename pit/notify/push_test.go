package notify_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/peopletest"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/notify"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/topic"
)

// memory is a store of browsers.
type memory struct {
	mu      sync.Mutex
	all     []notify.Subscription
	away    error
	changed chan struct{} // nil while nobody waits for a change
}

func (m *memory) Subscriptions(context.Context) ([]notify.Subscription, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.all), m.away
}

func (m *memory) PutSubscription(ctx context.Context, s notify.Subscription, _ int) error {
	if err := m.DropSubscription(ctx, s.Endpoint); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.all = append(m.all, s)
	m.change()
	return nil
}

func (m *memory) DropSubscription(_ context.Context, endpoint string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.all = slices.DeleteFunc(m.all, func(s notify.Subscription) bool { return s.Endpoint == endpoint })
	m.change()
	return m.away
}

// changes is closed with the next change.
func (m *memory) changes() <-chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.changed == nil {
		m.changed = make(chan struct{})
	}
	return m.changed
}

// change tells those who wait for it. The caller holds the lock.
func (m *memory) change() {
	if m.changed != nil {
		close(m.changed)
		m.changed = nil
	}
}

func (m *memory) setAway(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.away = err
}

func (m *memory) n() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.all)
}

// house is a floor whose people are called. Their names begin with their roles.
type house struct {
	*testing.T
	floor   *floor.Floor
	store   *memory
	service *peopletest.Service
	pusher  *notify.Pusher
	key     *ecdsa.PrivateKey
	stop    func()
	mu      sync.Mutex
	gone    map[string]bool
}

func open(t *testing.T) *house {
	t.Helper()
	h := &house{T: t, store: &memory{}, service: peopletest.StartPush(t), gone: map[string]bool{}}
	h.floor = floor.New(floor.Options{Escalation: []floor.Escalation{{After: time.Minute, Calls: floor.Manager}}})
	h.key = key(t)
	h.start()
	t.Cleanup(func() { h.stop() })
	return h
}

func key(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func (h *house) start() {
	h.Helper()
	var err error
	h.pusher, err = notify.New(notify.Options{
		Floor: h.floor, Store: h.store, Key: h.key, Contact: "mailto:it@casino.example",
		Allowed: notify.Services{h.service.Host()},
		Role: func(_ context.Context, person string) (people.Role, error) {
			h.mu.Lock()
			defer h.mu.Unlock()
			if h.gone[person] {
				return 0, nil
			}
			role, _, _ := strings.Cut(person, "-")
			return people.ParseRole(role)
		},
		Say: func(language string, a *floor.Alert) notify.Text {
			body := fmt.Sprintf("calls %s, %q comes", a.Calls, a.Comes)
			return notify.Text{Title: language + " " + a.Code, Body: body}
		},
		Client: h.service.Client(), Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		h.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		h.pusher.Run(ctx)
		close(done)
	}()
	h.stop = func() {
		stop()
		<-done
	}
}

// browser subscribes a person's browser.
func (h *house) browser(person string) *peopletest.Browser {
	h.Helper()
	b := h.service.Browser(person)
	s := notify.Subscription{Endpoint: b.Endpoint, P256dh: b.P256dh, Auth: b.Auth, Person: person, Language: "de"}
	if err := h.pusher.Subscribe(h.Context(), s); err != nil {
		h.Fatal(err)
	}
	return b
}

func (h *house) raise(code string) string {
	h.Helper()
	h.floor.Raise(topic.Table{}, code, "text", time.Now())
	for _, a := range h.floor.Alerts() {
		if a.Code == code {
			return a.ID
		}
	}
	h.Fatal("it was not raised")
	return ""
}

func (h *house) did(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

// got waits until a browser has so many notifications, and says what the last one is.
func (h *house) got(b *peopletest.Browser, n int, want string) {
	h.Helper()
	h.until(fmt.Sprintf("%d notifications", n), func() bool { return len(h.service.Got(b)) >= n })
	all := h.service.Got(b)
	last := all[len(all)-1]
	if got := fmt.Sprintf("%s; %s; silent %t", last.Title, last.Body, last.Silent); got != want || len(all) != n {
		h.Errorf("%d notifications, the last: %s\nwant %d: %s", len(all), got, n, want)
	}
}

// until waits until something holds of what the service was sent, or of what the store has.
func (h *house) until(what string, holds func() bool) {
	h.Helper()
	late := time.After(time.Minute)
	for {
		sent, kept := h.service.Changed(), h.store.changes()
		if holds() {
			return
		}
		select {
		case <-sent:
		case <-kept:
		case <-late:
			h.Fatal("within a minute there is no: ", what)
		}
	}
}

// TestWhoIsCalled: those of the role that is called, then those of the next; who was called is told what becomes of it.
func TestWhoIsCalled(t *testing.T) {
	h := open(t)
	technician, supervisor, manager := h.browser("technician-tom"), h.browser("supervisor-anna"),
		h.browser("manager-max")
	id := h.raise(floor.StoreFailing)
	h.got(technician, 1, `de store-failing; calls technician, "" comes; silent false`)
	h.floor.Tick(time.Now().Add(61 * time.Second))
	h.got(manager, 1, `de store-failing; calls manager, "" comes; silent false`)
	h.got(technician, 2, `de store-failing; calls manager, "" comes; silent false`)
	h.did(h.floor.Coming(id, "max"))
	h.got(manager, 2, `de store-failing; calls manager, "max" comes; silent true`)
	h.got(technician, 3, `de store-failing; calls manager, "max" comes; silent true`)
	first := h.service.Got(technician)[0]
	if last := h.service.Got(technician)[2]; last.Tag != first.Tag || last.Topic != first.Topic || first.Tag == "" ||
		len(first.Topic) != 32 {
		t.Errorf("one does not take the place of the other: %+v, %+v", first, last)
	}
	if first.Key != h.pusher.Key() || first.Subject != "mailto:it@casino.example" || first.Urgency != "high" ||
		first.TTL != 600 || first.Where != "/alerts" {
		t.Errorf("sent: %+v", first)
	}
	if got := h.service.Got(supervisor); len(got) != 0 {
		t.Errorf("the supervisor is called: %+v", got)
	}
}

// TestNobodyIsCalledInVain: where nobody has the role, those are called whose role includes it.
func TestNobodyIsCalledInVain(t *testing.T) {
	h := open(t)
	supervisor, manager := h.browser("supervisor-anna"), h.browser("manager-max")
	h.raise(floor.RecordsMissing) // a technician's
	h.got(manager, 1, `de records-missing; calls technician, "" comes; silent false`)
	if got := h.service.Got(supervisor); len(got) != 0 {
		t.Errorf("the supervisor is called: %+v", got)
	}
}

// TestABrowserThatIsGone is called no more, and no other waits for it.
func TestABrowserThatIsGone(t *testing.T) {
	for _, code := range []int{http.StatusNotFound, http.StatusGone} {
		h := open(t)
		gone, there := h.browser("manager-max"), h.browser("manager-mia")
		h.service.Answer(gone, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) })
		h.raise(floor.JournalRewritten)
		h.got(there, 1, `de journal-rewritten; calls manager, "" comes; silent false`)
		h.until("browser less", func() bool { return h.store.n() == 1 })
		h.raise(floor.JournalRolledBack)
		h.got(there, 2, `de journal-rolled-back; calls manager, "" comes; silent false`)
		if n := h.service.Tries(gone); n != 1 {
			t.Errorf("it is tried %d times", n)
		}
	}
}

// TestAServiceThatIsAway: it is tried again, others are called meanwhile, and the floor waits for nobody.
func TestAServiceThatIsAway(t *testing.T) {
	h := open(t)
	slow, there := h.browser("manager-max"), h.browser("manager-mia")
	hold := make(chan struct{})
	h.service.Answer(slow, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-hold:
		case <-r.Context().Done():
		}
		panic(http.ErrAbortHandler)
	})
	for range 20 {
		id := h.raise(floor.JournalRewritten)
		h.did(h.floor.Coming(id, "mia"))
		h.floor.Clear(topic.Table{}, floor.JournalRewritten, time.Now())
		h.did(h.floor.Acknowledge(id, "mia", ""))
	}
	id := h.raise(floor.JournalRolledBack)
	h.until("call of another", func() bool {
		return slices.ContainsFunc(h.service.Got(there), func(n peopletest.Notification) bool { return n.Tag == id })
	})
	if len(h.service.Got(slow)) != 0 {
		t.Fatal("it is called")
	}
	h.service.Answer(slow, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "0")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	close(hold)
	tries := h.service.Tries(slow)
	h.until("another try", func() bool { return h.service.Tries(slow) > tries })
	h.service.Answer(slow, nil)
	h.until("call at last", func() bool {
		return slices.ContainsFunc(h.service.Got(slow), func(n peopletest.Notification) bool {
			return n.Tag == id && !n.Silent
		})
	})
}

// TestThePitIsStartedAnew: an alert for which nobody knows whether they were called is called for again, one that
// somebody looks after is not; and who is called outlives the start.
func TestThePitIsStartedAnew(t *testing.T) {
	h := open(t)
	manager := h.browser("manager-max")
	h.raise(floor.JournalRewritten)
	id := h.raise(floor.JournalRolledBack)
	h.until("calls", func() bool { return len(h.service.Got(manager)) >= 2 })
	h.did(h.floor.Coming(id, "max"))
	h.until("update", func() bool { return h.service.Got(manager)[len(h.service.Got(manager))-1].Silent })
	h.stop()
	before := len(h.service.Got(manager))
	h.start()
	h.got(manager, before+1, `de journal-rewritten; calls manager, "" comes; silent false`)
	h.did(h.floor.Acknowledge(id, "max", ""))
	h.got(manager, before+2, `de journal-rolled-back; calls manager, "max" comes; silent true`)
}

// TestWhoIsNotCalledAnyMore: who may not enter, and who subscribed with another key of the pit's.
func TestWhoIsNotCalledAnyMore(t *testing.T) {
	h := open(t)
	removed, there := h.browser("manager-max"), h.browser("manager-mia")
	h.mu.Lock()
	h.gone["manager-max"] = true
	h.mu.Unlock()
	h.raise(floor.JournalRewritten)
	h.got(there, 1, `de journal-rewritten; calls manager, "" comes; silent false`)
	if h.service.Tries(removed) != 0 || h.store.n() != 1 {
		t.Error("somebody who was removed is called, or kept")
	}
	h.stop()
	h.key = key(t)
	h.start()
	h.until("forgotten browser", func() bool { return h.store.n() == 0 })
	if n := h.service.Tries(there); n != 1 {
		t.Errorf("a browser that knows another key is called: %d", n)
	}
}

// TestTheStoreIsAway: who was to be called before is called, and that is when it counts.
func TestTheStoreIsAway(t *testing.T) {
	h := open(t)
	technician := h.browser("technician-tom")
	h.store.setAway(errors.New("no space left"))
	h.raise(floor.StoreFailing)
	h.got(technician, 1, `de store-failing; calls technician, "" comes; silent false`)
}

// TestOneBrowserOnePerson: whoever uses a browser now is called on it, and nobody else; and who switches it off is not.
func TestOneBrowserOnePerson(t *testing.T) {
	h := open(t)
	tablet := h.browser("manager-max")
	s := notify.Subscription{
		Endpoint: tablet.Endpoint, P256dh: tablet.P256dh, Auth: tablet.Auth,
		Person: "technician-tom", Language: "fr",
	}
	h.did(h.pusher.Subscribe(t.Context(), s))
	h.did(h.pusher.Try(t.Context(), "technician-tom", tablet.Endpoint, notify.Text{Title: "Kursaal", Body: "works"}))
	h.got(tablet, 1, "Kursaal; works; silent true")
	if h.pusher.Try(t.Context(), "manager-max", tablet.Endpoint, notify.Text{}) == nil {
		t.Error("it is another person's, too")
	}
	h.raise(floor.RecordsMissing)
	h.got(tablet, 2, `fr records-missing; calls technician, "" comes; silent false`)
	h.did(h.pusher.End(t.Context(), tablet.Endpoint))
	phone := h.browser("technician-tim")
	h.raise(floor.BrokerLost)
	h.got(phone, 1, `de broker-lost; calls technician, "" comes; silent false`)
	if n := len(h.service.Got(tablet)); n != 2 {
		t.Errorf("it is called after it was switched off: %d", n)
	}
}

// TestOnlyWhereItMay: a subscription names its push service; nothing is sent to any that is not allowed, and nobody is
// led elsewhere.
func TestOnlyWhereItMay(t *testing.T) {
	services := notify.Services{"fcm.googleapis.com", "*.push.apple.com", "push.house.example:8443"}
	for endpoint, may := range map[string]bool{
		"https://fcm.googleapis.com/fcm/send/x":                   true,
		"https://fcm.googleapis.com:443/x":                        true,
		"https://FCM.googleapis.com/x":                            true,
		"https://web.push.apple.com/x":                            true,
		"https://push.house.example:8443/x":                       true,
		"https://push.house.example/x":                            false,
		"https://push.apple.com/x":                                false,
		"https://push.apple.com.evil.example/x":                   false,
		"https://evilpush.apple.com/x":                            false,
		"http://fcm.googleapis.com/x":                             false,
		"https://fcm.googleapis.com:8443/x":                       false,
		"https://fcm.googleapis.com@10.0.0.1/x":                   false,
		"https://a@fcm.googleapis.com/x":                          false,
		"https://127.0.0.1/x":                                     false,
		"https://[::1]/x":                                         false,
		"https://fcm.googleapis.com/" + strings.Repeat("x", 3000): false,
		"file:///etc/passwd":                                      false,
		"":                                                        false,
	} {
		if err := services.Allow(endpoint); (err == nil) != may {
			t.Errorf("%s: %v", endpoint, err)
		}
	}
	h := open(t)
	b := h.service.Browser("x")
	for name, s := range map[string]notify.Subscription{
		"elsewhere": {Endpoint: "https://10.0.0.1/x", P256dh: b.P256dh, Auth: b.Auth},
		"no point":  {Endpoint: b.Endpoint, P256dh: b.Auth, Auth: b.Auth},
		"no secret": {Endpoint: b.Endpoint, P256dh: b.P256dh, Auth: b.P256dh},
	} {
		s.Person = "manager-max"
		var refused *notify.RefusedError
		if err := h.pusher.Subscribe(t.Context(), s); !errors.As(err, &refused) || h.store.n() != 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	led := h.browser("manager-max")
	elsewhere := h.service.Browser("elsewhere")
	h.service.Answer(led, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere.Endpoint, http.StatusTemporaryRedirect)
	})
	if err := h.pusher.Try(t.Context(), "manager-max", led.Endpoint, notify.Text{Title: "x"}); err == nil ||
		h.service.Tries(elsewhere) != 0 {
		t.Errorf("it is led elsewhere: %v", err)
	}
}
