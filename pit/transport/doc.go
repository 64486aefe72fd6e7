// Package transport makes connections to an MQTT broker, for the tables' publisher and for the
// pit. The client library is a mere transport: each connection has a new client, which does not
// reconnect and stores nothing. Whoever uses it connects again, after a [Backoff].
package transport
