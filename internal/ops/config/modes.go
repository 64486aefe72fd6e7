package config

import (
	"fmt"
	"slices"

	"github.com/sabot-table/sabot/internal/configfile"
	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/table/journal"
)

// named are the files that the configuration names.
func (c *Config) named() (all configfile.NamedFiles) {
	all.Add("house_file", securefile.HouseFile, c.HouseFile)
	all.Add("shoe.key_file", securefile.ShoeKey, c.Shoe.KeyFile)
	all.Add("journal.path", securefile.JournalFolder, c.Journal.Path)
	all.Add("journal.key_file", c.Journal.keyKind(), c.Journal.KeyFile)
	all.Add("journal.archive", securefile.Archive, c.Journal.Archive)
	all.Add("mqtt.password_file", securefile.Password, c.MQTT.PasswordFile)
	all.Add("mqtt.ca_file", securefile.Authority, c.MQTT.CAFile)
	all.Add("web.cert_file", securefile.Certificate, c.Web.CertFile)
	all.Add("web.key_file", securefile.PageKey, c.Web.KeyFile)
	for i, file := range c.Languages {
		all.Add(fmt.Sprintf("languages[%d]", i), securefile.LanguageFile, file)
	}
	return all
}

// Files lists the files that the table reads besides its configuration: what a copy of the table needs, but for its
// journal.
func (c *Config) Files() []configfile.Named {
	return slices.DeleteFunc(c.named(), func(n configfile.Named) bool {
		return n.Path == "" || n.Kind == securefile.JournalFolder || n.Kind == securefile.Archive
	})
}

// Kind is what the configuration itself is.
func (c *Config) Kind() securefile.Kind { return c.kind() }

// Sketch reads a configuration as far as it can be read without the files that it names: their paths, and how to reach
// the pit. Nothing in it has been checked but its form.
func Sketch(file string, data []byte) (Config, error) {
	c := Default()
	doc := strictyaml.Decode(file, data, &c)
	if err := doc.Faults().Err(); err != nil {
		return Config{}, err
	}
	c.sealWithBroker()
	c.nameClient()
	return c, nil
}

// Outline reads a configuration that cannot be used, so that it can be said where the table's journal, its page and its
// devices are; false if it does not say that. The rest is what it has, or as if it had not been written.
func Outline(file string, data []byte) (Config, bool) {
	c := Default()
	doc := strictyaml.Decode(file, data, &c)
	for _, key := range []string{"site", "table", "journal.path", "web.listen", "web.cert_file", "shoe.port"} {
		if !doc.Sound(key) {
			return Config{}, false
		}
	}
	return c, c.Site != "" && c.Table != ""
}

// kind is what the configuration itself is.
func (c *Config) kind() securefile.Kind {
	if len(c.Web.Screens) > 0 || len(c.Supervisors.Names) > 0 || len(c.Dealers.Names) > 0 {
		return securefile.Guarded
	}
	return securefile.Configuration
}

// judge refuses files and folders that others may read or change, for a table that a user runs; nil is whoever keeps
// the journal. What the table puts right at its start is no fault. The faults returned are the configuration's own.
func judge(doc *strictyaml.Document, c *Config, file string, by *securefile.User) strictyaml.Faults {
	if by == nil {
		user, err := securefile.RunBy(c.Journal.Path)
		if err != nil {
			doc.Refuse("journal.path", err.Error(), "name a folder that can be reached")
		}
		by = &user
	}
	for _, n := range c.named() {
		n.Judge(doc, *by)
	}
	if c.Journal.Path != "" {
		configfile.JudgeSecrets(doc, c.Journal.Path+configfile.NotesEnd, c.secrets())
	}
	configfile.JudgeKept(doc, "journal.path", c.Journal.KeepsBeside(), *by)
	return configfile.JudgeConfig(file, c.kind(), *by)
}

// secrets are those that are told to others.
func (c *Config) secrets() []configfile.Secret {
	m := c.MQTT
	if m.PasswordFile == "" || m.Broker == "" {
		return nil
	}
	return []configfile.Secret{
		configfile.BrokerSecret("mqtt.password_file", m.PasswordFile, m.Broker, m.Username, m.CAFile),
	}
}

// NoteSecrets remembers whom the table tells its secrets to: the next configuration may not send them elsewhere.
func (c *Config) NoteSecrets() (unusable, err error) {
	return configfile.NoteSecrets(c.Journal.Path+configfile.NotesEnd, c.secrets())
}

// PutsRight lists what the table puts right at its start: what other users may do with what it keeps, nil is whoever
// keeps the journal. The error is what keeps it from starting: Load has not looked at the journal's parts, which may be
// thousands, and the table looks at them itself.
func (c Config) PutsRight(by *securefile.User) ([]securefile.Fault, error) {
	if by == nil {
		user, err := securefile.RunBy(c.Journal.Path)
		if err != nil {
			return nil, err
		}
		by = &user
	}
	items, _, err := c.Journal.Keeps()
	if err != nil {
		return nil, err
	}
	faults, wrong := securefile.ToMend(items, *by)
	if wrong != nil {
		return nil, wrong
	}
	return faults, nil
}

// BackupLock is what the name of the file ends in, after the journal's path, that a backup holds: one at a time.
const BackupLock = ".backup.lock"

// Kept are the ends of the names of the files beside the journal in which the table keeps what survives a restart.
var Kept = []string{".people", ".screens", ".heard", ".home", ".updates", journal.CodesEnd}

// FacesEnd is what the name of the file ends in, after the journal's path, that keeps the key of the cards that lie
// face down. No backup has it: who reads a copy of the journal must not learn what nobody at the table may know yet.
const FacesEnd = ".faces"

// Memories are the ends of the names of all files by which a table that was used is known.
var Memories = append([]string{health.BackupEnd, journal.AuditKeyEnd, journal.PartsEnd, FacesEnd}, Kept...)

// keyKind is what the key is that seals the journal.
func (j Journal) keyKind() securefile.Kind {
	if j.makesKey {
		return securefile.OwnKey
	}
	return securefile.JournalKey
}

// Keeps are the files and folders that the table writes, and whose modes it puts right, with what a look at the parts
// found.
func (j Journal) Keeps() (items []securefile.Item, looked securefile.Looks, err error) {
	items = j.KeepsBeside()
	if j.makesKey {
		items = append(items, securefile.Item{Kind: securefile.OwnKey, Path: j.KeyFile})
	}
	folders, files, err := journal.Own(j.Path)
	for _, path := range folders {
		items = append(items, securefile.Item{Kind: securefile.JournalFolder, Path: path})
	}
	looked = securefile.Looks{}
	for _, file := range files {
		items = append(items, securefile.Item{Kind: securefile.JournalFile, Path: file.Path})
		looked[file.Path] = file.FileInfo
	}
	return items, looked, err
}

// KeepsBeside is what the table writes beside the journal.
func (j Journal) KeepsBeside() (items []securefile.Item) {
	for _, kept := range append([]string{configfile.NotesEnd}, Memories...) {
		items = append(items, securefile.Item{Kind: securefile.Kept, Path: j.Path + kept})
	}
	for _, lock := range []string{".lock", BackupLock} {
		items = append(items, securefile.Item{Kind: securefile.LockFile, Path: j.Path + lock})
	}
	return items
}
