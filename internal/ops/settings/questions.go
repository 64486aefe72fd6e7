// Package settings asks the questions of which a table's configuration is made, and writes the answers into its file.
// The file stays the truth: what people wrote into it is kept, and what was there before each change is kept beside it.
package settings

import (
	"fmt"
	"strconv"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/shoe/makes"
	"github.com/sabot-table/sabot/table/profile"
)

// Kind is how an answer is entered, and how it is written into the file.
type Kind int

// The kinds of answers.
const (
	// Choice is one of Field.Choices.
	Choice Kind = iota
	// Word is a part of an MQTT topic, Words any text on one line.
	Word
	Words
	// Amount is an amount of money, as 10 or 10.50.
	Amount
	// Person is a name with a PIN, one of several.
	Person
	// Line is a line of the panel.
	Line
	// Secret and Authority, a certificate that is to be trusted, are kept in files of their own, which the key names.
	Secret
	Authority
)

// Apart reports whether such an answer is kept in a file of its own.
func (k Kind) Apart() bool { return k == Secret || k == Authority }

// Field is one key of the file that is asked for.
type Field struct {
	// Key is where the answer is in the file.
	Key  string
	Kind Kind
	// Optional is one that may be left open: then it is not in the file.
	Optional bool
	// Choices lists what may be chosen of a Choice.
	Choices func() []string
	// Is is the answer that a configuration has, "" for none.
	Is func(config.Config) string
	// For are the keys that say who is told a Secret. With another value of one of them the secret that is kept is for
	// somebody else: it goes, unless it is answered with it.
	For []string
}

// Question is one step of the first start. How an answer is checked is the same for all: the file with the answer in it
// must be what sabot config check accepts.
type Question struct {
	// Name is what the page, the addresses and the documents call it.
	Name   string
	Fields []Field
}

// Questions are all that is asked, in the order in which it is asked.
var Questions = []Question{
	{"language", []Field{{Key: "language", Kind: Choice, Choices: display.Spoken, Is: func(c config.Config) string {
		return c.Language
	}}}},
	{"house", []Field{{Key: "house", Kind: Choice, Choices: profile.Built().Names, Is: func(c config.Config) string {
		return c.House
	}}}},
	{"table", []Field{
		{Key: "site", Kind: Word, Is: func(c config.Config) string { return c.Site }},
		{Key: "table", Kind: Word, Is: func(c config.Config) string { return c.Table }},
	}},
	{"limits", []Field{
		{Key: "min", Kind: Amount, Optional: true, Is: func(c config.Config) string { return amount(c.Min) }},
		{Key: "box_max", Kind: Amount, Optional: true, Is: func(c config.Config) string { return amount(c.BoxMax) }},
	}},
	{"supervisor", []Field{
		{Key: supervisors, Kind: Person, Is: supervisorNames},
		{Key: digitsKey, Kind: Amount, Optional: true, Is: func(c config.Config) string {
			return strconv.Itoa(c.Supervisors.PINDigits)
		}},
	}},
	{"shoe", []Field{
		{Key: "shoe.driver", Kind: Choice, Optional: true, Choices: makes.Names, Is: func(c config.Config) string {
			return c.Shoe.Driver
		}},
		{Key: "shoe.port", Kind: Words, Is: func(c config.Config) string { return c.Shoe.Port }},
	}},
	{"keys", keys()},
	{"pit", []Field{
		{Key: brokerKey, Kind: Words, Optional: true, Is: func(c config.Config) string { return c.MQTT.Broker }},
		{Key: userKey, Kind: Words, Optional: true, Is: func(c config.Config) string { return c.MQTT.Username }},
		{
			Key: "mqtt.password_file", Kind: Secret, Optional: true, Is: func(c config.Config) string {
				return c.MQTT.PasswordFile
			},
			For: []string{brokerKey, userKey, authorityKey},
		},
		{Key: authorityKey, Kind: Authority, Optional: true, Is: func(c config.Config) string { return c.MQTT.CAFile }},
	}},
}

// brokerKey is the key of the broker, userKey that of the table's name there, and authorityKey that of what vouches for
// it.
const brokerKey, userKey, authorityKey = "mqtt.broker", "mqtt.username", "mqtt.ca_file"

// supervisors is the key of the list of those who have a PIN, and digitsKey that of how long a PIN is at least.
const supervisors, digitsKey = "supervisors.names", "supervisors.pin_digits"

// QuestionNamed is the question of a name.
func QuestionNamed(name string) (Question, bool) {
	for _, q := range Questions {
		if q.Name == name {
			return q, true
		}
	}
	return Question{}, false
}

// fields are those of all questions.
func fields() (all []Field) {
	for _, q := range Questions {
		all = append(all, q.Fields...)
	}
	return all
}

// FieldOf is the field of a key.
func FieldOf(key string) (Field, error) {
	for _, f := range fields() {
		if f.Key == key {
			return f, nil
		}
	}
	return Field{}, fmt.Errorf("nobody is asked for %q", key)
}

// keys asks for the line of each of the dealer's keys.
func keys() (fields []Field) {
	for _, name := range (config.PerKey{}).Keys() {
		fields = append(fields, Field{
			Key: "keys." + name, Kind: Line, Optional: true,
			Is: func(c config.Config) string {
				return c.Keys.Dealer[name]
			},
		})
	}
	return fields
}

func amount(a config.Amount) string {
	if a == 0 {
		return ""
	}
	return a.String()
}

// supervisorNames lists them, one a line.
func supervisorNames(c config.Config) (names string) {
	for i, one := range c.Supervisors.Names {
		if i > 0 {
			names += "\n"
		}
		names += one.Name
	}
	return names
}
