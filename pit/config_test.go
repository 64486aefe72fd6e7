package pit

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/configfile"
	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/table/profile"
)

const exampleFile = "../deploy/pit.example.yaml"

func example(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(exampleFile)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// switchedOn removes the '#' from every setting that the example leaves out.
func switchedOn(text string) string {
	return regexp.MustCompile(`(?m)^( *)#([a-z_]+:( |$))`).ReplaceAllString(text, "$1$2")
}

func TestTheExampleIsValid(t *testing.T) {
	if _, err := Parse(exampleFile, []byte(example(t))); err != nil {
		t.Error(err)
	}
	on := regexp.MustCompile(`(?m)^  source_file: .*$`).ReplaceAllString(switchedOn(example(t)), "")
	on = regexp.MustCompile(`(?m)^house_files: .*$`).ReplaceAllString(on, "house_files: ["+ownHouse(t, "my-house")+"]")
	other := []string{"mqtt.broker", "mqtt.username", "mqtt.password_file", "mqtt.password_in_clear", "mqtt.ca_file"}
	for _, without := range [][]string{ // tables are heard over the broker inside the pit, or over another one
		{"broker.", "cluster.", "hub.", "sites."},
		append(slices.Clone(other), "hub.", "site.site"), // a hub, which is no site of itself
		append(slices.Clone(other), "sites."),
	} {
		text := leaveOut(on, without)
		if slices.Contains(without, "site.site") {
			text = "site: group\n" + text
		}
		if _, err := Parse(exampleFile, []byte(text)); err != nil {
			t.Errorf("with everything switched on but %v:\n%v", without, err)
		}
	}
}

// leaveOut removes keys, or whole sections, which end with a dot.
func leaveOut(text string, keys []string) string {
	var left strings.Builder
	section := ""
	for line := range strings.Lines(text) {
		key, _, isKey := strings.Cut(strings.TrimSpace(line), ":")
		if isKey && !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "#") {
			section = key + "."
		}
		if !slices.Contains(keys, section) && !slices.Contains(keys, section+key) {
			left.WriteString(line)
		}
	}
	return left.String()
}

// TestTheExampleTellsAll: it names every key, and says of each that it is required or what its default is.
func TestTheExampleTellsAll(t *testing.T) {
	text := switchedOn(example(t))
	c := Default()
	doc := strictyaml.Decode(exampleFile, []byte(text), &c)
	for path, value := range settings(reflect.ValueOf(Default()), "") {
		if !doc.Has(path) {
			t.Errorf("%s is not in the example", path)
			continue
		}
		section, key, inner := strings.Cut(path, ".")
		if !inner {
			section, key = "", path
		}
		comment := commentOf(text, section, key[strings.LastIndexByte(key, '.')+1:])
		want := "Default: " + value + "."
		switch value {
		case "required":
			want = "Required."
		case "":
			want = "Default: none"
		}
		if !strings.Contains(comment, want) {
			t.Errorf("%s: the example says %q, want %q", path, comment, want)
		}
	}
}

// settings are the keys that have a value of their own, with their defaults.
func settings(v reflect.Value, above string) map[string]string {
	all := map[string]string{}
	for i := range v.NumField() {
		if !v.Type().Field(i).IsExported() {
			continue
		}
		key, option, _ := strings.Cut(v.Type().Field(i).Tag.Get("yaml"), ",")
		value := v.Field(i).Interface()
		level, isLevel := value.(configfile.Level)
		_, isZone := value.(Zone)
		switch {
		case option == "required":
			all[above+key] = "required"
		case isLevel:
			all[above+key] = strings.ToLower(level.String())
		case v.Field(i).Kind() == reflect.Struct && !isZone:
			for path, value := range settings(v.Field(i), above+key+".") {
				all[path] = value
			}
		case v.Field(i).IsZero():
			all[above+key] = ""
		default:
			all[above+key] = fmt.Sprint(value)
		}
	}
	return all
}

// commentOf is the comment above a key of a section, "" for none; keys that follow each other share one.
func commentOf(text, section, key string) string {
	indent := ""
	if section != "" {
		indent = "  "
		_, text, _ = strings.Cut(text, "\n"+section+":\n")
	}
	var comment []string
	fresh := true
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if rest, is := strings.CutPrefix(line, indent+"# "); is {
			if fresh {
				comment, fresh = nil, false
			}
			comment = append(comment, rest)
			continue
		}
		if strings.HasPrefix(line, indent+key+":") {
			return strings.Join(comment, " ")
		}
		fresh = fresh || line == ""
	}
	return ""
}

// ownHouse is the file of a house of its own.
func ownHouse(t *testing.T, name string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name+".yaml")
	if err := os.WriteFile(file, []byte("extends: wiesbaden\nhouse: "+name+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestAHouseOfItsOwn: the pit knows the rules in house_files, and refuses files that it cannot use.
func TestAHouseOfItsOwn(t *testing.T) {
	const sound = "site: wiesbaden\nmqtt:\n  broker: tcp://pit:1883\nstore:\n  time_zone: Europe/Berlin\n"
	one, two := ownHouse(t, "kurhaus"), ownHouse(t, "parkhaus")
	c, err := Parse("pit.yaml", []byte(sound+"house_files: ["+one+", "+two+"]\n"))
	if err != nil {
		t.Fatal(err)
	}
	book := c.Houses(profile.Built())
	if book["kurhaus"] == nil || book["parkhaus"] == nil || book["wiesbaden"] == nil ||
		profile.Built()["kurhaus"] != nil {
		t.Errorf("the houses are %v", book.Names())
	}
	wrong := filepath.Join(t.TempDir(), "wrong.yaml")
	if err := os.WriteFile(wrong, []byte("house: wrong\ncolour: red\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for files, want := range map[string]string{
		"[house.yaml]":    `house_files[0]: "house.yaml" is not an absolute path; begin it with /`,
		"[/nowhere.yaml]": "no such file",
		"[" + wrong + "]": wrong + ":2:1: colour: is not a known key",
		"[" + one + ", " + ownHouse(t, "kurhaus") + "]": "has the house kurhaus, which another of the files has, too",
	} {
		if _, err := Parse("pit.yaml", []byte(sound+"house_files: "+files+"\n")); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s is refused with %v, want %q", files, err, want)
		}
	}
}

func TestFaultsOfAConfiguration(t *testing.T) {
	const sound = "site: wiesbaden\nmqtt:\n  broker: tcp://pit:1883\nstore:\n  time_zone: Europe/Berlin\n"
	if _, err := Parse("pit.yaml", []byte(sound)); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"":                               "the file is empty",
		sound + "colour: red\n":          "colour: is not a known key",
		sound + "tables: [bj-1, bj-1]\n": `tables[1]: "bj-1" is there twice`,
		sound + "tables: [BJ]\n":         `tables[0]: "BJ" is not a table's name`,
		sound + "language: xx\n":         `language: "xx" is not known`,
		sound +
			"alerts:\n  offline_seconds: 0\n": "alerts.offline_seconds: 0 is out of range; write a whole number " +
			"from 1 to 3600",
		sound +
			"alerts:\n  webhook: pager\n": "alerts.webhook: it is not the address of a site; write such as " +
			"https://pager.casino.example/alerts",
		sound +
			"alerts:\n  webhook_secret_file: /key\n": "alerts.webhook_secret_file: there is no webhook that it " +
			"could sign; add alerts.webhook, or remove this",
		sound +
			"alerts:\n  push_services: [https://x]\n": `alerts.push_services: "https://x" is not a host of a push service`,
		sound +
			"alerts:\n  push_services: ['*.com']\n": `alerts.push_services: "*.com" is not a host of a push service`,
		sound +
			"alerts:\n  push_services: [push.example]\n": "alerts.push_services: push services want to know whom " +
			"they may ask; add alerts.push_contact",
		sound +
			"alerts:\n  push_services: [push.example]\n  push_contact: IT\n": `alerts.push_contact: "IT" is neither an address of mail nor of a site`,
		sound +
			"alerts:\n  push_contact: mailto:it@casino.example\n": "alerts.push_contact: no browser is called, so " +
			"it would not be used",
		sound +
			"alerts:\n  push_key_file: /key\n": "alerts.push_key_file: no browser is called, so it would not be used",
		sound +
			"  source: postgres://pit@db/pit\nalerts:\n  push_services: [push.example]\n  push_contact: " +
			"mailto:it@casino.example\n": "there is no place beside the database for the pit's key; add " +
			"alerts.push_key_file",
		sound +
			"alerts:\n  escalate_seconds: 0\n": "alerts.escalate_seconds: 0 is out of range; write a whole number " +
			"from 1 to 86400",
		sound +
			"alerts:\n  escalate_to: viewer\n": "escalate_to: \"viewer\" is not known; write supervisor, manager or " +
			"technician",
		sound +
			"web:\n  listen: 0.0.0.0:443\n": "cross the network in clear text",
		sound +
			"web:\n  cert_file: /etc/pit.crt\n": "need each other",
		sound +
			"web:\n  trusted_proxies: [nobody]\n": `"nobody" is not an address`,
		sound +
			"web:\n  public: pit\n": `"pit" is not the address of a site`,
		strings.Replace(sound, "tcp://pit:1883", "http://pit",
			1): "unknown scheme",
		strings.Replace(sound, "tcp://pit:1883", "tcp://a:b@pit:1883",
			1): "user name and password have settings of their own",
		strings.Replace(sound, "1883\n", "1883\n  password_file: /etc/password\n",
			1): "mqtt.password_file: a password needs a username",
		strings.Replace(sound, "1883\n", "1883\n  ca_file: /etc/ca.crt\n",
			1): "the broker is reached without TLS",
		strings.Replace(sound, "1883\n", "1883\n  reader: The Pit\n",
			1): `mqtt.reader: "The Pit" cannot be part of an MQTT topic`,
		strings.Replace(sound, "Europe/Berlin", "Local",
			1): `"Local" is not a time zone`,
		strings.Replace(sound, "Berlin\n", "Berlin\n  keep_days: -1\n",
			1): "store.keep_days: -1 is out of range; write a whole number from 0 to 36500",
		strings.Replace(sound, "Berlin\n", "Berlin\n  source: pit.db\n",
			1): `"pit.db" is neither an absolute path`,
		strings.Replace(sound, "Berlin\n", "Berlin\n  source: /a\n  source_file: /b\n",
			1): "there is a source, too",
		sound +
			"commands:\n  keys: [{name: Desk, file: /k}]\n": `commands.keys[0].name: "Desk" cannot name a key`,
		sound +
			"commands:\n  keys: [{name: desk, file: k}]\n": `commands.keys[0].file: "k" is not an absolute path`,
		sound +
			"commands:\n  keys: [{name: desk, file: /k}, {name: other, file: /l}]\n": "commands.keys[1]: is a " +
			"second key of the pit's own",
		sound +
			"commands:\n  keys: [{name: desk, file: /k}, {name: desk, file: /l, person: a}]\n": `commands.keys[1].name: "desk" is in the list twice`,
		sound +
			"commands:\n  keys: [{name: desk, file: /k}, {name: a, file: /k, person: a}]\n": "" +
			"commands.keys[1].file: is another line's key",
		sound +
			"commands:\n  keys: [{name: a, file: /k, person: a}, {name: b, file: /l, person: a}]\n": `commands.keys[1].person: "a" has a key already`,
		sound + "commands:\n  keys: [{name: a, file: /k, person: \" a\"}]\n": "begins or ends with a space",

		sound +
			"  shifts: [{name: Late, begins: \"20:30\"}, {name: Early, begins: \"12:00\"}]\n": "" +
			"store.shifts[0].begins: 20:30 is no full hour",
		sound +
			"  shifts: [{name: Late, begins: \"20:00\"}, {name: Late, begins: \"12:00\"}]\n": `store.shifts[1].name: "Late" is there twice`,
		sound +
			"  shifts: [{name: Late, begins: \"20:00\"}, {name: Early, begins: \"20:00\"}]\n": "" +
			"store.shifts[1].begins: another shift begins at 20:00, too",
		sound +
			"  shifts: [{name: Late, begins: \"20:00\"}]\n": "store.shifts: one shift does not divide the day",
		sound +
			"  shifts: [{name: \" \", begins: \"20:00\"}, {name: Early, begins: \"12:00\"}]\n": `store.shifts[0].name: " " cannot be shown`,
		sound +
			"  day_begins: \"06:30\"\n  shifts: [{name: A, begins: \"20:00\"}, {name: B, begins: \"12:00\"}]\n": "" +
			"store.day_begins: 06:30 is no full hour",

		// Each of several faults is named.
		sound + "tables: [BJ, bj-1, bj-1]\n": `tables[2]: "bj-1" is there twice`,
		sound +
			"house_files: [my.yaml, /nowhere.yaml]\n": `house_files[1]: read the house's rules: open /nowhere.yaml: no such file`,
	} {
		if _, err := Parse("pit.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\nis refused with %v, want %q", text, err, want)
		}
	}
}
