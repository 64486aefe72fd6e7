package configfile

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/internal/strictyaml"
)

// What is wrong with a password for a broker that InClear speaks of, and what to do.
const (
	InClearWhat = "the broker's password would cross the network for everyone on it to read: there is no TLS"
	InClearHint = "write it as ssl://host:8883; or add mqtt.password_in_clear: true, if nobody but the house can " +
		"reach that network"
)

// InClear says whether a password for one of the brokers in a list, separated by spaces, would cross a network without
// TLS.
func InClear(brokers string) bool { return slices.ContainsFunc(strings.Fields(brokers), inClear) }

func inClear(broker string) bool {
	u, err := url.Parse(broker)
	if err != nil || u.Scheme != "tcp" && u.Scheme != "mqtt" && u.Scheme != "http" {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() != "localhost" && (err != nil || !ip.IsLoopback())
}

// CheckBroker refuses what of a section mqtt does not go together with its brokers, or with the rest of it.
func CheckBroker(doc *strictyaml.Document, brokers, username, passwordFile, caFile string, passwordInClear bool) {
	if passwordFile != "" && username == "" {
		doc.Refuse("mqtt.password_file", "a password needs a username", "add mqtt.username")
	}
	if passwordFile != "" && username != "" && !passwordInClear && InClear(brokers) {
		doc.Refuse("mqtt.broker", InClearWhat, InClearHint)
	}
	plain := func(address string) bool { return strings.HasPrefix(address, "tcp:") }
	if caFile != "" && slices.ContainsFunc(strings.Fields(brokers), plain) {
		doc.Refuse("mqtt.ca_file", "the broker is reached without TLS, so the file would not be used",
			"write the broker as ssl://host:8883, or remove ca_file")
	}
}
