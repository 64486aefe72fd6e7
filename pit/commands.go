package pit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/pit/command"
	"github.com/sabot-table/sabot/pit/replica"
	"github.com/sabot-table/sabot/pit/topic"
)

// Commands says with which keys commands to the tables are signed. Without keys there are none.
type Commands struct {
	Keys []CommandKey `yaml:"keys"`
}

// CommandKey is a key whose public half tables know.
type CommandKey struct {
	// Name is the key's name in the tables' configurations.
	Name string `yaml:"name,required"`
	// File is the private half, of mode 0600.
	File string `yaml:"file,required"`
	// Person is in whose name alone it signs; empty for the pit's own, which signs for all others.
	Person string `yaml:"person"`
}

func (c Commands) check(doc *strictyaml.Document) {
	const path = "commands.keys"
	names, files, persons := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i, k := range c.Keys {
		at := fmt.Sprintf("%s[%d]", path, i)
		switch {
		case !clientName.MatchString(k.Name):
			doc.Refuse(at+".name", fmt.Sprintf("%q cannot name a key", k.Name),
				"write 1 to 32 characters of a-z, 0-9, _ and -, as in the tables' configurations")
		case names[k.Name]:
			doc.Refuse(at+".name", fmt.Sprintf("%q is in the list twice", k.Name), "give each key a name of its own")
		}
		switch {
		case doc.Relative(at+".file", k.File):
		case files[k.File]:
			doc.Refuse(at+".file", "is another line's key", "let sabot key command make a key for each")
		}
		switch {
		case k.Person == "" && persons[""]:
			doc.Refuse(at, "is a second key of the pit's own, and only one could be used",
				"write whose it is as person, or remove one")
		case k.Person != "" && command.CheckPerson(k.Person) != nil:
			doc.Refuse(at+".person", command.CheckPerson(k.Person).Error(),
				"write the name with which the person logs in to the pit")
		case k.Person != "" && persons[k.Person]:
			doc.Refuse(at+".person", fmt.Sprintf("%q has a key already", k.Person), "remove one")
		}
		names[k.Name], files[k.File], persons[k.Person] = true, true, true
	}
}

// commandValid is how long a table may take a command: pages wait a little longer for its answer, so that one without
// an answer has expired.
const commandValid = 18 * time.Second

// Desk sends commands to tables: with the key of whoever gives them, else with the pit's own.
type Desk struct {
	own     *command.Sender
	persons map[string]*command.Sender
	// may says whether a site's tables may be commanded from here.
	may  func(site string) bool
	line replica.Line // set before anything is sent
}

// openDesk reads the keys; nil without any.
func openDesk(c Config) (*Desk, error) {
	if len(c.Commands.Keys) == 0 {
		return nil, nil
	}
	d := &Desk{persons: map[string]*command.Sender{}, may: c.commands}
	for _, k := range c.Commands.Keys {
		key, err := command.KeyFile.Read(k.File)
		if err != nil {
			return nil, fmt.Errorf("the key %s for commands: %w", k.Name, err)
		}
		s, err := command.NewSender(command.SenderOptions{
			Pit: c.MQTT.Reader, KeyName: k.Name, Key: key, Publish: d.publish, Valid: commandValid,
			Patience: 3 * time.Second,
		})
		if err != nil {
			return nil, fmt.Errorf("the key %s for commands: %w", k.Name, err)
		}
		if k.Person == "" {
			d.own = s
		} else {
			d.persons[k.Person] = s
		}
	}
	return d, nil
}

// each yields the senders.
func (d *Desk) each(yield func(*command.Sender) bool) {
	if d.own != nil && !yield(d.own) {
		return
	}
	for _, s := range d.persons {
		if !yield(s) {
			return
		}
	}
}

// topics are what has to be heard. Every sender of a pit hears the same.
func (d *Desk) topics(site string) []string {
	for s := range d.each {
		return s.Topics(site)
	}
	return nil
}

func (d *Desk) publish(_ context.Context, topic string, payload []byte) error {
	err := d.line.Say(topic, payload)
	if errors.Is(err, replica.ErrAway) {
		return command.ErrNotSent
	}
	return err
}

// Hear takes a message of a table.
func (d *Desk) Hear(topic string, payload []byte) {
	for s := range d.each {
		s.Hear(topic, payload)
	}
}

// sender signs for a person, nil if there is no key.
func (d *Desk) sender(person string) *command.Sender {
	if s := d.persons[person]; s != nil {
		return s
	}
	return d.own
}

// Takes says whether a table takes commands in a person's name, as far as the pit knows.
func (d *Desk) Takes(table topic.Table, person string) bool {
	s := d.sender(person)
	return s != nil && d.may(table.Site()) && s.Open(table)
}

// Send sends a command, and waits for what becomes of it.
func (d *Desk) Send(ctx context.Context, table topic.Table, c command.Command) (command.Result, error) {
	s := d.sender(c.Person)
	if !d.may(table.Site()) {
		return command.Result{}, fmt.Errorf("the site %s is not commanded from here: its own pit is", table.Site())
	}
	if s == nil {
		return command.Result{}, fmt.Errorf("the pit has no key for %s: add one to commands.keys", c.Person)
	}
	return s.Send(ctx, table, c)
}
