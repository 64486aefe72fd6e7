// Package broker is a small MQTT broker in the process itself, for the bench: a
// table, its pit and a demonstration run without anything installed.
//
// It knows no passwords and therefore listens on loopback only. It keeps everything
// in memory: retained messages and the sessions of readers are gone with the
// process. A house runs a broker of its own, mosquitto for instance.
//
// No reader loses a message without a trace. One that does not keep up, or does not
// acknowledge, is disconnected before anything would be dropped behind its back, and
// the log says so.
package broker
