package practice

import (
	"slices"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/mishap"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

var sevenOfHearts = card.Of(7, card.Hearts)

// watched puts lines into a table of a house and returns what was seen, a second apart.
func watched(t *testing.T, house, lines string) []Seen {
	t.Helper()
	tab := table.Resume(profile.Built()[house].Rules, table.Carry{})
	inputs, err := tabletest.Inputs(lines)
	must(t, err)
	var all []Seen
	for n, in := range inputs {
		at := time.Date(2026, 11, 22, 14, 0, n, 0, time.UTC)
		if in.Time == 0 {
			in.Time = at.UnixNano()
		}
		all = append(all, Seen{At: at, In: in, Outs: slices.Clone(tab.Step(&in))})
	}
	return all
}

// incident is one that can go wrong in a house, with a shoe that keeps its cards.
func incident(r *rules.Rules, topic string) mishap.Mishap {
	all := IncidentsOf(r, true)
	return all[slices.IndexFunc(all, func(m mishap.Mishap) bool { return TopicOf(m) == topic })]
}

// TestIncidentsAreJudged: what the trainee did at the table is right, or the mistake has its name.
func TestIncidentsAreJudged(t *testing.T) {
	const dealing, calling, paying = "open; stake 1 a 20; stake 2 b 20; close; 9S 8H\n",
		"open; stake 1 a 20; stake 2 b 20; close; 9S 8H 6D 5C 8D\n",
		"open; stake 1 a 20; stake 2 b 20; close; 9S 8H 6D 5C 8D; rest; rest; TS 5H\n"
	for _, c := range []struct {
		topic, lines string
		drawn        int
		given        string
		mistakes     []Mistake
	}{
		{"incident/unread-card", dealing + "??; resolve identify 7H by=s1", 0, "identify 7H", nil},
		{"incident/unread-card", dealing + "??; resolve identify 7D by=s1", 0, "identify 7D", []Mistake{WrongCard}},
		{"incident/unread-card", dealing + "??; resolve burn by=s1", 0, "burn", []Mistake{WrongWay}},
		{"incident/unread-card", dealing + "??; 9C; resolve identify 7H by=s1", 1, "identify 7H", []Mistake{CardDrawn}},
		{
			"incident/unread-card", dealing + "??; resolve void-round by=s1", 2, "void-round",
			[]Mistake{WrongWay, CardDrawn},
		},
		{"incident/called-too-late", calling + "4D; resolve accept by=s1", 0, "accept", nil},
		// the press was refused
		{"incident/called-too-late", calling + "4D; card; resolve accept by=s1", 0, "accept", nil},
		{"incident/called-too-late", calling + "4D; resolve burn by=s1", 0, "burn", []Mistake{WrongWay}},
		{"incident/not-called", calling + "4D; resolve accept by=s1", 0, "accept", []Mistake{WrongWay}},
		{"incident/not-called", calling + "4D; resolve next-card by=s1", 0, "next-card", nil},
		{"incident/bank-early", calling + "4D; hold dealer; correct move 6 bank by=s1", 0, "cleared", nil},
		{"incident/bank-early", calling + "4D; resolve next-card by=s1", 0, "next-card", nil},
		{"incident/bank-early", calling + "4D; resolve accept by=s1", 0, "accept", []Mistake{WrongWay}},
		{"incident/overdraw", paying + "7C; resolve burn by=s1", 0, "burn", nil},
		{"incident/overdraw", paying + "7C; resolve void-round by=s1", 0, "void-round", []Mistake{WrongWay}},
		{"incident/early-card", "open; stake 1 a 20\n7C; resolve next-card by=s1", 0, "next-card", nil},
		{"incident/early-card", "open; stake 1 a 20\n7C; resolve burn by=s1", 0, "burn", []Mistake{WrongWay}},
		{"incident/foreign-joker", dealing + "JOKER; resolve burn by=s1", 0, "burn", nil},
		{"incident/cable", calling + "shoe offline; shoe online", 0, "online", nil},
		{"incident/cable", calling + "shoe offline; shoe online", 1, "online", []Mistake{CardDrawn}},
	} {
		house := "schaffhausen"
		rules := profile.Built()[house].Rules
		of := CaseOf(rules, incident(rules, c.topic), sevenOfHearts)
		seen := watched(t, house, c.lines)
		o := of.Judge(seen, c.drawn)
		if !o.Raised || !o.Over || o.Given != c.given || !slices.Equal(o.Mistakes, c.mistakes) || o.Took < time.Second {
			t.Errorf("%s, %s: judged %+v", c.topic, c.lines, o)
		}
		if early := of.Judge(seen[:len(seen)-1], c.drawn); early.Over || !early.Raised || early.Given != "" {
			t.Errorf("%s, before the end: judged %+v", c.topic, early)
		}
	}
}

// TestTwoKeys: neither press counts, and the guest's call is what is pressed next.
func TestTwoKeys(t *testing.T) {
	house := profile.Built()["schaffhausen"].Rules
	for _, call := range []vocab.Call{vocab.CallRest, vocab.CallCard} {
		seen := watched(t, "schaffhausen", "open; stake 1 a 20; stake 2 b 20; close; 9S 8H 6D 5C 8D")
		tab := table.Resume(house, table.Carry{})
		for n := range seen {
			tab.Step(&seen[n].In)
		}
		at := seen[len(seen)-1].At
		for k, press := range []vocab.Call{vocab.CallCard, vocab.CallRest, call} {
			at = at.Add(20 * time.Millisecond)
			if k == 2 {
				at = at.Add(3 * time.Second)
			}
			in := vocab.Input{Kind: vocab.InCall, Call: press, Time: at.UnixNano()}
			seen = append(seen, Seen{at, in, slices.Clone(tab.Step(&in))})
		}
		of := CaseOf(house, incident(house, "incident/two-keys"), 0)
		o := of.Judge(seen, 0)
		var want []Mistake
		if call != vocab.CallRest {
			want = []Mistake{WrongCall}
		}
		if !o.Over || o.Given != call.String() || !slices.Equal(o.Mistakes, want) || o.Took != 3020*time.Millisecond {
			t.Errorf("%s: %+v", call, o)
		}
	}
}

// TestIncidentsCanBePutRight: in every house each incident has a way that is right, and that the house offers.
func TestIncidentsCanBePutRight(t *testing.T) {
	for name, house := range profile.Built() {
		for _, keeps := range []bool{true, false} {
			all := IncidentsOf(house.Rules, keeps)
			if len(all) < 4 {
				t.Errorf("%s has %d incidents", name, len(all))
			}
			for _, i := range all {
				c := CaseOf(house.Rules, i, sevenOfHearts)
				for _, way := range c.Ways {
					if ways := house.Ways(i.Code); i.Mends == "" && !i.ToBank && !ways.Has(way) {
						t.Errorf("%s: %s is put right with %s, which the house does not offer", name, i.Name, way)
					}
				}
				if len(c.Ways) == 0 && c.Call == 0 {
					t.Errorf("%s: nothing puts %s right", name, i.Name)
				}
			}
		}
	}
}
