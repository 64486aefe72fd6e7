package pit

import (
	"fmt"
	"log/slog"
	"net/url"

	"github.com/sabot-table/sabot/internal/configfile"
	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/pit/store"
)

// judge refuses files and folders that others may read or change, for a pit that a user runs; nil is whoever keeps the
// database. What the pit puts right at its start is no fault. The faults returned are the configuration's own.
func judge(doc *strictyaml.Document, c *Config, file string, by *securefile.User) strictyaml.Faults {
	if by == nil {
		user, err := c.runBy()
		if err != nil {
			doc.Refuse("store.source", err.Error(), "name a file that can be reached")
		}
		by = &user
	}
	for _, n := range c.named() {
		n.Judge(doc, *by)
	}
	if notes := c.notes(); notes != "" {
		configfile.JudgeSecrets(doc, notes, c.secrets())
	}
	configfile.JudgeKept(doc, "store.source", c.keeps(), *by)
	return configfile.JudgeConfig(file, c.kind(), *by)
}

// named are the files that the configuration names.
func (c *Config) named() (all configfile.NamedFiles) {
	all.Add("mqtt.password_file", securefile.Password, c.MQTT.PasswordFile)
	all.Add("mqtt.ca_file", securefile.Authority, c.MQTT.CAFile)
	all.Add("store.source_file", securefile.DatabaseAddress, c.Store.SourceFile)
	all.Add("alerts.webhook_secret_file", securefile.WebhookSecret, c.Alerts.WebhookSecretFile)
	all.Add("alerts.push_key_file", securefile.PushKey, c.pushKeyFile())
	all.Add("web.cert_file", securefile.Certificate, c.Web.CertFile)
	all.Add("web.key_file", securefile.PageKey, c.Web.KeyFile)
	all.Add("jackpots.key_file", securefile.CommandKey, c.Jackpots.KeyFile)
	for i, house := range c.HouseFiles {
		all.Add(fmt.Sprintf("house_files[%d]", i), securefile.HouseFile, house)
	}
	for i, key := range c.Commands.Keys {
		all.Add(fmt.Sprintf("commands.keys[%d].file", i), securefile.CommandKey, key.File)
	}
	if c.hasInside() {
		i := c.inside()
		all.Add("broker.cert_file", securefile.Certificate, i.CertFile)
		all.Add("broker.key_file", securefile.PageKey, i.KeyFile)
		all.Add("broker.secret_file", securefile.BrokerKey, i.SecretFile)
	}
	if c.Cluster != nil {
		all.Add("cluster.cert_file", securefile.Certificate, c.Cluster.CertFile)
		all.Add("cluster.key_file", securefile.PageKey, c.Cluster.KeyFile)
		all.Add("cluster.ca_file", securefile.Authority, c.Cluster.CAFile)
	}
	if c.Hub != nil {
		all.Add("hub.password_file", securefile.Password, c.Hub.PasswordFile)
		all.Add("hub.ca_file", securefile.Authority, c.Hub.CAFile)
	}
	if o := c.People.OpenID; o != nil {
		all.Add("people.openid.secret_file", securefile.ProviderSecret, o.SecretFile)
		all.Add("people.openid.ca_file", securefile.Authority, o.CAFile)
	}
	return all
}

// runBy is the user who runs the pit.
func (c *Config) runBy() (securefile.User, error) {
	if path := c.database(); path != "" {
		return securefile.RunBy(path)
	}
	return securefile.Own(), nil
}

// PutsRight lists what the pit puts right at its start: what other users may do with its database. By is as in LoadFor.
func (c *Config) PutsRight(by *securefile.User) ([]securefile.Fault, error) {
	if by == nil {
		user, err := c.runBy()
		if err != nil {
			return nil, err
		}
		by = &user
	}
	faults, _ := securefile.ToMend(c.keeps(), *by) // Load has refused what it does not
	return faults, nil
}

// kind is what the configuration itself is.
func (c *Config) kind() securefile.Kind {
	if u, err := url.Parse(c.Store.Source); store.IsPostgres(c.Store.Source) &&
		(err != nil || u.User != nil && u.Redacted() != u.String() || u.Query().Has("password")) {
		return securefile.Guarded
	}
	return securefile.Configuration
}

// database is the database's file, "" for one that is no file.
func (c *Config) database() string {
	if c.Store.SourceFile != "" || store.IsPostgres(c.Store.Source) {
		return ""
	}
	return c.Store.Source
}

// pushKeyFile is the file with the key with which browsers are called, "" for none.
func (c *Config) pushKeyFile() string {
	switch {
	case len(c.Alerts.PushServices) == 0:
		return ""
	case c.Alerts.PushKeyFile != "":
		return c.Alerts.PushKeyFile
	case c.database() != "":
		return c.database() + ".push.key"
	}
	return ""
}

// notes is the file that says whom the pit's secrets are for, "" where there is no place for it.
func (c *Config) notes() string {
	switch key := c.pushKeyFile(); {
	case c.database() != "":
		return c.database() + configfile.NotesEnd
	case key != "":
		return key + configfile.NotesEnd
	}
	return ""
}

// secrets are those that are told to others. The address of a database has its password in it, so the two are one.
func (c *Config) secrets() (all []configfile.Secret) {
	if m := c.MQTT; m.PasswordFile != "" {
		all = append(all, configfile.BrokerSecret("mqtt.password_file", m.PasswordFile, m.Broker, m.Username, m.CAFile))
	}
	if h := c.Hub; h != nil {
		all = append(all, configfile.BrokerSecret("hub.password_file", h.PasswordFile, h.Address, c.Site, h.CAFile))
	}
	if a := c.Alerts; a.WebhookSecretFile != "" {
		to := "another webhook" // the rest of an address is often a key
		if u, err := url.Parse(a.Webhook); err == nil {
			to = "the webhook at " + u.Host
		}
		all = append(all, configfile.Secret{
			At: "alerts.webhook_secret_file", Path: a.WebhookSecretFile, To: to,
			By: []string{a.Webhook},
		})
	}
	if o := c.People.OpenID; o != nil && o.SecretFile != "" {
		all = append(all, configfile.Secret{
			At: "people.openid.secret_file", Path: o.SecretFile, To: o.Issuer + " by the client " + o.Client,
			By: []string{o.Issuer, o.Client, o.CAFile},
		})
	}
	return all
}

// noteSecrets remembers whom the pit tells its secrets to: the next configuration may not send them elsewhere.
func (c *Config) noteSecrets(log *slog.Logger) {
	notes := c.notes()
	if notes == "" {
		return
	}
	unusable, err := configfile.NoteSecrets(notes, c.secrets())
	if unusable != nil {
		log.Error("the notes of whom the pit's secrets are for are not what it wrote: they were put aside, and the "+
			"secrets are for whom the configuration names", "err", unusable)
	}
	if err != nil {
		log.Warn("whom the pit's secrets are for could not be noted: the next configuration may name others for "+
			"them unnoticed", "err", err)
	}
}

// keeps are the files that the pit writes, and whose modes it puts right.
func (c *Config) keeps() (items []securefile.Item) {
	if path := c.database(); path != "" {
		for _, end := range []string{"", "-wal", "-shm"} {
			items = append(items, securefile.Item{Kind: securefile.Database, Path: path + end})
		}
	}
	if notes := c.notes(); notes != "" {
		items = append(items, securefile.Item{Kind: securefile.Kept, Path: notes})
	}
	return items
}

// putRight takes away what others may do with the database, which has hashes of passwords.
func (c *Config) putRight(log *slog.Logger) error {
	mended, err := securefile.Mend(c.keeps(), securefile.Own())
	securefile.Tell(log, mended)
	return err
}
