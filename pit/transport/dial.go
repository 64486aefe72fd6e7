package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"
	"github.com/eclipse/paho.mqtt.golang/packets"
)

const (
	// connectTimeout limits the time until the broker accepts the connection.
	connectTimeout = 10 * time.Second
	// connectTimeoutOfSeveral is the same where there is another broker to go to.
	connectTimeoutOfSeveral = 3 * time.Second
	// keepAlive is the longest silence on the connection; a broker that does not answer a
	// ping within pingTimeout is gone.
	keepAlive   = 10 * time.Second
	pingTimeout = 5 * time.Second
	// writeTimeout limits a write to a broker that does not read.
	writeTimeout = 5 * time.Second
	// partTime is how long an orderly disconnection may take, in milliseconds.
	partTime = 500
)

// Dialer makes connections to one broker, or to the brokers of a cluster, one at a time.
type Dialer struct {
	config  Config
	brokers []candidate
	on      int // whose turn it is
}

// New checks the config. An error names the setting that is wrong.
func New(config Config) (*Dialer, error) {
	if config.Password != "" && config.Username == "" {
		return nil, errors.New("there is an MQTT password but no user name: give both or neither")
	}
	config.fill()
	switch {
	case config.BackoffMin < 0:
		return nil, errors.New("a time in the MQTT settings is negative")
	case config.BackoffMax < config.BackoffMin:
		return nil, fmt.Errorf("the longest MQTT back-off, %s, is shorter than the shortest, %s", config.BackoffMax,
			config.BackoffMin)
	}
	brokers, err := config.candidates()
	if err != nil {
		return nil, err
	}
	return &Dialer{config: config, brokers: brokers}, nil
}

// Address is the host and port of the broker whose turn it is.
func (d *Dialer) Address() string { return d.turn().address }

// Will is what the broker publishes for a client whose connection ends without a goodbye.
type Will struct {
	Topic   string
	Payload []byte
}

// Conn is one connection to the broker. What the broker sends passes through a [Guarded] connection before
// the client library sees it.
type Conn struct {
	mqtt.Client
	// Lost gets why the connection was lost, at most once.
	Lost <-chan error

	conn *Guarded
}

// Cause is why something failed on the connection: the broker's breach, where that has ended it.
func (c *Conn) Cause(err error) error {
	if breach := c.conn.Breach(); breach != nil {
		return breach
	}
	return err
}

// Connect makes a new client; a nil will means none.
func (d *Dialer) Connect(ctx context.Context, will *Will) (*Conn, error) {
	dialled, err := d.dial(ctx, d.turn().endpoint)
	if err != nil {
		return nil, err
	}
	limits := d.config.Limits
	limits.Write = writeTimeout
	conn := Guard(dialled, limits)
	lost := make(chan error, 1)
	client := mqtt.NewClient(d.clientOptions(conn, d.Address(), will, lost))
	if err := introduce(ctx, client, conn); err != nil {
		return nil, err
	}
	return &Conn{Client: client, Lost: lost, conn: conn}, nil
}

// Drop ends the connection at once. The broker sends the last will.
func (c *Conn) Drop() {
	hangUp(c.conn)
	c.Disconnect(partTime)
}

// Part ends the connection with a goodbye, which keeps the last will from being sent.
func (c *Conn) Part() {
	c.Disconnect(partTime)
	hangUp(c.conn)
}

// dial opens a connection to a broker, with TLS if it is configured.
func (d *Dialer) dial(ctx context.Context, to endpoint) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, d.patience())
	defer cancel()
	if d.config.Dial != nil {
		return d.config.Dial(ctx, to.address)
	}
	var plain net.Dialer
	if to.tls == nil {
		return plain.DialContext(ctx, "tcp", to.address)
	}
	secure := tls.Dialer{NetDialer: &plain, Config: to.tls}
	return secure.DialContext(ctx, "tcp", to.address)
}

// patience is how long a broker may take to accept a connection: less where another can be asked.
func (d *Dialer) patience() time.Duration {
	if len(d.brokers) > 1 {
		return connectTimeoutOfSeveral
	}
	return connectTimeout
}

// introduce waits until the broker accepts the connection, and closes it on an error.
func introduce(ctx context.Context, client mqtt.Client, conn *Guarded) error {
	stop := context.AfterFunc(ctx, func() { hangUp(conn) })
	token := client.Connect()
	<-token.Done() // at the latest after the dialer's patience
	interrupted := !stop()
	err := token.Error()
	switch {
	case err == nil && !interrupted:
		return nil
	case err == nil:
		client.Disconnect(partTime)
		return ctx.Err()
	case interrupted:
		return ctx.Err()
	}
	hangUp(conn)
	if breach := conn.Breach(); breach != nil {
		return breach
	}
	if code := token.(*mqtt.ConnectToken).ReturnCode(); code != packets.Accepted && code != packets.ErrNetworkError {
		return RefusedError{Code: code}
	}
	return err
}

// clientOptions make the library a mere transport: it does not reconnect, does not store,
// and uses the given connection.
func (d *Dialer) clientOptions(conn net.Conn, address string, will *Will, lost chan<- error) *mqtt.ClientOptions {
	o := mqtt.NewClientOptions()
	o.AddBroker("tcp://" + address) // the library requires one, but does not dial it
	o.SetCustomOpenConnectionFn(func(*url.URL, mqtt.ClientOptions) (net.Conn, error) { return conn, nil })
	o.SetClientID(d.config.ClientID)
	o.SetUsername(d.config.Username)
	o.SetPassword(d.config.Password)
	o.SetProtocolVersion(4) // 3.1.1
	o.SetCleanSession(true)
	o.SetAutoReconnect(false)
	o.SetConnectRetry(false)
	o.SetStore(noStore{})
	o.SetConnectTimeout(d.patience())
	o.SetWriteTimeout(writeTimeout)
	o.SetKeepAlive(keepAlive)
	o.SetPingTimeout(pingTimeout)
	if will != nil {
		o.SetBinaryWill(will.Topic, will.Payload, 1, true)
	}
	o.SetConnectionLostHandler(func(_ mqtt.Client, err error) { lost <- err })
	return o
}

// hangUp closes a connection. It does not matter if it is already closed.
func hangUp(conn net.Conn) { _ = conn.Close() }

// noStore stores nothing: what is not acknowledged is elsewhere, and sent or asked for again.
type noStore struct{}

func (noStore) Open()                             {}
func (noStore) Put(string, packets.ControlPacket) {}
func (noStore) Get(string) packets.ControlPacket  { return nil }
func (noStore) All() []string                     { return nil }
func (noStore) Del(string)                        {}
func (noStore) Close()                            {}
func (noStore) Reset()                            {}
