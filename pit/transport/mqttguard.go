// A Guarded connection reads MQTT 3.1.1 from a broker that is not trusted. It stands between the network and the client
// library, which believes every length and every number that a broker sends: it takes 256 MiB of memory for five
// bytes, and panics at an answer to a subscription that nobody made.
//
// What the client sends tells what the broker may send: one CONNACK, first of all; one answer to each subscription,
// message and ping; messages on topics that were subscribed to. Anything else ends the connection with a
// [*Breach]. Nothing is handed on before it was checked, except for the text of a message, whose length was.

package transport
