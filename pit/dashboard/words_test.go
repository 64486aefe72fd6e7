package dashboard

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/jackpot"
	"github.com/sabot-table/sabot/pit/topic"
)

// made are the keys that the code puts together from names.
func made(t *testing.T) (keys []string) {
	add := func(key string) { keys = append(keys, key) }
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`add\("([a-z-]+)"`).FindAllSubmatch(b, -1) {
			add("pit." + string(m[1]))
		}
	}
	for s := range floor.EveryStanding {
		add("pit.is-" + s.String())
	}
	for _, code := range floor.Codes() {
		add("pit." + code)
		add("pit.why-" + code)
	}
	for _, what := range []floor.What{
		floor.Raised, floor.PutRight, floor.Acknowledged, floor.Coming, floor.Escalated,
		floor.Over,
	} {
		add("pit.step-" + string(what))
	}
	for _, trouble := range []string{
		topic.TroubleFailing, topic.TroubleSlow, floor.TroubleDenied,
		floor.TroubleUnreadable, floor.TroubleOlder,
	} {
		add("pit.trouble-" + trouble)
	}
	for _, role := range []floor.Role{floor.Supervisor, floor.Manager, floor.Technician} {
		add("pit.calls-" + string(role))
	}
	for _, o := range orders {
		if o.key {
			add("pit.order-" + o.what.String())
			add("pit.order-" + o.what.String() + "-will")
		}
	}
	for _, kind := range []jackpot.Kind{
		jackpot.KindSeed, jackpot.KindFed, jackpot.KindGiven, jackpot.KindPutRight,
	} {
		add("pit.jackpot-is-" + string(kind))
	}
	for _, one := range answered {
		add("pit.order-is-" + one.String())
	}
	for _, next := range []string{forApproval, forCage, forTable} {
		add("trays.waits-" + next)
	}
	for _, code := range floor.FindingCodes() {
		add("fleet.what-" + string(code))
		add("fleet.do-" + string(code))
	}
	for _, urgency := range []floor.Urgency{floor.NotUrgent, floor.UrgentSoon, floor.UrgentNow} {
		add("fleet." + urgency.String())
	}
	return keys
}

// TestEveryTextIsThere, and every text of the pit is said.
func TestEveryTextIsThere(t *testing.T) {
	displaytest.Said(t, func(key string) bool {
		return strings.HasPrefix(key, "fleet.") || strings.HasPrefix(key, "trays.") || strings.HasPrefix(key, "pit.") &&
			!strings.HasPrefix(key, "pit.figures") && !strings.HasPrefix(key, "pit.odds")
	}, made(t)...)
}
