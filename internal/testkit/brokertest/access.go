package brokertest

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	mqtt "github.com/eclipse/paho.mqtt.golang"
)

// blocks are the indented blocks of a document.
var blocks = regexp.MustCompile(`(?m)(?:^    .*\n|^\n)+`)

// Block returns the indented block of a document that has a text, without its indent.
func Block(t testing.TB, file, with string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range blocks.FindAllString(string(text), -1) {
		if strings.Contains(block, with) {
			return regexp.MustCompile(`(?m)^ +`).ReplaceAllString(block, "")
		}
	}
	t.Fatalf("%s has no block with %q", file, with)
	return ""
}

// Password is that of a user whom AddUser added; nobody has none.
func Password(user string) string {
	if user == "" {
		return ""
	}
	return "secret-" + user
}

// AddUser adds a user to a file of passwords.
func AddUser(t testing.TB, file, user string) {
	t.Helper()
	args := []string{"-b", file, user, Password(user)}
	if _, err := os.Stat(file); err != nil {
		args = append([]string{"-c"}, args...)
	}
	if out, err := exec.Command("mosquitto_passwd", args...).CombinedOutput(); err != nil {
		t.Fatalf("mosquitto_passwd: %v: %s", err, out)
	}
}

// Login connects as a user, who takes what there is below the filters. The client's id is the user's name and what
// follows.
func Login(t testing.TB, addr, user, id string, take func(mqtt.Message), filters ...string) mqtt.Client {
	t.Helper()
	client := mqtt.NewClient(mqtt.NewClientOptions().AddBroker("tcp://" + addr).SetClientID(user + id).
		SetUsername(user).SetPassword(Password(user)).SetAutoReconnect(false))
	if token := client.Connect(); !token.WaitTimeout(Deadline) || token.Error() != nil {
		t.Fatal(token.Error())
	}
	t.Cleanup(func() { client.Disconnect(100) })
	for _, filter := range filters {
		token := client.Subscribe(filter, 1, func(_ mqtt.Client, m mqtt.Message) { take(m) })
		if !token.WaitTimeout(Deadline) || token.Error() != nil {
			t.Fatal(token.Error())
		}
	}
	return client
}
