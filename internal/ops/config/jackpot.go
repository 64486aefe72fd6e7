package config

import (
	"crypto/ed25519"
	"fmt"

	"github.com/sabot-table/sabot/pit/command"
)

// Jackpot says whom the table believes what is in a jackpot that it plays for with other tables. Without a key it
// believes nobody: a win waits until a supervisor lets the table go on alone.
type Jackpot struct {
	// Public is the public half of the pit's key.
	Public PublicKey `yaml:"public"`
}

// Known is the key, nil for none.
func (j Jackpot) Known() (ed25519.PublicKey, error) {
	if j.Public == "" {
		return nil, nil
	}
	key, err := command.KeyFile.ParseLine(string(j.Public))
	if err != nil {
		return nil, fmt.Errorf("jackpot.public: %w", err)
	}
	return key, nil
}

func (k checker) jackpot() {
	const path = "jackpot.public"
	j := k.config.Jackpot
	if j.Public == "" {
		return
	}
	if k.config.MQTT.Broker == "" && k.doc.Sound("mqtt.broker") {
		k.doc.Refuse(path, "would not be used: the table has no broker", "set mqtt.broker, or remove the key")
	}
	if _, err := j.Known(); err != nil {
		k.doc.Refuse(path, "is not a public key", "write what `sabot key command NAME FILE` printed, after public:")
	}
}
