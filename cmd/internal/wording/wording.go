// Package wording checks what houses add to the displays' languages: the words in their
// profiles.
package wording

import (
	"maps"
	"slices"
	"strconv"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/lcd"
	"github.com/sabot-table/sabot/table/rules"
)

// InProfile checks the words in a house's profile, for a table that speaks some
// languages.
func InProfile(among *display.Library) rules.WordCheck {
	return func(own map[string]map[string]string) rules.Complaints {
		var wrong rules.Complaints
		for _, f := range among.CheckHouse(own) {
			wrong = append(wrong, rules.Complaint{Path: f.Path, What: f.What, Hint: f.Hint})
		}
		if len(wrong) > 0 {
			return wrong
		}
		const house = "own"
		for _, code := range slices.Sorted(maps.Keys(own)) {
			l, _ := among.With(display.Houses{house: own}).Speak(code)
			for _, m := range lcd.Check(l.In(house), own[code]) {
				wrong = append(wrong, rules.Complaint{Path: code + "." + strconv.Quote(m.Key), What: m.What, Hint: m.Hint})
			}
		}
		return wrong
	}
}
