// Package config reads the configuration of a table: one YAML file, which is
// checked completely before anything starts. deploy/sabot.example.yaml explains
// every key to the person who writes the file.
package config

import (
	"fmt"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/words"
	"github.com/sabot-table/sabot/internal/configfile"
	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

// Config is a configuration that has been checked.
type Config struct {
	// Site and Table name the table for the pit; both are parts of MQTT topics.
	Site  string `yaml:"site,required" ask:"table word" label:"first.site"`
	Table string `yaml:"table,required" ask:"table word" label:"first.name"`
	// House is the profile whose rules are played, never empty.
	House string `yaml:"house" ask:"house choice" label:"first.house"`
	// HouseFile is the house's own file with its profile; empty for a house that
	// comes with Sabot.
	HouseFile string `yaml:"house_file"`
	// Language is what Speaks returns: a language of Sabot or of Languages.
	Language string `yaml:"language" default:"en" ask:"language choice" label:"first.language"`
	// Languages are the files of the house's own languages.
	Languages []string `yaml:"languages"`

	// The table's own limits. A zero value leaves the house's.
	Currency string `yaml:"currency"`
	Min      Amount `yaml:"min" ask:"limits amount optional" label:"first.min"`
	// BoxMax bounds the main stakes on a box, before doubling and splitting.
	BoxMax Amount `yaml:"box_max" ask:"limits amount optional" label:"first.max"`
	// Unit is the smallest payable amount.
	Unit  Amount `yaml:"unit"`
	Boxes int    `yaml:"boxes"`
	Decks int    `yaml:"decks"`
	// Call is "required" or "implied": whether a card for a box needs a call.
	Call string `yaml:"call" one:"required implied"`
	// KeysApart is the least time between two different calls, in milliseconds; -1
	// for never, 0 for the house's.
	KeysApart int `yaml:"keys_apart_ms"`

	// Starts is "open" or "closed": what a table is that nobody has ever opened or closed.
	Starts string `yaml:"starts" default:"open" one:"open closed"`

	// Amounts says whether stakes are entered with their amounts; otherwise boxes are
	// only marked as played.
	Amounts bool `yaml:"amounts" default:"true"`
	// Chips are the values of the table's chips, the smallest first; empty for those of the
	// currency.
	Chips []Amount `yaml:"chips"`

	Shoe        Shoe           `yaml:"shoe"`
	Keys        Keys           `yaml:"keys"`
	LongPress   LongPress      `yaml:"long_press"`
	Signals     Signals        `yaml:"signals"`
	Journal     Journal        `yaml:"journal"`
	MQTT        MQTT           `yaml:"mqtt"`
	Commands    Commands       `yaml:"commands"`
	Jackpot     Jackpot        `yaml:"jackpot"`
	Web         Web            `yaml:"web"`
	LCD         LCD            `yaml:"lcd"`
	Supervisors Supervisors    `yaml:"supervisors"`
	Dealers     Dealers        `yaml:"dealers"`
	Log         configfile.Log `yaml:"log"`

	// amountsIn is the currency in which the amounts are written, "" for one of hundredths.
	amountsIn string
	// own are the rules of HouseFile, nil without one.
	own *profile.House
	// spoken are the languages with those of Languages, nil without any.
	spoken *display.Library
}

// Digits is how many decimals the amounts have.
func (c Config) Digits() int { return money.Digits(c.amountsIn) }

// StartsClosed is a table that a supervisor has to open first.
const StartsClosed = "closed"

// Shoe is the card-reading shoe and the port that it is plugged into.
type Shoe struct {
	// Driver is the language that the shoe speaks, one of makes.Names.
	Driver string `yaml:"driver" default:"sabot" ask:"shoe choice optional" label:"first.make"`
	// Port is an address that device.ParseAddress reads.
	Port string `yaml:"port,required" ask:"shoe words" label:"first.port"`
	// Baud is the speed of a serial port in bits per second, 0 for the usual one of the make.
	Baud int `yaml:"baud" range:"300 4000000"`
	// KeyFile is the file that Key reads; empty for a shoe without a key.
	KeyFile string `yaml:"key_file"`
	// Commands allows the daemon to send commands to a shoe that acts on them.
	Commands bool `yaml:"commands"`
	// Packs are the packs that the house loads it with, as the screens offer them.
	Packs []string `yaml:"packs"`
	// Keys are what the keys do that are wired to the shoe.
	Keys ShoeKeys `yaml:"keys"`
}

// Journal is the record of everything that happens at the table.
type Journal struct {
	// Path is the journal's folder.
	Path string `yaml:"path" default:"/var/lib/sabot/journal"`
	// KeyFile holds the private key that seals the journal; empty for none. A table with a broker always has one.
	KeyFile string `yaml:"key_file"`
	// makesKey says that the configuration names none, and that the table makes it at its first start.
	makesKey bool
	// DayBegins is when a gaming day begins, and with it a new part of the journal.
	DayBegins configfile.ClockTime `yaml:"day_begins" default:"06:00"`
	// PackDays is the number of days after which a finished part is compressed, 0 for never.
	PackDays int `yaml:"pack_days" default:"2" range:"0 36500"`
	// Archive is the folder to which old parts are moved; empty for none: then all parts
	// stay.
	Archive string `yaml:"archive"`
	// KeepDays is how long parts stay at least, if there is an archive and enough space.
	KeepDays int `yaml:"keep_days" default:"400" range:"1 36500"`
	// FreeMin is how much space must stay free: with less, parts are moved earlier.
	FreeMin Size `yaml:"free_min" default:"500 MB"`
}

// MQTT is the connection to the pit.
type MQTT struct {
	// Broker is tcp://host:port, or ssl://host:port for TLS; several brokers of one cluster are separated by spaces, in
	// the order in which the table prefers them; empty for none.
	Broker string `yaml:"broker" ask:"pit words optional" label:"first.broker"`
	// Username is the table's name at the broker; empty to connect without one.
	Username string `yaml:"username" ask:"pit words optional" label:"first.user"`
	// PasswordFile is the file that Password reads; empty for none.
	PasswordFile string `yaml:"password_file" ask:"pit secret optional" label:"first.password"`
	// PasswordInClear allows the password to cross a network to a broker without TLS.
	PasswordInClear bool `yaml:"password_in_clear"`
	// ClientID is the connection's name at the broker, never empty.
	ClientID string `yaml:"client_id"`
	// CAFile is the PEM file with the certificates that vouch for the broker; empty
	// for the system's.
	CAFile string `yaml:"ca_file" ask:"pit authority optional" label:"first.authority"`
	// HomeAssistant announces the table to Home Assistant, over the same broker.
	HomeAssistant bool `yaml:"home_assistant"`
	// Window is how many messages may wait for the broker's acknowledgement.
	Window int `yaml:"window" default:"64" range:"1 1024"`
}

// LCD is the character display next to the cards, of 20 columns and 4 rows.
type LCD struct {
	// Bus is the device file of the I2C bus that it is on; empty for no display.
	Bus string `yaml:"bus"`
	// Address is the address of its expander on the bus.
	Address I2CAddress `yaml:"address" default:"0x27"`
	Columns int        `yaml:"columns" default:"20"`
	Rows    int        `yaml:"rows" default:"4"`
	// Backlight is whether its light is on while it shows something.
	Backlight bool `yaml:"backlight" default:"true"`
}

// Load reads the configuration from a file, and the house's own files if it names
// any. The houses are those that come with Sabot. The error holds all faults of all
// files at once, as strictyaml.Faults; the configuration is then empty. It is a fault, too,
// if others than the user who runs the table may read or change what only that user may.
func Load(path string, houses profile.Book) (Config, error) { return LoadFor(nil, path, houses) }

// LoadFor is Load for a table that a given user runs; nil is whoever keeps the journal, for root, and whoever asks.
func LoadFor(by *securefile.User, path string, houses profile.Book) (Config, error) {
	data, err := readFile(path)
	if err != nil {
		return Config{}, fmt.Errorf("read the configuration: %w; write one, with sabot.example.yaml as a model", err)
	}
	return ParseFor(by, path, data, houses)
}

// ParseFor is LoadFor with another text in the file's place.
func ParseFor(by *securefile.User, path string, data []byte, houses profile.Book) (Config, error) {
	return parse(path, data, houses, func(doc *strictyaml.Document, c *Config) strictyaml.Faults {
		return judge(doc, c, path, by)
	})
}

// Parse reads the configuration from data; file is its name in faults. Otherwise
// it does what Load does, except for modes and owners.
func Parse(file string, data []byte, houses profile.Book) (Config, error) {
	return parse(file, data, houses, func(*strictyaml.Document, *Config) strictyaml.Faults { return nil })
}

func parse(file string, data []byte, houses profile.Book,
	judge func(*strictyaml.Document, *Config) strictyaml.Faults,
) (Config, error) {
	return parseIn("", file, data, houses, judge)
}

// parseIn reads the amounts in a currency, and all again where the house turns out to have one with other decimals.
func parseIn(currency, file string, data []byte, houses profile.Book,
	judge func(*strictyaml.Document, *Config) strictyaml.Faults,
) (Config, error) {
	c := Default()
	c.amountsIn = currency
	doc := strictyaml.DecodeIn(currency, file, data, &c)
	c.sealWithBroker()
	inFiles := judge(doc, &c) // before any of its files is opened
	inFiles = append(inFiles, openLanguages(doc, &c)...)
	inFiles = append(inFiles, openHouse(doc, &c, houses)...)
	if house := c.Houses(houses)[c.House]; house != nil && house.Digits() != c.Digits() {
		return parseIn(house.Table.Currency, file, data, houses, judge)
	}
	check(doc, &c, c.Houses(houses))
	if err := append(doc.Faults(), inFiles...).Err(); err != nil {
		return Config{}, err
	}
	c.nameClient()
	return c, nil
}

// nameClient names the connection to the broker where the configuration does not.
func (c *Config) nameClient() {
	if c.MQTT.ClientID == "" {
		c.MQTT.ClientID = "sabot-" + c.Site + "-" + c.Table
	}
}

// ownKey ends the name of the journal's key, after the journal's path, where the configuration names none.
const ownKey = ".own-key"

// sealWithBroker gives a table with a broker a key, from its first start on: without one it would have to believe
// whatever the broker says that it told before, and anybody who may write there could hold it at every start.
func (c *Config) sealWithBroker() {
	if c.MQTT.Broker != "" && c.Journal.KeyFile == "" && strictyaml.Absolute(c.Journal.Path) {
		c.Journal.KeyFile, c.Journal.makesKey = c.Journal.Path+ownKey, true
	}
}

// readFile reads no more of a file than it takes to see that it is too large.
func readFile(path string) ([]byte, error) { return strictyaml.ReadFile(securefile.Open(path)) }

// Houses returns the book with the house of HouseFile, if there is one.
func (c Config) Houses(book profile.Book) profile.Book {
	if c.own == nil {
		return book
	}
	return book.With(c.own)
}

// Speaks returns the language in which the displays start, English where none is
// written, in the words of the houses.
func (c Config) Speaks(houses profile.Book) display.Language {
	book := c.Houses(houses)
	all := c.languages().With(book.Words(), book.Shufflers()...)
	if l, ok := all.Speak(c.Language); ok {
		return l
	}
	l, _ := all.Speak(words.English)
	return l
}

func (c Config) languages() *display.Library {
	if c.spoken == nil {
		return display.BuiltIn()
	}
	return c.spoken
}

// Authority returns what the table demands of supervisors and dealers: everything but Noted
// and Keep.
func (c Config) Authority() (authority.Options, error) {
	o, err := c.Supervisors.Authority()
	if err != nil {
		return o, err
	}
	o.Dealers = c.Dealers.Proof
	o.People, err = c.Dealers.people()
	return o, err
}

// Setup returns what the table changes of its house's profile.
func (c Config) Setup() rules.Setup {
	return rules.Setup{
		House: c.House, Currency: c.Currency, Calls: c.Call, Boxes: c.Boxes, Decks: c.Decks,
		Min: int64(c.Min), BoxMax: int64(c.BoxMax), Unit: int64(c.Unit), KeysApart: c.KeysApart,
	}
}
