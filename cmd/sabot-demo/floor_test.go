//go:build !onetable

package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/sim-hardware/nights"
	"github.com/sabot-table/sabot/table/audit"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
)

// floorTables is how many tables the floor of the tests has.
var floorTables = tier.Times(2, 3)

// floorArgs is a small and quick floor.
func floorArgs(more ...string) []string {
	return append([]string{
		"--floor", "--tables", strconv.Itoa(floorTables), "--nights", "1", "--pace", "3ms", "--practice", "", "--web",
		"127.0.0.1:0", "--broker", "127.0.0.1:0",
	}, more...)
}

var tableLine = regexp.MustCompile(`(?m)^  (bj-\d+) +(http://\S+/)  bench (http://\S+)`)

// tablesOf are the tables' pages and benches, by the tables' names, as a floor prints them.
func tablesOf(t *testing.T, p *processes.Process) map[string][2]string {
	t.Helper()
	brokertest.Until(t, "it says where everything is", func() bool { return strings.Contains(p.Out(), "Ctrl-C ends.") })
	tables := map[string][2]string{}
	for _, m := range tableLine.FindAllStringSubmatch(p.Out(), -1) {
		tables[m[1]] = [2]string{m[2], m[3]}
	}
	return tables
}

// TestFloor runs a floor: each table is opened by somebody of the staff and deals on after its earlier night, with a
// bench of its own. What goes wrong is put right. An interrupt ends everything, and leaves nothing but the journals
// that were to be kept. Another start continues them, and deals no earlier nights again. What both have written is
// sound.
func TestFloor(t *testing.T) {
	t.Parallel()
	still := processes.StoodStill(t)
	tmp, folder := processes.FastDir(t), filepath.Join(processes.FastDir(t), "floor")
	process := processes.StartWith(t, []string{"TMPDIR=" + tmp}, processes.Binary(t, "sabot-demo"),
		floorArgs("--journal", folder)...)
	tables := tablesOf(t, process)
	if len(tables) != floorTables {
		t.Fatalf("there are %d tables:\n%s", len(tables), process.Out())
	}
	staff := nights.UsualStaff(floorTables)
	var screens []*processes.Remote
	for name, at := range tables {
		screen := processes.NewRemote(at[0])
		go screen.Follow(t.Context())
		screens = append(screens, screen)
		first := screen.Sees(t, name+" is open", func(v display.View) bool {
			return v.Round > 0 && !v.Opening.Closed && v.Shift.Dealer != ""
		})
		if first.Table != name || !slices.Contains(staff.Dealers, first.Shift.Dealer) ||
			!slices.Contains(staff.Supervisors, first.Opening.By) {
			t.Errorf("%s is %s, dealt by %q, opened by %q", name, first.Table, first.Shift.Dealer, first.Opening.By)
		}
		if least := uint64(60); first.Round < least {
			t.Errorf("%s is in round %d: nothing was dealt in its earlier night", name, first.Round)
		}
		screen.Sees(t, name+" deals", func(v display.View) bool { return v.Round >= first.Round+2 })
		if status, page := get(t, at[1]); status != http.StatusOK || !strings.Contains(page, "<title>Bench") {
			t.Errorf("the bench of %s answers %d", name, status)
		}
	}
	status, floor := get(t, process.URL)
	for name := range tables {
		if status != http.StatusOK || !strings.Contains(floor, name) {
			t.Errorf("the floor's page answers %d, without %s:\n%s", status, name, floor)
		}
	}
	if status, page := get(t, process.URL+"table/demo/bj-2/"); status != http.StatusOK ||
		!strings.Contains(page, "bj-2") {
		t.Errorf("the pit's page of a table answers %d:\n%s", status, page)
	}
	until(t, "the pit has the earlier night's rounds", func() bool {
		status, page := get(t, process.URL+"table/demo/bj-2/recall/20")
		return status == http.StatusOK && strings.Contains(page, "20")
	})
	triesRoles(t, process.URL)
	goesWrongAndRight(t, screens)
	brokertest.Until(t, "all tables have their earlier night", func() bool {
		return strings.Contains(process.Out(), "were dealt in")
	})
	last := screens[0].Sees(t, "a table", func(display.View) bool { return true })
	if status := process.End(syscall.SIGINT); status != exitOK || process.Complaints(still) != "" {
		t.Errorf("the floor ended with status %d:\n%s", status, process.Log())
	}
	if strings.Contains(process.Out(), "earlier start") {
		t.Errorf("a new floor continues another:\n%s", process.Out())
	}
	contains(t, process.Out(), fmt.Sprintf("a floor of %d tables, everything on it simulated", floorTables),
		"rounds of 1 earlier night", demoPIN)
	nothingIn(t, tmp)
	continues(t, folder, last)
}

// goesWrongAndRight waits until something goes wrong at one of the tables, and is put right.
func goesWrongAndRight(t *testing.T, screens []*processes.Remote) {
	t.Helper()
	type wrong struct {
		screen *processes.Remote
		view   display.View
	}
	found := make(chan wrong, len(screens))
	for _, screen := range screens {
		go func() {
			if v, err := screen.Await(t.Context(), func(v display.View) bool { return v.Held != nil }); err == nil {
				found <- wrong{screen, v}
			}
		}()
	}
	first := processes.Take(t, "something that goes wrong", found)
	first.screen.Sees(t, first.view.Held.Code.String()+" is put right", func(v display.View) bool {
		return v.Held == nil && v.Round > first.view.Round
	})
}

// continues starts a floor with the journals of one that has ended, and audits them.
func continues(t *testing.T, folder string, last display.View) {
	t.Helper()
	process := processes.Start(t, processes.Binary(t, "sabot-demo"), floorArgs("--journal", folder)...)
	screen := processes.NewRemote(tablesOf(t, process)[last.Table][0])
	go screen.Follow(t.Context())
	screen.Sees(t, "a round after those of the earlier start", func(v display.View) bool {
		return v.Round > last.Round+1
	})
	if status := process.End(syscall.SIGINT); status != exitOK || strings.Contains(process.Out(), "were dealt in") {
		t.Errorf("the floor ended with status %d:\n%s%s", status, process.Out(), process.Log())
	}
	contains(t, process.Out(), fmt.Sprintf("%d tables go on from there; remove the folder to begin anew", floorTables))
	for n := range floorTables {
		name := fmt.Sprintf("bj-%d", n+1)
		j, err := journal.OpenReadOnly(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		report, err := audit.Run(t.Context(), j, audit.Options{Book: profile.Built()})
		if err != nil || !report.Well() || report.Boots != 3 {
			t.Errorf("%s: the audit says %+v, %v", name, report, err)
			for _, f := range report.Faults {
				t.Errorf("%s: %+v", name, *f)
			}
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	}
}

// triesRoles: the floor's page can be tried in each role, and without logging in.
func triesRoles(t *testing.T, floor string) {
	t.Helper()
	if status, _ := get(t, floor+"fleet"); status != http.StatusOK {
		t.Errorf("who has not logged in gets %d for the computers", status)
	}
	if _, page := get(t, floor); !strings.Contains(page, `href="/enter"`) || strings.Contains(page, `"/leave"`) {
		t.Error("who has not logged in cannot log in by the menu, or can log out")
	}
	message := floor + "table/demo/bj-2/command/message"
	if got := status(t, http.DefaultClient, http.MethodPost, message,
		`{"by":"anna","text":"Well dealt"}`); got != http.StatusOK {
		t.Errorf("who has not logged in gets %d for a message to a table", got)
	}
	for _, role := range people.Roles() {
		jar, err := cookiejar.New(nil)
		if err != nil {
			t.Fatal(err)
		}
		browser := http.Client{Jar: jar}
		entry := fmt.Sprintf(`{"name":%q,"password":%q}`, guest(role), guestPassword)
		until(t, guest(role)+" logs in", func() bool {
			return status(t, &browser, http.MethodPost, floor+"enter", entry) == http.StatusOK
		})
		if page := read(t, &browser, floor); strings.Contains(page, `href="/enter"`) ||
			!strings.Contains(page, `"/leave"`) {
			t.Errorf("%s can log in again by the menu, or cannot log out", guest(role))
		}
		if log := read(t, &browser, floor+"log"); role == people.Manager {
			contains(t, log, strangers, "Well dealt", "by anna")
		}
		for path, least := range map[string]people.Role{
			"": people.Viewer, "fleet": people.Technician,
			"table/demo/bj-2/recall": people.Supervisor, "log": people.Manager,
		} {
			want := http.StatusForbidden
			if role.May(least) {
				want = http.StatusOK
			}
			if got := status(t, &browser, http.MethodGet, floor+path, ""); got != want {
				t.Errorf("%s gets %d for /%s, want %d", guest(role), got, path, want)
			}
		}
	}
}

// read is a page in a browser.
func read(t *testing.T, browser *http.Client, url string) string {
	t.Helper()
	answer, err := browser.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	page, err := io.ReadAll(answer.Body)
	if err := errors.Join(err, answer.Body.Close()); err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// status is how a request of a browser is answered.
func status(t *testing.T, browser *http.Client, method, url, body string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := browser.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := answer.Body.Close(); err != nil {
		t.Error(err)
	}
	return answer.StatusCode
}
