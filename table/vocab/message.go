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

// Message is what becomes of a message to the dealer, and what is said, "" where it was seen.
type Message struct {
	Event MessageEvent
	Text  string
}

const messageMeaning = "the pit says something to the dealer, or it was seen"

var messageInput = Line[Input]{
	Name: "message", Meaning: messageMeaning, By: "event",
	Forms: messageNames, Form: func(in *Input) uint8 { return uint8(in.Message.Event) },
	Fields: []*Field[Input]{
		messageEvent(func(in *Input) *Message { return &in.Message }),
		person("text", Required, "what is said", func(in *Input) *string {
			return &in.Message.Text
		}).said().only(set(MessageSent)),
		text("by", Optional, "who it is", byOf).called(),
		commanded().only(set(MessageSent)),
	},
}

var messageTold = withOrigin(Line[Output]{
	Name: "message", Meaning: messageMeaning, Room: troubled,
	Forms: messageNames, Form: func(o *Output) uint8 { return uint8(o.Message.Event) },
	Fields: []*Field[Output]{
		messageEvent(func(o *Output) *Message { return &o.Message }),
		text("text", Required, "what is said", func(o *Output) *string {
			return &o.Message.Text
		}).only(set(MessageSent)),
		text("by", Optional, "who it was", func(o *Output) *string { return &o.By }),
	},
})

func messageEvent[L any](of func(*L) *Message) *Field[L] {
	return named("event", Required, messageNames, "what becomes of the message", func(l *L) *MessageEvent {
		return &of(l).Event
	})
}

// RefusedCommands are commands of the pit that were refused: why the last of them was, and how many they are.
type RefusedCommands struct {
	Why   string
	Times uint32
}

var refusedInput = Line[Input]{
	Name: "command", Meaning: "commands of the pit were refused",
	Fields: []*Field[Input]{
		person("refused", Required, "why, for the last of them", func(in *Input) *string {
			return &in.Refused.Why
		}).said(),
		count("times", Required, "how many", func(in *Input) *uint32 { return &in.Refused.Times }),
		text("by", Optional, "in whose name the last of them was signed", byOf).called(),
	},
}
