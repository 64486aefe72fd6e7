package publish

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"github.com/sabot-table/sabot/pit/topic"
)

// maxHealth limits the health message that is read back, in bytes.
const maxHealth = 64 << 10

// refused is the return code of a SUBACK for a subscription that the broker denies.
const refused = 0x80

// Heard is the head of a journal that the broker has acknowledged. The table keeps it in a file beside the journal.
type Heard struct {
	// ID names the journal: 32 hexadecimal digits.
	ID string `json:"id"`
	// Record and Hash are its last record at that time.
	Record uint64 `json:"record"`
	Hash   string `json:"hash"`
	// Event is an event that the journal had then, the last or nearly the last.
	Event uint64 `json:"event"`
}

// Standing is how the journal compares with what the broker remembers of it.
type Standing int

// The standings.
const (
	// Known is a head that the journal has, or has passed.
	Known Standing = iota + 1
	// Ahead is a record that the journal has not reached: an earlier state was restored.
	Ahead
	// Differs is a different hash for the journal's last record: it was rewritten.
	Differs
	// Other is the head of another journal.
	Other
)

// Remembered is what the broker remembered of the table when the table connected.
type Remembered struct {
	Heard
	// Boot and Time are those of the message.
	Boot     uint64
	Time     time.Time
	Standing Standing
	// Proof is the signature that came with it, "" for none. Nobody has compared it yet.
	Proof string
}

// standing compares what the broker remembers with the journal's head.
func standing(own *topic.Head, heard Heard) Standing {
	switch {
	case heard.ID != own.ID:
		return Other
	case heard.Record > own.Record:
		return Ahead
	case heard.Record == own.Record && heard.Hash != own.Hash:
		return Differs
	}
	return Known
}

// readHeard reads a retained health of a table.
func readHeard(table topic.Table, payload []byte) (Remembered, error) {
	var h topic.Health
	if len(payload) > maxHealth {
		return Remembered{}, fmt.Errorf("it has %d bytes", len(payload))
	}
	if err := json.Unmarshal(payload, &h); err != nil {
		return Remembered{}, err
	}
	head := h.Journal.Head
	switch {
	case h.Site != table.Site() || h.Table != table.Name():
		return Remembered{}, errors.New("it is another table's")
	case head == nil:
		return Remembered{}, errors.New("it has no head of a journal")
	case !isHex(head.ID, 16) || !isHex(head.Hash, 32):
		return Remembered{}, errors.New("its head has no name or no hash")
	}
	return Remembered{
		Heard: Heard{ID: head.ID, Record: head.Record, Hash: head.Hash, Event: h.Journal.LastSequence}, Boot: h.Boot,
		Time: h.Time, Proof: h.Journal.Proof,
	}, nil
}

func isHex(text string, bytes int) bool {
	raw, err := hex.DecodeString(text)
	return err == nil && len(raw) == bytes
}

// memory is the broker's answer to a request for the table's own health: a payload, nil if
// it keeps none, or why there is no answer.
type memory struct {
	payload []byte
	err     error
}

// recall requests the health that the broker keeps, before this connection sends one, and
// answers once. If the broker keeps none, the first health of this connection comes back
// instead, which is not marked as retained.
func (l *link) recall(health string, patience time.Duration) <-chan memory {
	messages, answer := make(chan memory, 1), make(chan memory, 1)
	token := l.client.Subscribe(health, 0, func(_ mqtt.Client, m mqtt.Message) {
		var got memory
		if m.Retained() {
			got.payload = m.Payload()
		}
		select {
		case messages <- got:
		default:
		}
	})
	go func() {
		answer <- l.await(token.(*mqtt.SubscribeToken), health, messages, patience)
		l.client.Unsubscribe(health)
	}()
	return answer
}

// await returns what arrived, or why nothing did.
func (l *link) await(token *mqtt.SubscribeToken, health string, messages <-chan memory, patience time.Duration) memory {
	late := time.NewTimer(patience)
	defer late.Stop()
	granted := token.Done()
	for {
		select {
		case m := <-messages:
			return m
		case <-granted:
			granted = nil
			if err := token.Error(); err != nil {
				return memory{err: err}
			}
			if token.Result()[health] == refused {
				return memory{err: errDenied}
			}
		case <-late.C:
			return memory{err: fmt.Errorf("it sent nothing within %s", patience)}
		case <-l.done:
			return memory{}
		}
	}
}

// ErrNotRemembered: the broker keeps no health of the table, or lets nobody read it.
var ErrNotRemembered = errors.New("the broker keeps no health of this table")

// Recall asks the broker what it remembers of a table, alongside the table's own publisher and
// with a ClientID of its own. It publishes nothing. It waits for AckTimeout: a broker that keeps
// nothing does not answer.
func Recall(ctx context.Context, config Config) (Remembered, error) {
	d, err := newDialer(&config)
	if err != nil {
		return Remembered{}, err
	}
	l, err := d.connect(ctx, nil)
	if err != nil {
		if ctx.Err() != nil {
			return Remembered{}, ctx.Err()
		}
		return Remembered{}, d.explain(err)
	}
	var m memory
	select {
	case m = <-l.recall(config.Table.Topic(topic.KindHealth), config.AckTimeout):
	case <-l.gone:
		m.err = l.why
	case <-ctx.Done():
		m.err = ctx.Err()
	}
	l.part()
	if m.err != nil {
		return Remembered{}, fmt.Errorf("%w: %w", ErrNotRemembered, m.err)
	}
	if m.payload == nil {
		return Remembered{}, ErrNotRemembered
	}
	return readHeard(config.Table, m.payload)
}

// remember passes on what the broker remembered of the table. A broker that does not answer
// is not the table's fault, and changes nothing.
func (p *Publisher) remember(m memory) {
	if m.err != nil {
		p.forgotten(m.err)
		return
	}
	if m.payload == nil {
		return
	}
	remembered, err := readHeard(p.config.Table, m.payload)
	if err != nil {
		p.forgotten(fmt.Errorf("the health that it keeps cannot be used: %w", err))
		return
	}
	own := p.condition().Head
	if own == nil {
		return
	}
	remembered.Standing = standing(own, remembered.Heard)
	p.config.Remembered(remembered)
}

// forgotten logs once that the broker does not say what it remembers.
func (p *Publisher) forgotten(err error) {
	if p.head.forgot {
		return
	}
	p.head.forgot = true
	p.config.Log.Info("the MQTT broker does not say what it last heard of this table; let the table read its own "+
		"health topic, "+
		"so that it notices when an earlier journal was restored", "topic", p.topics.health, "error", err)
}

// hear notes the head of a health that the broker has acknowledged.
func (p *Publisher) hear(h Heard) {
	if h == p.head.heard || h.ID == "" || p.config.Heard == nil {
		return
	}
	p.head.heard = h
	p.config.Heard(h)
}
