package shoe

import "time"

// DecoderPause is the silence after which a Decoder is told that a message has ended. It is long compared with any
// message, even through a serial-to-network converter.
const DecoderPause = 2 * time.Second

// Decoder turns bytes into events. It does no I/O, reads no clock, and is not safe for concurrent use. Its events have
// no time and no position.
type Decoder interface {
	// Reset discards what was partly received on the previous port.
	Reset()
	// Feed takes the next bytes, cut anywhere. at is how long ago the driver was made, without the time in which this
	// side itself stood still while it listened.
	Feed(at time.Duration, p []byte, emit func(Event))
	// Lost says that the port's receiver has lost bytes or got them wrong, in what is fed next or shortly after it.
	Lost()
	// Quiet says that nothing arrived for a DecoderPause.
	Quiet(emit func(Event))
	// Counts returns what was received since the decoder was made.
	Counts() DecoderCounts
	// Remarks returns what the operator should read in the log.
	Remarks() *Remarks
}

// DecoderCounts are what a Decoder received.
type DecoderCounts struct {
	Messages uint64 // intact messages, including those without a meaning
	Repeated uint64 // of these, those that came again
	// PassedOver counts those that were not taken although nothing of the kind had come on this port: they are equal to
	// one before it was opened, or came after their loss was reported.
	PassedOver uint64
	Unknown    uint64 // of these, those without a known meaning
	Damaged    uint64 // messages, or pieces of one, that could not be read
	Dropped    uint64 // bytes that belong to no message
}

// Heard is what a Decoder counts and notes, for it to embed.
type Heard struct {
	Count DecoderCounts
	Log   Remarks
}

// Counts returns what was received so far.
func (h *Heard) Counts() DecoderCounts { return h.Count }

// Remarks returns what is to be logged.
func (h *Heard) Remarks() *Remarks { return &h.Log }
