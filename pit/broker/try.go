package broker

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/pit/transport"
)

// tried is the reader to whom nobody answers but who tries the access list.
const tried = "access-list"

// answerTime is how long the broker may take to deliver a message to itself.
const answerTime = 10 * time.Second

const (
	// readTime is how long the broker may take to read what it has retained.
	readTime = time.Minute
	// retainTime is how long one message may take to come before another is retained, on a new connection, againTime
	// after it.
	retainTime, againTime = 5 * time.Second, time.Second
	// readAgain is how often it is looked for.
	readAgain = 20 * time.Millisecond
)

// limits are what the broker inside may send to who tries it: whoever else is connected may be saying a lot.
var limits = transport.Limits{
	Message:  1 << 10,
	Messages: transport.Rate{Burst: 100_000, PerSecond: 10_000},
	Packets:  transport.Rate{Burst: 100_000, PerSecond: 10_000},
	Bytes:    transport.Rate{Burst: 64 << 20, PerSecond: 64 << 20},
}

// AccessError is an access list that the broker does not keep to.
type AccessError struct {
	Table, Other topic.Table
	What         string
}

func (e AccessError) Error() string {
	return fmt.Sprintf("the broker inside the pit does not keep to its access list: %s %s, %s", e.Table,
		e.What, e.Other)
}

// trial is one try: what others say meanwhile, who know the topic but not the mark, proves nothing.
type trial struct {
	*Broker
	mark  string
	heard chan string
	dial  func(context.Context, string) (net.Conn, error) // connects to the broker
}

func (b *Broker) trial() *trial {
	return &trial{b, rand.Text(), make(chan string, 2*len(b.config.Tables)), b.Dial}
}

// hears takes what was said in this try.
func (y *trial) hears(m mqtt.Message) {
	if string(m.Payload()) == y.mark {
		y.heard <- m.Topic()
	}
}

// Try connects as each table and looks whether the broker keeps to the access list: what a table says on its own topic
// arrives, what it says on another's does not, and it may not hear what another table is told. MQTT has no answer that
// refuses a message, so this looks at what arrives. Before that it bounds what waits for slow readers, and a broker
// that is alone waits until whoever subscribes hears all that is retained. An error says what does not hold.
func (b *Broker) Try(ctx context.Context) error {
	if err := b.boundKept(ctx); err != nil {
		return err
	}
	y := b.trial()
	b.log.tries(y.mark)
	defer b.log.tries("")
	if !b.Clustered() && len(b.config.Tables) > 0 { // nobody waits until a cluster takes clients
		if err := y.readRetained(ctx); err != nil {
			return err
		}
	}
	pit, err := y.connect(ctx, b.pit)
	if err != nil {
		return err
	}
	defer pit.Part()
	all := topic.AnswerFilter(b.config.Site, topic.Any, tried)
	if err := subscribe(ctx, pit, all, y.hears); err != nil {
		return fmt.Errorf("the pit may not hear its tables: %w", err)
	}
	for i, t := range b.config.Tables {
		other := b.config.Tables[(i+1)%len(b.config.Tables)]
		if err := y.tryAs(ctx, t, other); err != nil {
			return err
		}
	}
	return nil
}

// readRetained waits until the broker has read what was retained before it was started: it does so in the order in
// which it was said, while it takes clients. So a message that is retained now comes last. A broker that has just
// started may lose it, with the connection on which it came, so it is said again.
func (y *trial) readRetained(ctx context.Context) error {
	within, done := context.WithTimeout(ctx, readTime)
	defer done()
	for told := false; ; told = true {
		once, over := context.WithTimeoutCause(within, retainTime, errors.New("what was retained last does not come"))
		err := y.readLast(once)
		over()
		if err == nil || errors.Is(err, errDenied) || ctx.Err() != nil {
			return err
		}
		select {
		case <-time.After(againTime):
		case <-within.Done():
			return fmt.Errorf("the broker inside the pit does not read what it has retained: see that its disk is "+
				"well, or stop the pit and remove %s, which may be lost: %w", y.config.Folder, err)
		}
		if !told {
			y.config.Log.Warn("the broker inside the pit does not answer yet: it is asked again", "error", err)
		}
	}
}

// readLast retains a message, and waits until it comes to whoever subscribes.
func (y *trial) readLast(ctx context.Context) error {
	first := y.config.Tables[0]
	table, err := y.connect(ctx, y.config.table(first))
	if err != nil {
		return err
	}
	defer table.Part()
	pit, err := y.connect(ctx, y.pit)
	if err != nil {
		return err
	}
	defer pit.Part()
	name, last, is := first.Answer(tried), "last "+y.mark, make(chan struct{}, 1) // which is not what is tried then
	if err := retain(ctx, table, name, last); err != nil {
		return fmt.Errorf("the broker does not take what is retained: %w", err)
	}
	defer func() {
		soon, done := context.WithTimeout(context.WithoutCancel(ctx), againTime)
		defer done()
		_ = retain(soon, table, name, "") // if it stays, the next one comes in its place
	}()
	for {
		if err := subscribe(ctx, pit, name, func(m mqtt.Message) {
			if m.Retained() && string(m.Payload()) == last {
				once(is)
			}
		}); err != nil {
			return fmt.Errorf("the pit may not hear its tables: %w", err)
		}
		select {
		case <-is:
			return nil
		case <-time.After(readAgain):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// retain has the broker retain a message, and waits until it says that it does.
func retain(ctx context.Context, as *transport.Conn, name, message string) error {
	token := as.Publish(name, 1, true, message)
	select {
	case <-token.Done():
		return token.Error()
	case err := <-as.Lost:
		return as.Cause(err)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// once rings, if nobody has.
func once(is chan<- struct{}) {
	select {
	case is <- struct{}{}:
	default:
	}
}

// tryAs tries the topics of a table and of another, which is the same where there is only one.
func (y *trial) tryAs(ctx context.Context, t, other topic.Table) error {
	conn, err := y.connect(ctx, y.config.table(t))
	if err != nil {
		return err
	}
	defer conn.Part()
	if err := subscribe(ctx, conn, t.Topic(topic.KindFetch), nil); err != nil {
		return err
	}
	own, strange := t.Answer(tried), other.Answer(tried)
	if other != t {
		if err := subscribe(ctx, conn, other.Topic(topic.KindFetch), nil); !errors.Is(err, errDenied) {
			return AccessError{t, other, "may hear what another is told"}
		}
		conn.Publish(strange, 1, false, y.mark)
	}
	conn.Publish(own, 1, false, y.mark) // on the same connection, so what was said before has arrived before
	select {
	case got := <-y.heard:
		if got != own {
			return AccessError{t, other, "may speak for another"}
		}
		return nil
	case <-time.After(answerTime):
		return fmt.Errorf("nothing of what %s says arrives", t)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// connect connects as a user, under a name of its own: it throws nobody out, nor the try of another node.
func (y *trial) connect(ctx context.Context, as User) (*transport.Conn, error) {
	d, err := transport.New(transport.Config{
		Broker: "tcp://inside", Dial: y.dial, Username: as.Name, Password: as.Password,
		ClientID: "sabot-" + as.Name + "-" + y.mark, Limits: limits,
	})
	if err != nil {
		return nil, err
	}
	return d.Connect(ctx, nil)
}

// errDenied is the broker's answer to a subscription that it denies.
var errDenied = errors.New("a subscription is denied")

func subscribe(ctx context.Context, conn *transport.Conn, filter string, to func(mqtt.Message)) error {
	token := conn.Subscribe(filter, 0, func(_ mqtt.Client, m mqtt.Message) {
		if to != nil {
			to(m)
		}
	})
	select {
	case <-token.Done():
	case <-time.After(answerTime):
		return errors.New("the broker does not answer a subscription")
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if err := token.Error(); err != nil {
		return err
	}
	if token.(*mqtt.SubscribeToken).Result()[filter] >= 0x80 {
		return fmt.Errorf("%w: %s", errDenied, filter)
	}
	return nil
}
