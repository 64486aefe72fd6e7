package web_test

import (
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/internal/testkit/system"
)

// TestPastInTheZone: a pit tells the past of its tables by the house's clock, which is not the machine's; and a table
// without a zone by the machine's.
func TestPastInTheZone(t *testing.T) {
	zone := system.Zone(t, "Pacific/Kiritimati")
	round, err := displaytest.Rounds().Round(21)
	if err != nil {
		t.Fatal(err)
	}
	first, last := round.Steps[0].At, round.Steps[len(round.Steps)-1].At
	for _, of := range []*time.Location{zone, nil} {
		_, page := serve(t, web.Options{Recall: displaytest.Rounds(), Zone: of})
		at := func(when time.Time, how string) string {
			if of == nil {
				return when.Local().Format(how)
			}
			return when.In(of).Format(how)
		}
		began := at(round.Began, "2 Jan 2006 15:04:05")
		asked := time.Now()
		printed := get(t, page.URL+"/recall/21/sheet")
		const hour = "2 Jan 2006 15:"
		if !strings.Contains(printed, at(asked, hour)) && !strings.Contains(printed, at(time.Now(), hour)) {
			t.Errorf("zone %v: the sheet that was asked for at %s says another hour", of, at(asked, hour))
		}
		for path, want := range map[string][]string{
			"/recall":           {at(round.Began, "15:04:05")},
			"/recall/21":        {began, at(round.Began, " MST"), at(last, "15:04:05.000")},
			"/recall/21/sheet":  {began, at(round.Ended, "2 Jan 2006 15:04:05")},
			"/recall/21/replay": {at(first, "15:04:05.000")},
		} {
			body := get(t, page.URL+path)
			for _, words := range want {
				if !strings.Contains(strings.ReplaceAll(body, "&#43;", "+"), words) {
					t.Errorf("zone %v: %s does not say %q", of, path, words)
				}
			}
		}
	}
}
