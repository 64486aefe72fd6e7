package pit

import (
	"bytes"
	"fmt"
	"log/slog"

	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/pit/notify"
)

// openWebhook reads what a webhook needs, nil for none.
func openWebhook(c Config, p *Pit, log *slog.Logger) (*notify.Webhook, error) {
	if c.Alerts.Webhook == "" {
		return nil, nil
	}
	o := &notify.Webhook{Floor: p.Floor, URL: c.Alerts.Webhook, Turn: p.turn(), Log: log}
	if file := c.Alerts.WebhookSecretFile; file != "" {
		secret, err := securefile.Item{Kind: securefile.WebhookSecret, Path: file}.Read(strictyaml.MaxSize)
		if err != nil {
			return nil, fmt.Errorf("read alerts.webhook_secret_file: %w; let the user that runs sabot-pit read it", err)
		}
		if o.Secret = bytes.TrimSpace(secret); len(o.Secret) == 0 {
			return nil, fmt.Errorf("alerts.webhook_secret_file: %s is empty; write the key on one line", file)
		}
	}
	return o, nil
}
