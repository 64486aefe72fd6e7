package publish

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/pit/transport"
)

// maxWindow keeps the messages under way within what brokers accept from one client.
const maxWindow = 1000

// Config says which broker a Publisher connects to, and for which table. Zero values are
// the defaults given with the fields; Table and Broker have none. Each field is a setting,
// or somebody who is told or asked.
type Config struct {
	Table topic.Table
	// Boot is the number of the daemon's start, as the journal counts it.
	Boot    uint64
	Version string

	// Config is how the broker is reached; the default ClientID is sabot-SITE-TABLE. Limits and Twin are the
	// publisher's own.
	transport.Config

	// Window is how many events may be under way at once. Default 64.
	Window int
	// AckTimeout is how long the broker may acknowledge nothing while messages are under
	// way before the connection counts as dead. Default 15 s.
	AckTimeout time.Duration
	// HealthEvery is the time between two messages about the table's health.
	// Default topic.HealthEvery.
	HealthEvery time.Duration
	// FlushTimeout is how long Run continues after its context has ended, so that the last
	// events and the goodbye arrive. Default 5 s.
	FlushTimeout time.Duration
	// ProbeAfter is how long a connection must have held before a topic is sent on which the
	// broker is suspected of hanging up. Default 1 s.
	ProbeAfter time.Duration
	// RetryAfter is the pause before a topic that the broker denies is tried again; it doubles
	// up to 15 minutes. Default 1 min.
	RetryAfter time.Duration

	// CardHeard is told how long a card took since the table had it until the broker has acknowledged it. It may be
	// nil, and must not block.
	CardHeard func(took time.Duration)

	// Connected is called when the broker is reached, and when it is lost. It may be nil,
	// and must not block.
	Connected func(up bool)
	// Denied is called when the topics change that the broker does not let the table publish
	// on, with all of them. It may be nil, and must not block.
	Denied func(topics []string)

	// Prove signs what a health says of the journal, so that Remembered can tell the table's own word from
	// another's; "" for no signature. It may be nil.
	Prove func(Heard) string

	// Heard is called when the broker has acknowledged a health, with the journal's head
	// in it, unless it is the same as in the last call. Remembered is called after a
	// connection is made, with what the broker kept of an earlier health; without it the
	// broker is not asked. Both may be nil, and must not block.
	Heard      func(Heard)
	Remembered func(Remembered)

	// Fetch reads the records that a reader fetches, those after a number, without the names of
	// site and table. It is called on a goroutine of its own, once at a time. With nil nobody can
	// fetch.
	Fetch func(topic.Fetch) (topic.Records, error)

	// Command is called with each message on the table's command topic, on a goroutine that all
	// other messages wait for: it must return at once. With nil the table takes no commands, does
	// not subscribe to them, and its status says so.
	Command func(payload []byte)

	// Jackpot is called with each message on the table's jackpot topic, as Command is. With nil the table plays for
	// none with others, and does not subscribe to it.
	Jackpot func(payload []byte)

	// Announce are retained messages for others than the pit, published once on each connection, in order. An empty
	// payload takes one off the broker. Announced is told of each that the broker has acknowledged; it may be nil, and
	// must not block.
	Announce  []Announcement
	Announced func(Announcement)

	// Totals is where the table's totals come from; nil where nobody counts them.
	Totals Totals

	// Log is the default logger if nil.
	Log *slog.Logger
}

// Announcement is a retained message on a topic that is not the table's own.
type Announcement struct {
	Topic   string
	Payload []byte
}

// fill fills in the defaults.
func (c *Config) fill() {
	if c.Window == 0 {
		c.Window = 64
	}
	for value, standard := range map[*time.Duration]time.Duration{
		&c.AckTimeout: 15 * time.Second, &c.HealthEvery: topic.HealthEvery, &c.FlushTimeout: 5 * time.Second,
		&c.ProbeAfter: time.Second, &c.RetryAfter: time.Minute,
	} {
		if *value == 0 {
			*value = standard
		}
	}
	if c.ClientID == "" {
		c.ClientID = "sabot-" + c.Table.Site() + "-" + c.Table.Name()
	}
	if c.Log == nil {
		c.Log = slog.Default()
	}
	c.Log = c.Log.With("part", "mqtt publisher")
}

// validate checks a filled Config.
func (c *Config) validate() error {
	switch {
	case c.Table == topic.Table{}:
		return errors.New("the MQTT publisher has no table: name the site and the table")
	case c.Window < 1 || c.Window > maxWindow:
		return fmt.Errorf("the MQTT window is %d: use 1 to %d", c.Window, maxWindow)
	case min(c.AckTimeout, c.HealthEvery, c.FlushTimeout, c.ProbeAfter, c.RetryAfter) < 0:
		return errors.New("a time in the MQTT settings is negative")
	}
	return nil
}

// transport is how the broker is reached.
func (c *Config) transport() transport.Config {
	t := c.Config
	t.Limits, t.Twin = Limits, "a second daemon with the same site and table"
	t.Limits.Passed = transport.Passed(c.Log,
		"the MQTT broker sent messages that are too long for the table, or too many, which passes over them; look "+
			"at who may write to the table's topics")
	return t
}

// Limits are what the broker may send to a table. Readers that ask as fast as they are answered stay far below, and
// nearly all that is sent to a table under attack may still be commands that only their signatures give away.
var Limits = transport.Limits{
	// The longest is a retained health, with its topic.
	Message:  maxHealth + 1<<10,
	Messages: transport.Rate{Burst: 4000, PerSecond: 2000},
	Packets:  transport.Rate{Burst: 50_000, PerSecond: 10_000},
	Bytes:    transport.Rate{Burst: 16 << 20, PerSecond: 8 << 20},
}
