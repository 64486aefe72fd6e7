// Package publish sends a table's journal to the pit, over MQTT.
//
// A [Publisher] is a cursor over the journal. It sends the events from the cursor on,
// several at a time but in order, and moves the cursor when the broker has acknowledged
// the oldest one. Whatever goes wrong, it drops the connection, makes a new one and sends
// again from the cursor: an event may arrive twice, with the same id, but is never
// skipped. A slow or missing broker never holds up the table.
//
// Besides the events it keeps three retained messages up to date: the table's status with
// its last will, the newest state, and the health. Package topic describes them.
//
// No publisher can see this: mosquitto and NATS acknowledge a message that their access
// list forbids, and drop it. Test access lists by what arrives.
package publish
