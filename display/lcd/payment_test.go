package lcd

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/table/vocab"
)

var (
	byGuest = regexp.MustCompile(`^(\d) \S+ +(\d+[.,]\d\d)$`)
	byBox   = regexp.MustCompile(`^(?:BOX|CASELLA|CASE) (\d) +(\d+[.,]\d\d)$`)
	inCell  = regexp.MustCompile(`\b(\d)=(\d+(?:[.,]\d\d)?)( |$)`)
)

// shownDebts reads the amounts of a payment's picture, by box, in minor units.
func shownDebts(lines [Rows]string) map[int]int64 {
	shown := map[int]int64{}
	for _, line := range lines {
		line = strings.TrimRight(line, " ")
		found := inCell.FindAllStringSubmatch(line, -1)
		for _, row := range []*regexp.Regexp{byGuest, byBox} {
			found = append(found, row.FindAllStringSubmatch(line, -1)...)
		}
		for _, f := range found {
			amount := strings.NewReplacer(".", "", ",", "").Replace(f[2])
			if amount == f[2] {
				amount += "00"
			}
			box, _ := strconv.Atoi(f[1])
			minor, _ := strconv.ParseInt(amount, 10, 64)
			shown[box] += minor
		}
	}
	return shown
}

// wantDebts: each box that is paid only in amounts is shown with its exact amount, unless
// it is among those counted at the end.
func wantDebts(t *testing.T, where string, l *Language, v display.View) {
	t.Helper()
	if v.Due.To != vocab.ToPayment || v.Held != nil {
		return
	}
	lines := Screen{l}.Lines(v)
	shown := shownDebts(lines)
	leftOut := strings.Contains(strings.Join(lines[:], ""), " +")
	for _, b := range v.Boxes {
		sum, odds := display.ToPay(b)
		if got, ok := shown[b.Number]; b.Paid && ok || !b.Paid && !odds && got != sum && (ok || !leftOut) {
			t.Errorf("%s: box %d is to be paid %d, paid %t; the picture says %d:\n%s", where, b.Number, sum, b.Paid,
				got, strings.Join(lines[:], "\n"))
		}
	}
}

// TestManyDebts: the picture drops names, then decimals, then the sum, before it leaves out
// a box; and then it says how many.
func TestManyDebts(t *testing.T) {
	for _, c := range []struct {
		won  []int64
		want string
	}{
		{[]int64{2000}, "BANK 18    PAY 20.00|1 anna         20.00|THEN PRESS PAID||"},
		{[]int64{2000, 0, 1234567890}, "PAY 12345698.90|1 anna         20.00|3 anna   12345678.90|THEN PRESS PAID|"},
		{[]int64{2000, 2050, 1000, 500}, "BANK 18    PAY 55.50|1=20.00   2=20.50|3=10.00   4=5.00|THEN PRESS PAID|"},
		{
			[]int64{2000, 2000, 1000, 500, 100000, 100, 100, 100, 100},
			"BANK 18  PAY 1059.00|1=20   2=20   3=10|4=5    5=1000 6=1|7=1    8=1    9=1|",
		},
		{[]int64{2000, 2000, 1000, 500, 1000000, 100, 100}, "1=20.00 2=20.00|3=10.00 4=5.00|5=10000.00 6=1.00|7=1.00|"},
		{
			[]int64{1250, 1250, 1250, 1250, 1250, 1250, 1250, 1250, 1250},
			"1=12.50 2=12.50|3=12.50 4=12.50|5=12.50 6=12.50|7=12.50 8=12.50 +1|",
		},
		{nil, "BANK 18|NOTHING TO PAY|THEN PRESS PAID||"},
	} {
		v := display.View{
			Phase: vocab.Payment, Due: display.Due{To: vocab.ToPayment}, Digits: 2,
			Bank: display.Hand{Total: 18, Done: vocab.DoneStands},
		}
		for i, won := range c.won {
			v.Boxes = append(v.Boxes, display.Box{
				Number: i + 1,
				Payouts: []display.Payout{{
					Bettor: "anna", Wager: vocab.WagerMain, Outcome: vocab.Win, Stake: won,
					Won: won,
				}},
			})
		}
		got := ""
		for _, line := range (Screen{}).Lines(v) {
			got += fmt.Sprint(strings.TrimRight(line, " "), "|")
		}
		if got != c.want {
			t.Errorf("won %v:\ngot  %s\nwant %s", c.won, got, c.want)
		}
		wantDebts(t, fmt.Sprint(c.won), Speaking(display.English), v)
	}
}

// TestNextBettor: where boxes have several bettors and the picture no row for each, it names whom the panel's key pays
// next.
func TestNextBettor(t *testing.T) {
	v := displaytest.Named("co-players")
	for _, want := range []string{
		">1 anna1       30.00", ">1 ben1        25.00", ">1 chiara1     10.00", ">2 anna2       30.00",
		">2 ben2        25.00",
	} {
		if lines := (Screen{}).Lines(v); !slices.Contains(lines[:], want) {
			t.Errorf("no row of the picture is %q:\n%s", want, strings.Join(lines[:], "\n"))
		}
		b, share, _ := display.NextShare(v)
		for i := range v.Boxes[b.Number-1].Payouts {
			if p := &v.Boxes[b.Number-1].Payouts[i]; p.Bettor == share.Bettor {
				p.Paid = true
			}
		}
	}
}
