package authority

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/sabot-table/sabot/table/vocab"
)

var start = time.Date(2026, 3, 14, 21, 0, 0, 0, time.UTC)

// cheap is a hash that costs next to nothing, for tests that try many PINs.
func cheap(pin string) Hash {
	h := Hash{memory: 8, passes: 1, lanes: 1, salt: "a salt of 16 byt"}
	h.sum = string(h.of(pin, 16))
	return h
}

// stand is an authority in a test, with what it tells and keeps.
type stand struct {
	*Authority
	o     Options
	told  []string
	kept  []byte
	fault error // why nothing can be kept
}

func (s *stand) open(now time.Time) error {
	var kept State
	if err := json.Unmarshal(s.kept, &kept); err != nil {
		return err
	}
	var err error
	s.o.Noted, s.o.Keep = s.noted, s.keep
	s.Authority, err = New(s.o, kept, now)
	return err
}

func (s *stand) noted(n Notice) {
	text := fmt.Sprintf("  %s %s", n.What, n.Who)
	if n.Place != Own {
		text += " place=" + string(n.Place)
	}
	if n.Why != "" {
		text += " why=" + string(n.Why)
	}
	if n.What == WrongPIN || n.What == WrongDealerPIN || n.What == WrongBadge {
		text += fmt.Sprint(" left=", n.Left)
	}
	if n.Proof != 0 {
		text += " proof=" + n.Proof.String()
	}
	if n.Relieves != "" {
		text += " relieves=" + n.Relieves
	}
	if !n.Until.IsZero() {
		text += fmt.Sprint(" until=", n.Until.Sub(start))
	}
	s.told = append(s.told, text)
}

func (s *stand) keep(state State) (err error) {
	if s.fault == nil {
		s.kept, err = json.Marshal(state)
	}
	return errors.Join(s.fault, err)
}

// TestPeople plays testdata/people: each line is a time, what is done then, and to
// whom. The answer, and the notices, follow.
func TestPeople(t *testing.T) {
	datadriven.Walk(t, "testdata/people", func(t *testing.T, path string) {
		s := &stand{kept: []byte("{}")}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "table" {
				*s = stand{kept: []byte("{}"), o: optionsOf(t, d)}
				if err := s.open(start); err != nil {
					return err.Error() + "\n"
				}
				return ""
			}
			var out strings.Builder
			for line := range strings.Lines(d.Input) {
				fmt.Fprintln(&out, s.play(t, strings.TrimSpace(line)))
				for _, n := range s.told {
					fmt.Fprintln(&out, n)
				}
				s.told = nil
			}
			return out.String()
		})
	})
}

func optionsOf(t *testing.T, d *datadriven.TestData) Options {
	t.Helper()
	o := Options{Present: time.Minute, Limits: Limits{3, 30 * time.Second, 15 * time.Minute}}
	for _, arg := range d.CmdArgs {
		switch arg.Key {
		case "holder":
			o.Holder = arg.Vals[0]
		case "pins":
			for _, who := range arg.Vals {
				name, pin, _ := strings.Cut(who, ":")
				o.Supervisors = append(o.Supervisors, Supervisor{name, cheap(pin)})
			}
		case "dealers":
			if err := o.Dealers.UnmarshalText([]byte(arg.Vals[0])); err != nil {
				t.Fatal(err)
			}
		case "people": // such as d7:2580:12345678, a PIN and a badge
			for _, who := range arg.Vals {
				one := strings.Split(who+"::", ":")
				d := Dealer{Name: one[0]}
				if one[1] != "" {
					d.PIN = cheap(one[1])
				}
				if one[2] != "" {
					d.Badge = cheap(one[2])
				}
				o.People = append(o.People, d)
			}
		case "proof":
			if err := o.Proof.UnmarshalText([]byte(arg.Vals[0])); err != nil {
				t.Fatal(err)
			}
		default:
			t.Fatalf("%s: no argument %q", d.Pos, arg.Key)
		}
	}
	return o
}

// play does what a line says, and returns the line with the answer behind it.
func (s *stand) play(t *testing.T, line string) string {
	t.Helper()
	words := append(strings.Fields(line), "", "", "")
	since, err := time.ParseDuration(words[0])
	if err != nil {
		t.Fatal(err)
	}
	at, ctx := start.Add(since), t.Context()
	act, screen, _ := strings.Cut(words[1], "@") // such as enter@bar; without, it is at the table's own
	place := Place(screen)
	switch act {
	case "enter":
		err = s.Enter(ctx, at, place, words[2], words[3])
	case "enter-alone":
		err = s.Enter(ctx, at, place, "", words[2])
	case "key":
		s.Key(at, words[2] == "on")
	case "leave":
		err = s.Leave(ctx, at)
	case "once": // a PIN, and with it a resolution in a name that may be given
		v, err := s.Once(ctx, at, place, Given{words[2], words[3]})
		if err != nil {
			return line + " → " + err.Error()
		}
		return line + " → " + s.vouch(Vouched(ctx, v), at, "supervisor", words[4])
	case "tick":
		s.Tick(at)
	case "dealer":
		err = s.SignIn(ctx, at, words[2])
	case "prove":
		err = s.Prove(ctx, at, place, words[2], words[3])
	case "badge":
		err = s.ReadBadge(ctx, at, place, words[2])
	case "may-deal":
		err = s.MayDeal()
	case "dealers":
		text, err := json.Marshal(s.Dealers(at, place))
		if err != nil {
			t.Fatal(err)
		}
		return line + " → " + string(text)
	case "dealer-out":
		err = s.SignOut(ctx, at)
	case "restart":
		err = s.open(at)
	case "disk":
		s.fault = map[string]error{"full": errors.New("no space left on device")}[words[2]]
	case "supervisor", "dealer-resolves":
		return line + " → " + s.vouch(ctx, at, act, words[2])
	case "status":
		return line + " → " + s.status(t, at, place)
	default:
		t.Fatalf("nobody can %q", words[1])
	}
	if err != nil {
		return line + " → " + err.Error()
	}
	return line
}

func (s *stand) vouch(ctx context.Context, at time.Time, who, posted string) string {
	role := vocab.Supervisor
	if who != "supervisor" {
		role = vocab.Dealer
	}
	v, err := s.Vouch(ctx, at, role, posted)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("by %q", v.By)
}

func (s *stand) status(t *testing.T, at time.Time, place Place) string {
	t.Helper()
	text, err := json.Marshal(s.Status(at, place))
	if err != nil {
		t.Fatal(err)
	}
	next := "never"
	if n := s.Next(at); !n.IsZero() {
		next = n.Sub(start).String()
	}
	return fmt.Sprintf("%s, next %s, dealer %q", text, next, s.Shift().Dealer)
}
