package publish

import (
	"context"
	"crypto/tls"
	"net"
	"net/url"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"
	"github.com/eclipse/paho.mqtt.golang/packets"
)

const (
	// connectTimeout bounds the way to the broker's welcome.
	connectTimeout = 10 * time.Second
	// keepAlive is the longest silence on the connection; a broker that does not
	// answer a ping within pingTimeout is gone.
	keepAlive   = 10 * time.Second
	pingTimeout = 5 * time.Second
	// writeTimeout bounds a write to a broker that does not read.
	writeTimeout = 5 * time.Second
	// partTime is what an orderly disconnection may take, in milliseconds.
	partTime = 500
)

// connect makes a new client and returns the link over it. The will is what the
// broker says for the table if the connection ends without a goodbye.
func (p *Publisher) connect(ctx context.Context, will []byte) (*link, error) {
	conn, err := p.dial(ctx)
	if err != nil {
		return nil, err
	}
	lost := make(chan error, 1)
	client := mqtt.NewClient(p.clientOptions(conn, will, lost))
	if err := introduce(ctx, client, conn); err != nil {
		return nil, err
	}
	return newLink(client, conn, lost, p.config.Window), nil
}

// dial opens the connection, with TLS where it is wanted.
func (p *Publisher) dial(ctx context.Context) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	var dialer net.Dialer
	if p.endpoint.tls == nil {
		return dialer.DialContext(ctx, "tcp", p.endpoint.address)
	}
	secure := tls.Dialer{NetDialer: &dialer, Config: p.endpoint.tls}
	return secure.DialContext(ctx, "tcp", p.endpoint.address)
}

// introduce waits for the broker's welcome. The connection is closed on an error.
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

// clientOptions make the library a mere transport: it does not reconnect, does not
// store, and uses the connection that it is given.
func (p *Publisher) clientOptions(conn net.Conn, will []byte, lost chan<- error) *mqtt.ClientOptions {
	o := mqtt.NewClientOptions()
	o.AddBroker("tcp://" + p.endpoint.address) // the library wants one; it is not dialled
	o.SetCustomOpenConnectionFn(func(*url.URL, mqtt.ClientOptions) (net.Conn, error) { return conn, nil })
	o.SetClientID(p.config.ClientID)
	o.SetUsername(p.config.Username)
	o.SetPassword(p.config.Password)
	o.SetProtocolVersion(4) // 3.1.1
	o.SetCleanSession(true)
	o.SetAutoReconnect(false)
	o.SetConnectRetry(false)
	o.SetStore(noStore{})
	o.SetConnectTimeout(connectTimeout)
	o.SetWriteTimeout(writeTimeout)
	o.SetKeepAlive(keepAlive)
	o.SetPingTimeout(pingTimeout)
	o.SetBinaryWill(p.topics.status, will, 1, true)
	o.SetConnectionLostHandler(func(_ mqtt.Client, err error) { lost <- err })
	return o
}

// hangUp closes a connection that may be closed already, which is no matter.
func hangUp(conn net.Conn) { _ = conn.Close() }

// noStore keeps nothing: what is not acknowledged is in the journal.
type noStore struct{}

func (noStore) Open()                             {}
func (noStore) Put(string, packets.ControlPacket) {}
func (noStore) Get(string) packets.ControlPacket  { return nil }
func (noStore) All() []string                     { return nil }
func (noStore) Del(string)                        {}
func (noStore) Close()                            {}
func (noStore) Reset()                            {}
