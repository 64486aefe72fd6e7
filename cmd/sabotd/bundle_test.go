package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// The secrets that are planted besides those that the world has.
const (
	brokerPassword  = "Xq7+/ wunder=Bar&9"
	addressPassword = "in-the-address-4711"
	webhookSecret   = "whsec_c29sYW5nZXNHZWhlaW1uaXM"
	commentSecret   = "remember the vault is 8-8-2-9"
	strayedSecret   = "strayed-under-a-wrong-key"
	shoesKey        = "ad3ac6a515858c2675c272afddd2efca"
	badgeHash       = "$argon2id$v=19$m=19456,t=2,p=1$" +
		"jwxmg6Ncq+E87H/JOpN7Cg$J8xbb+nUdHMk5ifW1TmnLaqvG1tksj85UPQuftXD1/A"
	pinInRequest = "582194"
)

// formsOf are the forms in which a secret is written: as it is, in hexadecimal digits, in base64, and as in an address.
// Within is longer texts in base64 of which it is a part, and pieces what all of them have of it alone.
func formsOf(secret []byte) (forms, within, pieces []string) {
	raw := string(secret)
	quoted, _ := json.Marshal(raw) // a text always encodes
	forms = append(forms, raw, hex.EncodeToString(secret), strings.ToUpper(hex.EncodeToString(secret)),
		url.QueryEscape(raw), url.PathEscape(raw), strings.Trim(string(quoted), `"`))
	for _, b64 := range []*base64.Encoding{
		base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding,
		base64.RawURLEncoding,
	} {
		forms = append(forms, b64.EncodeToString(secret))
	}
	forms = append(forms, regexp.MustCompile("..").ReplaceAllString(strings.ToUpper(hex.EncodeToString(secret)), "%$0"))
	for before := range 3 {
		lead := "user:"[:3+before]
		whole := base64.StdEncoding.EncodeToString([]byte(lead + raw + "@host"))
		within = append(within, whole)
		from, to := (len(lead)+2)/3*4, (len(lead)+len(raw))/3*4
		if to-from >= 8 {
			pieces = append(pieces, whole[from:to])
		}
	}
	return forms, within, pieces
}

// helped is a table with a secret in every place where one may be, and a log in which somebody has written all of them.
type helped struct {
	*network
	sabot, dir string
	// planted is the configuration, which has faults, and log the log.
	planted, log string
	secrets      map[string][]byte
}

func newHelped(t *testing.T) *helped {
	t.Helper()
	h := &helped{network: newNetwork(t), dir: t.TempDir()}
	h.certify(time.Now().AddDate(1, 0, 0))
	sabot := processes.Binary(t, "sabot")
	h.sabot = sabot
	h.secrets = map[string][]byte{
		"the broker's password": []byte(brokerPassword), "the password in an address": []byte(addressPassword),
		"the webhook's secret": []byte(webhookSecret),
		"the shoe's key":       []byte(shoesKey), "a badge's hash": []byte(badgeHash),
	}
	for what, file := range map[string]string{"the page's key": h.file, "the journal's key": h.key()} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		block, _ := pem.Decode(text)
		h.secrets[what], h.secrets[what+", in PEM"] = block.Bytes, bytes.TrimSpace(text)
	}
	for name, key := range h.keys {
		h.secrets["the hash of the key of "+name] = []byte(key.Hash().String())
	}
	own := web.NewKey()
	t.Setenv("SABOT_SCREEN_KEY", own.String())
	h.secrets["the key in the environment"] = []byte(own.String())
	return h
}

// put writes a file beside the configuration with the secrets.
func (h *helped) put(name, text string) (path string) {
	h.t.Helper()
	path = filepath.Join(h.dir, name)
	write(h.t, path, text)
	return path
}

// plant writes secrets wherever one may be, also where none belongs.
func (h *helped) plant() {
	h.t.Helper()
	password, shoe := h.put("broker-password", brokerPassword+"\n"), h.put("shoe-key", shoesKey+"\n")
	h.put("webhook.secret", webhookSecret+"\n")
	h.put("pit.yaml", "listen: 127.0.0.1:8080\ndatabase: postgres://pit:"+addressPassword+"@db.example/pit\n")
	text := strings.Replace(h.text(h.path, h.page), `mqtt: {broker: "tcp://`, "mqtt: {username: bj-1, password_file: "+
		password+`, broker: "tcp://bj-1:`+addressPassword+"@", 1)
	text = strings.Replace(text, `key_file: ""`, "key_file: "+shoe, 1)
	text += "# " + commentSecret + "\ndealers: {proof: badge, names: [{name: d7, badge: \"" + badgeHash +
		"\"}]}\nvault: " + strayedSecret + "\n" + strayedSecret + ": 1\n"
	h.planted = h.put("sabot.yaml", text)
	h.put("sabot.yaml.0001.2026-11-23T123005Z", text)
}

// leak writes a log with each of them in every form, and with what nobody but its writer knows for a secret.
func (h *helped) leak(daemons string) {
	h.t.Helper()
	var log strings.Builder
	for _, secret := range h.secrets {
		forms, within, _ := formsOf(secret)
		for _, form := range append(forms, within...) {
			log.WriteString("time=2026-11-23T08:00:00Z level=WARN msg=\"leaks\" it=\"" + form + "\" and " + form + "\n")
		}
	}
	log.WriteString(`msg="a body" body={"name":"anna","pin":"` + pinInRequest + `"} Authorization: Bearer ` +
		h.keys["view"].String() + "\n")
	log.WriteString("an escape \x1b[31m in the log\n" + daemons)
	h.log = h.put("daemon.log", log.String())
	h.secrets["a PIN in a request"], h.secrets["a key in a request"] = []byte(pinInRequest),
		[]byte(h.keys["view"].String())
	h.secrets["a comment"], h.secrets["a value of a key that is none"] = []byte(commentSecret), []byte(strayedSecret)
}

// has is what a file of a bundle must say.
var has = map[string][]string{
	"INDEX.txt":    {"rounds.txt", "the last rounds", "health.json", "LEFT OUT"},
	"doctor.txt":   {"table test/bj-1", "config-unfit"},
	"versions.txt": {"sabot ", "/proc/version"},
	"configuration.yaml": {
		"site: test", "house: wiesbaden", "proof: badge", "name: d7", "(secret, left out)",
		"unknown-",
	},
	"files.txt":   {"mqtt.password_file", "broker-password", "shoe.key_file", "-rw-------"},
	"journal.txt": {"part-000001.jsonl", "last record"},
	"rounds.txt":  {"ROUND 2", "ROUND 3", "Bank "},
	"log.txt":     {"the table is open", `msg="leaks" it="(secret removed)" and (secret removed)`, `\x1b[31m`},
	"devices.txt": {"serial ports"},
}

// TestAttackBundle: of a table with a secret in every place where one may be, and all of them in its log in every form,
// the bundle that is given away has none; and it has what it promises.
func TestAttackBundle(t *testing.T) {
	tier.Soak(t, "a built program is attacked for seconds")
	h := newHelped(t)
	guarded, page := h.web, h.page
	h.web, h.page = "", strings.TrimPrefix(h.url, "https://")
	process := h.start()
	h.deal(3).finish()
	process.Stop()
	h.web, h.page = guarded, page
	process = h.start()
	brokertest.Until(t, "the table is open", func() bool {
		return strings.Contains(process.Log(), "the table is open")
	})
	h.plant()
	h.leak(process.Log())

	files := h.givenAway()
	tries, through := 0, 0
	for name, text := range files {
		for what, secret := range h.secrets {
			forms, _, pieces := formsOf(secret)
			for _, form := range append(forms, pieces...) {
				tries++
				if at := strings.Index(text, form); at >= 0 {
					through++
					t.Errorf("%s has %s: …%s…", name, what, text[max(0, at-40):min(len(text), at+len(form)+20)])
				}
			}
		}
		if strings.Contains(text, "\x1b") {
			t.Errorf("%s steers the terminal", name)
		}
	}
	attack.Report(t, "secrets in a bundle", tries, through)
	for name, words := range has {
		for _, word := range words {
			if !strings.Contains(files[name], word) {
				t.Errorf("%s does not say %q:\n%.2000s", name, word, files[name])
			}
		}
	}
	if _, there := files["health.json"]; there || strings.Contains(files["rounds.txt"], "ROUND 1 ") {
		t.Error("it has what was not to be had, or not asked for")
	}
	h.whole()
	process.Stop()
}

// givenAway are the files of the bundle of the table with the secrets.
func (h *helped) givenAway() map[string]string {
	h.t.Helper()
	to := filepath.Join(h.dir, "out")
	if err := os.Mkdir(to, 0o700); err != nil {
		h.t.Fatal(err)
	}
	got := processes.Run(h.t, h.sabot, "bundle", "--config", h.planted, "--rounds", "2", "--log", h.log, to)
	made, err := filepath.Glob(filepath.Join(to, "sabot-bundle-test-bj-1-*.tar.gz"))
	// the page asks for a key
	if err != nil || len(made) != 1 || got.Status != exitFailed ||
		!strings.Contains(got.Out, "\nNOT WHOLE, OR NOT IN IT: ") {
		h.t.Fatalf("it ended with %+v, and made %v, %v", got, made, err)
	}
	if info, err := os.Stat(made[0]); err != nil || info.Mode().Perm() != 0o600 {
		h.t.Errorf("others may read it: %v, %v", info.Mode(), err)
	}
	return processes.Unpacked(h.t, made[0])
}

// whole: with a configuration that can be used, and the key of a screen that may ask, nothing is missing; and no file
// is replaced.
func (h *helped) whole() {
	h.t.Helper()
	key := h.put("view.key", h.keys["view"].String()+"\n")
	path := filepath.Join(h.dir, "whole.tar.gz")
	got := processes.Run(h.t, h.sabot, "bundle", "--config", h.config, "--key", key, "--log", h.log, path)
	files := processes.Unpacked(h.t, path)
	for _, name := range []string{"health.json", "metrics.txt", "doctor.json", "changes.txt"} {
		if files[name] == "" || got.Status != exitOK || got.Err != "" {
			h.t.Errorf("%s is missing: %+v", name, got)
		}
	}
	if !slices.Contains(strings.Fields(files["metrics.txt"]), "sabot_rounds_total") {
		h.t.Error("the metrics are not those of the table")
	}
	for _, name := range []string{"journal.txt", "rounds.txt", "metrics.txt", "files.txt"} {
		if strings.Contains(files[name], "(secret removed)") {
			h.t.Errorf("%s has something for a secret that is none:\n%s", name, files[name])
		}
	}
	if again := processes.Run(h.t, h.sabot, "bundle", "--config", h.config, path); again.Status != exitFailed ||
		!strings.Contains(again.Err, "file exists") {
		h.t.Errorf("it replaces a file: %+v", again)
	}
}
