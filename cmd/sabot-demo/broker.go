package main

import (
	"os"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/sim-hardware/broker"
)

// brokerUser is who may use the demonstration's broker. The password is another at each start, and printed: a page in a
// browser here can reach the broker's port, and does not know it.
const brokerUser = "demo"

// brokerFor is how the demonstration's own tables and pit reach its broker. The password is in a file next to the
// journal.
func brokerFor(b *broker.Broker, login broker.Login, journal string) (config.MQTT, error) {
	file := journal + ".mqtt"
	if err := os.Remove(file); err != nil && !os.IsNotExist(err) {
		return config.MQTT{}, err
	}
	return config.MQTT{Broker: "tcp://" + b.Addr(), Username: login.User, PasswordFile: file},
		os.WriteFile(file, []byte(login.Password+"\n"), 0o600)
}
