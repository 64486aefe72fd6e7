package people

import (
	"context"
	"time"

	"github.com/sabot-table/sabot/internal/site"
)

// Store keeps people, sessions, wrong tries and the log. Its methods may be called from any
// goroutine, and by several programs on one database.
type Store interface {
	// ReadPeople shows a state of the store; nothing is changed.
	ReadPeople(ctx context.Context, read func(Tx) error) error
	// ChangePeople makes all changes durable, or, where change or the store fails, none.
	// It may call change again where another program was in the way.
	ChangePeople(ctx context.Context, change func(Tx) error) error
}

// Tx is a look at the store, or a change of it.
type Tx interface {
	// Person returns a person by name, also one who was removed.
	Person(name string) (one Person, known bool, err error)
	// PersonBySubject returns the person whom a provider of identities knows by this subject.
	PersonBySubject(subject string) (one Person, known bool, err error)
	// Persons returns all people by name, also those who were removed.
	Persons() ([]Person, error)
	// PutPerson adds a person, or takes the place of the one of the same name.
	PutPerson(Person) error

	Session(ID) (one Session, known bool, err error)
	// Sessions returns a person's sessions, the one used last first.
	Sessions(name string) ([]Session, error)
	PutSession(Session) error
	EndSession(ID) error

	// Browser returns the name of the person who has entered with this browser before.
	Browser(ID) (name string, known bool, err error)
	PutBrowser(id ID, name string, at time.Time) error
	// ForgetBrowsers forgets all browsers of a person but the newest so many.
	ForgetBrowsers(name string, but int) error

	// Tries returns the wrong tries that are counted under a key, zero for none.
	Tries(key string) (Tries, error)
	// PutTries keeps them; zero ones are forgotten.
	PutTries(key string, t Tries) error
	// ForgetTries forgets those of all keys that begin so.
	ForgetTries(prefix string) error
	// Sweep forgets sessions that were not used since idle, or began before began, and tries
	// whose last was before tried.
	Sweep(idle, began, tried time.Time) error

	// Note adds an entry to the log and gives it its number. No entry is ever changed.
	Note(Entry) error
	// Notes returns entries of the log, the newest first.
	Notes(Query) ([]Entry, error)
}

// ID is what is kept of a browser's cookie.
type ID = site.SessionID

// Person is somebody who may enter, or might once.
type Person struct {
	Name string
	Role Role
	// Sites are those of a group that the person may see.
	Sites Sites
	// Password is its argon2id hash, "" for a person who enters by a provider of identities.
	Password string
	// StartUntil is until when the password may be used once, to choose another; zero for
	// one that the person has chosen.
	StartUntil time.Time
	// Subject is the provider's issuer and the person's name there, apart by a space; "" for
	// a person with a password.
	Subject string
	Added   time.Time
	// Removed is since when the person may not enter any more; zero for one who may. The
	// person is kept: the name stands in journals and logs, and nobody else gets it.
	Removed time.Time
}

// May says whether the person may do what takes at least a role.
func (p Person) May(least Role) bool { return p.Role.May(least) }

// Decides says whether the person may decide about people and read the log, which are those of all sites.
func (p Person) Decides() bool { return p.May(Manager) && !p.Sites.Limited() }

// Here reports whether the person may enter.
func (p Person) Here() bool { return p.Name != "" && p.Removed.IsZero() }

// Session is a browser in which a person has entered.
type Session struct {
	ID          ID
	Name        string
	Began, Used time.Time
	// From is the network address from which the person entered.
	From string
}

// Tries counts wrong tries.
type Tries struct {
	Wrong int
	// Last is when the last one was, and Until when the pause ends that it began.
	Last, Until time.Time
	// Told says that somebody who tried during this pause is on record.
	Told bool
}

// Entry is a line of the log.
type Entry struct {
	// Number counts 1, 2, 3, … without gaps.
	Number uint64
	At     time.Time
	// Who is the person; "" where nobody knows who it was, and for a command on the pit's
	// own computer.
	Who string
	// From is a network address, or "console USER" for a command.
	From string
	What What
	// About is the person, table or other thing that it was done to, if it was to one.
	About  string
	Detail string
}

// Query chooses entries of the log.
type Query struct {
	// Before leaves out those from this number on; 0 leaves out none.
	Before uint64
	// Who is by whom or about whom they are; "" is all.
	Who  string
	Most int
}
