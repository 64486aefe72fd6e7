package notify

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	webpush "github.com/SherClockHolmes/webpush-go"
)

// message is a notification.
type message struct {
	// tag names what it is about: a later one takes its place. where is the page that it leads to.
	tag, where string
	text       Text
	// silent makes no sound.
	silent bool
	until  time.Time
}

// line is a browser to which messages are sent, one after the other. Browsers do not wait for each other.
type line struct{ waiting []message }

// mostWaiting is how many messages wait for a browser at most. One whose service takes none for long gets the newest.
const mostWaiting = 100

// Times of sending: a try may take so long, and the pauses between tries double from the first to the last.
const (
	tryFor     = 10 * time.Second
	firstPause = time.Second
	lastPause  = time.Minute
)

// enqueue has a message wait, in the place of one about the same thing. The Pusher is
// locked.
func (p *Pusher) enqueue(ctx context.Context, all *sync.WaitGroup, to Subscription, m message) {
	l := p.lines[to.Endpoint]
	if l == nil {
		l = &line{}
		p.lines[to.Endpoint] = l
		all.Go(func() { p.run(ctx, to, l) })
	}
	l.waiting = slices.DeleteFunc(l.waiting, func(other message) bool { return other.tag == m.tag })
	if l.waiting = append(l.waiting, m); len(l.waiting) > mostWaiting {
		l.waiting = l.waiting[1:]
	}
}

// run sends what waits for a browser, until nothing does.
func (p *Pusher) run(ctx context.Context, to Subscription, l *line) {
	for ctx.Err() == nil {
		p.mu.Lock()
		if len(l.waiting) == 0 {
			delete(p.lines, to.Endpoint)
			p.mu.Unlock()
			return
		}
		m := l.waiting[0]
		l.waiting = l.waiting[1:]
		p.mu.Unlock()
		p.deliver(ctx, to, l, m)
	}
}

// deliver tells a browser of something, unless a later message about the same thing has come meanwhile.
func (p *Pusher) deliver(ctx context.Context, to Subscription, l *line, m message) {
	err := deliver(ctx, m.until, func(ctx context.Context) error { return p.post(ctx, &to, m) }, func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return slices.ContainsFunc(l.waiting, func(other message) bool { return other.tag == m.tag })
	})
	if err == nil || ctx.Err() != nil {
		return
	}
	log := p.options.Log.With("person", to.Person, "service", hostOf(to.Endpoint))
	switch refused, is := errors.AsType[*refusedError](err); {
	case is && refused.gone():
		if err := p.End(ctx, to.Endpoint); err != nil {
			log.Warn("pit: a browser that does not exist any more cannot be forgotten; the pit tries again with "+
				"the next alert", "error", err)
			return
		}
		log.Info("pit: a browser does not exist any more, and is forgotten")
	case is:
		log.Error("pit: a browser cannot be called; have its person switch notifications off and on again",
			"error", err)
	default:
		log.Error("pit: a browser was not called in time; check that the pit reaches its push service", "error", err)
	}
}

// deliver posts something again and again until it is taken, refused for good, out of date, or overtaken.
func deliver(ctx context.Context, until time.Time, post func(context.Context) error, overtaken func() bool) error {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		try, stop := context.WithTimeout(ctx, tryFor)
		err := post(try)
		stop()
		if _, refused := errors.AsType[*refusedError](err); err == nil || refused ||
			time.Now().Add(pause).After(until) {
			return err
		}
		if later, is := errors.AsType[*laterError](err); is {
			pause = max(pause, min(later.after, lastPause))
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
		if overtaken() {
			return nil
		}
	}
}

// refusedError is an answer that another try would not change.
type refusedError struct {
	code int
	text string
}

func (e *refusedError) Error() string { return e.text }

// gone says that the browser does not exist any more.
func (e *refusedError) gone() bool { return e.code == http.StatusNotFound || e.code == http.StatusGone }

// laterError is an answer that asks for another try, not before so long.
type laterError struct {
	status string
	after  time.Duration
}

func (e *laterError) Error() string { return "its push service answers " + e.status }

// payload is what the pages' service worker reads.
type payload struct {
	Title  string `json:"title"`
	Body   string `json:"body"`
	Tag    string `json:"tag"`
	Where  string `json:"where,omitempty"`
	Silent bool   `json:"silent,omitempty"`
}

// post encrypts a message and sends it.
func (p *Pusher) post(ctx context.Context, to *Subscription, m message) error {
	if err := p.options.Allowed.Allow(to.Endpoint); err != nil {
		return &refusedError{text: "its push service refuses: " + err.Error()}
	}
	text, err := json.Marshal(payload{m.text.Title, m.text.Body, m.tag, m.where, m.silent})
	if err != nil {
		return err
	}
	urgency := webpush.UrgencyHigh
	if m.silent {
		urgency = webpush.UrgencyNormal
	}
	answer, err := webpush.SendNotificationWithContext(ctx, text, &webpush.Subscription{
		Endpoint: to.Endpoint, Keys: webpush.Keys{P256dh: to.P256dh, Auth: to.Auth},
	}, &webpush.Options{
		HTTPClient: p.options.Client, Subscriber: strings.TrimPrefix(p.options.Contact, "mailto:"),
		Topic: topicOf(m.tag),
		TTL:   int(p.options.Patience / time.Second), Urgency: urgency, VAPIDPublicKey: p.public,
		VAPIDPrivateKey: p.private,
	})
	if named, is := errors.AsType[*url.Error](err); is {
		err = named.Err // the rest is the browser's address, which is a secret
	}
	if err != nil {
		return fmt.Errorf("its push service is not reached: %w", err)
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(io.LimitReader(answer.Body, 1<<10))
	if err != nil {
		return err
	}
	switch code := answer.StatusCode; {
	case code < 300:
		return nil
	case code == http.StatusRequestTimeout, code == http.StatusTooManyRequests, code >= 500:
		seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After")) // 0 where it is none
		return &laterError{answer.Status, time.Duration(max(0, seconds)) * time.Second}
	default:
		said := strings.Join(strings.Fields(string(said)), " ")
		return &refusedError{code, "its push service refuses: " + answer.Status + " " + said}
	}
}

// topicOf names what a message is about for the push service, which keeps the last of them for a browser that is
// offline: at most 32 characters, and nothing that the service could read.
func topicOf(tag string) string {
	sum := sha256.Sum256([]byte(tag))
	return base64.RawURLEncoding.EncodeToString(sum[:24])
}

// hostOf is where a browser's messages go: the rest of its address is a secret.
func hostOf(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil {
		return ""
	}
	return u.Host
}
