package wire

import (
	"errors"
	"fmt"
)

// What can be wrong with a frame itself: nothing of it can be used, and what was
// sent in it comes again if it was numbered.
var (
	ErrTooLong  = errors.New("frame longer than 64 bytes: dropped; check the line and the baud rate")
	ErrTooShort = errors.New("frame too short for version, type and CRC: dropped; check the line and the baud rate")
	ErrCOBS     = errors.New("frame is not valid COBS: dropped; check the line and the baud rate")
	ErrCRC      = errors.New("frame's CRC-32 does not match: dropped; check the line and the baud rate")
)

// VersionError is an intact frame of a protocol version that is not spoken here.
type VersionError struct{ Got, Want uint8 }

func (e *VersionError) Error() string {
	return fmt.Sprintf("the other side speaks sabot protocol version %d, this side version %d: bring both to the same version", e.Got, e.Want)
}

// UnknownTypeError is an intact frame of a type that this version does not have.
// It is skipped; if the type is numbered, the Message beside it has its number.
type UnknownTypeError struct{ Type Type }

func (e *UnknownTypeError) Error() string {
	return fmt.Sprintf("message of unknown type 0x%02x skipped: the other side's software is probably newer", uint8(e.Type))
}

// LengthError is an intact frame whose payload has not the length of its type.
type LengthError struct {
	Type     Type
	Got      int
	Min, Max int
}

func (e *LengthError) Error() string {
	if e.Min == e.Max {
		return fmt.Sprintf("%s with %d bytes of payload instead of %d: dropped; the sender's software is wrong", e.Type, e.Got, e.Min)
	}
	return fmt.Sprintf("%s with %d bytes of payload instead of %d to %d: dropped; the sender's software is wrong", e.Type, e.Got, e.Min, e.Max)
}

// FieldError is an intact frame with a value that its field cannot have. If the
// message is a numbered event with a valid number, the Message beside it has the
// number, so that the event counts as one that cannot be understood.
type FieldError struct {
	Type  Type
	Field string
	Value uint64
}

func (e *FieldError) Error() string {
	return fmt.Sprintf("%s with %s %d, which is not allowed: not used; the sender's software is wrong", e.Type, e.Field, e.Value)
}

// CardCodeError is an intact card event whose rank and suit are no card. The card
// did leave the shoe: the Message beside it is that event as an unread card.
type CardCodeError struct {
	Boot, Seq uint32
	Rank      Rank
	Suit      Suit
}

func (e *CardCodeError) Error() string {
	return fmt.Sprintf("card event %08x/%d has no valid card code (rank %d, suit %d): taken as an unread card; have the shoe's firmware checked",
		e.Boot, e.Seq, e.Rank, e.Suit)
}
