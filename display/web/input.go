package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"

	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// Press puts a key press or a stake in. It returns the input's number in the
// journal and why it was refused, 0 if it was taken. moment is what display.Moment said
// of the table that was looked at, "" where nobody looked: at any other moment the
// answer is ErrMovedOn, and nothing was put in. An *authority.Refusal is an input that
// nobody present may put in. An error with a reason says more than the reason does.
type Press func(ctx context.Context, in vocab.Input, moment string) (seq uint64, refused vocab.Reason, err error)

// ErrMovedOn is for an input that was meant for a moment that has passed.
var ErrMovedOn = errors.New("not taken")

// maxInput bounds a posted input, in bytes.
const maxInput = 4096

// keys are what may be put in from a screen. Cards come from the shoe alone, and
// the table is set up by its configuration.
var keys = []vocab.InputKind{
	vocab.InOpen, vocab.InStake, vocab.InClose, vocab.InCall, vocab.InUndo, vocab.InResolve, vocab.InPaid,
	vocab.InAcknowledge, vocab.InFloor, vocab.InTable, vocab.InLimits, vocab.InHold, vocab.InCorrect, vocab.InAdjust,
	vocab.InCount, vocab.InFill, vocab.InCredit, vocab.InBuyIn, vocab.InDrop, vocab.InChange, vocab.InTips,
	vocab.InHole,
}

// mayPress says whether an input may come from a screen. Of the shoe a dealer says
// only that it was loaded, and of the pit's message that it was seen; all else they tell
// themselves.
func mayPress(in vocab.Input) bool {
	return slices.Contains(keys, in.Kind) || in.Kind == vocab.InShoe && in.Shoe.Event == vocab.ShoeLoaded ||
		in.Kind == vocab.InMessage && in.Message.Event == vocab.MessageSeen
}

// Answer is what a posted input is answered with.
type Answer struct {
	// Seq is the input's number in the journal.
	Seq uint64 `json:"seq,omitempty"`
	// Rejected is the reason of the rejection, "" if the input was taken.
	Rejected string `json:"rejected,omitempty"`
	// Refused is what is lacking for somebody to put it in, such as needs-pin.
	Refused authority.Why `json:"refused,omitempty"`
	// Left is how many more wrong tries are taken, and Wait after how many seconds it can be
	// tried again.
	Left int `json:"left,omitempty"`
	Wait int `json:"wait,omitempty"`
	// Error is what is wrong with the request, or what to do about Refused.
	Error string `json:"error,omitempty"`
	// Told is for who has put it in alone: by how much the tray differs that was counted.
	Told string `json:"told,omitempty"`
}

// input takes one transcript line, such as {"in":"call","call":"rest"}, from a
// screen or a bench, and answers when it is durable: 200 if it was taken, 409 if
// the rules refuse it, 403 if nobody who may is present, 400 if it is no input.
func (s *Server) input(w http.ResponseWriter, r *http.Request) {
	if s.foreign(w, r) {
		return
	}
	in, err := readInput(w, r)
	if err != nil {
		site.Answer(w, http.StatusBadRequest, Answer{Error: err.Error()})
		return
	}
	status, answer := s.press(r.Context(), in, "")
	s.pressed(w, status, answer)
}

// press puts one input in, and says what to answer.
func (s *Server) press(ctx context.Context, in vocab.Input, moment string) (status int, answer Answer) {
	who := askerOf(ctx)
	if wait := s.paced.press(who); wait > 0 {
		return http.StatusTooManyRequests, waits(wait)
	}
	defer func() { s.paced.pressed(who, status, answer) }()
	seq, refused, err := s.options.Press(ctx, in, moment)
	var unproven *authority.Refusal
	var text *vocab.TextError
	switch {
	case errors.As(err, &text):
		return http.StatusBadRequest, Answer{Error: text.Error()}
	case errors.Is(err, site.ErrSessionOver):
		return http.StatusUnauthorized, Answer{Error: tooLate}
	case errors.As(err, &unproven):
		return http.StatusForbidden, Answer{Refused: unproven.Why, Error: unproven.Error()}
	case errors.Is(err, ErrMovedOn):
		return http.StatusConflict, Answer{Rejected: movedOn, Error: err.Error()}
	case err != nil && refused != 0:
		return http.StatusConflict, Answer{Seq: seq, Rejected: refused.String(), Error: err.Error()}
	case err != nil:
		return http.StatusServiceUnavailable, Answer{Error: err.Error()}
	case refused != 0:
		return http.StatusConflict, Answer{Seq: seq, Rejected: refused.String()}
	}
	return http.StatusOK, Answer{Seq: seq}
}

// refusal says why a request may not put anything in. A page of another origin
// cannot send JSON without asking first, and its origin gives it away.
func refusal(r *http.Request) (problem string, status int) {
	if !site.IsJSON(r) {
		return "inputs are posted as application/json", http.StatusUnsupportedMediaType
	}
	if site.ForeignOrigin(r) {
		return fmt.Sprintf("inputs are not taken from pages of %q", r.Header.Get("Origin")), http.StatusForbidden
	}
	return "", 0
}

func readInput(w http.ResponseWriter, r *http.Request) (vocab.Input, error) {
	line, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxInput))
	if err != nil {
		return vocab.Input{}, fmt.Errorf("reading the input: %w", err)
	}
	return parseInput(line)
}

// parseInput reads a line that a screen may put in.
func parseInput(line []byte) (vocab.Input, error) {
	parser := transcript.NewParser(nil)
	parser.Outside = true
	in, err := parser.Parse(line, 1)
	if err != nil {
		var placed *transcript.Error
		if errors.As(err, &placed) {
			return in, fmt.Errorf("column %d: %s", placed.Column, placed.What)
		}
		return in, err
	}
	if in.Origin != nil {
		return in, errors.New("a screen does not say where an input comes from: leave out from, at, who and proven_at")
	}
	if !mayPress(in) {
		return in, fmt.Errorf("%q is not put in from a screen", in.Kind)
	}
	return in, nil
}
