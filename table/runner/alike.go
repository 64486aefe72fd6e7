package runner

import (
	"fmt"

	"github.com/sabot-table/sabot/internal/alike"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/vocab"
)

// lookAlike refuses an input that names a bettor or a player who would be taken for another one of the round. It is for
// what comes in: what is on record is played as it was.
func lookAlike(t *table.Table, in *vocab.Input) error {
	if in.Bettor == "" && in.Player == "" {
		return nil
	}
	there := map[string]bool{"": true}
	for box := 1; box <= t.Boxes(); box++ {
		for _, one := range t.Bettors(box) {
			there[one.Name], there[one.Player] = true, true
		}
		for _, side := range t.Sides(box) {
			there[side.Bettor], there[side.Player] = true, true
		}
	}
	if there[in.Bettor] && there[in.Player] {
		return nil
	}
	var known alike.Names
	for name := range there {
		known.Add(name)
	}
	for _, one := range [][2]string{{"bettor", in.Bettor}, {"player", in.Player}} {
		if like := known.Like(one[1]); like != "" {
			return &vocab.TextError{
				Field: one[0],
				What: fmt.Sprintf("%q looks like %q, who plays in this round: write that name, or one that nobody "+
					"takes for it", one[1], like),
			}
		}
	}
	return nil
}
