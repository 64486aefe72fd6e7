// Package brokertest has what tests around an MQTT broker need: a real mosquitto, a subscriber that loses nothing, and
// a gate between client and broker that can be shut. It reads messages as strictly as a test wants it, and holds them
// against the schemas of their topics.
package brokertest
