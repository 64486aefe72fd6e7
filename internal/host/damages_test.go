//go:build unix

package host

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/vocab"
)

var (
	damageCount = flag.Int("damages", tier.Times(6, 1000), "how many damaged tables TestDamages starts")
	damageSeed  = flag.Uint64("damage", 0, "the seed of the only damage of TestDamages")
)

// damaged is a table whose files somebody changes while it is stopped.
type damaged struct {
	t      *testing.T
	dir    string
	dice   *rand.Rand
	player *tabletest.Player
	// did is what was done to the files.
	did []string
	log system.Text
}

// TestDamages: whatever somebody does to one or two of a stopped table's files, the next start goes on and deals after
// a supervisor's word, and so does the one after it, which asks for none. No start adds more than its one part. Root
// may read whatever its mode is, which proves nothing: as root the test runs itself as the user nobody.
func TestDamages(t *testing.T) {
	if os.Geteuid() == 0 {
		system.AsNobody(t, "-test.timeout", "0", "-damages", fmt.Sprint(*damageCount), "-damage",
			fmt.Sprint(*damageSeed))
		return
	}
	sound := soundTable(t)
	first := tier.Seed() * 1_000_000
	any := func(d *damaged) {
		for range 1 + d.dice.IntN(2) {
			d.hand()
		}
	}
	if *damageSeed != 0 {
		damage(t, sound, *damageSeed, any)
		return
	}
	for _, o := range once {
		w := ways[slices.IndexFunc(ways, func(w way) bool { return w.name == o.way })]
		t.Run(o.way+" journal"+o.end, func(t *testing.T) {
			damage(t, sound, 1, func(d *damaged) {
				all, err := filepath.Glob(d.path(o.end))
				if d.must(err); len(all) == 0 {
					all = []string{d.path(o.end)}
				}
				for _, path := range all {
					d.do(w, path)
				}
			})
		})
	}
	for _, seed := range seedsOnce {
		t.Run(fmt.Sprint("once ", seed), func(t *testing.T) { damage(t, sound, seed, any) })
	}
	for n := range *damageCount {
		t.Run(fmt.Sprint(first+uint64(n)), func(t *testing.T) { damage(t, sound, first+uint64(n), any) })
	}
}

// soundTable is the folder of a table after some starts, one of which has set a journal aside, in the middle of a
// round.
func soundTable(t *testing.T) string {
	t.Helper()
	d := newDamaged(t, processes.FastDir(t), 1)
	text := fmt.Sprintf("site: test\ntable: bj-1\nhouse: wiesbaden\nkeys_apart_ms: -1\nshoe: {port: %s}\njournal: "+
		"{path: %s}\n"+
		"mqtt: {broker: \"tcp://127.0.0.1:1\"}\nweb: {listen: \"127.0.0.1:0\"}\nsupervisors: {proof: none}\n",
		filepath.Join(d.dir, "no-shoe"), "%s")
	d.must(os.WriteFile(filepath.Join(d.dir, "configuration"), []byte(text), 0o600))
	for n := range 5 {
		r := d.start()
		if n == 2 {
			r.dealSome(5)
		} else {
			r.deal()
		}
		r.stop()
		if n == 1 {
			parts := d.parts()
			d.must(os.Truncate(parts[len(parts)-1], 100))
		}
	}
	d.must(journal.ForgetAuditKeys(d.path("")))
	r := d.start()
	r.dealSome(12)
	r.stop()
	d.must(os.WriteFile(d.path(".heard"), []byte("{}\n"), 0o600))
	return d.dir
}

func newDamaged(t *testing.T, dir string, seed uint64) *damaged {
	dice := rand.New(rand.NewPCG(seed, 0x64616d))
	return &damaged{t: t, dir: dir, dice: dice, player: &tabletest.Player{Dice: dice, Boxes: 2}}
}

// path is the journal's, with the end of a name beside it.
func (d *damaged) path(end string) string { return filepath.Join(d.dir, "journal"+end) }

func (d *damaged) must(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatalf("%v: %v", d.did, err)
	}
}

func (d *damaged) parts() []string {
	names, err := filepath.Glob(d.path("/part-*"))
	d.must(err)
	return names
}

// damage has somebody at the files of a sound table, and starts it.
func damage(t *testing.T, sound string, seed uint64, hands func(*damaged)) {
	t.Helper()
	dir, err := os.MkdirTemp(filepath.Dir(sound), "damaged-")
	if err != nil {
		t.Fatal(err)
	}
	d := newDamaged(t, dir, seed)
	defer os.RemoveAll(dir)
	defer d.readable()
	d.must(os.CopyFS(dir, os.DirFS(sound)))
	d.must(filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			return os.Chmod(path, 0o700)
		}
		return errors.Join(err, os.Chmod(path, 0o600))
	}))
	hands(d)
	for start := range 3 {
		before := len(d.parts())
		r := d.start()
		held := r.deal()
		r.must(r.kept.journal.Inspect(t.Context()))
		held = append(held, r.deal()...)
		r.stop()
		if start > 0 && (slices.Contains(held, "journal-new") || slices.Contains(held, "journal-touched")) {
			d.fail("start %d is held by %v, and a supervisor has accepted before", start+1, held)
		}
		if now := len(d.parts()); before > 0 && now > before+1 {
			d.fail("start %d made of %d parts %d", start+1, before, now)
		}
	}
}

// readable lets whoever removes the folder do so.
func (d *damaged) readable() {
	_ = filepath.WalkDir(d.dir, func(path string, e fs.DirEntry, err error) error {
		if e != nil && e.IsDir() {
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
}

func (d *damaged) fail(format string, args ...any) {
	d.t.Helper()
	d.t.Fatalf("%s\nSomebody %s. Do it again with -damage, and the number of this test:\n%s",
		fmt.Sprintf(format, args...), strings.Join(d.did, ", and "), d.log.String())
}

// files are all that somebody may change: the journal's folder, what is in it, and what lies beside it.
func (d *damaged) files() (all []string) {
	// a folder that cannot be read is one, too
	_ = filepath.WalkDir(d.dir, func(path string, e fs.DirEntry, err error) error {
		if name := filepath.Base(path); path != d.dir && name != "configuration" && name != "sabot.yaml" {
			all = append(all, path)
		}
		return nil
	})
	return all
}

// hand is somebody who does something to a file.
func (d *damaged) hand() {
	all := d.files()
	path := all[d.dice.IntN(len(all))]
	d.do(ways[d.dice.IntN(len(ways))], path)
}

// do does something to a file. Not everything can be done to each.
func (d *damaged) do(w way, path string) {
	var text []byte
	if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() { // whoever reads a pipe waits
		text, _ = os.ReadFile(path) // nothing of one that cannot be read
	}
	rel, _ := filepath.Rel(d.dir, path)
	d.did = append(d.did, w.name+" "+rel)
	err := w.do(d, path, text)
	cannot := []error{
		fs.ErrNotExist, fs.ErrExist, fs.ErrPermission, syscall.EISDIR, syscall.ENOTDIR, syscall.ENOTEMPTY,
		syscall.ELOOP, syscall.EINVAL,
	}
	if !slices.ContainsFunc(cannot, func(why error) bool { return errors.Is(err, why) }) {
		d.must(err)
	}
}

// way is one of the ways to change a file, whose text it has.
type way struct {
	name string
	do   func(d *damaged, path string, text []byte) error
}

func fullFolder(path string) error {
	return errors.Join(os.RemoveAll(path), os.Mkdir(path, 0o700),
		os.WriteFile(filepath.Join(path, "letter"), nil, 0o600))
}

var ways = []way{
	{"deleted", func(_ *damaged, path string, _ []byte) error { return os.RemoveAll(path) }},
	{"emptied", func(d *damaged, path string, _ []byte) error { return d.put(path, nil) }},
	{"cut", func(d *damaged, path string, text []byte) error { return d.put(path, text[:d.dice.IntN(len(text)+1)]) }},
	{"put garbage into", func(d *damaged, path string, _ []byte) error {
		return d.put(path, bytes.Repeat([]byte("garbage\n\x00"), d.dice.IntN(300)))
	}},
	{"put JSON into", func(d *damaged, path string, _ []byte) error {
		return d.put(path, []byte(`{"format":9,"id":"x","record":-1}`+"\n"))
	}},
	{"changed a byte of", func(d *damaged, path string, text []byte) error {
		if len(text) == 0 {
			return nil
		}
		text[d.dice.IntN(len(text))] ^= byte(1 + d.dice.IntN(255))
		return d.put(path, text)
	}},
	{"added to", func(d *damaged, path string, text []byte) error { return d.put(path, append(text, "more\n"...)) }},
	{"blew up", func(d *damaged, path string, text []byte) error {
		return errors.Join(d.put(path, text), os.Truncate(path, 64<<20))
	}},
	{"put a folder in the place of", func(_ *damaged, path string, _ []byte) error {
		return errors.Join(os.RemoveAll(path), os.Mkdir(path, 0o700))
	}},
	{"put a full folder in the place of", func(_ *damaged, path string, _ []byte) error { return fullFolder(path) }},
	{"put a full folder in the place of a draft of", func(_ *damaged, path string, _ []byte) error {
		return fullFolder(path + ".new")
	}},
	{"led away", func(_ *damaged, path string, _ []byte) error {
		return errors.Join(os.Rename(path, path+".elsewhere"), os.Symlink(path+".elsewhere", path))
	}},
	{"led nowhere", func(_ *damaged, path string, _ []byte) error {
		return errors.Join(os.RemoveAll(path), os.Symlink("/nowhere", path))
	}},
	{"led round in a ring", func(_ *damaged, path string, _ []byte) error {
		return errors.Join(os.RemoveAll(path), os.Symlink(path, path))
	}},
	{"linked", func(d *damaged, path string, _ []byte) error { return d.link(path) }},
	{"put a pipe in the place of", func(_ *damaged, path string, _ []byte) error {
		return errors.Join(os.RemoveAll(path), syscall.Mkfifo(path, 0o600))
	}},
	{"locked", func(_ *damaged, path string, _ []byte) error { return os.Chmod(path, 0) }},
	{"made a mere list of", func(_ *damaged, path string, _ []byte) error { return os.Chmod(path, 0o400) }},
	{"put a locked folder in the place of", func(_ *damaged, path string, _ []byte) error {
		return errors.Join(fullFolder(path), os.Chmod(path, 0))
	}},
	{"changed the mode of", func(d *damaged, path string, _ []byte) error {
		return os.Chmod(path, fs.FileMode(d.dice.IntN(0o1000)))
	}},
	{"moved to another part", func(d *damaged, path string, _ []byte) error {
		return os.Rename(path, d.path(fmt.Sprintf("/part-%06d.jsonl", 1+d.dice.IntN(12))))
	}},
}

// once are damages with which a start ended once, or did not end.
var once = []struct{ way, end string }{
	{"put a folder in the place of", ".lock"},
	{"led away", ".lock"},
	{"led round in a ring", ".parts"},
	{"put a full folder in the place of", ".heard"},
	{"put garbage into", ".own-key"},
	{"deleted", ".own-key"},
	{"led round in a ring", ".own-key"},
	{"put a pipe in the place of", ".own-key"},
	{"locked", ""},
	{"locked", "/part-*"},
	{"locked", ".own-key"},
	{"locked", "/set-aside-*"},
	{"put a pipe in the place of", "/set-aside-*"},
	{"put a pipe in the place of", ""},
	{"put garbage into", ""},
	{"led nowhere", ""},
	{"led round in a ring", ""},
	{"put a full folder in the place of a draft of", ".heard"},
	{"put a folder in the place of", ".kept-for"},
	{"blew up", ".people"},
}

// seedsOnce are damages of two files with which a start ended once: the journal's folder exchanged, and its codes or
// key gone.
var seedsOnce = []uint64{20261129000213, 20261129000767, 5000213, 5000946}

// put puts a file in the place of whatever is there.
func (d *damaged) put(path string, text []byte) error {
	if err := os.RemoveAll(path); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}

// link gives a file a second name, where it can have one.
func (d *damaged) link(path string) error {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return err
	}
	return os.Link(path, path+".second")
}

// runs is a table that runs.
type runs struct {
	*Daemon
	d     *damaged
	end   context.CancelFunc
	ended chan error
}

// start starts the table as its program does.
func (d *damaged) start() *runs {
	d.t.Helper()
	text, err := os.ReadFile(filepath.Join(d.dir, "configuration"))
	d.must(err)
	file := filepath.Join(d.dir, "sabot.yaml")
	d.must(os.WriteFile(file, fmt.Appendf(nil, string(text), d.path("")), 0o600))
	c, err := config.Load(file, profile.Built())
	if err != nil {
		d.fail("the configuration cannot be used: %v", err)
	}
	c.MQTT.Broker = "" // it was there so that the table makes its key
	log := slog.New(slog.NewTextHandler(io.Writer(&d.log), nil))
	outside := Outside{Shoe: func(context.Context) (device.Port, error) { return nil, device.ErrNotFound }}
	opened, err := Open(c, profile.Built(), "test", log, WithOutside(outside))
	if err != nil {
		d.fail("the table does not start: %v", err)
	}
	r := &runs{Daemon: opened, d: d, ended: make(chan error, 1)}
	ctx, end := context.WithCancel(d.t.Context())
	r.end = end
	go func() { r.ended <- r.Run(ctx) }()
	return r
}

func (r *runs) must(err error) {
	r.d.t.Helper()
	if err != nil {
		r.d.fail("%v", err)
	}
}

func (r *runs) stop() {
	r.d.t.Helper()
	r.end()
	r.must(errors.Join(<-r.ended, r.Close()))
}

// deal deals until the end of a round that it has opened, and puts right what holds the table. It returns what has held
// it.
func (r *runs) deal() (held []string) {
	r.d.t.Helper()
	opened := false
	for range 500 {
		kind, phase := vocab.InputKind(0), vocab.Phase(0)
		held, kind, phase = r.next(held)
		if opened = opened || kind == vocab.InOpen; opened && phase == vocab.Idle {
			return held
		}
	}
	r.d.fail("no round ends; held by %v", held)
	return nil
}

// dealSome deals a little.
func (r *runs) dealSome(inputs int) {
	r.d.t.Helper()
	for range inputs {
		r.next(nil)
	}
}

// next does what is due, and says what it was, 0 if it was refused.
func (r *runs) next(held []string) (all []string, did vocab.InputKind, phase vocab.Phase) {
	r.d.t.Helper()
	var in vocab.Input
	_, err := r.runner.SubmitIf(r.d.t.Context(), in, func(t *table.Table) bool {
		if what, holds := t.Held(); holds && !slices.Contains(held, what.Code.String()) {
			held = append(held, what.Code.String())
		}
		in = r.d.player.Next(t)
		return false
	})
	if in.Kind == 0 {
		r.d.fail("the table says nothing: %v", err)
	}
	answer, err := r.Submit(r.d.t.Context(), in)
	r.must(err)
	if answer.Rejected == 0 {
		did = in.Kind
	}
	return held, did, answer.Phase
}
