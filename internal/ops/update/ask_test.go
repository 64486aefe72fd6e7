package update

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/bubble"
)

// asked is somebody who asks for a file, and what root's folder says meanwhile.
func asked(t *testing.T, root func(d Desk, r Request)) (Desk, string, error) {
	t.Helper()
	d := Desk{Folder: t.TempDir(), Requests: t.TempDir()}
	file := filepath.Join(t.TempDir(), "sabot.deb")
	for _, end := range []string{"", SignatureEnd} {
		if err := os.WriteFile(file+end, []byte("a file"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	go func() {
		bubble.Pass(mostUntaken / 2)
		r, err := load[Request](filepath.Join(d.Requests, RequestFile))
		if err != nil {
			t.Error(err)
		}
		root(d, r)
	}()
	id, err := d.Ask(t.Context(), file, "", "anna")
	synctest.Wait()
	return d, id, err
}

// says has root's folder say how far an update is.
func (d Desk) says(t *testing.T, st State) {
	t.Helper()
	if err := keep(filepath.Join(d.Folder, stateFile), st); err != nil {
		t.Error(err)
	}
}

// TestNobodyTakes: a request that nobody takes is taken back, so that the next one is not in its way.
func TestNobodyTakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, _, err := asked(t, func(Desk, Request) {})
		if err == nil || !strings.Contains(err.Error(), "nobody took the request within 1m0s") ||
			!strings.Contains(err.Error(), "systemctl restart sabot-update.path") {
			t.Errorf("it says %v", err)
		}
		if left, err := os.ReadDir(d.Requests); err != nil || len(left) > 0 {
			t.Errorf("of the request is left %v, %v", left, err)
		}
	})
}

// TestDropped: a request that is gone, and of which the state says nothing, is not waited for.
func TestDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, _, err := asked(t, func(d Desk, _ Request) {
			if err := removeRequest(d.Requests); err != nil {
				t.Error(err)
			}
		})
		if err == nil || !strings.Contains(err.Error(), "dropped unread: journalctl -u sabot-update") {
			t.Errorf("it says %v", err)
		}
	})
}

// TestFollow: whoever asked hears of each step, and of every end.
func TestFollow(t *testing.T) {
	for says, end := range map[string]State{
		"":                       {Step: Done, To: "1.1"},
		"put that right":         {Step: Trying, To: "1.1", Halted: "it is wrong"},
		"another update has beg": {Step: Judging, Request: "another"},
	} {
		synctest.Test(t, func(t *testing.T) {
			d, id, err := asked(t, func(d Desk, r Request) { d.says(t, State{Step: Judging, Request: r.ID}) })
			if err != nil {
				t.Fatal(err)
			}
			go func() {
				bubble.Pass(time.Hour) // a round takes as long as it takes
				if end.Request == "" {
					end.Request = id
				}
				d.says(t, end)
			}()
			var told []string
			st, err := d.Follow(t.Context(), id, func(st *State) { told = append(told, st.Doing()) })
			synctest.Wait()
			if (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) ||
				st.Step != end.Step {
				t.Errorf("it ends with %+v, and says %v, not %q", st, err, says)
			}
			if strings.Join(told, "; ") != "judging the package" {
				t.Errorf("it tells %v", told)
			}
		})
	}
}

// TestUnderWay: while an update is under way, another one is refused at once, and says what is waited for.
func TestUnderWay(t *testing.T) {
	d := Desk{Folder: t.TempDir(), Requests: t.TempDir()}
	d.says(t, State{Step: Waiting, To: "1.1"})
	if _, err := d.Ask(t.Context(), "sabot.deb", "", "anna"); err == nil ||
		!strings.Contains(err.Error(), "under way: waiting: no round may be open") {
		t.Errorf("it says %v", err)
	}
}

// TestUntakable: a request that cannot be taken or read ends, with a reason, and is not there any more.
func TestUntakable(t *testing.T) {
	for says, spoil := range map[string]func(path string) error{
		"the request cannot be taken": func(path string) error {
			return errors.Join(os.Rename(path, path+".elsewhere"), os.Symlink(path+".elsewhere", path),
				os.Remove(path+".elsewhere"))
		},
		"the request cannot be read": func(path string) error { return os.WriteFile(path, []byte("{"), 0o600) },
	} {
		m := newMachine(t)
		m.ask(m.build("1.1", "all", "good"))
		if err := spoil(m.at("requests/" + RequestFile)); err != nil {
			t.Fatal(err)
		}
		if _, err := m.run(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("it says %v, not %q", err, says)
		}
		m.refused(says)
	}
}

// TestRoundUnread: where it cannot be read whether a round is open, the update ends, and says why.
func TestRoundUnread(t *testing.T) {
	m := newMachine(t)
	m.unread = errors.New("the journal is damaged")
	m.ask(m.build("1.1", "all", "good"))
	if _, err := m.run(); err == nil {
		t.Error("it was installed")
	}
	m.refused("whether a round is open cannot be read: the journal is damaged")
	m.ends("1.0", "update-refused")
}

// refused wants an update that has ended, for a reason, and nothing left of its request.
func (m *machine) refused(why string) {
	m.t.Helper()
	st, err := Look(m.at("own"))
	if err != nil || st.Step != Done || !strings.Contains(st.Failed, why) {
		m.t.Errorf("the state is %+v, %v; not done, because %q", st, err, why)
	}
	if left, err := os.ReadDir(m.at("requests")); err != nil || len(left) > 0 {
		m.t.Errorf("of the request is left %v, %v", left, err)
	}
}

// TestStateUnread: with a state that cannot be read nothing is done, and the request does not stay to start it again
// and again.
func TestStateUnread(t *testing.T) {
	m := newMachine(t)
	m.ask(m.build("1.1", "all", "good"))
	m.write("own/"+stateFile, "{")
	if _, err := m.run(); err == nil || !strings.Contains(err.Error(), "remove the file, and ask again") {
		t.Errorf("it says %v", err)
	}
	if left, err := os.ReadDir(m.at("requests")); err != nil || len(left) > 0 {
		t.Errorf("of the request is left %v, %v", left, err)
	}
}

// TestHalted: an update that cannot go on says why, drops what is asked for meanwhile, and goes on when it is told to.
func TestHalted(t *testing.T) {
	c := newCard(t)
	c.stays = errors.New("systemd does not answer")
	file := c.slot("1.1", "all", "1.1 good")
	c.want(file)
	for range 2 {
		if err := c.update(-1); err == nil ||
			!strings.Contains(err.Error(),
				"the update to 1.1 does not go on: the computer cannot be started anew: systemd does not answer") {
			t.Errorf("it says %v", err)
		}
		st, err := Look(c.at("own"))
		if err != nil || st.Step != Trying || st.Halted == "" {
			t.Errorf("the state is %+v, %v", st, err)
		}
		if left, err := os.ReadDir(c.at("requests")); err != nil || len(left) > 0 {
			t.Errorf("of the request is left %v, %v", left, err)
		}
		c.want(file)
	}
	if err := removeRequest(c.at("requests")); err != nil {
		t.Fatal(err)
	}
	c.stays = nil
	if err := c.update(-1); err != nil {
		t.Error(err)
	}
	c.is("b", "1.1", "update-installed")
	text, err := os.ReadFile(c.at("own/" + stateFile))
	if err != nil || strings.Contains(string(text), "halted") {
		t.Errorf("the state is %s, %v", text, err)
	}
}

// TestCutWhileJudged: an update whose power was cut while it was judged is judged anew, and refused if its request is
// gone.
func TestCutWhileJudged(t *testing.T) {
	for _, gone := range []bool{false, true} {
		m := newMachine(t)
		m.ask(m.build("1.1", "all", "good"))
		r, err := load[Request](m.at("requests/" + RequestFile))
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(State{Step: Judging, Request: r.ID, Who: r.Who, At: m.system().Now()})
		if err != nil {
			t.Fatal(err)
		}
		m.write("own/"+stateFile, string(text))
		if !gone {
			if _, err := m.run(); err != nil {
				t.Error(err)
			}
			m.ends("1.1", "update-installed")
			continue
		}
		if err := removeRequest(m.at("requests")); err != nil {
			t.Fatal(err)
		}
		if _, err := m.run(); err == nil {
			t.Error("it was installed")
		}
		m.refused("interrupted while it was judged")
		m.ends("1.0", "update-refused")
	}
}
