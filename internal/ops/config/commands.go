package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/pit/command"
)

// Commands says which commands the table takes from the pit. Without keys it takes none.
type Commands struct {
	Keys []CommandKey `yaml:"keys"`
}

// CommandKey is a key that may give commands.
type CommandKey struct {
	Name   string       `yaml:"name,required"`
	Public PublicKey    `yaml:"public,required"`
	Person string       `yaml:"person"`
	May    []CommandMay `yaml:"may,required"`
}

// PublicKey is a public key's line. Faults do not repeat it: it may be a private key that was
// put there by mistake.
type PublicKey string

// UnmarshalText takes any text: check looks at it.
func (p *PublicKey) UnmarshalText(text []byte) error {
	*p = PublicKey(text)
	return nil
}

// CommandMay is what a key may do.
type CommandMay struct{ command.What }

// UnmarshalText reads what a key may do. Everyone may ask what became of a command.
func (m *CommandMay) UnmarshalText(text []byte) error {
	what, known := command.ParseWhat(string(text))
	if !known || what == command.Outcome {
		return errors.New("no command: write " + strings.Join(mayNames(), ", "))
	}
	m.What = what
	return nil
}

func mayNames() (names []string) {
	for what := range command.EveryWhat {
		if what != command.Outcome {
			names = append(names, what.String())
		}
	}
	return names
}

// Known are the keys as the table's gate knows them.
func (c Commands) Known() ([]command.Key, error) {
	var all []command.Key
	for _, one := range c.Keys {
		public, err := command.KeyFile.ParseLine(string(one.Public))
		if err != nil {
			return nil, fmt.Errorf("the key %s: %w", one.Name, err)
		}
		key := command.Key{Name: one.Name, Public: public, Person: one.Person}
		for _, may := range one.May {
			key.May = append(key.May, may.What)
		}
		all = append(all, key)
	}
	return all, nil
}

func (k checker) commands() {
	const path = "commands.keys"
	c := k.config.Commands
	if len(c.Keys) > 0 && k.config.MQTT.Broker == "" && k.doc.Sound("mqtt.broker") {
		k.doc.Refuse(path, "would not be used: the table has no broker", "set mqtt.broker, or remove the keys")
	}
	for i := range c.Keys {
		k.commandKey(c.Keys, i, fmt.Sprintf("%s[%d]", path, i))
	}
}

// commandKey checks one key. Its name is in every command, and its public half must be one's
// own: a key of two names could be withdrawn under one of them.
func (k checker) commandKey(all []CommandKey, i int, path string) {
	one := all[i]
	if !isTopicPart(one.Name) {
		k.doc.Refuse(path+".name", fmt.Sprintf("%q cannot name a key", one.Name),
			"write 1 to 32 characters of a-z, 0-9, _ and -")
	} else if slices.IndexFunc(all, func(o CommandKey) bool { return o.Name == one.Name }) < i {
		k.doc.Refuse(path+".name", fmt.Sprintf("%q is in the list twice", one.Name), "give each key a name of its own")
	}
	public, err := command.KeyFile.ParseLine(string(one.Public))
	same := func(o CommandKey) bool {
		other, err := command.KeyFile.ParseLine(string(o.Public))
		return err == nil && other.Equal(public)
	}
	if err != nil {
		k.doc.Refuse(path+".public", err.Error(),
			"let sabot key command NAME FILE make the line; the private key is never written here")
	} else if slices.IndexFunc(all, same) < i {
		k.doc.Refuse(path+".public", "is another line's key", "let sabot key command make a key for each")
	}
	if one.Person != "" {
		if err := command.CheckPerson(one.Person); err != nil {
			k.doc.Refuse(path+".person", err.Error(),
				"write the name as the record shall have it, or leave it out for a pit's key")
		}
	}
	if len(one.May) == 0 && k.doc.Sound(path+".may") {
		k.doc.Refuse(path+".may", "lists nothing: the key could do nothing", "write some of "+
			strings.Join(mayNames(), ", "))
	}
}
