// Package settings asks the questions of which a table's configuration is made, and writes the answers into its file.
// The file stays the truth: what people wrote into it is kept, and what was there before each change is kept beside it.
package settings

import (
	"fmt"
	"sync"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/shoe/makes"
	"github.com/sabot-table/sabot/table/profile"
)

// Kind is how an answer is entered, and how it is written into the file.
type Kind string

// The kinds of answers.
const (
	// Choice is one of Field.Choices.
	Choice Kind = "choice"
	// Word is a part of an MQTT topic, Words any text on one line.
	Word  Kind = "word"
	Words Kind = "words"
	// Amount is an amount of money, as 10 or 10.50.
	Amount Kind = "amount"
	// Person is a name with a PIN, one of several.
	Person Kind = "person"
	// Line is a line of the panel.
	Line Kind = "line"
	// Secret and Authority, a certificate that is to be trusted, are kept in files of their own, which the key names.
	Secret    Kind = "secret"
	Authority Kind = "authority"
)

// Apart reports whether such an answer is kept in a file of its own.
func (k Kind) Apart() bool { return k == Secret || k == Authority }

// Field is a setting that is asked for. An optional one that is left open is not in the file.
type Field struct {
	config.Asked
	Kind Kind
	// Choices lists what may be chosen of a Choice.
	Choices func() []string
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

// Questions are all that is asked, in the order in which it is asked. What each asks for is in the rows of config. They
// are worked out when somebody asks for the first time: a table that deals asks for none.
var Questions = sync.OnceValue(func() (all []Question) {
	choices := map[string]func() []string{
		"language": display.Spoken, "house": profile.Built().Names, "shoe.driver": makes.Names,
	}
	asked := config.EveryAsked()
	for _, name := range []string{"language", "house", "table", "limits", "supervisor", "shoe", "keys", "pit"} {
		q := Question{Name: name}
		for _, one := range asked {
			if one.Question != name {
				continue
			}
			f := Field{Asked: one, Kind: Kind(one.Kind), Choices: choices[one.Key]}
			if f.Kind == Secret {
				f.For = []string{brokerKey, userKey, authorityKey}
			}
			q.Fields = append(q.Fields, f)
		}
		all = append(all, q)
	}
	return all
})

// brokerKey is the key of the broker, userKey that of the table's name there, and authorityKey that of what vouches for
// it.
const brokerKey, userKey, authorityKey = "mqtt.broker", "mqtt.username", "mqtt.ca_file"

// supervisors is the key of the list of those who have a PIN, and digitsKey that of how long a PIN is at least.
const supervisors, digitsKey = "supervisors.names", "supervisors.pin_digits"

// QuestionNamed is the question of a name.
func QuestionNamed(name string) (Question, bool) {
	for _, q := range Questions() {
		if q.Name == name {
			return q, true
		}
	}
	return Question{}, false
}

// fields are those of all questions.
func fields() (all []Field) {
	for _, q := range Questions() {
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
