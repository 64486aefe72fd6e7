package replica

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/pit/transport"
)

// Line is the way to the tables: what they say comes in, and what they are asked goes out. It may lose and
// repeat messages, and need not keep their order across topics.
type Line interface {
	// Hear passes on what is heard until the context ends, and connects again by itself. It returns nil
	// then, or before that what does not heal.
	Hear(ctx context.Context, to Listener) error
	// Say sends a message once, if there is a connection; it may be lost. An error is [ErrAway].
	Say(topic string, payload []byte) error
}

// ErrAway is a message that was not sent.
var ErrAway = errors.New("there is no connection to the broker")

// Listener takes what a Line hears. It is called on one goroutine at a time, and must not block.
type Listener interface {
	// Connected says whether there is a connection, and if not why.
	Connected(up bool, why string)
	// Message is a message; its payload never changes.
	Message(topic string, payload []byte)
}

// Broker says how an MQTT broker is reached. Zero values are the defaults given with the fields.
type Broker struct {
	// Site is the house or hall whose tables are heard, and Reader as whom they are asked.
	Site, Reader string
	// Leaves are further sites, whose brokers are leaves of this one: what they say comes over a line that may be down,
	// is not kept for later, and is heard as if it were sent but once.
	Leaves []string
	// Also are further topics that are heard.
	Also []string
	// Config is how it is reached; the default ClientID is sabot-pit-SITE-READER. Limits and Twin are the line's own.
	transport.Config
	// Log is the default logger if nil.
	Log *slog.Logger
}

// Limits are what the broker may send to the pit. A thousand tables that say and answer all that they have stay below.
// What is too long is passed over up to 64 MiB: it costs no memory, and one table should not keep the others from being
// heard.
var Limits = transport.Limits{
	// Records may be as long as one record, which has 1 MiB at the most, twice if it was escaped, and the text of
	// rules comes in addition.
	Message: 4 << 20,
	Packets: transport.Rate{Burst: 1_000_000, PerSecond: 100_000},
	Bytes:   transport.Rate{Burst: 64 << 20, PerSecond: 256 << 20},
}

// answerPatience is how long the broker may take to accept a subscription.
const answerPatience = 10 * time.Second

// hearAgain is when what is retained is heard once more on a new connection. NATS files what it retains after it has
// delivered it: who subscribes in between gets it neither as news nor as retained.
const hearAgain = 10 * time.Second

// mqttLine is a Line to an MQTT broker.
type mqttLine struct {
	broker Broker
	dialer *transport.Dialer
	outage transport.Outage
	again  time.Duration // hearAgain

	mu   sync.Mutex
	conn *transport.Conn // nil while there is no connection
}

// NewMQTT checks how the broker is reached. An error names the setting that is wrong.
func NewMQTT(b Broker) (Line, error) {
	if b.ClientID == "" {
		b.ClientID = "sabot-pit-" + b.Site + "-" + b.Reader
	}
	if b.Log == nil {
		b.Log = slog.Default()
	}
	b.Limits, b.Twin = Limits, "a second sabot-pit with the same client id"
	b.Limits.Passed = transport.Passed(b.Log,
		"the MQTT broker sent messages that are too long for the pit, which passes over them; look at who may write "+
			"to the tables' topics")
	d, err := transport.New(b.Config)
	if err != nil {
		return nil, err
	}
	return &mqttLine{
		broker: b, dialer: d, again: hearAgain,
		outage: transport.Outage{
			Log: b.Log, Up: "MQTT connection to the tables",
			Lost: "no MQTT connection to the tables; the pit shows them as unknown, and fetches what it missed " +
				"when it is back",
			Still: "still no MQTT connection to the tables", Back: "the MQTT connection to the tables is back",
		},
	}, nil
}

func (l *mqttLine) Hear(ctx context.Context, to Listener) error {
	for {
		err := l.serve(ctx, to)
		if ctx.Err() != nil {
			return nil
		}
		if l.dialer.Return(err) {
			continue
		}
		told := l.dialer.Explain(err)
		l.outage.Failed(time.Now(), l.dialer.Broker(), told)
		to.Connected(false, told.Error())
		l.dialer.Failed(err)
		if !l.dialer.Wait(ctx) {
			return nil
		}
	}
}

// serve hears over one connection, to its end.
func (l *mqttLine) serve(ctx context.Context, to Listener) error {
	conn, err := l.dialer.Connect(ctx, nil)
	if err != nil {
		return err
	}
	defer conn.Part()
	if err := l.subscribe(ctx, conn, l.filters(), to); err != nil {
		return conn.Cause(err)
	}
	began := time.Now()
	defer func() { l.dialer.Lasted(began) }()
	looking, giveUp := context.WithCancel(ctx)
	defer giveUp()
	l.outage.Over(began, l.dialer.Broker())
	l.has(conn) // before anybody asks a table because of it
	defer l.has(nil)
	to.Connected(true, "")
	again, earlier := time.After(l.again), l.dialer.Answers(looking)
	for {
		select {
		case err := <-conn.Lost:
			return fmt.Errorf("the connection was lost: %w", err)
		case broker := <-earlier:
			return broker
		case <-again:
			if err := l.subscribe(ctx, conn, retained(l.broker.Site), to); err != nil {
				return conn.Cause(err)
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// filters are what is subscribed to, with the quality of service.
func (l *mqttLine) filters() map[string]byte {
	all := l.of(l.broker.Site)
	for _, filter := range l.broker.Also {
		all[filter] = 1
	}
	for _, site := range l.broker.Leaves {
		maps.Copy(all, l.of(site))
	}
	for filter := range all {
		if !strings.HasPrefix(filter, topic.Prefix+"/"+l.broker.Site+"/") {
			all[filter] = 0
		}
	}
	return all
}

// of are those of a site.
func (l *mqttLine) of(site string) map[string]byte {
	all := retained(site)
	all[topic.RecordsFilter(site, topic.Any, l.broker.Reader)] = 1
	all[topic.RecordsFilter(site, topic.Any, topic.Stream)] = 1
	return all
}

// retained are those of a site of which its broker keeps the last message.
func retained(site string) map[string]byte {
	return map[string]byte{
		topic.Filter(site, topic.Any, topic.KindStatus): 1,
		topic.Filter(site, topic.Any, topic.KindHealth): 1,
	}
}

// refused is the broker's answer to a subscription that it denies.
const refused = 0x80

// subscribe has the listener hear what filters take, and waits until the broker has agreed to all of them.
func (l *mqttLine) subscribe(
	ctx context.Context, conn *transport.Conn, filters map[string]byte, to Listener,
) error {
	late := time.After(answerPatience)
	tokens := make(map[string]mqtt.Token, len(filters))
	for filter, quality := range filters { // one by one, as the connection wants it
		tokens[filter] = conn.Subscribe(filter, quality, func(_ mqtt.Client, m mqtt.Message) {
			to.Message(m.Topic(), m.Payload())
		})
	}
	var denied []string
	for filter, token := range tokens {
		select {
		case <-token.Done():
		case <-late:
			return errors.New("the broker does not answer the subscription: look at its log and its load")
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := token.Error(); err != nil {
			return fmt.Errorf("subscribe to the tables' topics: %w", err)
		}
		if token.(*mqtt.SubscribeToken).Result()[filter] == refused {
			denied = append(denied, filter)
		}
	}
	if len(denied) > 0 {
		slices.Sort(denied)
		return fmt.Errorf("the broker denies the pit %s: let the pit's user read these topics in the broker's "+
			"access list", strings.Join(denied, ", "))
	}
	return nil
}

// has notes the connection, or that there is none.
func (l *mqttLine) has(conn *transport.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.conn = conn
}

func (l *mqttLine) Say(name string, payload []byte) error {
	l.mu.Lock()
	conn := l.conn
	l.mu.Unlock()
	if conn == nil {
		return ErrAway
	}
	conn.Publish(name, 0, false, payload)
	return nil
}
