package touch

import (
	"strconv"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/vocab"
)

// This file pays bettors one by one. The payment's other keys are elsewhere: forward has the one for all, OnBox that of
// a box, and payNow the one for what is paid or taken at once.

// OpensEach is who is paid alone, and with which amount.
const OpensEach = "each"

// One is a bettor who can be paid alone: Pay puts that in as it is due, and Other completes what was paid instead.
type One struct {
	Box int
	display.Share
	Pay   Key
	Other vocab.Input
}

// Each are the bettors who are not paid yet, box by box; none outside the payment.
func Each(v display.View) (all []One) {
	for i := range v.Boxes {
		all = append(all, EachOn(v, &v.Boxes[i])...)
	}
	return all
}

// EachOn are those of them on a box.
func EachOn(v display.View, b *display.Box) (all []One) {
	if v.Due.To != vocab.ToPayment || v.Held != nil {
		return nil
	}
	for _, share := range display.Shares(*b) {
		in := vocab.Input{Kind: vocab.InPaid, Box: b.Number, Bettor: share.Bettor}
		number := strconv.Itoa(b.Number)
		all = append(all, One{
			Box: b.Number, Share: share, Other: in,
			Pay: Key{
				Name: "paid-" + number + "-" + share.Bettor, Kind: Step, Put: []vocab.Input{in}, On: []int{b.Number},
				Label: display.Message{
					Key:  "key.paid-one",
					Args: []display.Arg{{Name: "box", Text: number}, {Name: "bettor", Text: share.Bettor}},
				},
			},
		})
	}
	return all
}

// each is the key behind which bettors are paid alone.
func each(v display.View) []Key {
	if len(Each(v)) == 0 {
		return nil
	}
	return []Key{{Name: "each", Label: display.Message{Key: "key.each"}, Kind: Back, Opens: OpensEach, Shortcut: "e"}}
}
