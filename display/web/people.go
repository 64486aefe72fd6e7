package web

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/table/authority"
)

// People are who stands at the table. Refusals are *authority.Refusal; any other
// error says why the table could not record what was to be done. After ctx has ended nothing
// is done any more, and the error is why it ended.
type People interface {
	// Enter takes a PIN that was entered as a supervisor's, at this place: who has entered may look there at what only
	// supervisors see.
	Enter(ctx context.Context, at authority.Place, name, pin string) error
	// Once takes a PIN that came with what is to be put in. What is done with the context that it returns is the
	// supervisor's, and nothing else.
	Once(ctx context.Context, at authority.Place, g authority.Given) (context.Context, error)
	// Leave ends what Enter began.
	Leave(ctx context.Context) error
	// Status is how things stand for who asks at this place.
	Status(at authority.Place) authority.Status
	SignIn(ctx context.Context, dealer string) error
	// Prove and ReadBadge sign a dealer in who is proven, by a PIN or by a badge's number.
	Prove(ctx context.Context, at authority.Place, dealer, pin string) error
	ReadBadge(ctx context.Context, at authority.Place, number string) error
	SignOut(ctx context.Context) error
	Shift() authority.Shift
}

// Standing is how things stand with the supervisor, and, where something was
// refused, why.
type Standing struct {
	authority.Status
	Refused authority.Why `json:"refused,omitempty"`
	// Left is how many more wrong PINs are taken before the name is locked out.
	Left int `json:"left,omitempty"`
	// Wait is after how many seconds it can be tried again.
	Wait  int    `json:"wait,omitempty"`
	Error string `json:"error,omitempty"`
}

// supervisor tells how things stand.
func (s *Server) supervisor(w http.ResponseWriter, r *http.Request) {
	site.Answer(w, http.StatusOK, Standing{Status: s.options.People.Status(stands(r))})
}

// enter takes {"name":"anna","pin":"…"}; the name of the only supervisor may be left
// out. It lets look, and vouches for nothing. It answers how things stand then: 200 if the PIN is right, 403 if it is
// wrong, 429 while no PIN is taken. Nothing that is said repeats the PIN.
func (s *Server) enter(w http.ResponseWriter, r *http.Request) {
	var given struct{ Name, PIN string }
	const form = `write it as {"name":"…","pin":"…"}`
	if !s.readForm(w, r, &given, form) {
		return
	}
	if given.PIN == "" {
		site.Answer(w, http.StatusBadRequest, Answer{Error: "the PIN is missing: " + form})
		return
	}
	s.stand(w, r, s.options.People.Enter(r.Context(), stands(r), given.Name, given.PIN))
}

// leave ends what a PIN proves, and answers how things stand then.
func (s *Server) leave(w http.ResponseWriter, r *http.Request) {
	if s.foreign(w, r) {
		return
	}
	s.stand(w, r, s.options.People.Leave(r.Context()))
}

// stand answers how things stand after something that may have failed.
func (s *Server) stand(w http.ResponseWriter, r *http.Request, err error) {
	if s.tooLate(w, err) {
		return
	}
	now := Standing{Status: s.options.People.Status(stands(r))}
	status := http.StatusOK
	if err != nil {
		now.Error = err.Error()
		status = http.StatusServiceUnavailable
	}
	var refused *authority.Refusal
	if errors.As(err, &refused) {
		status = statusOf(refused.Why)
		now.Refused, now.Left, now.Wait = refused.Why, refused.Left, int(refused.Wait/time.Second)
		site.WaitAfter(w, now.Wait)
	}
	site.Answer(w, status, now)
}

func statusOf(why authority.Why) int {
	switch why {
	case authority.WhyLockedOut, authority.WhyBusy:
		return http.StatusTooManyRequests
	case authority.WhyUnknownName, authority.WhyBadName:
		return http.StatusBadRequest
	case authority.WhyNoPINAsked, authority.WhyNoBadgeAsked, authority.WhyRoundRunning:
		return http.StatusConflict
	}
	return http.StatusForbidden
}

// signIn takes {"name":"dora"}, with "pin" where dealers are proven by one: who deals from now
// on. Nothing that is said repeats the PIN.
func (s *Server) signIn(w http.ResponseWriter, r *http.Request) {
	var given struct{ Name, PIN string }
	switch {
	case !s.readForm(w, r, &given, `write it as {"name":"…"}, or {"name":"…","pin":"…"}`):
	case given.PIN == "":
		s.deals(w, s.options.People.SignIn(r.Context(), given.Name))
	default:
		s.deals(w, s.options.People.Prove(r.Context(), stands(r), given.Name, given.PIN))
	}
}

// badge takes {"badge":"…"}, the number that a reader has typed. Nothing that is said repeats
// it.
func (s *Server) badge(w http.ResponseWriter, r *http.Request) {
	var given struct{ Badge string }
	if s.readForm(w, r, &given, `write it as {"badge":"…"}`) {
		s.deals(w, s.options.People.ReadBadge(r.Context(), stands(r), given.Badge))
	}
}

func (s *Server) signOut(w http.ResponseWriter, r *http.Request) {
	if !s.foreign(w, r) {
		s.deals(w, s.options.People.SignOut(r.Context()))
	}
}

// deals answers who deals, {} for nobody.
func (s *Server) deals(w http.ResponseWriter, err error) {
	if err != nil {
		s.refuse(w, err)
		return
	}
	site.Answer(w, http.StatusOK, s.options.People.Shift())
}

// refuse answers why somebody was not proven.
func (s *Server) refuse(w http.ResponseWriter, err error) {
	var refused *authority.Refusal
	switch {
	case s.tooLate(w, err):
	case errors.As(err, &refused):
		a := Answer{
			Refused: refused.Why, Left: refused.Left, Wait: int(refused.Wait / time.Second),
			Error: refused.Error(),
		}
		site.WaitAfter(w, a.Wait)
		site.Answer(w, statusOf(refused.Why), a)
	default:
		site.Answer(w, http.StatusServiceUnavailable, Answer{Error: err.Error()})
	}
}

// foreign refuses a request that may not change anything, as input does.
func (s *Server) foreign(w http.ResponseWriter, r *http.Request) bool {
	problem, status := refusal(r)
	if problem != "" {
		site.Answer(w, status, Answer{Error: problem})
	}
	return problem != ""
}

// readForm reads an object of a fixed form; what is none is refused without repeating
// any of it.
func (s *Server) readForm(w http.ResponseWriter, r *http.Request, into any, form string) bool {
	return s.takeUpTo(maxInput, w, r, into, form)
}

// takeUpTo is take for so many bytes.
func (s *Server) takeUpTo(limit int64, w http.ResponseWriter, r *http.Request, into any, form string) bool {
	if s.foreign(w, r) {
		return false
	}
	err := site.Read(r, limit, into)
	if err != nil {
		site.Answer(w, http.StatusBadRequest, Answer{Error: err.Error() + ": " + form})
	}
	return err == nil
}
