package pit

import (
	"log/slog"
	"os"
	"path/filepath"

	"github.com/sabot-table/sabot/internal/configfile"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/pit/replica"
)

// usable refuses what is named and cannot be used: a file that is not there, or that does not fit another. It opens
// them as the start does, so that check-config and the start judge alike.
func usable(doc *strictyaml.Document, c *Config) {
	refuse := func(at string, err error, todo string) {
		if err != nil {
			doc.Refuse(at, err.Error(), todo)
		}
	}
	_, err := c.password()
	refuse("mqtt.password_file", err, "write the file, or name another")
	if c.MQTT.CAFile != "" {
		_, err := replica.NewMQTT(c.broker())
		refuse("mqtt.ca_file", err, "write the file, or name another")
	}
	if c.Web.CertFile != "" && c.Web.KeyFile != "" {
		_, err := site.OpenCertificate(c.Web.CertFile, c.Web.KeyFile, slog.New(slog.DiscardHandler))
		refuse("web.cert_file", err, "name a certificate and its own key")
	}
	_, err = openDesk(*c)
	refuse("commands.keys", err, "write the key's file, or name another")
	_, err = c.source()
	refuse("store.source_file", err, "write the file, or name another")
	if path := c.database(); path != "" {
		_, err := os.Stat(filepath.Dir(path))
		refuse("store.source", err, "make the folder, or name another")
	}
}

// password is the broker's, "" for none.
func (c *Config) password() (string, error) {
	return configfile.Password("mqtt.password_file", c.MQTT.PasswordFile)
}
