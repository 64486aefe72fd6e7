package command

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/sabot-table/sabot/pit/topic"
)

// SenderOptions say who sends commands. Publish, Pit, KeyName and Key are required.
type SenderOptions struct {
	// Pit is who is answered, a name as a table's.
	Pit string
	// KeyName is the key's name in the tables' configurations, and Key its private half.
	KeyName string
	Key     ed25519.PrivateKey
	// Publish sends a message, not retained. It may wait for the broker. An error that is
	// [ErrNotSent] says that nothing has left; after any other the message may be under way.
	Publish func(ctx context.Context, topic string, payload []byte) error
	// Valid is how long a command may be taken after it was signed. Default 30 s.
	Valid time.Duration
	// Patience is how long a sender waits for an answer before it asks what became of the
	// command, and between two questions. Default 5 s.
	Patience time.Duration
}

// Sender sends commands to tables, and waits for what becomes of them. It is safe for concurrent
// use. Whoever has the connection to the broker subscribes to [Sender.Topics], and passes to Hear
// what comes.
type Sender struct {
	o  SenderOptions
	mu sync.Mutex
	// tables are the sessions of the tables that were heard, and waits who waits for the answer
	// to a command or a question, by its ID.
	tables map[topic.Table]heard
	waits  map[waited]chan topic.Answer
}

// waited is the command, or the question, whose answer somebody waits for. Another table may
// answer what was copied to it.
type waited struct {
	table topic.Table
	id    string
}

// heard is a table's session, and what is between its clock and this process's.
type heard struct {
	session string // "" for a table that takes no commands
	clock   time.Duration
	at      time.Time
}

// NewSender makes a sender.
func NewSender(o SenderOptions) (*Sender, error) {
	if err := errors.Join(checkName("the pit", o.Pit), checkName("the key", o.KeyName)); err != nil {
		return nil, err
	}
	if len(o.Key) != ed25519.PrivateKeySize || o.Publish == nil {
		return nil, errors.New("a sender of commands needs a key, and a way to the broker")
	}
	if o.Valid == 0 {
		o.Valid = 30 * time.Second
	}
	if o.Patience == 0 {
		o.Patience = 5 * time.Second
	}
	return &Sender{o: o, tables: map[topic.Table]heard{}, waits: map[waited]chan topic.Answer{}}, nil
}

// Topics are the subscriptions of a sender to the tables of a site: their health, and their
// answers.
func (s *Sender) Topics(site string) []string {
	return []string{topic.Filter(site, topic.Any, topic.KindHealth), topic.AnswerFilter(site, topic.Any, s.o.Pit)}
}

// Hear takes a message of a table. Others than those of Topics it passes over.
func (s *Sender) Hear(name string, payload []byte) {
	table, kind, err := topic.Parse(name)
	if err != nil {
		return
	}
	switch kind {
	case topic.KindHealth:
		var h topic.Health
		if json.Unmarshal(payload, &h) == nil {
			s.hearHealth(table, h.Commands)
		}
	case topic.KindAnswer:
		a, err := ParseAnswer(payload)
		if err != nil || name != table.Answer(s.o.Pit) {
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		select {
		case s.waits[waited{table, a.ID}] <- a:
		default: // nobody waits, or has it already
		}
	}
}

// mostTables is how many tables are heard: whoever may write to the broker can invent names.
const mostTables = 4096

// hearHealth notes a table's session. Of one session the message that took the shortest time
// tells its clock best.
func (s *Sender) hearHealth(table topic.Table, c *topic.Commands) {
	now := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.tables[table]; !known && len(s.tables) >= mostTables {
		return
	}
	if c == nil || checkHex("session", c.Session) != nil || c.Clock > uint64(mostClock) {
		s.tables[table] = heard{at: now}
		return
	}
	is := heard{c.Session, time.Duration(c.Clock) * time.Millisecond, now}
	if was := s.tables[table]; was.session == is.session && was.clock+now.Sub(was.at) > is.clock {
		return
	}
	s.tables[table] = is
}

// Open reports whether the table takes commands, as far as it was heard.
func (s *Sender) Open(table topic.Table) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tables[table].session != ""
}

// The errors of Send for a command that was not sent.
var (
	ErrNotHeard = errors.New("the table has not said yet whether it takes commands: is it connected?")
	ErrClosed   = errors.New("the table takes no commands: list the key under commands in its configuration")
	ErrNotSent  = errors.New("there is no connection to the broker")
)

// UnknownError is a command of which nobody knows what became of it: the table did not answer,
// and did not say when it was asked.
type UnknownError struct {
	Table topic.Table
	// ID is the command's. If it was carried out, the table's record has it.
	ID string
	// Why is the last thing that went wrong.
	Why error
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("what became of command %s to table %s is not known: %v; it expires soon, and if it was "+
		"carried out the table's record says so", e.ID, e.Table, e.Why)
}

func (e *UnknownError) Unwrap() error { return e.Why }

// Result is what became of a command that was sent.
type Result struct {
	ID string
	Became
	// Text is the reason in words, where the table said it so.
	Text string
}

// Send sends a command to a table, and waits until it is known what became of it, or ctx ends.
// It fills in what every command has, but for Person. The command is sent once; where no answer
// comes, the table is asked, and a command that it did not take by then it never will. An error
// other than an *UnknownError is a command that was not sent.
func (s *Sender) Send(ctx context.Context, table topic.Table, c Command) (Result, error) {
	c.ID = NewID()
	answers := s.wait(table, c.ID)
	defer s.forget(table, c.ID)
	sent, err := s.publish(ctx, table, c)
	if !sent {
		return Result{}, err
	}
	for {
		select {
		case a := <-answers:
			if a.State != Underway.String() {
				return Result{ID: c.ID, Became: became(a), Text: a.Text}, nil
			}
		case <-ctx.Done():
			if err == nil {
				err = ctx.Err()
			}
			return Result{}, &UnknownError{Table: table, ID: c.ID, Why: err}
		case <-time.After(s.o.Patience):
			var a topic.Answer
			a, err = s.ask(ctx, table, c)
			select {
			case late := <-answers: // the answer to the command itself: only it says why it was refused
				if late.State != Underway.String() {
					a, err = late, nil
				}
			default:
			}
			if err == nil && a.State != Underway.String() {
				return Result{ID: c.ID, Became: became(a), Text: a.Text}, nil
			}
		}
	}
}

// errSilent is a table that does not answer.
var errSilent = errors.New("the table does not answer")

// ask asks once what became of a command.
func (s *Sender) ask(ctx context.Context, table topic.Table, of Command) (topic.Answer, error) {
	question := Command{ID: NewID(), Person: of.Person, What: Outcome, Of: of.ID}
	answers := s.wait(table, question.ID)
	defer s.forget(table, question.ID)
	if _, err := s.publish(ctx, table, question); err != nil {
		return topic.Answer{}, err
	}
	select {
	case a := <-answers:
		if a.Of != of.ID {
			return a, fmt.Errorf("the table did not take the question: %s", a.Reason)
		}
		return a, nil
	case <-ctx.Done():
		return topic.Answer{}, ctx.Err()
	case <-time.After(s.o.Patience):
		return topic.Answer{}, errSilent
	}
}

// publish signs a command for the table's session and sends it. It reports whether it may have
// been sent.
func (s *Sender) publish(ctx context.Context, table topic.Table, c Command) (sent bool, err error) {
	s.mu.Lock()
	is, known := s.tables[table]
	s.mu.Unlock()
	switch {
	case !known:
		return false, ErrNotHeard
	case is.session == "":
		return false, ErrClosed
	}
	now := time.Now()
	c.Site, c.Table, c.Session, c.Pit = table.Site(), table.Name(), is.session, s.o.Pit
	c.Issued = now.UnixMilli()
	c.Expires = (is.clock + now.Sub(is.at) + s.o.Valid).Milliseconds()
	payload, err := Seal(c, s.o.KeyName, s.o.Key)
	if err != nil {
		return false, err
	}
	err = s.o.Publish(ctx, table.Topic(topic.KindCommand), payload)
	return !errors.Is(err, ErrNotSent), err
}

func (s *Sender) wait(table topic.Table, id string) chan topic.Answer {
	answers := make(chan topic.Answer, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waits[waited{table, id}] = answers
	return answers
}

func (s *Sender) forget(table topic.Table, id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.waits, waited{table, id})
}
