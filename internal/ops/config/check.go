package config

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/display/lcd"
	"github.com/sabot-table/sabot/internal/configfile"
	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/shoe/makes"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

var (
	clientID = regexp.MustCompile(`^[A-Za-z0-9._:-]+$`)
	i2cBus   = regexp.MustCompile(`^/dev/i2c-(0|[1-9][0-9]*)$`)
)

// isTopicPart says whether a name may be a level of a topic. A regular expression of up to 32 characters has a state
// for each of them.
func isTopicPart(name string) bool {
	const of = "abcdefghijklmnopqrstuvwxyz0123456789_-"
	return name != "" && len(name) <= 32 && strings.Trim(name, of) == ""
}

// checker finds what is written correctly and still cannot be used. Each method checks one
// part of the configuration.
type checker struct {
	doc    *strictyaml.Document
	config *Config
}

func check(doc *strictyaml.Document, c *Config, houses profile.Book) {
	k := checker{doc, c}
	k.rows()
	k.names()
	k.doc.OneOf("language", c.Language, c.languages().Spoken()...)
	k.limits(houses)
	k.chips(houses)
	k.shoe()
	k.panel(houses)
	k.files()
	k.journal()
	k.mqtt()
	k.commands()
	k.jackpot()
	k.web()
	k.supervisors()
	k.dealers()
	k.alike()
	k.lcd()
	k.doc.OneOf("log.format", c.Log.Format, "text", "json")
}

func (k checker) names() {
	for path, name := range map[string]string{"site": k.config.Site, "table": k.config.Table} {
		if !isTopicPart(name) {
			k.doc.Refuse(path, fmt.Sprintf("%q cannot be part of an MQTT topic", name),
				"write 1 to 32 characters of a-z, 0-9, _ and -")
		}
	}
}

func (k checker) limits(houses profile.Book) {
	c := k.config
	if !k.doc.Has("house_file") {
		k.doc.OneOf("house", c.House, houses.Names()...)
	}
	if k.doc.Has("currency") && !money.IsCurrency(c.Currency) {
		k.doc.Refuse("currency", fmt.Sprintf("%q is no currency", c.Currency), rules.CurrencyHint)
	}
	if k.doc.Has("boxes") {
		k.doc.Within("boxes", c.Boxes, 1, rules.MaxBoxes)
	}
	if k.doc.Has("decks") {
		k.doc.Within("decks", c.Decks, 1, rules.MaxDecks)
	}
	if k.doc.Has("keys_apart_ms") && (c.KeysApart == 0 || c.KeysApart < -1 || c.KeysApart > rules.MaxKeysApart) {
		k.doc.Refuse("keys_apart_ms", fmt.Sprintf("%d is not a number of milliseconds between two calls", c.KeysApart),
			fmt.Sprintf("write 1 to %d, or -1 for never", rules.MaxKeysApart))
	}
	house, ok := houses[c.House]
	if !ok {
		k.amounts(rules.TableLimits{}) // what the file says contradicts itself in any house
		return
	}
	k.amounts(house.Table)
	k.playable(houses)
}

// playable refuses limits at which the house cannot be played, such as a box maximum
// that leaves nothing to stake on a side bet. What else is wrong with the table is the
// house's meanwhile.
func (k checker) playable(houses profile.Book) {
	limits := []string{"box_max", "min", "unit", "decks", "boxes", "currency", "call"}
	for _, path := range limits[:3] {
		if !k.doc.Sound(path) {
			return
		}
	}
	setup := k.config.Setup()
	for path, forget := range map[string]func(){
		"decks": func() { setup.Decks = 0 }, "boxes": func() { setup.Boxes = 0 },
		"currency": func() { setup.Currency = "" }, "call": func() { setup.Calls = "" },
		"keys_apart_ms": func() { setup.KeysApart = 0 },
	} {
		if !k.doc.Sound(path) {
			forget()
		}
	}
	var wrong rules.Complaints
	if _, err := houses.Set(setup); !errors.As(err, &wrong) {
		return
	}
	at := "house"
	path := wrong[0].Path // of the limit that is wrong; where the file does not have it, any of them
	keys := append([]string{path[strings.LastIndexByte(path, '.')+1:]}, limits...)
	if first := slices.IndexFunc(keys, k.doc.Has); first >= 0 {
		at = keys[first]
	}
	said := strings.ReplaceAll(wrong.Error(), "\n", ", and ")
	k.doc.Refuse(at, fmt.Sprintf("%s cannot be played with these limits: %s", k.config.House, said),
		"change the table's limits, or the house's rules")
}

// amounts checks the limits that will apply: the house's where the file has none, as far as
// the house is known. A fault is reported at the key that the file does have.
func (k checker) amounts(house rules.TableLimits) {
	c := k.config
	lowest, highest, unit := cmp.Or(c.Min, Amount(house.Min)), cmp.Or(c.BoxMax, Amount(house.BoxMax)),
		cmp.Or(c.Unit, Amount(house.Unit))
	if !k.doc.Sound("min") || !k.doc.Sound("box_max") || !k.doc.Sound("unit") {
		return
	}
	if highest > 0 && highest < lowest {
		k.doc.Refuse(k.written("box_max", "min"), fmt.Sprintf("the box maximum %s is below the minimum %s",
			k.text(highest), k.text(lowest)), "raise box_max or lower min")
	}
	k.multiple("min", "minimum", lowest, unit)
	k.multiple("box_max", "box maximum", highest, unit)
}

func (k checker) multiple(path, name string, amount, unit Amount) {
	if unit > 0 && amount%unit != 0 {
		k.doc.Refuse(k.written(path, "unit"), fmt.Sprintf("the %s %s is not a multiple of the unit %s", name,
			k.text(amount), k.text(unit)), "change one of the two")
	}
}

// text writes an amount as the file does.
func (k checker) text(amount Amount) string { return amount.Text(k.config.Digits()) }

// written returns the first path, or the second if the file has only that.
func (k checker) written(path, other string) string {
	if k.doc.Has(path) {
		return path
	}
	return other
}

func (k checker) shoe() {
	s := k.config.Shoe
	k.doc.OneOf("shoe.driver", s.Driver, makes.Names()...)
	m, err := makes.Named(s.Driver)
	if err == nil && s.Commands && !m.Commands {
		k.doc.Refuse("shoe.commands", fmt.Sprintf("a shoe of driver %s takes no commands", s.Driver), "remove it")
	}
	if _, err := device.ParseAddress(s.Port); err != nil {
		k.doc.Refuse("shoe.port", err.Error(), "")
	}
	if err == nil && s.KeyFile != "" && !m.Key {
		k.doc.Refuse("shoe.key_file", fmt.Sprintf("a shoe of driver %s shares no key with the table", s.Driver),
			"remove it")
	}
	k.packs(s.Packs)
}

// mostPacks is how many packs the screens offer: each has a key of the keyboard. mostText is
// how many bytes a text of a transcript may have.
const mostPacks, mostText = 9, 100

func (k checker) packs(names []string) {
	if len(names) > mostPacks {
		k.doc.Refuse("shoe.packs", fmt.Sprintf("%d packs do not fit the screen", len(names)),
			fmt.Sprintf("write at most %d", mostPacks))
	}
	for i, name := range names {
		path := fmt.Sprintf("shoe.packs[%d]", i)
		if err := authority.CheckName(name); err != nil || len(name) > mostText {
			k.doc.Refuse(path, fmt.Sprintf("%q cannot be a name of packs", name),
				"write 1 to 32 characters, without spaces around them")
		}
		if slices.Contains(names[:i], name) {
			k.doc.Refuse(path, fmt.Sprintf("%q is there twice", name), "remove one")
		}
	}
}

// files refuses relative paths: under a service manager they would mean files in a folder
// that nobody expects. Those of a house and of its languages were refused where they are opened.
func (k checker) files() {
	for _, n := range k.config.named() {
		opened := n.Kind == securefile.HouseFile || n.Kind == securefile.LanguageFile
		if !opened && (n.Path != "" || n.Kind == securefile.JournalFolder) {
			k.doc.Relative(n.Role, n.Path)
		}
	}
}

// journal refuses settings that would move records away too early, or into the journal itself.
func (k checker) journal() {
	j := k.config.Journal
	if j.Archive != "" && filepath.Clean(j.Archive) == filepath.Clean(j.Path) {
		k.doc.Refuse("journal.archive", "this is the journal's own folder",
			"name another one, preferably on another disk")
	}
}

func (k checker) mqtt() {
	m := k.config.MQTT
	brokers := strings.Fields(m.Broker)
	for i, address := range brokers {
		if slices.Contains(brokers[:i], address) {
			k.doc.Refuse("mqtt.broker", fmt.Sprintf("%q is in the list twice", withoutPassword(address)),
				"name each broker once")
			break
		}
		if !k.broker(address) {
			break
		}
	}
	configfile.CheckBroker(k.doc, m.Broker, m.Username, m.PasswordFile, m.CAFile, m.PasswordInClear)
	if m.ClientID != "" && (len(m.ClientID) > 128 || !clientID.MatchString(m.ClientID)) {
		k.doc.Refuse("mqtt.client_id", fmt.Sprintf("%q is not a name that every broker accepts", m.ClientID),
			"write 1 to 128 characters of letters, digits and . _ : -, or remove it")
	}
}

// broker refuses what is no broker's address, and returns false.
func (k checker) broker(address string) bool {
	const path, hint = "mqtt.broker", "write tcp://host:1883, or ssl://host:8883 for TLS"
	u, err := url.Parse(address)
	switch {
	case err != nil, u.Scheme != "tcp" && u.Scheme != "ssl", u.Hostname() == "", !isPort(u.Port()):
		k.doc.Refuse(path, fmt.Sprintf("%q is not the address of a broker", withoutPassword(address)), hint)
	case u.User != nil:
		k.doc.Refuse(path, "a user or password does not belong in the address",
			"use mqtt.username and mqtt.password_file")
	case u.Path != "" || u.RawQuery != "" || u.Fragment != "":
		k.doc.Refuse(path, fmt.Sprintf("%q continues after the port", address), hint)
	default:
		return true
	}
	return false
}

// withoutPassword removes a user and password from an address, for messages.
func withoutPassword(address string) string {
	if at := strings.LastIndexByte(address, '@'); at >= 0 {
		return "…" + address[at:]
	}
	return address
}

// loopback reports whether an address can be reached only from this machine.
func loopback(listen string) bool {
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// lcd accepts the addresses of the two expanders that such displays are sold with,
// PCF8574 and PCF8574A.
func (k checker) lcd() {
	l := k.config.LCD
	if !k.doc.Has("lcd") {
		return
	}
	if !i2cBus.MatchString(l.Bus) {
		what := fmt.Sprintf("%q is not an I2C bus", l.Bus)
		if !k.doc.Has("lcd.bus") {
			what = "is missing"
		}
		k.doc.Refuse("lcd.bus", what, "write it as /dev/i2c-1")
	}
	if a := l.Address; a&^0x07 != 0x20 && a&^0x07 != 0x38 {
		k.doc.Refuse("lcd.address", a.String()+" is not the address of a PCF8574",
			"write 0x20 to 0x27, or 0x38 to 0x3f for a PCF8574A")
	}
	if l.Columns != lcd.Columns || l.Rows != lcd.Rows {
		k.doc.Refuse(k.written("lcd.columns", "lcd.rows"),
			fmt.Sprintf("displays of %d by %d are not supported", l.Columns, l.Rows),
			fmt.Sprintf("use one with %d columns and %d rows", lcd.Columns, lcd.Rows))
	}
}

func isPort(s string) bool {
	n, err := strconv.ParseUint(s, 10, 16)
	return err == nil && n > 0 && s == strconv.FormatUint(n, 10)
}
