package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/host"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/peopletest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit"
	pitcommand "github.com/sabot-table/sabot/pit/command"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/vocab"
)

// houseVariable has TestHouse be a house, whose database is what it says: sqlite or postgres.
const houseVariable = "SABOT_HOUSE"

// The tables of the house, whose names are bj-1 and so on, and who may enter: each name is its role.
var (
	atHouse   = []string{"wiesbaden", "baden", "st-moritz"}
	atPit     = people.Roles()
	housePIN  = "opensesame"
	housePass = "correct horse battery staple"
)

// TestHouse is a whole house for the tests in a browser, of which e2e/house.mjs tells it on its standard input what is
// to happen: sabot-pit and mosquitto as processes, a database, and tables with a simulated shoe, each of whose cards
// and keys is put in. Each line is answered with "done", or with what is wrong.
//
//	play 1 open; stake 3 ann 20; close    what is put in at a table, in notation
//	stop table 2, start table 2           a table is switched off, and on again
//	kill pit, start pit                   also broker and database
//	add NAME ROLE                         a person is added, whose password is that of all
//	role NAME ROLE                        a person has another role
//	key NAME TABLE                        a person has a key for commands, which a table trusts for a few of them
//	browser NAME                          a browser is registered with the push service: answered with what it knows
//	pushed NAME CODE                      the push service has a call for an alert: answered with what it says
//	compare                               the database has every table's journal, byte for byte
func TestHouse(t *testing.T) {
	source := os.Getenv(houseVariable)
	if source == "" {
		tier.Elsewhere(t, "e2e/house.mjs starts it")
	}
	h := openHouse(t, source)
	fmt.Println(h.pit.URL)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		said, err := h.obey(lines.Text())
		switch {
		case err != nil:
			said = "wrong: " + strings.ReplaceAll(err.Error(), "\n", " | ")
		case said == "":
			said = "done"
		}
		fmt.Println(said)
	}
}

// house is a pit with all that it needs.
type house struct {
	t        *testing.T
	folder   string
	config   string
	broker   *brokertest.Mosquitto
	database *journaltest.Postgres // nil for SQLite
	pit      *processes.Process
	tables   []*seat
	push     *peopletest.Service
	browsers map[string]*peopletest.Browser
}

func openHouse(t *testing.T, source string) *house {
	t.Helper()
	h := &house{
		t: t, folder: processes.FastDir(t), broker: brokertest.StartMosquitto(t), push: peopletest.StartPush(t),
		browsers: map[string]*peopletest.Browser{},
	}
	h.push.Trust()
	kept := filepath.Join(h.folder, "pit.db")
	if source == "postgres" {
		h.database = journaltest.NewPostgres(t)
		kept = h.database.Source()
	}
	h.config = filepath.Join(h.folder, "pit.yaml")
	text := fmt.Sprintf("site: kursaal\nname: Kursaal\nmqtt: {broker: \"tcp://%s\"}\nstore: {source: \"%s\", "+
		"time_zone: Europe/Berlin}\nweb: {listen: %q}\nalerts: {offline_seconds: 1, push_services: [%q], "+
		"push_contact: \"mailto:it@casino.example\", push_key_file: %q}\ntables: [",
		h.broker.Addr(), kept, system.Address(t), h.push.Host(), filepath.Join(h.folder, "push.key"))
	for i := range atHouse {
		text += seatName(i) + ", "
	}
	if err := os.WriteFile(h.config, []byte(text+"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, role := range atPit {
		if err := h.add(role.String(), role.String()); err != nil {
			t.Fatal(err)
		}
	}
	h.pit = processes.Start(t, processes.Binary(t, "sabot-pit"), "--config", h.config)
	for i, house := range atHouse {
		h.tables = append(h.tables, &seat{
			t: t, name: seatName(i), house: house,
			journal: filepath.Join(h.folder, seatName(i)), broker: h.broker.Addr(),
		})
		h.tables[i].start()
	}
	return h
}

func seatName(i int) string { return "bj-" + strconv.Itoa(i+1) }

// obey does what a line says. What it answers is one line, or nothing.
func (h *house) obey(line string) (said string, err error) {
	does, what, _ := strings.Cut(line, " ")
	name, rest, _ := strings.Cut(what, " ")
	switch {
	case does == "play":
		table, err := h.table(name)
		if err != nil {
			return "", err
		}
		return "", table.play(h.t.Context(), rest)
	case does == "compare":
		return "", h.compare()
	case does == "add":
		return "", h.add(name, rest)
	case does == "role":
		return "", h.person("role", name, rest)
	case does == "key":
		return "", h.key(name, rest)
	case does == "browser":
		h.browsers[name] = h.push.Browser(name)
		return lineOf(h.browsers[name])
	case does == "pushed":
		return h.pushed(name, rest)
	case name == "table":
		table, err := h.table(rest)
		if err != nil {
			return "", err
		}
		if does == "stop" {
			table.end()
		} else {
			table.start()
		}
		return "", nil
	}
	parts := map[string]func(){
		"kill pit": func() { h.pit.Kill() }, "start pit": func() {
			h.pit = processes.Start(h.t, processes.Binary(h.t, "sabot-pit"), "--config", h.config)
		},
		"kill broker": h.broker.Kill, "start broker": h.broker.Start,
		"kill database": func() { h.database.Kill() }, "start database": func() { h.database.Start() },
	}
	does = strings.TrimSpace(line)
	if parts[does] == nil {
		return "", fmt.Errorf("what is %q?", line)
	}
	parts[does]()
	return "", nil
}

// lineOf writes what a browser or a push service says as one line.
func lineOf(what any) (string, error) {
	text, err := json.Marshal(what)
	return string(text), err
}

// pushed waits until the push service has a call for an alert for a browser.
func (h *house) pushed(name, code string) (string, error) {
	b := h.browsers[name]
	if b == nil {
		return "", fmt.Errorf("%q is no browser", name)
	}
	late := time.After(processes.Deadline)
	for {
		changed, got := h.push.Changed(), h.push.Got(b)
		for _, n := range got {
			if strings.Contains(n.Tag, code) {
				return lineOf(n)
			}
		}
		select {
		case <-changed:
		case <-late:
			return "", fmt.Errorf("the push service has no call for %s: %v", code, got)
		}
	}
}

// publicHalf is that of a key, in the line that sabot key command prints for a table.
var publicHalf = regexp.MustCompile(`public: "([^"]+)"`)

// key makes a key as a house does: the pit is started again with it, and a table that trusts it.
func (h *house) key(person, at string) error {
	table, err := h.table(at)
	if err != nil {
		return err
	}
	sabot := processes.Binary(h.t, "sabot")
	file := filepath.Join(h.folder, person+".key")
	made := processes.Run(h.t, sabot, "key", "command", "--person", person, person, file)
	public := publicHalf.FindStringSubmatch(made.Out)
	if made.Status != 0 || public == nil {
		return errors.New(made.Out + made.Err)
	}
	table.keys = append(table.keys, config.CommandKey{
		Name: person, Person: person, Public: config.PublicKey(public[1]),
		May: []config.CommandMay{
			{What: pitcommand.Acknowledge},
			{What: pitcommand.OpenTable},
			{What: pitcommand.CloseTable},
			{What: pitcommand.Message},
		},
	})
	add(h.t, h.config, fmt.Sprintf("commands: {keys: [{name: %s, person: %s, file: %q}]}\n", person, person, file))
	table.end()
	table.start()
	h.pit.Kill()
	h.pit = processes.Start(h.t, processes.Binary(h.t, "sabot-pit"), "--config", h.config)
	return nil
}

func (h *house) table(name string) (*seat, error) {
	n, err := strconv.Atoi(name)
	if err != nil || n < 1 || n > len(h.tables) {
		return nil, fmt.Errorf("%q is no table", name)
	}
	return h.tables[n-1], nil
}

// add adds a person whose password is that of all.
func (h *house) add(name, role string) (err error) {
	as, err := people.ParseRole(role)
	if err != nil {
		return err
	}
	c, err := pit.Load(h.config)
	if err != nil {
		return err
	}
	kept, err := pit.OpenStore(h.t.Context(), c, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, kept.Close()) }()
	all, err := people.New(people.Options{Store: kept})
	if err != nil {
		return err
	}
	_, err = all.Add(h.t.Context(), people.Actor{From: "console"}, name, as, housePass)
	return err
}

func (h *house) person(args ...string) error {
	if got := processes.Run(h.t, processes.Binary(h.t, "sabot-pit"),
		append([]string{"person", "--config", h.config}, args...)...); got.Status != 0 {
		return errors.New(got.Out + got.Err)
	}
	return nil
}

// compare waits until the database has what the tables have on record, byte for byte.
func (h *house) compare() error {
	for _, table := range h.tables {
		for begun := time.Now(); ; {
			got := processes.Run(h.t, processes.Binary(h.t, "sabot-pit"), "compare", "--config", h.config, "--table",
				table.name, "--journal", table.journal)
			if got.Status == 0 {
				break
			}
			if time.Since(begun) > processes.Deadline {
				return errors.New(got.Out + got.Err)
			}
		}
	}
	return nil
}

// seat is a table with people at it.
type seat struct {
	t                            *testing.T
	name, house, journal, broker string
	keys                         []config.CommandKey
	// site is the house's, kursaal by default; jackpot is the key by which it hears of one, and user and the file
	// password are those at the broker.
	site, jackpot, user, password string
	daemon                        *host.Daemon
	end                           func()
}

func (s *seat) start() {
	s.t.Helper()
	shoe, err := shoesim.New(shoesim.Options{Decks: 6})
	if err != nil {
		s.t.Fatal(err)
	}
	c := config.Default()
	c.Site, c.Table, c.House, c.KeysApart = cmp.Or(s.site, "kursaal"), s.name, s.house, -1
	c.Jackpot.Public, c.MQTT.Username, c.MQTT.PasswordFile = config.PublicKey(s.jackpot), s.user, s.password
	c.Shoe.Port, c.Journal.Path, c.Web.Listen, c.MQTT.Broker = shoe.Path(), s.journal, "127.0.0.1:0", "tcp://"+s.broker
	c.Supervisors.Names = []config.Supervisor{{
		Name: "keller",
		PIN:  config.PINHash(authority.NewHash(housePIN).String()),
	}}
	c.Commands.Keys = s.keys
	d, err := host.Open(c, tabletest.Book(), "test", slog.New(slog.DiscardHandler))
	if err != nil {
		s.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(s.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- d.Run(ctx) }()
	s.daemon, s.end = d, sync.OnceFunc(func() {
		stop()
		if err := errors.Join(<-ended, d.Close(), shoe.Close()); err != nil {
			s.t.Error(err)
		}
	})
	s.t.Cleanup(s.end)
	online, enough := context.WithTimeout(s.t.Context(), processes.Deadline)
	defer enough()
	if _, err := d.Board.Await(online, func(v display.View) bool { return v.Seq > 0 && v.Shoe.Online }); err != nil {
		s.t.Fatalf("%s: no shoe: %v", s.name, err)
	}
}

// play puts in what a line says. What a supervisor puts right is proven with the PIN.
func (s *seat) play(ctx context.Context, line string) error {
	inputs, err := tabletest.ReadInputs(line, 2)
	if err != nil {
		return err
	}
	for _, in := range inputs {
		as := ctx
		switch in.Kind {
		case vocab.InResolve, vocab.InTable, vocab.InLimits, vocab.InCorrect:
			var err error
			if as, err = s.daemon.Once(ctx, authority.Own, authority.Given{Name: in.By, PIN: housePIN}); err != nil {
				return err
			}
		}
		answer, err := s.daemon.Submit(as, in)
		if err != nil {
			return err
		}
		if answer.Rejected != 0 {
			return fmt.Errorf("%s is refused: %s", in.Kind, answer.Rejected)
		}
	}
	return nil
}
