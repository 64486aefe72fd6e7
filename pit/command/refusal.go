package command

import "github.com/sabot-table/sabot/table/plaintext"

// Refusal is why a table did not take a command. The zero Refusal is a command that was taken.
type Refusal uint8

// The refusals, in the order in which a table looks.
const (
	// TooLong is a message of more than MaxPayload bytes.
	TooLong Refusal = iota + 1
	// Unread came while the table had enough to do with others: nobody looked at it.
	Unread
	// Unsigned is not a signed command at all.
	Unsigned
	// UnknownKey is signed, it says, by a key that the table does not know.
	UnknownKey
	// Forged has another signature than the key's.
	Forged
	// Malformed is signed, and no command.
	Malformed
	// Foreign is for another table.
	Foreign
	// OtherSession is for an earlier session of the table, or for one that never was.
	OtherSession
	// Expired came too late.
	Expired
	// TooFar expires so late that the table would have to remember it for too long.
	TooFar
	// Replayed has come before.
	Replayed
	// Unauthorised is what the key may not do, or not in this person's name.
	Unauthorised
	// TooMany is one too many in a minute.
	TooMany
)

var refusalNames = plaintext.Enum[Refusal]{
	TooLong: "too-long", Unread: "unread", Unsigned: "unsigned", UnknownKey: "unknown-key", Forged: "forged",
	Malformed: "malformed", Foreign: "foreign", OtherSession: "other-session", Expired: "expired", TooFar: "too-far",
	Replayed: "replayed", Unauthorised: "unauthorised", TooMany: "too-many",
}

// String returns the refusal's name, "" for none.
func (r Refusal) String() string { return refusalNames.Name(r) }
