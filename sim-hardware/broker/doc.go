// Package broker is a small MQTT broker inside the process, for the bench: a table, its pit
// and a demonstration run without anything installed.
//
// It has no TLS and therefore listens on loopback only, for everybody or for one [Login]. It keeps everything in
// memory: retained messages and the sessions of readers end with the process. A house has
// the broker inside its pit, or one of its own, such as mosquitto.
//
// No reader loses a message unnoticed. One that does not keep up, or does not acknowledge,
// is disconnected before anything would be silently dropped, and the log says so.
//
// It is apart from the demonstration, since tests of the daemon and of the publisher use it, too. No program for a
// house links it. The broker inside the pit is another, pit/broker: that one needs a folder for what it keeps and the
// list of its users, neither of which a demonstration or a test has to make here.
package broker
