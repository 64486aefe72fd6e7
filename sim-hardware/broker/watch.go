package broker

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	mqtt "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/packets"
)

var errTooSlow = errors.New("the reader does not keep up")

// watch lets clients in, and disconnects readers that would lose messages.
type watch struct {
	mqtt.HookBase
	log   *slog.Logger
	login Login
	// asked are the numbers of what clients have asked, where a message to the same client has that number.
	asked sync.Map
}

// ID names the hook for the library.
func (w *watch) ID() string { return "watch" }

// Provides reports which of the hook's methods the library is to call.
func (w *watch) Provides(method byte) bool {
	switch method {
	case mqtt.OnConnectAuthenticate, mqtt.OnACLCheck, mqtt.OnPublishDropped, mqtt.OnQosPublish, mqtt.OnDisconnect,
		mqtt.OnPacketRead, mqtt.OnPacketEncode:
		return true
	}
	return false
}

// OnConnectAuthenticate lets a client in that has the login. Only this computer can connect.
func (w *watch) OnConnectAuthenticate(_ *mqtt.Client, hello packets.Packet) bool {
	return w.login.admits(hello.Connect.Username, hello.Connect.Password)
}

// OnACLCheck allows every topic.
func (w *watch) OnACLCheck(*mqtt.Client, string, bool) bool { return true }

// OnPublishDropped is called when a message could not even be queued for a reader.
func (w *watch) OnPublishDropped(client *mqtt.Client, _ packets.Packet) {
	w.report(client, "too many messages wait to be written to it", "limit", maxWaiting)
	client.Stop(errTooSlow)
}

// OnQosPublish is called for each message of QoS 1 that goes to a reader; at the limit the
// next one would be dropped. A reader that comes back may first catch up: repeated messages
// do not count.
func (w *watch) OnQosPublish(client *mqtt.Client, sent packets.Packet, _ int64, _ int) {
	if !sent.FixedHeader.Dup && !client.Closed() && client.State.Inflight.Len() >= maxUnacknowledged {
		w.report(client, "it does not acknowledge what is sent to it", "limit", maxUnacknowledged)
		client.Stop(errTooSlow)
	}
}

// OnDisconnect is called when a client has gone, for whatever reason.
func (w *watch) OnDisconnect(client *mqtt.Client, _ error, _ bool) {
	w.asked.Delete(client)
	if c, ok := client.Net.Conn.(*conn); ok && c.stuck.Load() {
		w.report(client, "it does not read what is sent to it", "limit", c.patience)
	}
}

// report logs once that a reader is disconnected. The reader finds the gap by the events'
// sequence when it comes back.
func (w *watch) report(client *mqtt.Client, why string, details ...any) {
	if c, ok := client.Net.Conn.(*conn); ok && !c.logged.Swap(true) {
		w.log.With(details...).Warn("an MQTT reader was disconnected, and what waited for it was dropped: "+why,
			"client", client.ID, "remote", client.Net.Remote)
	}
}

// warnings passes on warnings and errors.
type warnings struct {
	slog.Handler
}

// Enabled reports whether a message of the level is passed on.
func (w warnings) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && w.Handler.Enabled(ctx, level)
}

// WithAttrs keeps the filter on a logger with more attributes.
func (w warnings) WithAttrs(attrs []slog.Attr) slog.Handler {
	return warnings{w.Handler.WithAttrs(attrs)}
}

// WithGroup keeps the filter on a logger with a group.
func (w warnings) WithGroup(name string) slog.Handler {
	return warnings{w.Handler.WithGroup(name)}
}
