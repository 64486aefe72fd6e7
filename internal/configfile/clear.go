package configfile

import (
	"net/netip"
	"net/url"
)

// What is wrong with a password for a broker that InClear speaks of, and what to do.
const (
	InClearWhat = "the broker's password would cross the network for everyone on it to read: there is no TLS"
	InClearHint = "write it as ssl://host:8883; or add mqtt.password_in_clear: true, if nobody but the house can " +
		"reach that network"
)

// InClear says whether a password for the broker at an address would cross a network without TLS.
func InClear(broker string) bool {
	u, err := url.Parse(broker)
	if err != nil || u.Scheme != "tcp" && u.Scheme != "mqtt" && u.Scheme != "http" {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() != "localhost" && (err != nil || !ip.IsLoopback())
}
