package notify

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/topic"
)

// Webhook tells another program of alerts: a pager, a chat, the house's own.
//
// Each thing that becomes of an alert is one POST with a Message as JSON. It is sent again, in order, until it is
// taken, for as long as Patience; what nobody takes is logged and left out, so that an address that is down does not
// hold up what comes later for good.
type Webhook struct {
	Floor Floor
	// URL is where a message is posted.
	URL string
	// Secret, if there is one, signs each message: the header Sabot-Signature is "sha256=" and the HMAC-SHA-256 of
	// the body in hexadecimal digits.
	Secret []byte
	// Turn is whose turn it is to send, of several pits.
	Turn floor.Turn
	// Patience is how long a message is tried; 0 is 10 minutes.
	Patience time.Duration
	Client   *http.Client
	Log      *slog.Logger
}

// Message is one thing that became of an alert.
type Message struct {
	// ID names the alert, and Site and Table are where it is, "" for the pit itself.
	ID    string `json:"id"`
	Site  string `json:"site,omitempty"`
	Table string `json:"table,omitempty"`
	// Code is the irregularity's name, or one of the pit's own.
	Code    string        `json:"code"`
	Gravity floor.Gravity `json:"gravity"`
	Round   uint64        `json:"round,omitempty"`
	Raised  time.Time     `json:"raised"`
	Text    string        `json:"text,omitempty"`
	Reason  string        `json:"reason,omitempty"`
	// What happened with it, when, by whom, and what they said.
	What floor.What `json:"what"`
	At   time.Time  `json:"at"`
	By   string     `json:"by,omitempty"`
	Note string     `json:"note,omitempty"`
	// Calls is the role that is called for it now.
	Calls floor.Role `json:"calls,omitempty"`
}

// Signature is the header of a message that is signed.
const Signature = "Sabot-Signature"

// mostMessages is how many messages wait at most. An address that takes none for long gets the newest.
const mostMessages = 1000

// Run sends what becomes of alerts from now on, until the context ends.
func (o Webhook) Run(ctx context.Context) {
	if o.Patience == 0 {
		o.Patience = 10 * time.Minute
	}
	o.Client = site.Client(o.Client, tryFor, mostAnswer)
	if o.Log == nil {
		o.Log = slog.Default()
	}
	var w floor.Watch
	w.News(o.Floor.Alerts(), o.Floor.History()) // what was before is not news
	queue := make(chan Message, mostMessages)
	go o.send(ctx, queue)
	for {
		changed := o.Floor.Changed()
		for _, n := range o.Turn.Take(w.News(o.Floor.Alerts(), o.Floor.History()), time.Now()) {
			o.enqueue(queue, messageOf(n.Alert, n.Step))
		}
		select {
		case <-ctx.Done():
			return
		case <-changed:
		}
	}
}

// enqueue has a message wait to be sent; with too many, the oldest is left out.
func (o *Webhook) enqueue(queue chan Message, m Message) {
	for {
		select {
		case queue <- m:
			return
		default:
		}
		select {
		case old := <-queue:
			o.Log.Error("pit: the webhook accepts alerts too slowly; the oldest was not sent", "host", o.host(),
				"alert", old.ID, "what", old.What)
		default:
		}
	}
}

func messageOf(a *floor.Alert, s floor.Step) Message {
	m := Message{
		ID: a.ID, Code: a.Code, Gravity: a.Gravity, Round: a.Round, Raised: a.Raised, Text: a.Text, Reason: a.Reason,
		What: s.What, At: s.At, By: s.By, Note: s.Note, Calls: a.Calls,
	}
	if a.Table != (topic.Table{}) {
		m.Site, m.Table = a.Table.Site(), a.Table.Name()
	}
	return m
}

// send sends one message after the other.
func (o *Webhook) send(ctx context.Context, queue <-chan Message) {
	for {
		select {
		case <-ctx.Done():
			return
		case m := <-queue:
			if err := o.deliver(ctx, m); err != nil && ctx.Err() == nil {
				o.Log.Error("pit: an alert could not be sent to the webhook; check that its address is right and "+
					"answers", "host", o.host(), "alert", m.ID, "what", m.What, "err", err)
			}
		}
	}
}

// deliver tries until a message is taken, refused for good, or out of date.
func (o *Webhook) deliver(ctx context.Context, m Message) error {
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return deliver(ctx, time.Now().Add(o.Patience), func(ctx context.Context) error { return o.post(ctx, body) },
		func() bool { return false })
}

func (o *Webhook) post(ctx context.Context, body []byte) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, o.URL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	if len(o.Secret) > 0 {
		r.Header.Set(Signature, Sign(o.Secret, body))
	}
	answer, err := o.Client.Do(r)
	if named, is := errors.AsType[*url.Error](err); is {
		err = named.Err
	}
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil && !errors.Is(err, site.ErrLongAnswer) {
		return err
	}
	switch code := answer.StatusCode; {
	case code < 300:
		return nil
	case code == http.StatusRequestTimeout, code == http.StatusTooManyRequests, code >= 500:
		return fmt.Errorf("it answers %s", answer.Status)
	}
	return &refusedError{answer.StatusCode, "it is refused: " + answer.Status}
}

// host is where messages go: the rest of an address is often a key.
func (o *Webhook) host() string { return hostOf(o.URL) }

// Sign is the value of the header Signature for a body.
func Sign(secret, body []byte) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}
