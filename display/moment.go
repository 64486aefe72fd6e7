package display

import (
	"fmt"

	"github.com/sabot-table/sabot/table"
)

// Moment names what a dealer who touches the screen is looking at: the round, what is
// due, and what holds it. A touch that was meant for one moment must not be taken at
// another, when the same key means another box. It stays the same while stakes are
// placed and boxes are paid, where each touch says itself what it is about.
func Moment(t *table.Table) string {
	due := t.Due()
	held, holding := t.Held()
	dealt, _ := t.Dealt()
	behind, arrived := t.Behind()
	return fmt.Sprintf("%d.%d.%d.%d.%d.%d.%t.%d.%d.%d.%d.%d.%s.%t", t.Round(), t.Phase(), due.To, due.Box, due.Hand, due.Allowed,
		holding, held.Code, held.Card, dealt, behind, arrived, held.Found, t.Opening().Closed)
}
