package backup

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"filippo.io/age"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/pit/publish"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/journal/disk"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

// card is what a table has on its card, all of it in one folder.
type card struct {
	t        testing.TB
	dir      string
	table    *journaltest.Table
	identity *age.X25519Identity
	// config is what sabot.yaml says, once it has been read.
	config *config.Config
}

const shoeKey = "00112233445566778899aabbccddeeff"

// newCard is a table that has dealt some rounds. more is added to its configuration.
func newCard(t testing.TB, more string) *card {
	t.Helper()
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	c := &card{t: t, dir: tabletest.FastDir(t), identity: identity}
	der, err := x509.MarshalPKCS8PrivateKey(journaltest.Key)
	if err != nil {
		t.Fatal(err)
	}
	c.write("journal.key", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})))
	c.write("shoe-key", shoeKey+"\n")
	c.write("house.yaml", "extends: wiesbaden\nhouse: my-house\ntitle: My own house\n")
	c.write("journal.people", "{}\n")
	c.write("sabot.yaml",
		fmt.Sprintf("site: test\ntable: bj-1\nhouse_file: %s\nshoe: {port: /dev/null, key_file: %s}\njournal: "+
			"{path: %s, key_file: %s}\nsupervisors: {proof: none}\n%s",
			c.at("house.yaml"), c.at("shoe-key"), c.at("journal"), c.at("journal.key"), more))
	c.table = journaltest.NewTable(t, c.at("journal"), profile.Built(), journaltest.Key)
	c.table.PartMost = 30000
	c.table.SetUp(rules.Setup{House: "wiesbaden"})
	c.play(1)
	c.play(1)
	return c
}

// play deals rounds, and has the program start anew after them.
func (c *card) play(rounds uint64) {
	c.t.Helper()
	c.table.Night(journaltest.Busy(0), rounds)
	c.table.Flush()
	c.table.Restart()
}

func (c *card) at(name string) string { return filepath.Join(c.dir, name) }

func (c *card) write(name, text string) {
	c.t.Helper()
	if err := os.WriteFile(c.at(name), []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

// source is the table as it is copied.
func (c *card) source() Source {
	c.t.Helper()
	if c.config == nil {
		conf, err := config.Load(c.at("sabot.yaml"), profile.Built())
		if err != nil {
			c.t.Fatal(err)
		}
		c.config = &conf
	}
	return Source{
		Config: *c.config, File: c.at("sabot.yaml"), Houses: c.config.Houses(profile.Built()),
		Program: "sabot test", Now: time.Unix(1_790_000_000, 0),
	}
}

func (c *card) options() Options {
	return Options{Keep: 2, Recipients: []age.Recipient{c.identity.Recipient()}}
}

// request restores onto the card.
func (c *card) request() Request {
	return Request{
		File: c.at("sabot.yaml"), Identities: []age.Identity{c.identity}, Key: journaltest.Public,
		Houses: profile.Built(), Ask: nobody,
	}
}

// head is the last head of the card's journal.
func (c *card) head() journal.Heard {
	c.t.Helper()
	r, err := journal.OpenReadOnly(c.at("journal"))
	if err != nil {
		c.t.Fatal(err)
	}
	defer r.Close()
	seq, hash, err := r.Head()
	if err != nil {
		c.t.Fatal(err)
	}
	return journal.Heard{ID: r.ID(), Record: seq, Hash: hash}
}

var errNobody = errors.New("nobody answers")

func nobody(context.Context, config.Config, string, string) (publish.Remembered, error) {
	return publish.Remembered{}, errNobody
}

// folderPlace is a place in a new folder.
func folderPlace(t testing.TB) *Place {
	dir := tabletest.FastDir(t)
	return &Place{disk.Folder(dir), dir}
}

// take must succeed.
func take(t testing.TB, p *Place, s Source, o Options) Taken {
	t.Helper()
	taken, err := p.Take(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	if !taken.Audit.Well() {
		var text strings.Builder
		_ = taken.Audit.WriteText(&text, "journal", false)
		t.Fatalf("the audit says\n%s", text.String())
	}
	return taken
}

// whole reads every generation of a place as a restore does, and returns their numbers.
func whole(t testing.TB, p *Place, c *card) (numbers []uint64) {
	t.Helper()
	list, unread, err := p.Generations()
	if err != nil || len(unread) > 0 {
		t.Fatalf("the generations cannot be read: %v, %v", err, unread)
	}
	for _, g := range list {
		q := c.request()
		q.CheckOnly, q.Number = true, g.Number
		done, err := p.Restore(t.Context(), q)
		if err != nil || !done.Audit.Well() {
			t.Fatalf("generation %d is not whole: %v", g.Number, err)
		}
		numbers = append(numbers, g.Number)
	}
	return numbers
}

// tree is every file below a folder, with its mode and content.
func tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		all[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// differences names the files that two trees do not have alike.
func differences(a, b map[string]string) (names []string) {
	for name, text := range a {
		if other, there := b[name]; !there || other != text {
			names = append(names, name)
		}
	}
	for name := range b {
		if _, there := a[name]; !there {
			names = append(names, name)
		}
	}
	return names
}
