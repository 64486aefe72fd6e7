// Package command is what the pit may tell a table to do: signed commands over MQTT, as
// README.md specifies them. It writes and reads them, judges at the table which of them are to
// be carried out ([Gate]), and sends them from the pit ([Sender]). It carries out nothing, and
// knows no broker.
package command
