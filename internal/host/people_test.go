package host_test

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/host"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/vocab"
)

// A word: a journal full of times has any digits somewhere.
const annasPIN = "opensesame"

// staffed is a table in this process at which people stand. Its shoe draws no card.
type staffed struct {
	*host.Daemon
	t      *testing.T
	path   string
	shoe   *shoesim.Shoe
	config config.Config
	log    logged
	end    func()
}

// staff starts a table whose supervisors are anna and a key.
func staff(t *testing.T, path string, proof authority.Proof, changes ...func(*config.Config)) *staffed {
	t.Helper()
	return staffWith(t, path, proof, nil, changes...)
}

// staffWith is staff with options of the daemon.
func staffWith(t *testing.T, path string, proof authority.Proof, options []host.Option,
	changes ...func(*config.Config),
) *staffed {
	t.Helper()
	return staffOn(t, shoeOf(t, false), path, proof, options, changes...)
}

// staffInBubble is staff in a bubble of testing/synctest, where shoe and page have no system's ports.
func staffInBubble(t *testing.T, path string, proof authority.Proof) *staffed {
	t.Helper()
	t.Cleanup(func() { bubble.Settle(time.Minute) }) // what table and shoe have left behind ends
	shoe := shoeOf(t, true)
	outside := host.WithOutside(host.Outside{Shoe: shoe.Open, Page: bubble.Listen()})
	return staffOn(t, shoe, path, proof, []host.Option{outside}, func(c *config.Config) {
		c.Shoe.Port = "/dev/simulated"
	})
}

func shoeOf(t *testing.T, inBubble bool) *shoesim.Shoe {
	t.Helper()
	shoe, err := shoesim.New(shoesim.Options{Decks: 6, Jokers: 1, Continuous: true, Memory: inBubble})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := shoe.Close(); err != nil {
			t.Error(err)
		}
	})
	return shoe
}

func staffOn(t *testing.T, shoe *shoesim.Shoe, path string, proof authority.Proof, options []host.Option,
	changes ...func(*config.Config),
) *staffed {
	t.Helper()
	s := &staffed{t: t, path: path, shoe: shoe}
	c := config.Default()
	c.Site, c.Table, c.House = "test", "bj-1", "wiesbaden"
	c.Shoe.Port, c.Journal.Path, c.Web.Listen = shoe.Path(), path, "127.0.0.1:0"
	c.Supervisors.Proof, c.Supervisors.KeyHolder = proof, "pit-key"
	c.Supervisors.Names = []config.Supervisor{{Name: "anna", PIN: config.PINHash(authority.NewHash(annasPIN).String())}}
	for _, change := range changes {
		change(&c)
	}
	s.start(c, options...)
	return s
}

// start starts the daemon, with the shoe that is there.
func (s *staffed) start(c config.Config, options ...host.Option) {
	s.t.Helper()
	d, err := host.Open(c, profile.Built(), "test", slog.New(slog.NewTextHandler(&s.log, nil)), options...)
	if err != nil {
		s.t.Fatal(err)
	}
	s.Daemon, s.config = d, c
	ctx, stop := context.WithCancel(s.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- d.Run(ctx) }()
	s.end = sync.OnceFunc(func() {
		stop()
		if err := errors.Join(<-ended, d.Close()); err != nil {
			s.t.Error(err)
		}
	})
	s.t.Cleanup(s.end)
	s.await("the shoe", func(v display.View) bool { return v.Seq > 0 && v.Shoe.Online })
}

// restart ends the daemon and starts it again, with the same shoe.
func (s *staffed) restart() {
	s.t.Helper()
	s.end()
	s.start(s.config)
}

// await returns the first view that is wanted.
func (s *staffed) await(what string, wanted func(display.View) bool) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), processes.Deadline)
	defer cancel()
	if _, err := s.Board.Await(ctx, wanted); err != nil {
		s.t.Fatalf("no screen shows %s", what)
	}
}

// put puts in what nobody has to be proven for.
func (s *staffed) put(inputs ...vocab.Input) {
	s.t.Helper()
	for _, in := range inputs {
		if answer, err := s.Submit(s.t.Context(), in); err != nil || answer.Rejected != 0 {
			s.t.Fatalf("%s was refused: %s, %v", in.Kind, answer.Rejected, err)
		}
	}
}

// resolve puts something right; why is what is lacking, empty where it is taken.
func (s *staffed) resolve(in vocab.Input, why authority.Why) {
	s.t.Helper()
	s.resolveAs(s.t.Context(), in, why)
}

func (s *staffed) resolveAs(ctx context.Context, in vocab.Input, why authority.Why) {
	s.t.Helper()
	in.Kind = vocab.InResolve
	answer, err := s.Submit(ctx, in)
	var refused *authority.Refusal
	switch {
	case why == "" && err == nil && answer.Rejected == 0:
	case why != "" && errors.As(err, &refused) && refused.Why == why:
	default:
		s.t.Errorf("%s was answered %s, %v; want %q", in.With, answer.Rejected, err, why)
	}
}

// by lists in whose name the journal has what was put right.
func (s *staffed) by() []string {
	s.t.Helper()
	j, err := journal.OpenReadOnly(s.path)
	if err != nil {
		s.t.Fatal(err)
	}
	defer j.Close()
	var names []string
	for r, err := range j.Records(1) {
		if err != nil {
			s.t.Fatal(err)
		}
		if found := regexp.MustCompile(`"in":"resolve".*"by":"([^"]*)"`).FindSubmatch(r.Input); found != nil {
			names = append(names, string(found[1]))
		}
	}
	return names
}

// logged is a log that can be read while it is written.
type logged struct{ system.Text }

// notices lists what the log says of people, without times.
func (l *logged) notices() []string {
	var all []string
	for _, found := range regexp.MustCompile(
		`level=(\w+) msg="people at the table" what=(.*)`).FindAllStringSubmatch(l.String(), -1) {
		what := regexp.MustCompile(` (at|until)=\S+`).ReplaceAllString(found[2], "")
		all = append(all, found[1]+" "+what)
	}
	return all
}

func alarm(code string) vocab.Input {
	return vocab.Input{Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeAlarmRaised}, Code: code}
}

// proven is a context in which anna is proven for what is put in with it.
func (s *staffed) proven() context.Context {
	s.t.Helper()
	ctx, err := s.Once(s.t.Context(), authority.Own, authority.Given{Name: "anna", PIN: annasPIN})
	if err != nil {
		s.t.Fatal(err)
	}
	return ctx
}

// TestLockOutEnds: whoever has entered wrong PINs is let in again once the lock-out is over, and no sooner, and the
// screen shows both.
func TestLockOutEnds(t *testing.T) { synctest.Test(t, lockOutEnds) }

func lockOutEnds(t *testing.T) {
	s := staffInBubble(t, filepath.Join(processes.FastDir(t), "journal"), authority.PIN)
	lasts, begun := config.Default().Supervisors.LockOut, time.Now()
	for range config.Default().Supervisors.Tries {
		if err := s.Enter(t.Context(), authority.Own, "anna", "abracadabra"); err == nil {
			t.Error("a wrong PIN is taken")
		}
	}
	locked := func(v display.View) bool {
		return len(v.Supervisor.Locked) == 1 && v.Supervisor.Locked[0].Name == "anna"
	}
	s.await("that anna is locked out", locked)
	bubble.Pass(lasts - time.Second)
	if err := s.Enter(t.Context(), authority.Own, "anna", annasPIN); err == nil {
		t.Error("she is let in while she is locked out")
	}
	s.await("that she still is", locked)
	s.await("that she is no more", func(v display.View) bool { return len(v.Supervisor.Locked) == 0 })
	if took := time.Since(begun); took < lasts || took > lasts+time.Second {
		t.Errorf("the screen shows that it is over after %v, not %v", took, lasts)
	}
	if err := s.Enter(t.Context(), authority.Own, "anna", annasPIN); err != nil {
		t.Error(err)
	}
	s.end()
}

// TestResolveNeedsASupervisor: without proof nothing is put right; with it, that for which it was given, in the proven
// name, and then no more: neither what came beside it nor what a dealer holds next.
func TestResolveNeedsASupervisor(t *testing.T) { synctest.Test(t, resolveNeedsASupervisor) }

func resolveNeedsASupervisor(t *testing.T) {
	s := staffInBubble(t, filepath.Join(processes.FastDir(t), "journal"), authority.PIN)
	s.put(alarm("cover"), alarm("reverse-pull"))
	accept := vocab.Input{With: irregularity.Accept, By: "anna"}
	s.resolve(accept, "needs-pin")
	if err := s.Enter(t.Context(), authority.Own, "anna", "abracadabra"); err == nil {
		t.Error("a wrong PIN is taken")
	}
	s.resolve(accept, "needs-pin")
	byAnna := func(in vocab.Input, why authority.Why) {
		t.Helper()
		s.resolveAs(s.proven(), in, why)
	}
	byAnna(vocab.Input{With: irregularity.Accept, By: "s1"}, "another-name")
	if answer, err := s.Submit(s.proven(), vocab.Input{Kind: vocab.InResolve, With: irregularity.Burn}); err != nil ||
		answer.Rejected != vocab.CallNotAllowed || !answer.Held {
		t.Errorf("what is no choice is answered %+v, %v", answer, err)
	}
	byAnna(accept, "")
	s.resolve(accept, "needs-pin") // the other alarm
	s.put(vocab.Input{Kind: vocab.InHold, Role: vocab.Dealer, Because: "card"})
	s.resolve(accept, "needs-pin")
	correct := vocab.Input{Kind: vocab.InCorrect, Correct: vocab.Correct{What: vocab.EndShoe}}
	if _, err := s.Submit(t.Context(), correct); refused(err) != "needs-pin" {
		t.Errorf("a correction after that is answered %v", err)
	}
	byAnna(vocab.Input{With: irregularity.Accept}, "")
	byAnna(vocab.Input{With: irregularity.Continue}, "")
	s.await("that nothing holds", func(v display.View) bool { return v.Supervisor.Present == "" && v.Held == nil })
	s.put(alarm("cover"))
	s.resolve(accept, "needs-pin")
	s.end()
	if got := s.by(); !slices.Equal(got, []string{"anna", "anna", "anna", "anna"}) {
		t.Errorf("the journal has %q", got)
	}
	want := []string{
		"WARN refused who=anna why=needs-pin", "WARN wrong-pin who=anna left=2",
		"INFO proven who=anna", "WARN refused who=s1 why=another-name", "INFO proven who=anna", "INFO proven who=anna",
		`WARN refused who="" why=needs-pin`, "INFO proven who=anna", "INFO proven who=anna",
	}
	if again := `msg="the same happened again: how often is on record" what="refused needs-pin" by=anna count=4`; !strings.Contains(s.log.String(), again) {
		t.Errorf("the log lacks %s:\n%s", again, s.log.String())
	}
	if got := s.log.notices(); !slices.Equal(got, want) {
		t.Errorf("the log has\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	s.noPIN()
}

// noPIN looks for the PINs in everything that was written.
func (s *staffed) noPIN() {
	s.t.Helper()
	files := processes.Files(s.t, s.path)
	if len(files) < 2 {
		s.t.Fatalf("there are %d files", len(files))
	}
	all := s.log.String()
	for _, text := range files {
		all += text
	}
	if strings.Contains(all, annasPIN) || strings.Contains(all, "abracadabra") {
		s.t.Error("a PIN was written")
	}
}

// TestAcknowledgeNeedsASupervisor: an alert is acknowledged by whoever is proven, in
// that name.
func TestAcknowledgeNeedsASupervisor(t *testing.T) {
	s := staff(t, filepath.Join(processes.FastDir(t), "journal"), authority.PIN)
	s.put(alarm("cover"), vocab.Input{
		Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeAlarmCleared}, Code: "cover",
	})
	seen := vocab.Input{Kind: vocab.InAcknowledge, Irregularity: irregularity.ShoeAlarm, By: "anna"}
	var refused *authority.Refusal
	if _, err := s.Submit(t.Context(), seen); !errors.As(err, &refused) || refused.Why != "needs-pin" {
		t.Errorf("nobody's word is answered %v", err)
	}
	another := seen
	another.By = "s1"
	if _, err := s.Submit(s.proven(), another); !errors.As(err, &refused) || refused.Why != "another-name" {
		t.Errorf("another's word is answered %v", err)
	}
	if answer, err := s.Submit(s.proven(), seen); err != nil || answer.Rejected != 0 {
		t.Errorf("anna's word is answered %+v, %v", answer, err)
	}
	s.await("no alert, and that anna has done", func(v display.View) bool {
		return len(v.Alerts) == 0 && v.Supervisor.Present == ""
	})
}

// TestFloorIsCalledInAName: that of the dealer who is signed in, and it was there in that of the
// supervisor who is proven; nobody needs a proof, and the call survives a restart.
func TestFloorIsCalledInAName(t *testing.T) {
	path := filepath.Join(processes.FastDir(t), "journal")
	s := staff(t, path, authority.PIN)
	if err := s.SignIn(t.Context(), "d7"); err != nil {
		t.Fatal(err)
	}
	s.put(vocab.Input{
		Kind: vocab.InFloor, Floor: vocab.FloorCall{
			Event: vocab.FloorCalled, Wants: vocab.FloorDispute,
		}, By: "somebody",
	})
	s.await("the call", func(v display.View) bool {
		a := display.Floor(v)
		return a != nil && a.Reason == vocab.FloorDispute && a.Caller == "d7"
	})
	s.end()

	s = staff(t, path, authority.PIN)
	s.await("the call, after a restart", func(v display.View) bool {
		return display.Floor(v) != nil && display.Floor(v).Caller == "d7"
	})
	done := vocab.Input{Kind: vocab.InFloor, Floor: vocab.FloorCall{Event: vocab.FloorDone}}
	if answer, err := s.Submit(s.proven(), done); err != nil || answer.Rejected != 0 {
		t.Fatal(answer, err)
	}
	s.await("the end of the call", func(v display.View) bool { return display.Floor(v) == nil })
	s.end()
	if !strings.Contains(strings.Join(slices.Collect(maps.Values(processes.Files(t, path))), ""),
		`{"out":"floor","event":"done","by":"anna","from":"bench","who":"d7"}`) {
		t.Error("the journal does not say that anna was there")
	}
}

// TestAttackAnothersName: where nobody is signed in, whoever calls the floor or stops a round does it in nobody's name,
// whatever they send.
func TestAttackAnothersName(t *testing.T) {
	path := filepath.Join(processes.FastDir(t), "journal")
	s := staff(t, path, authority.PIN)
	tries, through := 0, 0
	for _, in := range []vocab.Input{
		{Kind: vocab.InFloor, Floor: vocab.FloorCall{Event: vocab.FloorCalled, Wants: vocab.FloorDispute}},
		{Kind: vocab.InFloor, Floor: vocab.FloorCall{Event: vocab.FloorDone}},
		{Kind: vocab.InOpen},
		{Kind: vocab.InHold, Role: vocab.Dealer},
	} {
		if in.Kind != vocab.InOpen {
			in.By = "mallory"
			tries++
		}
		s.put(in)
	}
	s.end()
	through = strings.Count(strings.Join(slices.Collect(maps.Values(processes.Files(t, path))), ""), `"by":"mallory"`)
	attack.Report(t, "calls and holds in another's name", tries, through)
}

// TestSupervisorsInTheFile: who supervises and was changed in an editor is on record with the next start, once, and so
// is told to the pit; what was said at the screen is not told again, nor what was there before the table knew.
func TestSupervisorsInTheFile(t *testing.T) {
	path := filepath.Join(processes.FastDir(t), "journal")
	one := func(name string) config.Supervisor {
		return config.Supervisor{Name: name, PIN: config.PINHash(authority.NewHash(name).String())}
	}
	anna, renewed, bert, carl := one("anna"), one("anna"), one("bert"), one("carl")
	run := func(awaits string, names ...config.Supervisor) *staffed {
		t.Helper()
		s := staffWith(t, path, authority.PIN, []host.Option{host.WithSettings()}, func(c *config.Config) {
			c.Supervisors.Names = names
		})
		s.await("what was changed", func(v display.View) bool {
			return awaits == "" || slices.ContainsFunc(v.Alerts, func(a display.Alert) bool {
				return a.Text == "supervisors.names "+awaits
			})
		})
		return s
	}
	run("", anna, bert).end()
	run("", anna, bert).end()
	run("carl", renewed, carl).end()
	s := run("", renewed, carl)
	if err := s.Supervised(t.Context(), []config.Supervisor{renewed}); err != nil {
		t.Fatal(err)
	}
	s.end()
	run("", renewed).end()
	var told []string
	for _, text := range processes.Files(t, path) {
		told = append(told, regexp.MustCompile(`"in":"settings"[^}]*`).FindAllString(text, -1)...)
	}
	want := []string{
		`"event":"renewed","name":"anna","by":"configuration"`,
		`"event":"removed","name":"bert","by":"configuration"`, `"event":"added","name":"carl","by":"configuration"`,
	}
	if !slices.EqualFunc(told, want, strings.Contains) {
		t.Errorf("the record has\n%s\nwant\n%s", strings.Join(told, "\n"), strings.Join(want, "\n"))
	}
}

// TestKeySwitch: what a key proves reaches the table and the screens.
func TestKeySwitch(t *testing.T) {
	s := staff(t, filepath.Join(processes.FastDir(t), "journal"), authority.PINOrKey)
	s.put(alarm("cover"))
	s.resolve(vocab.Input{With: irregularity.Accept}, "needs-pin-or-key")
	s.Key(true, time.Now())
	s.await("the key", func(v display.View) bool {
		return v.Supervisor != nil && v.Supervisor.Present == "pit-key" && v.Supervisor.Key
	})
	s.resolve(vocab.Input{With: irregularity.Accept}, "")
	s.Key(false, time.Now())
	s.await("no key", func(v display.View) bool { return v.Supervisor.Present == "" && !v.Supervisor.Key })
	s.end()
	if got := s.by(); !slices.Equal(got, []string{"pit-key"}) {
		t.Errorf("the journal has %q", got)
	}
	if !strings.Contains(s.log.String(), "requires a key switch, but keys.supervisor names no line") {
		t.Errorf("the log does not warn:\n%s", s.log.String())
	}
}

// TestNoProof is said loudly, and takes names as they are given.
func TestNoProof(t *testing.T) {
	s := staff(t, filepath.Join(processes.FastDir(t), "journal"), authority.None)
	s.put(alarm("cover"))
	s.resolve(vocab.Input{With: irregularity.Accept, By: "s1"}, "")
	s.end()
	if got := s.by(); !slices.Equal(got, []string{"s1"}) {
		t.Errorf("the journal has %q", got)
	}
	if !strings.Contains(s.log.String(), `level=WARN msg="ANYBODY MAY PUT A ROUND RIGHT`) {
		t.Errorf("the log does not warn:\n%s", s.log.String())
	}
}

// TestDealer: what the dealer may put right is in the name of who is signed in, also
// after a restart.
func TestDealer(t *testing.T) {
	path := filepath.Join(processes.FastDir(t), "journal")
	s := staff(t, path, authority.PIN)
	if err := s.SignIn(t.Context(), "dora"); err != nil {
		t.Fatal(err)
	}
	s.await("dora", func(v display.View) bool { return v.Shift.Dealer == "dora" })
	s.put(
		vocab.Input{Kind: vocab.InOpen},
		vocab.Input{Kind: vocab.InStake, Wager: vocab.WagerMain, Box: 1, Bettor: "a", Amount: 1000, Stated: true},
		vocab.Input{Kind: vocab.InClose},
	)
	for _, text := range []string{"8S", "6D", "3H", "5C"} {
		s.put(vocab.Input{Kind: vocab.InCard, Card: named(t, text)})
	}
	s.end()
	s = staff(t, path, authority.PIN)
	s.await("dora after a restart", func(v display.View) bool {
		return v.Shift.Dealer == "dora" && v.Held != nil && v.Held.Code == irregularity.CardWithoutCall
	})
	if answer, err := s.Submit(t.Context(), vocab.Input{
		Kind: vocab.InResolve, With: irregularity.Burn,
		Role: vocab.Dealer,
	}); err != nil || answer.Rejected != vocab.CallNotAllowed {
		t.Errorf("the dealer's burning is answered %+v, %v", answer, err)
	}
	s.resolve(vocab.Input{With: irregularity.Accept, Role: vocab.Dealer, By: "d1"}, "")
	if err := s.SignOut(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.await("nobody", func(v display.View) bool { return v.Shift.Dealer == "" })
	s.end()
	if got := s.by(); !slices.Equal(got, []string{"dora", "dora"}) {
		t.Errorf("the journal has %q", got)
	}
}

func named(t *testing.T, text string) card.Card {
	t.Helper()
	c, err := card.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
