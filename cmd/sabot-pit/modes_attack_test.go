package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	signed "github.com/sabot-table/sabot/pit/command"
)

// nobody is a user without rights.
const nobody = 65534

// guardedPit is a pit with every kind of file that a configuration names. The folder is one that others can enter.
func guardedPit(t *testing.T) (at func(string) string, config, text string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "sabot-pit-modes-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	at = func(name string) string { return filepath.Join(dir, name) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Chmod(dir, 0o755))
	for _, folder := range []string{"etc", "lib", "keys"} {
		must(os.Mkdir(at(folder), 0o755))
	}
	cert, key, err := site.SelfSigned([]string{"127.0.0.1"}, time.Now().Add(-time.Hour),
		time.Now().AddDate(0, 1, 0))
	must(err)
	_, err = signed.KeyFile.New(at("keys/command.key"))
	must(err)
	for name, content := range map[string]string{
		"etc/own.yaml": "extends: wiesbaden\nhouse: own\n", "keys/password": "guess me\n",
		"keys/webhook": "sign with me\n", "keys/openid": "a secret\n",
		"etc/page.crt": string(cert), "keys/page.key": string(key), "etc/ca.crt": string(cert),
	} {
		must(os.WriteFile(at(name), []byte(content), 0o600))
	}
	text = fmt.Sprintf(`site: wiesbaden
house_files: [%s]
mqtt: {broker: "ssl://127.0.0.1:1", username: pit, password_file: %s, ca_file: %s}
store: {source: %s, time_zone: Europe/Berlin}
alerts: {webhook: "https://127.0.0.1:1/", webhook_secret_file: %s}
commands: {keys: [{name: desk, file: %s}]}
web: {listen: "%s", cert_file: %s, key_file: %s, public: "https://127.0.0.1"}
people: {openid: {name: House, issuer: "https://127.0.0.1:1", client: pit, secret_file: %s, roles: [{group: it, role: technician}]}}
`, at("etc/own.yaml"), at("keys/password"), at("etc/ca.crt"), at("lib/pit.db"), at("keys/webhook"), at("keys/command.key"),
		system.Address(t), at("etc/page.crt"), at("keys/page.key"), at("keys/openid"))
	must(os.WriteFile(at("etc/pit.yaml"), []byte(text), 0o600))
	return at, at("etc/pit.yaml"), text
}

// TestAttackPitModes: check-config and a start refuse what other users can read, change or replace, in the same words.
func TestAttackPitModes(t *testing.T) {
	at, config, _ := guardedPit(t)
	if ended := checked(t, config); ended.Status != exitOK {
		t.Fatalf("with all modes right: %+v", ended)
	}
	tries, through := 0, 0
	try := func(name, how, says string) {
		tries += 2
		checked := checked(t, config)
		if checked.Status == exitOK || !strings.Contains(checked.Err, says) {
			through++
			t.Errorf("%s, %s: check-config takes it: %+v", name, how, checked)
			return
		}
		if started := refused(t, config); started.Status != exitConfig || started.Err != checked.Err {
			through++
			t.Errorf("%s, %s: the start takes it: %+v", name, how, started)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, modes := range map[string][]os.FileMode{
		"etc/pit.yaml": {0o602, 0o666}, "etc/own.yaml": {0o602, 0o666}, "etc/page.crt": {0o602}, "etc/ca.crt": {0o602},
		"keys/password": {0o602, 0o604, 0o644, 0o660}, "keys/webhook": {0o604, 0o660}, "keys/openid": {0o604, 0o660},
		"keys/page.key": {0o604, 0o660}, "keys/command.key": {0o604, 0o640},
		"etc": {0o757, 0o777}, "keys": {0o757}, "lib": {0o757},
	} {
		path := at(name)
		info, err := os.Stat(path)
		must(err)
		for _, bad := range modes {
			must(os.Chmod(path, bad))
			try(name, fmt.Sprintf("%#o", bad), "other users can ")
		}
		must(os.Chmod(path, info.Mode().Perm()))
		if info.IsDir() {
			continue
		}
		if os.Geteuid() == 0 {
			must(os.Chown(path, nobody, -1))
			try(name, "another's", "belongs to the user")
			must(os.Chown(path, 0, -1))
		}
		must(os.Rename(path, path+".good"))
		must(syscall.Mkfifo(path, 0o600))
		try(name, "a pipe", "not a regular file")
		must(os.Remove(path))
		must(os.Rename(path+".good", path))
	}
	attack.Report(t, "files and folders of the pit open to other users", tries, through)
}

// TestAttackPitDatabase: whatever the umask is, other users cannot read the pit's database, and one that they could
// read is closed by the start, which tells it.
func TestAttackPitDatabase(t *testing.T) {
	tier.Soak(t, "a built program is attacked for seconds")
	at, config, _ := guardedPit(t)
	tries, through := 0, 0
	closed := func() {
		t.Helper()
		for _, end := range []string{"", "-wal", "-shm"} {
			info, err := os.Stat(at("lib/pit.db" + end))
			if os.IsNotExist(err) && end != "" {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if tries++; info.Mode().Perm()&0o027 != 0 {
				through++
				t.Errorf("the database%s has the mode %v", end, info.Mode())
			}
		}
	}
	cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", `umask 0 && exec "$@"`, "sh",
		processes.Binary(t, "sabot-pit"), "person", "--config", config, "add", "anna", "manager")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	closed()
	for _, bad := range []os.FileMode{0o644, 0o666} {
		if err := os.Chmod(at("lib/pit.db"), bad); err != nil {
			t.Fatal(err)
		}
		if checked := checked(t, config); checked.Status != exitOK ||
			!strings.Contains(checked.Out, "sabot-pit puts right when it starts: other users can ") {
			t.Errorf("check-config says %+v", checked)
		}
		ended := processes.Run(t, processes.Binary(t, "sabot-pit"), "compare", "--config", config)
		if n := strings.Count(ended.Err, "other users could read or change files"); ended.Status != exitOK || n != 1 {
			t.Errorf("it is told %d times: %+v", n, ended)
		}
		closed()
	}
	attack.Report(t, "the pit's database", tries, through)
}

// TestAttackPitPasswordInClear: the broker's password does not cross a network without TLS, unless the configuration
// says so.
func TestAttackPitPasswordInClear(t *testing.T) {
	at, config, text := guardedPit(t)
	encrypted := fmt.Sprintf("ssl://127.0.0.1:1\", username: pit, password_file: %s, ca_file: %s", at("keys/password"),
		at("etc/ca.crt"))
	tries, through := 0, 0
	for _, broker := range []string{
		"tcp://192.0.2.1:1883", "mqtt://192.0.2.1:1883", "tcp://broker.invalid",
		"tcp://[2001:db8::1]:1883",
	} {
		clear := fmt.Sprintf("%s\", username: pit, password_file: %s", broker, at("keys/password"))
		changed := strings.Replace(text, encrypted, clear, 1)
		if err := os.WriteFile(config, []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, one := range []struct {
			ended  processes.Ended
			status int
		}{{checked(t, config), exitFailed}, {refused(t, config), exitConfig}} {
			if tries++; one.ended.Status != one.status ||
				!strings.Contains(one.ended.Err,
					config+":3:16: mqtt.broker: the broker's password would cross the network") {
				through++
				t.Errorf("%s: %+v", broker, one.ended)
			}
		}
		if err := os.WriteFile(config, []byte(strings.Replace(changed, clear, clear+", password_in_clear: true", 1)),
			0o600); err != nil {
			t.Fatal(err)
		}
		if allowed := checked(t, config); allowed.Status != exitOK {
			t.Errorf("%s is refused although the configuration says so: %+v", broker, allowed)
		}
	}
	attack.Report(t, "the pit's password in clear text", tries, through)
}

// TestAttackPitSecretsElsewhere: whoever changes in the file where the pit's broker, webhook or provider of identities
// is does not have the secret sent there that was kept for another one.
func TestAttackPitSecretsElsewhere(t *testing.T) {
	_, config, text := guardedPit(t)
	if ended := refused(t, config); ended.Status != exitOK {
		t.Fatalf("%+v", ended)
	}
	tries, through := 0, 0
	for old, change := range map[string]struct{ other, at string }{
		`broker: "ssl://127.0.0.1:1"`: {`broker: "ssl://127.0.0.2:1"`, "mqtt.password_file"},
		"username: pit":               {"username: desk", "mqtt.password_file"},
		"https://127.0.0.1:1/":        {"https://127.0.0.2:1/", "alerts.webhook_secret_file"},
		`issuer: "https://127.0.0.1`:  {`issuer: "https://127.0.0.2`, "people.openid.secret_file"},
		"client: pit":                 {"client: desk", "people.openid.secret_file"},
	} {
		changed := strings.Replace(text, old, change.other, 1)
		if changed == text {
			t.Fatalf("%s is not in the configuration", old)
		}
		if err := os.WriteFile(config, []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
		checked, started := checked(t, config), refused(t, config)
		if tries++; started.Status != exitConfig || started.Err != checked.Err ||
			!strings.Contains(started.Err, change.at+": the secret in ") {
			through++
			t.Errorf("%s: the start %+v, check-config %+v", change.other, started, checked)
		}
	}
	attack.Report(t, "the pit's secrets at changed destinations", tries, through)
}
