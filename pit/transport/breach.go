package transport

// Breach is what a broker has sent that a broker may not, or that is more than the client wants. It ended the
// connection.
type Breach struct{ What string }

// Error says what it was. The text is the same for each breach of one kind.
func (b *Breach) Error() string { return "the broker does not keep to MQTT 3.1.1: " + b.What }

// The breaches.
var (
	notMQTT      = &Breach{"what it sends is not MQTT"}
	notFirst     = &Breach{"it sends something before it has accepted the connection"}
	acceptsTwice = &Breach{"it accepts a connection that it has accepted before"}
	badConnack   = &Breach{"its answer to the connection is none that there is"}
	notItsTurn   = &Breach{"it sends a packet that only clients send, or of a kind that nobody asked for"}
	badAnswer    = &Breach{"it answers something that was not sent to it, or twice, or at a wrong length"}
	badGrant     = &Breach{"its answer to a subscription is none that there is"}
	badTopic     = &Breach{"it sends a message whose topic is not a topic"}
	notAsked     = &Breach{"it sends a message that was not subscribed to"}
	badQuality   = &Breach{"it sends a message in a quality of service that was not subscribed to"}
	badNumber    = &Breach{"it sends a message with a number that is not free"}
	tooMuch      = &Breach{"it sends more than is wanted"}
)
