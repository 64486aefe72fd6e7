package angeleye

import (
	"errors"
	"fmt"
	"time"
)

// answerWithin is how long the shoe may take to answer a command.
const answerWithin = time.Second

// Why a command had no effect, besides an AnswerError and errors of the port.
var (
	// ErrReadOnly: the configuration allows no commands to the shoe.
	ErrReadOnly = errors.New("commands to the shoe are not allowed: set shoe.commands in the configuration if the " +
		"house wants them")
	// ErrNoAnswer: the shoe did not answer a command. It may have obeyed.
	ErrNoAnswer = errors.New("the shoe does not answer: look at it, and check the line from this side to the shoe")
	// ErrBusy: another command is waiting for its answer.
	ErrBusy = errors.New("another command to the shoe is waiting for its answer: try again in a second")
)

// AnswerError is a command that the shoe refused.
type AnswerError struct {
	Code byte
}

// refusals are what the codes mean.
var refusals = map[byte]string{
	0x01: "it was damaged on the line: overrun, framing or parity",
	0x02: "its checksum was wrong",
	0x03: "its end was missing",
	0x11: "its form or length was wrong",
	0x12: "its address was wrong",
	0x13: "the command is unknown",
	0x14: "the type of command is unknown",
	0x21: "the shoe is busy: try again",
	0x22: "the shoe is writing: try again",
	0xFF: "no reason given",
}

// Error says why, in words.
func (e *AnswerError) Error() string {
	why, known := refusals[e.Code]
	if !known {
		why = "for an unknown reason: look at the shoe"
	}
	return fmt.Sprintf("the shoe refused the command (code %02X): %s", e.Code, why)
}

// command writes an operation with its two letters and two digits. Its checksum covers everything from STX on: the
// maker's text leaves STX out, but its example does not, and the public programs follow the example.
func command(kind, data string) []byte {
	p := append([]byte{stx}, "OP"+kind+data...)
	p = append(p, etx)
	return fmt.Appendf(p, "%02X", xor(p))
}

// answer is the shoe's answer to a command.
type answer struct {
	refused bool
	code    byte
}

// answer takes a byte that answers a command. Within a report such a byte is data.
func (d *Decoder) answer(b byte) (taken bool) {
	switch {
	case d.window.n > 0:
		return false
	case d.refused:
		d.refused = false
		if b == enq {
			d.reply(answer{refused: true, code: 0xFF}) // its code is lost
			return false
		}
		d.reply(answer{refused: true, code: b})
	case b == ack:
		d.reply(answer{})
	case b == nak:
		d.refused = true
	default:
		return false
	}
	return true
}

func (d *Decoder) reply(a answer) {
	if d.answered == nil {
		d.Count.Unknown++
		d.Log.Note(looseAnswer, nil)
		return
	}
	d.answered(a)
}
