//go:build image

package main

import (
	"flag"
	"image/color"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	layout "github.com/sabot-table/sabot/internal/release/image"
	"github.com/sabot-table/sabot/internal/testkit/board"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

var (
	imageFolder = flag.String("image", "",
		"the `folder` with the card that make image makes, and with the slots of later versions")
	cuts    = flag.Int("cuts", 10, "how often the power is cut while rounds are dealt")
	screens = flag.String("screens", "", "the `folder` for pictures of the emulated screen")
)

// newest is the only file of a kind.
func newest(t *testing.T, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(*imageFolder, pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s has %d files %s, not one, %v: make image-test", *imageFolder, len(found), pattern, err)
	}
	return found[0]
}

// picture is where a picture of the screen is kept.
func picture(t *testing.T, name string) string {
	if *screens == "" {
		return filepath.Join(t.TempDir(), name)
	}
	return filepath.Join(*screens, name)
}

// onCard is the configuration of a table on the card, whose shoe is on USB.
const onCard = `site: test
table: bj-1
house: wiesbaden
keys_apart_ms: -1
shoe: {port: "usb:0403:6001"}
journal: {path: /var/lib/sabot/journal, key_file: /etc/sabot/journal.key}
mqtt: {broker: "tcp://BROKER"}
web: {listen: "127.0.0.1:8080"}
supervisors: {proof: none}
`

// newImage is a world with a computer that is started from the card, switched off. configured says whether somebody has
// answered the questions of the first start.
func newImage(t *testing.T, configured bool) (*world, *board.Computer) {
	t.Helper()
	shoe, err := shoesim.New(shoesim.Options{Decks: 6, Jokers: 1, Seed: 3, Continuous: true, Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { shoe.Close() })
	w := newWorldOn(t, shoe.Path())
	w.shoe = shoe
	_, port, err := net.SplitHostPort(w.gate.Addr())
	if err != nil {
		t.Fatal(err)
	}
	key, err := os.ReadFile(w.key())
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"etc/sabot/sabot.yaml":  strings.ReplaceAll(onCard, "BROKER", board.Host+":"+port),
		"etc/sabot/journal.key": string(key),
	}
	if !configured {
		files = nil
	}
	c := board.NewComputer(t, newest(t, "sabot-card_*.img"), shoe.Path(), files)
	w.page = c.Page
	return w, c
}

// gold is the colour of the key that is to be pressed next. A page without its style, or that has not been read to its
// end, shows none.
var gold = color.RGBA{R: 0xff, G: 0xd3, B: 0x4d, A: 0xff}

// shows waits until the screen shows something, says how long that took, and then until the page on it is whole. It
// keeps a picture of that.
func shows(t *testing.T, c *board.Computer, name string) (frame time.Duration) {
	t.Helper()
	path := picture(t, name)
	began := time.Now()
	c.Await("something on the screen", func() bool { return len(board.Colours(c.Screen(path))) > 100 })
	frame = time.Since(began)
	c.Await("the whole page on the screen", func() bool { return board.Colours(c.Screen(path))[gold] > 3000 })
	return frame
}

// setOnCard is what a technician sets for one computer, on the part of the card that any computer can write to.
func setOnCard(c *board.Computer) {
	c.PutFirmware(map[string]string{
		"etc/timezone":             "Europe/Lisbon\r\n",
		"etc/default/sabot-backup": "SABOT_BACKUP_TARGET=/media/sabot-backup\r\n",
		"etc/shadow":               "root::1::::::\n",
	})
}

// looksSet: the computer has what setOnCard has set, and what may not be set is named.
func looksSet(t *testing.T, c *board.Computer) {
	t.Helper()
	for command, want := range map[string]string{
		"readlink /etc/localtime":           "/Europe/Lisbon",
		"cat /etc/default/sabot-backup":     "SABOT_BACKUP_TARGET=/media/sabot-backup\n",
		"systemctl --failed --no-legend":    "sabot-card-settings.service",
		"journalctl -u sabot-card-settings": "etc/shadow of the card",
		"ls /media/sabot-backup 2>&1; true": "/media/sabot-backup", // no stick: an error, and no folder in memory
	} {
		if got := c.Run(command); !strings.Contains(got, want) {
			t.Errorf("%s says %q, and not %q", command, got, want)
		}
	}
}

// TestImage: from power to the first question on the screen.
func TestImage(t *testing.T) {
	_, c := newImage(t, false)
	setOnCard(c)
	began := time.Now()
	c.On()
	c.Ready()
	answers := time.Since(began)
	frame := answers + shows(t, c, "first-start.png")
	whole := time.Since(began)
	t.Logf("from power, emulated: the table answers after %s, the page's first frame after %s, the page is whole "+
		"after %s",
		answers.Round(time.Second), frame.Round(time.Second), whole.Round(time.Second))
	looksSet(t, c)
	t.Log(c.Run("systemd-analyze; systemctl --failed --no-legend; findmnt -no SOURCE,FSTYPE,OPTIONS /; findmnt -no " +
		"SOURCE,OPTIONS /etc/sabot; df -h /data /; free -m; fw_printenv; wdctl 2>/dev/null | head -4; id sabot"))
}

// TestImageCuts deals rounds through USB while the power is cut again and again: the computer starts, and nothing is
// lost.
func TestImageCuts(t *testing.T) {
	w, c := newImage(t, true)
	c.On()
	c.Ready()
	rounds := *cuts + 2
	d := w.deal(uint64(rounds))
	for n := range *cuts {
		d.stopLate(3 + 2*n)
		c.Cut()
		c.On()
		c.Ready()
		d.await("the shoe", func(v display.View) bool { return v.Seq > 0 && v.Shoe.Online })
		d.goOn(nil)
		t.Logf("the power was cut %d times, after %d cards", n+1, len(d.hand.cards()))
	}
	told := d.finishLate()
	shows(t, c, "table.png")
	w.fetchCard(c)
	w.check(told, rounds)
}

// stopLate and finishLate wait as long as an emulated computer may take.
func (d *dealing) stopLate(n int) {
	d.t.Helper()
	d.hand.stopAfter(n)
	if !d.hand.await(d.ctx, func() bool { return d.hand.stopped }) {
		d.t.Fatalf("the hand drew %d cards and no more", len(d.hand.cards()))
	}
}

func (d *dealing) finishLate() []card.Card {
	d.t.Helper()
	select {
	case err := <-d.ended:
		if err != nil {
			d.t.Fatalf("the dealer could not go on: %v", err)
		}
	case <-time.After(board.Deadline):
		d.t.Fatalf("the dealer did not come to an end; the hand drew %d cards", len(d.hand.cards()))
	}
	return d.hand.cards()
}

// fetchCard takes the journal off the card, after the computer was switched off as it should be.
func (w *world) fetchCard(c *board.Computer) {
	w.t.Helper()
	c.Run("systemctl stop sabotd; sync")
	c.Cut()
	c.Mounted(layout.DataAt, func(folder string) {
		if err := os.CopyFS(w.path, os.DirFS(filepath.Join(folder, "var/lib/sabot/journal"))); err != nil {
			w.t.Fatal(err)
		}
	})
}
