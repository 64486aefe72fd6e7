package host

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/sabot-table/sabot/internal/site"
)

const idleTime = 2 * time.Minute

// connections bound who connects to the page. A screen has one connection with HTTP/2 and up to 6 without; the network
// of a table has a handful of screens, and a few behind one address where a router hides them. What 256 connections can
// hold is some 30 MB at the very most.
func connections(log *slog.Logger) site.ConnLimits {
	return site.ConnLimits{
		Each: 32, All: 256, Own: 256,
		// A handshake costs a small computer a few milliseconds at the most: so many leave it time to deal.
		EachNew: site.Pace{Every: 100 * time.Millisecond, Burst: 64},
		AllNew:  site.Pace{Every: 10 * time.Millisecond, Burst: 256},
		First:   site.HeaderTime, Log: log,
	}
}

// perConnection bounds what one connection may ask for at once and hold. A page has a stream, and asks for a few dozen
// files when it is opened: browsers wait with what is too much.
func perConnection() *http.HTTP2Config {
	return &http.HTTP2Config{
		MaxConcurrentStreams: 32, MaxDecoderHeaderTableSize: 4 << 10,
		MaxReceiveBufferPerConnection: 64 << 10, MaxReceiveBufferPerStream: 64 << 10,
		// A connection that is gone without a word holds its place no longer than this.
		SendPingTimeout: 15 * time.Second, PingTimeout: 15 * time.Second, WriteByteTimeout: 15 * time.Second,
	}
}
