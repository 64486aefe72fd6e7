package profile_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/notation"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// changes are what houses of their own change in each of the built-in ones.
var changes = []string{
	"",
	"title: \"Zoë's <house> & 賭場\"\n",
	"table: {min: 10.5, box_max: 1050, unit: 0.5, boxes: 9, boxes_to: 9, rounding: nearest}\n",
	"irregularities: {card-without-call: \"accept (dealer), burn (dealer)\", lost-cards: none-drawn}\n",
	"play: {keys_apart_ms: 0}\n",
	"side_bets: []\n",
}

// written are all rules that these tests write and read back.
func written(t *testing.T) []*profile.House {
	t.Helper()
	var all []*profile.House
	for _, house := range profile.Built().Names() {
		all = append(all, profile.Built()[house])
		for _, change := range changes {
			all = append(all, parse(t, "extends: "+house+"\nhouse: mine\n"+change))
		}
	}
	return all
}

// wantSame: both are the same rules, except for where their values come from.
func wantSame(t *testing.T, got, want *profile.House) {
	t.Helper()
	for _, part := range []struct {
		name      string
		got, want any
	}{
		{"profile", ofText(got.Profile), ofText(want.Profile)},
		{"limits", got.Table, want.Table},
		{"meter", got.Meter, want.Meter},
		{"fingerprint", got.Fingerprint, want.Fingerprint},
		{"text", got.Text(), want.Text()},
	} {
		if !reflect.DeepEqual(part.got, part.want) {
			t.Errorf("%s: the %s is\n%+v\nnot\n%+v", want.House, part.name, part.got, part.want)
		}
	}
	for bet := range sidebet.EveryBet {
		if !reflect.DeepEqual(offerOfText(got, bet), offerOfText(want, bet)) {
			t.Errorf("%s: %s is offered as %+v, not %+v", want.House, bet, got.Offer(bet), want.Offer(bet))
		}
	}
	for code := range irregularity.EveryCode {
		if got.Ways(code) != want.Ways(code) {
			t.Errorf("%s: %s is put right by %s, not %s", want.House, code, got.Ways(code), want.Ways(code))
		}
	}
}

// ofText is what the text of a profile holds: not when chips are moved, nor what decides nothing of a round.
func ofText(p rules.Profile) rules.Profile {
	p.AtOnce, p.Holder, p.SideBets = nil, nil, slices.Clone(p.SideBets)
	p.Table.BoxesFrom, p.Table.BoxesTo = nil, nil
	for i := range p.SideBets {
		p.SideBets[i].PayAtOnce, p.SideBets[i].TakeAtOnce = false, false
	}
	return p
}

func offerOfText(h *profile.House, bet sidebet.Bet) rules.Offer {
	if h.Offer(bet) == nil {
		return rules.Offer{}
	}
	o := *h.Offer(bet)
	o.PayAtOnce, o.TakeAtOnce = false, false
	return o
}

// TestText: written rules are read back as the same rules.
func TestText(t *testing.T) {
	for _, r := range written(t) {
		text := r.Text()
		sum := sha256.Sum256(text)
		if hex.EncodeToString(sum[:]) != r.Fingerprint {
			t.Errorf("%s: the fingerprint is not that of the text", r.House)
		}
		again, err := profile.FromText(text)
		if err != nil {
			t.Fatalf("%s: %v", r.House, err)
		}
		wantSame(t, again, r)
		text[0] = 'x'
		wantSame(t, again, r)
	}
}

// TestTextPlaysTheSame: a table plays the same by rules read from their text as by the
// house's own, even if its setup changes them.
func TestTextPlaysTheSame(t *testing.T) {
	for nth, r := range written(t) {
		again, err := profile.FromText(r.Text())
		if err != nil {
			t.Fatal(err)
		}
		setup := rules.Setup{House: r.House, Boxes: 5, Profile: r.Fingerprint, Calls: [...]string{"", "implied"}[nth%2]}
		var one, other table.Table
		for _, at := range []struct {
			tab  *table.Table
			book profile.Book
		}{{&one, profile.Built().With(r)}, {&other, profile.Built().With(again)}} {
			set, err := at.book.Set(setup)
			if err != nil {
				t.Fatal(err)
			}
			at.tab.Step(&vocab.Input{Kind: vocab.InSetup, Setup: &setup, Rules: set})
		}
		player := &tabletest.Player{Dice: rand.New(rand.NewPCG(uint64(nth), 9)), Boxes: 5, Freely: true}
		for range 300 {
			in := player.Next(&one)
			if want, got := described(one.Step(&in)), described(other.Step(&in)); got != want {
				t.Fatalf("%s: after %s the text's rules answer\n%s\nnot\n%s", r.House, in.Kind, got, want)
			}
		}
	}
}

func described(outs []vocab.Output) string {
	var b strings.Builder
	for _, out := range outs {
		b.WriteString(notation.Digits(2).Output(out) + "\n")
	}
	return b.String()
}

// TestTextOfAnotherVersion keeps its own fingerprint and its own bytes.
func TestTextOfAnotherVersion(t *testing.T) {
	older := bytes.Replace(profile.Built()["wiesbaden"].Text(), []byte(`"Surrender":false,`), nil, 1)
	r, err := profile.FromText(older)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(older)
	if r.Fingerprint != hex.EncodeToString(sum[:]) || !bytes.Equal(r.Text(), older) {
		t.Errorf("the text is %s, its fingerprint %s", r.Text(), r.Fingerprint)
	}
}

// TestTextFromBeforeAnIrregularity: rules older than an irregularity leave no table
// without a way to put it right.
func TestTextFromBeforeAnIrregularity(t *testing.T) {
	written := regexp.MustCompile(`"LostCards":"[^"]*",`)
	text := profile.Built()["wiesbaden"].Text()
	r, err := profile.FromText(written.ReplaceAll(text, nil))
	if err != nil {
		t.Fatal(err)
	}
	want := irregularity.Ways{Choices: irregularity.Possible(irregularity.LostCards)}
	if got := r.Ways(irregularity.LostCards); got != want || !written.Match(text) {
		t.Errorf("lost cards are put right by %q, want %q", got, want)
	}
}

func TestTextRefused(t *testing.T) {
	good := string(profile.Built()["wiesbaden"].Text())
	for text, want := range map[string]string{
		"":                             "cannot be read",
		"{}":                           "cannot be played",
		good[:len(good)-1]:             "cannot be read",
		good + "{}":                    "something follows",
		good[:len(good)-1] + `,"X":1}`: `unknown field "X"; the version of Sabot that wrote it can`,
		strings.Replace(good, `"Min":"10.00"`, `"Min":"900.00"`,
			1): "the box maximum 500.00 is below the minimum 900.00",
		strings.Replace(good, `"Game":"black-jack"`, `"Game":"poker"`, 1): "poker",
		strings.Repeat(" ", rules.MaxText) + good:                         "may have at most",
	} {
		if r, err := profile.FromText([]byte(text)); r != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v, want %q", text, err, want)
		}
	}
}

// TestTextIsBounded: no house's file makes rules that cannot be read back from their text.
func TestTextIsBounded(t *testing.T) {
	_, err := profile.Built().Parse("house.yaml", []byte(mine+"title: "+strings.Repeat("x", rules.MaxText)+"\n"))
	if err == nil || !strings.Contains(err.Error(), "written out, the profile has") {
		t.Errorf("error is %v", err)
	}
}

func FuzzFromText(f *testing.F) {
	for _, r := range profile.Built() {
		f.Add(r.Text())
	}
	f.Add([]byte(`{"House":"mine","SideBets":[{"Bet":"twins","Pays":[{}]}],"Jackpot":{}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := profile.FromText(text)
		if (r == nil) != (err != nil) {
			t.Fatalf("rules %v with error %v", r, err)
		}
		if err != nil {
			return
		}
		again, err := profile.FromText(r.Text())
		if err != nil {
			t.Fatal(err)
		}
		wantSame(t, again, r)
		if _, err := profile.Built().With(r).Set(rules.Setup{House: r.House, Profile: r.Fingerprint}); err != nil {
			t.Errorf("the rules were accepted, but the table was not: %v", err)
		}
	})
}
