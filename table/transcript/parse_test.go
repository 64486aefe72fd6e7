package transcript_test

import (
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestBadLines: each mistake is found where it is. The caret in "at" stands under
// the column that the error must name; the line is read as line 7.
func TestBadLines(t *testing.T) {
	long := strings.Repeat("x", 1101)
	for _, c := range []struct{ name, line, at, what string }{
		{"empty", ``, `^`, "the line ends before its object does"},
		{"no JSON", `open`, `^`, "no JSON"},
		{"a list", `[{"in":"open"}]`, `^`, "the line is no JSON object"},
		{"a number", `17`, `^`, "the line is no JSON object"},
		{"half an object", `{"in":"open"`, `            ^`, "no JSON"},
		{"half a text", `{"in":"ope`, `          ^`, "no JSON"},
		{"a comma too many", `{"in":"open",}`, `            ^`, "no JSON"},
		{"no comma", `{"in":"open" "t":"x"}`, `             ^`, "no JSON"},
		{"no colon", `{"in" "open"}`, `      ^`, "no JSON"},
		{"single quotes", `{'in':'open'}`, ` ^`, "no JSON"},
		{"a name that is no text", `{1:"open"}`, ` ^`, "no JSON"},
		{"a comment", `{"in":"open"} // now`, `              ^`, "something follows the object"},
		{"two objects", `{"in":"open"}{"in":"close"}`, `             ^`, "something follows the object"},
		{"two objects apart", `{"in":"open"}   {"in":"close"}`, `                ^`, "something follows the object"},
		{"twice", `{"in":"open","in":"close"}`, `             ^`, `the field "in" stands in the line twice`},
		{
			"twice, otherwise written", `{"in":"open","\u0069n":"close"}`, `             ^`,
			`the field "in" stands in the line twice`,
		},
		{"invalid UTF-8", "{\"in\":\"card\",\"card\":\"\xff\"}", `                     ^`, "invalid UTF-8"},
		{"control character", "{\"in\":\"card\",\"card\":\"\x01\"}", `                     ^`, "no JSON"},
		{"half a surrogate", `{"in":"card","card":"\ud800"}`, `                     ^`, "no JSON"},
		{"byte order mark", "\ufeff{\"in\":\"open\"}", `^`, "no JSON"},
		{"deep", strings.Repeat(`{"in":`, 20000), "", "no JSON"},

		{"no field in", `{"card":"TH"}`, `^`, `there is no field "in"`},
		{"no field at all", `{}`, `^`, `there is no field "in"`},
		{"unknown input", `{"in":"deal"}`, `      ^`, `"deal" is no input`},
		{"input in capitals", `{"in":"Open"}`, `      ^`, `"Open" is no input`},
		{"input that is no text", `{"in": 3}`, `       ^`, `3 of "in" is no text`},
		{"input that is null", `{"in":null}`, `      ^`, `null of "in" is no text`},
		{"input that is an object", `{"in":{"in":"open"}}`, `      ^`, `{"in":"open"} of "in" is no text`},

		{"unknown field", `{"in":"open","table":3}`, `             ^`, `"table" is no field of a transcript`},
		{"unknown field in capitals", `{"in":"open","T":"x"}`, `             ^`, `"T" is no field of a transcript`},
		{"empty field", `{"in":"open","":1}`, `             ^`, `"" is no field of a transcript`},
		{"unknown escaped field", `{"in":"open", "\u0074able":3}`, `              ^`, `"\u0074able" is no field`},
		{"long unknown field", `{"in":"open","` + long + `":3}`, `             ^`, `… is no field`},
		{
			"field of another input", `{"in":"open","card":"TH"}`, `                    ^`,
			`open lines have no field "card"; they have in, t`,
		},
		{
			"amount of a card", `{"in":"call","call":"card","amount":5}`, `                                    ^`,
			`call lines have no field "amount"`,
		},
		{
			"who joins a rest", `{"in":"call","call":"rest","bettors":["a"]}`, `                                     ^`,
			`call lines have no field "bettors"`,
		},
		{
			"box of a double", `{"in":"call","call":"double","box":1}`, `                                   ^`,
			`call lines have no field "box"`,
		},
		{
			"missing of an alarm", `{"in":"shoe","event":"alarm","missing":1}`,
			`                                       ^`,
			`shoe lines have no field "missing"; they have in, t, from, at, who, proven_at, event, code`,
		},
		{
			"code of a gap", `{"in":"shoe","event":"gap","code":"x"}`, `                                  ^`,
			`shoe lines have no field "code"; they have in, t, from, at, who, proven_at, event, missing`,
		},

		{"setup without house", `{"in":"setup","min":1000}`, `^`, `setup lines need the field "house"`},
		{"card without card", `{"in":"card"}`, `^`, `card lines need the field "card"`},
		{
			"stake without wager", `{"in":"stake","box":1,"bettor":"a","amount":1000}`, `^`,
			`stake lines need the field "wager"`,
		},
		{"call without call", `{"in":"call"}`, `^`, `call lines need the field "call"`},
		{
			"insurance without bettor", `{"in":"call","call":"insurance","box":1,"amount":500}`, `^`,
			`call lines need the field "bettor"`,
		},
		{
			"even money without bettor", `{"in":"call","call":"even-money","box":1}`, `^`,
			`call lines need the field "bettor"`,
		},
		{"shoe without event", `{"in":"shoe"}`, `^`, `shoe lines need the field "event"`},
		{"storage without event", `{"in":"storage"}`, `^`, `storage lines need the field "event"`},
		{
			"code of a storage that fails", `{"in":"storage","event":"failing","code":"x"}`,
			`                                         ^`,
			`storage lines have no field "code"; they have in, t, from, at, who, proven_at, event`,
		},
		{"unknown storage event", `{"in":"storage","event":"gone"}`, `                        ^`, `"gone" is no event`},
		{
			"long code of a storage", `{"in":"storage","event":"touched","code":"` + long + `"}`,
			`                                         ^`, `a text of 1103 bytes is too long: at most 1024`,
		},
		{"resolve without with", `{"in":"resolve","by":"s1"}`, `^`, `resolve lines need the field "with"`},

		{"bad card", `{"in":"card","card":"1H"}`, `                    ^`, `"1H" is not a card`},
		{"card in small letters", `{"in":"card","card":"th"}`, `                    ^`, `"th" is not a card`},
		{"ten in two digits", `{"in":"card","card":"10H"}`, `                    ^`, `"10H" is not a card`},
		{"empty card", `{"in":"card","card":""}`, `                    ^`, `"" is not a card`},
		{"card that is no text", `{"in":"card","card":7}`, `                    ^`, `7 of "card" is no text`},
		{"two cards", `{"in":"card","card":["TH","7D"]}`, `                    ^`, `["TH","7D"] of "card" is no text`},

		{"bad call", `{"in":"call","call":"hit"}`, `                    ^`, `"hit" is no call`},
		{"bad event", `{"in":"shoe","event":"empty"}`, `                     ^`, `"empty" is no event`},
		{"bad choice", `{"in":"resolve","with":"ignore"}`, `                       ^`, `"ignore" is no with`},
		{
			"the shoe's own choice", `{"in":"resolve","with":"online"}`, `                       ^`,
			`"online" is no with`,
		},
		{
			"bad role", `{"in":"resolve","with":"burn","role":"guest"}`, `                                     ^`,
			`"guest" is no role`,
		},
		{
			"seated as a number", `{"in":"stake","box":1,"bettor":"a","wager":"main","amount":1000,"seated":1}`,
			`                                                                         ^`,
			`"seated" is neither true nor false`,
		},
		{
			"seated as a text", `{"in":"stake","box":1,"bettor":"a","wager":"main","amount":1000,"seated":"true"}`,
			`                                                                         ^`,
			`"seated" is neither true nor false`,
		},

		{"fraction", `{"in":"paid","amount":20.5}`, `                      ^`, `20.5 of "amount" is no whole number`},
		{
			"fraction of nothing", `{"in":"paid","amount":20.0}`, `                      ^`,
			`20.0 of "amount" is no whole number`,
		},
		{"exponent", `{"in":"paid","amount":2e3}`, `                      ^`, `2e3 of "amount" is no whole number`},
		{
			"amount as a text", `{"in":"paid","amount":"2000"}`, `                      ^`,
			`"2000" of "amount" is no whole number`,
		},
		{
			"amount that is null", `{"in":"paid","amount":null}`, `                      ^`,
			`null of "amount" is no whole number`,
		},
		{
			"amount over the largest", `{"in":"paid","amount":100000000001}`, `                      ^`,
			`100000000001 is too large: at most 100000000000`,
		},
		{
			"amount under the smallest", `{"in":"paid","amount":-100000000001}`, `                      ^`,
			`is too large`,
		},
		{
			"amount of many digits", `{"in":"paid","amount":` + strings.Repeat("9", 400) + `}`,
			`                      ^`,
			`… of "amount" is no whole number`,
		},
		{"plus", `{"in":"paid","amount":+5}`, `                      ^`, "no JSON"},
		{"leading zero", `{"in":"paid","amount":007}`, ``, "no JSON"},
		{
			"box as a fraction", `{"in":"paid","box":1.5}`, `                   ^`,
			`1.5 of "box" is no whole number from 0`,
		},
		{"negative box", `{"in":"paid","box":-1}`, `                   ^`, `-1 of "box" is no whole number from 0`},
		{
			"huge box", `{"in":"paid","box":4294967297}`, `                   ^`,
			`4294967297 of "box" is no whole number from 0`,
		},
		{
			"negative gap", `{"in":"shoe","event":"gap","missing":-2}`, `                                     ^`,
			`-2 of "missing"`,
		},

		{
			"empty bettor", `{"in":"stake","box":1,"bettor":"","wager":"main","amount":1}`,
			`                               ^`, `"bettor" is empty`,
		},
		{
			"empty player", `{"in":"stake","box":1,"bettor":"a","wager":"main","amount":1,"player":""}`,
			`                                                                      ^`, `"player" is empty`,
		},
		{
			"long bettor", `{"in":"stake","box":1,"bettor":"` + long + `","wager":"main","amount":1}`,
			`                               ^`, `a text of 1103 bytes is too long: at most 1024`,
		},
		{
			"bettors as a text", `{"in":"call","call":"split","bettors":"a"}`,
			`                                      ^`,
			`"bettors" is no list`,
		},
		{
			"bettors as null", `{"in":"call","call":"split","bettors":null}`, `                                      ^`,
			`"bettors" is no list`,
		},
		{
			"a number among bettors", `{"in":"call","call":"split","bettors":["a",7]}`,
			`                                      ^`, `"bettors" holds something that is no text`,
		},
		{
			"a list among bettors", `{"in":"call","call":"split","bettors":["a",["b"]]}`,
			`                                      ^`, `"bettors" holds something that is no text`,
		},
		{
			"long name among bettors", `{"in":"call","call":"split","bettors":["a", "` + long + `"]}`,
			`                                            ^`, `is too long`,
		},

		{
			"time without zone", `{"in":"open","t":"2026-01-31T20:15:00"}`, `                 ^`,
			`is no time: write it as 2026-01-31T20:15:00.5Z`,
		},
		{"time of a clock", `{"in":"open","t":"20:15"}`, `                 ^`, `"20:15" is no time`},
		{"time as a number", `{"in":"open","t":1769890500}`, `                 ^`, `1769890500 of "t" is no text`},
		{"a day there is not", `{"in":"open","t":"2026-02-30T20:15:00Z"}`, `                 ^`, `is no time`},
		{"before 1970", `{"in":"open","t":"1969-12-31T23:59:59Z"}`, `                 ^`, `is no time`},
		{
			"before 1970 in Greenwich", `{"in":"open","t":"1970-01-01T00:30:00+01:00"}`, `                 ^`,
			`is no time`,
		},
		{"far future", `{"in":"open","t":"9999-01-01T00:00:00Z"}`, `                 ^`, `is no time`},

		{
			"unknown house", `{"in":"setup","house":"vegas"}`, `                      ^`,
			`house "vegas" is not known; known are `,
		},
		{
			"no boxes", `{"in":"setup","house":"wiesbaden","boxes":0}`, `                                          ^`,
			`0 is not a positive number`,
		},
		{
			"many boxes", `{"in":"setup","house":"wiesbaden","boxes":10}`,
			`                                          ^`,
			`10 boxes do not fit a table`,
		},
		{
			"many decks", `{"in":"setup","house":"wiesbaden","decks":100000}`,
			`                                          ^`, `decks do not fit a shoe`,
		},
		{
			"currency", `{"in":"setup","house":"wiesbaden","currency":"U$D"}`,
			`                                             ^`, `"U$D" is no currency`,
		},
		{
			"call mode", `{"in":"setup","house":"wiesbaden","call":"maybe"}`,
			`                                         ^`,
			`"maybe" is not a call mode; write required or implied`,
		},
		{
			"maximum under minimum", `{"in":"setup","house":"wiesbaden","box_max":500}`,
			`                                            ^`, `the box maximum 5.00 is below the minimum 10.00`,
		},
		{
			"minimum over maximum", `{"in":"setup","house":"wiesbaden","min":90000}`, `                      ^`,
			`the box maximum 500.00 is below the minimum 900.00`,
		},
		{
			"unit as a fraction", `{"in":"setup","house":"wiesbaden","unit":0.5}`,
			`                                         ^`, `0.5 of "unit" is no whole number`,
		},
		{"house as a number", `{"in":"setup","house":3}`, `                      ^`, `3 of "house" is no text`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := transcript.NewParser(profile.Built()).Parse([]byte(c.line), 7)
			var e *transcript.Error
			if !errors.As(err, &e) {
				t.Fatalf("%s: got %v, want an Error", c.line, err)
			}
			if !strings.Contains(e.What, c.what) {
				t.Errorf("%s:\n got %q\nwant %q in it", c.line, e.What, c.what)
			}
			if want := strings.IndexByte(c.at, '^') + 1; e.Line != 7 || want > 0 && e.Column != want {
				t.Errorf("%s: the error is at line %d, column %d, want 7, %d: %s", c.line, e.Line, e.Column,
					want, e.What)
			}
		})
	}
}

// TestGoodLines: what other writers of JSON may do differently is the same line.
func TestGoodLines(t *testing.T) {
	stake := vocab.Input{
		Kind: vocab.InStake, Line: 7, Box: 3, Bettor: "Zoë", Wager: vocab.WagerMain,
		Amount: 2000, Stated: true, Seat: vocab.Standing,
	}
	for _, c := range []struct {
		line string
		want vocab.Input
	}{
		{`{"in":"stake","box":3,"bettor":"Zoë","wager":"main","amount":2000,"seated":false}`, stake},
		{`{"seated":false,"amount":2000,"wager":"main","bettor":"Zoë","box":3,"in":"stake"}`, stake},
		{" { \"in\" : \"stake\" ,\t\"box\" : 3 , \"bettor\":\r\"Zo\\u00eb\",\"wager\":\"main\",\"amount\":2000, " +
			"\"seated\" : false } ", stake},
		{`{"\u0069n":"\u0073take","box":3,"bettor":"Zoë","wager":"main","amount":2000,"seated":false}`, stake},
		{`{"in":"card","card":"JOKER"}`, vocab.Input{Kind: vocab.InCard, Line: 7, Card: card.Joker}},
		{
			`{"in":"card","card":"??","t":"1970-01-01T01:00:00.5+01:00"}`,
			vocab.Input{Kind: vocab.InCard, Line: 7, Card: card.Unread, Time: 5e8},
		},
		{`{"in":"call","call":"split","bettors":[]}`, vocab.Input{
			Kind: vocab.InCall, Line: 7, Call: vocab.CallSplit,
			Bettors: []string{},
		}},
		{
			`{"in":"stake","box":3,"bettor":"a","wager":"main"}`,
			vocab.Input{Kind: vocab.InStake, Line: 7, Box: 3, Bettor: "a", Wager: vocab.WagerMain},
		},
		{`{"in":"stake","box":3,"bettor":"a","wager":"twins","amount":0}`, vocab.Input{
			Kind: vocab.InStake, Line: 7, Box: 3, Bettor: "a", Wager: vocab.SideWager(sidebet.Twins), Stated: true,
		}},
		{`{"in":"call","call":"insurance","box":3,"bettor":"a"}`, vocab.Input{
			Kind: vocab.InCall, Line: 7, Call: vocab.CallInsurance, Box: 3, Bettor: "a",
		}},
		{`{"in":"paid","amount":-0}`, vocab.Input{Kind: vocab.InPaid, Line: 7, Stated: true}},
		{`{"in":"stake","box":3,"bettor":"a","wager":"three-legged-horse","amount":100000000000}`, vocab.Input{
			Kind: vocab.InStake, Line: 7, Box: 3, Bettor: "a", Wager: "three-legged-horse", Amount: 100_000_000_000,
			Stated: true,
		}},
		{`{"in":"stake","box":3,"bettor":"a","wager":"Three-legged horse","amount":1}`, vocab.Input{
			Kind: vocab.InStake, Line: 7, Box: 3, Bettor: "a", Wager: vocab.WagerUnknown, Amount: 1, Stated: true,
		}},
	} {
		got, err := transcript.NewParser(profile.Built()).Parse([]byte(c.line), 7)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\n got %+v, %v\nwant %+v", c.line, got, err, c.want)
		}
	}
}

// TestProfileOfASetup: a setup may say by which rules it was played, and those are
// the only ones that replay it.
func TestProfileOfASetup(t *testing.T) {
	const line = `{"in":"setup","house":"baden","profile":%q}`
	p := transcript.NewParser(profile.Built())
	own := profile.Built()["baden"].Fingerprint
	in, err := p.Parse(fmt.Appendf(nil, line, own), 1)
	if err != nil || in.Setup.Profile != own {
		t.Errorf("the profile's own fingerprint: got %+v, %v", in.Setup, err)
	}
	other := profile.Built()["wiesbaden"].Fingerprint
	if _, err := p.Parse(fmt.Appendf(nil, line, other), 1); err == nil ||
		!strings.Contains(err.Error(), "not those that were played") {
		t.Errorf("another profile's fingerprint: got %v", err)
	}
}

// TestParserForgets: a line that was wrong leaves nothing behind.
func TestParserForgets(t *testing.T) {
	p := transcript.NewParser(profile.Built())
	for _, bad := range []string{`{"in":"paid","box":3,`, `{"in":"paid","box":3,"amount":"x"}`, `[`, ``} {
		if _, err := p.Parse([]byte(bad), 1); err == nil {
			t.Errorf("%s was taken", bad)
		}
		got, err := p.Parse([]byte(`{"in":"paid"}`), 2)
		if want := (vocab.Input{Kind: vocab.InPaid, Line: 2}); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("after %s: got %+v, %v", bad, got, err)
		}
	}
}

// TestInputsSurviveBeingWritten: Parse reads what AppendInput wrote.
func TestInputsSurviveBeingWritten(t *testing.T) {
	p := transcript.NewParser(profile.Built())
	rapid.Check(t, func(t *rapid.T) {
		in := anyInput(t)
		line := transcript.AppendInput(nil, &in)
		got, err := p.Parse(line, in.Line)
		if err != nil || !reflect.DeepEqual(got, in) {
			t.Fatalf("%s\n got %+v, %v\nwant %+v", line, got, err, in)
		}
	})
}

// drawn lets rapid throw a player's dice.
type drawn struct{ *rapid.T }

func (d drawn) IntN(n int) int { return rapid.IntRange(0, n-1).Draw(d.T, "") }

// anyInput is an input of any kind, with names as strange as people's can be.
func anyInput(t *rapid.T) vocab.Input {
	player := tabletest.Player{Dice: drawn{t}}
	in := player.Anything(new(table.Table))
	in.Line = rapid.Uint64().Draw(t, "line")
	in.Time = rapid.Int64Range(0, 7e18).Draw(t, "time")
	for _, name := range []*string{&in.Bettor, &in.Player, &in.By, &in.Code} {
		if *name != "" {
			*name = rapid.StringN(1, 12, 40).Draw(t, "name")
		}
	}
	for i := range in.Bettors {
		in.Bettors[i] = rapid.StringN(0, 12, 40).Draw(t, "bettor")
	}
	if in.Kind == vocab.InStake {
		wagers := append(slices.Collect(iter.Seq[vocab.Wager](vocab.EveryWager)), vocab.WagerUnknown)
		in.Wager = rapid.SampledFrom(wagers).Draw(t, "wager")
	}
	return in
}
