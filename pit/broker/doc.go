// Package broker is the MQTT broker inside the pit: NATS, with its own MQTT listener, so that a house with one machine
// needs no other. It is one node, or one of three that are a cluster. Who may say what is made from the list of the
// house's tables. What it keeps makes reconnecting fast and is no record: that is in the tables' journals.
package broker
