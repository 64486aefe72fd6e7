package broker

import (
	"crypto/hkdf"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"log/slog"
	"strings"
	"sync"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/sabot-table/sabot/pit/topic"
)

// SecretLength is how many random bytes the secret has of which the passwords are made.
const SecretLength = 32

// User is who may connect, and what they may say and hear, as MQTT's topics.
type User struct {
	Name, Password string
	Writes, Reads  []string
	// leaf is the site that connects as a leaf by this name; "" for who speaks MQTT.
	leaf string
}

// Users are all who may connect: each table, each reader, each site of a hub, and the pit itself.
func (c *Config) Users() []User {
	all := make([]User, 0, len(c.Tables)+len(c.Readers)+1)
	for _, t := range c.Tables {
		all = append(all, c.table(t))
	}
	sites := []string{c.Site}
	if c.Sites != nil {
		for _, name := range c.Sites.Names {
			all, sites = append(all, c.site(name)), append(sites, name)
		}
	}
	var writes, reads []string
	for _, site := range sites {
		reads = append(reads, topic.Prefix+"/"+site+"/#")
		for _, kind := range topic.Kinds() {
			if kind.ByReaders() {
				writes = append(writes, topic.Filter(site, topic.Any, kind))
			}
		}
	}
	for _, name := range c.Readers {
		all = append(all, c.named("reader-"+name, nil, append(reads[:len(reads):len(reads)], "homeassistant/#")))
	}
	return append(all, c.named("pit", writes, reads))
}

// TableUser is the name by which a table connects.
func TableUser(table string) string { return "table-" + table }

// table writes its own topics, and reads what readers write to it, and its own health.
func (c *Config) table(t topic.Table) User {
	writes, reads := []string{topic.HomeAssistantTopic(t)}, []string{t.Topic(topic.KindHealth)}
	for _, kind := range topic.Kinds() {
		switch {
		case kind.ByReaders():
			reads = append(reads, t.Topic(kind))
		default:
			writes = append(writes, topic.Filter(t.Site(), t.Name(), kind))
		}
	}
	return c.named(TableUser(t.Name()), writes, reads)
}

// named is a user whose password follows from the secret and the name: nobody has to keep a list of passwords, all
// nodes of a cluster have the same, and a new secret makes all of them anew.
func (c *Config) named(name string, writes, reads []string) User {
	const bytes = 20 // 160 bits, 32 characters
	key, err := hkdf.Key(sha256.New, c.Secret, nil, "sabot broker "+c.Site+" "+name, bytes)
	if err != nil {
		panic(err) // only for more bytes than SHA-256 gives
	}
	return User{
		Name: name, Password: strings.ToLower(base32.StdEncoding.EncodeToString(key)), Writes: writes,
		Reads: reads,
	}
}

// door lets clients and leaves in, each with its own permissions.
type door struct {
	users map[string]User
	log   *slog.Logger
	// enters is told which connection is a site's.
	enters func(site string, connection server.ClientAuthentication)
	// connections counts those of a user, with the one that asks.
	connections func(user string) int

	mu   sync.Mutex
	full map[string]bool // who has too many: it was logged
}

func newDoor(users []User, log *slog.Logger, enters func(string, server.ClientAuthentication)) *door {
	d := &door{users: map[string]User{}, log: log, enters: enters, full: map[string]bool{}}
	for _, u := range users {
		d.users[u.Name] = u
	}
	return d
}

// holds has the door count the connections of a server.
func (d *door) holds(s *server.Server) {
	d.connections = func(user string) int {
		all, err := s.Connz(&server.ConnzOptions{Username: true, User: user})
		if err != nil {
			return 0 // only for options that contradict each other
		}
		return all.NumConns
	}
}

// hasRoom says whether a user may have one more connection: a program that connects again and again, or somebody who
// has a table's password, takes nothing from the others.
func (d *door) hasRoom(user string) bool {
	full := d.connections(user) > mostOfUser
	d.mu.Lock()
	defer d.mu.Unlock()
	if full && !d.full[user] {
		d.log.Warn("A USER OF THE BROKER HAS TOO MANY CONNECTIONS, and gets no more: look at which programs use its "+
			"password", "user", user, "most", mostOfUser)
	}
	d.full[user] = full
	return !full
}

// Check says whether a client may connect. It takes as long for a name that nobody has. Who speaks MQTT is no leaf, and
// the other way round.
func (d *door) Check(client server.ClientAuthentication) bool {
	said := client.GetOpts()
	u, known := d.users[said.Username]
	same := subtle.ConstantTimeCompare([]byte(said.Password), []byte(u.Password)) == 1
	if !known || !same || (u.leaf != "") != (client.Kind() == server.LEAF) || !d.hasRoom(u.Name) {
		return false
	}
	client.RegisterUser(&server.User{Username: u.Name, Permissions: &server.Permissions{
		Publish:   &server.SubjectPermission{Allow: subjects(u.Writes)},
		Subscribe: &server.SubjectPermission{Allow: subjects(u.Reads)},
	}})
	if u.leaf != "" {
		d.enters(u.leaf, client)
	}
	return true
}

// subjects are topics and filters of MQTT as NATS writes them. Of an empty list NATS would allow everything.
func subjects(topics []string) []string {
	if len(topics) == 0 {
		return []string{"nothing"}
	}
	all := make([]string, 0, len(topics))
	for _, one := range topics {
		all = append(all, strings.NewReplacer("/", ".", "+", "*", "#", ">").Replace(one))
		if above, is := strings.CutSuffix(one, "/#"); is { // in MQTT the level above belongs to it
			all = append(all, strings.ReplaceAll(above, "/", "."))
		}
	}
	return all
}
