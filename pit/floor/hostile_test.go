package floor_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/topic"
)

// raises sends an alert of its own message, under a name.
func (r *room) raises(under, code string) error {
	r.Helper()
	said, err := json.Marshal(map[string]any{"code": code, "round": 16, "raised": r.now, "times": 1, "standing": 1})
	if err != nil {
		r.Fatal(err)
	}
	payload, err := json.Marshal(topic.Alert{
		Site: r.table.Site(), Table: r.table.Name(), Boot: r.boot, Sequence: 1 << 40, Time: r.now, Code: code,
		Alert: said,
	})
	if err != nil {
		r.Fatal(err)
	}
	return r.Hear(r.table.Alert(under), payload, r.now)
}

// TestATableNamesItsOwnAlerts: a code becomes part of addresses and of the database's keys; and whoever writes to a
// table's topics cannot raise one of the pit's own alerts, which no table puts right.
func TestATableNamesItsOwnAlerts(t *testing.T) {
	under := map[string]string{}
	for _, code := range floor.Codes() {
		under[code] = code
	}
	for _, code := range []string{
		"unexpected-card", "../../log", `"><script>`, "a\u0000b", "Unread-Card",
		strings.Repeat("a", 65), "a b", "ä", "",
	} {
		under[code] = "unread-card"
	}
	for code, name := range under {
		r := newRoom(t, floor.Options{})
		r.connects()
		if err := r.raises(name, code); err == nil {
			t.Errorf("an alert %q under %s is taken without a word", code, name)
		}
		r.alerts()
	}
}

// TestATableHasSoManyAlerts: whoever writes to a table's topics cannot fill the memory.
func TestATableHasSoManyAlerts(t *testing.T) {
	r := newRoom(t, floor.Options{})
	r.connects()
	var refused error
	for i := range 1000 {
		code := fmt.Sprintf("new-fangled-%d", i)
		if err := r.raises(code, code); err != nil {
			refused = err
		}
	}
	if n := len(r.Alerts()); refused == nil || n < 50 || n > 200 {
		t.Errorf("a table has %d alerts; the last was refused because: %v", n, refused)
	}
	if err := r.raises("new-fangled-1", "new-fangled-1"); err != nil {
		t.Errorf("one that it has is refused: %v", err)
	}
}
