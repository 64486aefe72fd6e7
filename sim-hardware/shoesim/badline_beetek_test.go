package shoesim_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/beetek"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// TestBeeTekLosses: this wire has no numbers and no checksum, so only the remains of a message show that it was
// damaged. Cards are reported as they arrived, and wherever something other than a message arrived, a loss is reported.
func TestBeeTekLosses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bad := shoesim.FaultRates{Bits: 1e-4, Lost: 0.01, Repeated: 0.01, Cut: 0.02, Run: 0.02, Burst: 0.02}
		all := watch(t, shoesim.BeeTek, bad, func(o shoe.Options) shoe.Shoe { return beetek.New(o) })
		var wire beeWire
		var got []string
		for _, h := range all {
			switch {
			case h.opened:
				wire.open()
			case h.sent != nil:
				wire.sent++
			case h.arrived != nil:
				wire.arrived(string(h.arrived))
			default:
				got = tell(got, h.event)
			}
		}
		wire.pause()
		differ(t, "bee-tek", got, wire.shows)
		t.Logf("%d cards; %d times damage was seen and reported; %d left no trace, or the cable was out", wire.sent,
			wire.traces, wire.sent-wire.reads)
		if wire.traces < wire.sent/100 || wire.reads == wire.sent {
			t.Error("the line was not bad enough to show anything")
		}
	})
}

// beeWire is what the wire can show, by the text that arrived. What is left of one card
// arrives at once, and the next one comes seconds later.
type beeWire struct {
	shows               []string
	sent, reads, traces int

	damage bool // since the last word
	mode   bool // a mode arrived, but not its word
	pair   string
}

// open: the gap of a new link covers what was begun on the previous one.
func (w *beeWire) open() {
	w.damage = false
	if len(w.shows) > 0 {
		w.shows = show(w.shows, "down")
	}
	w.shows = append(w.shows, "up bee-tek", "gap unsure")
}

// piece is a mode or a word.
var piece = regexp.MustCompile(`\[[^][<>]*\]|<[^][<>]*>`)

// arrived reads what is left of one card, to its end.
func (w *beeWire) arrived(text string) {
	w.pause()
	w.reads++
	at := 0
	for _, found := range piece.FindAllStringIndex(text, -1) {
		w.between(text[at:found[0]])
		if p := text[found[0]:found[1]]; p[0] == '[' {
			w.damage = w.damage || w.mode || !nearly(p[1:len(p)-1])
			w.mode = true
		} else {
			w.mode = false
			w.word(p[1 : len(p)-1])
		}
		at = found[1]
	}
	w.between(text[at:])
	w.damage, w.mode = w.damage || w.mode, false
}

// pause ends what was begun.
func (w *beeWire) pause() {
	w.tellDamage()
	w.pair = ""
}

// between judges what is outside modes and words. Clean text does no harm, unless a mode's word should be there, or it
// speaks of a card.
func (w *beeWire) between(text string) {
	text = strings.Trim(text, " \r\n")
	if text == "" {
		return
	}
	odd := strings.ContainsFunc(text, func(r rune) bool {
		return strings.ContainsRune("[]<>", r) || r > '~' || r < ' ' && r != '\r' && r != '\n'
	})
	card := strings.Contains(strings.ToLower(text), "card:")
	w.damage = w.damage || w.mode || odd || card
	w.mode = false
}

// nearly says whether a mode is a known one, or one with a few characters changed.
func nearly(mode string) bool {
	return slices.ContainsFunc([]string{"Manual Burn Cards", "Game", "GameAlarm", "Manual Burn CardsAlarm"},
		func(known string) bool {
			if len(mode) != len(known) {
				return false
			}
			turned := 0
			for i := range len(mode) {
				if !strings.EqualFold(mode[i:i+1], known[i:i+1]) {
					turned++
				}
			}
			return turned <= min(3, len(known)/2)
		})
}

var (
	goodCard  = regexp.MustCompile(`^(?i)card:([2-9TJQKA])([CDHS])$`)
	wrongCard = regexp.MustCompile(`^(?i)card:[ -~]{2}$`)
	longCard  = regexp.MustCompile(`^(?i)card:[ -~]*$`)
	notRead   = regexp.MustCompile(`^(?i)alarm:(e3\b[ -~]*|[ -~]*card not read[ -~]*)$`)
	alarm     = regexp.MustCompile(`^(?i)alarm:([ -~]*)$`)
	nameParts = regexp.MustCompile(`[a-z0-9]+`)
)

// word says what a word shows.
func (w *beeWire) word(text string) {
	card := goodCard.FindStringSubmatch(text)
	switch {
	case card != nil:
		w.tellDamage()
		w.shows, w.pair = append(w.shows, "card "+strings.ToUpper(card[1]+card[2])), ""
	case wrongCard.MatchString(text):
		w.tellDamage()
		w.shows, w.pair = append(w.shows, "card ??"), ""
	case longCard.MatchString(text):
		w.tellDamage()
		w.shows, w.pair = append(w.shows, "gap missing=0"), ""
	case strings.EqualFold(text, "game"), strings.EqualFold(text, "manual burn cards"):
		w.unread("marker")
	case notRead.MatchString(text):
		w.unread("alarm")
	case alarm.MatchString(text):
		w.tellDamage()
		name := nameParts.FindAllString(strings.ToLower(alarm.FindStringSubmatch(text)[1]), -1)
		w.shows, w.pair = append(w.shows, "alarm-raised "+strings.Join(name, "-")), ""
	default:
		w.damage = true
		w.tellDamage()
	}
}

// unread is a card that could not be read, unless it was already reported in the other way.
func (w *beeWire) unread(how string) {
	w.tellDamage()
	if w.pair != "" && w.pair != how {
		w.pair = ""
		return
	}
	w.pair = how
	w.shows = append(w.shows, "card ??")
}

func (w *beeWire) tellDamage() {
	if w.damage {
		w.damage, w.pair = false, ""
		w.traces++
		w.shows = show(w.shows, "gap unsure")
	}
}
