package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/plaintext"
)

// mostUnderTables is what the pit may ever have had under this attack, in kilobytes.
const mostUnderTables = 500 << 10

// TestAttackRetained: a broker whose retained topics are full of what no table says. The pit starts all the same, hears
// the table of its room, shows nothing that hides or steers, and stays small.
func TestAttackRetained(t *testing.T) {
	tier.Soak(t, "a built program is attacked for seconds")
	mosquitto := brokertest.StartMosquitto(t)
	folder := processes.FastDir(t)
	config := pitConfig(t, mosquitto.Addr(), filepath.Join(folder, "pit.db"))
	add(t, config, "tables: [bj-1, bj-2]\n")
	client := brokertest.Login(t, mosquitto.Addr(), "", "hostile", nil)
	tries := 0
	say := func(name string, payload []byte) {
		t.Helper()
		tries++
		token := client.Publish(name, 1, true, payload)
		if !token.WaitTimeout(brokertest.Deadline) || token.Error() != nil {
			t.Fatal(token.Error())
		}
	}
	const bad = "\u202e\u009b2J\u200banna"
	now := time.Now().UTC().Format(time.RFC3339Nano)
	for i := range 1500 {
		name := fmt.Sprintf("sabot/v1/wiesbaden/stranger-%d/", i)
		say(name+"status", fmt.Appendf(nil, `{"online":true,"boot":%d,"reason":%q}`, i, bad))
		say(name+"health",
			fmt.Appendf(nil,
				`{"boot":1,"time":%q,"journal":{"head":{"id":"00112233445566778899aabbccddeeff","record":%d,"hash":"00"}}}`, now, i))
	}
	const bj2 = "sabot/v1/wiesbaden/bj-2/"
	text, err := json.Marshal(display.View{
		Table: "bj-2", House: bad, Currency: bad, Digits: 1 << 30, Min: 1,
		Shift: display.Shift{Dealer: bad}, Due: display.Due{To: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	say(bj2+"status", fmt.Appendf(nil, `{"online":true,"boot":1,"trouble":%q,"denied":[%q]}`, bad, bad))
	say(bj2+"state", fmt.Appendf(nil, `{"boot":1,"sequence":1,"view":%s}`, text))
	say(bj2+"totals", []byte(`{"boot":1,"day":`+strings.Repeat(`[`, 100_000)+strings.Repeat(`]`, 100_000)+`}`))
	say(bj2+"health", []byte(`{"boot":1,"version":"`+strings.Repeat("v", 3<<20)+`"}`))
	for i := range 600 {
		code := fmt.Sprint("made-up-", i)
		by, err := json.Marshal(bad + strings.Repeat("x", 10_000))
		if err != nil {
			t.Fatal(err)
		}
		say(bj2+"alert/"+code, fmt.Appendf(nil,
			`{"boot":1,"sequence":9,"code":%q,"alert":{"code":%q,"raised":%q,"times":99,"standing":1,"by":%s,"caller":%s,"reason":%s}}`, code, code, now, by, by, by))
	}
	for _, junk := range []string{
		"", "null", "[]", "{", "\x00\xff", `{"boot":-1}`, `{"boot":1e99}`,
		`"` + strings.Repeat("a", 100_000) + `"`,
	} {
		for _, kind := range topic.Kinds() {
			name := bj2 + string(kind)
			if kind.Below() {
				name += "/pit"
			}
			say(name, []byte(junk))
		}
	}
	client.Disconnect(250)

	p := processes.Start(t, processes.Binary(t, "sabot-pit"), "--config", config)
	d := newTable(t, folder, "bj-1", 100)
	d.open(mosquitto.Addr())
	d.night.Rounds(3)
	anna := entered(t, config, p.URL, "anna", "manager")
	wait(t, "the pit has everything of the room's table", func() bool { return kept(t, config, d) })
	through := 0
	for _, path := range []string{"/", "/alerts", "/fleet", "/table/wiesbaden/bj-2/", "/table/wiesbaden/bj-1/"} {
		page := anna.get(path)
		if hidden := strings.IndexFunc(page, func(r rune) bool {
			return plaintext.Hidden(r) && r != '\n' && r != '\t'
		}); hidden >= 0 || len(page) > 4<<20 {
			through++
			t.Errorf("%s has %d bytes, and hides %q", path, len(page),
				page[max(0, hidden):min(len(page), max(0, hidden)+20)])
		}
		if n := strings.Count(page, "stranger-") / 3; n > 200 {
			through++
			t.Errorf("%s names strangers %d times", path, n)
		}
	}
	if page := anna.get("/fleet"); !strings.Contains(page, "bj-1") {
		through++
		t.Error("the fleet's page is without the room's table")
	}
	if most := memoryOf(t, p.PID()); most > mostUnderTables {
		through++
		t.Errorf("the pit had %d KB", most)
	}
	t.Logf("the pit had %d KB at the most", memoryOf(t, p.PID()))
	attack.Report(t, "pit: a broker full of what no table says", tries, through)
	p.Stop()
}

// memoryOf is the most that a process has had, in kilobytes.
func memoryOf(t *testing.T, pid int) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	found := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(text)
	if err != nil || found == nil {
		t.Fatal("how much memory the pit has is not known", err)
	}
	n, err := strconv.Atoi(string(found[1]))
	if err != nil {
		t.Fatal(err)
	}
	return n
}
