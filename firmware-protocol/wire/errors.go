package wire

import (
	"errors"
	"fmt"
)

// What can be wrong with a frame itself: nothing in it can be used, and its message is sent again if it was numbered.
var (
	ErrTooLong  = errors.New("frame longer than 64 bytes: dropped; check the line and the baud rate")
	ErrTooShort = errors.New("frame too short for version, type and CRC: dropped; check the line and the baud rate")
	ErrCOBS     = errors.New("frame is not valid COBS: dropped; check the line and the baud rate")
	ErrCRC      = errors.New("frame's CRC-32 does not match: dropped; check the line and the baud rate")
)

// Damaged says whether err is about the frame itself, as damaged by noise on the line, and not about the contents of an
// intact one.
func Damaged(err error) bool {
	return errors.Is(err, ErrCRC) || errors.Is(err, ErrCOBS) || errors.Is(err, ErrTooShort) ||
		errors.Is(err, ErrTooLong)
}

// TypeOf returns the type of a frame that Feed reported, usable or not; false if the frame was damaged or of an unknown
// version.
func TypeOf(m *Message, err error) (t Type, ok bool) {
	if err == nil {
		return m.Type, true
	}
	var of interface{ kind() Type }
	if !errors.As(err, &of) {
		return 0, false
	}
	return of.kind(), true
}

func (e *SealError) kind() Type        { return e.Type }
func (e *UnknownTypeError) kind() Type { return e.Type }
func (e *LengthError) kind() Type      { return e.Type }
func (e *FieldError) kind() Type       { return e.Type }
func (e *CardCodeError) kind() Type    { return Card }

// VersionError is an intact frame of a protocol version that this side does not speak.
type VersionError struct{ Got, Want uint8 }

func (e *VersionError) Error() string {
	return fmt.Sprintf("the other side speaks sabot protocol version %d, this side version %d: bring both to the "+
		"same version", e.Got, e.Want)
}

// SealFault says why a sealed frame was not opened.
type SealFault uint8

// The faults of seals.
const (
	// NoKey: there is no session here under whose keys the frame could be sealed.
	NoKey SealFault = iota + 1
	// BadTag: the tag was not made with this session's keys, or the frame was changed.
	BadTag
	// OldCounter: the counter is not above the last one accepted.
	OldCounter
	// Early: the tag was made with the keys of a session that no hello has opened yet.
	Early
)

// SealError is an intact sealed frame that was not opened: nothing in it is used.
type SealError struct {
	Type    Type
	Counter uint32
	Fault   SealFault
}

var sealFaults = [...]string{
	NoKey:      "no session here has the key of its seal",
	BadTag:     "its seal is not from this session",
	OldCounter: "it came before, or after a later one",
	Early:      "no hello has opened its session yet",
}

func (e *SealError) Error() string {
	return fmt.Sprintf("sealed %s, counter %d: %s: dropped", e.Type, e.Counter, sealFaults[e.Fault])
}

// Why a shoe's answer to a challenge is not accepted.
var (
	ErrOtherChallenge = errors.New("the answer is to another challenge: dropped")
	ErrProof          = errors.New("the answer's proof is wrong: dropped; the keys of shoe and table differ")
)

// UnknownTypeError is an intact frame of a type that this version does not have. It is skipped; if the type is
// numbered, the Message with it has its number.
type UnknownTypeError struct{ Type Type }

func (e *UnknownTypeError) Error() string {
	return fmt.Sprintf("message of unknown type 0x%02x skipped: the other side's software is probably newer",
		uint8(e.Type))
}

// LengthError is an intact frame whose payload does not have its type's length.
type LengthError struct {
	Type     Type
	Got      int
	Min, Max int
}

func (e *LengthError) Error() string {
	if e.Min == e.Max {
		return fmt.Sprintf("%s with %d bytes of payload instead of %d: dropped; the sender's software is wrong", e.Type,
			e.Got, e.Min)
	}
	return fmt.Sprintf("%s with %d bytes of payload instead of %d to %d: dropped; the sender's software is wrong",
		e.Type, e.Got, e.Min, e.Max)
}

// FieldError is an intact frame with a value that its field cannot have. If the message is a numbered event with a
// valid number, the Message with it has the number, so that it counts as an event that cannot be understood.
type FieldError struct {
	Type  Type
	Field string
	Value uint64
}

func (e *FieldError) Error() string {
	return fmt.Sprintf("%s with %s %d, which is not allowed: not used; the sender's software is wrong", e.Type,
		e.Field, e.Value)
}

// CardCodeError is an intact card event whose rank and suit are not a card. The card did leave the shoe: the Message
// with it is that event as an unread card.
type CardCodeError struct {
	Boot, Seq uint32
	Rank      Rank
	Suit      Suit
}

func (e *CardCodeError) Error() string {
	return fmt.Sprintf("card event %08x/%d has no valid card code (rank %d, suit %d): taken as an unread card; have "+
		"the shoe's firmware checked",
		e.Boot, e.Seq, e.Rank, e.Suit)
}
