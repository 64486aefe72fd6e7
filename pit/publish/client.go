package publish

import (
	"bufio"
	"context"
	"crypto/tls"
	"net"
	"net/url"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"
	"github.com/eclipse/paho.mqtt.golang/packets"
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

// dialer makes connections to one broker.
type dialer struct {
	config   *Config
	endpoint endpoint
	tooLong  *time.Time // when the log last had a message that was too long
}

// newDialer fills in the config and checks it.
func newDialer(config *Config) (dialer, error) {
	config.fill()
	if err := config.validate(); err != nil {
		return dialer{}, err
	}
	endpoint, err := config.endpoint()
	return dialer{config, endpoint, new(time.Time)}, err
}

// lastWill is what the broker publishes for a client whose connection ends without a goodbye.
type lastWill struct {
	topic   string
	payload []byte
}

// connect makes a new client and returns the link over it; a nil will is none.
func (d dialer) connect(ctx context.Context, will *lastWill) (*link, error) {
	dialled, err := d.dial(ctx)
	if err != nil {
		return nil, err
	}
	conn := &inlet{Conn: dialled, log: d.config.Log, in: bufio.NewReader(dialled), logged: d.tooLong}
	lost := make(chan error, 1)
	client := mqtt.NewClient(d.clientOptions(conn, will, lost))
	if err := introduce(ctx, client, conn); err != nil {
		return nil, err
	}
	return newLink(client, conn, lost, d.config.Window), nil
}

// dial opens the connection, with TLS if it is configured.
func (d dialer) dial(ctx context.Context) (net.Conn, error) {
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
func introduce(ctx context.Context, client mqtt.Client, conn net.Conn) error {
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
	if code := token.(*mqtt.ConnectToken).ReturnCode(); code != packets.Accepted && code != packets.ErrNetworkError {
		return RefusedError{Code: code}
	}
	return err
}

// clientOptions make the library a mere transport: it does not reconnect, does not store,
// and uses the given connection.
func (d dialer) clientOptions(conn net.Conn, will *lastWill, lost chan<- error) *mqtt.ClientOptions {
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
		o.SetBinaryWill(will.topic, will.payload, 1, true)
	}
	o.SetConnectionLostHandler(func(_ mqtt.Client, err error) { lost <- err })
	return o
}

// hangUp closes a connection. It does not matter if it is already closed.
func hangUp(conn net.Conn) { _ = conn.Close() }

// noStore stores nothing: unacknowledged events are in the journal.
type noStore struct{}

func (noStore) Open()                             {}
func (noStore) Put(string, packets.ControlPacket) {}
func (noStore) Get(string) packets.ControlPacket  { return nil }
func (noStore) All() []string                     { return nil }
func (noStore) Del(string)                        {}
func (noStore) Close()                            {}
func (noStore) Reset()                            {}
