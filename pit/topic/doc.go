// Package topic says under which MQTT topics a table speaks to the floor, and what
// its messages look like: an output of the engine comes in, a topic and a payload
// go out. It is pure: no clock, no network.
//
// A table's topics are sabot/v1/<site>/<table>/ followed by a [Kind]. The payloads are
// JSON objects; [Status], [State], [Event], [Health] and so on are what a reader decodes
// them into, and [Kind.Schema] describes them for everybody else.
// Readers must pass over fields that they do not know.
package topic
