package vocab

import "github.com/sabot-table/sabot/table/plaintext"

// MessageEvent is what becomes of a message to the dealer.
type MessageEvent uint8

// The events of a message.
const (
	// MessageSent: the pit says something.
	MessageSent MessageEvent = iota + 1
	// MessageSeen: whoever is at the table has read it.
	MessageSeen
)

var messageNames = plaintext.Enum[MessageEvent]{MessageSent: "sent", MessageSeen: "seen"}

// String returns the event's name in transcripts.
func (e MessageEvent) String() string { return messageNames.Name(e) }

// ParseMessageEvent reads an event's name.
func ParseMessageEvent(s string) (MessageEvent, bool) { return messageNames.Parse(s) }

// EveryMessageEvent yields every event of a message.
func EveryMessageEvent(yield func(MessageEvent) bool) { messageNames.Every(yield) }

func messageEvent[L any](at func(*L) *MessageEvent) *Field[L] {
	return named("event", Required, messageNames, "what becomes of the message", at)
}
