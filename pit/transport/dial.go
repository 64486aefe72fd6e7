package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/url"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"
	"github.com/eclipse/paho.mqtt.golang/packets"

	"github.com/sabot-table/sabot/pit/mqttguard"
)

const (
	// connectTimeout limits the time until the broker accepts the connection.
	connectTimeout = 10 * time.Second
	// keepAlive is the longest silence on the connection; a broker that does not answer a
	// ping within pingTimeout is gone.
	keepAlive   = 10 * time.Second
	pingTimeout = 5 * time.Second
	// writeTimeout limits a write to a broker that does not read.
	writeTimeout = 5 * time.Second
	// partTime is how long an orderly disconnection may take, in milliseconds.
	partTime = 500
)

// Dialer makes connections to one broker.
type Dialer struct {
	config   Config
	endpoint endpoint
}

// New checks the config. An error names the setting that is wrong.
func New(config Config) (*Dialer, error) {
	if config.Password != "" && config.Username == "" {
		return nil, errors.New("there is an MQTT password but no user name: give both or neither")
	}
	endpoint, err := config.endpoint()
	if err != nil {
		return nil, err
	}
	return &Dialer{config, endpoint}, nil
}

// Address is the broker's host and port.
func (d *Dialer) Address() string { return d.endpoint.address }

// Will is what the broker publishes for a client whose connection ends without a goodbye.
type Will struct {
	Topic   string
	Payload []byte
}

// Conn is one connection to the broker. What the broker sends passes through package wary before
// the client library sees it.
type Conn struct {
	mqtt.Client
	// Lost gets why the connection was lost, at most once.
	Lost <-chan error

	conn *mqttguard.Conn
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
	dialled, err := d.dial(ctx)
	if err != nil {
		return nil, err
	}
	limits := d.config.Limits
	limits.Write = writeTimeout
	conn := mqttguard.Wrap(dialled, limits)
	lost := make(chan error, 1)
	client := mqtt.NewClient(d.clientOptions(conn, will, lost))
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

// dial opens the connection, with TLS if it is configured.
func (d *Dialer) dial(ctx context.Context) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	if d.config.Dial != nil {
		return d.config.Dial(ctx)
	}
	var plain net.Dialer
	if d.endpoint.tls == nil {
		return plain.DialContext(ctx, "tcp", d.endpoint.address)
	}
	secure := tls.Dialer{NetDialer: &plain, Config: d.endpoint.tls}
	return secure.DialContext(ctx, "tcp", d.endpoint.address)
}

// introduce waits until the broker accepts the connection, and closes it on an error.
func introduce(ctx context.Context, client mqtt.Client, conn *mqttguard.Conn) error {
	stop := context.AfterFunc(ctx, func() { hangUp(conn) })
	token := client.Connect()
	<-token.Done() // at the latest after connectTimeout
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
func (d *Dialer) clientOptions(conn net.Conn, will *Will, lost chan<- error) *mqtt.ClientOptions {
	o := mqtt.NewClientOptions()
	o.AddBroker("tcp://" + d.endpoint.address) // the library requires one, but does not dial it
	o.SetCustomOpenConnectionFn(func(*url.URL, mqtt.ClientOptions) (net.Conn, error) { return conn, nil })
	o.SetClientID(d.config.ClientID)
	o.SetUsername(d.config.Username)
	o.SetPassword(d.config.Password)
	o.SetProtocolVersion(4) // 3.1.1
	o.SetCleanSession(true)
	o.SetAutoReconnect(false)
	o.SetConnectRetry(false)
	o.SetStore(noStore{})
	o.SetConnectTimeout(connectTimeout)
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
