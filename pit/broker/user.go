package broker

import (
	"crypto/hkdf"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"strings"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/sabot-table/sabot/pit/homeassistant"
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
	writes, reads := []string{homeassistant.Topic(t)}, []string{t.Topic(topic.KindHealth)}
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
	// enters is told which connection is a site's.
	enters func(connection uint64, site string)
}

func newDoor(users []User, enters func(uint64, string)) door {
	d := door{map[string]User{}, enters}
	for _, u := range users {
		d.users[u.Name] = u
	}
	return d
}

// Check says whether a client may connect. It takes as long for a name that nobody has. Who speaks MQTT is no leaf, and
// the other way round.
func (d door) Check(client server.ClientAuthentication) bool {
	said := client.GetOpts()
	u, known := d.users[said.Username]
	same := subtle.ConstantTimeCompare([]byte(said.Password), []byte(u.Password)) == 1
	if !known || !same || (u.leaf != "") != (client.Kind() == server.LEAF) {
		return false
	}
	client.RegisterUser(&server.User{Username: u.Name, Permissions: &server.Permissions{
		Publish:   &server.SubjectPermission{Allow: subjects(u.Writes)},
		Subscribe: &server.SubjectPermission{Allow: subjects(u.Reads)},
	}})
	if u.leaf != "" {
		d.enters(client.GetID(), u.leaf)
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
