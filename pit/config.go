// Package pit is the room that wires a pit: it hears the tables, keeps their journals, has the live model of the floor,
// and shows all of it on its pages to those who may enter. sabot-pit runs it from a file; deploy/pit.example.yaml
// explains each key of that.
package pit

import (
	"fmt"
	"log/slog"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/words"
	"github.com/sabot-table/sabot/internal/configfile"
	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/notify"
	"github.com/sabot-table/sabot/pit/replica"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/pit/transport"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

// Config is a configuration that has been checked.
type Config struct {
	// Site is the house or hall whose tables are heard.
	Site string `yaml:"site,required"`
	// Name is what the pages call the floor.
	Name string `yaml:"name"`
	// Language is what pages speak until a screen has chosen another.
	Language string `yaml:"language"`
	// Tables are those of the room, which are shown before they are heard.
	Tables []string `yaml:"tables"`
	// HouseFiles are the houses' own files, by whose rules tables play, as the tables' configurations name them.
	HouseFiles []string `yaml:"house_files"`
	MQTT       MQTT     `yaml:"mqtt"`
	// Broker is the broker inside, where MQTT names no other, and Cluster those of which it is a node; nil if it is
	// alone.
	Broker  Inside   `yaml:"broker"`
	Cluster *Cluster `yaml:"cluster"`
	// Hub is that of a group, of which this site is one; nil for a house of its own. Sites are those that this pit
	// takes as a group's hub; nil for none.
	Hub    *Hub   `yaml:"hub"`
	Sites  *Sites `yaml:"sites"`
	Store  Store  `yaml:"store"`
	Alerts Alerts `yaml:"alerts"`
	Web    Web    `yaml:"web"`
	People People `yaml:"people"`
	// Commands are off without keys.
	Commands Commands `yaml:"commands"`
	// Jackpots are those that several tables play for.
	Jackpots Jackpots `yaml:"jackpots"`
	// Log is the program's log, on standard error.
	Log configfile.Log `yaml:"log"`

	own     []*profile.House // those of HouseFiles
	silence time.Duration    // of a node at the database; 0 is the store's
}

// MQTT is the broker over which the tables are heard.
type MQTT struct {
	// Broker is tcp://host:port, or ssl://host:port for TLS; several of one cluster are separated by spaces; empty for
	// the broker inside the pit.
	Broker string `yaml:"broker"`
	// Username is the pit's name at the broker; empty to connect without one.
	Username string `yaml:"username"`
	// PasswordFile is the file with the password; empty for none.
	PasswordFile string `yaml:"password_file"`
	// PasswordInClear allows the password to cross a network to a broker without TLS.
	PasswordInClear bool `yaml:"password_in_clear"`
	// CAFile is the PEM file with the certificates that vouch for the broker; empty for the system's.
	CAFile string `yaml:"ca_file"`
	// Reader is the name under which tables are asked for their records; no two pits of a site have the same.
	Reader string `yaml:"reader"`
}

// Store is the database.
type Store struct {
	// Source is the path of a SQLite file, or the address of a PostgreSQL database. SourceFile is a file that
	// holds it, for an address with a password.
	Source     string `yaml:"source"`
	SourceFile string `yaml:"source_file"`
	// DayBegins is when a gaming day begins, in TimeZone.
	DayBegins configfile.ClockTime `yaml:"day_begins"`
	TimeZone  Zone                 `yaml:"time_zone,required"`
	// Shifts are the parts of a gaming day; none where the house does not divide it.
	Shifts []Shift `yaml:"shifts"`
	// KeepDays is for how many gaming days records and rounds are kept; 0 keeps all.
	KeepDays int `yaml:"keep_days"`
}

// Shift is a part of each gaming day: from when it begins until the next one does. The first begins with the day.
type Shift struct {
	Name   string               `yaml:"name,required"`
	Begins configfile.ClockTime `yaml:"begins,required"`
}

// Zone is a time zone.
type Zone struct{ *time.Location }

// UnmarshalText reads a name such as Europe/Berlin.
func (z *Zone) UnmarshalText(text []byte) (err error) {
	if z.Location, err = time.LoadLocation(string(text)); err != nil || len(text) == 0 || string(text) == "Local" {
		return fmt.Errorf("%q is not a time zone: write one such as Europe/Berlin or Europe/Zurich", text)
	}
	return nil
}

// String is the zone's name, "" for none.
func (z Zone) String() string {
	if z.Location == nil {
		return ""
	}
	return z.Location.String()
}

// Alerts says when somebody is called.
type Alerts struct {
	// OfflineSeconds is how long an open table may be offline before an alert is raised.
	OfflineSeconds int `yaml:"offline_seconds"`
	// EscalateSeconds is after how long an alert that nobody has seen calls EscalateTo.
	EscalateSeconds int    `yaml:"escalate_seconds"`
	EscalateTo      string `yaml:"escalate_to"`
	// PaceLow and PaceHigh are the rounds per hour of a table below and above which somebody is called; 0 for never, as
	// in those that follow.
	PaceLow  int `yaml:"pace_low"`
	PaceHigh int `yaml:"pace_high"`
	// Loss is what a table may lose in its gaming day, as much of its own currency whichever that is.
	Loss rules.Money `yaml:"loss"`
	// NoRoundMinutes is for how long an open table may begin no round.
	NoRoundMinutes int `yaml:"no_round_minutes"`
	// OccupancyLow and OccupancyHigh bound the part of the boxes that are staked on, in percent.
	OccupancyLow  int `yaml:"occupancy_low"`
	OccupancyHigh int `yaml:"occupancy_high"`
	// Webhook is where each thing that becomes of an alert is posted; empty for nowhere. WebhookSecretFile is the
	// file with the key that signs it; empty for no signature.
	Webhook           string `yaml:"webhook"`
	WebhookSecretFile string `yaml:"webhook_secret_file"`
	// PushServices are the hosts of the push services by which browsers may be called while no page is open; none, and
	// no browser is. PushContact is whom they ask if the pit's messages trouble them, PushKeyFile is the pit's own key.
	PushServices []string `yaml:"push_services"`
	PushContact  string   `yaml:"push_contact"`
	PushKeyFile  string   `yaml:"push_key_file"`
}

// thresholds are those of the floor.
func (a Alerts) thresholds() []floor.Threshold {
	return []floor.Threshold{
		{What: floor.PaceLow, At: int64(a.PaceLow)},
		{What: floor.PaceHigh, At: int64(a.PaceHigh)},
		{What: floor.TableLoss, At: int64(a.Loss)},
		{What: floor.TableIdle, At: int64(a.NoRoundMinutes)},
		{What: floor.OccupancyLow, At: int64(a.OccupancyLow)},
		{What: floor.OccupancyHigh, At: int64(a.OccupancyHigh)},
	}
}

// Default returns the configuration as it is before the file is read.
func Default() Config {
	web, people := webDefault()
	return Config{
		Language: words.English,
		MQTT:     MQTT{Reader: "pit"},
		Broker:   Inside{Listen: "127.0.0.1:1883"},
		Web:      web,
		People:   people,
		Store:    Store{Source: "/var/lib/sabot/pit.db", DayBegins: 6 * configfile.ClockTime(time.Hour)},
		Jackpots: Jackpots{TogetherSeconds: togetherDefault},
		Alerts:   Alerts{OfflineSeconds: 15, EscalateSeconds: 300, EscalateTo: string(floor.Manager)},
		Log:      configfile.Log{Level: configfile.Level{Level: slog.LevelInfo}, Format: "text"},
	}
}

// Load reads the configuration from a file. The error holds all faults at once, as strictyaml.Faults; it is one, too,
// if others than the user who runs the pit may read or change what only that user may.
func Load(path string) (Config, error) { return LoadFor(nil, path) }

// LoadFor is Load for a pit that a given user runs; nil is whoever keeps the database, for root, and whoever asks.
func LoadFor(by *securefile.User, path string) (Config, error) {
	data, err := strictyaml.ReadFile(securefile.Open(path))
	if err != nil {
		return Config{}, fmt.Errorf("read the configuration: %w; write one, with pit.example.yaml as a model", err)
	}
	return parse(path, data, usable, func(doc *strictyaml.Document, c *Config) strictyaml.Faults {
		return judge(doc, c, path, by)
	})
}

// Parse reads the configuration from data; file is its name in faults. Modes and owners are not judged.
func Parse(file string, data []byte) (Config, error) {
	return parse(file, data, func(*strictyaml.Document, *Config) {},
		func(*strictyaml.Document, *Config) strictyaml.Faults {
			return nil
		})
}

func parse(
	file string, data []byte, usable func(*strictyaml.Document, *Config),
	judge func(*strictyaml.Document, *Config) strictyaml.Faults,
) (Config, error) {
	c := Default()
	doc := strictyaml.Decode(file, data, &c)
	switch {
	case doc.Has("mqtt.reader"):
	case c.Cluster != nil:
		c.MQTT.Reader = c.Cluster.Node // no two nodes have the same
	case c.Sites != nil:
		c.MQTT.Reader = hubReader
	}
	inFiles := judge(doc, &c) // before any of its files is opened
	inFiles = append(inFiles, openHouses(doc, &c)...)
	check(doc, &c)
	if len(doc.Faults()) == 0 && len(inFiles) == 0 {
		usable(doc, &c)
	}
	if c.Name == "" {
		c.Name = c.Site
	}
	if err := append(doc.Faults(), inFiles...).Err(); err != nil {
		return Config{}, err
	}
	return c, nil
}

var clientName = regexp.MustCompile(`^[a-z0-9_-]{1,32}$`)

// check finds what is written correctly and still cannot be used.
func check(doc *strictyaml.Document, c *Config) {
	checkNames(doc, c)
	checkFiles(doc, c)
	checkBroker(doc, c)
	checkInside(doc, c)
	checkGroup(doc, c)
	checkStore(doc, c)
	checkShifts(doc, c)
	checkThresholds(doc, c)
	supervises := []string{string(floor.Supervisor), string(floor.Manager), string(floor.Technician)}
	doc.OneOf("alerts.escalate_to", c.Alerts.EscalateTo, supervises...)
	doc.OneOf("language", c.Language, display.BuiltIn().Spoken()...)
	checkWebhook(doc, c)
	checkPush(doc, c)
	c.Commands.check(doc)
	c.Jackpots.check(doc)
	c.Web.check(doc)
	c.People.check(doc, c.Web)
	doc.OneOf("log.format", c.Log.Format, "text", "json")
}

func checkNames(doc *strictyaml.Document, c *Config) {
	const letters = "write 1 to 32 characters of a-z, 0-9, _ and -"
	for path, name := range map[string]string{"site": c.Site, "mqtt.reader": c.MQTT.Reader} {
		if !clientName.MatchString(name) {
			doc.Refuse(path, fmt.Sprintf("%q cannot be part of an MQTT topic", name), letters)
		}
	}
	if c.MQTT.Reader == topic.Stream {
		doc.Refuse("mqtt.reader", fmt.Sprintf("%q is what a table says to all", topic.Stream), "choose another name")
	}
	for i, name := range c.Tables {
		path := fmt.Sprintf("tables[%d]", i)
		switch {
		case !clientName.MatchString(name):
			doc.Refuse(path, fmt.Sprintf("%q is not a table's name", name), letters+
				", as the table's configuration has it")
		case slices.Contains(c.Tables[:i], name):
			doc.Refuse(path, fmt.Sprintf("%q is there twice", name), "remove one")
		}
	}
}

// checkFiles refuses relative paths: under a service manager they would mean files in a folder that nobody expects.
func checkFiles(doc *strictyaml.Document, c *Config) {
	for _, n := range c.named() {
		if n.Path != "" && doc.Has(n.Role) {
			doc.Relative(n.Role, n.Path)
		}
	}
}

// checkThresholds looks at the numbers from which an alert is raised; 0 raises none.
func checkThresholds(doc *strictyaml.Document, c *Config) {
	a := c.Alerts
	doc.Within("store.keep_days", c.Store.KeepDays, 0, 36500)
	doc.Within("alerts.offline_seconds", a.OfflineSeconds, 1, 3600)
	doc.Within("alerts.escalate_seconds", a.EscalateSeconds, 1, 24*3600)
	doc.Within("alerts.pace_low", a.PaceLow, 0, 1000)
	doc.Within("alerts.pace_high", a.PaceHigh, 0, 1000)
	doc.Within("alerts.no_round_minutes", a.NoRoundMinutes, 0, 24*60)
	doc.Within("alerts.occupancy_low", a.OccupancyLow, 0, 100)
	doc.Within("alerts.occupancy_high", a.OccupancyHigh, 0, 100)
	above(doc, "alerts.pace_high", a.PaceLow, a.PaceHigh)
	above(doc, "alerts.occupancy_high", a.OccupancyLow, a.OccupancyHigh)
}

func above(doc *strictyaml.Document, path string, low, high int) {
	if high > 0 && high <= low {
		what := fmt.Sprintf("%d is not above the lower one, %d", high, low)
		doc.Refuse(path, what, "raise it, or remove one of the two")
	}
}

func checkBroker(doc *strictyaml.Document, c *Config) {
	m := c.MQTT
	configfile.CheckBroker(doc, m.Broker, m.Username, m.PasswordFile, m.CAFile, m.PasswordInClear)
	if m.Broker == "" {
		return // it is the one inside
	}
	b := c.broker()
	b.CAFile = "" // it need not be there yet
	if _, err := replica.NewMQTT(b); err != nil {
		what, _, _ := strings.Cut(err.Error(), ": use ")
		doc.Refuse("mqtt.broker", what, "write tcp://host:1883, or ssl://host:8883 for TLS")
	}
}

func checkStore(doc *strictyaml.Document, c *Config) {
	s := c.Store
	switch {
	case doc.Has("store.source") && s.SourceFile != "":
		doc.Refuse("store.source_file", "there is a source, too", "remove one of the two")
	case s.Source == "":
		doc.Refuse("store.source", "no database is named",
			"write the path of a SQLite file, or postgres://user@host/database")
	case !store.IsPostgres(s.Source) && !filepath.IsAbs(s.Source):
		doc.Refuse("store.source",
			fmt.Sprintf("%q is neither an absolute path nor the address of a PostgreSQL database",
				store.Redacted(s.Source)), "begin it with /, or write postgres://user@host/database")
	}
}

// checkShifts: figures are added up by the hour, so that a shift begins at a full one.
func checkShifts(doc *strictyaml.Document, c *Config) {
	for i, one := range c.Store.Shifts {
		path := fmt.Sprintf("store.shifts[%d]", i)
		same := func(other func(Shift) bool) bool { return slices.ContainsFunc(c.Store.Shifts[:i], other) }
		switch {
		case strings.TrimSpace(one.Name) == "" || len([]rune(one.Name)) > 20:
			doc.Refuse(path+".name", fmt.Sprintf("%q cannot be shown", one.Name),
				"write 1 to 20 characters, such as Late")
		case same(func(o Shift) bool { return o.Name == one.Name }):
			doc.Refuse(path+".name", fmt.Sprintf("%q is there twice", one.Name), "give each shift a name of its own")
		case time.Duration(one.Begins)%time.Hour != 0:
			what := fmt.Sprintf("%s is no full hour, and figures are added up by the hour", one.Begins)
			doc.Refuse(path+".begins", what, "write a full hour, such as 20:00")
		case same(func(o Shift) bool { return o.Begins == one.Begins }):
			what := fmt.Sprintf("another shift begins at %s, too", one.Begins)
			doc.Refuse(path+".begins", what, "remove one of the two")
		}
	}
	if len(c.Store.Shifts) > 0 && time.Duration(c.Store.DayBegins)%time.Hour != 0 {
		what := fmt.Sprintf("%s is no full hour, and figures of shifts are added up by the hour", c.Store.DayBegins)
		doc.Refuse("store.day_begins", what, "write a full hour, such as 06:00, or remove store.shifts")
	}
	if len(c.Store.Shifts) == 1 {
		doc.Refuse("store.shifts", "one shift does not divide the day", "add the others, or remove it")
	}
}

func checkWebhook(doc *strictyaml.Document, c *Config) {
	a := c.Alerts
	if u, err := url.Parse(a.Webhook); a.Webhook != "" && (err != nil || u.Scheme != "https" && u.Scheme != "http" ||
		u.Host == "" || u.User != nil) {
		doc.Refuse("alerts.webhook", "it is not the address of a site",
			"write such as https://pager.casino.example/alerts")
	}
	if a.WebhookSecretFile == "" && configfile.InClear(a.Webhook) {
		doc.Refuse("alerts.webhook",
			"what is sent there is neither signed nor encrypted: anybody on the way may read it, and send such alerts",
			"write https://, or add alerts.webhook_secret_file")
	}
	if a.Webhook == "" && a.WebhookSecretFile != "" {
		doc.Refuse("alerts.webhook_secret_file", "there is no webhook that it could sign",
			"add alerts.webhook, or remove this")
	}
}

func checkPush(doc *strictyaml.Document, c *Config) {
	a := c.Alerts
	if err := notify.Services(a.PushServices).Check(); err != nil {
		doc.Refuse("alerts.push_services", err.Error(),
			"write such as fcm.googleapis.com or *.push.apple.com, with :port where it is not 443")
	}
	for path, set := range map[string]bool{
		"alerts.push_contact":  a.PushContact != "",
		"alerts.push_key_file": a.PushKeyFile != "",
	} {
		if set && len(a.PushServices) == 0 {
			doc.Refuse(path, "no browser is called, so it would not be used",
				"add alerts.push_services, or remove this")
		}
	}
	if len(a.PushServices) == 0 {
		return
	}
	switch u, err := url.Parse(a.PushContact); {
	case a.PushContact == "":
		doc.Refuse("alerts.push_services", "push services want to know whom they may ask", "add alerts.push_contact")
	case err != nil || !(u.Scheme == "mailto" && strings.Contains(u.Opaque, "@") || u.Scheme == "https" &&
		u.Host != ""):
		doc.Refuse("alerts.push_contact", fmt.Sprintf("%q is neither an address of mail nor of a site", a.PushContact),
			"write such as mailto:it@casino.example")
	}
	if a.PushKeyFile == "" && (c.Store.SourceFile != "" || store.IsPostgres(c.Store.Source)) {
		doc.Refuse("alerts.push_services", "there is no place beside the database for the pit's key",
			"add alerts.push_key_file")
	}
}

// broker is how the broker is reached, but for its password.
func (c *Config) broker() replica.Broker {
	return replica.Broker{
		Site: c.Site, Reader: c.MQTT.Reader, Leaves: c.leaves(),
		Config: transport.Config{Broker: c.MQTT.Broker, Username: c.MQTT.Username, CAFile: c.MQTT.CAFile},
	}
}

// source is where the database is.
func (c *Config) source() (string, error) {
	if c.Store.SourceFile == "" {
		return c.Store.Source, nil
	}
	data, err := securefile.Item{Kind: securefile.DatabaseAddress, Path: c.Store.SourceFile}.Read(strictyaml.MaxSize)
	if err != nil {
		return "", fmt.Errorf("read store.source_file: %w; let the user that runs sabot-pit read it", err)
	}
	return strings.TrimSpace(string(data)), nil
}

// day is the house's gaming day.
func (c *Config) day() store.Day {
	return store.Day{Begins: time.Duration(c.Store.DayBegins), Zone: c.Store.TimeZone.Location}
}

// tables are those of the room.
func (c *Config) tables() (list []topic.Table, err error) {
	for _, name := range c.Tables {
		table, err := topic.NewTable(c.Site, name)
		if err != nil {
			return nil, err
		}
		list = append(list, table)
	}
	return list, nil
}
