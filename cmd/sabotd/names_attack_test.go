package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display/web"
	attacks "github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// steeringNames clear a screen, begin a line of their own, turn the direction of what stands beside them, or hide.
var steeringNames = []string{
	"a\x1b[2J", "a\nround void by anna, supervisor", "a\rb", "a\x00b", "a\tb", "a\x7fb", "a\u0085b", "a\u009b31mb",
	"\u202egnol", "a\u2066b", "a\u200bb", "a\u200db",
	"a\ufeffb", "a\u2028b", "a\u2029b", "a\ue000b", "a\U000e0041b", "a\u00adb", "\u3164", "a\u2800b",
	"a\u0301\u0301\u0301", " ", "  a", strings.Repeat("a", 400),
}

// steeringInputs are requests of a page with a name in them.
var steeringInputs = []struct{ path, body string }{
	{"/input", `{"in":"stake","box":1,"bettor":NAME,"wager":"main","amount":1000}`},
	{"/input", `{"in":"stake","box":1,"bettor":"a","player":NAME,"wager":"main","amount":1000}`},
	{"/input", `{"in":"call","call":"double","bettors":["a",NAME]}`},
	{"/input", `{"in":"call","call":"insurance","box":1,"bettor":NAME}`},
	{"/input", `{"in":"paid","box":1,"bettor":NAME}`},
	{"/input", `{"in":"hold","by":NAME,"reason":"so"}`},
	{"/input", `{"in":"hold","reason":NAME}`},
	{"/input", `{"in":"resolve","with":"continue","by":NAME}`},
	{"/input", `{"in":"resolve","with":"continue","reason":NAME}`},
	{"/input", `{"in":"correct","what":"stake","box":1,"bettor":NAME,"wager":"main","amount":1000}`},
	{"/input", `{"in":"acknowledge","code":"unread-card","by":NAME}`},
	{"/input", `{"in":"floor","event":"called","by":NAME}`},
	{"/input", `{"in":"shoe","event":"loaded","packs":NAME}`},
	{"/input", `{"in":"table","event":"closed","by":NAME}`},
	{"/dealer", `{"name":NAME}`},
}

// TestAttackPageNames posts names that steer a terminal to a running table: it refuses each, says which field it is,
// and has none of them on record. The shoe has such a name, too.
func TestAttackPageNames(t *testing.T) {
	w := newWorldWith(t, shoesim.Options{Serial: "S\x1b[2J\u202e"})
	process := w.start()
	tries, through := 0, 0
	for _, name := range steeringNames {
		quoted, err := json.Marshal(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range steeringInputs {
			tries++
			var answer web.Answer
			body := strings.ReplaceAll(one.body, "NAME", string(quoted))
			if got := w.post(one.path, body, &answer); got != http.StatusBadRequest || answer.Error == "" ||
				answer.Seq != 0 {
				through++
				t.Errorf("%s is answered %d, %+v", body, got, answer)
			}
		}
	}
	process.Stop()
	inputs, outputs := w.records()
	for _, bad := range []string{`\u00`, "\u202e", "round void by", `\n`} {
		if strings.Contains(strings.ReplaceAll(inputs+outputs, "\n", ""), bad) {
			through++
			t.Errorf("there is a %q on record", bad)
		}
	}
	for _, r := range process.Log() {
		if r != '\n' && r < ' ' || r == 0x7f || r == '\u202e' || r >= 0x80 && r < 0xa0 {
			t.Fatalf("the log has %U", r)
		}
	}
	attacks.Report(t, "names that steer a terminal, posted to a table", tries, through)
}
