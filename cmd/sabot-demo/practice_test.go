package main

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/sim-hardware/mishap"
	"github.com/sabot-table/sabot/sim-hardware/practice"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/profile"
)

// TestPractice puts right whatever goes wrong at the table for a trainee, with each shoe and in both games, and one
// situation wrong; in make test the first of them. After a restart the results are still there.
func TestPractice(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		house, shoe string
		keeps       bool
	}{{"schaffhausen", "sabot", true}, {"baden", "bee-tek", false}, {"mendrisio", "angel-eye", false}} {
		t.Run(c.house+" "+c.shoe, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "practice.json")
			args := []string{
				"--by-hand", "--house", c.house, "--shoe", c.shoe, "--practice", file,
				"--web", "127.0.0.1:0", "--broker", "127.0.0.1:0",
			}
			demo := processes.Start(t, processes.Binary(t, "sabot-demo"), args...)
			var want []string
			all := practice.IncidentsOf(profile.Built()[c.house].Rules, c.keeps)
			for _, i := range all {
				want = append(want, practice.TopicOf(i))
			}
			var met []string
			for n := 0; len(met) < len(want) && n < tier.Times(1, 4*len(want)); n++ {
				topic, right := goesWrong(t, demo, c.house, all)
				if !right {
					t.Errorf("%s was put right, and is a mistake", topic)
				}
				if !slices.Contains(met, topic) {
					met = append(met, topic)
				}
			}
			for _, topic := range want {
				if tier.InSoak() && !slices.Contains(met, topic) {
					t.Errorf("%s never went wrong", topic)
				}
			}
			if status := demo.End(syscall.SIGINT); status != exitOK {
				t.Errorf("the demonstration ended with status %d:\n%s", status, demo.Log())
			}
			contains(t, demo.Out(), demo.URL+"bench/practice", file)

			demo = processes.Start(t, processes.Binary(t, "sabot-demo"), args...)
			_, results := get(t, demo.URL+"bench/practice/results?who=Anna")
			contains(t, results, "Irregularities", "100 %")
			demo.End(syscall.SIGINT)
		})
	}
}

var (
	topicIs = regexp.MustCompile(`data-stage="open" data-topic="incident/([^"]+)"`)
	liesIs  = regexp.MustCompile(`<b class="card(?: red)?">([^<]+)</b>`)
)

// goesWrong has something go wrong for a trainee, and puts it right at the bench.
func goesWrong(
	t *testing.T, demo *processes.Process, house string, mishaps []mishap.Mishap,
) (topic string, right bool) {
	t.Helper()
	do := func(what string) {
		t.Helper()
		if status, answer := post(t, demo.URL+"bench/practice/incident", `{"Who":"Anna","Do":"`+what+
			`"}`); status != http.StatusOK {
			t.Fatalf("%s is answered with %s", what, answer)
		}
	}
	page := func() string {
		_, page := get(t, demo.URL+"bench/practice?who=Anna&kind=incidents&house="+house)
		return page
	}
	stage := func(want string) {
		t.Helper()
		until(t, want, func() bool {
			var state struct{ Stage string }
			_, text := get(t, demo.URL+"bench/practice/incident?who=Anna")
			if err := json.Unmarshal([]byte(text), &state); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			if state.Stage == "failed" {
				t.Fatalf("it could not be prepared:\n%s\n%s", page(), demo.Log())
			}
			return state.Stage == want
		})
	}
	do("start")
	stage("open")
	open := page()
	topic = topicIs.FindStringSubmatch(open)[1]
	t.Log(topic)
	lies := ""
	if card := liesIs.FindStringSubmatch(open); card != nil {
		rank, _ := strings.CutSuffix(strings.Replace(card[1], "10", "T", 1), card[1][len(card[1])-len("♠"):])
		lies = rank + map[string]string{"♠": "S", "♥": "H", "♦": "D", "♣": "C"}[card[1][len(rank):]]
		if strings.HasPrefix(card[1], "10") {
			lies = "T" + map[string]string{"♠": "S", "♥": "H", "♦": "D", "♣": "C"}[card[1][2:]]
		}
	}
	supervised := func(with string) {
		t.Helper()
		turn := func() { post(t, demo.URL+"bench/keys", `{"How":"turn","Keys":["supervisor"]}`) }
		turn()
		defer turn()
		var answer string
		until(t, "the supervisor puts "+topic+" right with "+with, func() bool {
			var status int
			status, answer = post(t, demo.URL+"bench/right", `{"With":"`+with+`","Card":"`+lies+`"}`)
			return status == http.StatusOK || strings.Contains(answer, "nothing can be put right")
		})
	}
	m := mishaps[slices.IndexFunc(mishaps, func(m mishap.Mishap) bool { return m.Name == topic })]
	if !m.Names {
		lies = ""
	}
	way := irregularity.Burn // of a card without a forecast, too
	if offered := m.Ways(profile.Built()[house].Rules); !slices.Contains(offered, way) && len(offered) > 0 {
		way = offered[0]
	}
	switch {
	case m.Mends != "":
		do("mend")
	case m.Call != 0:
		post(t, demo.URL+"bench/keys", `{"How":"press","Keys":["`+m.Call.String()+`"]}`)
	case way == irregularity.Accept: // which the dealer may
		if status, answer := post(t, demo.URL+"bench/right", `{"With":"accept"}`); status != http.StatusOK {
			t.Fatal(answer)
		}
	default:
		supervised(way.String())
		if m.Code == irregularity.LostCards {
			lies = ""
			post(t, demo.URL+"bench/right", `{"With":"none-drawn"}`)
		}
	}
	stage("done")
	done := page()
	do("next")
	if !strings.Contains(done, `id="done" class="right"`) {
		t.Logf("%s: %s", topic, done[strings.Index(done, "<main"):])
		return "incident/" + topic, false
	}
	return "incident/" + topic, true
}
