package command_test

import (
	"bytes"
	"crypto/ed25519"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/internal/testkit/attack"
	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
	"github.com/sabot-table/sabot/pit/command"
	"github.com/sabot-table/sabot/pit/topic"
)

const now = clock * time.Millisecond

func aGate(t testing.TB) *command.Gate {
	return command.NewGate(aTable(t), session, []command.Key{annas, desks})
}

// TestTakenOnce: a command is taken once, and then is what it became.
func TestTakenOnce(t *testing.T) {
	g, c := aGate(t), aCommand(command.CloseTable)
	payload := sealed(t, c, "desk", desk)
	if v := g.Judge(now, payload); v.Refused != 0 || v.Command != c || v.Key != "desk" {
		t.Fatalf("it is refused as %q: %+v", v.Refused, v)
	}
	if b := g.Became(c.ID); b.State != command.Underway {
		t.Errorf("it is %s before it is done", b.State)
	}
	g.Settle(c.ID, command.Became{State: command.Done, Record: 7})
	if v := g.Judge(now, payload); v.Refused != command.Replayed || v.Answers {
		t.Errorf("the second time it is refused as %q", v.Refused)
	}
	if b := g.Became(c.ID); b != (command.Became{State: command.Done, Record: 7}) {
		t.Errorf("it became %+v", b)
	}
}

// TestAskedAboutIsUsedUp: what was asked about before it came is never taken.
func TestAskedAboutIsUsedUp(t *testing.T) {
	g, c := aGate(t), aCommand(command.CloseTable)
	if b := g.Became(c.ID); b.State != command.NotDone {
		t.Fatalf("it became %+v", b)
	}
	if v := g.Judge(now, sealed(t, c, "desk", desk)); v.Refused != command.Replayed {
		t.Errorf("it came late, and is refused as %q", v.Refused)
	}
	g.Settle("not an id that it knows", command.Became{State: command.Done})
	if b := g.Became(c.ID); b.State != command.NotDone {
		t.Errorf("it became %+v", b)
	}
}

// TestAttackDeskKey: who has the pit's key gives no command in the name of who has a key of their own at the table, nor
// in one that is taken for it; in other names the pit speaks as before.
func TestAttackDeskKey(t *testing.T) {
	tries, through := 0, 0
	for what := range command.EveryWhat {
		for _, person := range []string{
			"anna", "Anna", "ANNA", "\u0430nna", "\uff41\uff4e\uff4e\uff41", "ann\u0430",
			"a\u200bnna",
		} {
			c := with(what, func(c *command.Command) { c.Person = person })
			payload, err := command.Seal(c, "desk", desk)
			if err != nil {
				continue // such a name is no command's
			}
			if tries++; aGate(t).Judge(now, payload).Refused != command.Unauthorised {
				through++
				t.Errorf("%s as %q is taken", what, person)
			}
		}
		if v := aGate(t).Judge(now, sealed(t, aCommand(what), "desk", desk)); v.Refused != 0 {
			t.Errorf("%s in another name is refused as %s", what, v.Refused)
		}
	}
	attack.Report(t, "commands: the pit's key as who has a key of their own", tries, through)
}

// TestTooMany: commands are taken up to the limit, and one more each second; what is refused
// does not count as one that came before.
func TestTooMany(t *testing.T) {
	g, taken := aGate(t), 0
	at := now
	numbered := func(n int) []byte {
		return sealed(t, with(command.Coming, func(c *command.Command) { c.ID = fmt.Sprintf("%032x", n) }),
			"desk", desk)
	}
	refused := -1
	for n := range 100 {
		at += 60 * time.Millisecond
		switch v := g.Judge(at, numbered(n)); v.Refused {
		case 0:
			taken++
		case command.TooMany:
			refused = n
		default:
			t.Fatalf("command %d is refused as %s", n, v.Refused)
		}
	}
	if taken < 65 || taken > 67 {
		t.Errorf("%d of 100 in six seconds were taken", taken)
	}
	if v := g.Judge(at+time.Second, numbered(refused)); v.Refused != 0 {
		t.Errorf("one that was one too many is refused a second later as %s", v.Refused)
	}
}

// TestFlood: of forged commands only so many signatures are compared, and a real one is taken
// as soon as there is room.
func TestFlood(t *testing.T) {
	g := aGate(t)
	forged := sealed(t, aCommand(command.CloseTable), "desk", anna)
	unknown := sealed(t, aCommand(command.CloseTable), "bruno", anna)
	real := sealed(t, aCommand(command.CloseTable), "desk", desk)
	counts := map[command.Refusal]int{}
	for n := range 10_000 {
		at := now + time.Duration(n)*100*time.Microsecond
		counts[g.Judge(at, forged).Refused]++
		counts[g.Judge(at, unknown).Refused]++
	}
	if counts[0] != 0 || counts[command.Forged] < 55 || counts[command.Forged] > 61 ||
		counts[command.UnknownKey] != 10_000 {
		t.Errorf("in a second they are refused as %v", counts)
	}
	if v := g.Judge(now+999*time.Millisecond, real); v.Refused != command.Unread {
		t.Errorf("a real one in the flood is refused as %q", v.Refused)
	}
	if v := g.Judge(now+2*time.Second, real); v.Refused != 0 {
		t.Errorf("after the flood it is refused as %s", v.Refused)
	}
}

// TestForgetsOnlyTheOldest: of very many commands a gate forgets the first, which have expired
// long since.
func TestForgetsOnlyTheOldest(t *testing.T) {
	g := aGate(t)
	for n := range 20_000 {
		g.Became(fmt.Sprintf("%032x", n))
		if n == 19_000 {
			g.Settle(fmt.Sprintf("%032x", n), command.Became{State: command.Done})
		}
	}
	if b := g.Became(fmt.Sprintf("%032x", 19_000)); b.State != command.Done {
		t.Errorf("it became %+v", b)
	}
}

// TestNothingBadIsTaken: whatever is changed in a message, put together from two, or sent at
// another time, is taken only if it is, byte for byte, one that was signed for this table and
// session, may be given, is not too old, and did not come before.
func TestNothingBadIsTaken(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := aGate(t)
		at, taken := now, map[string]bool{}
		good := map[string]command.Command{}
		var payloads [][]byte
		for n := range rapid.IntRange(1, 5).Draw(rt, "commands") {
			c := aCommand(rapid.SampledFrom(slices.Collect(command.EveryWhat)).Draw(rt, "what"))
			c.ID = fmt.Sprintf("%032x", n)
			c.Expires = clock + rapid.Int64Range(-10, 130_000).Draw(rt, "expires")
			name, key := "desk", desk
			if rapid.Bool().Draw(rt, "annas") {
				name, key, c.Person = "anna", anna, "anna"
			}
			switch rapid.IntRange(0, 7).Draw(rt, "fault") {
			case 0:
				c.Table = "bj2"
			case 1:
				c.Session = "f" + session[1:]
			case 2:
				name, key, c.Person = "anna", anna, "bruno"
			case 3:
				name, key, c.Person = "desk", desk, "anna"
			case 4:
				key = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{9}, ed25519.SeedSize))
			default:
				good[string(sealed(t, c, name, key))] = c
			}
			payloads = append(payloads, sealed(t, c, name, key))
		}
		for range rapid.IntRange(1, 30).Draw(rt, "messages") {
			at += time.Duration(rapid.Int64Range(0, 20_000).Draw(rt, "later")) * time.Millisecond
			payload := anyOf(rt, payloads)
			v := g.Judge(at, payload)
			if v.Refused != 0 {
				continue
			}
			c, real := good[string(payload)]
			switch {
			case !real, c != v.Command:
				rt.Fatalf("a message is taken that nobody may send: %q", payload)
			case taken[c.ID]:
				rt.Fatalf("%s is taken twice", c.ID)
			case time.Duration(c.Expires)*time.Millisecond <= at ||
				time.Duration(c.Expires)*time.Millisecond > at+command.Ahead:
				rt.Fatalf("at %v one is taken that expires at %d", at, c.Expires)
			case v.Key == "anna" && c.What != command.Outcome && !slices.Contains(annas.May, c.What):
				rt.Fatalf("anna's key may not %s", c.What)
			}
			taken[c.ID] = true
		}
	})
}

// anyOf is one of the payloads, whole, changed, cut, or put together from two.
func anyOf(rt *rapid.T, payloads [][]byte) []byte {
	p := slices.Clone(rapid.SampledFrom(payloads).Draw(rt, "message"))
	switch rapid.IntRange(0, 5).Draw(rt, "damage") {
	case 0:
		p[rapid.IntRange(0, len(p)-1).Draw(rt, "at")] ^= byte(1 << rapid.IntRange(0, 7).Draw(rt, "bit"))
	case 1:
		p = p[:rapid.IntRange(0, len(p)).Draw(rt, "cut")]
	case 2:
		other := rapid.SampledFrom(payloads).Draw(rt, "other")
		p = append(p[:129], other[129:]...)
	}
	return p
}

// FuzzParse: a command that is read is written back the same, and any other text is refused.
func FuzzParse(f *testing.F) {
	for what := range command.EveryWhat {
		payload := sealed(f, aCommand(what), "desk", desk)
		f.Add(payload[bytes.LastIndexByte(payload, '\n')+1:])
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := command.Parse(text)
		if err != nil {
			return
		}
		payload := sealed(t, c, "desk", desk)
		if again := payload[bytes.LastIndexByte(payload, '\n')+1:]; !bytes.Equal(again, text) {
			t.Errorf("%q is read, and written as %q", text, again)
		}
	})
}

// FuzzJudge: no message that is not one of the desk's is taken, and none makes the gate fail.
func FuzzJudge(f *testing.F) {
	for _, v := range vectors(f) {
		f.Add(v.payload)
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		v := aGate(t).Judge(now, payload)
		if v.Refused != 0 {
			return
		}
		name, key := "desk", desk
		if v.Key == "anna" {
			name, key = "anna", anna
		}
		if !bytes.Equal(sealed(t, v.Command, name, key), payload) {
			t.Errorf("%q is taken", payload)
		}
	})
}

// FuzzAnswer: an answer that is read has an ID and a state, and is read again as it is written.
func FuzzAnswer(f *testing.F) {
	f.Add(topic.AppendAnswer(nil, topic.Answer{Site: "wiesbaden", Table: "bj1", ID: session, State: "done", Record: 7}))
	f.Add([]byte(`{"id":"00112233445566778899aabbccddeeff","state":"later"}`))
	f.Fuzz(func(t *testing.T, payload []byte) {
		a, err := command.ParseAnswer(payload)
		if err != nil {
			return
		}
		written := topic.AppendAnswer(nil, a)
		if again, err := command.ParseAnswer(written); len(written) <= 4096 &&
			(err != nil || again.ID != a.ID || again.State != a.State || again.Record != a.Record) {
			t.Errorf("%q is read as %+v, and that as %+v: %v", payload, a, again, err)
		}
	})
}
