package runner

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

// sameText compares how a carry is written with what encoding/json writes.
func sameText(t *testing.T, what string, c *table.Carry) {
	t.Helper()
	want, err := json.Marshal(c)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if got := appendCarry(nil, c); string(got) != string(want) {
		t.Errorf("%s is written as\n%s\nand not as\n%s", what, got, want)
	}
}

// TestEachFieldIsCarried: what a table carries is written as encoding/json does, with each of its fields set alone,
// also one that somebody adds.
func TestEachFieldIsCarried(t *testing.T) {
	var all table.Carry
	sameText(t, "nothing", &all)
	all.Last = &table.Last{Inputs: []table.Carried{{In: "paid"}, {}}}
	all.Last.Inputs[1].Cards = append(all.Last.Inputs[1].Cards, "TH 9D"...)
	sameText(t, "cards", &all)
	eachField(t, reflect.ValueOf(&all).Elem(), "carry", func(what string) { sameText(t, what, &all) })
}

// eachField sets each field in turn.
func eachField(t *testing.T, v reflect.Value, name string, see func(what string)) {
	for i := range v.NumField() {
		f, at := v.Field(i), name+"."+v.Type().Field(i).Name
		if f.Kind() == reflect.Struct && f.Type() != reflect.TypeFor[table.CardCounts]() &&
			f.Type() != reflect.TypeFor[table.FirstCards]() {
			eachField(t, f, at, see)
			continue
		}
		if at == "carry.Last" {
			eachField(t, f.Elem(), at, see)
			eachField(t, f.Elem().FieldByName("Inputs").Index(0), at+".Inputs", see)
			continue
		}
		if was := reflect.ValueOf(f.Interface()); fill(t, f, at) {
			see(at)
			f.Set(was)
		}
	}
}

// fill puts something into a field, unless that is a list of the last round's inputs, or cards and calls beside an
// input.
func fill(t *testing.T, f reflect.Value, at string) bool {
	switch at {
	case "carry.Last.Inputs", "carry.Last.Inputs.In", "carry.Last.Inputs.Cards", "carry.Last.Inputs.Calls":
		return false
	}
	if counts, is := f.Addr().Interface().(*table.CardCounts); is {
		if err := counts.UnmarshalText([]byte("AS=1 TH=12")); err != nil {
			t.Fatal(err)
		}
		return true
	}
	if first, is := f.Addr().Interface().(*table.FirstCards); is {
		if err := first.UnmarshalText([]byte("AS TH JOKER ??")); err != nil {
			t.Fatal(err)
		}
		return true
	}
	switch f.Kind() {
	case reflect.String:
		f.SetString("<Ann\"a> & Zoë")
	case reflect.Bool:
		f.SetBool(true)
	case reflect.Int, reflect.Int64:
		f.SetInt(-12)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		f.SetUint(2)
	case reflect.Pointer:
		f.Set(reflect.New(f.Type().Elem()))
	case reflect.Slice:
		f.Set(reflect.MakeSlice(f.Type(), 2, 2))
	default:
		t.Fatalf("%s is a %s: say how it is filled", at, f.Kind())
	}
	return true
}

// TestCarryIsWrittenAsJSON: the same for whatever is carried at tables of each house where everything happens.
func TestCarryIsWrittenAsJSON(t *testing.T) {
	for house, rulesOf := range profile.Built() {
		t.Run(house, func(t *testing.T) {
			for seed := range uint64(tier.Times(3, 100)) {
				carried := 0
				p := &tabletest.Player{Dice: rand.New(rand.NewPCG(seed, 7)), Boxes: 3, Freely: true}
				tab := &table.Table{}
				tab.Step(tabletest.SetUp(rules.Setup{House: rulesOf.House}))
				for n := range 2000 {
					in := p.Next(tab)
					in.Time = int64(n) * 2e9
					if tab.Step(&in); tab.Settled() {
						c := tab.Carry()
						sameText(t, fmt.Sprintf("seed %d, %s", seed, in.Kind), &c)
						if c.Last != nil {
							carried++
						}
					}
				}
				if carried == 0 {
					t.Errorf("seed %d: no round was carried", seed)
				}
			}
		})
	}
}

// BenchmarkCarry writes what a table carries after a round, beside encoding/json.
func BenchmarkCarry(b *testing.B) {
	c := table.Carry{Last: &table.Last{Inputs: []table.Carried{
		{In: "open"},
		{In: "stake", Box: 1, Bettor: "a", Wager: "main"},
		{In: "close"},
		{},
		{In: "paid"},
	}}}
	c.Last.Inputs[3].Cards = append(c.Last.Inputs[3].Cards, card.Of(card.Ace, card.Spades).String()...)
	b.Run("own", func(b *testing.B) {
		room := make([]byte, 0, usualCarry)
		b.ReportAllocs()
		for b.Loop() {
			room = appendCarry(room[:0], &c)
		}
	})
	b.Run("json", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := json.Marshal(&c); err != nil {
				b.Fatal(err)
			}
		}
	})
}
