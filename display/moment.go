package display

import (
	"fmt"

	"github.com/sabot-table/sabot/table"
)

// Moment names what a dealer who touches the screen is looking at: the round, what is
// due, and what holds it. A touch that was meant for one moment must not be taken at
// another, when the same key means another box. It stays the same while stakes are
// placed and boxes are paid, where each touch says itself what it is about; not while
// wagers are paid at once, where one key after the other means the next.
func Moment(t *table.Table) string {
	due := t.Due()
	held, holding := t.Held()
	dealt, _ := t.Dealt()
	behind, arrived := t.Behind()
	return fmt.Sprintf("%d.%d.%d.%d.%d.%d.%t.%d.%d.%d.%d.%d.%d.%s.%t", t.Round(), t.Phase(), due.To, due.Box, due.Hand,
		due.Allowed,
		holding, held.Code, held.Card, dealt, behind, arrived, paidNow(t), held.Found, t.Opening().Closed)
}

// paidNow counts the wagers that were paid or taken at once.
func paidNow(t *table.Table) int {
	n := 0
	for nth := range t.Decided() {
		if t.PaidAtOnce(nth) {
			n++
		}
	}
	return n
}
