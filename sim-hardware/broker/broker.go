package broker

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"syscall"
	"time"

	mqtt "github.com/mochi-mqtt/server/v2"
)

const (
	// maxWaiting is how many messages may wait to be written to one reader. The limit is
	// per connection, and each connection allocates 8 bytes per message.
	maxWaiting = 8192
	// maxUnacknowledged is how many messages of QoS 1 a reader may leave unacknowledged.
	// MQTT cannot number more.
	maxUnacknowledged = math.MaxUint16
	// sessionSeconds is how long the broker keeps messages for a reader that has left and
	// requested this. These count as unacknowledged; an hour of the busiest table stays
	// far below the limit.
	sessionSeconds = 3600
	// maxPacket is the longest packet that a client may send, in bytes, also before it has said who it is. The longest
	// message of a table is shorter.
	maxPacket = 4 << 20
	// systemSeconds is how often the broker publishes its own figures under $SYS. Each time
	// it stops the whole process for a moment.
	systemSeconds = 60
)

// Broker is a running broker. Close stops it.
type Broker struct {
	server *mqtt.Server
	door   *door
}

// Listen starts a broker on a loopback address, such as "127.0.0.1:1883" or
// "localhost:1883"; port 0 takes any free port, which Addr returns. The broker logs only
// warnings and errors; nil is the default logger.
func Listen(addr string, log *slog.Logger) (*Broker, error) {
	return listen(Login{}, addr, log, maxWrite)
}

func listen(login Login, addr string, log *slog.Logger, patience time.Duration) (*Broker, error) {
	if log == nil {
		log = slog.Default()
	}
	log = slog.New(warnings{log.Handler()}).With("part", "mqtt broker")
	listener, err := listenLoopback(addr)
	if err != nil {
		return nil, err
	}
	b := &Broker{server: mqtt.New(options(log)), door: newDoor(listener, log, patience)}
	if err := b.start(login, log); err != nil {
		return nil, errors.Join(fmt.Errorf("start the MQTT broker on %s: %w", addr, err), listener.Close())
	}
	return b, nil
}

// Addr is the address on which the broker listens, with its actual port.
func (b *Broker) Addr() string { return b.door.Address() }

// Close disconnects all clients and returns when they have gone. Retained messages are
// lost.
func (b *Broker) Close() error { return b.server.Close() }

func (b *Broker) start(login Login, log *slog.Logger) error {
	if err := b.server.AddHook(&watch{log: log, login: login}, nil); err != nil {
		return err
	}
	if err := b.server.AddListener(b.door); err != nil {
		return err
	}
	return b.server.Serve()
}

func options(log *slog.Logger) *mqtt.Options {
	limits := mqtt.NewDefaultServerCapabilities()
	// Anything above 0 would delete retained messages of that age.
	limits.MaximumMessageExpiryInterval = 0
	limits.MaximumClientWritesPending = maxWaiting
	limits.MaximumInflight = maxUnacknowledged
	limits.MaximumSessionExpiryInterval = sessionSeconds
	limits.MaximumPacketSize = maxPacket
	return &mqtt.Options{Capabilities: limits, Logger: log, SysTopicResendInterval: systemSeconds}
}

// listenLoopback opens the port; the error says what is wrong and what to do.
func listenLoopback(addr string) (net.Listener, error) {
	resolved, err := net.ResolveTCPAddr("tcp", addr)
	if err != nil {
		return nil,
			fmt.Errorf("the MQTT broker cannot listen on %q: %w: give an address and a port such as 127.0.0.1:1883",
				addr, err)
	}
	if !resolved.IP.IsLoopback() {
		return nil, fmt.Errorf("the MQTT broker cannot listen on %q: it has no TLS and serves this computer only: "+
			"give 127.0.0.1:%d, or run a broker such as mosquitto for the house", addr, resolved.Port)
	}
	listener, err := net.ListenTCP("tcp", resolved)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("the MQTT broker cannot listen on %s: %w: another program uses port %d, "+
			"often mosquitto or a second table (see: ss -ltnp 'sport = :%d'): stop it, use it as the broker, or "+
			"give another port",
			addr, err, resolved.Port, resolved.Port)
	}
	if err != nil {
		return nil, fmt.Errorf("the MQTT broker cannot listen on %s: %w", addr, err)
	}
	return listener, nil
}
