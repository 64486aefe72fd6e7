package publish

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"
)

const (
	// connectTimeout bounds the way to the broker's welcome.
	connectTimeout = 10 * time.Second
	// keepAlive is the time between two pings; a broker that does not answer one within
	// pingTimeout is gone.
	keepAlive   = 10 * time.Second
	pingTimeout = 5 * time.Second
	// writeTimeout bounds a write to a broker that does not read.
	writeTimeout = 5 * time.Second
	// partTime is what an orderly disconnection may take.
	partTime = time.Second / 2
)

// dialer makes connections to one broker.
type dialer struct {
	config   *Config
	endpoint endpoint
}

// newDialer fills the config and looks at it.
func newDialer(config *Config) (dialer, error) {
	config.fill()
	if err := config.validate(); err != nil {
		return dialer{}, err
	}
	endpoint, err := config.endpoint()
	return dialer{config, endpoint}, err
}

// lastWill is what the broker says for a client whose connection ends without a goodbye.
type lastWill struct {
	topic   string
	payload []byte
}

// connect makes a connection, greets the broker and returns the link; nil is no last
// will.
func (d dialer) connect(ctx context.Context, will *lastWill) (*link, error) {
	conn, err := d.dial(ctx)
	if err != nil {
		return nil, err
	}
	from := bufio.NewReader(conn)
	stop := context.AfterFunc(ctx, func() { hangUp(conn) })
	err = greet(conn, from, d.greeting(will))
	if !stop() {
		err = ctx.Err()
	}
	if err != nil {
		hangUp(conn)
		return nil, err
	}
	return newLink(conn, from, d.config.Window), nil
}

// dial opens the connection, with TLS where it is wanted.
func (d dialer) dial(ctx context.Context) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	var plain net.Dialer
	if d.endpoint.tls == nil {
		return plain.DialContext(ctx, "tcp", d.endpoint.address)
	}
	secure := tls.Dialer{NetDialer: &plain, Config: d.endpoint.tls}
	return secure.DialContext(ctx, "tcp", d.endpoint.address)
}

// greeting is the CONNECT of MQTT 3.1.1, with a clean session: what is not acknowledged
// is in the journal, not at the broker.
func (d dialer) greeting(will *lastWill) *packets.ConnectPacket {
	p := packets.NewControlPacket(packets.Connect).(*packets.ConnectPacket)
	p.ProtocolName, p.ProtocolVersion, p.CleanSession = "MQTT", 4, true
	p.ClientIdentifier, p.Keepalive = d.config.ClientID, uint16(keepAlive/time.Second)
	p.Username, p.UsernameFlag = d.config.Username, d.config.Username != ""
	p.Password, p.PasswordFlag = []byte(d.config.Password), d.config.Password != ""
	if will != nil {
		p.WillFlag, p.WillQos, p.WillRetain = true, 1, true
		p.WillTopic, p.WillMessage = will.topic, will.payload
	}
	return p
}

// greet waits for the broker's welcome.
func greet(conn net.Conn, from io.Reader, greeting *packets.ConnectPacket) error {
	if err := conn.SetDeadline(time.Now().Add(connectTimeout)); err != nil {
		return err
	}
	if err := greeting.Write(conn); err != nil {
		return err
	}
	answer, err := packets.ReadPacket(from)
	if err != nil {
		return fmt.Errorf("waiting for the broker's welcome: %w", err)
	}
	welcome, ok := answer.(*packets.ConnackPacket)
	switch {
	case !ok:
		return fmt.Errorf("the broker did not begin with its welcome, but with %s", answer)
	case welcome.ReturnCode != packets.Accepted:
		return RefusedError{Code: welcome.ReturnCode}
	}
	return conn.SetDeadline(time.Time{})
}

// hangUp closes a connection that may be closed already, which is no matter.
func hangUp(conn net.Conn) { _ = conn.Close() }
